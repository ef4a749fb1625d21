"""Build the sdist and the wheels into dist/, and test each where it is installed.

    python tools/check_dist.py [--crosswise] [options of pytest]

On the oldest and the newest Python at hand: a wheel built here and one built from the sdist, each
installed into a new virtual environment outside the checkout, where the checkout's tests run
against it. Crosswise is half of that: from the sdist on the oldest Python, from here on the others.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

from pythons import ends, usable

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
SETTINGS = ROOT / "pyproject.toml"
PROJECT = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["project"]
STEM = f"{PROJECT['name']}-{PROJECT['version']}"
HEAVIEST = 2.0
"""Megabytes of a wheel, the shipped networks apart: it holds the kernel twice."""


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command, without what the checkout's own environment says; stop if it fails."""
    print("$", *command, flush=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NARDY_"))}
    if "NARDY_CORPUS" in os.environ:
        kept["NARDY_CORPUS"] = os.path.abspath(os.environ["NARDY_CORPUS"])
    if subprocess.run(list(map(str, command)), cwd=cwd, env=kept, check=False).returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def build_sdist() -> Path:
    """Build the sdist and see that it is a whole checkout: what compiles, tests and documents."""
    run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", DIST)
    sdist = DIST / f"{STEM}.tar.gz"
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        tracked = {name for name in listed.stdout.splitlines() if not name.startswith(".git")}
    else:
        tracked = names  # an unpacked sdist
    if missing := {name for name in tracked - names if (ROOT / name).exists()}:
        sys.exit(f"{sdist} lacks {sorted(missing)}: see MANIFEST.in")
    return sdist


def build_wheel(python: Path, source: Path, folder: Path) -> Path:
    """Build a wheel and see that it holds the package and nothing else."""
    for stale in (ROOT / "build").glob("lib*"):
        shutil.rmtree(stale)  # or modules that are no more would be packed
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    (wheel,) = folder.glob(f"{STEM}-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    foreign = [name for name in names if not name.startswith(("nardy/", f"{STEM}.dist-info/"))]
    wanted = {"nardy/__init__.py", "nardy/py.typed", "nardy/nardy_core.pyi"}
    extensions = [name for name in names if name.endswith((".so", ".pyd"))]
    if foreign or not wanted <= set(names) or len(extensions) != 1:
        sys.exit(f"{wheel} holds {names}")
    code, networks = weight(wheel)
    print(f"{wheel.name}: {code:.2f} MB, and {networks:.2f} MB of networks", flush=True)
    if code > HEAVIEST:
        sys.exit(f"{wheel}: without networks it may have {HEAVIEST} MB")
    return wheel


def weight(wheel: Path) -> tuple[float, float]:
    """Return the megabytes of a wheel without the networks, and those of the networks."""
    inside = zipfile.ZipFile(wheel).infolist()
    networks = sum(file.compress_size for file in inside if file.filename.endswith(".npz"))
    return (wheel.stat().st_size - networks) / 1e6, networks / 1e6


def run_tests(python: Path, pytest_options: list[str], place: Path) -> None:
    """Run the checkout's tests from another folder, against what is installed for this Python."""
    settings: list[str | Path] = ["-c", SETTINGS, "--rootdir", ROOT]
    options = ["-q", "--benchmark-disable", "-p", "no:cacheprovider", *pytest_options]
    folders = [folder for folder in (ROOT / "tests", ROOT / "benches") if folder.exists()]
    run(python, "-m", "pytest", *settings, *options, *folders, cwd=place)


def try_out(python: str, source: Path, pytest_options: list[str]) -> None:
    """Build a wheel with one Python, and test it in a new environment."""
    extras = PROJECT["optional-dependencies"]
    with tempfile.TemporaryDirectory(prefix="nardy-") as name:
        place = Path(name).resolve()
        run(python, "-m", "venv", place / "venv")
        inside = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        wheel = build_wheel(inside, source, place)
        run(inside, "-m", "pip", "install", "-q", wheel, *extras["cli"], *extras["test"])
        run_tests(inside, pytest_options, place)
        shutil.copy(wheel, DIST)


def main() -> None:
    """Do it for each Python."""
    shutil.rmtree(DIST, ignore_errors=True)
    sdist = build_sdist()
    pythons = ends(usable())
    if len(pythons) == 1:
        print("only one Python is at hand: neither an older nor a newer one is tried")
    tried = [(python, source) for python in pythons for source in (sdist, ROOT)]
    if crosswise := "--crosswise" in sys.argv:
        tried = [(python, sdist if python == pythons[0] else ROOT) for python in pythons]
    for python, source in tried:
        print(f"== {python}, from {source}", flush=True)
        try_out(python, source, sys.argv[1 + crosswise :])
    print(*sorted(DIST.iterdir()), sep="\n")


if __name__ == "__main__":
    main()
