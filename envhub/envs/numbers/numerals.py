"""roman-and-number-words-v0: convert and add digits, Roman numerals and number words.

Action: one number in the requested notation. Difficulty: larger numbers, then several of them in different notations; effort is
the number of symbols that are read and written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from envhub.families.renderings import listed
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers.english import MOST_ROMAN, VOCABULARY, read, roman, words
from envhub.verifiers.answers.numerals import Numeral

_WRITE: Mapping[str, Callable[[int], str]] = {"in digits": str, "as a Roman numeral": roman, "in English words": words}
_ASKED = {
    "only": "the given number",
    "sum": "the sum of all the numbers",
    "difference": "the first number minus all the others",
}


class Numerals(Value):
    """Convert, add and subtract numbers in three notations."""

    Params = levels(
        count=knob("how many numbers", 1, 1, 2, 2, 3, 4, 5, 6, 8, 10),
        digits=knob(
            "most digits of a number; Roman numerals end at 3999", 4, 6, 4, 6, 6, 6, 7, 8, 8, 9, at_least=3, at_most=11
        ),
    )
    answer = Numeral()
    data = listed("numbers", "number", "; ")
    task = Phrase(
        "Find {asked}. Write it {target}.",
        "Write {asked} {target}.",
        "What is {asked}? Answer {target}.",
        held_out="Determine {asked}. The result must be written {target}.",
    )
    _roman = Phrase(
        "Roman numerals use the usual subtractive notation, such as IV for 4 and XC for 90.",
        "In Roman numerals, 4 is IV, 9 is IX, 40 is XL, 90 is XC, 400 is CD and 900 is CM.",
        "The Roman numerals are the standard ones, in which a smaller letter before a larger one is subtracted.",
        held_out="Standard Roman numerals apply: I, IV, V, IX, X, XL, L, XC, C, CD, D, CM, M in their canonical order.",
    )
    _words = Phrase(
        "In words, a billion is 1,000 million. Hyphens, commas and the word 'and' do not matter.",
        "For number words, one billion means 10^9. You may leave out hyphens, commas and 'and'.",
        "Number words use the short scale, in which a billion is 10^9. Hyphens, commas and 'and' are ignored.",
        held_out="Words follow the short scale (billion = 10^9), and 'and', commas and hyphens are insignificant.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Numbers in random notations, and another notation for the answer."""
        numbers = []
        for source in [rng.choice(list(_WRITE)) for _ in range(p.count)]:
            size = 4 if source == "as a Roman numeral" else rng.between(p.digits - 1, p.digits)
            most = MOST_ROMAN if source == "as a Roman numeral" else 10**size - 1
            numbers.append(_WRITE[source](rng.between(10 ** (size - 1) // 2, most)))
        asked = "only" if p.count == 1 else rng.choice(("sum", "difference"))
        found = {"numbers": numbers, "asked": asked, "target": rng.choice(list(_WRITE))}
        value = _total(found)
        trivial = value < 100 or (found["target"] == "as a Roman numeral" and value > MOST_ROMAN)
        return None if trivial or self.value(found) in numbers else found

    def value(self, problem: JSON) -> str:
        """The result in its notation."""
        return self.answer.parse(_WRITE[problem["target"]](_total(problem)))

    def write(self, value: str) -> str:
        """A Roman numeral in capitals."""
        return value.upper() if set(value) <= set("ivxlcdm") else value

    def example(self, problem: JSON) -> str:
        """A number in the requested notation."""
        return _WRITE[problem["target"]](1763)

    def values(self, problem: JSON) -> dict[str, str]:
        """The question in words."""
        return {"asked": _ASKED[problem["asked"]]}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """What the notations mean that occur."""
        texts = [*problem["numbers"], self.value(problem)]
        return (
            *([self._roman] if any(text.isalpha() and text.lower() not in VOCABULARY for text in texts) else []),
            *([self._words] if any(set(text.replace("-", " ").split()) & VOCABULARY for text in texts) else []),
        )

    def slips(self, problem: JSON) -> list[str]:
        """Other operations, neighbours, and the right number in another notation."""
        values, right = list(map(read, problem["numbers"])), _total(problem)
        near = [sum(values), values[0], right + 1, right - 1, right + 10, right - values[-1], right * 10]
        usable = [number for number in near if 0 < number <= MOST_ROMAN or problem["target"] != "as a Roman numeral"]
        texts = [_WRITE[problem["target"]](number) for number in usable if number > 0]
        others = [write(right) for kind, write in _WRITE.items() if kind != problem["target"] and right <= MOST_ROMAN]
        return list(map(self.answer.parse, [*texts, *others]))

    def canonical(self, content: JSON) -> JSON:
        """The numbers in ascending order, and the notation of the answer.

        The first number of a difference keeps its place.
        """
        first, *rest = map(read, content["numbers"])
        known = [first, sorted(rest)] if content["asked"] == "difference" else sorted([first, *rest])
        return [content["asked"], known, content["target"]]

    def effort(self, inst: Instance) -> float:
        """Digits, letters of Roman numerals, and words that occur."""
        return float(sum(map(_symbols, [*inst.problem["numbers"], inst.key])))


def _total(problem: JSON) -> int:
    first, *rest = map(read, problem["numbers"])
    return first - sum(rest) if problem["asked"] == "difference" else first + sum(rest)


def _symbols(text: str) -> int:
    return len(text.replace("-", " ").split()) if " " in text else len(text)
