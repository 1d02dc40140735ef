"""Carving: remove clues while the solution stays the only one.

Clues are removed in groups, and a group that cannot go is halved. A second solution that was found once refutes every later
removal of the clues that it violates, without another search.
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.core.seeding import Stream
from envhub.generators.cells.law import Law
from envhub.generators.cells.model import Grid, Model


def carve(
    rng: Stream,
    domains: Sequence[int],
    fixed: Sequence[Law],
    clues: Sequence[Law],
    known: Grid,
    keep: int,
    budget: int,
) -> list[int] | None:
    """Positions of clues that leave one solution, in ascending order.

    Args:
        rng: Chooses the order of removal.
        domains: Masks of the values of each cell.
        fixed: Laws that always hold.
        clues: One law per clue.
        known: The solution.
        keep: Number of clues at which removal stops.
        budget: Maximum number of steps; removal stops earlier when they are spent.

    Returns:
        None if the solution is not proved to be the only one even with all clues.
    """
    model = Model(domains, [*fixed, *clues])
    found = model.another(known, budget)
    if not found.none:
        return None
    left = budget - found.steps
    order = list(range(len(clues)))
    rng.shuffle(order)
    removed, gone, at = 0, 0, 0
    refuted: list[int] = []  # clues that a second solution violates, as bit sets
    size = max(1, len(order) // 3)
    while at < len(order) and len(order) - gone > keep and left > 0:
        group = order[at : at + min(size, len(order) - gone - keep)]
        trial = removed | sum(1 << clue for clue in group)
        fails = any(not violated & ~trial for violated in refuted)
        if not fails:
            off = [len(fixed) + clue for clue in range(len(clues)) if trial >> clue & 1]
            found = model.another(known, left, off)
            left -= found.steps
            fails = not found.none
            refuted += [_violated(clues, other) for other in found.grids]
        if not fails:
            removed, gone, at = trial, gone + len(group), at + len(group)
        elif len(group) == 1:
            at += 1
        else:
            size = max(1, len(group) // 2)
    return [clue for clue in range(len(clues)) if not removed >> clue & 1]


def _violated(clues: Sequence[Law], grid: Grid) -> int:
    """The clues that a grid violates, as a bit set."""
    return sum(1 << number for number, clue in enumerate(clues) if not clue.holds(grid))
