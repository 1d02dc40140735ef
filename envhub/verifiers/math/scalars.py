r"""One value: integer, rational, decimal with a tolerance, complex, expression.

All are trees; numbers are computed if exact values are possible::

    Rational().read("0.\overline{3}")                        # Num(Fraction(1, 3))
    Expression(variables=("x",)).read("2x(x+1)")
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Final

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import Trial, enclosure, equal, exact_value
from envhub.verifiers.math.kind import Comparison, Kind, bare, judged, named, need
from envhub.verifiers.math.lexer import NotMath, Token, closing, prepare, split, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.points import domains_of
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.tree import (
    INF,
    LOG_SCALE,
    PERCENT,
    App,
    Num,
    Sym,
    Tree,
    app,
    both_signs,
    in_degrees,
    in_radians,
    mapped,
    operations,
    renamed,
    symbols,
    variables,
)
from envhub.verifiers.math.words import number_in_words

_ENDS: Final = (INF, app("neg", INF))
_TURNING: Final = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_DIGITS_ONLY: Final = re.compile(r"[0-9]{1,400}")
_TRAILING: Final = frozenset(
    ("in", "where", "for", "any", "is", "an", "integer", "arbitrary", "constant", "Z", ",", "(", ")")
)


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
        return parse(_unset(tokens_of(prepare(text), commas=True)), Names(frozenset()))

    def of_tree(self, tree: Tree) -> Tree:
        """The value of a tree.

        Raises:
            NotMath: It is not a number of this kind.
        """
        tree = in_order(tree, angle=False)
        if symbols(tree):
            raise NotMath("a number is expected")
        if INF in (tree, *_nodes(tree)):
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


def _unset(tokens: list[Token]) -> list[Token]:
    """The tokens; raises if braces enclose them all, which is a set."""
    if tokens and tokens[0].text in ("{", "\\{") and closing(tokens, 0) == len(tokens) - 1:
        raise NotMath("one value is expected, without braces")
    return tokens


def _single(tree: Tree) -> Tree:
    if len(both_signs(tree)) > 1:
        raise NotMath("one value is expected")
    return tree


def _nodes(tree: Tree) -> list[Tree]:
    nodes: list[Tree] = [tree]
    for node in nodes:
        if isinstance(node, App):
            nodes.extend(node.args)
    return nodes


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
        if self.digits is not None and _rounded(bounds[0], self.digits) != _rounded(target[0], self.digits):
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


def _rounded(value: Fraction, digits: int) -> Fraction:
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


@dataclass(frozen=True)
class Expression(Scalar):
    """An expression in variables.

    Attributes:
        variables: The variables.
        domain: Their domains, by name: ``positive``, ``integer``, ...; by default the real numbers.
        bound: Variables that may be renamed, such as an arbitrary integer.
        names: Allowed names of the expression: ``y = 2x`` for ``2x``.
        angle: Degrees are a number.
        log: The base of ``log`` without a base: ``e`` or a number. If not given, ``log`` is neither.
    """

    variables: tuple[str, ...] | None = None
    domain: tuple[tuple[str, Any], ...] = ()
    bound: tuple[str, ...] = ()
    names_: tuple[str, ...] = ()
    angle: bool = False
    log: Any = None
    letters: frozenset[str] | None = None
    name: ClassVar[str] = "expression"
    noun: ClassVar[str] = "one expression"
    example: ClassVar[str] = "17z^5/3"
    complex_too: ClassVar[bool] = True

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Expression:
        """A kind with the options that authors write.

        Raises:
            InvalidParameters: An option has no such value.
        """
        given = dict(options)
        domains_of(given.get("domain"))
        if given.get("domain") is not None:
            pairs = given["domain"].items()
            given["domain"] = tuple(sorted((str(k), tuple(v) if isinstance(v, list) else v) for k, v in pairs))
        else:
            given.pop("domain", None)
        for name in ("variables", "bound", "names"):
            if given.get(name) is not None:
                given[name] = named(given[name], name)
            else:
                given.pop(name, None)
        given["names_"] = given.pop("names", ())
        base = given.get("log")
        need(base in (None, "e") or (type(base) is int and base > 1), f"log is 'e' or a whole base, got {base!r}.")
        return cls(**given)

    def tree(self, text: str) -> Tree:
        """The tree of a text, without an optional name."""
        tokens: Sequence[Token] = _unset(tokens_of(prepare(bare(text)), commas=True, science=False))
        spelled = number_in_words(text) if len(tokens) == 1 else None
        if spelled is not None:
            return Num(spelled)
        if self.names_:
            tokens = _unnamed(tokens, self.names_)
        if self.bound:
            tokens = _unbound(tokens)
        declared = frozenset((*(self.variables or ()), *self.bound))
        known = self.letters if self.letters is None and not declared else (self.letters or frozenset()) | declared
        letters = None if known is None else frozenset(name for name in known if len(name) == 1)
        return parse(tokens, Names(letters, declared))

    def of_tree(self, tree: Tree) -> Tree:
        """The value of a tree."""
        tree = in_order(tree, angle=self.angle)
        if self.log is not None:
            scale: Tree = Num(Fraction(1))
            if self.log != "e":
                scale = app("inv", app("ln", Num(Fraction(self.log))))
            tree = mapped(tree, lambda node: scale if node == Sym(LOG_SCALE) else node)
        if symbols(tree) or INF in _nodes(tree):
            return tree
        try:
            value = exact_value(tree)
        except TooHard:  # its value is for the comparison, which may stay undecided
            return tree
        return tree if value is None else Num(value)

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the expressions are equal on the domain."""
        if self.bound:
            mine, theirs = variables(gold), variables(answer)
            free, new = sorted(set(self.bound) & (mine - theirs)), sorted(theirs - mine)
            if len(free) == len(new) == 1:
                answer = renamed(answer, {new[0]: free[0]})
        if isinstance(gold, Num) and isinstance(answer, Num):
            return super().same(gold, answer, trial)
        if gold in _ENDS and (answer in _ENDS or INF not in _nodes(answer)):  # a limit, or the bound infinity
            same = gold == answer
            return Comparison(same, "canonical", "" if same else "the values differ")
        return judged(equal(gold, answer, trial, domains_of(dict(self.domain))))

    def names(self, value: Any) -> frozenset[str]:
        """The variables of an expression."""
        return frozenset(variables(value))

    def knowing(self, names: frozenset[str]) -> Expression:
        """This kind, given the variables that may be adjacent."""
        return replace(self, letters=names)


def _unnamed(tokens: Sequence[Token], names: Sequence[str]) -> Sequence[Token]:
    sides = split(tokens, "=")
    if len(sides) == 2 and "".join(token.text for token in sides[0] if token.text not in "{}") in names:
        return sides[1]
    return tokens


def _unbound(tokens: Sequence[Token]) -> Sequence[Token]:
    """The text before ``, k in Z`` or ``where k is an integer``."""
    for i in range(max(1, len(tokens) - 12), len(tokens) - 2):
        if tokens[i].text in (",", "where", "for", "("):
            tail = [token.text for token in tokens[i:]]
            if len([text for text in tail if text not in _TRAILING]) <= 1 and {"Z", "integer", "constant"} & {*tail}:
                return tokens[:i]
    return tokens
