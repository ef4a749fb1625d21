"""``python -m nardy``: the command ``nardy``."""

import sys

from nardy.cli import main

if __name__ == "__main__":
    sys.exit(main())
