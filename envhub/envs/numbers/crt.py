"""crt-v0: find the least number that leaves given remainders.

Action: one integer. Difficulty: more and larger moduli, with common divisors from level 6 on; effort is the number of
candidates that a sieve tries. The order of the conditions does not change the problem.
"""

from __future__ import annotations

import json
from math import lcm, prod
from typing import Any

from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.numbers.congruences import combine


def _congruences(problem: Any) -> str:
    lines = "\n".join(f"x = {remainder} (mod {modulus})" for modulus, remainder in problem["conditions"])
    return f"{lines}\n\nx = r (mod m) means that x - r is a multiple of m."


def _prose(problem: Any) -> str:
    return "\n".join(f"Divided by {modulus}, x leaves the remainder {rest}." for modulus, rest in problem["conditions"])


def _object(problem: Any) -> str:
    return json.dumps([{"divisor": modulus, "remainder": rest} for modulus, rest in problem["conditions"]])


def _operator(problem: Any) -> str:
    lines = "\n".join(f"x % {modulus} == {remainder}" for modulus, remainder in problem["conditions"])
    return f"{lines}\n\n% is the remainder of a division."


class RemainderSystem(Value):
    """Find the least number with given remainders."""

    Params = levels(
        count=knob("how many conditions", 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, at_least=2),
        largest=knob("largest modulus", 20, 40, 30, 50, 90, 60, 120, 100, 200, 300, at_least=12),
        shared=knob("whether moduli may have common divisors", *[False] * 5, *[True] * 5),
    )
    answer = Integer()
    data = Variants(_congruences, _prose, _object, held_out=_operator, name="conditions")
    task = Phrase(
        "Find the smallest non-negative integer x that satisfies these {count} conditions.",
        "What is the smallest integer x >= 0 for which these {count} conditions hold?",
        "Determine the least non-negative integer x that meets each of the {count} conditions.",
        held_out="Let S be the set of integers x >= 0 that satisfy the {count} conditions. Determine min S.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Remainders of a number that is larger than all moduli."""
        moduli = rng.sample(range(p.largest // 4 + 2, p.largest + 1), p.count)
        period = lcm(*moduli)
        number = rng.below(period)
        if number <= 2 * max(moduli) or (period < prod(moduli)) != p.shared:
            return None
        return {"conditions": [[modulus, number % modulus] for modulus in moduli], "count": p.count}

    def value(self, problem: JSON) -> int:
        """By Bezout's identity."""
        found = combine(problem["conditions"])
        assert found is not None
        return found[0]

    def slips(self, problem: JSON) -> list[int]:
        """Other solutions, and the least that meets all conditions but the last."""
        *most, last = problem["conditions"]
        right, period = self.value(problem), lcm(*(modulus for modulus, _ in problem["conditions"]))
        partial = combine(most)
        return [right + period, right - period, right + last[0], 0 if partial is None else partial[0]]

    def canonical(self, content: JSON) -> JSON:
        """The conditions in a fixed order."""
        return sorted(content["conditions"])

    def effort(self, inst: Instance) -> float:
        """Candidates that a sieve tries, the largest modulus first."""
        return float(sum(sorted(modulus for modulus, _ in inst.problem["conditions"])[:-1]))
