"""Searches for proofs of first-order formulas and writes them in Lean.

The search is an analytic tableau: assumptions are taken apart until every branch contains a formula and its negation.
Universal assumptions are applied to every person in a branch, for some rounds. The result is a Lean term over the
theorems of :data:`LOGIC`, which are proved in the statement's own module. Nothing here is trusted: the kernel rejects a
wrong term, and a formula without a term found is only not recognised::

    equivalence(one, other)         # "Iff.intro (fun h0 => ...) (fun h1 => ...)", or None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Final

from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.syntax import Expr, no, replaced, var
from envhub.verifiers.proofs.scopes import TooLarge, inside

LOGIC: Final = (resources.files("envhub.verifiers.proofs") / "tableau.lean").read_text("utf-8")
"""The axioms of the terms: classical choice, in Lean's library and the core library of tests."""
_ROUNDS: Final = 3
_STEPS: Final = 20_000
_NEGATED: Final = {
    "and": "not_and",
    "or": "not_or",
    "imp": "not_imp",
    "iff": "not_iff",
    "all": "not_all",
    "ex": "not_ex",
}
_SPLIT: Final = {"or": "", "imp": "imp ", "iff": "iff "}


class _TooLong(Exception):
    """The search exceeded its steps."""


@dataclass
class _Search:
    """State shared by all branches: the remaining steps and fresh names."""

    steps: int = _STEPS
    names: int = 0

    def fresh(self, letter: str) -> str:
        """A fresh name."""
        self.steps -= 1
        if self.steps < 0:
            raise _TooLong
        self.names += 1
        return f"{letter}{self.names}"


Known = tuple[str, Expr]
"""A term, and the proposition it proves."""
Normal = tuple[Any, ...]
"""See :func:`normal`."""


@dataclass(frozen=True)
class _Branch:
    """Assumptions that are not yet taken apart.

    Attributes:
        facts: Assumptions so far, by normal form.
        splits: Assumptions that are disjunctions.
        universal: Universal assumptions, and the number of persons each has been applied to.
        people: The persons mentioned.
    """

    facts: Mapping[Normal, Known] = field(default_factory=dict)
    splits: tuple[Known, ...] = ()
    universal: tuple[tuple[str, Expr, int], ...] = ()
    people: tuple[str, ...] = ()


def equivalence(one: Expr, other: Expr, people: tuple[str, ...] = ()) -> str | None:
    """A Lean term that proves ``one ↔ other``, or None if not found.

    Args:
        one: A formula.
        other: Another.
        people: Names of persons that both may use.
    """
    return (people and _inwards(one, other, people)) or _both_ways(one, other, people)


def _both_ways(one: Expr, other: Expr, people: tuple[str, ...]) -> str | None:
    there = implication(one, other, people)
    back = there and implication(other, one, people)
    return f"(Iff.intro {there} {back})" if there and back else None


def _inwards(one: Expr, other: Expr, people: tuple[str, ...]) -> str | None:
    """A proof via the forms with quantifiers far inside.

    They are moved as far inside as possible.
    """
    try:
        (form, first), (shape, second) = inside(one, people[0]), inside(other, people[0])
    except (TooLarge, RecursionError):
        return None
    between = _both_ways(form, shape, people)
    if between is None:
        return None
    # without its type Lean would guess the proposition from the proof's steps
    typed = f"(show ({LEAN.write(form)}) ↔ ({LEAN.write(shape)}) from {between})"
    return f"(Iff.trans {first} (Iff.trans {typed} (Iff.symm {second})))"


def implication(one: Expr, other: Expr, people: tuple[str, ...] = ()) -> str | None:
    """A Lean term that proves ``one → other``, or None if not found."""
    search = _Search()
    try:
        for rounds in range(_ROUNDS + 1):
            body = _taken_apart([("h", one), ("k", no(other))], _Branch(people=people), rounds, search)
            if body is not None:
                return f"(fun h => sure (fun k => {body}))"
    except (_TooLong, RecursionError):
        pass
    return None


def _taken_apart(todo: list[Known], branch: _Branch, rounds: int, search: _Search, raw: int = 0) -> str | None:
    """A proof of an absurdity from a branch and additions.

    ``raw`` ones are not compared first.
    """
    todo = list(todo)
    while todo:
        proof, claim = todo.pop()
        search.steps -= 1
        if claim.op == "false" or (claim.op == "not" and claim.args[0].op == "true"):
            return proof if claim.op == "false" else f"({proof} True.intro)"
        if raw == 0:
            closing, branch = _compared(proof, claim, branch, search)
            if closing is not None:
                return closing
        raw = max(raw - 1, 0)
        if claim.op == "ex":
            who, what = search.fresh("w"), search.fresh("a")
            people = (*branch.people, who)
            inside = (what, replaced(claim.args[0], {claim.name: var(who)}))
            rest = _taken_apart([inside, *todo], replace(branch, people=people), rounds, search, raw)
            return rest and f"(Exists.elim {proof} (fun {who} {what} => {rest}))"
        branch = _noted(proof, claim, branch, todo)
    settled = next((at for at, (_, claim) in enumerate(branch.splits) if _settled(claim, branch)), None)
    if settled is not None:
        return _divided(settled, branch, rounds, search)
    if rounds and any(seen < len(branch.people) for _, _, seen in branch.universal):
        return _tried(branch, rounds, search)
    return _divided(0, branch, rounds, search) if branch.splits else None


def _noted(proof: str, claim: Expr, branch: _Branch, todo: list[Known]) -> _Branch:
    """The branch with one more assumption, whose parts are added to ``todo``."""
    op, args = claim.op, claim.args
    if op == "and":
        todo += [(f"(And.right {proof})", args[1]), (f"(And.left {proof})", args[0])]
    elif op == "all":
        return replace(branch, universal=(*branch.universal, (proof, claim, 0)))
    elif op in _SPLIT:
        return replace(branch, splits=(*branch.splits, (proof, claim)))
    elif op == "not" and args[0].op == "not":
        todo.append((f"(sure {proof})", args[0].args[0]))
    elif op == "not" and args[0].op in _NEGATED:
        todo.append((f"({_NEGATED[args[0].op]} {proof})", _denied(args[0])))
    return branch


def _compared(proof: str, claim: Expr, branch: _Branch, search: _Search) -> tuple[str | None, _Branch]:
    """The branch with a claim added, or the absurdity.

    The latter if its negation was known, in any form.
    """
    known = branch.facts.get(normal(claim, holds=False))
    if known is None:
        return None, replace(branch, facts={**branch.facts, normal(claim): (proof, claim)})
    against, contrary = known
    if claim == no(contrary):
        return f"({proof} {against})", branch
    if contrary == no(claim):
        return f"({against} {proof})", branch
    # equal but for their form: taking both apart one level leaves parts that are equal but for their form
    return _taken_apart([(proof, claim), (against, contrary)], _Branch(), 1, search, raw=2), branch


def normal(claim: Expr, *, holds: bool = True, depth: int = 0) -> Normal:
    """A normal form of a formula.

    It ignores bound names, order, brackets, and how negations and arrows are written.

    Args:
        claim: A formula.
        holds: Whether the formula or its negation is meant.
        depth: Number of enclosing bound names.
    """
    op, args = claim.op, claim.args
    match op:
        case "call":
            text = " ".join([claim.name, *(arg.name for arg in args)])
            return ("" if holds else "not", text)
        case "true" | "false":
            return ("", str((op == "true") == holds))
        case "not":
            return normal(args[0], holds=not holds, depth=depth)
        case "all" | "ex":
            inner = replaced(args[0], {claim.name: var(f"_{depth}")})
            return ("all" if (op == "all") == holds else "ex", normal(inner, holds=holds, depth=depth + 1))
        case "imp":
            return normal(Expr("or", (no(args[0]), args[1])), holds=holds, depth=depth)
        case "iff":
            one, other = args
            same = Expr("or", (Expr("and", (one, other)), Expr("and", (no(one), no(other)))))
            differ = Expr("or", (Expr("and", (one, no(other))), Expr("and", (no(one), other))))
            return normal(same if holds else differ, depth=depth)
    sign = op if holds else ("or" if op == "and" else "and")
    parts: set[Normal] = set()
    for arg in args:
        part = normal(arg, holds=holds, depth=depth)
        parts |= set(part[1:]) if part[0] == sign else {part}
    return (sign, *sorted(parts, key=repr))


def _denied(claim: Expr) -> Expr:
    """The consequence of a formula's negation, by the theorem of its sign."""
    op, args = claim.op, claim.args
    if op in ("all", "ex"):
        return Expr("ex" if op == "all" else "all", (no(args[0]),), claim.name, claim.sort)
    one, other = args
    match op:
        case "and":
            return Expr("or", (no(one), no(other)))
        case "or":
            return Expr("and", (no(one), no(other)))
        case "imp":
            return Expr("and", (one, no(other)))
        case _:
            return Expr("or", (Expr("and", (one, no(other))), Expr("and", (no(one), other))))


def _sides(claim: Expr) -> tuple[Expr, Expr]:
    """The two sides of a disjunction."""
    one, other = claim.args
    if claim.op == "imp":
        return no(one), other
    if claim.op == "iff":
        return Expr("and", (one, other)), Expr("and", (no(one), no(other)))
    return one, other


def _divided(at: int, branch: _Branch, rounds: int, search: _Search) -> str | None:
    """Splits on one disjunctive assumption and searches each side."""
    proof, claim = branch.splits[at]
    rest = replace(branch, splits=branch.splits[:at] + branch.splits[at + 1 :])
    found = []
    for side in _sides(claim):
        name = search.fresh("b")
        inner = _taken_apart([(name, side)], rest, rounds, search)
        if inner is None:
            return None
        found.append(f"(fun {name} => {inner})")
    word = _SPLIT[claim.op]
    return f"(Or.elim {f'({word}{proof})' if word else proof} {found[0]} {found[1]})"


def _settled(claim: Expr, branch: _Branch) -> bool:
    """Whether one side is absurd at once."""
    return any(normal(side, holds=False) in branch.facts for side in _sides(claim))


def _tried(branch: _Branch, rounds: int, search: _Search) -> str | None:
    """Every universal assumption, applied to all persons not yet tried."""
    todo: list[Known] = []
    tried = []
    for proof, claim, seen in branch.universal:
        for who in branch.people[seen:]:
            search.steps -= 1
            todo.append((f"({proof} {who})", replaced(claim.args[0], {claim.name: var(who)})))
        tried.append((proof, claim, len(branch.people)))
    return _taken_apart(todo, replace(branch, universal=tuple(tried)), rounds - 1, search)
