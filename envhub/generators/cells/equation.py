"""Equations: sums, differences and products of the cells of a line."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from math import prod
from typing import Final, NamedTuple

from envhub.generators.cells.law import Changed, Law, mask_of, values_of

_CACHED: Final = 1 << 14


class Term(NamedTuple):
    """A product of cells.

    Attributes:
        sign: 1 if it is added, -1 if it is subtracted.
        cells: The cells.
    """

    sign: int
    cells: tuple[int, ...]


class Equation(Law):
    """The cells, joined by operators, have a result; products come first.

    Args:
        cells: The cells, in the order of the equation.
        operators: One of ``+``, ``-`` and ``*`` between each two cells.
        result: The result.
    """

    __slots__ = ("_operators", "result", "terms")

    def __init__(self, cells: Sequence[int], operators: str, result: int) -> None:
        super().__init__(cells)
        self._operators = operators
        self.terms = terms(cells, operators)
        self.result = result

    @property
    def kind(self) -> Hashable:
        """The operators and the result."""
        return Equation, self._operators, self.result

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the equation is true."""
        return calculated(values, self.terms) == self.result

    def prune(self, domains: list[int]) -> Changed | None:
        """Keep the values of products that are part of the result."""
        total = self.result
        amounts: list[dict[int, int]] = []
        for sign, cells in self.terms:
            products = _products(tuple([domains[cell] for cell in cells]))
            # A subtracted product counts down from the greatest one, so that no amount is negative.
            start = 0 if sign > 0 else products[-1]
            total += start
            amounts.append({product: start + sign * product for product in products})
        before = list(accumulate(amounts, _added, initial=1))
        if total < 0 or not before[-1] >> total & 1:
            return None
        after, changed = 1 << total, []
        for term, amount, reach in zip(self.terms[::-1], amounts[::-1], before[-2::-1], strict=True):
            possible = [product for product, size in amount.items() if after >> size & reach]
            if len(possible) < len(amount):
                changed += _narrowed(domains, term.cells, tuple(possible))
            back = 0
            for product in possible:
                back |= after >> amount[product]
            after = back
        return changed


def terms(cells: Sequence[int], operators: str) -> tuple[Term, ...]:
    """The products of an equation, with their signs."""
    found: list[Term] = []
    for cell, operator in zip(cells, f"+{operators}", strict=True):
        if operator == "*":
            found[-1] = Term(found[-1].sign, (*found[-1].cells, cell))
        else:
            found.append(Term(-1 if operator == "-" else 1, (cell,)))
    return tuple(found)


def calculated(values: Sequence[int], products: Sequence[Term]) -> int:
    """The sum of the products of an equation."""
    return sum(sign * prod(values[cell] for cell in cells) for sign, cells in products)


def _added(sums: int, amount: Mapping[int, int]) -> int:
    """The sums, as a bit set, after one more amount."""
    reach = 0
    for size in amount.values():
        reach |= sums << size
    return reach


def _narrowed(domains: list[int], cells: Sequence[int], products: tuple[int, ...]) -> list[int]:
    """Keep the values of some products; returns the narrowed cells."""
    masks = tuple([domains[cell] for cell in cells])
    changed = []
    for cell, mask, kept in zip(cells, masks, _factors(masks, products), strict=True):
        if kept != mask:
            domains[cell] = kept
            changed.append(cell)
    return changed


@lru_cache(maxsize=_CACHED)
def _products(masks: tuple[int, ...]) -> tuple[int, ...]:
    """Products of one value per domain, in ascending order."""
    return tuple(sorted(_partial(masks)[-1]))


@lru_cache(maxsize=_CACHED)
def _factors(masks: tuple[int, ...], products: tuple[int, ...]) -> tuple[int, ...]:
    """The values of each domain that occur in these products."""
    goal, kept = set(products), list[int]()
    for mask, reached in zip(masks[::-1], _partial(masks)[-2::-1], strict=True):
        ways = {value: [number for number in reached if number * value in goal] for value in values_of(mask)}
        kept.append(mask_of([value for value, found in ways.items() if found]))
        goal = set(chain.from_iterable(ways.values()))
    return tuple(kept[::-1])


def _partial(masks: Sequence[int]) -> list[set[int]]:
    """Products of the first domains: of none, of one, and so on."""
    reached = [{1}]
    for mask in masks:
        reached.append({number * value for number in reached[-1] for value in values_of(mask)})
    return reached
