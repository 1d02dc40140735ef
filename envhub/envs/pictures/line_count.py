"""line-count-v0: count lines of equal symbols on a board.

Action: the number of lines of each symbol, in the stated order: ``3, 0, 2``, or each with its symbol: ``A: 3, B: 0``. A line is
a longest run of two or more equal symbols in a row or column. Difficulty: larger boards and more symbols; effort is the number
of pairs of neighbours. Rotations and reflections are the same problem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby, pairwise
from typing import Any, ClassVar, Final

from envhub.authoring.wording import in_picture
from envhub.core.types import Verdict
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.cells.board import TURNS, turned
from envhub.scenes import Scene
from envhub.scenes.figures import LETTERED, figured
from envhub.verifiers.answers.items import Items
from envhub.verifiers.answers.types import Unreadable

_LABEL: Final = re.compile(r"(?:^|(?<=[,;\n]))\s*(?:[-*\u2022]\s+)?([A-Za-z]+(?: [A-Za-z]+)?)\s{0,4}[:=]")


@dataclass(frozen=True)
class Counts(Items):
    """Numbers in order, or each with its symbol.

    The value of the latter has pairs of symbol and number.
    """

    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("3, 0", "[3, 0]", "3; 0", "3\n0"),
        ("A: 3, B: 0", "a=3, b=0", "[A: 3; B: 0]", "A: 3\nB: 0", "{A: 3, B: 0}"),
        *(("B: 3, A: 0",), ("0, 3",), ("red circle: 3, blue star: 0", "Red circle = 3; blue star = 0")),
    )
    refused: ClassVar[Sequence[str]] = (
        "A: 3, 0",
        "3, B: 0",
        "A: 3, A: 0",
        "A: B, B: 0",
        "A 3, B 0",
        "A: 3: 4",
        "A:",
        "",
    )

    def parse(self, text: str) -> tuple[Any, ...]:
        """The numbers of a span, or its pairs."""
        labels = [" ".join(label.lower().split()) for label in _LABEL.findall(text.strip().strip("[](){}"))]
        if not labels:
            found = super().parse(text)
            if not all(isinstance(item, Fraction) for item in found):
                raise Unreadable("write numbers, or each number after its symbol and a colon.")
            return found
        numbers = super().parse(_LABEL.sub("", text.strip().strip("[](){}")))
        if len(set(labels)) != len(labels) or len(numbers) != len(labels):
            raise Unreadable("write every symbol once, each with its number.")
        if not all(isinstance(number, Fraction) for number in numbers):
            raise Unreadable("write a number after each symbol.")
        return tuple(zip(labels, numbers, strict=True))

    def random(self, rng: Stream) -> str:
        """Three small numbers."""
        return ", ".join(str(rng.below(10)) for _ in range(3))


def _looks_of(symbol: str) -> str:
    return f"{LETTERED[symbol][1]} {LETTERED[symbol][0]}"


def lines(board: Sequence[str], least: int = 2) -> dict[str, int]:
    """The number of lines of each symbol."""
    found = dict.fromkeys(sorted(set("".join(board))), 0)
    for line in chain(board, zip(*board, strict=True)):
        for symbol, run in groupby(line):
            found[symbol] += len(list(run)) >= least
    return found


def _order(problem: JSON) -> str:
    return f"Give the numbers in this order: {', '.join(problem['order'])}."


def _looks(problem: JSON) -> str:
    return f"Give the numbers in this order: {', '.join(map(_looks_of, problem['order']))}."


def _drawn(problem: JSON) -> str:
    return (
        "The board, one letter per symbol:\n\n" + "\n".join(map(" ".join, problem["board"])) + f"\n\n{_order(problem)}"
    )


def _as_json(problem: JSON) -> str:
    return (
        f"The rows of the board as JSON, one letter per symbol:\n\n{json.dumps(problem['board'])}\n\n{_order(problem)}"
    )


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {' '.join(row)}" for at, row in enumerate(problem["board"], 1))
    return f"{_order(problem)} Letters are symbols.\n\n{rows}"


def _table(problem: JSON) -> str:
    rows = [f"| {' | '.join(row)} |" for row in problem["board"]]
    return "\n".join(["Board (a letter denotes a symbol):", "", *rows, "", _order(problem)])


class LineCount(Value):
    """Count lines of equal symbols on a board."""

    Params = levels(
        height=knob("number of rows", 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, at_least=2, at_most=20),
        width=knob("number of columns", 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, at_least=2, at_most=20),
        symbols=knob("number of symbols", 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, at_least=2, at_most=7),
    )
    answer = Counts(asked="the numbers of lines in the stated order, separated by commas,", shown="17, 5, 9")
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    task = Phrase(
        "How many lines of equal symbols are there on this board? Count them for each symbol.",
        "Count the lines that each symbol forms on this board.",
        "For each symbol, find the number of lines on the board that consist of it.",
        held_out="Determine, for every symbol, the number of its lines on the board.",
    )
    rules = (
        Phrase(
            "A line consists of two or more equal symbols next to each other in one row or in one column.",
            "Two or more equal symbols side by side in a row or in a column form a line.",
            "Equal symbols that follow each other in a row or a column without a gap are a line, if there are at least two.",
            held_out="A line is a horizontal or vertical sequence of at least two consecutive equal symbols.",
        ),
        Phrase(
            "A line goes as far as it can: three equal symbols in a row are one line, not two.",
            "Lines cannot be extended. So a run of three equal symbols counts once.",
            "Count every run at its full length only, as one line.",
            held_out="Only maximal sequences are counted.",
        ),
        Phrase(
            "A symbol may belong to a line in its row and to another line in its column. Diagonals do not count.",
            "Lines in rows and lines in columns are counted separately, also where they cross. There are no diagonal lines.",
            "Rows and columns both count, and a symbol can be part of a line in each. Diagonals are ignored.",
            held_out="Horizontal and vertical lines are distinct even if they share a cell; diagonals are disregarded.",
        ),
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_table,
        name="board",
        seen=in_picture(
            "The picture shows the board. Symbols are equal if shape and colour are.",
            "See the picture for the board; equal symbols have the same shape and colour.",
            "The board is drawn in the picture. A symbol is a shape with its colour.",
            held_out="The attached figure depicts the board; a symbol is a shape with a colour.",
            rest=_looks,
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random symbols, each with a line."""
        names = rng.sample(list(LETTERED)[:7], p.symbols)
        board = ["".join(rng.choice(names) for _ in range(p.width)) for _ in range(p.height)]
        found = lines(board)
        return {"board": board, "order": names} if len(found) == p.symbols and all(found.values()) else None

    def value(self, problem: JSON) -> tuple[Fraction, ...]:
        """By grouping the symbols of each row and column."""
        found = lines(problem["board"])
        return tuple(Fraction(found[symbol]) for symbol in problem["order"])

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Compare the numbers; those with symbols by symbol."""
        if value and isinstance(value[0], tuple):
            given = dict(value)
            for names in (map(str.lower, inst.problem["order"]), map(_looks_of, inst.problem["order"])):
                order = list(names)
                if set(given) == set(order):
                    return super().grade(inst, tuple(given[name] for name in order))
        return super().grade(inst, value)

    def slips(self, problem: JSON) -> Iterator[tuple[Fraction, ...]]:
        """Lines of three only, pairs, rows only, and another order."""
        board, order = problem["board"], problem["order"]
        pairs = [a for line in chain(board, zip(*board, strict=True)) for a, b in pairwise(line) if a == b]
        rows = [symbol for row in board for symbol, run in groupby(row) if len(list(run)) > 1]
        yield tuple(Fraction(lines(board, 3)[symbol]) for symbol in order)
        yield from (tuple(Fraction(some.count(symbol)) for symbol in order) for some in (pairs, rows))
        right = self.value(problem)
        yield (right[1], right[0], *right[2:])

    def canonical(self, content: JSON) -> JSON:
        """Symbols numbered in the asked order, in the least rotation or reflection."""
        height, width, numbers = len(content["board"]), len(content["board"][0]), content["order"]
        cells = [numbers.index(symbol) for row in content["board"] for symbol in row]
        return min([width if turn & 1 else height, list(turned(cells, height, width, turn))] for turn in TURNS)

    def example(self, problem: JSON) -> str:
        """Numbers that are not the answer."""
        return ", ".join(str(at % 2) for at in range(len(problem["order"])))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The symbols as figures."""
        return figured(inst.problem["board"])

    def effort(self, inst: Instance) -> float:
        """Pairs of neighbours."""
        height, width = len(inst.problem["board"]), len(inst.problem["board"][0])
        return float(height * (width - 1) + width * (height - 1))
