"""Domains of variables, and random points in them.

Domain.named("positive").draw(rng, 0)       # a dyadic rational, from a range that grows with the number of the draw
Points(["x"], {}, rng, trees, whole=False).spread(10)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.verifiers.math.evaluate import Evaluator
from envhub.verifiers.math.reals import Ball, Reals, Unsettled, Work
from envhub.verifiers.math.tree import App, Tree, symbols

_GRID: Final = 40
_RANGES: Final = ((-1, 1), (1, 4), (-8, 8), (0, 1), (-4, -1), (4, 30), (-30, 30), (0, 8))
_POSITIVE: Final = ((0, 1), (1, 4), (0, 8), (4, 30), (0, 2))
_WHOLE: Final = ((1, 12), (2, 9), (13, 40), (1, 40), (41, 300))
_SIZES: Final = 16
_CONSTANTS: Final = 12
_SCALES: Final = (0, 3, 7, 12, 20, 33, 60, 100)


@dataclass(frozen=True)
class Domain:
    """The values a variable may take.

    Attributes:
        lo: Exclusive lower bound, or None.
        hi: Exclusive upper bound, or None.
        whole: Only integers.
    """

    lo: Fraction | None = None
    hi: Fraction | None = None
    whole: bool = False

    @classmethod
    def named(cls, name: Any) -> Domain:
        """A domain by name, or by bounds.

        A bound is null if unbounded.

        Raises:
            InvalidParameters: Unknown domain.
        """
        if isinstance(name, str) and name in _DOMAINS:
            return _DOMAINS[name]
        if isinstance(name, Sequence) and not isinstance(name, str) and len(name) == 2:
            try:
                lo, hi = (None if bound is None else Fraction(str(bound)) for bound in name)
            except ValueError:
                lo, hi = Fraction(1), Fraction(0)
            if lo is None or hi is None or lo < hi:
                return cls(lo, hi)
        raise InvalidParameters(
            f"No domain {name!r}; there are {', '.join(_DOMAINS)} and pairs of bounds.{nearest(str(name), _DOMAINS)}"
        )

    def draw(self, rng: Stream, number: int) -> Fraction:
        """A random value; later draws use other ranges."""
        if self.whole:
            lo, hi = _WHOLE[number % len(_WHOLE)]
            value = Fraction(rng.between(lo, hi))
            return -value if self.lo is None and rng.bits(1) else value
        part = Fraction(2 * rng.bits(_GRID) + 1, 2 << _GRID)
        if self.lo is not None and self.hi is not None:
            return self.lo + (self.hi - self.lo) * part
        ranges = _RANGES if self.lo is None and self.hi is None else _POSITIVE
        lo, hi = ranges[number % len(ranges)]
        value = lo + (hi - lo) * part
        if self.lo is not None:
            return self.lo + value
        return value if self.hi is None else self.hi - value

    def has(self, value: Fraction) -> bool:
        """Whether a value lies in the domain."""
        inside = (self.lo is None or value > self.lo) and (self.hi is None or value < self.hi)
        return inside and (not self.whole or value.denominator == 1)


_ZERO: Final = Fraction(0)
_DOMAINS: Final = {
    "real": Domain(),
    "positive": Domain(lo=_ZERO),
    "negative": Domain(hi=_ZERO),
    "nonnegative": Domain(lo=_ZERO),
    "nonzero": Domain(),
    "integer": Domain(whole=True),
    "natural": Domain(lo=_ZERO, whole=True),
    "positive integer": Domain(lo=_ZERO, whole=True),
    "unit": Domain(lo=_ZERO, hi=Fraction(1)),
}


class Points:
    """Random points for a pair of trees.

    Args:
        names: The variables.
        domain: Their domains; by default the real numbers.
        rng: Source of randomness.
        trees: The trees; points near their constants are drawn too.
        whole: Factorials occur: variables are positive integers, unless their domain has none.
    """

    def __init__(
        self, names: list[str], domain: Mapping[str, Domain], rng: Stream, trees: Sequence[Tree], *, whole: bool
    ) -> None:
        self.domains = {name: domain.get(name) or Domain(lo=_ZERO if "~" in name else None) for name in names}
        if whole:
            self.domains = {
                name: known if known.whole else Domain(_ZERO, None, True) for name, known in self.domains.items()
            }
        self.rng = rng
        self.constants = _constants(trees)

    def spread(self, most: int) -> Iterator[dict[str, Fraction]]:
        """Points throughout the domain."""
        for number in range(most):
            yield {name: domain.draw(self.rng, number + i) for i, (name, domain) in enumerate(self.domains.items())}

    def scales(self) -> Iterator[dict[str, Fraction]]:
        """Points of all sizes and near the constants, for piecewise functions."""
        for number in range(_SIZES + 4 * len(self.constants)):
            yield {name: self._scaled(domain, number + i) for i, (name, domain) in enumerate(self.domains.items())}

    def _scaled(self, domain: Domain, number: int) -> Fraction:
        part = Fraction(2 * self.rng.bits(_GRID) + 1, 2 << _GRID) * (-1) ** number
        if number < _SIZES or not self.constants:
            value = part * 2 ** _SCALES[number // 2 % len(_SCALES)]
        else:
            about = self.constants[(number - _SIZES) // 4 % len(self.constants)]
            value = about + part if number // 2 % 2 else about + about * part
        if domain.whole:
            value = Fraction(round(value))
        return value if domain.has(value) else domain.draw(self.rng, number)


def _constants(trees: Sequence[Tree]) -> list[Fraction]:
    """A few of the occurring constants, of any size and sign."""
    found: dict[Fraction, None] = {}
    stack = list(trees)
    while stack and len(found) < _CONSTANTS:
        node = stack.pop()
        if isinstance(node, App) and symbols(node):
            stack.extend(node.args)
            continue
        try:
            value = Evaluator(Reals(64, None, Work(500)), {}, imaginary=False).value(node)
        except Unsettled:
            continue
        if isinstance(value, Ball):
            value = Fraction(value.lo, 1 << 64)
        if isinstance(value, Fraction) and value:
            found[value] = found[-value] = found[1 / value] = None
    return list(found)


def domains_of(option: Any) -> dict[str, Domain]:
    """The domains of an option ``{"n": "positive"}``.

    Raises:
        InvalidParameters: Unknown domain.
    """
    if option is None:
        return {}
    if not isinstance(option, Mapping):
        raise InvalidParameters(f"domain maps variables to domains, got {option!r}.")
    return {str(name): Domain.named(value) for name, value in option.items()}
