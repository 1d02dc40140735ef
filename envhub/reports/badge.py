"""Badges: a label and a result, as an SVG file.

::

    badge("envhub audit", "27 checks passed", GOOD)

No script, no font and no other file is loaded. Texts are escaped.
"""

from __future__ import annotations

from html import escape
from typing import Final

GOOD: Final = "#1a7f37"
BAD: Final = "#b42318"
_LABEL: Final = "#4b5563"
_HEIGHT: Final = 20
_LETTER: Final = 6.6
"""Mean width of a letter in pixels; ``textLength`` fits any font to it."""
_MARGIN: Final = 6


def badge(label: str, result: str, colour: str) -> str:
    """The SVG of a badge.

    Args:
        label: What was measured.
        result: What was found.
        colour: Background of the result; white text must be legible on it.
    """
    left, right = _width(label), _width(result)
    name = escape(f"{label}: {result}", quote=True)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{left + right}' height='{_HEIGHT}' role='img' aria-label='{name}'>"
        f"<title>{name}</title><rect width='{left}' height='{_HEIGHT}' fill='{_LABEL}'/>"
        f"<rect x='{left}' width='{right}' height='{_HEIGHT}' fill='{colour}'/>"
        f"<g fill='#fff' font-family='Verdana,DejaVu Sans,sans-serif' font-size='11'>{_text(label, 0)}{_text(result, left)}"
        "</g></svg>\n"
    )


def _width(text: str) -> int:
    return round(_LETTER * len(text)) + 2 * _MARGIN


def _text(text: str, left: int) -> str:
    return f"<text x='{left + _MARGIN}' y='14' textLength='{_width(text) - 2 * _MARGIN}'>{escape(text)}</text>"
