"""Renderings of maps of land and water.

Training prompts show a grid, land cells, JSON or rows in words; runs are held out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants, in_picture
from envhub.generators.graphs.maps import LAND, land

CELL_NAMES: Final = Phrase(
    "A cell is named by the letter of its column and the number of its row. The top left cell is A1.",
    "Write a cell as its column letter and its row number. A1 is the cell at the top left.",
    "Columns have letters from the left, rows have numbers from the top, and a cell is named like A1.",
    held_out="The cell in column A and row 1, at the top left, is called A1; other cells are named accordingly.",
)
"""The rule that says how cells are named."""


def drawn_map() -> Variants[Callable[[Any], str]]:
    """Renderings of the field map."""
    seen = in_picture(
        "The picture shows the map. Green cells are land, and blue cells are water.",
        "The map is drawn in the picture: land is green, water is blue.",
        "See the picture for the map. A cell is land if it is green and water if it is blue.",
        held_out="The attached figure is the map (green: land, blue: water).",
        rest=_roles,
    )
    return Variants(_grid, _cells, _as_json, _rows, held_out=_runs, name="map", seen=seen)


def _roles(problem: Any) -> str:
    """The sentence on the marked cells of the picture."""
    marked = [f"{sign} marks the {role}" for role, sign in SIGNS.items() if role in problem]
    return f"{' and '.join(marked)}, on land." if marked else ""


SIGNS: Final = {"start": "S", "goal": "G"}
"""The sign of a cell with a role."""


def _size(rows: list[str]) -> str:
    return f"The map has {len(rows)} rows, numbered from the top, and the columns A to {chr(64 + len(rows[0]))}."


def _grid(problem: Any) -> str:
    rows = problem["map"]
    wide = len(str(len(rows)))
    head = f"{'':>{wide}} {''.join(chr(65 + at) for at in range(len(rows[0])))}"
    lines = [f"{at:>{wide}} {row}" for at, row in enumerate(rows, 1)]
    return "\n".join(["# is land, and a dot is water. Columns have letters, and rows have numbers.", head, *lines])


def _cells(problem: Any) -> str:
    return (
        f"{_size(problem['map'])} These cells are land: {', '.join(land(problem['map']).nodes)}. All others are water."
    )


def _as_json(problem: Any) -> str:
    cells = [[int(sign == LAND) for sign in row] for row in problem["map"]]
    lines = ",\n ".join(json.dumps(row) for row in cells)
    return f"{_size(problem['map'])} Each inner list is a row; 1 is land, and 0 is water.\n[{lines}]"


def _rows(problem: Any) -> str:
    lines = [f"Row {at}: {_columns(row)}" for at, row in enumerate(problem["map"], 1)]
    return "\n".join([f"{_size(problem['map'])} Each line names the columns with land in one row.", *lines])


def _columns(row: str) -> str:
    return ", ".join(chr(65 + at) for at, sign in enumerate(row) if sign == LAND) or "none"


def _runs(problem: Any) -> str:
    lines = [f"{at}: {_coded(row)}" for at, row in enumerate(problem["map"], 1)]
    explained = "Each row is coded from left to right: 3L means 3 land cells, 2W means 2 water cells."
    return "\n".join([f"{_size(problem['map'])} {explained}", *lines])


def _coded(row: str) -> str:
    return " ".join(f"{len(list(run))}{'L' if sign == LAND else 'W'}" for sign, run in groupby(row))
