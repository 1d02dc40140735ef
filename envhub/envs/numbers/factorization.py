"""factorization-v0: write a number as a product of primes.

Action: the prime factors, in any order, with powers if wanted. Difficulty: more and larger factors; effort is the number of
trial divisions by primes.
"""

from __future__ import annotations

from math import isqrt, prod
from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers import primes
from envhub.verifiers.answers.numerals import Factors


class Factorization(Value):
    """Write a number as a product of primes."""

    Params = levels(
        small=knob("factors below 20", 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, at_least=0),
        large=knob("bound of the second prime", 36, 48, 64, 90, 130, 200, 320, 500, 800, 1300, at_most=20_000),
    )
    answer = Factors()
    data = labelled(number="number")
    task = Phrase(
        "Factor this number into primes.",
        "Find the prime factorization of the number.",
        "Write the number as a product of prime numbers.",
        held_out="Let n be the given integer. Determine its decomposition into prime factors.",
    )
    rules = (
        Phrase(
            "Write each prime factor as often as it divides the number, or as a power such as 3^2. Any order will do.",
            "Repeat a prime that divides the number several times, or write it as a power such as 3^2. The order is free.",
            "A prime that occurs k times is written k times or with the exponent k, as in 3^2. Any order is accepted.",
            held_out="Multiplicities count: list a repeated prime repeatedly, or use a power such as 3^2; the order is free.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Small primes, and two large ones that are the work."""
        low = p.large * 5 // 8
        small = [rng.choice((2, 3, 5, 7, 11, 13, 17, 19)) for _ in range(p.small)]
        large = [rng.choice(primes.between(low, p.large)), rng.choice(primes.between(low, 2 * p.large))]
        return {"number": prod(small) * prod(large)}

    def value(self, problem: JSON) -> tuple[int, ...]:
        """By trial division."""
        return tuple(primes.factors(problem["number"]))

    def write(self, value: tuple[int, ...]) -> str:
        """Joined by signs of multiplication."""
        return " * ".join(map(str, value))

    def slips(self, problem: JSON) -> list[tuple[int, ...]]:
        """Products with a missing, merged, additional or unrepeated factor."""
        found = self.value(problem)
        merged = (*found[:-2], found[-2] * found[-1])
        return [(problem["number"],), found[1:], found[:-1], merged, (1, *found), tuple(sorted(set(found)))]

    def effort(self, inst: Instance) -> float:
        """Primes tried until the rest is a prime."""
        *_, second, last = self.value(inst.problem)
        return float(primes.count_to(max(second, isqrt(last))))
