"""Quantities that are equal by the facts of a figure."""

from __future__ import annotations

from collections.abc import Iterable

from envhub.envs.pictures.geometry.figure import Quantity
from envhub.envs.pictures.geometry.statements import Statement


class Equalities:
    """Classes of equal quantities."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        """The classes that statements without premises make."""
        self._above: dict[Quantity, Quantity] = {}
        for one in statements:
            if one.form == "sum" and not one.known and not one.same and not one.constant.terms and len(one.terms) == 2:
                (a, p), (b, q) = one.terms
                if p == -q:
                    self._above[self._top(a)] = self._top(b)

    def same(self, one: Quantity, other: Quantity) -> bool:
        """Whether two quantities are equal by the facts."""
        return one == other or self._top(one) == self._top(other)

    def _top(self, one: Quantity) -> Quantity:
        while one in self._above and self._above[one] != one:
            one = self._above[one]
        return one
