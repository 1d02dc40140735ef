"""paint-lines-v0: copy a pattern by painting rows, columns and diagonals.

Action: the strokes in order: ``row 3, column 1, rising 6, falling 2``. The board is white at first. Rows and falling diagonals
are painted white, columns and rising diagonals black; a later stroke covers earlier ones. Right if the board shows the pattern
after few enough strokes. Difficulty: a larger board and more strokes; every pattern was painted with as many strokes as the
limit says, none of which can be left out, and effort is the number of strokes times the number of lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

from envhub.families.moves import Moves
from envhub.families.state_puzzle_kit import (
    JSON,
    Instance,
    Move,
    Phrase,
    Scene,
    StatePuzzle,
    Stream,
    Variants,
    in_picture,
    knob,
    levels,
)
from envhub.generators.optimum import Optimum
from envhub.scenes.grid import Tile, grid

State = tuple[int, ...]
"""1 for each black cell."""

_BLACK: Final = {"row": False, "column": True, "rising": True, "falling": False}


@dataclass(frozen=True)
class Strokes(Moves):
    """A kind of line and its number: ``row 3``."""

    one, many = "stroke", "strokes"
    shape: ClassVar[re.Pattern[str]] = re.compile(r"(row|column|rising|falling) ([1-9][0-9]?)")
    shown: ClassVar[Sequence[str]] = ("row 1", "falling 2")
    called: ClassVar[str] = "as a kind of line and its number"
    several: ClassVar[Sequence[Sequence[str]]] = (
        ("row 1, rising 2", "Row 1; RISING 2", "[row 1, rising 2]", "1. row 1\n2. rising 2", "(row 1) (rising 2)"),
        *(("rising 2, row 1",), ("row 1",), ("row 12, rising 2",)),
    )
    refused: ClassVar[Sequence[str]] = ("row", "row 0", "diagonal 2", "row 1 or 2", "row one", "1 row", "row 1, ...")


@lru_cache(maxsize=16)
def lines(size: int) -> dict[Move, tuple[int, ...]]:
    """The cells of every line, by its name."""
    whole = range(size)
    found: dict[Move, tuple[int, ...]] = {("row", str(at + 1)): tuple(at * size + c for c in whole) for at in whole}
    found |= {("column", str(at + 1)): tuple(r * size + at for r in whole) for at in whole}
    for at in range(2 * size - 1):
        found["rising", str(at + 1)] = tuple(r * size + at - r for r in whole if 0 <= at - r < size)
        found["falling", str(at + 1)] = tuple(r * size + c for r in whole for c in whole if c - r == at - size + 1)
    return found


def _rows(problem: JSON) -> list[str]:
    size = problem["size"]
    signs = "".join("#" if cell else "." for cell in problem["pattern"])
    return [signs[at : at + size] for at in range(0, size * size, size)]


def _drawn(problem: JSON) -> str:
    return "The pattern, with # for black and . for white:\n\n" + "\n".join(" ".join(row) for row in _rows(problem))


def _as_json(problem: JSON) -> str:
    rows = [[{"#": "B", ".": "W"}[sign] for sign in row] for row in _rows(problem)]
    return f"The rows of the pattern from top to bottom as JSON; B is black and W is white:\n\n{json.dumps(rows)}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {row}" for at, row in enumerate(_rows(problem), 1))
    return f"The pattern; # is a black cell, and . is a white one.\n\n{rows}"


def _black_cells(problem: JSON) -> str:
    cells = (
        f"({at // problem['size'] + 1}, {at % problem['size'] + 1})" for at, on in enumerate(problem["pattern"]) if on
    )
    return f"Black cells of the pattern as (row, column): {', '.join(cells)}. All others are white."


class PaintLines(StatePuzzle):
    """Paint rows, columns and diagonals to copy a pattern."""

    Params = levels(
        size=knob("side of the board", 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, at_least=3, at_most=10),
        strokes=knob("number of strokes", 3, 4, 5, 5, 6, 7, 8, 9, 10, 12, at_least=2, at_most=16),
    )
    answer = Strokes()
    slow = False
    task = Phrase(
        "Copy this pattern of {size} by {size} cells to a white board by painting whole lines.",
        "Paint lines on a white board of {size}x{size} cells until it shows this pattern.",
        "Find the strokes that turn a white {size}x{size} board into this pattern.",
        held_out="Determine a sequence of strokes that produces the {size}x{size} pattern from a white board.",
    )
    rules = (
        Phrase(
            "A stroke paints all cells of one line. Rows are painted white, and columns are painted black.",
            "With each stroke, one whole line gets one colour: white for a row, black for a column.",
            "Every stroke covers a whole line. A row becomes white, a column becomes black.",
            held_out="A stroke recolours one complete line: rows white, columns black.",
        ),
        Phrase(
            "Rising diagonals, from lower left to upper right, are painted black, and falling diagonals, from upper left to "
            "lower right, are painted white.",
            "A diagonal that rises from lower left to upper right becomes black. One that falls from upper left to lower right "
            "becomes white.",
            "Diagonals are painted as well: the rising ones (lower left to upper right) black, the falling ones (upper left "
            "to lower right) white.",
            held_out="Rising diagonals (lower left to upper right) are painted black; falling diagonals (upper left to lower "
            "right) are painted white.",
        ),
        Phrase(
            "A later stroke covers the colour of earlier ones.",
            "Where strokes cross, the last one counts.",
            "If a cell is painted several times, it keeps the colour of the last stroke.",
            held_out="The most recent stroke through a cell determines its colour.",
        ),
        Phrase(
            "Row 1 is at the top, and column 1 is on the left. Rising diagonal k consists of the cells whose row and column "
            "add up to k + 1, so that rising 1 is the upper left cell alone.",
            "Rows are counted from the top and columns from the left, from 1. On rising diagonal k, row plus column is k + 1; "
            "rising 1 is only the upper left cell.",
            "Count rows from the top and columns from the left, beginning with 1. The cells of rising diagonal k have row + "
            "column = k + 1, which makes the upper left cell rising 1.",
            held_out="Indices start at 1 in the upper left corner. Rising diagonal k is the set of cells with row + column = "
            "k + 1.",
        ),
        Phrase(
            "Falling diagonal k consists of the cells for which column minus row is k - {size}, so that falling 1 is the "
            "lower left cell alone.",
            "On falling diagonal k, the column minus the row is k - {size}; falling 1 is only the lower left cell.",
            "The cells of falling diagonal k have column - row = k - {size}, which makes the lower left cell falling 1.",
            held_out="Falling diagonal k is the set of cells with column - row = k - {size}.",
        ),
    )
    moves_rule = Phrase(
        "Write a stroke as row, column, rising or falling, followed by the number of the line.",
        "A stroke is one of the words row, column, rising and falling, and the number of the line.",
        "Name the kind of line (row, column, rising or falling) and its number.",
        held_out="Notation: kind (row, column, rising, falling) and index.",
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_black_cells,
        name="pattern",
        seen=in_picture(
            "The picture shows the pattern; dark cells are black.",
            "See the picture for the pattern. Its dark cells are the black ones.",
            "The pattern is drawn in the picture, with dark cells for black.",
            held_out="The attached figure depicts the pattern (dark: black).",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random strokes, and the pattern that they make.

        None if a stroke could be left out.
        """
        made = rng.sample(list(lines(p.size)), p.strokes)
        board = self._painted(p.size, made)
        if any(self._painted(p.size, made[:at] + made[at + 1 :]) == board for at in range(len(made))):
            return None
        return {"size": p.size, "pattern": list(board), "limit": p.strokes, "made": [list(move) for move in made]}

    def sample(self, rng: Stream, p: Any) -> Any:
        """A pattern, and the strokes that made it."""
        problem = self.draw(rng, p)
        return None if problem is None else Instance(problem, key={"moves": problem.pop("made"), "steps": 0})

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """Not searched: the strokes of the draw are the solution."""
        return None

    def start(self, problem: JSON) -> State:
        """A white board."""
        return tuple([0] * problem["size"] ** 2)

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """A stroke of every line."""
        return [(name, _stroke(state, name, cells)) for name, cells in lines(problem["size"]).items()]

    def after(self, problem: JSON, state: State, move: Move) -> State | None:
        """The board after a stroke; None if there is no such line."""
        cells = lines(problem["size"]).get(move)
        return None if cells is None else _stroke(state, move, cells)

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """A line that does not exist."""
        size = problem["size"]
        return f"rows and columns go from 1 to {size}, and diagonals from 1 to {2 * size - 1}."

    def done(self, problem: JSON, state: State) -> bool:
        """The board shows the pattern."""
        return bool(list(state) == problem["pattern"])

    def lines(self, problem: JSON, state: State) -> str:
        """The board in signs."""
        return "\n".join(" ".join(row) for row in _rows({**problem, "pattern": state}))

    def look(self, problem: JSON, state: State) -> Scene:
        """The pattern."""
        size = problem["size"]
        tiles = [Tile(fill="dark") if cell else Tile() for cell in problem["pattern"]]
        names = [str(at + 1) for at in range(size)]
        return grid([tiles[at : at + size] for at in range(0, size * size, size)], columns=names, lines=names)

    def write(self, move: Move) -> str:
        """Kind and number."""
        return " ".join(move)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The solution without a stroke, and in the opposite order."""
        yield from super().mistakes(inst)
        moves = [tuple(move) for move in reversed(inst.key["moves"])]
        if not self.grade(inst, moves).solved:
            yield ", ".join(map(self.write, moves))

    def effort(self, inst: Instance) -> float:
        """Strokes times lines."""
        return float(inst.problem["limit"] * len(lines(inst.problem["size"])))

    def _painted(self, size: int, made: Sequence[Move]) -> State:
        state: State = (0,) * size**2
        for name in made:
            state = _stroke(state, name, lines(size)[name])
        return state


def _stroke(state: State, name: Move, cells: Sequence[int]) -> State:
    board = list(state)
    for cell in cells:
        board[cell] = int(_BLACK[name[0]])
    return tuple(board)
