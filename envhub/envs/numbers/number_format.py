"""number-format-v0: find a number of given rank among different notations.

Action: one decimal. Difficulty: more and longer numbers, closer to each other; effort is the number of digits that are
compared. The order of the numbers does not change the problem.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.renderings import listed
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers import decimals
from envhub.generators.numbers.notations import NOTATIONS
from envhub.verifiers.answers.numerals import Decimal


class NumberFormat(Value):
    """Find the number of a given rank."""

    Params = levels(
        count=knob("how many numbers", 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, at_least=2, at_most=26),
        digits=knob("digits of each number", 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, at_least=3, at_most=20),
        shared=knob("leading digits that all numbers share", 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, at_most=8),
    )
    answer = Decimal()
    data = listed("numbers", "number", "; ")
    task = Phrase(
        "Find the {rank} of these {count} numbers, and write it as a plain decimal.",
        "Which of the {count} numbers is the {rank}? Give it as a plain decimal.",
        "Compare the {count} numbers and report the {rank} one as a plain decimal.",
        held_out="Order the {count} given numbers by value. Determine the {rank} one, in plain decimal notation.",
    )
    rules = (
        Phrase(
            "In these numbers, a point separates the decimals and commas group thousands. {meanings}",
            "The decimal separator is a point, and commas only group digits. {meanings}",
            "Commas group the digits by thousands, and a point starts the decimals. {meanings}",
            held_out="Notation: point for decimals, comma for groups of three digits. {meanings}",
        ),
    )

    def check(self, p: Any) -> None:
        """At least two digits must differ."""
        if p.shared > p.digits - 2:
            raise InvalidParameters(f"`shared` must be at most `digits` - 2, got {p.shared} with {p.digits} digits.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Different numbers of the same size, each in a random notation."""
        shared, rest = 10**p.shared, 10 ** (p.digits - p.shared)
        start = rng.between(shared // 10, shared - 1) * rest if p.shared else 0
        scale = Fraction(10) ** rng.between(-p.digits, 3)
        values = [(start + rng.between(rest // 10, rest - 1)) * scale for _ in range(p.count)]
        if len(set(values)) < p.count:
            return None
        kinds = [rng.choice(list(NOTATIONS)) for _ in range(p.count)]
        numbers = [NOTATIONS[kind].write(value) for kind, value in zip(kinds, values, strict=True)]
        place = rng.below(min(p.count, 4))
        order = rng.choice(("largest", "smallest"))
        found = {"numbers": numbers, "kinds": kinds, "place": place, "order": order, "count": p.count}
        plain = decimals.write(self.value(found))
        return None if any(plain in number for number in numbers) else found

    def value(self, problem: JSON) -> Fraction:
        """By exact comparison."""
        return self._sorted(problem)[int(problem["place"])]

    def write(self, value: Fraction) -> str:
        """As a plain decimal."""
        return decimals.write(value)

    def values(self, problem: JSON) -> dict[str, str]:
        """The rank in words, and what the notations mean."""
        place = ("", "second-", "third-", "fourth-")[problem["place"]]
        meanings = [NOTATIONS[kind].meaning for kind in NOTATIONS if kind in problem["kinds"]]
        return {"rank": place + problem["order"], "meanings": " ".join(filter(None, meanings))}

    def slips(self, problem: JSON) -> list[Fraction]:
        """The other numbers, and a shifted point."""
        return [*self._sorted(problem), self.value(problem) * 10, self.value(problem) / 10]

    def canonical(self, content: JSON) -> JSON:
        """The numbers in ascending order; their notations do not count."""
        return [[str(value) for value in sorted(self._sorted(content))], content["place"], content["order"]]

    def effort(self, inst: Instance) -> float:
        """Digits of all numbers."""
        return float(sum(sum(map(str.isdigit, number)) for number in inst.problem["numbers"]))

    def _sorted(self, problem: JSON) -> list[Fraction]:
        pairs = zip(problem["kinds"], problem["numbers"], strict=True)
        return sorted((NOTATIONS[kind].read(text) for kind, text in pairs), reverse=problem["order"] == "largest")
