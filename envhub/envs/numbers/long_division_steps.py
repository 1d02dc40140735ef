"""long-division-steps-v0: carry out a long division and report every step.

Action: three integers for each digit of the dividend; every one is judged. Difficulty: longer dividends and divisors; effort
is the number of digits that the steps write.
"""

from __future__ import annotations

from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.verifiers.answers.numerals import Integers


class LongDivisionSteps(Value):
    """Carry out a long division step by step."""

    Params = levels(
        dividend=knob("digits of the dividend", 3, 4, 5, 5, 6, 7, 8, 9, 11, 14, at_least=2, at_most=60),
        divisor=knob("digits of the divisor", 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, at_most=12),
    )
    answer = Integers(asked="one line for each digit of the dividend, with three integers separated by commas,")
    data = labelled(dividend="dividend", divisor="divisor")
    task = Phrase(
        "Divide the dividend by the divisor by long division, and report every step.",
        "Carry out the long division of the dividend by the divisor. Report all of its steps.",
        "Do a long division of the dividend by the divisor and write down each step.",
        held_out="Run schoolbook long division on the dividend and the divisor. Determine its complete trace.",
    )
    rules = (
        Phrase(
            "Process the digits of the dividend from left to right. The remainder before the first step is 0.",
            "Start with the remainder 0 and take the digits of the dividend one after the other, from the left.",
            "There is one step for each digit of the dividend, from left to right; the first step starts with remainder 0.",
            held_out="Let r = 0. Iterate over the digits d of the dividend, the most significant first.",
        ),
        Phrase(
            "In each step, multiply the remainder by 10 and add the digit. This is the first integer of the line.",
            "A line starts with ten times the previous remainder plus the digit of the step.",
            "The first integer of each line is the previous remainder followed by the digit: 10 * remainder + digit.",
            held_out="The first entry of a line is n = 10*r + d.",
        ),
        Phrase(
            "The second integer is how many times the divisor goes into it, and the third is the new remainder. Both may be 0.",
            "Then write how often the divisor fits into that number, and the new remainder. Both may be 0.",
            "The other two are the digit of the quotient, also if it is 0, and the remainder that is left.",
            held_out="The other entries are q = floor(n / divisor) and the new r = n - q*divisor; zeros are written.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A dividend that is larger than its divisor."""
        dividend, divisor = (rng.between(10 ** (size - 1), 10**size - 1) for size in (p.dividend, p.divisor))
        return None if divisor < 3 or dividend < 2 * divisor else {"dividend": dividend, "divisor": divisor}

    def value(self, problem: JSON) -> tuple[int, ...]:
        """Step by step."""
        rest, found = 0, []
        for digit in str(problem["dividend"]):
            part = 10 * rest + int(digit)
            quotient, rest = divmod(part, problem["divisor"])
            found += [part, quotient, rest]
        return tuple(found)

    def write(self, value: tuple[int, ...]) -> str:
        """One step a line."""
        return "\n".join(", ".join(map(str, value[at : at + 3])) for at in range(0, len(value), 3))

    def slips(self, problem: JSON) -> list[tuple[int, ...]]:
        """Missing steps, a wrong digit, and interchanged columns."""
        found = self.value(problem)
        swapped = tuple(found[at + step] for at in range(0, len(found), 3) for step in (0, 2, 1))
        return [found[3:], found[:-3], (*found[:-1], found[-1] + 1), swapped, found[1::3], found[-2:]]

    def example(self, problem: JSON) -> str:
        """As many steps as the dividend has digits."""
        return "\n".join(["1, 0, 1"] * len(str(problem["dividend"])))

    def effort(self, inst: Instance) -> float:
        """Digits of all steps."""
        return float(len("".join(map(str, self.value(inst.problem)))))
