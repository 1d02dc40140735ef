"""Puzzles with letters for digits: drawing, solving and proving uniqueness.

A puzzle says that the sum of some numbers, multiplied by another number, equals a total. Numbers are texts of capital letters.
The search goes through the columns from the right and counts the digits that it tries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
_LEAST_HIDDEN: Final = 3


class Puzzle(NamedTuple):
    """A puzzle.

    Attributes:
        shape: One of :data:`SHAPES`.
        addends: The numbers that are added.
        times: The number that their sum is multiplied by; empty for 1.
        total: The result.
        given: Digits that are revealed, by letter.
    """

    shape: str
    addends: tuple[str, ...]
    times: str
    total: str
    given: Mapping[str, int]

    def equation(self) -> str:
        """The puzzle on one line, as its shape writes it."""
        return SHAPES[self.shape].equation.format(*self.addends, times=self.times, total=self.total)

    def letters(self) -> list[str]:
        """The letters, in alphabetical order."""
        return sorted({sign for sign in "".join((*self.addends, self.times, self.total)) if sign.isalpha()})


class Shape(NamedTuple):
    """A kind of puzzle.

    Attributes:
        addends: How many numbers are added.
        factor: Digits of the number that their sum is multiplied by; 0 for none.
        equation: How it is written, with the numbers as ``{0}``, ``{1}``, ... and ``{times}`` and ``{total}``.
        repeated: The first two numbers are the same.
    """

    addends: int
    factor: int
    equation: str
    repeated: bool = False


SHAPES: Final[Mapping[str, Shape]] = {
    "sum": Shape(2, 0, "{0} + {1} = {total}"),
    "difference": Shape(2, 0, "{total} - {0} = {1}"),
    "sum of three": Shape(3, 0, "{0} + {1} + {2} = {total}"),
    "sum with a repeated number": Shape(3, 0, "{0} + {1} + {2} = {total}", True),
    "multiple": Shape(1, 1, "{0} * {times} = {total}"),
    "product": Shape(1, 2, "{0} * {times} = {total}"),
    "quotient": Shape(1, 1, "{total} / {times} = {0}"),
    "long quotient": Shape(1, 2, "{total} / {times} = {0}"),
    "multiple of a sum": Shape(2, 1, "({0} + {1}) * {times} = {total}"),
    "multiple of a difference": Shape(2, 1, "{total} / {times} - {0} = {1}"),
}
"""All shapes."""


class Search(NamedTuple):
    """Result of a search.

    Attributes:
        solutions: Those found.
        nodes: Number of digits tried.
    """

    solutions: list[dict[str, int]]
    nodes: int


def search(puzzle: Puzzle, limit: int, budget: int) -> Search:
    """The first ``limit`` solutions of a puzzle.

    The search ends early when more than ``budget`` digits were tried.
    """
    return _Columns(puzzle, limit, budget).run()


class _Columns:
    """A search through the columns from the right."""

    def __init__(self, puzzle: Puzzle, limit: int, budget: int) -> None:
        self.puzzle, self.limit, self.budget = puzzle, limit, budget
        self.digits: dict[str, int] = {str(digit): digit for digit in range(10)} | dict(puzzle.given)
        self.used = set(puzzle.given.values())
        words = (*puzzle.addends, puzzle.times, puzzle.total)
        self.leading = {word[0] for word in words if len(word) > 1}
        self.solutions: list[dict[str, int]] = []
        self.nodes = 0

    def run(self) -> Search:
        """Search the multiplier first, then the columns."""
        self._assign([*self.puzzle.times], self._start)
        return Search(self.solutions, self.nodes)

    def _start(self) -> None:
        self.factor = int("".join(str(self.digits[sign]) for sign in self.puzzle.times) or "1")
        self._column(0, 0)

    def _column(self, at: int, carry: int) -> None:
        """Try the digits of a column; columns are counted from the right."""
        total = self.puzzle.total
        if at == len(total):
            if carry == 0:
                self.solutions.append({letter: self.digits[letter] for letter in self.puzzle.letters()})
            return
        signs = [word[-1 - at] for word in self.puzzle.addends if at < len(word)]

        def add() -> None:
            carried, digit = divmod(self.factor * sum(self.digits[sign] for sign in signs) + carry, 10)
            self._place(total[-1 - at], digit, lambda: self._column(at + 1, carried))

        self._assign(signs, add)

    def _assign(self, signs: Sequence[str], then: Any) -> None:
        """Try all digits for the signs that have none."""
        if self.nodes > self.budget or len(self.solutions) >= self.limit:
            return
        free = next((at for at, sign in enumerate(signs) if sign not in self.digits), None)
        if free is None:
            then()
            return
        for digit in range(10):
            self._place(signs[free], digit, lambda: self._assign(signs[free + 1 :], then))

    def _place(self, sign: str, digit: int, then: Any) -> None:
        """Continue with a digit for a sign, if it is allowed."""
        self.nodes += 1
        if sign in self.digits:
            if self.digits[sign] == digit:
                then()
            return
        if digit in self.used or (digit == 0 and sign in self.leading):
            return
        self.digits[sign] = digit
        self.used.add(digit)
        then()
        del self.digits[sign]
        self.used.discard(digit)


def draw(rng: Stream, shape: str, size: int) -> tuple[Puzzle, dict[str, int]]:
    """A puzzle of one of the :data:`SHAPES`, with one of its solutions.

    Args:
        rng: Source of randomness.
        shape: What is added and multiplied.
        size: Digits of the numbers that are added.
    """
    count, factor = SHAPES[shape].addends, SHAPES[shape].factor
    numbers = [rng.between(10 ** (size - 1), 10**size - 1) for _ in range(count)]
    if SHAPES[shape].repeated:
        numbers[1] = numbers[0]
    times = rng.between(max(2, 10 ** (factor - 1)), 10**factor - 1) if factor else 1
    texts = [str(number) for number in (*numbers, times, sum(numbers) * times)]
    signs = sorted({sign for text in [*texts[:-2], *texts[-2 if factor else -1 :]] for sign in text})
    names = dict(zip(signs, rng.sample(LETTERS, len(signs)), strict=True))
    *addends, multiplier, total = ("".join(names.get(sign, sign) for sign in text) for text in texts)
    return Puzzle(shape, tuple(addends), multiplier if factor else "", total, {}), {
        names[sign]: int(sign) for sign in signs
    }


def settled(rng: Stream, puzzle: Puzzle, solution: Mapping[str, int], least: int, most: int) -> Puzzle | None:
    """The puzzle with enough revealed digits for a unique solution.

    The search that proves it tries ``least`` to ``most`` digits.

    Returns:
        The puzzle, with at least three letters left to find; None if there is no way found.
    """
    hidden = puzzle.letters()
    rng.shuffle(hidden)
    while len(hidden) >= _LEAST_HIDDEN:
        found = search(puzzle, 2, most)
        others = [other for other in found.solutions if other != solution]
        if found.nodes <= most and not others:
            return puzzle if found.nodes >= least else None
        telling = (letter for letter in hidden if others and others[0][letter] != solution[letter])
        letter = next(telling, hidden[0])
        hidden.remove(letter)
        puzzle = puzzle._replace(given=dict(sorted({**puzzle.given, letter: solution[letter]}.items())))
    return None
