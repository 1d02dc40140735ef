"""digit-puzzles-v0: find the digits behind the letters of an equation.

Action: the digit of each letter. There is exactly one solution. Difficulty: longer numbers; effort is the number of digits that
a search through the columns tries. Problems with the same numbers are the same, whatever their letters, the order of their
summands and the known digits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from envhub.families.value import ProvedValue
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Variants, knob, levels
from envhub.generators.numbers import cryptarithms
from envhub.generators.numbers.cryptarithms import SHAPES, Puzzle
from envhub.generators.numbers.english import joined
from envhub.verifiers.answers.assignments import Assignments


def _puzzle(problem: Any) -> Puzzle:
    return Puzzle(problem["shape"], tuple(problem["addends"]), problem["times"], problem["total"], problem["given"])


def _line(problem: Any) -> str:
    return _puzzle(problem).equation()


def _spaced(problem: Any) -> str:
    return _puzzle(problem).equation().replace(" = ", "\n= ")


def _object(problem: Any) -> str:
    left, right = _puzzle(problem).equation().split(" = ")
    return json.dumps({"left_side": left, "right_side": right})


def _swapped(problem: Any) -> str:
    left, right = _puzzle(problem).equation().split(" = ")
    return f"{right} == {left}"


class DigitPuzzles(ProvedValue):
    """Find the digits behind letters."""

    Params = levels(
        size=knob("digits of the numbers that are added or multiplied", 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, at_least=2),
        nodes=knob(
            "digits that the search must try at least", 20, 36, 65, 115, 200, 340, 560, 900, 1450, 2300, at_most=4000
        ),
    )
    slow = True
    answer = Assignments()
    data = Variants(_line, _spaced, _object, held_out=_swapped, name="equation")
    task = Phrase(
        "In this equation, each letter stands for a digit. Find the digit of each letter.",
        "The letters of the equation replace digits. Which digit belongs to each letter?",
        "Solve this letter puzzle: give the digit that each letter of the equation stands for.",
        held_out="Determine the assignment of decimal digits to letters for which the equation is true.",
    )
    rules = (
        Phrase(
            "A letter stands for the same digit everywhere, and different letters stand for different digits.",
            "Equal letters are equal digits, and two different letters are never the same digit.",
            "Each letter has one digit from 0 to 9. No two letters have the same digit.",
            held_out="The map from letters to digits 0-9 is injective.",
        ),
        Phrase(
            "Letters next to each other form a number in decimal notation. A number of several digits does not start with 0. "
            "Every division is exact.",
            "Adjacent letters are the digits of one decimal number, whose first digit is not 0 if it has several digits. "
            "A division leaves no remainder.",
            "Read adjacent letters as one decimal number. No number with more than one digit has a leading zero. "
            "Quotients are integers.",
            held_out="Juxtaposed letters denote a decimal numeral; numerals of length 2 or more have a non-zero first digit. "
            "/ denotes exact division.",
        ),
    )
    note = Phrase(
        "There is exactly one solution.",
        "The solution is unique.",
        "Exactly one assignment of digits is possible.",
        held_out="A solution exists and is unique.",
    )
    _given = Phrase(
        "It is known that {given}. The answer must contain every letter, also the known ones.",
        "You may use that {given}. List all letters in the answer, also those that are known.",
        "As a hint, {given}. The answer covers all letters, with or without a hint.",
        held_out="Given: {given}. The answer covers all letters, whether given or not.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A puzzle that may have several solutions."""
        puzzle, solution = cryptarithms.draw(rng, rng.choice(list(SHAPES)), p.size)
        return {**puzzle._asdict(), "addends": list(puzzle.addends), "given": solution}

    def finish(self, rng: Stream, p: Any, problem: JSON) -> JSON:
        """The puzzle with enough known digits for one solution."""
        puzzle = _puzzle({**problem, "given": {}})
        settled = cryptarithms.settled(rng, puzzle, problem["given"], p.nodes, 2 * p.nodes)
        return None if settled is None else {**problem, "given": settled.given}

    def value(self, problem: JSON) -> dict[str, frozenset[Fraction]]:
        """By search."""
        [solution] = self._search(_puzzle(problem)).solutions
        return _named(solution)

    def write(self, value: dict[str, frozenset[Fraction]]) -> str:
        """As equations."""
        return ", ".join(f"{letter.upper()} = {digit}" for letter, digits in value.items() for digit in sorted(digits))

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The rules, and the digits that are known."""
        return (*self.rules, self._given) if problem["given"] else self.rules

    def values(self, problem: JSON) -> dict[str, str]:
        """The known digits in words."""
        return {"given": joined([f"{letter} = {digit}" for letter, digit in problem["given"].items()] or [""])}

    def slips(self, problem: JSON) -> Iterator[dict[str, frozenset[Fraction]]]:
        """Interchanged digits, two digits for a letter, and a missing letter."""
        right = self.value(problem)
        one, other, *_ = right
        yield {**right, one: right[other], other: right[one]}
        yield {**right, one: frozenset({*right[one], *right[other]})}
        yield {letter: digit for letter, digit in right.items() if letter != one}

    def canonical(self, content: JSON) -> JSON:
        """The numbers behind the letters, the summands in ascending order."""
        puzzle = _puzzle(content)
        solution = self._search(puzzle).solutions[0]
        numbers = ["".join(str(solution[sign]) for sign in word) for word in (*puzzle.addends, puzzle.times)]
        return [puzzle.shape, sorted(numbers[:-1]), numbers[-1]]

    def form(self, problem: JSON) -> str:
        """The shape of the equation."""
        return str(problem["shape"])

    def example(self, problem: JSON) -> str:
        """A digit for each letter, in ascending order from 0."""
        return ", ".join(f"{letter} = {at % 10}" for at, letter in enumerate(_puzzle(problem).letters()))

    def effort(self, inst: Instance) -> float:
        """Digits that the search tries."""
        return float(self._search(_puzzle(inst.problem)).nodes)

    def _search(self, puzzle: Puzzle) -> cryptarithms.Search:
        return cryptarithms.search(puzzle, 2, 10**6)


def _named(solution: dict[str, int]) -> dict[str, frozenset[Fraction]]:
    return {letter.lower(): frozenset({Fraction(digit)}) for letter, digit in solution.items()}
