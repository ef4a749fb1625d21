"""Print requirements from pyproject.toml, one a line: of an extra, or of ``build``.

``build`` is what compiles the kernel and what the package itself imports.
"""

import sys
import tomllib
from pathlib import Path


def main(name: str) -> None:
    """Print them."""
    root = Path(__file__).resolve().parents[1]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    if name == "build":
        wanted = settings["build-system"]["requires"] + project["dependencies"]
    else:
        wanted = project["optional-dependencies"][name]
    print("\n".join(wanted))


if __name__ == "__main__":
    main(sys.argv[1])
