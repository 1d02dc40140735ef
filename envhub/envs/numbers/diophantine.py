"""diophantine-v0: solve a linear equation with the smallest sum of unknowns.

Action: the unknowns and their sum. Any solution with the smallest sum counts. Difficulty: more unknowns and larger totals;
effort is the number of combinations of all but one unknown. The order of the coefficients does not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, knob, levels
from envhub.families.witness import Witness
from envhub.generators.numbers.congruences import least_total
from envhub.generators.optimum import Optimum
from envhub.verifiers.answers.numerals import Totalled


class Diophantine(Witness):
    """Solve a linear equation in non-negative integers."""

    Params = levels(
        count=knob("how many unknowns", 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, at_least=2, at_most=5),
        largest=knob("largest coefficient", 20, 36, 60, 30, 50, 70, 100, 60, 80, 100, at_least=9, at_most=200),
        times=knob("total, in largest coefficients", 12, 16, 30, 12, 16, 20, 28, 14, 18, 22, at_least=5, at_most=40),
    )
    answer = Totalled(asked="the unknowns in the order of their coefficients and then their sum, separated by commas,")
    data = labelled(coefficients="coefficients", total="total")
    task = Phrase(
        "Find {count} non-negative integers, one for each coefficient, such that the products of the coefficients with their "
        "integers add up to the total. Make the sum of the {count} integers as small as possible.",
        "Multiply each of the {count} coefficients by a non-negative integer so that the products add up to the total. "
        "Choose the integers so that their own sum is as small as possible.",
        "Each of the {count} coefficients may be taken any number of times, so that all that are taken add up to the total. "
        "State how often each is taken. The sum of these {count} integers must be as small as possible.",
        held_out="Given coefficients a_1, ..., a_{count} and a total n, find integers x_i >= 0 with a_1*x_1 + ... + "
        "a_{count}*x_{count} = n that minimize x_1 + ... + x_{count}.",
    )
    rules = (
        Phrase(
            "An integer may be 0. Any solution with the smallest sum is accepted.",
            "Zeros are allowed. Any solution with the smallest sum counts.",
            "A coefficient may go unused, with the integer 0. Every solution with the smallest sum is correct.",
            held_out="x_i = 0 is allowed, and every minimizer is accepted.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A total that some integers reach, in which every coefficient occurs."""
        coefficients = rng.sample(range(p.largest // 3 + 1, p.largest + 1), p.count)
        most = p.times * p.largest
        counts = [1 + rng.below(most // (p.count * coefficient)) for coefficient in coefficients]
        total = sum(map(prod, zip(coefficients, counts, strict=True)))
        return {"coefficients": coefficients, "total": total, "count": p.count} if total > most // 3 else None

    def best(self, problem: JSON) -> Optimum | None:
        """By going through the largest coefficients."""
        value, ways = self._ways(problem)
        single = sum(count > 0 for count in ways[0]) < 2
        return None if single else Optimum(value, ways[0], self._combinations(problem))

    def worth(self, problem: JSON, witness: tuple[int, ...]) -> int | str:
        """The sum of a solution."""
        coefficients = problem["coefficients"]
        if len(witness) != len(coefficients) or min(witness) < 0:
            return f"Give {len(coefficients)} integers that are not negative, and then their sum."
        if sum(map(prod, zip(coefficients, witness, strict=True))) != problem["total"]:
            return "The products do not add up to the total."
        return sum(witness)

    def write(self, value: int, witness: Any) -> str:
        """The unknowns and their sum."""
        return ", ".join(map(str, [*witness, value]))

    def others(self, problem: JSON, witness: Any) -> list[list[int]]:
        """All solutions of the smallest sum."""
        return self._ways(problem)[1]

    def slips(self, problem: JSON, value: int, witness: Any) -> Iterator[tuple[int, Any]]:
        """Signs and orders that are wrong, and one too many."""
        yield from ((value, witness[::-1]), (value + 1, [witness[0] + 1, *witness[1:]]), (0, [0] * len(witness)))
        a, b, *_ = problem["coefficients"]
        longer = [witness[0] + b, witness[1] - a, *witness[2:]]
        yield sum(longer), longer

    def canonical(self, content: JSON) -> JSON:
        """The coefficients in ascending order."""
        return [sorted(content["coefficients"]), content["total"]]

    def example(self, problem: JSON) -> str:
        """As many integers as there are unknowns, and their sum."""
        return self.write(problem["count"], [1] * problem["count"])

    def effort(self, inst: Instance) -> float:
        """Combinations of all unknowns but one."""
        return float(self._combinations(inst.problem))

    def _combinations(self, problem: JSON) -> int:
        """Number of combinations of all unknowns but that of the smallest coefficient."""
        return prod(problem["total"] // coefficient + 1 for coefficient in sorted(problem["coefficients"])[1:])

    def _ways(self, problem: JSON) -> tuple[int, list[list[int]]]:
        """The smallest sum, and all solutions that have it."""
        order = sorted(range(problem["count"]), key=problem["coefficients"].__getitem__)
        found = least_total([problem["coefficients"][at] for at in order], problem["total"])
        assert found is not None
        return found[0], sorted([way[order.index(at)] for at in range(len(order))] for way in found[1])
