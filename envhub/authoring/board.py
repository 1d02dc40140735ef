"""Board: a grid that an answer fills in, to be clicked.

An environment whose answers are whole grids returns one from ``board``::

    Board(height=2, width=2, choices=((0, 1), (1,), (0, 1), (0, 1)), regions=(0, 0, 1, 1))
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from envhub.core.types import JSON


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of cells.

    Attributes:
        height: Number of rows.
        width: Number of columns.
        choices: The values that each cell may have, row by row; a cell with one value is given.
        regions: A label per cell, row by row; borders are drawn between labels. Empty without regions.
    """

    height: int
    width: int
    choices: tuple[tuple[int, ...], ...]
    regions: tuple[int, ...] = ()

    def to_json(self) -> JSON:
        """All fields by name, as JSON values."""
        return asdict(self)
