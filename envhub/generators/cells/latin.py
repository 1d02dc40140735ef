"""Latin squares, drawn at random."""

from __future__ import annotations

from envhub.core.seeding import Stream
from envhub.generators.cells.board import lines
from envhub.generators.cells.laws import Different
from envhub.generators.cells.model import Grid, Model


def latin(rng: Stream, size: int) -> Grid:
    """A random Latin square of the numbers 1 to ``size``."""
    full = (1 << size + 1) - 2
    model = Model([full] * size**2, [Different(line, full) for line in lines(size, size)])
    while True:
        found = model.solutions(most=1, budget=40 * size**2, rng=rng)
        if found.grids:
            return found.grids[0]
