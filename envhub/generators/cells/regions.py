"""Regions drawn round marks so that one solution remains."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, grown, pairs, relabelled
from envhub.generators.cells.connectivity import reached
from envhub.generators.cells.model import Grid, Model


def round_marks(rng: Stream, height: int, width: int, marks: Sequence[int], each: int) -> list[int] | None:
    """Connected regions with ``each`` marked cells; None if grouping fails."""
    label = grown(rng, height, width, marks)
    groups = [[region] for region in range(len(marks))]
    touching = {frozenset((label[a], label[b])) for a, b in pairs(height, width)}
    while len(groups) * each > len(marks):
        small = [group for group in groups if len(group) < each]
        if not small:
            return None
        near = {
            at: [
                other
                for other in small
                if other is not group
                and len(other) + len(group) <= each
                and any(frozenset((a, b)) in touching for a in group for b in other)
            ]
            for at, group in enumerate(small)
        }
        at = min(near, key=lambda at: len(near[at]))
        if not near[at]:
            return None
        other = rng.choice(near[at])
        small[at].extend(other)
        groups = [group for group in groups if group is not other]
    names = {region: name for name, group in enumerate(groups) for region in group}
    return relabelled([names[region] for region in label])


def sharpened(
    rng: Stream,
    height: int,
    width: int,
    regions: Sequence[int],
    known: Grid,
    model: Callable[[Sequence[int]], Model],
    movable: Collection[int],
    rounds: int,
    budget: int,
) -> list[int] | None:
    """Regions for which a known grid is the only solution.

    As long as there is another solution, one of its marked cells that is not marked in the known grid moves to a neighbouring
    region, so that the other solution breaks a count and the known one does not. Of all such moves, the one is made that brings
    back the fewest earlier solutions.

    Args:
        rng: Chooses the cell and the region.
        height: Number of rows.
        width: Number of columns.
        regions: The region of each cell.
        known: The solution.
        model: The puzzle with given regions.
        movable: The cells that may change their region.
        rounds: Maximum number of moves.
        budget: Maximum number of steps of each search.

    Returns:
        None if another solution remains after all moves.
    """
    near = beside(height, width)
    label = list(regions)
    others: list[Grid] = []
    for _ in range(rounds):
        found = model(label).another(known, budget)
        if found.none:
            return relabelled(label)
        if not found.grids:
            return None
        others.append(found.grids[0])
        moves = [
            (cell, region)
            for cell, value in enumerate(others[-1])
            if value and not known[cell] and cell in movable and _may_leave(label, near, cell)
            for region in sorted({label[other] for other in near[cell]} - {label[cell]})
        ]
        if not moves:
            return None
        rng.shuffle(moves)
        excess = [_excess(label, known, other) for other in others]
        cell, region = min(moves, key=lambda move: _alive(label, others, excess, *move))
        label[cell] = region
    return None


def _excess(label: Sequence[int], known: Grid, other: Grid) -> dict[int, int]:
    """Differences from the known number of marks, by region."""
    found: dict[int, int] = {}
    for region, one, value in zip(label, known, other, strict=True):
        if one != value:
            found[region] = found.get(region, 0) + value - one
    return {region: count for region, count in found.items() if count}


def _alive(
    label: Sequence[int], others: Sequence[Grid], excess: Sequence[dict[int, int]], cell: int, region: int
) -> int:
    """Number of earlier solutions that a move would bring back."""
    swapped = {label[cell]: 1, region: -1}
    return sum(counts == (swapped if other[cell] else {}) for other, counts in zip(others, excess, strict=True))


def _may_leave(label: Sequence[int], near: Sequence[Sequence[int]], cell: int) -> bool:
    """Whether the region of a cell stays connected without it."""
    region = label[cell]
    rest = [other for other, found in enumerate(label) if found == region and other != cell]
    return bool(rest) and len(reached(rest[0], near, set(rest))) == len(rest)
