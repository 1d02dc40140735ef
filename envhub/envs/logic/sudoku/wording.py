"""The prompt of sudoku-v0.

Phrasings of the rules, and renderings of the puzzle.
"""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, in_picture
from envhub.core.types import JSON
from envhub.envs.logic.sudoku.rules import BOXES

_TASK: Final = Phrase(
    "Solve this {size}x{size} Sudoku.",
    "Can you complete the {size}x{size} Sudoku?",
    "Fill in every empty cell of this {size}x{size} Sudoku.",
    "Find the solution of the {size}x{size} Sudoku and write out its whole grid.",
    held_out="A grid G of {size} rows and {size} columns is partly known. Determine all of G.",
)
_ROWS: Final = Phrase(
    "Each row contains each of the digits 1 to {size} exactly once.",
    "In every row, each digit from 1 to {size} occurs once and only once.",
    "No row may repeat a digit, and only the digits 1 to {size} are used, so each row has all of them.",
    held_out="For each r, the cells of row r of G are pairwise distinct members of 1, ..., {size}.",
)
_COLUMNS: Final = Phrase(
    "Each column contains each of the digits 1 to {size} exactly once.",
    "In every column, each digit from 1 to {size} occurs once and only once.",
    "The digits 1 to {size} all occur in every column, each of them one time.",
    held_out="For each c, the cells of column c of G are a permutation of 1, ..., {size}.",
)
_BLOCKS: Final = Phrase(
    "The grid is divided into {size} boxes of {height} rows by {width} columns. Each box contains each of the digits 1 to "
    "{size} exactly once.",
    "Boxes of {height} rows and {width} columns tile the grid, {size} in all, and each digit from 1 to {size} occurs exactly "
    "once in every box.",
    "Cut the grid into {size} boxes that do not overlap, each {height} rows high and {width} columns wide: no box may repeat "
    "a digit from 1 to {size}.",
    held_out="G splits into {size} disjoint blocks of shape {height} x {width} (rows x columns). Within each block the values "
    "are pairwise distinct members of 1, ..., {size}.",
)
_GIVEN: Final = Phrase(
    "You may not change a given digit.",
    "The digits that are already there must stay where they are.",
    "Keep every given digit in its cell.",
    held_out="G agrees with the known cells.",
)
_NOTE: Final = Phrase(
    "The puzzle has exactly one solution.",
    "There is one solution, and only one.",
    "Only one completion follows these rules.",
    held_out="G exists and is unique.",
)


def drawn(size: int, grid: Any, empty: str = ".") -> str:
    """The rows of a grid, cells separated by spaces."""
    cells = [empty if cell == 0 else str(cell) for cell in grid]
    return "\n".join(" ".join(cells[i : i + size]) for i in range(0, len(cells), size))


def _plain(problem: JSON) -> str:
    return f"A dot is an empty cell.\n\n{drawn(problem['size'], problem['grid'])}"


def _boxed(problem: JSON) -> str:
    size = problem["size"]
    height, width = BOXES[size]
    rule = "+".join(["", *["-" * (2 * width + 1)] * (size // width), ""])
    lines = [rule]
    for at, row in enumerate(drawn(size, problem["grid"], "_").split("\n"), 1):
        cells = row.split()
        boxes = [" ".join(cells[i : i + width]) for i in range(0, size, width)]
        lines.append(f"| {' | '.join(boxes)} |")
        lines += [rule] * (at % height == 0)
    return "In the drawing, _ is an empty cell, and lines separate the boxes.\n\n" + "\n".join(lines)


def _as_json(problem: JSON) -> str:
    size, cells = problem["size"], [cell or None for cell in problem["grid"]]
    rows = [cells[i : i + size] for i in range(0, len(cells), size)]
    return f"The rows of the grid as JSON, where null is an empty cell:\n\n{json.dumps({'size': size, 'rows': rows})}"


def _as_list(problem: JSON) -> str:
    size = problem["size"]
    lines = [
        f"These cells are given, written as (row, column) = digit. Rows and columns are numbered from 1 to {size}."
    ]
    lines.append("Every other cell is empty.\n")
    for row in range(size):
        found = [(column, problem["grid"][row * size + column]) for column in range(size)]
        known = [f"({row + 1}, {column + 1}) = {digit}" for column, digit in found if digit]
        lines += [", ".join(known)] * bool(known)
    return "\n".join(lines)


def _in_a_string(problem: JSON) -> str:
    digits = "".join(map(str, problem["grid"]))
    return f"G is read row by row from the string S; 0 denotes an unknown cell.\nS = {digits}"


_DATA: Final[Variants[Rendering]] = Variants(
    _plain,
    _boxed,
    _as_json,
    _as_list,
    held_out=_in_a_string,
    name="data",
    seen=in_picture(
        "The picture shows the grid. Thick lines separate the boxes.",
        "The grid is drawn in the picture, with thick lines around the boxes.",
        "See the picture for the grid. Each box has a thick outline.",
        held_out="The attached figure depicts G; thick lines bound the blocks.",
    ),
)


def statement(problem: JSON) -> Statement:
    """A puzzle before it is worded."""
    size = problem["size"]
    height, width = BOXES[size]
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_ROWS, _COLUMNS, _BLOCKS, _GIVEN),
        note=_NOTE,
        values={"size": size, "height": height, "width": width},
    )
