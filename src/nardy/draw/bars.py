"""Distributions as bars: text for a terminal, SVG for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["svg_bars", "text_bars"]

_WIDTH: Final = 48  # characters of the longest bar
_LEAST: Final = 5e-5  # what is shown as 0.00 % at both ends is left out
_BAR: Final = 28  # pixels from one bar to the next
_HEIGHT: Final = 200  # pixels of the highest one


def text_bars(chances: Sequence[float], *, what: str) -> str:
    """Draw chances of 0, 1, 2 ... as lines; what is next to nothing at both ends is left out.

    Parameters
    ----------
    chances : sequence of float
    what : str
        What is counted: the heading.

    Examples
    --------
    >>> print(text_bars([0, 0.75, 0.25], what="rolls"))
    rolls   chance
        1   75.00% ################################################
        2   25.00% ################
    """
    most = max(chances)
    lines = [f"{what:>5}   chance"]
    for number in _shown(chances):
        bar = "#" * round(_WIDTH * chances[number] / most)
        lines.append(f"{number:>5} {chances[number]:8.2%} {bar}".rstrip())
    return "\n".join(lines)


def svg_bars(chances: Sequence[float], *, title: str, what: str) -> str:
    """Draw chances of 0, 1, 2 ... as a page of SVG, with each number of them as text.

    Parameters
    ----------
    chances : sequence of float
    title : str
        Above the bars.
    what : str
        What is counted: below them.

    Examples
    --------
    >>> svg_bars([0, 0.75, 0.25], title="one on the 6-point", what="rolls").count("<rect")
    2
    """
    shown = _shown(chances)
    most = max(chances)
    width, height = _BAR * max(len(shown), 6) + 20, _HEIGHT + 80
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="11">',
        f"<title>{_escaped(title)}</title>",
        f'<text x="10" y="18" font-size="13">{_escaped(title)}</text>',
    ]
    for place, number in enumerate(shown):
        high = _HEIGHT * chances[number] / most
        left, top = 10 + _BAR * place, 45 + _HEIGHT - high
        middle = left + (_BAR - 4) / 2
        parts += [
            f'<rect x="{left}" y="{top:.1f}" width="{_BAR - 4}" height="{high:.1f}" '
            f'fill="#4878a8"><title>{number}: {chances[number]:.6f}</title></rect>',
            f'<text x="{middle}" y="{top - 4:.1f}" text-anchor="middle" font-size="8">'
            f"{chances[number]:.1%}</text>",
            f'<text x="{middle}" y="{60 + _HEIGHT}" text-anchor="middle">{number}</text>',
        ]
    parts.append(f'<text x="10" y="{height - 4}">{_escaped(what)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _shown(chances: Sequence[float]) -> range:
    """Return the numbers between the first and the last chance worth a line."""
    large = [number for number, chance in enumerate(chances) if chance >= _LEAST]
    return range(large[0], large[-1] + 1)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
