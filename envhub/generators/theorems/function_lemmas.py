"""Lemmas about recursive functions, proved by induction, and claims made by rewriting.

A :class:`Lemma` rewrites a call. A claim begins with an expression; lemmas rewrite it as far as possible, and the
result is the other side. The proof first proves the lemmas, then rewrites in the same way::

    steps = proof(claim, bound, [rewriting...], end="ring")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.steps import Step, intro, rewrite
from envhub.generators.theorems.syntax import Expr, Sort, call, closed, eq, replaced, swapped

BOOKKEEPING: Final = frozenset({"intro", "show", "step", "branch"})
Value = int | list[int]
_FARTHEST: Final = 60


@dataclass(frozen=True)
class Lemma:
    """An equation about functions.

    Attributes:
        name: Its name in proofs.
        names: Its variables, with their sorts.
        left: One side.
        right: The other.
        steps: Its proof, starting before ``names`` are introduced.
        needs: Lemmas that its proof uses.
    """

    name: str
    names: tuple[tuple[str, Sort], ...]
    left: Expr
    right: Expr
    steps: tuple[Step, ...]
    needs: tuple[Lemma, ...] = ()

    @property
    def statement(self) -> Expr:
        """Its statement, closed."""
        return closed(self.names, [], eq(self.left, self.right))

    def used(self, *args: Expr) -> Step:
        """The step that rewrites by it."""
        return rewrite(call(self.name, *args))


def all_of(lemmas: Sequence[Lemma]) -> list[Lemma]:
    """Lemmas and their dependencies, in order, without duplicates."""
    found: list[Lemma] = []
    for each in lemmas:
        found += [lemma for lemma in [*all_of(each.needs), each] if lemma not in found]
    return found


def matched(pattern: Expr, expr: Expr, names: Mapping[str, Sort], values: dict[str, Expr]) -> bool:
    """Whether ``expr`` matches ``pattern``; adds the matched values to ``values``."""
    if pattern.op == "var" and pattern.name in names:
        return values.setdefault(pattern.name, expr) == expr
    if (pattern.op, pattern.name, len(pattern.args)) != (expr.op, expr.name, len(expr.args)):
        return False
    return all(matched(one, other, names, values) for one, other in zip(pattern.args, expr.args, strict=True))


def uses(lemma: Lemma, expr: Expr) -> list[tuple[Expr, ...]]:
    """Values of the lemma's names that match its left side.

    In an expression.
    """
    values: dict[str, Expr] = {}
    here = matched(lemma.left, expr, dict(lemma.names), values)
    found = [tuple(values[name] for name, _ in lemma.names)] if here else []
    return found + [use for arg in expr.args for use in uses(lemma, arg)]


def rewritten(lemma: Lemma, args: Sequence[Expr], expr: Expr) -> Expr:
    """An expression with the lemma applied everywhere."""
    values = {name: value for (name, _), value in zip(lemma.names, args, strict=True)}
    return swapped(expr, replaced(lemma.left, values), replaced(lemma.right, values))


def proof(bound: Sequence[str], way: Sequence[tuple[Lemma, tuple[Expr, ...]]], end: str) -> list[Step]:
    """The proof of a claim: lemmas are cut in, then proved last."""
    lemmas = all_of([lemma for lemma, _ in way])
    steps: list[Step] = []
    for lemma in lemmas:
        steps += [Step("cut", (), (lemma.statement,)), intro(lemma.name)]
    steps += [intro(*bound), *(lemma.used(*args) for lemma, args in way), Step(end)]
    for lemma in reversed(lemmas):
        steps += lemma.steps
    return steps


def inferences(steps: Sequence[Step]) -> int:
    """Number of steps other than naming and restating."""
    return sum(step.kind not in BOOKKEEPING for step in steps)


def value(expr: Expr, functions: Mapping[str, Function], known: Mapping[str, Value]) -> Value:
    """The value of an expression without unknown names."""
    if expr.op == "num":
        return int(expr.name)
    if expr.op == "var":
        return known[expr.name]
    args = [value(arg, functions, known) for arg in expr.args]
    if expr.op == "nil":
        return []
    operations: dict[str, Callable[..., Value]] = {
        "succ": lambda a: a + 1,
        "plus": lambda a, b: a + b,
        "times": lambda a, b: a * b,
        "append": lambda a, b: a + b,
        "cons": lambda a, b: [a, *b],
    }
    if expr.op in operations:
        return operations[expr.op](*args)
    function = functions[expr.name]
    others = dict(zip(function.others, args[1:], strict=True))
    first = args[0]
    if isinstance(first, int) and first > _FARTHEST:
        return -1  # no kernel should count that far
    if not first:
        return value(function.base, functions, others)
    before: dict[str, Value] = {"x": first[0], "xs": first[1:]} if isinstance(first, list) else {"n": first - 1}
    return value(function.step, functions, others | before)


def written(thing: Value) -> Expr:
    """A value as an expression."""
    if isinstance(thing, int):
        return Expr("num", (), str(thing))
    result = Expr("nil")
    for each in reversed(thing):
        result = Expr("cons", (written(each), result))
    return result
