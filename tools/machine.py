"""What a measurement was taken on."""

from __future__ import annotations

import datetime
import platform
import subprocess
from pathlib import Path

import nardy

ROOT = Path(__file__).resolve().parents[1]


def processor() -> str:
    """Name it as the system does."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Name the commit of the checkout; with "+" if files that count were changed since."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--exclude", "*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "not a checkout"
    return done.stdout.strip()


def about() -> dict[str, str]:
    """Name machine, date, commit and versions."""
    info = nardy.build_info()
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "nardy": nardy.__version__,
        "width": info["width"],
        "compiler": info["compiler"],
        "python": platform.python_version(),
    }
