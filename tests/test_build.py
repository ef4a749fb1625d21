"""The compiled module: which one is loaded, and in which width."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.metadata import version
from pathlib import Path

import pytest

import nardy
from nardy import nardy_core
from proof.widths import forms

ROOT = Path(__file__).resolve().parents[1]
V3_FLAGS = {"avx2", "bmi1", "bmi2", "popcnt"}  # as Linux spells them


def processor_runs_v3() -> bool:
    """Ask the system, not the extension; without an answer the test is skipped."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        pytest.skip("this system does not list the processor's features")
    flags = next(line for line in cpuinfo.read_text().splitlines() if line.startswith("flags"))
    return set(flags.split()) >= V3_FLAGS


def in_a_new_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code as if typed at a prompt, with some variables set."""
    kept = {name: value for name, value in os.environ.items() if name != "NARDY_WIDTH"}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=kept | environment,
    )


WIDTH_OF_DEFAULT = "import nardy; print(nardy.build_info()['width'])"


def test_the_compiled_module_is_the_one_loaded() -> None:
    path = Path(nardy_core.__file__)
    assert path.name.endswith(tuple(EXTENSION_SUFFIXES))
    assert path.parent == Path(nardy.__file__).parent
    assert isinstance(nardy_core.__spec__.loader, ExtensionFileLoader)
    assert nardy.build_info is nardy_core.build_info


def test_the_package_is_this_checkouts_or_an_installed_one() -> None:
    package = Path(nardy.__file__).resolve()
    assert package.is_relative_to(ROOT) or package.is_relative_to(Path(sys.prefix).resolve())


def test_version_is_the_packages() -> None:
    assert nardy.build_info()["version"] == nardy.__version__ == version("nardy")


def test_compiler_is_named() -> None:
    name, _, number = nardy.build_info()["compiler"].partition(" ")
    assert name in ("gcc", "clang", "msvc") and number[0].isdigit()


def test_default_width_is_the_widest_that_the_processor_runs() -> None:
    wanted = "v3" if processor_runs_v3() and sys.platform != "win32" else "baseline"
    assert in_a_new_python(WIDTH_OF_DEFAULT).stdout.strip() == wanted
    assert in_a_new_python(WIDTH_OF_DEFAULT, NARDY_WIDTH="").stdout.strip() == wanted


@pytest.mark.parametrize("width", ["baseline", "v3"])
def test_nardy_width_overrules(width: str) -> None:
    if width == "v3" and not processor_runs_v3():
        pytest.skip("this processor cannot run v3")
    assert in_a_new_python(WIDTH_OF_DEFAULT, NARDY_WIDTH=width).stdout.strip() == width


@pytest.mark.parametrize("nonsense", ["avx512", "V3", "v3 ", "1"])
def test_nardy_width_refuses_an_unknown_value(nonsense: str) -> None:
    refused = in_a_new_python(WIDTH_OF_DEFAULT, NARDY_WIDTH=nonsense)
    assert refused.returncode != 0
    assert "ImportError: NARDY_WIDTH must be 'baseline' or 'v3'" in refused.stderr
    assert f"not '{nonsense}'" in refused.stderr


def test_v3_is_refused_with_the_reason_where_it_cannot_run() -> None:
    if processor_runs_v3():
        pytest.skip("this processor runs v3")
    refused = in_a_new_python(WIDTH_OF_DEFAULT, NARDY_WIDTH="v3")
    assert refused.returncode != 0
    assert "ImportError: width 'v3'" in refused.stderr


def test_both_forms_load_in_one_process_and_say_their_width() -> None:
    loaded = forms()
    assert set(loaded) == ({"baseline", "v3"} if processor_runs_v3() else {"baseline"})
    assert len({id(module.after_states) for module in loaded.values()}) == len(loaded)
    assert all(module.build_info()["width"] == width for width, module in loaded.items())


def test_loading_the_other_form_leaves_the_one_in_use_alone() -> None:
    assert nardy_core in forms().values()
    assert sys.modules["nardy.nardy_core"] is nardy_core
    assert nardy_core.__name__ == nardy_core.__spec__.name == "nardy.nardy_core"
    assert nardy_core.build_info()["width"] == nardy.build_info()["width"]
