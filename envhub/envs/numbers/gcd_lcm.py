"""gcd-lcm-v0: find a greatest common divisor or a least common multiple.

Action: one integer. The numbers share a planted divisor. Difficulty: more and longer numbers, and common multiples from level 4
on; effort is the number of digits that Euclid's algorithm reads. The order of the numbers does not change the problem.
"""

from __future__ import annotations

from math import gcd, lcm
from typing import Any

from envhub.families.renderings import listed
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers.congruences import bezout


class GcdLcm(Value):
    """Find the greatest common divisor or the least common multiple."""

    Params = levels(
        count=knob("how many numbers", 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, at_least=2),
        digits=knob("digits of each number", 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, at_least=3),
        multiples=knob("whether least common multiples are asked as well", *[False] * 3, *[True] * 7),
    )
    answer = Integer()
    data = listed("numbers", "number")
    task = Phrase(
        "Find the {asked} of these {count} numbers.",
        "What is the {asked} of the {count} numbers?",
        "Compute the {asked} of the {count} given numbers.",
        held_out="Let n be the {asked} of the {count} given integers. Determine n.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Multiples of a common divisor, without an obvious answer."""
        low, high = 10 ** (p.digits - 1), 10**p.digits - 1
        shared = rng.between(11, 10 ** (p.digits // 2 + 1) // 2)
        numbers = [shared * rng.between(-(-low // shared), high // shared) for _ in range(p.count)]
        asked = "least common multiple" if p.multiples and rng.below(2) else "greatest common divisor"
        trivial = len(set(numbers)) < p.count or gcd(*numbers) in numbers
        return None if trivial else {"asked": asked, "numbers": numbers, "count": p.count}

    def value(self, problem: JSON) -> int:
        """By Euclid's algorithm."""
        find = gcd if problem["asked"] == "greatest common divisor" else lcm
        return find(*problem["numbers"])

    def slips(self, problem: JSON) -> list[int]:
        """The other of the two, and values that ignore a number."""
        numbers = problem["numbers"]
        find = gcd if problem["asked"] == "greatest common divisor" else lcm
        return [gcd(*numbers), lcm(*numbers), *(find(*numbers[:at], *numbers[at + 1 :]) for at in range(len(numbers)))]

    def canonical(self, content: JSON) -> JSON:
        """The numbers in ascending order."""
        return [content["asked"], sorted(content["numbers"])]

    def effort(self, inst: Instance) -> float:
        """Digits that the divisions of Euclid's algorithm read."""
        shared, digits = inst.problem["numbers"][0], 0
        for number in inst.problem["numbers"][1:]:
            found = bezout(shared, number)
            shared, digits = found.divisor, digits + found.steps * len(str(number))
        return float(digits)
