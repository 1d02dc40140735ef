r"""Equations, inequalities and definitions of functions.

A relation is a chain of comparisons, each as one side minus the other; two are the same if one is the other times a
constant, which must be positive for an inequality. A function is its name, its arguments and a body::

    Relation().same(read("2x + 4 = 0"), read("x = -2"), trial)
    Function().read("f(t) = 2t")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.verifiers.math.evaluate import Evaluator
from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.groups import listed
from envhub.verifiers.math.identity import Trial, equal
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, Kind, bare, judged, together
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.reals import Imprecise, Reals, Unsettled
from envhub.verifiers.math.scalars import in_order
from envhub.verifiers.math.tree import LOG_SCALE, Tree, app, operations, renamed, symbols, variables

_COMPARISONS: Final = ("=", "<", "<=", ">", ">=", "!=")
_TURNED: Final = {">": "<", ">=": "<="}
_TRIES: Final = 24


class Compared(NamedTuple):
    """``tree`` compared to 0: ``= != < <=``."""

    sign: str
    tree: Tree


@dataclass(frozen=True)
class Relation(Kind):
    """An equation or an inequality.

    Up to a constant factor and the order of its sides.
    """

    letters: frozenset[str] | None = None
    name: ClassVar[str] = "relation"
    noun: ClassVar[str] = "one equation or inequality"
    example: ClassVar[str] = "17x - 5y = 3"

    def read(self, text: str) -> tuple[Compared, ...]:
        """The comparisons of the chain, each against 0."""
        tokens = tokens_of(prepare(bare(text)), science=False)
        signs = [token.text for token in tokens if token.kind == "rel"]
        sides = split(tokens, *_COMPARISONS)
        if len(sides) != len(signs) + 1 or not 2 <= len(sides) <= 4:
            raise NotMath("one equation or inequality is expected")
        trees = [in_order(parse(side, Names(self.letters)), angle=False) for side in sides]
        if any({"inf~", "pm", "mp"} & operations(tree) for tree in trees):
            raise NotMath("a relation is between single finite values")
        chain: list[Compared] = []
        for i, sign in enumerate(signs):
            left, right = (trees[i + 1], trees[i]) if sign in _TURNED else (trees[i], trees[i + 1])
            chain.append(Compared(_TURNED.get(sign, sign), app("+", left, app("neg", right))))
        return tuple(chain)

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the chains are equal, forwards or backwards."""
        if len(gold) != len(answer):
            return DIFFERENT
        results = [
            together([_same_relation(a, b, trial) for a, b in zip(gold, one, strict=True)])
            for one in ([answer, answer[::-1]] if len(answer) > 1 else [answer])
        ]
        return next((result for result in results if result.same), results[0])

    def names(self, value: Any) -> frozenset[str]:
        """The variables."""
        return frozenset().union(*(variables(compared.tree) for compared in value))

    def knowing(self, names: frozenset[str]) -> Relation:
        """This kind, given the variables that may be adjacent."""
        return replace(self, letters=names)


def _same_relation(one: Compared, other: Compared, trial: Trial) -> Comparison:
    if one.sign != other.sign:
        return DIFFERENT
    # one * other(p) = other * one(p) at a point p where neither is 0 makes them proportional, everywhere
    factors = _factors(one.tree, other.tree, trial)
    if factors is None:
        return Comparison(False, "undecided", "undecided")
    mine, theirs, point_signs = factors
    if one.sign in ("<", "<=") and point_signs < 0:
        return DIFFERENT
    return judged(equal(app("*", one.tree, theirs), app("*", other.tree, mine), trial))


def _factors(one: Tree, other: Tree, trial: Trial) -> tuple[Tree, Tree, int] | None:
    """Both trees at a point, with their ratio's sign.

    Both are defined and nonzero there.
    """
    names = sorted(symbols(one) | symbols(other))
    rng = Stream(trial.key, "ratio")
    wide = 3
    for _ in range(_TRIES):
        numbers = {name: Fraction(rng.between(1, 2**wide), rng.between(1, 7)) * (-1) ** rng.bits(1) for name in names}
        if LOG_SCALE in numbers:
            numbers[LOG_SCALE] = abs(numbers[LOG_SCALE])
        try:
            reals = Reals(192, None, trial.work)
            signs = []
            for tree in (one, other):
                value = Evaluator(reals, numbers, imaginary=False).value(tree)
                if not isinstance(value, Fraction) and not hasattr(value, "lo"):
                    raise Imprecise
                signs.append(reals.sign(value))  # type: ignore[arg-type]
        except Unsettled:
            continue
        if 0 not in signs:
            return _at(one, numbers), _at(other, numbers), signs[0] * signs[1]
    return None


def _at(tree: Tree, point: dict[str, Fraction]) -> Tree:
    from envhub.verifiers.math.tree import Num, Sym, mapped

    return mapped(tree, lambda node: Num(point[node.name]) if isinstance(node, Sym) and node.name in point else node)


class Defined(NamedTuple):
    """A function: its name, its arguments in order, its body."""

    name: str
    arguments: tuple[str, ...]
    body: Tree


@dataclass(frozen=True)
class Function(Kind):
    """A definition ``f(x) = ...``; the arguments may be renamed.

    Attributes:
        rename: The function may have another name.
    """

    rename: bool = False
    letters: frozenset[str] | None = None
    name: ClassVar[str] = "function"
    noun: ClassVar[str] = "one function"
    example: ClassVar[str] = "f(x) = 17x^5"

    def read(self, text: str) -> Defined:
        """The function defined by a text."""
        tokens = tokens_of(prepare(bare(text)), science=False)
        sides = split(tokens, *_COMPARISONS)
        if len(sides) != 2 or [token.text for token in tokens if token.kind == "rel"] != ["="]:
            raise NotMath("a function is expected, as f(x) = 2x")
        head, body = sides
        opened = next((i for i, token in enumerate(head) if token.kind == "open" and token.text == "("), -1)
        if opened < 1 or head[0].kind not in ("word", "name") or head[-1].text != "(" or head[-1].kind != "close":
            raise NotMath("a function is expected, as f(x) = 2x")
        arguments = tuple(_letter(run) for run in listed(head[opened + 1 : -1], ","))
        if len(set(arguments)) != len(arguments):
            raise NotMath("an argument occurs twice")
        letters = None if self.letters is None else self.letters | set(arguments)
        single = frozenset(name for name in arguments if len(name) > 1 or name in "ei")
        tree = in_order(parse(body, Names(letters, single)), angle=False)
        if {"inf~", "pm", "mp"} & operations(tree):
            raise NotMath("a function has one finite value")
        return Defined("".join(token.text for token in head[:opened]), arguments, tree)

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the functions have equal values, arguments taken in order."""
        if len(gold.arguments) != len(answer.arguments) or not (self.rename or gold.name == answer.name):
            return DIFFERENT
        names = {mine: f"argument~{i}" for i, mine in enumerate(gold.arguments)}
        others = {theirs: f"argument~{i}" for i, theirs in enumerate(answer.arguments)}
        result = equal(renamed(gold.body, names), renamed(answer.body, others), trial)
        return judged(result) if result.same is not True else SAME

    def names(self, value: Any) -> frozenset[str]:
        """The variables."""
        return frozenset(variables(value.body)) | frozenset(value.arguments)

    def knowing(self, names: frozenset[str]) -> Function:
        """This kind, given the variables that may be adjacent."""
        return replace(self, letters=names)


def _letter(run: Sequence[Token]) -> str:
    plain = [token for token in run if token.text != "{"]
    if len(plain) == 3 and plain[1].text == "_":
        return f"{plain[0].text}_{plain[2].text}"
    if len(plain) != 1 or plain[0].kind not in ("word", "name"):
        raise NotMath("the arguments of a function are names")
    return plain[0].text
