"""Statements: what a theorem says about the quantities of a figure.

A statement is an equation with premises. It is a sum (``c1 x1 + c2 x2 + ... = constant``), a sum of squares, or a product
(``x1^e1 * x2^e2 * ... = constant``). Its premises are quantities with a known value, or pairs of quantities known to be equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, NamedTuple

from envhub.envs.pictures.geometry.figure import Quantity
from envhub.envs.pictures.geometry.surds import Surd


class Statement(NamedTuple):
    """One equation of one theorem."""

    theorem: str
    form: Literal["sum", "squares", "product"]
    terms: tuple[tuple[Quantity, int], ...]
    constant: Surd
    known: tuple[tuple[Quantity, Surd], ...] = ()
    same: tuple[tuple[Quantity, Quantity], ...] = ()

    def premises(self) -> list[Quantity]:
        """The quantities of its premises."""
        return [*(one for one, _ in self.known), *(one for pair in self.same for one in pair)]


def total(
    theorem: str,
    terms: Iterable[tuple[Quantity | None, int]],
    constant: int = 0,
    known: Iterable[tuple[Quantity | None, Fraction]] = (),
) -> list[Statement]:
    """A sum; nothing if a quantity does not exist."""
    return _made(theorem, "sum", terms, Surd.of(constant), known, ())


def equal(
    theorem: str,
    one: Quantity | None,
    other: Quantity | None,
    known: Iterable[tuple[Quantity | None, Fraction]] = (),
    same: Iterable[tuple[Quantity | None, Quantity | None]] = (),
) -> list[Statement]:
    """Two equal quantities."""
    return _made(theorem, "sum", ((one, 1), (other, -1)), Surd.of(0), known, same)


def product(
    theorem: str,
    terms: Iterable[tuple[Quantity | None, int]],
    constant: Surd | None = None,
    known: Iterable[tuple[Quantity | None, Fraction]] = (),
    same: Iterable[tuple[Quantity | None, Quantity | None]] = (),
) -> list[Statement]:
    """A product of powers; its constant is 1 unless stated."""
    return _made(theorem, "product", terms, constant or Surd.of(1), known, same)


def squares(
    theorem: str, terms: Iterable[tuple[Quantity | None, int]], known: Iterable[tuple[Quantity | None, Fraction]]
) -> list[Statement]:
    """A sum of squares that is zero."""
    return _made(theorem, "squares", terms, Surd.of(0), known, ())


def _made(
    theorem: str,
    form: Literal["sum", "squares", "product"],
    terms: Iterable[tuple[Quantity | None, int]],
    constant: Surd,
    known: Iterable[tuple[Quantity | None, Fraction]],
    same: Iterable[tuple[Quantity | None, Quantity | None]],
) -> list[Statement]:
    found: dict[Quantity, int] = {}
    for one, factor in terms:
        if one is None:
            return []
        found[one] = found.get(one, 0) + factor
    kept = tuple((one, factor) for one, factor in found.items() if factor)
    needs = [(one, Surd.of(value)) for one, value in known if one is not None]
    pairs = [(a, b) for a, b in same if a is not None and b is not None]
    if not kept or len(needs) < len(list(known)) or len(pairs) < len(list(same)):
        return []
    return [Statement(theorem, form, kept, constant, tuple(needs), tuple(pair for pair in pairs if pair[0] != pair[1]))]
