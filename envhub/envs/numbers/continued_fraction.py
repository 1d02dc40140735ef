"""continued-fraction-v0: find partial quotients of a fraction or a square root.

Action: the quotients in order. Difficulty: more quotients; effort is the number of digits that the divisions read.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle, islice
from math import isqrt
from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers.continued import folded, quotients, root_quotients
from envhub.verifiers.answers.numerals import Integers

_LAST = Phrase(
    "Give all quotients. The last one must be at least 2.",
    "List every quotient; end with a quotient of at least 2, not with 1.",
    "The expansion is finite and must be complete. Its last quotient may not be 1.",
    held_out="Give the complete finite expansion, normalized to a last term of at least 2.",
)
_FIRST = Phrase(
    "The expansion does not end. Give exactly its first {count} quotients, a_0 included.",
    "The number is irrational; list the quotients a_0, a_1, ... until you have exactly {count} of them.",
    "Exactly {count} quotients are requested, starting with a_0.",
    held_out="Report a_0, ..., a_k of the infinite expansion, {count} terms in all.",
)


class ContinuedFraction(Value):
    """Find partial quotients."""

    Params = levels(
        terms=knob("how many quotients", 4, 5, 6, 7, 8, 9, 11, 13, 15, 19, at_least=2, at_most=40),
        roots=knob("whether square roots are expanded as well", *[False] * 3, *[True] * 7),
    )
    answer = Integers(asked="the quotients in order, separated by commas,", shown="1, 4, 2, 9, 3")
    data = labelled(number="number")
    task = Phrase(
        "Expand this number into a simple continued fraction.",
        "Find the partial quotients of the simple continued fraction of the number.",
        "Write the number as a simple continued fraction.",
        held_out="Determine the sequence of partial quotients in the regular continued fraction of the given number.",
    )
    rules = (
        Phrase(
            "The form is a_0 + 1/(a_1 + 1/(a_2 + ...)). All quotients are integers, and those from a_1 on are positive.",
            "A simple continued fraction is a_0 + 1/(a_1 + 1/(a_2 + ...)), with integers a_i that are positive for i > 0.",
            "The quotients a_0, a_1, a_2, ... of a_0 + 1/(a_1 + 1/(a_2 + ...)) are integers, positive from a_1 on.",
            held_out="[a_0; a_1, a_2, ...] denotes a_0 + 1/(a_1 + 1/(a_2 + ...)) with integers a_i, and a_i > 0 for i > 0.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A fraction with planted quotients, or a root."""
        if p.roots and rng.below(2):
            number = rng.between(120, 9000)
            return None if isqrt(number) ** 2 == number else {"number": f"sqrt({number})", "count": p.terms}
        drawn = [min(rng.between(1, 12), rng.between(1, 12)) for _ in range(p.terms)]
        return {"number": str(folded([*drawn[:-1], max(2, drawn[-1])])), "count": None}

    def value(self, problem: JSON) -> tuple[int, ...]:
        """By Euclid's algorithm, or its counterpart for roots."""
        if problem["count"] is not None:
            return tuple(root_quotients(int(problem["number"][5:-1]), problem["count"]))
        return tuple(quotients(Fraction(problem["number"])))

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """What the form is, and how many quotients are requested."""
        return (*self.rules, _LAST if problem["count"] is None else _FIRST)

    def example(self, problem: JSON) -> str:
        """As many quotients as are requested, where their number is known."""
        return self.write(tuple(islice(cycle((1, 4, 2, 9, 3)), problem["count"] or 5)))

    def slips(self, problem: JSON) -> list[tuple[int, ...]]:
        """Another end, too few or too many quotients, and the inverse."""
        found = self.value(problem)
        return [(*found[:-1], found[-1] - 1, 1), found[:-1], (*found, 1), (0, *found), found[::-1], found[1:]]

    def effort(self, inst: Instance) -> float:
        """Digits that the divisions read."""
        found = self.value(inst.problem)
        if inst.problem["count"] is not None:
            return float(3 * len(found) * len(str(found[0])))
        return float(sum(len(str(folded(found[at:]).numerator)) for at in range(len(found))))
