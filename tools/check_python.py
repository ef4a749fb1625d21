"""Say in clear words what a Python lacks to build nardy in a virtual environment of its own.

Exit status 0: nothing. Any Python can run this file, old ones too.
"""

import sys


def missing() -> "str | None":
    """Return the first thing that is missing, as a sentence, or None."""
    if sys.version_info < (3, 11):
        return "nardy needs Python 3.11 or newer."
    import os
    import shutil
    import sysconfig

    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        return "It cannot make virtual environments (%s); Debian and Ubuntu: python3-venv." % error
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.exists(header):
        return "It has no C headers (%s); Debian and Ubuntu: python3-dev." % header
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if compiler and shutil.which(compiler[0]) is None:
        return "There is no C compiler %r; Debian and Ubuntu: gcc, or set CC." % compiler[0]
    return None


if __name__ == "__main__":
    word = missing()
    if word is not None:
        version = ".".join(map(str, sys.version_info[:3]))
        sys.exit("%s (Python %s) will not do. %s" % (sys.executable, version, word))
