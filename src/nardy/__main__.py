"""``python -m nardy``: the command ``nardy``."""

import sys

from nardy.cli import main

sys.exit(main())
