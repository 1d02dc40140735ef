"""The prompt of maze-v0.

Phrasings of the rules, and renderings of the first view.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "Find your way to the exit of a maze in at most {moves}.",
    "You are in a maze. Reach its exit within {moves}.",
    "Get out of this maze: you have {moves} to reach the exit.",
    "You are lost in a maze and have to reach the exit with no more than {moves}.",
    held_out="You control a walker in a maze. Bring the walker to the exit cell using no more than {moves}.",
)
_SIZE: Final = Phrase(
    "The maze has {size} columns, numbered from 1 (west) to {size} (east), and {size} rows, numbered from 1 (north) to {size} "
    "(south).",
    "The maze is a grid of {size} by {size} cells. Columns are counted from 1 in the west to {size} in the east, rows from 1 "
    "in the north to {size} in the south.",
    "There are {size} columns and {size} rows. Column 1 is the westernmost and column {size} the easternmost; row 1 is the "
    "northernmost and row {size} the southernmost.",
    held_out="Cells have coordinates (column, row), each from 1 to {size}. Columns increase eastwards and rows southwards.",
)
_STEP: Final = Phrase(
    "Each message is one move to an adjacent cell: north (row - 1), south (row + 1), east (column + 1) or west (column - 1).",
    "Send one move per message. A move takes you one cell north, south, east or west. North subtracts 1 from your row and "
    "south adds 1 to it; east adds 1 to your column and west subtracts 1 from it.",
    "In each message you move by one cell: to the row before yours (north), to the row after yours (south), to the column "
    "after yours (east) or to the column before yours (west).",
    held_out="One message carries one move. With (0, 0) for staying, north is (0, -1), south (0, +1), east (+1, 0) and west "
    "(-1, 0).",
)
_BLOCKED: Final = Phrase(
    "A move into a wall leaves you where you are but still counts. So does a message that is not a move.",
    "If a wall blocks your move, you stay where you are, and the move is used up. A message that is not a move also uses one "
    "up.",
    "You lose a move, without moving, when you walk into a wall and when your message is not a move.",
    held_out="Moves against a wall and messages without a move do not change your position, and are charged as moves.",
)
_SIGHT: Final = Phrase(
    "You see every cell up to {sight} away, including cells behind walls.",
    "Your view shows all cells within {sight} of you. Walls do not block it.",
    "Cells that are at most {sight} away from you are visible, even behind walls.",
    held_out="The view contains precisely the cells at a distance of at most {sight}, irrespective of walls.",
)
_OPEN: Final = Phrase(
    'After each move you are told your position and, after the word "Open", the directions in which no wall blocks you.',
    'Every reply states where you are. The directions that no wall blocks are listed after "Open".',
    'I tell you your new position after every move; "Open" lists the directions in which you can go from there.',
    held_out='Replies give your coordinates. The list named "Open" contains the directions without a wall.',
)
_DRAWN: Final = Phrase(
    "Views are drawn with north at the top. A is you, E is the exit and . is any other cell. # is a wall; a space between two "
    "cells is a passage. Column numbers are over the drawing, row numbers to its left. A column number of two digits is "
    "written from top to bottom.",
    "In the drawing of a view, A marks you, E the exit and . every other cell, # stands for a wall and a space between two "
    "cells for a passage. North is up. Columns are numbered over the drawing (two digits are read downwards) and rows at its "
    "left edge.",
    "How to read the drawing of a view: north is at the top, A is your cell, E the exit, . another cell, # a wall, and a space "
    "between cells means that you can pass. The numbers over it are columns, with two digits read downwards, and the numbers "
    "on the left are rows.",
    held_out="Legend of drawn views (north up): A you; E exit; . other cell; # wall; a space between cells: passage. The top "
    "margin holds column numbers, two digits stacked; the left margin holds row numbers.",
    seen=Phrase(
        "Pictures show your view with north at the top. A is you, and E is the exit. A thick line is a wall. Column "
        "numbers are above the view, row numbers to its left.",
        "In a picture of your view, A marks you, E marks the exit, and each thick line is a wall. North is up. Columns are "
        "numbered above the view and rows to its left.",
        "How to read a picture of your view: north is at the top, A is your cell, E the exit, and thick lines are walls. The "
        "numbers above it are columns, those to its left rows.",
        held_out="Legend of pictured views (north up): A you; E exit; thick line: wall. Column numbers are at the top margin, "
        "row numbers at the left margin.",
    ),
)
_GOAL: Final = Phrase(
    "You succeed if you reach the exit. You fail if you run out of moves.",
    "Reaching the exit is success. Having no moves left anywhere else is failure.",
    "The task is solved as soon as you stand on the exit. It is failed if your moves are used up before.",
    held_out="Success means to enter the exit cell. Exhausting the moves is failure.",
)
_WAYS: Final = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}


def located(problem: JSON, cell: int) -> str:
    """The sentence that gives the policy's cell and the exit."""
    (x, y), (column, row) = _place(problem, cell), _place(problem, problem["exit"])
    return f"You are at column {x}, row {y}; the exit is at column {column}, row {row}."


def statement(problem: JSON) -> Statement:
    """A maze before it is worded."""
    radius = problem["radius"]
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_SIZE, _STEP, _BLOCKED, _SIGHT, _OPEN, _DRAWN),
        note=_GOAL,
        values={
            "size": problem["size"],
            "moves": counted(problem["moves"], "move"),
            "sight": f"{counted(radius, 'column')} and {counted(radius, 'row')}",
        },
        frames=GAME_FRAMES,
    )


def _drawing(problem: JSON) -> str:
    return f"{_position(problem)}\n\n{problem['seen'][1]}"


def _as_list(problem: JSON) -> str:
    rows = [f"column {column}, row {row}: {', '.join(ways) or 'none'}" for column, row, ways in _cells(problem)]
    return "\n".join(
        [_position(problem), "", "The cells that you see, each with the directions that no wall blocks:", *rows]
    )


def _as_json(problem: JSON) -> str:
    known = {
        "you": _place(problem, problem["start"]),
        "exit": _place(problem, problem["exit"]),
        "moves_left": problem["moves"],
        "cells": [{"at": [column, row], "open": ways} for column, row, ways in _cells(problem)],
    }
    return f"Your position and what you see, as JSON. Positions are [column, row].\n\n{json.dumps(known)}"


def _as_passages(problem: JSON) -> str:
    pairs = []
    for column, row, ways in _cells(problem):
        for way in ways:
            down, right = _WAYS[way]
            pairs.append(f"({column}, {row})->({column + right}, {row + down})")
    you, goal = (tuple(_place(problem, problem[name])) for name in ("start", "exit"))
    return (
        f"You: {you}. Exit: {goal}. Moves remaining: {problem['moves']}.\n"
        f"All passages out of visible cells, as (column, row) pairs: {'; '.join(pairs)}"
    )


def _position(problem: JSON) -> str:
    return f"{located(problem, problem['start'])} {problem['seen'][0]} Moves left: {problem['moves']}."


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_list,
    _as_json,
    held_out=_as_passages,
    name="data",
    seen=in_picture(
        "The picture shows your view.",
        "What you see is in the picture.",
        "See the picture for your view.",
        held_out="The attached figure depicts your view.",
        rest=_position,
    ),
)


def _place(problem: JSON, cell: int) -> list[int]:
    """The column and the row of a cell."""
    row, column = divmod(cell, problem["size"])
    return [column + 1, row + 1]


def _cells(problem: JSON) -> list[tuple[int, int, list[str]]]:
    """Column, row and open directions of every visible cell."""
    lines = problem["seen"][1].split("\n")
    left = max(1, problem["start"] % problem["size"] + 1 - problem["radius"])
    found = []
    for at, line in enumerate(lines):
        if not line[:2].strip():
            continue
        for column, x in enumerate(range(4, len(line), 2), left):
            marks = {way: lines[at + down][x + right : x + right + 1] for way, (down, right) in _WAYS.items()}
            found.append((column, int(line[:2]), [way for way, mark in marks.items() if mark != "#"]))
    return found
