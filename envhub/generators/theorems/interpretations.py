"""Interpretations of formulas over two elements.

With proofs of their truth or falsity. An interpretation gives every name a value: propositions are ``true`` or
``false``, elements are truth values, predicates are tables over them. So every formula is decidable, and
:class:`Interpretation` writes the proof steps::

    found = Interpretation(names, {"P": {("yes",): True, ("no",): False}})
    found.refutation(every("x", BOOL, call("P", var("x"))), var("k"))     # steps from k to an absurdity
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from envhub.generators.theorems.steps import Step, apply, exact, intro
from envhub.generators.theorems.syntax import FALSE, Expr, call, imp, lemma, replaced, var
from envhub.generators.theorems.valuations import spelled

HOLE = Expr("hole")
NO, YES = Expr("no"), Expr("yes")
VALUES = (NO, YES)
"""The elements, in the order of case splits."""
Table = Mapping[tuple[str, ...], bool]


@dataclass(frozen=True)
class Interpretation:
    """An interpretation.

    Attributes:
        names: Returns a fresh name that begins with its argument.
        tables: The truth table of each predicate.
    """

    names: Callable[[str], str]
    tables: Mapping[str, Table] = field(default_factory=dict)

    def true(self, expr: Expr) -> bool:
        """Whether a statement without free names is true."""
        match expr.op, expr.args:
            case "true" | "false", _:
                return expr.op == "true"
            case "call", args:
                return self.tables[expr.name][tuple(arg.op for arg in args)]
            case "not", (a,):
                return not self.true(a)
            case "all", _:
                return all(self.true(self._at(expr, value)) for value in VALUES)
            case "ex", _:
                return any(self.true(self._at(expr, value)) for value in VALUES)
            case _, (a, b):
                one, other = self.true(a), self.true(b)
                if expr.op == "imp":
                    return not one or other
                if expr.op == "iff":
                    return one == other
                return one and other if expr.op in ("and", "both") else one or other
            case _:
                raise ValueError(f"{expr.op} says nothing")

    def _at(self, expr: Expr, value: Expr) -> Expr:
        return replaced(expr.args[0], {expr.name: value})

    def predicate(self, name: str) -> Expr:
        """A predicate of one or two elements, as a term."""
        table = self.tables[name]
        width = len(next(iter(table)))
        binders = [self.names("z") for _ in range(width)]
        body = self._chosen(table, binders, ())
        for binder in reversed(binders):
            body = Expr("lam", (body,), binder, ("Bool",))
        return body

    def _chosen(self, table: Table, binders: list[str], known: tuple[str, ...]) -> Expr:
        if len(known) == len(binders):
            return Expr("true" if table[known] else "false")
        yes, no = (self._chosen(table, binders, (*known, value)) for value in ("yes", "no"))
        return yes if yes == no else Expr("if", (var(binders[len(known)]), yes, no))

    def proof(self, expr: Expr) -> list[Step]:
        """Steps that prove a true statement."""
        match expr.op, expr.args:
            case "true" | "call", _:
                return [exact(lemma("true"))]
            case "and", (a, b):
                return [Step("split"), *self.proof(a), *self.proof(b)]
            case "or", (a, b):
                return [Step("left"), *self.proof(a)] if self.true(a) else [Step("right"), *self.proof(b)]
            case "imp", (a, b):
                assumed = self.names("a")
                if self.true(b):
                    return [intro(assumed), *self.proof(b)]
                return [intro(assumed), Step("exfalso"), *self.refutation(a, var(assumed))]
            case "not", (a,):
                assumed = self.names("a")
                return [intro(assumed), *self.refutation(a, var(assumed))]
            case "iff", (a, b):
                return [Step("split"), *self.proof(imp(a, b)), *self.proof(imp(b, a))]
            case "all", _:
                name = self.names("x")
                cases = [step for value in VALUES for step in self.proof(self._at(expr, value))]
                return [intro(name), Step("bools", (name,)), *cases]
            case "ex", _:
                value = next(value for value in VALUES if self.true(self._at(expr, value)))
                return [Step("exists", (), (value,)), *self.proof(self._at(expr, value))]
            case "either", (a, b):
                r, left, right = self.names("r"), self.names("f"), self.names("g")
                chosen, part = (left, a) if self.true(a) else (right, b)
                return [intro(r, left, right), apply(call(chosen, HOLE)), *self.proof(part)]
            case _, (a, b):
                r, assumed = self.names("r"), self.names("f")
                return [intro(r, assumed), apply(call(assumed, HOLE, HOLE)), *self.proof(a), *self.proof(b)]
            case _:
                raise ValueError(f"{expr.op} says nothing")

    def refutation(self, expr: Expr, given: Expr) -> list[Step]:
        """Steps from a false statement to an absurdity.

        With the proof ``given``.
        """
        match expr.op, expr.args:
            case "false" | "call", _:
                return [exact(given)]
            case "and", (a, b):
                side, part = ("and_left", a) if not self.true(a) else ("and_right", b)
                return self._with(part, lemma(side, given))
            case "or", (a, b):
                names = self.names("a"), self.names("a")
                cases = (
                    [Step("branch", (name,)), *self.refutation(part, var(name))]
                    for name, part in zip(names, (a, b), strict=True)
                )
                return [Step("or", names, (given,)), *(step for case in cases for step in case)]
            case "imp", _:
                return self._contradicted(expr, given)
            case "not", (a,):
                return [apply(_applied(given, HOLE)), *self.proof(a)]
            case "iff", (a, b):
                side, part = ("iff_mp", imp(a, b)) if self.true(a) else ("iff_mpr", imp(b, a))
                return self._with(part, lemma(side, given))
            case "all", _:
                value = next(value for value in VALUES if not self.true(self._at(expr, value)))
                return self.refutation(self._at(expr, value), _applied(given, value))
            case "ex", _:
                name, known = self.names("x"), self.names("a")
                cases = (self.refutation(self._at(expr, value), var(known)) for value in VALUES)
                steps = [Step("some", (name, known), (given,)), Step("bools", (name,))]
                return [*steps, *(step for case in cases for step in case)]
            case _:
                return self._second_order(expr, given)

    def _second_order(self, expr: Expr, given: Expr) -> list[Step]:
        first, second = self.names("a"), self.names("a")
        a, b = expr.args
        if expr.op == "either":
            steps = [apply(_applied(given, FALSE, HOLE, HOLE)), intro(first), *self.refutation(a, var(first))]
            return [*steps, intro(second), *self.refutation(b, var(second))]
        part, known = (a, first) if not self.true(a) else (b, second)
        return [apply(_applied(given, FALSE, HOLE)), intro(first, second), *self.refutation(part, var(known))]

    def _with(self, part: Expr, term: Expr) -> list[Step]:
        name = self.names("b")
        return [Step("have", (name,), (spelled(part), term)), *self.refutation(part, var(name))]

    def _contradicted(self, expr: Expr, given: Expr) -> list[Step]:
        """Refutes an implication: proves its premises and refutes its conclusion."""
        premises = []
        while expr.op == "imp" and self.true(expr.args[0]):
            premises.append(expr.args[0])
            expr = expr.args[1]
        term = _applied(given, *[HOLE] * len(premises))
        proofs = [step for premise in premises for step in self.proof(premise)]
        if expr.op == "false":
            return [apply(term), *proofs]
        name = self.names("b")
        return [apply(lemma("absurd", term, HOLE)), *proofs, intro(name), *self.refutation(expr, var(name))]


def _applied(term: Expr, *args: Expr) -> Expr:
    return call(term.name, *args) if term.op == "var" else Expr(term.op, term.args + args, term.name)
