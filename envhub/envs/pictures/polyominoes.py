"""Shapes of joined squares, their turns and mirror images.

A shape is a sorted tuple of cells as row and column, moved into the corner::

    turned(((0, 0), (1, 0), (1, 1)), 1)       # after a quarter turn clockwise
    drawn(rng, 6)                             # a shape whose turns and mirror images all differ
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from envhub.core.seeding import Stream

Cells = tuple[tuple[int, int], ...]

_BESIDE: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_WIDEST: Final = 5
_TRIES: Final = 40


def cornered(cells: Iterable[tuple[int, int]]) -> Cells:
    """The cells moved into the corner.

    Their first row and column are 0.
    """
    found = sorted(cells)
    top, side = min(row for row, _ in found), min(column for _, column in found)
    return tuple((row - top, column - side) for row, column in found)


def turned(shape: Cells, turns: int) -> Cells:
    """A shape after quarter turns clockwise."""
    for _ in range(turns % 4):
        shape = cornered((column, -row) for row, column in shape)
    return shape


def mirrored(shape: Cells) -> Cells:
    """A shape with left and right exchanged."""
    return cornered((row, -column) for row, column in shape)


def images(shape: Cells) -> list[Cells]:
    """The four turns of a shape, then those of its mirror image."""
    return [turned(form, turns) for form in (shape, mirrored(shape)) for turns in range(4)]


def drawn(rng: Stream, count: int) -> Cells | None:
    """A random shape whose eight images all differ.

    None if this try gave another shape.
    """
    cells = {(0, 0)}
    while len(cells) < count:
        near = {(row + down, column + right) for row, column in cells for down, right in _BESIDE} - cells
        cells.add(rng.choice(sorted(near)))
    shape = cornered(cells)
    return shape if _small(shape) and len(set(images(shape))) == 8 else None


def altered(rng: Stream, shape: Cells) -> Cells | None:
    """Another shape, which differs in one cell.

    It is no image of the first; None if no such shape was found.
    """
    for _ in range(_TRIES):
        cells = set(shape) - {rng.choice(shape)}
        near = {(row + down, column + right) for row, column in cells for down, right in _BESIDE} - set(shape)
        made = cornered(cells | {rng.choice(sorted(near))})
        if len(made) == len(shape) and _small(made) and _joined(made) and made not in images(shape):
            return made
    return None


def _small(shape: Cells) -> bool:
    """Whether a shape fits into a square of five cells."""
    return max(max(cell) for cell in shape) < _WIDEST


def _joined(shape: Cells) -> bool:
    """Whether all cells of a shape hang together by their sides."""
    found = [shape[0]]
    for row, column in found:
        found += [
            cell
            for cell in ((row + down, column + right) for down, right in _BESIDE)
            if cell in shape and cell not in found
        ]
    return len(found) == len(shape)
