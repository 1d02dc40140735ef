"""Playing cards: the scene of hands on a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.scenes.shapes import Rect, Scene, Shape, Text

_WIDTH: Final = 56
_HEIGHT: Final = 80
_GAP: Final = 10
_NAME: Final = 16
_LETTER: Final = 9  # width of a letter of a name, at its greatest


def hands(held: Sequence[tuple[str, Sequence[str]]]) -> Scene:
    """Rows of open cards, each under its name.

    An empty text is a card face down.
    """
    shapes: list[Shape] = []
    y = _GAP
    for name, cards in held:
        shapes.append(Text(_GAP, y + _NAME // 2, name, _NAME, anchor="start"))
        y += _NAME + _GAP
        for at, card in enumerate(cards):
            x = _GAP + at * (_WIDTH + _GAP)
            shapes.append(Rect(x, y, _WIDTH, _HEIGHT, "paper" if card else "tint0", "ink", 2))
            shapes.append(Text(x + _WIDTH // 2, y + _HEIGHT // 2, card, 28))
        y += _HEIGHT + _GAP
    cards_across = max((len(cards) for _, cards in held), default=0) * (_WIDTH + _GAP)
    names_across = max((len(name) for name, _ in held), default=0) * _LETTER
    return Scene(_GAP + max(cards_across, names_across + _GAP), y, tuple(shapes))
