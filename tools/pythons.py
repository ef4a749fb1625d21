"""Print the Pythons at hand that can build and test nardy, oldest first, one path a line.

Looks for python3.11 and newer on PATH and among pyenv's versions. What is left out, and why, goes
to standard error. ``--ends`` prints the oldest and the newest only.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 11  # requires-python of pyproject.toml
NEWEST = 19  # far enough ahead of what exists

# Run by each candidate: what a build and a virtual environment need of it.
PROBE = """
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
if not os.path.exists(header):
    sys.exit(f"has no C headers ({header})")
print(sys.version_info.minor, getattr(sys, "_is_gil_enabled", lambda: True)())
"""


def candidates() -> list[str]:
    """List interpreters by name and by place; a shim that runs nothing may be among them."""
    found = [sys.executable]
    for minor in range(OLDEST, NEWEST + 1):
        found += filter(None, (shutil.which(f"python3.{minor}{tag}") for tag in ("", "t")))
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found += [
        str(folder / "bin" / "python")
        for folder in sorted((root / "versions").glob("3.*"))
        if re.match(r"3\.\d+", folder.name)
    ]
    return list(dict.fromkeys(found))


def usable() -> list[str]:
    """Give one interpreter per minor version and kind (with or without GIL), oldest first."""
    chosen: dict[tuple[int, bool], str] = {}
    for python in candidates():
        probe = subprocess.run([python, "-c", PROBE], capture_output=True, text=True, check=False)
        if probe.returncode:
            reason = (probe.stderr.strip().splitlines() or ["does not run"])[-1]
            print(f"left out: {python}: {reason}", file=sys.stderr)
            continue
        minor, gil = probe.stdout.split()
        if int(minor) >= OLDEST:
            # Versions rise; with the GIL before without it.
            chosen.setdefault((int(minor), gil != "True"), python)
    return [chosen[key] for key in sorted(chosen)]


def main() -> None:
    """Print them."""
    pythons = usable()
    if "--ends" in sys.argv[1:]:
        pythons = [pythons[0], pythons[-1]] if len(pythons) > 1 else pythons
    print("\n".join(pythons))


if __name__ == "__main__":
    main()
