"""symbol-sums-v0: find column sums of a grid from its row sums.

Action: the sums of all columns, ``12, 3, -15``. Each symbol of the grid stands for a whole number, and the sum of every row is
given. There are enough independent rows that the value of each symbol follows. Difficulty: more symbols, a larger grid, and
negative values from level 6 on; effort is the number of multiplications of an elimination. Names of symbols are not
content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from envhub.authoring.wording import counted, in_picture
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.scenes import Scene
from envhub.scenes.figures import LETTERED, figured
from envhub.verifiers.answers.items import Items


@lru_cache(maxsize=64)
def solved(rows: tuple[str, ...], sums: tuple[int, ...]) -> tuple[dict[str, Fraction], int] | None:
    """The value of each symbol, and the number of multiplications.

    None if the rows leave a symbol open.
    """
    symbols = sorted(set("".join(rows)))
    table = [
        [Fraction(row.count(symbol)) for symbol in symbols] + [Fraction(total)]
        for row, total in zip(rows, sums, strict=True)
    ]
    made = 0
    for at in range(len(symbols)):
        pivot = next((row for row in range(at, len(table)) if table[row][at]), None)
        if pivot is None:
            return None
        table[at], table[pivot] = table[pivot], table[at]
        table[at] = [value / table[at][at] for value in table[at]]
        made += len(symbols) + 1 - at
        for row in range(len(table)):
            factor = table[row][at]
            if row != at and factor:
                table[row] = [one - factor * other for one, other in zip(table[row], table[at], strict=True)]
                made += len(symbols) + 1 - at
    return {symbol: table[at][-1] for at, symbol in enumerate(symbols)}, made


def _columns(rows: Sequence[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]


def _drawn(problem: JSON) -> str:
    rows = "\n".join(f"{' '.join(row)} = {total}" for row, total in zip(problem["rows"], problem["sums"], strict=True))
    return f"The rows with their sums; each letter is a symbol:\n\n{rows}"


def _as_json(problem: JSON) -> str:
    shown = [{"row": list(row), "sum": total} for row, total in zip(problem["rows"], problem["sums"], strict=True)]
    return f"The rows from top to bottom as JSON, each letter is a symbol:\n\n{json.dumps(shown)}"


def _added(problem: JSON) -> str:
    rows = zip(problem["rows"], problem["sums"], strict=True)
    return "\n".join(f"Row {at}: {' + '.join(row)} = {total}" for at, (row, total) in enumerate(rows, 1))


def _table(problem: JSON) -> str:
    width = len(problem["rows"][0])
    head = "| " + " | ".join(f"column {at}" for at in range(1, width + 1)) + " | sum of the row |"
    rows = zip(problem["rows"], problem["sums"], strict=True)
    return "\n".join([head, "|---" * (width + 1) + "|", *(f"| {' | '.join(row)} | {total} |" for row, total in rows)])


class SymbolSums(Value):
    """Find the sums of the columns of a grid of symbols."""

    Params = levels(
        symbols=knob("number of symbols", 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, at_least=2, at_most=12),
        height=knob("number of rows", 3, 4, 4, 4, 5, 5, 6, 7, 8, 8, at_least=2, at_most=12),
        width=knob("number of columns", 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, at_least=2, at_most=12),
        largest=knob("largest value", 12, 12, 15, 20, 25, 25, 30, 40, 50, 60, at_least=5, at_most=200),
        negative=knob("whether values may be negative", *[False] * 5, *[True] * 5),
    )
    answer = Items(asked="the sums of the columns from left to right, separated by commas,", shown="17, 5, 9")
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    task = Phrase(
        "Find the sum of each column of this grid of {rows} and {columns}.",
        "What are the sums of the columns of the grid, which has {rows} and {columns}?",
        "Work out the column sums of this grid with {rows} and {columns}.",
        held_out="Determine the vector of column sums of the given {rows} by {columns} grid.",
    )
    rules = (
        Phrase(
            "Each symbol stands for a whole number, the same one wherever it occurs.",
            "Every symbol has a value, a whole number. Equal symbols have equal values.",
            "A symbol always means the same whole number.",
            held_out="Symbols are variables with integer values; equal symbols have equal values.",
        ),
        Phrase(
            "The number next to a row is the sum of the values in this row.",
            "For each row, the sum of its values is given.",
            "The values of every row add up to the number stated for it.",
            held_out="The stated row sums are the sums of the values of the symbols in each row.",
        ),
        Phrase(
            "Two symbols may have the same value. Values may be negative.",
            "Values can be negative, and different symbols can have equal values.",
            "Different symbols do not need to have different values, and some may be negative.",
            held_out="Values need not be distinct and may be negative.",
        ),
    )
    data = Variants(
        _drawn,
        _as_json,
        _added,
        held_out=_table,
        name="grid",
        seen=in_picture(
            "The picture shows the grid, with the sum of each row on its right. Shape and colour together make a symbol.",
            "See the picture for the grid of symbols and the sums of its rows. Two symbols are equal if shape and colour are.",
            "The grid and the sums of its rows are drawn in the picture. Symbols differ in shape or colour.",
            held_out="The attached figure depicts the grid and its row sums; a symbol is a shape with a colour.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random symbols with random values."""
        names = rng.sample(list(LETTERED)[: max(8, p.symbols)], p.symbols)
        values = {name: rng.between(-p.largest if p.negative else 1, p.largest) for name in names}
        rows = ["".join(rng.choice(names) for _ in range(p.width)) for _ in range(p.height)]
        sums = [sum(values[symbol] for symbol in row) for row in rows]
        if set("".join(rows)) != set(names) or len(set(map(str, map(sorted, _columns(rows))))) == 1:
            return None
        return {"rows": rows, "sums": sums} if solved(tuple(rows), tuple(sums)) else None

    def value(self, problem: JSON) -> tuple[Fraction, ...]:
        """By elimination."""
        found = solved(tuple(problem["rows"]), tuple(problem["sums"]))
        if found is None:
            raise ValueError(f"the rows {problem['rows']} leave a symbol open")
        return tuple(sum((found[0][symbol] for symbol in column), Fraction()) for column in _columns(problem["rows"]))

    def values(self, problem: JSON) -> dict[str, str]:
        """Rows and columns in words."""
        rows = problem["rows"]
        return {"rows": counted(len(rows), "row"), "columns": counted(len(rows[0]), "column")}

    def slips(self, problem: JSON) -> Iterator[tuple[Fraction, ...]]:
        """Exchanged columns, a sum off by 1, the sums of rows."""
        right = self.value(problem)
        yield (right[1], right[0], *right[2:])
        yield (*right[:-1], right[-1] + 1)
        yield tuple(map(Fraction, problem["sums"]))

    def canonical(self, content: JSON) -> JSON:
        """The symbols numbered by their first place; the order of rows stays."""
        names: dict[str, int] = {}
        return [[[names.setdefault(symbol, len(names)) for symbol in row] for row in content["rows"]], content["sums"]]

    def example(self, problem: JSON) -> str:
        """Numbers that are not the sums."""
        return ", ".join(str(10 + 3 * at) for at in range(len(problem["rows"][0])))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The symbols as figures, the sums on the right."""
        return figured(inst.problem["rows"], {"right": list(map(str, inst.problem["sums"]))})

    def effort(self, inst: Instance) -> float:
        """Multiplications of the elimination."""
        found = solved(tuple(inst.problem["rows"]), tuple(inst.problem["sums"]))
        return float(found[1] if found else 0)
