"""Pairs of places and marked cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

from envhub.generators.cells.law import NOTHING, Changed, Law


class Paired(Law):
    """Marked cells and the places beside them can be paired.

    Args:
        beside: For each place, the cells that may be paired with it.
    """

    __slots__ = ("beside",)
    expensive: ClassVar[bool] = True

    def __init__(self, beside: Sequence[Sequence[int]]) -> None:
        super().__init__(sorted(set(chain.from_iterable(beside))))
        self.beside = [tuple(cells) for cells in beside]

    def holds(self, values: Sequence[int]) -> bool:
        """Whether all marked cells and all places can be paired."""
        marks = sum(values[cell] for cell in self.cells)
        chosen = [[cell for cell in cells if values[cell]] for cells in self.beside]
        return marks == len(self.beside) == matched(chosen)

    def prune(self, domains: list[int]) -> Changed | None:
        """Check that each place and each sure cell can be paired."""
        possible = [[cell for cell in cells if domains[cell] & 0b10] for cells in self.beside]
        if matched(possible) < len(self.beside):
            return None
        sure = [cell for cell in self.cells if domains[cell] == 0b10]
        places = [[place for place, cells in enumerate(self.beside) if cell in cells] for cell in sure]
        return NOTHING if matched(places) == len(sure) else None


def matched(choices: Sequence[Sequence[int]]) -> int:
    """Size of a largest matching, by augmenting paths."""
    taken: dict[int, int] = {}

    def place(one: int, tried: set[int]) -> bool:
        for choice in choices[one]:
            if choice not in tried:
                tried.add(choice)
                if choice not in taken or place(taken[choice], tried):
                    taken[choice] = one
                    return True
        return False

    return sum(place(one, set()) for one in range(len(choices)))
