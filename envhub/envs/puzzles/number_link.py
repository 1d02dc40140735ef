"""number-link-v0: join equal numbers by lines that fill the board.

Action: the whole board, a number for each cell and 0 for walls. Right if the cells of each number are one line between its
two given cells, without branches and without touching itself, and no cell is left. Any such board counts. Difficulty: a
larger board with more lines; effort is the number of cells. Rotations and reflections are the same problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from envhub.authoring.wording import counted, in_picture
from envhub.core.types import Verdict
from envhub.families.cells import ANY_SOLUTION
from envhub.families.member import Member
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Variants, knob, levels
from envhub.generators.cells.board import TURNS, turned
from envhub.generators.links import drawn, fault
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.grids import Grid


def _rows(problem: JSON) -> list[list[str]]:
    signs = ["."] * problem["height"] * problem["width"]
    for cell in problem["walls"]:
        signs[cell] = "#"
    for number, cells in enumerate(problem["ends"], 1):
        for cell in cells:
            signs[cell] = str(number)
    return [signs[at : at + problem["width"]] for at in range(0, len(signs), problem["width"])]


def _drawn(problem: JSON) -> str:
    rows = "\n".join(" ".join(f"{sign:>2}" for sign in row) for row in _rows(problem))
    return f"The board; a dot is an empty cell, and # is a wall:\n\n{rows}"


def _as_json(problem: JSON) -> str:
    return f"The rows of the board as JSON; a dot is an empty cell, and # is a wall:\n\n{json.dumps(_rows(problem))}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {' '.join(row)}" for at, row in enumerate(_rows(problem), 1))
    return f"Dots are empty cells, and # is a wall. Row 1 is at the top.\n\n{rows}"


def _as_cells(problem: JSON) -> str:
    def name(cell: int) -> str:
        return f"({cell // problem['width'] + 1}, {cell % problem['width'] + 1})"

    signs = [sign for row in _rows(problem) for sign in row]
    found = [
        [name(cell) for cell, sign in enumerate(signs) if sign == str(at)] for at in range(1, len(problem["ends"]) + 1)
    ]
    ends = "; ".join(f"{at}: {' and '.join(cells)}" for at, cells in enumerate(found, 1))
    walls = ", ".join(name(cell) for cell, sign in enumerate(signs) if sign == "#") or "none"
    return f"Cells are (row, column), counted from (1, 1) in the upper left. Given numbers: {ends}. Walls (#): {walls}."


class NumberLink(Member):
    """Join equal numbers by lines that fill the board."""

    Params = levels(
        height=knob("number of rows", 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, at_least=3, at_most=14),
        width=knob("number of columns", 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, at_least=3, at_most=14),
        lines=knob("number of lines at most", 4, 5, 6, 7, 8, 9, 10, 11, 13, 16, at_least=2, at_most=40),
    )
    answer = Grid()
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    task = Phrase(
        "Fill this board of {rows} and {columns} with lines that join equal numbers.",
        "Join the two cells of each number on this board ({rows}, {columns}) by a line, so that the lines fill the board.",
        "Find lines between equal numbers that cover the whole board of {rows} and {columns}.",
        held_out="Partition the board ({rows}, {columns}) into lines, each of which joins the two occurrences of a number.",
    )
    rules = (
        Phrase(
            "A line goes from cell to cell through common sides. It begins at one of the two given cells of its number and "
            "ends at the other.",
            "Each line connects the two given cells of a number. Consecutive cells of a line share a side.",
            "The two given cells of a number are the ends of its line, whose cells follow each other side by side.",
            held_out="Each line is a path of orthogonally adjacent cells whose ends are the two given cells of its number.",
        ),
        Phrase(
            "Lines have no branches and do not touch themselves: a cell shares a side with exactly two other cells of its "
            "line, and an end with exactly one.",
            "Each cell of a line has exactly two neighbours with the same number, except for the two ends, which have one. So "
            "no line branches or runs beside itself.",
            "No line may branch or run along itself. Of the cells at its sides, an end has one with the same number, and "
            "every other cell has two.",
            held_out="Within a line, ends have exactly one orthogonal neighbour of the same number and all other cells exactly "
            "two.",
        ),
        Phrase(
            "Every cell that is not a wall belongs to exactly one line.",
            "No cell is left empty except walls, and no cell belongs to two lines.",
            "All cells other than walls are covered, each by one line.",
            held_out="The lines are disjoint and cover all cells but the walls.",
        ),
        Phrase(
            "The answer is the board with {rows} of {across}: the number of its line for each cell, and 0 for a wall.",
            "Answer with {rows} of {across}. Each cell gets the number of its line, and walls get 0.",
            "Write {rows} with {across} each, the number of the line in every cell and 0 in walls.",
            held_out="Return a matrix ({rows} with {across} each) of line numbers, with 0 for walls.",
        ),
    )
    note = ANY_SOLUTION
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_as_cells,
        name="board",
        seen=in_picture(
            "The picture shows the board with the given numbers; dark cells are walls.",
            "See the picture for the board. Walls are dark.",
            "The board and its numbers are drawn in the picture, with dark cells for walls.",
            held_out="The attached figure depicts the board (dark: wall).",
        ),
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A board of paths, of which the ends are given."""
        made = drawn(rng, p.height, p.width, p.lines)
        if made is None:
            return None
        board, ends = made
        walls = [cell for cell, number in enumerate(board) if not number]
        problem = {"height": p.height, "width": p.width, "ends": [list(pair) for pair in ends], "walls": walls}
        return Instance(problem, key=board)

    def values(self, problem: JSON) -> dict[str, str]:
        """The size in words."""
        height, width = problem["height"], problem["width"]
        return {
            "rows": counted(height, "row"),
            "columns": counted(width, "column"),
            "across": counted(width, "number"),
        }

    def grade(self, inst: Instance, value: Sequence[Sequence[int]]) -> Verdict:
        """Check walls, given numbers, branches and connection."""
        problem = inst.problem
        height, width = problem["height"], problem["width"]
        if len(value) != height or len(value[0]) != width:
            wanted = f"{counted(height, 'row')} of {counted(width, 'number')}"
            return Verdict.exact(False, f"Expected {wanted}, got {len(value)} of {len(value[0])}.")
        ends = {cell: number for number, cells in enumerate(problem["ends"], 1) for cell in cells}
        wrong = fault(height, width, ends, problem["walls"], [number for row in value for number in row])
        return Verdict.exact(not wrong, wrong)

    def solve(self, inst: Instance) -> str:
        """The paths of the draw."""
        return self._written(inst.problem, inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """A cell of another line, two lines exchanged, and walls filled."""
        board, ends = list(inst.key), {cell for cells in inst.problem["ends"] for cell in cells}
        free = next(cell for cell, number in enumerate(board) if number and cell not in ends)
        yield self._written(
            inst.problem, [*board[:free], board[free] % len(inst.problem["ends"]) + 1, *board[free + 1 :]]
        )
        yield self._written(inst.problem, [{1: 2, 2: 1}.get(number, number) for number in board])
        if inst.problem["walls"]:
            yield self._written(inst.problem, [number or 1 for number in board])

    def canonical(self, content: JSON) -> JSON:
        """Ends and walls, in the least rotation or reflection."""
        height, width, forms = content["height"], content["width"], []
        for turn in TURNS:
            cells = list(turned(range(height * width), height, width, turn))
            places = {old: new for new, old in enumerate(cells)}
            ends = sorted(sorted(places[cell] for cell in pair) for pair in content["ends"])
            forms.append([width if turn & 1 else height, ends, sorted(places[cell] for cell in content["walls"])])
        return min(forms)

    def example(self, problem: JSON) -> str:
        """A board of 1 alone."""
        return self._written(problem, [1] * problem["height"] * problem["width"])

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The given numbers and the walls."""
        looks = {"#": Tile(fill="dark"), ".": Tile()}
        tones = ["tint0", "tint1", "tint2", "tint3", "tint4", "tint5", "tint6"]
        rows = [
            [looks.get(sign) or Tile(sign, fill=tones[int(sign) % 7]) for sign in row] for row in _rows(inst.problem)
        ]
        return grid(rows)

    def effort(self, inst: Instance) -> float:
        """Cells to fill."""
        return float(sum(map(bool, inst.key)))

    def _written(self, problem: JSON, board: Sequence[int]) -> str:
        width = problem["width"]
        return "\n".join(" ".join(map(str, board[at : at + width])) for at in range(0, len(board), width))
