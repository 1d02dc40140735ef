"""Kinds of question about what the board shows.

The rules of the game do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.picture_qa.kind import Kind, containing, frequent, listed
from envhub.envs.pictures.picture_qa.source import BLANK, Source, View, cell_name
from envhub.envs.pictures.picture_qa.walks import WAYS, around, distances, sizes, slid
from envhub.families.pieces import EMPTY

_SIDES: Final = Phrase(
    "Two cells are neighbours if they share a side.",
    "Cells that share a side are neighbours. A common corner is not enough.",
    "Only cells with a common side are neighbours, not those that touch at a corner.",
    held_out="Adjacency means sharing a side.",
)


class Count(Kind):
    """How many cells of some lines contain something."""

    task = Phrase(
        "How many cells {contain} in {lines}? Give one number for each, in this order.",
        "Count the cells that {contain}: in {lines}. Answer with the numbers in this order.",
        "For {lines}, in this order, state how many cells {contain}.",
        held_out="Determine the number of cells that {contain} in each of these, in order: {lines}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Some rows and columns, and the whole board."""
        view = source.view(state)
        often = frequent(view, 3, len(view.cells()) - 2)
        if not often:
            return None
        height, width = len(view.rows), len(view.rows[0])
        lines = [["row", k] for k in rng.sample(range(height), min(height, 1 + (depth + 1) // 2))]
        lines += [["column", k] for k in rng.sample(range(width), min(width, 1 + depth // 2))]
        return state, {"symbol": rng.choice(often), "lines": [*lines, ["board", 0]]}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By counting."""
        view = source.view(state)
        found = [cell for cell in view.cells() if view.at(cell) == ask["symbol"]]
        inside = {"row": lambda cell, k: cell[0] == k, "column": lambda cell, k: cell[1] == k}
        return [str(sum(kind == "board" or inside[kind](cell, k) for cell in found)) for kind, k in ask["lines"]]

    def example(self, ask: JSON) -> list[str]:
        """Numbers that are too large for rows."""
        return [str(17 + at) for at in range(len(ask["lines"]))]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The lines by number."""
        lines = ["the whole board" if kind == "board" else f"{kind} {k + 1}" for kind, k in ask["lines"]]
        return {"contain": containing(view, ask["symbol"]), "lines": f"{listed(lines[:-1])} and {lines[-1]}"}


class At(Kind):
    """What some cells contain."""

    task = Phrase(
        "What do the cells {cells} contain, in this order? Use these words: {words}.",
        "State the contents of {cells}, in this order, in these words: {words}.",
        "Name what is in each of the cells {cells}, one after another. The possible words are: {words}.",
        held_out="For each cell in the list {cells}, give its content, one of: {words}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Cells with at least two different contents."""
        view = source.view(state)
        cells = view.cells()
        count = min(3 + depth, len(cells))
        filled = [cell for cell in cells if view.at(cell) != EMPTY]
        if len(filled) < 2:
            return None
        some = rng.sample(filled, min(len(filled), count // 2 + 1))
        chosen = some + rng.sample([cell for cell in cells if cell not in some], count - len(some))
        rng.shuffle(chosen)
        if len({view.at(cell) for cell in chosen}) < 2:
            return None
        return state, {"cells": [list(cell) for cell in chosen]}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """The words of the cells."""
        view = source.view(state)
        return [view.word(view.at(tuple(cell))) for cell in ask["cells"]]

    def example(self, ask: JSON) -> list[str]:
        """As many words as cells."""
        return ["word"] * len(ask["cells"])

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """All words that the board needs."""
        words = [view.word(symbol) for symbol in view.contents()]
        if any(EMPTY in row for row in view.rows):
            words.append(BLANK)
        return {"cells": listed(map(cell_name, map(tuple, ask["cells"]))), "words": listed(words)}


class Where(Kind):
    """Which cells contain something."""

    task = Phrase(
        "List all cells that {contain}, row by row from the top, and from left to right within a row.",
        "Which cells {contain}? List all of them, the upper rows first, and each row from left to right.",
        "Find every cell among those that {contain}. Give all of them in reading order: row after row, each from the "
        "left.",
        held_out="Enumerate precisely the cells that {contain}, sorted by row and then by column.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Something that is neither rare nor frequent."""
        often = frequent(source.view(state), 2, 3 + 2 * depth)
        return (state, {"symbol": rng.choice(often)}) if often else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """The cells, row by row."""
        view = source.view(state)
        return [cell_name(cell) for cell in view.cells() if view.at(cell) == ask["symbol"]]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """What they contain."""
        return {"contain": containing(view, ask["symbol"])}

    def example(self, ask: JSON) -> list[str]:
        """Cells of a larger board."""
        return ["r8c20", "r20c9"]


class Busiest(Kind):
    """The row and the column with most cells of a kind."""

    task = Phrase(
        "Which row and which column have the most cells that {contain}? Give the number of the row, how many such "
        "cells it has, the number "
        "of the column, and how many such cells it has.",
        "Look for cells that {contain}. Give four numbers: the row with most of them and their number in it, then "
        "the column with most of them "
        "and their number in it.",
        "Find the row and the column in which most cells {contain}. Answer with the row, its count, the column and "
        "its count.",
        held_out="Let a line's count be the number of its cells that {contain}. State the row of maximum count, that "
        "count, the column of maximum "
        "count, and that count.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Something whose maxima are unique."""
        view = source.view(state)
        found = [symbol for symbol in frequent(view, 3, len(view.cells())) if _maxima(view, symbol)]
        return (state, {"symbol": rng.choice(found)}) if found else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By counting all lines."""
        return list(map(str, _maxima(source.view(state), ask["symbol"]) or ()))

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """What the cells contain."""
        return {"contain": containing(view, ask["symbol"])}

    def example(self, ask: JSON) -> list[str]:
        """Lines of a larger board."""
        return ["18", "2", "17", "3"]


class Around(Kind):
    """How many of the neighbours of some cells contain something."""

    task = Phrase(
        "For each of the cells {cells}, in this order: how many of the up to eight cells around it {contain}?",
        "Count, around each of {cells}, the up to eight neighbouring cells (diagonal ones included) that {contain}. "
        "Give the numbers in this order.",
        "How many cells that touch {cells}, at a side or a corner, {contain}? Give one number per cell, in this order.",
        held_out="Give, in order of the list {cells}, the number of cells in the 3x3 neighbourhood, centre excluded, "
        "that {contain}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Cells with different numbers."""
        view = source.view(state)
        often = frequent(view, 3, len(view.cells()) - 3)
        if not often:
            return None
        symbol, cells = rng.choice(often), rng.sample(view.cells(), min(2 + depth, len(view.cells())))
        found = {around(view, cell, symbol) for cell in cells}
        return (state, {"symbol": symbol, "cells": [list(cell) for cell in cells]}) if len(found) > 1 else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By counting."""
        view = source.view(state)
        return [str(around(view, tuple(cell), ask["symbol"])) for cell in ask["cells"]]

    def example(self, ask: JSON) -> list[str]:
        """Numbers beyond eight."""
        return ["9"] * len(ask["cells"])

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The cells."""
        cells = listed(map(cell_name, map(tuple, ask["cells"])))
        return {"cells": cells, "contain": containing(view, ask["symbol"])}


class Connected(Kind):
    """A kind of question about ways over the board."""

    def fits(self, source: Source) -> bool:
        """Boards without walls between cells."""
        return not source.walled


class Areas(Connected):
    """The sizes of connected areas."""

    rules = (_SIDES,)
    task = Phrase(
        "The cells that {contain} form connected areas. Give the sizes of all areas, from the largest to the smallest.",
        "Take all cells that {contain}. Into which connected areas do they fall? List the numbers of cells of the "
        "areas, largest first.",
        "How large are the connected areas of cells that {contain}? Give every size, in decreasing order.",
        held_out="List the component sizes, in non-increasing order, of the set of cells that {contain}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Something with a few areas, not all of one cell."""
        view = source.view(state)
        found = [
            symbol for symbol in frequent(view, 4, len(view.cells()) - 1) if 2 <= len(sizes(view, symbol)) <= 3 + depth
        ]
        found = [symbol for symbol in found if sizes(view, symbol)[0] > 1]
        return (state, {"symbol": rng.choice(found)}) if found else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By flood fill."""
        return list(map(str, sizes(source.view(state), ask["symbol"])))

    def example(self, ask: JSON) -> list[str]:
        """Sizes of a larger board."""
        return ["400", "17", "5"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """What the cells contain."""
        return {"contain": containing(view, ask["symbol"])}


class Reach(Connected):
    """Distance and reach over cells of a kind."""

    rules = (_SIDES,)
    task = Phrase(
        "You walk from cell to neighbouring cell, only over cells that {contain}. How many steps does the shortest "
        "way from {start} to {goal} "
        "have, and how many cells can be reached from {start}, {start} included? Give both numbers.",
        "A walk leads over neighbouring cells that {contain}, and over no others. Give the smallest number of steps "
        "from {start} to {goal}, then "
        "the number of cells that a walk from {start} can visit ({start} counts).",
        "Only cells that {contain} may be entered, in steps to a neighbour. State the length of a shortest path from "
        "{start} to {goal} in steps, and the "
        "size of the area that contains {start}.",
        held_out="In the graph of neighbouring cells that {contain}, give the distance from {start} to {goal} and "
        "the size of the component of {start}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Two cells at some distance."""
        view = source.view(state)
        often = frequent(view, 4, len(view.cells()) - 2)
        if not often:
            return None
        symbol = rng.choice(often)
        start = rng.choice([cell for cell in view.cells() if view.at(cell) == symbol])
        far = [cell for cell, steps in distances(view, start).items() if steps > depth]
        return (state, {"start": list(start), "goal": list(rng.choice(far))}) if far else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By a breadth-first search."""
        found = distances(source.view(state), tuple(ask["start"]))
        return [str(found[tuple(ask["goal"])]), str(len(found))]

    def example(self, ask: JSON) -> list[str]:
        """Numbers of a larger board."""
        return ["70", "400"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """Both ends."""
        start, goal = tuple(ask["start"]), tuple(ask["goal"])
        contain = containing(view, view.at(start))
        return {"start": cell_name(start), "goal": cell_name(goal), "contain": contain}


class Slide(Connected):
    """Where a marker stops that slides over the board."""

    task = Phrase(
        "A marker starts in {start} and slides {ways}, one after the other. Each slide goes on as long as the next "
        "cell is on the board and is one of "
        "those that {contain}. In which cell does the marker stop, and over how many cells did it move in total? "
        "Give both.",
        "Put a marker in {start} and slide it {ways}, in this order. A slide stops before the edge of the board and "
        "before a cell that is not among those "
        "that {contain}. Give the final cell and the total number of steps.",
        "Starting in {start}, a marker makes these slides: {ways}. It can enter only cells that {contain}, and each "
        "slide takes it as far as possible. "
        "Answer with the cell where it ends and with the number of cells it has entered, counted with repetition.",
        held_out="Slide a marker from {start} as far as possible in the successive directions {ways}, where only "
        "cells that {contain} can be entered. State "
        "its final cell and the total number of single-cell steps.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Slides that all move."""
        view = source.view(state)
        often = frequent(view, 6, len(view.cells()))
        if not often:
            return None
        symbol = rng.choice(often)
        start = at = rng.choice([cell for cell in view.cells() if view.at(cell) == symbol])
        ways: list[str] = []
        for _ in range(1 + depth):
            open_ = [way for way in WAYS if len(list(slid(view, at, way))) and (not ways or way != ways[-1])]
            if not open_:
                return None
            ways.append(rng.choice(open_))
            at = list(slid(view, at, ways[-1]))[-1]
        return state, {"start": list(start), "ways": ways}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By sliding."""
        view, at, steps = source.view(state), tuple(ask["start"]), 0
        for way in ask["ways"]:
            passed = list(slid(view, at, way))
            at, steps = passed[-1] if passed else at, steps + len(passed)
        return [cell_name(at), str(steps)]

    def example(self, ask: JSON) -> list[str]:
        """A cell of a larger board."""
        return ["r20c9", "41"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The start and the directions."""
        start = tuple(ask["start"])
        return {"start": cell_name(start), "ways": listed(ask["ways"]), "contain": containing(view, view.at(start))}


def _maxima(view: View, symbol: str) -> tuple[int, int, int, int] | None:
    """The fullest row and column with their counts.

    None if they are not unique.
    """
    rows = [sum(sign == symbol for sign in row) for row in view.rows]
    columns = [sum(sign == symbol for sign in column) for column in zip(*view.rows, strict=True)]
    if rows.count(max(rows)) > 1 or columns.count(max(columns)) > 1:
        return None
    return rows.index(max(rows)) + 1, max(rows), columns.index(max(columns)) + 1, max(columns)
