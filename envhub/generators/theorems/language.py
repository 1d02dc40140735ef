"""The printer of statements, definitions, tactics and proofs.

A table says how a language writes each. The tables are :data:`envhub.generators.theorems.lean.LEAN` and
:data:`envhub.generators.theorems.coq.COQ`::

    LEAN.write(claim)                  # "∀ (n : Nat), 0 + n = n"
    LEAN.proof("t", claim, steps)      # the text of a whole proof
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.syntax import BINDERS, LIST, Expr

_ATOM = 1024
"""Level of an expression that never needs brackets, and of application arguments."""
_APPLICATION = 1000


@dataclass(frozen=True, slots=True)
class Sign:
    """An infix operator, its binding level and its operands' minimum levels.

    Operands of a lower level get brackets.
    """

    text: str
    level: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Form:
    """A fixed phrase with placeholders for arguments, and how tightly it binds."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Language:
    """A proof language as a table, and its printer.

    Higher levels bind more tightly.

    Attributes:
        header: Imports of every file.
        signs: Infix operators.
        words: Constants.
        forms: Other operators.
        binders: The beginning of a binder.
        negation: The sign of negation, its level and that of its operand.
        sorts: Names of sorts.
        arrow: The sign between the sorts of a function.
        body: The sign before the body of a ``lam``.
        lemmas: Names of library theorems, followed by the arguments that are inferred.
        tactics: The lines of each kind of step. ``names`` and ``terms`` are those of the step; ``arguments`` are the terms
            with brackets around those that are not single words.
        constructors: For each sort with recursion, the patterns of the base and of the step.
        argument: Each further argument in a definition.
        definition: A recursive definition.
        theorem: A theorem with its proof.
    """

    header: str
    signs: Mapping[str, Sign]
    words: Mapping[str, str]
    forms: Mapping[str, Form]
    binders: Mapping[str, str]
    negation: tuple[str, int, int]
    sorts: Mapping[str, str]
    arrow: str
    body: str
    lemmas: Mapping[str, str]
    tactics: Mapping[str, tuple[str, ...]]
    constructors: Mapping[str, tuple[str, str]]
    argument: str
    definition: str
    theorem: str

    def sort(self, sort: tuple[str, ...]) -> str:
        """A sort."""
        return f" {self.arrow} ".join(self.sorts.get(part, part) for part in sort)

    def write(self, expr: Expr, level: int = 0) -> str:
        """An expression, in brackets if it binds less tightly than ``level``."""
        own, text = self._written(expr)
        return f"({text})" if own < level else text

    def lines(self, step: Step) -> list[str]:
        """A step of a proof, as lines of tactics."""
        if step.kind not in self.tactics:
            raise ValueError(f"unknown kind of step: {step.kind}")
        terms = [self.write(term) for term in step.terms]
        arguments = [self.write(term, _ATOM) for term in step.terms]
        names = _Names(step.names)
        return [line.format(names=names, terms=terms, arguments=arguments) for line in self.tactics[step.kind]]

    def define(self, function: Function) -> str:
        """The definition of a function."""
        base, step = self.constructors[function.sort[0]]
        further = zip(function.others, function.sort[1:-1], strict=True)
        return self.definition.format(
            name=function.name,
            sort=self.sort(function.sort),
            first="l" if function.on == LIST else "m",
            first_sort=self.sort(function.sort[:1]),
            result_sort=self.sort(function.sort[-1:]),
            arguments="".join(self.argument.format(name=name, sort=self.sort((sort,))) for name, sort in further),
            base_pattern=base,
            base=self.write(function.base),
            step_pattern=step,
            step=self.write(function.step),
        )

    def proof(self, name: str, claim: Expr, steps: Iterable[Step]) -> str:
        """The text of a theorem with its proof."""
        tactics = "".join(f"  {line}\n" for step in steps for line in self.lines(step))
        return self.theorem.format(name=name, claim=self.write(claim), tactics=tactics)

    def _written(self, expr: Expr) -> tuple[int, str]:
        if expr.op in BINDERS:
            return 1, self._bound(expr)
        if expr.op in ("var", "num"):
            return _ATOM, expr.name
        if expr.op in self.words:
            return _ATOM, self.words[expr.op]
        if expr.op in self.signs:
            sign = self.signs[expr.op]
            left, right = expr.args
            return sign.level, f"{self.write(left, sign.left)} {sign.text} {self.write(right, sign.right)}"
        if expr.op == "not":
            sign_text, own, inner = self.negation
            return own, f"{sign_text}{self.write(expr.args[0], inner)}"
        args = [self.write(arg, _ATOM) for arg in expr.args]
        if expr.op == "call":
            return _APPLICATION, " ".join([expr.name, *args])
        if expr.op == "lemma":
            text = " ".join([self.lemmas[expr.name], *args])
            return (_APPLICATION if " " in text else _ATOM), text
        if expr.op in self.forms:
            form = self.forms[expr.op]
            return form.level, form.text.format(*args)
        raise ValueError(f"unknown operator: {expr.op}")

    def _bound(self, expr: Expr) -> str:
        """A binder, with those of the same kind that follow it."""
        groups: list[tuple[list[str], str]] = []
        op = expr.op
        while expr.op == op:
            sort = self.sort(expr.sort)
            if groups and groups[-1][1] == sort and op != "ex":
                groups[-1][0].append(expr.name)
            else:
                groups.append(([expr.name], sort))
            expr = expr.args[0]
            if op == "ex":
                break
        bound = " ".join(f"({' '.join(names)} : {sort})" for names, sort in groups)
        if op == "ex":
            bound = bound[1:-1]
        return f"{self.binders[op]}{bound}{self.body if op == 'lam' else ','} {self.write(expr)}"


class _Names(tuple[str, ...]):
    """Names that a template writes singly or all.

    ``{names[0]}``; ``{names}``, or ``{names:1}`` from the second on.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return " ".join(self[int(spec or 0) :])
