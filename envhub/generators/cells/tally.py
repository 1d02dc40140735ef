"""Tally: counts of cells that each have a mask of their own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from envhub.generators.cells.law import NOTHING, Changed, Law


class Tally(Law):
    """The number of cells within their masks is between two bounds.

    A cell may occur with several masks.

    Args:
        terms: Cells, each with a mask.
        low: Least number.
        high: Greatest number.
    """

    __slots__ = ("high", "low", "terms")

    def __init__(self, terms: Sequence[tuple[int, int]], low: int, high: int) -> None:
        super().__init__(list(dict.fromkeys(cell for cell, _ in terms)))
        self.terms = tuple(terms)
        self.low, self.high = low, high

    @property
    def kind(self) -> Hashable:
        """The masks of each place and the bounds."""
        return Tally, tuple([(self.cells.index(cell), mask) for cell, mask in self.terms]), self.low, self.high

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the number is within the bounds."""
        return self.low <= sum(mask >> values[cell] & 1 for cell, mask in self.terms) <= self.high

    def prune(self, domains: list[int]) -> Changed | None:
        """Decide the open terms when one of the bounds is reached."""
        sure, open_ = 0, []
        for term in self.terms:
            cell, mask = term
            inside = domains[cell] & mask
            if inside == domains[cell]:
                sure += 1
            elif inside:
                open_.append(term)
        if sure > self.high or sure + len(open_) < self.low:
            return None
        if not open_ or (sure < self.high and sure + len(open_) > self.low):
            return NOTHING
        for cell, mask in open_:
            domains[cell] &= ~mask if sure == self.high else mask
            if not domains[cell]:
                return None
        return [cell for cell, _ in open_]
