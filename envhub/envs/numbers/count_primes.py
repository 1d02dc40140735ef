"""count-primes-v0: count the primes of an interval and add them up.

Action: the count and the sum, which is the evidence. Difficulty: wider intervals of larger numbers; effort is the number of
trial divisions.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers import primes
from envhub.verifiers.answers.numerals import Integers


class CountPrimes(Value):
    """Count the primes of an interval and add them up."""

    Params = levels(
        size=knob("largest number", 700, 1000, 1400, 2000, 3000, 4500, 7000, 12_000, 25_000, 60_000, at_most=10**6),
        width=knob("how many numbers", 20, 22, 25, 28, 32, 36, 42, 50, 60, 70, at_least=12, at_most=2_000),
    )
    answer = Integers(asked="the count and then the sum, separated by a comma,", shown="4, 120")
    data = labelled(low="first number", high="last number")
    task = Phrase(
        "How many primes are there from the first number to the last number? Give their count and their sum.",
        "Count the prime numbers between the first and the last number, and add them up.",
        "Find the number of primes from the first number to the last number, and the sum of these primes.",
        held_out="Let P be the set of primes p with first number <= p <= last number. Determine |P| and the sum of P.",
    )
    rules = (
        Phrase(
            "The first and the last number belong to the interval.",
            "Both ends are included.",
            "If the first or the last number is prime, it counts.",
            held_out="The interval is closed.",
        ),
        Phrase(
            "Write numbers without thousands separators: 1234, not 1,234.",
            "Do not group digits by thousands. Write 1234, not 1,234.",
            "No number may have a thousands separator; 1234 may not be written as 1,234.",
            held_out="Number format: no thousands separators (1234).",
        ),
    )

    def check(self, p: Any) -> None:
        """The interval must be shorter than the numbers are large."""
        if 4 * p.width > 3 * p.size:
            raise InvalidParameters(
                f"`width` must be at most three quarters of `size`, got {p.width} with size {p.size}."
            )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """An interval with at least two primes."""
        width = rng.between(p.width * 3 // 4, p.width)
        low = rng.between(p.size // 4, p.size - width)
        found = {"low": low, "high": low + width}
        return found if self.value(found)[0] > 1 else None

    def value(self, problem: JSON) -> tuple[int, int]:
        """From a sieve."""
        found = primes.between(problem["low"], problem["high"])
        return len(found), sum(found)

    def slips(self, problem: JSON) -> list[tuple[int, int]]:
        """A prime left out, the two interchanged, and a composite number."""
        count, total = self.value(problem)
        found = primes.between(problem["low"], problem["high"])
        return [(total, count), (count - 1, total - found[0]), (count + 1, total + problem["low"]), (count, total + 2)]

    def effort(self, inst: Instance) -> float:
        """Trial divisions of odd numbers by primes."""
        low, high = inst.problem["low"], inst.problem["high"]
        return float(sum(primes.count_to(isqrt(number)) for number in range(low | 1, high + 1, 2)))
