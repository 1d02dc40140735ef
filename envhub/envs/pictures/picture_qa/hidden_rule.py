"""The kind of question about a rule that examples determine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.picture_qa.kind import Kind, listed
from envhub.envs.pictures.picture_qa.source import Cell, Source, View, cell_name
from envhub.envs.pictures.picture_qa.walks import around, inside
from envhub.families.pieces import EMPTY


def _row(view: View, cell: Cell, symbol: str) -> int:
    return sum(sign == symbol for sign in view.rows[cell[0]])


def _column(view: View, cell: Cell, symbol: str) -> int:
    return sum(row[cell[1]] == symbol for row in view.rows)


def _cross(view: View, cell: Cell, symbol: str) -> int:
    return _row(view, cell, symbol) + _column(view, cell, symbol) - (view.at(cell) == symbol)


def _beside(view: View, cell: Cell, symbol: str) -> int:
    near = [(cell[0] + r, cell[1] + c) for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    return sum(inside(view, one) and view.at(one) == symbol for one in near)


def _above(view: View, cell: Cell, symbol: str) -> int:
    return sum(view.rows[r][cell[1]] == symbol for r in range(cell[0]))


def _left(view: View, cell: Cell, symbol: str) -> int:
    return sum(sign == symbol for sign in view.rows[cell[0]][: cell[1]])


PATTERNS: Final[Mapping[str, Callable[[View, Cell, str], int]]] = {
    "row": _row,
    "column": _column,
    "cross": _cross,
    "round": around,
    "beside": _beside,
    "above": _above,
    "left": _left,
}


class HiddenRule(Kind):
    """A number per cell, by a rule that examples determine."""

    rules = (
        Phrase(
            "The rule counts the cells with one certain content (the same for all cells, possibly 'empty') in one of "
            "these places: the row of the "
            "cell, its column, its row and column together, the up to eight cells around it, the up to four cells "
            "that share a side with it, the cells "
            "further up in its column, or the cells further left in its row.",
            "One content, which may be 'empty', is counted in one kind of place. Possible places are the whole row "
            "of the cell, its whole column, both "
            "together, the up to eight cells around it, the up to four cells beside it, all cells further up in its "
            "column, and all cells further left in "
            "its row.",
            "The number is a count of cells with a fixed content, possibly 'empty'. They are counted in the cell's "
            "row, in its column, in both, among the "
            "eight cells around it, among the four cells at its sides, among the cells further up in the column, or "
            "among the cells further left in the row.",
            held_out="The rule is the number of cells with a fixed content (or fixed emptiness) in one of seven "
            "regions relative to the cell: row, column, "
            "row union column, eight surrounding cells, four side neighbours, upper part of the column, left part of "
            "the row.",
        ),
        Phrase(
            "A row or column includes the cell itself, which is counted at most once.",
            "In a row or column, the cell itself is included, but never counted twice.",
            "The cell belongs to its own row and column and is counted no more than once.",
            held_out="Rows and columns contain the cell itself, counted once in their union.",
        ),
    )
    task = Phrase(
        "A hidden rule assigns a number to each cell. Examples: {examples}. Which numbers does the rule assign to "
        "{cells}, in this order?",
        "Each cell has a number by a rule that you must find. The rule gives {examples}. Give the numbers of "
        "{cells}, in this order.",
        "Find the rule behind these numbers of cells: {examples}. Then apply it to {cells} and give the numbers in "
        "this order.",
        held_out="An unknown rule f maps cells to numbers, with {examples}. Evaluate f at {cells}, in this order.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Examples after which all remaining rules agree on the cells in question."""
        view = source.view(state)
        symbols, cells = [EMPTY, *view.contents()], view.cells()
        if len(symbols) > 14 or len(cells) < 12:
            return None
        known = [(p, s) for p in PATTERNS for s in symbols if len({PATTERNS[p](view, c, s) for c in cells}) > 2]
        if not known:
            return None
        pattern, symbol = rng.choice(known)
        order = rng.sample(cells, min(len(cells), 8 + depth))
        left, shown = known, list[list[Any]]()
        for cell in order[:-2]:
            value = PATTERNS[pattern](view, cell, symbol)
            kept = [(p, s) for p, s in left if PATTERNS[p](view, cell, s) == value]
            if len(kept) < len(left) or len(shown) < 2:
                shown.append([list(cell), value])
            left = kept
        asked = order[-2:]
        wanted = [PATTERNS[pattern](view, cell, symbol) for cell in asked]
        if any([PATTERNS[p](view, cell, s) for cell in asked] != wanted for p, s in _consistent(view, shown)):
            return None
        return state, {"shown": shown, "cells": [list(cell) for cell in asked]}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the rules that agree with the examples."""
        view = source.view(state)
        pattern, symbol = _consistent(view, ask["shown"])[0]
        return [str(PATTERNS[pattern](view, tuple(cell), symbol)) for cell in ask["cells"]]

    def example(self, ask: JSON) -> list[str]:
        """Numbers that are too large."""
        return ["98", "99"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The examples and the cells."""
        shown = listed(f"{cell_name(tuple(cell))} -> {value}" for cell, value in ask["shown"])
        return {"examples": shown, "cells": " and ".join(cell_name(tuple(cell)) for cell in ask["cells"])}


def _consistent(view: View, shown: JSON) -> list[tuple[str, str]]:
    """All rules that agree with examples."""
    return [
        (p, s)
        for p in PATTERNS
        for s in (EMPTY, *view.contents())
        if all(PATTERNS[p](view, tuple(cell), s) == value for cell, value in shown)
    ]
