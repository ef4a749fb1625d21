"""The forms of the kernel that this processor can run, side by side in one process."""

from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from nardy import nardy_core


@cache
def forms() -> dict[str, Any]:
    """Width -> the kernel compiled for it; the one in use is among them."""
    in_use = nardy_core.build_info()["width"]
    found: dict[str, Any] = {in_use: nardy_core}
    for width in {"baseline", "v3"} - {in_use}:
        try:
            found[width] = _load(f"nardy_core_{width}")
        except ImportError:
            continue  # a processor, or a build, without this width
    return found


def _load(name: str) -> ModuleType:
    loader = ExtensionFileLoader(name, nardy_core.__file__)
    spec = spec_from_file_location(name, nardy_core.__file__, loader=loader)
    if spec is None:
        raise ImportError(f"no {name} in {nardy_core.__file__}")
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
