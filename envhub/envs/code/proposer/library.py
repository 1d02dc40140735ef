"""The candidate functions that the rule-based solver of induction tasks tries.

A candidate is a base of the argument followed by up to two steps. Candidates that agree on the whole domain are one. The
table is made once per kind of argument; a candidate is its row of results on the domain::

    made = library("int")
    made.rows[17]                        # its results, in the order of the domain
    made.agreeing([([3], 7), ([5], 11)]) # the numbers of the candidates with these results
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from envhub.envs.code.proposer.arguments import NAMES, domain

Step = tuple[str, Callable[[Any], Any]]
_STEPS: Final = (
    "followed by up to two steps: add a constant from -6 to 6, multiply by 2 to 7, divide by 2 to 5 (//), take the remainder "
    "by 2 to 9, negate, square, absolute value"
)
WORDS: Final[dict[str, str]] = {
    "int": f"n, {_STEPS}",
    "pair": f"a + b, a - b, a * b, the larger, the smaller, a or b, {_STEPS}",
    "list": f"the sum, the largest, the smallest, the length, the first or last item, or the count of 0 or of 1, {_STEPS}",
    "text": "s, followed by up to two steps: reverse, double, sort, upper case, leave out the first or last letter, put one "
    "letter from a to e in front or behind, or replace one letter from a to e by another one",
}
RETURNS: Final[dict[str, str]] = {"int": "int", "pair": "int", "list": "int", "text": "str"}


@dataclass(frozen=True)
class Library:
    """Candidates for an argument.

    Attributes:
        sources: The bodies of the candidates as Python expressions.
        rows: Their results on the domain.
        places: Numbers of the argument lists in the domain, by their text.
        columns: Candidates by result, for the places that were asked for.
    """

    sources: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    places: dict[str, int]
    columns: dict[int, dict[Any, list[int]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def agreeing(self, pairs: Iterable[tuple[list[Any], Any]]) -> list[int]:
        """Numbers of the candidates that give these results, with their types."""
        numbers: list[int] | None = None
        for given, value in pairs:
            at = self.places[repr(given)]
            if type(value) is not type(self.rows[0][at]):
                return []
            if numbers is None:
                numbers = self._column(at).get(value, [])
            else:
                numbers = [number for number in numbers if self.rows[number][at] == value]
        return list(range(len(self))) if numbers is None else numbers

    def _column(self, at: int) -> dict[Any, list[int]]:
        """The candidates by their result at a place."""
        if at not in self.columns:
            column: dict[Any, list[int]] = {}
            for number, row in enumerate(self.rows):
                column.setdefault(row[at], []).append(number)
            self.columns[at] = column
        return self.columns[at]


@cache
def library(kind: str) -> Library:
    """All candidates for a kind of argument, without repetitions."""
    everything = domain(kind)
    steps: list[Step] = _text_steps() if kind == "text" else _number_steps()
    found: dict[tuple[Any, ...], str] = {}
    layer: dict[tuple[Any, ...], str] = {}
    for text, base in _bases(kind):
        layer.setdefault(tuple(base(given) for given in everything), text)
    for left in (2, 1, 0):
        found |= {row: text for row, text in layer.items() if row not in found}
        if not left:
            break
        following: dict[tuple[Any, ...], str] = {}
        for row, text in layer.items():
            for shape, step in steps:
                following.setdefault(tuple(map(step, row)), shape.replace("@", f"({text})"))
        layer = {row: text for row, text in following.items() if row not in found}
    rows = [row for row in found if len(set(row)) > 2]
    places = {repr(given): at for at, given in enumerate(everything)}
    return Library(tuple(found[row] for row in rows), tuple(rows), places)


def _bases(kind: str) -> list[tuple[str, Callable[[list[Any]], Any]]]:
    match kind:
        case "pair":
            return [
                ("a + b", lambda given: given[0] + given[1]),
                ("a - b", lambda given: given[0] - given[1]),
                ("a * b", lambda given: given[0] * given[1]),
                ("max(a, b)", max),
                ("min(a, b)", min),
                ("a", lambda given: given[0]),
                ("b", lambda given: given[1]),
            ]
        case "list":
            return [
                ("sum(xs)", lambda given: sum(given[0])),
                ("max(xs)", lambda given: max(given[0])),
                ("min(xs)", lambda given: min(given[0])),
                ("len(xs)", lambda given: len(given[0])),
                ("xs[0]", lambda given: given[0][0]),
                ("xs[-1]", lambda given: given[0][-1]),
                *[(f"xs.count({item})", lambda given, item=item: given[0].count(item)) for item in range(2)],
            ]
    return [(NAMES[kind][0], lambda given: given[0])]


def _number_steps() -> list[Step]:
    small = [number for number in range(-6, 7) if number]
    return [
        *[(f"@ + {by}", lambda value, by=by: value + by) for by in small],
        *[(f"@ * {by}", lambda value, by=by: value * by) for by in range(2, 8)],
        *[(f"@ // {by}", lambda value, by=by: value // by) for by in range(2, 6)],
        *[(f"@ % {by}", lambda value, by=by: value % by) for by in range(2, 10)],
        ("-@", lambda value: -value),
        ("@ * @", lambda value: value * value),
        ("abs(@)", abs),
    ]


def _text_steps() -> list[Step]:
    letters = "abcde"
    return [
        ("@[::-1]", lambda text: text[::-1]),
        ("@ * 2", lambda text: text * 2),
        ("''.join(sorted(@))", lambda text: "".join(sorted(text))),
        ("@.upper()", str.upper),
        ("@[1:]", lambda text: text[1:]),
        ("@[:-1]", lambda text: text[:-1]),
        *[(f"'{letter}' + @", lambda text, letter=letter: letter + text) for letter in letters],
        *[(f"@ + '{letter}'", lambda text, letter=letter: text + letter) for letter in letters],
        *[
            (f"@.replace('{old}', '{new}')", lambda text, old=old, new=new: text.replace(old, new))
            for old in letters
            for new in letters
            if old != new
        ],
    ]
