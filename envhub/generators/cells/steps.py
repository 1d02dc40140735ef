"""Steps between neighbouring places; here the values of a cell are places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from envhub.generators.cells.law import Changed, Law, mask_of

_REMEMBERED: Final = 1 << 14
"""Searches meet the same domains again and again."""


class Step(Law):
    """Two cells have values that are next to each other.

    Args:
        one: A cell.
        other: Another cell.
        near: For each value, the values next to it, in both directions.
    """

    __slots__ = ("near", "reach")

    def __init__(self, one: int, other: int, near: Sequence[Sequence[int]]) -> None:
        super().__init__((one, other))
        self.near = near
        self.reach = _reach(tuple(map(tuple, near)))

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the values are next to each other."""
        one, other = self.cells
        return values[other] in self.near[values[one]]

    def prune(self, domains: list[int]) -> Changed | None:
        """Keep values next to a value of the other cell."""
        one, other = self.cells
        ahead = domains[other] & self.reach(domains[one])
        back = domains[one] & self.reach(ahead)
        if not back:
            return None
        changed = [cell for cell, mask in ((one, back), (other, ahead)) if mask != domains[cell]]
        domains[one], domains[other] = back, ahead
        return changed


@lru_cache(maxsize=64)
def _reach(near: tuple[tuple[int, ...], ...]) -> Callable[[int], int]:
    """The values next to any of some values, as masks."""
    reach = [mask_of(values) for values in near]

    @lru_cache(maxsize=_REMEMBERED)
    def beside(mask: int) -> int:
        found = 0
        while mask:
            lowest = mask & -mask
            found |= reach[lowest.bit_length() - 1]
            mask ^= lowest
        return found

    return beside
