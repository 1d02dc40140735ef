"""discrete-log-v0: find the exponent of a power modulo a prime.

Action: one integer. Difficulty: larger primes; effort is the number of multiplications of Shanks'
method of baby and giant steps.
"""

from __future__ import annotations

from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers import primes
from envhub.generators.numbers.congruences import baby_and_giant_steps, order, shanks


class DiscreteLog(Value):
    """Find the exponent of a power modulo a prime."""

    Params = levels(
        prime=knob(
            "largest prime", 150, 250, 400, 700, 1200, 2000, 3500, 6000, 12_000, 40_000, at_least=60, at_most=1_000_000
        )
    )
    answer = Integer()
    data = labelled(base="base g", result="result h", prime="prime p")
    task = Phrase(
        "Find the smallest non-negative exponent x such that g^x and h leave the same remainder after division by the prime p.",
        "What is the smallest integer x >= 0 for which g^x mod p equals h?",
        "Compute the discrete logarithm of h to the base g modulo the prime p: the smallest integer x >= 0 with g^x mod p = h.",
        held_out="Let X be the set of integers x >= 0 with g^x = h in the field of p elements. Determine min X.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A base of a large order, and an exponent above 3."""
        prime = rng.choice(primes.between(p.prime * 2 // 3, p.prime))
        base = rng.between(2, prime - 2)
        period = order(base, prime)
        exponent = rng.between(4, prime - 2)
        if period < prime // 3 or exponent >= period:
            return None
        return {"base": base, "result": pow(base, exponent, prime), "prime": prime}

    def value(self, problem: JSON) -> int:
        """By baby and giant steps."""
        return shanks(problem["base"], problem["result"], problem["prime"])

    def slips(self, problem: JSON) -> list[int]:
        """Other exponents of the same power, and the power itself."""
        right, prime = self.value(problem), problem["prime"]
        return [
            right + order(problem["base"], prime),
            right + prime - 1,
            right - prime + 1,
            problem["result"],
            right + 1,
        ]

    def effort(self, inst: Instance) -> float:
        """Multiplications of baby and giant steps."""
        return float(baby_and_giant_steps(self.value(inst.problem), inst.problem["prime"]))
