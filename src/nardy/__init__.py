"""Long nardy and short nardy (backgammon)."""

from nardy.nardy_core import build_info

__version__: str = build_info()["version"]

__all__ = ["build_info"]
