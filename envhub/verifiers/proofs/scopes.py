"""Moves quantifiers inwards, with a Lean proof that the formula stays equivalent.

A prenex formula and its source sentence have the same form once every quantifier is as far inside as possible: that
form is compared, without a search over the prefix. Negations end up at predicates, arrows become disjunctions. Terms
use the theorems of :data:`envhub.verifiers.proofs.tableau.LOGIC`; a kernel checks them::

    inside(formula, "ann")      # (Expr, "a Lean term that proves formula ↔ Expr")
"""

from __future__ import annotations

from typing import Final

from envhub.generators.theorems.syntax import Expr, no

Moved = tuple[Expr, str]
"""A formula, and a term that proves it equivalent to the original."""
_SAME: Final = "(Iff.refl _)"
_STEPS: Final = 8000
_LARGEST: Final = 1200
"""Maximum number of nodes of a formula, since ``↔`` doubles its parts; larger ones are unchanged."""


class TooLarge(Exception):
    """The formula grew too large, or took too many steps."""


def inside(claim: Expr, person: str) -> Moved:
    """The formula with its quantifiers moved inwards.

    Args:
        claim: A formula with distinct bound names.
        person: A name that it may use: as somebody exists, a quantifier that binds nothing is removed.

    Raises:
        TooLarge: It is too large.
    """
    return _Mover(person).moved(claim, holds=True)


class _Mover:
    def __init__(self, person: str) -> None:
        self._person = person
        self._steps = _STEPS
        self._free: dict[int, tuple[Expr, frozenset[str]]] = {}

    def free(self, claim: Expr) -> frozenset[str]:
        """The names that occur free."""
        known = self._free.get(id(claim))
        if known is None:
            own = {claim.name} if claim.op == "var" else set()
            names = frozenset(own.union(*map(self.free, claim.args)))
            names -= {claim.name} if claim.op in ("all", "ex") else set()
            known = self._free[id(claim)] = (claim, names)  # keeps the formula alive, or its id could be reused
        return known[1]

    def step(self, size: int = 0) -> None:
        """Count one step."""
        self._steps -= 1
        if self._steps < 0 or size > _LARGEST:
            raise TooLarge

    def moved(self, claim: Expr, *, holds: bool) -> Moved:
        """The formula or its negation, moved far inside.

        Negations end at predicates.
        """
        op, args = claim.op, claim.args
        self.step(claim.size)
        match op:
            case "true" | "false" if not holds:
                return Expr("false" if op == "true" else "true"), f"deny_{op}"
            case "true" | "false":
                return claim, _SAME
            case "not":
                inner, proof = self.moved(args[0], holds=not holds)
                return inner, proof if holds else f"(Iff.trans twice {proof})"
            case "and" | "or" | "imp":
                # an arrow holds if its premise fails or its conclusion holds
                one, first = self.moved(args[0], holds=holds != (op == "imp"))
                other, second = self.moved(args[1], holds=holds)
                joined = "and" if (op == "and") == holds else "or"
                return Expr(joined, (one, other)), f"({'' if holds else 'n'}{op}_same {first} {second})"
            case "iff":
                return self._iff(args[0], args[1], holds)
            case "all" | "ex":
                inner, proof = self.moved(args[0], holds=holds)
                kind = op if holds else ("ex" if op == "all" else "all")
                result, outer = self.pushed(Expr(kind, (inner,), claim.name, claim.sort))
                same = f"({'' if holds else 'n'}{op}_same (fun {claim.name} => {proof}))"
                return result, f"(Iff.trans {same} {outer})"
        return (claim, _SAME) if holds else (no(claim), _SAME)

    def _iff(self, one: Expr, other: Expr, holds: bool) -> Moved:
        """As two disjunctions."""
        a, first = self.moved(one, holds=True)
        b, second = self.moved(other, holds=True)
        na, third = self.moved(one, holds=False)
        nb, fourth = self.moved(other, holds=False)
        sides = ((na, b), (nb, a)) if holds else ((a, b), (na, nb))
        both = Expr("and", tuple(Expr("or", side) for side in sides))
        self.step(both.size)
        return both, f"({'' if holds else 'n'}iff_same {first} {second} {third} {fourth})"

    def pushed(self, claim: Expr) -> Moved:
        """Moves the quantifier of a formula whose body is done."""
        self.step(claim.size)
        kind, name, body = claim.op, claim.name, claim.args[0]
        if name not in self.free(body):
            return body, f"({kind}_none {self._person})"
        through = "and" if kind == "all" else "or"
        if body.op == through:
            one, first = self.pushed(Expr(kind, (body.args[0],), name, claim.sort))
            other, second = self.pushed(Expr(kind, (body.args[1],), name, claim.sort))
            return Expr(through, (one, other)), f"(Iff.trans {kind}_{through} ({through}_same {first} {second}))"
        if body.op in ("and", "or"):
            return self._parted(claim)
        if body.op == kind:
            return self._exchanged(claim)
        return claim, _SAME

    def _parted(self, claim: Expr) -> Moved:
        """``∃ x, a ∧ p x`` as ``a ∧ ∃ x, p x``, in any order of the parts."""
        kind, name, body = claim.op, claim.name, claim.args[0]
        without, within, proof = self.split(body, name)
        if without is None or within is None:
            return claim, _SAME
        inner, second = self.pushed(Expr(kind, (within,), name, claim.sort))
        moved = f"(Iff.trans ({kind}_same (fun {name} => {proof})) {kind}_{body.op}_none)"
        return Expr(body.op, (without, inner)), f"(Iff.trans {moved} ({body.op}_same {_SAME} {second}))"

    def split(self, claim: Expr, name: str, op: str = "") -> tuple[Expr | None, Expr | None, str]:
        """The parts without and with a name, and a term.

        The term is for the equivalence of their junction.
        """
        self.step()
        op = op or claim.op
        if claim.op != op:
            return (None, claim, _SAME) if name in self.free(claim) else (claim, None, _SAME)
        a, b, first = self.split(claim.args[0], name, op)
        c, d, second = self.split(claim.args[1], name, op)
        word = "".join("w" if one and other else "o" if one else "i" for one, other in ((a, b), (c, d)))
        parts = f"({op}_same {first} {second})"
        # for the left and the right part: only [o]utside, only [i]nside, or [w]ith both
        law = {"ww": "cross", "wo": "late", "wi": "shift", "ow": "early", "iw": "slide", "io": "turn"}.get(word)
        proof = f"(Iff.trans {parts} {op}_{law})" if law else parts
        return _both(op, a, c), _both(op, b, d), proof

    def _exchanged(self, claim: Expr) -> Moved:
        """``∃ x, ∃ y, p`` as ``∃ y, ∃ x, p``, if this lets the quantifier of x move in."""
        kind, inner = claim.op, claim.args[0]
        own = Expr(kind, inner.args, claim.name, claim.sort)
        moved, first = self.pushed(own)
        if moved == own:
            return claim, _SAME
        result, second = self.pushed(Expr(kind, (moved,), inner.name, inner.sort))
        same = f"({kind}_same (fun {inner.name} => {first}))"
        return result, f"(Iff.trans {kind}_{kind} (Iff.trans {same} {second}))"


def _both(op: str, one: Expr | None, other: Expr | None) -> Expr | None:
    return Expr(op, (one, other)) if one and other else one or other
