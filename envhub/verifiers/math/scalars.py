r"""One number: integer, rational, decimal with a tolerance, complex.

All are trees; they are computed if exact values are possible::

    Rational().read("0.\overline{3}")                        # Num(Fraction(1, 3))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import Trial, enclosure, equal, exact_value
from envhub.verifiers.math.kind import Comparison, Kind, bare, judged, need
from envhub.verifiers.math.lexer import NotMath, Token, closing, prepare, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.tree import (
    INF,
    PERCENT,
    App,
    Num,
    Sym,
    Tree,
    both_signs,
    in_degrees,
    in_radians,
    mapped,
    operations,
    symbols,
)
from envhub.verifiers.math.words import number_in_words

_TURNING: Final = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_DIGITS_ONLY: Final = re.compile(r"[0-9]{1,400}")


@dataclass(frozen=True)
class Scalar(Kind):
    """A number: any arithmetic result."""

    noun: ClassVar[str] = "one number"
    example: ClassVar[str] = "17"
    complex_too: ClassVar[bool] = False
    integers: ClassVar[bool] = False

    def read(self, text: str) -> Tree:
        """The number in a text, computed if it is rational by arithmetic."""
        if _DIGITS_ONLY.fullmatch(text):
            return Num(Fraction(int(text)))
        return self.of_tree(_single(self.tree(text)))

    def several(self, text: str) -> list[Tree]:
        """Both values of a number with a plus-minus sign."""
        return [self.of_tree(tree) for tree in both_signs(self.tree(text))]

    def tree(self, text: str) -> Tree:
        """The tree of a text.

        Raises:
            NotMath: No tree.
        """
        text = bare(text)
        spelled = number_in_words(text)
        if spelled is not None:
            return Num(spelled)
        return parse(unset(tokens_of(prepare(text), commas=True)), Names(frozenset()))

    def of_tree(self, tree: Tree) -> Tree:
        """The value of a tree.

        Raises:
            NotMath: It is not a number of this kind.
        """
        tree = in_order(tree, angle=False)
        if symbols(tree):
            raise NotMath("a number is expected")
        if INF in (tree, *nodes(tree)):
            raise NotMath("infinity is not a number")
        if not self.complex_too and "i~" in operations(tree):
            raise NotMath("a real number is expected")
        value = _worked_out(tree)
        if self.integers and isinstance(value, Num) and value.value.denominator != 1:
            raise NotMath("an integer is expected")
        return value

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the numbers are equal."""
        if isinstance(gold, Num) and isinstance(answer, Num):
            same = gold.value == answer.value
            return Comparison(same, "exact", "" if same else "the values differ")
        return judged(equal(gold, answer, trial))


def unset(tokens: list[Token]) -> list[Token]:
    """The tokens of one value.

    Raises:
        NotMath: Braces enclose them all, as in a set.
    """
    if tokens and tokens[0].text in ("{", "\\{") and closing(tokens, 0) == len(tokens) - 1:
        raise NotMath("one value is expected, without braces")
    return tokens


def _single(tree: Tree) -> Tree:
    if len(both_signs(tree)) > 1:
        raise NotMath("one value is expected")
    return tree


def nodes(tree: Tree) -> list[Tree]:
    """A tree and all its parts."""
    found: list[Tree] = [tree]
    for node in found:
        if isinstance(node, App):
            found.extend(node.args)
    return found


def _worked_out(tree: Tree) -> Tree:
    """A number if the tree is one by arithmetic, else the tree."""
    try:
        value = exact_value(tree)
    except TooHard as problem:
        raise NotMath(f"it is too much to work out: {problem}") from None
    return tree if value is None else Num(value)


def in_order(tree: Tree, *, angle: bool) -> Tree:
    """The tree with degrees as numbers (radians) or as a unit."""
    found = operations(tree)
    if "deg" not in found:
        return tree
    turn = in_radians if angle or found & _TURNING else in_degrees

    def change(node: Tree) -> Tree:
        return turn(node.args[0]) if isinstance(node, App) and node.op == "deg" else node

    return mapped(tree, change)


@dataclass(frozen=True)
class Integer(Scalar):
    """One integer."""

    name: ClassVar[str] = "integer"
    noun: ClassVar[str] = "one integer"
    integers: ClassVar[bool] = True


@dataclass(frozen=True)
class Rational(Scalar):
    """One rational number."""

    name: ClassVar[str] = "rational"
    noun: ClassVar[str] = "one exact number, as an integer or a fraction,"
    example: ClassVar[str] = "17/3"


@dataclass(frozen=True)
class Complex(Scalar):
    """One complex number."""

    name: ClassVar[str] = "complex"
    noun: ClassVar[str] = "one complex number a+bi"
    example: ClassVar[str] = "17-5i"
    complex_too: ClassVar[bool] = True


@dataclass(frozen=True)
class Decimal(Scalar):
    """One number, with a tolerance.

    Attributes:
        rel: Relative tolerance.
        abs: Absolute tolerance.
        digits: Significant digits that the answer must have; both are rounded to them.
        percent: ``10%`` is 0.1.
    """

    rel: float | None = None
    abs: float | None = None
    digits: int | None = None
    percent: bool = False
    name: ClassVar[str] = "decimal"
    noun: ClassVar[str] = "one decimal number"
    example: ClassVar[str] = "17.25"

    def __post_init__(self) -> None:
        for name in ("rel", "abs"):
            value = getattr(self, name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            need(value is None or (number and 0 <= value < float("inf")), f"{name} is 0 or more, got {value!r}.")
        digits = self.digits
        need(digits is None or (type(digits) is int and 1 <= digits <= 100), f"digits is 1..100, got {digits!r}.")

    def tree(self, text: str) -> Tree:
        """The tree of a text, and the digits of a single decimal."""
        tree = super().tree(text)
        if not self.percent:
            return tree
        hundredth = Num(Fraction(1, 100))
        return mapped(tree, lambda node: hundredth if node == Sym(PERCENT) else node)

    def read(self, text: str) -> tuple[Tree, int | None]:  # type: ignore[override]
        """The number and its count of significant digits; None if exact."""
        return super().read(text), _carried(bare(text))

    def several(self, text: str) -> list[Any]:
        """As one value."""
        return [self.read(text)]

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the answer is within the tolerance."""
        (wanted, _), (given, carried) = gold, answer
        bounds, target = enclosure(given), enclosure(wanted)
        if bounds is None or target is None:
            return Comparison(False, "undecided", "undecided")
        if self.digits is not None and carried is not None and carried < self.digits:
            return Comparison(False, "typed", f"at least {self.digits} significant digits are expected")
        off = max(abs_(bounds[1] - target[0]), abs_(target[1] - bounds[0]))
        size = abs_(target[0])
        allowed = [Fraction(0)] if self.rel is None and self.abs is None and self.digits is None else []
        if self.rel is not None:
            allowed.append(Fraction(str(self.rel)) * size)
        if self.abs is not None:
            allowed.append(Fraction(str(self.abs)))
        if self.digits is not None:
            allowed.append(_unit(size, self.digits) / 2)
        if off > max(allowed):
            return Comparison(False, "typed", "it is not within the tolerance")
        if self.digits is not None and rounded(bounds[0], self.digits) != rounded(target[0], self.digits):
            return Comparison(False, "typed", "it rounds to another number")
        return Comparison(True, "typed")


def abs_(value: Fraction) -> Fraction:
    """The absolute value."""
    return value if value >= 0 else -value


def _unit(size: Fraction, digits: int) -> Fraction:
    """One unit in the given significant digit of a number."""
    if not size:
        return Fraction(1)
    power = len(str(size.numerator)) - len(str(size.denominator))
    if Fraction(10) ** power > size:
        power -= 1
    return Fraction(10) ** (power - digits + 1)


def rounded(value: Fraction, digits: int) -> Fraction:
    """A number rounded to significant digits, halves away from zero."""
    unit = _unit(abs_(value), digits)
    whole = (2 * abs_(value) / unit + 1) // 2 * unit
    return whole if value >= 0 else -whole


def _carried(text: str) -> int | None:
    """The significant digits of a decimal.

    None for anything else, which is exact.
    """
    match = re.match(r"[-+\u2212]?\s?([0-9][0-9,]*)?(\.[0-9]*)?", text)
    if match is None or not (match[1] or match[2]):
        return None
    rest = text[match.end() :].lstrip()
    if rest and not rest.startswith(("e", "E", "\\times", "\\cdot", "*", "\u00d7", "\u00b7", "%", "\\%")):
        return None
    digits = (match[1] or "").replace(",", "") + (match[2] or "").replace(".", "")
    return len(digits.lstrip("0") or digits)
