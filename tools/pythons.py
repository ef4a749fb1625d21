"""Print the Pythons at hand that can build and test nardy, oldest first, one path a line.

Looks for python3.11 and newer on PATH and among pyenv's versions. What is left out, and why, goes
to standard error. ``--ends`` prints the oldest, the newest and the newest without a GIL only.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

OLDEST = 11  # requires-python of pyproject.toml
NEWEST = 19  # far enough ahead of what exists
CHECK = Path(__file__).with_name("check_python.py")
ASK = """
import sys, sysconfig
print(sys.version_info.minor, sysconfig.get_config_var("Py_GIL_DISABLED") or 0)
"""


class Kind(NamedTuple):
    """What tells interpreters apart here; sorts by age, without a GIL last."""

    minor: int
    free_threaded: bool


def candidates() -> list[str]:
    """List interpreters by name and by place; a shim that runs nothing may be among them."""
    found = [sys.executable]
    for minor in range(OLDEST, NEWEST + 1):
        found += filter(None, (shutil.which(f"python3.{minor}{tag}") for tag in ("", "t")))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found += [str(folder / "bin" / "python") for folder in pyenv.glob("versions/3.*")]
    return list(dict.fromkeys(found))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run quietly."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


def usable() -> dict[Kind, str]:
    """Give one interpreter per kind, oldest first."""
    chosen: dict[Kind, str] = {}
    for python in candidates():
        checked = run(python, str(CHECK))
        if checked.returncode == 0:
            minor, free_threaded = run(python, "-c", ASK).stdout.split()
            chosen.setdefault(Kind(int(minor), free_threaded == "1"), python)
        elif "needs Python 3.11" not in checked.stderr:
            reason = (checked.stderr.strip() or "does not run").splitlines()[0]
            print(f"left out: {python}: {reason}", file=sys.stderr)
    return dict(sorted(chosen.items()))


def ends(pythons: dict[Kind, str]) -> list[str]:
    """Keep the oldest, the newest and the newest without a GIL, each once."""
    with_gil = [python for kind, python in pythons.items() if not kind.free_threaded]
    without = [python for kind, python in pythons.items() if kind.free_threaded]
    return list(dict.fromkeys(with_gil[:1] + with_gil[-1:] + without[-1:]))


if __name__ == "__main__":
    found = usable()
    print("\n".join(ends(found) if "--ends" in sys.argv[1:] else found.values()))
