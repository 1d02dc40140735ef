"""What writing a statement down takes in any language: signs, how tightly they bind, and brackets from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from envhub.generators.theorems.syntax import BINDERS, Expr


@dataclass(frozen=True, slots=True)
class Sign:
    """An operation between two parts: how tightly it binds, and what may stand beside it without brackets."""

    text: str
    level: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes what all of them have. Greater levels bind more tightly.

    Attributes:
        signs: Of operations with two parts.
        words: Of those without parts.
        binders: How a binder begins.
        negation: Its sign, its level and that of its part.
        sorts: Words for those that are not variables.
        arrow: Between the sorts of a function.
        body: What stands before the body of a ``lam``.
    """

    signs: Mapping[str, Sign]
    words: Mapping[str, str]
    binders: Mapping[str, str]
    negation: tuple[str, int, int]
    sorts: Mapping[str, str]
    arrow: str
    body: str

    def sort(self, sort: tuple[str, ...]) -> str:
        """A sort."""
        return f" {self.arrow} ".join(self.sorts.get(part, part) for part in sort)

    def write(self, expr: Expr, level: int = 0) -> str:
        """An expression, in brackets if it binds less tightly than ``level``."""
        own, text = self._written(expr)
        return f"({text})" if own < level else text

    def succ(self, inner: str) -> tuple[int, str]:
        """The next number after what is written."""
        raise NotImplementedError

    def dvd(self, left: str, right: str) -> tuple[int, str]:
        """Divisibility."""
        raise NotImplementedError

    def choice(self, condition: str, yes: str, no: str) -> tuple[int, str]:
        """One of two propositions, by a truth value."""
        raise NotImplementedError

    def lemma(self, name: str, args: list[str]) -> str:
        """A theorem of the library, applied."""
        raise NotImplementedError

    def _written(self, expr: Expr) -> tuple[int, str]:
        if expr.op in BINDERS:
            return 1, self._bound(expr)
        if expr.op in ("var", "num"):
            return 1024, expr.name
        if expr.op in self.words:
            return 1024, self.words[expr.op]
        if expr.op in self.signs:
            sign = self.signs[expr.op]
            left, right = expr.args
            return sign.level, f"{self.write(left, sign.left)} {sign.text} {self.write(right, sign.right)}"
        args = [self.write(arg, 1024) for arg in expr.args]
        if expr.op == "call":
            return 1000, " ".join([expr.name, *args])
        if expr.op == "lemma":
            text = self.lemma(expr.name, args)
            return (1000 if " " in text else 1024), text
        if expr.op == "not":
            sign_text, own, inner = self.negation
            return own, f"{sign_text}{self.write(expr.args[0], inner)}"
        if expr.op == "if":
            return self.choice(*args)
        if expr.op == "succ":
            return self.succ(self.write(expr.args[0], 1024))
        if expr.op == "dvd":
            return self.dvd(*args)
        raise ValueError(f"nobody knows how to write {expr.op}")

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
