"""What `import nardy` gives."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules, walk_packages

import nardy

PUBLIC_MODULES = {"reference", "bearoff", "formats", "draw"}


def test_no_public_name_is_also_a_submodule_but_for_four() -> None:
    submodules = {module.name for module in iter_modules(nardy.__path__)}
    assert submodules >= {"options", "position"}
    assert {*nardy.__all__} & submodules <= PUBLIC_MODULES


def test_all_names_are_there_and_sorted_once() -> None:
    for module in [nardy, *map(import_module, submodule_names())]:
        names = getattr(module, "__all__", [])
        assert len(names) == len({*names})
        assert all(hasattr(module, name) for name in names), module.__name__


def submodule_names() -> list[str]:
    return [module.name for module in walk_packages(nardy.__path__, "nardy.")]


# What each module of an id with a situation has: nardy.formats.xgid.read, and so on.
CODEC = {"read", "write", "lost", "found"}


def test_every_public_name_of_the_face_comes_from_one_module() -> None:
    homes: dict[str, set[str]] = {}
    for name in submodule_names():
        # nardy.bearoff gathers the names of its own files.
        if not name.startswith("nardy.reference") and name != "nardy.bearoff":
            for public in getattr(import_module(name), "__all__", []):
                if not (name.startswith("nardy.formats") and public in CODEC):
                    homes.setdefault(public, set()).add(name)
    assert {public: found for public, found in homes.items() if len(found) > 1} == {}
