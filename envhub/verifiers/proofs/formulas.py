r"""Parser of first-order formulas in Lean syntax.

Formulas are read into a tree, and the kernel's text is written from the tree: a policy's text never reaches it
verbatim. Signs bind as in Lean::

    parse("∀ x : Person, Baker x → ∃ y, Pilot y ∧ Trusts x y", {"Baker": 1, "Pilot": 1, "Trusts": 2})

Accepts ``∀ ∃ ¬ ∧ ∨ → ↔ True False``, also as ``forall exists not -> <-> /\ \/``, binders with or without the type,
brackets, and predicates applied to names. Rejects ``=``, ``∃!``, ``fun``, ``let``, predicates without all their
arguments, and all other Lean syntax.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from envhub.core.errors import nearest
from envhub.generators.theorems.syntax import Expr, Sort, call, var

MOST: Final = 4000
_DEEPEST: Final = 60
_TIGHT, _NEGATED = 1024, 40
_SIGNS: Final = {
    "->": "→",
    "<->": "↔",
    "/\\": "∧",
    "\\/": "∨",
    "forall": "∀",
    "exists": "∃",
    "~": "¬",
    "not": "¬",
}
_TOKEN: Final = re.compile(r"\s+|(<->|->|/\\|\\/|[A-Za-z_][A-Za-z_0-9'.]*|∃!|[^\s])")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
_JOINS: Final = {"↔": ("iff", 20, 21, 21), "→": ("imp", 25, 26, 25), "∨": ("or", 30, 31, 30), "∧": ("and", 35, 36, 35)}


class NotRecognised(Exception):
    """A text that is not such a formula.

    The message tells its author why.
    """


def parse(text: str, signature: Mapping[str, int], sort: Sort = ("Person",)) -> Expr:
    """The formula of a text; bound names are made unique.

    Args:
        text: The text.
        signature: Predicates and names, with their numbers of arguments.
        sort: The sort of bound names.

    Raises:
        NotRecognised: Not a formula.
    """
    if len(text) > MOST:
        raise NotRecognised(f"It has more than {MOST} characters.")
    found = [match[1] for match in _TOKEN.finditer(text) if match[1]]
    reader = _Reader([_SIGNS.get(token, token) for token in found], signature, sort)
    formula = reader.formula(0, {})
    if reader.at < len(reader.tokens):
        raise NotRecognised(f"Behind a whole formula stands {reader.tokens[reader.at]!r}.")
    return formula


class _Reader:
    def __init__(self, tokens: list[str], signature: Mapping[str, int], sort: Sort) -> None:
        self.tokens = tokens
        self.at = 0
        self._signature = signature
        self._sort = sort
        self._bound = 0
        self._depth = 0

    def formula(self, least: int, scope: Mapping[str, str]) -> Expr:
        """A formula whose signs bind at least this tightly."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotRecognised(f"It is nested more than {_DEEPEST} deep.")
        left, own = self._prefix(scope), _TIGHT
        while join := _JOINS.get(self._next()):
            op, level, beside, behind = join
            if level < least or own < beside:
                break
            self.at += 1
            left, own = Expr(op, (left, self.formula(behind, scope))), level
        self._depth -= 1
        return left

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._next()
        if not token or (wanted and token != wanted):
            here = repr(token) if token else "the end"
            raise NotRecognised(f"{wanted or 'A formula'} was expected, and there is {here}.")
        self.at += 1
        return token

    def _prefix(self, scope: Mapping[str, str]) -> Expr:
        """A formula without an infix sign.

        A quantifier extends as far as possible.
        """
        token = self._take()
        if token == "(":
            inner = self.formula(0, scope)
            self._take(")")
            return inner
        if token == "¬":
            return Expr("not", (self.formula(_NEGATED, scope),))
        if token in ("∀", "∃"):
            return self._quantifier(token, scope)
        if token in ("True", "False"):
            return Expr(token.lower())
        return self._atom(token, scope)

    def _quantifier(self, token: str, scope: Mapping[str, str]) -> Expr:
        names: list[str] = []
        while self._next() not in (",", ":"):
            if self._next() != "(":
                names += self._names()
                continue
            self._take("(")
            names += self._names()
            self._typed()
            self._take(")")
        if self._next() == ":":
            self._typed()
        if not names:
            raise NotRecognised(f"Behind {token} there is no name.")
        self._take(",")
        inner = dict(scope)
        bound = []
        for name in names:
            self._bound += 1
            inner[name] = f"y{self._bound}"
            bound.append(inner[name])
        body = self.formula(0, inner)
        for name in reversed(bound):
            body = Expr("all" if token == "∀" else "ex", (body,), name, self._sort)
        return body

    def _names(self) -> list[str]:
        names = []
        while _NAME.fullmatch(self._next()):
            names.append(self._take())
        if not names or len(set(names)) != len(names):
            raise NotRecognised("A quantifier binds names, each of them once.")
        return names

    def _typed(self) -> None:
        self._take(":")
        sort = self._take()
        if sort != self._sort[0]:
            raise NotRecognised(f"Quantifiers are over {self._sort[0]} here, not over {sort!r}.")

    def _atom(self, token: str, scope: Mapping[str, str]) -> Expr:
        places = None if token in scope else self._signature.get(token)
        if places is None:
            hint = nearest(token, self._signature)
            raise NotRecognised(f"{token!r} is no predicate and no sign that is recognised here.{hint}")
        if not places:
            raise NotRecognised(f"{token} is a person, and a formula is expected.")
        args = [self._person(scope) for _ in range(places)]
        return call(token, *args)

    def _person(self, scope: Mapping[str, str]) -> Expr:
        token = self._take()
        if token == "(":
            person = self._person(scope)
            self._take(")")
            return person
        if token in scope:
            return var(scope[token])
        if self._signature.get(token) != 0:
            raise NotRecognised(f"A person is expected, and there is {token!r}.")
        return var(token)
