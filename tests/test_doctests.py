"""Every example in a docstring runs: those of the package and those of the extension."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, ismodule
from pkgutil import walk_packages

import numpy as np
import pytest

import nardy

FINDER = doctest.DocTestFinder(exclude_empty=True)


def examples() -> Iterator[doctest.DocTest]:
    names = [module.name for module in walk_packages(nardy.__path__, "nardy.")]
    for name in ["nardy", *names]:
        if not name.endswith("__main__"):
            globs = vars(import_module(name)) | {"nardy": nardy, "np": np}
            found = FINDER.find(import_module(name), name, globs=globs)
            yield from (test for test in found if test.examples)


EXAMPLES = list(examples())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_docstring(example: doctest.DocTest) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    result = runner.run(example, out=said.append)
    assert result.failed == 0, "".join(said)


def test_the_extensions_docstrings_are_among_them() -> None:
    assert any(example.name == "nardy.nardy_core.build_info" for example in EXAMPLES)


def public() -> Iterator[tuple[str, object]]:
    """Functions, classes and methods that users call; properties are shown by their class."""
    listed = [(name, getattr(nardy, name)) for name in nardy.__all__]
    listed += [(name, getattr(nardy.bearoff, name)) for name in nardy.bearoff.__all__]
    for name, value in listed:
        if isclass(value) or (callable(value) and not ismodule(value)):
            yield name, value
        if isclass(value):
            for inner, method in vars(value).items():
                method = getattr(method, "__func__", method)
                if callable(method) and not inner.startswith("_"):
                    yield f"{name}.{inner}", method


@pytest.mark.parametrize(("name", "value"), [*public()], ids=lambda value: str(value)[:30])
def test_what_is_public_has_an_example(name: str, value: object) -> None:
    assert ">>> " in (value.__doc__ or ""), name
