"""The prompt of circle-the-cat-v0: rules, and renderings of the board."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

_TASK: Final = Phrase(
    "You build walls around a cat on a board of hexagons. Enclose the cat before it reaches the border.",
    "A cat wants to get to the border of a board of hexagons. You place walls and must enclose it.",
    "Catch the cat: place walls on a board of hexagons so that it can no longer get to the border.",
    held_out="You are the player who places walls. Confine the cat, which tries to reach the border of the hexagonal board.",
)
_BOARD: Final = Phrase(
    "The board has {rows} and {columns}. Rows 2, 4, 6 and so on are shifted half a cell to the right, so that a cell "
    "inside the board has six neighbours.",
    "There are {rows} and {columns} of hexagons. Every even-numbered row is moved half a cell to the right. A cell that is "
    "not at the border has six neighbours.",
    "The hexagons form {rows} and {columns}; rows with even numbers are half a cell further right. Inside the board, each "
    "cell touches six others.",
    held_out="The hexagonal board has {rows} and {columns}; even rows are offset by half a cell to the right. Interior cells "
    "have six neighbours.",
)
_NEAR: Final = Phrase(
    "A cell touches its left and right neighbours. In an odd row, it also touches the cells of its own column and of the "
    "column to the left in both adjacent rows; in an even row, those of its own column and of the column to the right.",
    "Neighbours in the same row are left and right. In the two adjacent rows they are in the same column, and one column "
    "further left if the cell's own row is odd, or one further right if it is even.",
    "Two neighbours are in the row of the cell itself. The other four are in the adjacent rows: in the same column and, for "
    "cells in odd rows, one column to the left; for cells in even rows, one column to the right.",
    held_out="The neighbours of a cell in column c are those in columns c - 1 and c + 1 of its row, and in each adjacent row "
    "those in columns c - 1 and c if its row is odd, or c and c + 1 if its row is even.",
)
_NAMES: Final = Phrase(
    "Columns are named by letters from the left, beginning with a, and rows by numbers from the top, beginning with 1.",
    "A cell is named by the letter of its column, a being leftmost, and the number of its row, 1 being topmost.",
    "Letters count the columns from the left, and numbers count the rows from the top; a1 is the upper left cell.",
    held_out="Cells are named by column letter (from the left) and row number (from the top), starting at a1.",
)
_WALL: Final = Phrase(
    "In each message you name one free cell without the cat. A wall is built there and stays.",
    "Each message builds one wall, on a free cell where the cat is not. Walls are never removed.",
    "With every message you place a wall on one cell that has neither a wall nor the cat.",
    held_out="One message places one permanent wall on a cell that is free and not occupied by the cat.",
)
_STEP: Final = Phrase(
    "Then the cat moves to a neighbouring free cell that lies on a shortest way to the border.",
    "After that, the cat takes one step along a shortest free way to a border cell.",
    "The cat answers with one step, always along a shortest way over free cells to the border.",
    held_out="The cat then advances by one cell along a shortest unobstructed path to a border cell.",
)
_CAREFUL: Final = Phrase(
    "If several such cells are equally near, it takes the one from which there are the most shortest ways to the border.",
    "Among such cells it chooses the one with the largest number of different shortest ways to the border.",
    "Where it has a choice, it goes to the cell from which the most different shortest ways lead to the border.",
    held_out="Ties are resolved in favour of the cell with the greatest number of distinct shortest paths to the border.",
)
_ORDER: Final = Phrase(
    "If there is still a choice, it takes the first of these directions: left, upper left, upper right, right, lower right, "
    "lower left.",
    "Any choice that is left is made by direction, in this order: left, upper left, upper right, right, lower right, lower "
    "left.",
    "What is still undecided is decided by direction. The first of left, upper left, upper right, right, lower right and "
    "lower left counts.",
    held_out="Remaining ties follow the direction order left, upper left, upper right, right, lower right, lower left.",
)
_FAULT: Final = Phrase(
    "A message that does not name such a cell builds nothing, and the cat still moves.",
    "If your message does not name a cell where a wall can be built, no wall is built, but the cat still moves.",
    "Without a valid cell in your message, you build nothing in this turn, and the cat takes its step.",
    held_out="Invalid messages forfeit the wall of that turn; the cat moves nevertheless.",
)
_GOAL: Final = Phrase(
    "You win as soon as no free way leads from the cat to the border. You lose when the cat stands on a border cell.",
    "The game is won when the cat cannot get to the border any more, and lost when it is on a border cell.",
    "Cut every way of the cat to the border, and you win. Once it stands on a cell at the border, you have lost.",
    held_out="You win when the cat has no path to the border and lose when it occupies a border cell.",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    height, width = problem["height"], problem["width"]
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_BOARD, _NEAR, _NAMES, _WALL, _STEP, *([_CAREFUL] if problem["careful"] else []), _ORDER, _FAULT),
        note=_GOAL,
        values={"rows": counted(height, "row"), "columns": counted(width, "column")},
        frames=GAME_FRAMES,
    )


def name(problem: JSON, cell: int) -> str:
    """The name of a cell."""
    row, column = divmod(cell, problem["width"])
    return f"{LETTERS[column]}{row + 1}"


def drawn(problem: JSON, walls: int, cat: int) -> str:
    """The board in signs, even rows shifted."""
    height, width = problem["height"], problem["width"]
    lines = ["    " + "   ".join(LETTERS[:width])]
    for row in range(height):
        cells = range(row * width, row * width + width)
        signs = ("C" if cell == cat else "#" if walls >> cell & 1 else "." for cell in cells)
        lines.append(f"{row + 1:>2}  {'  ' if row % 2 else ''}{'   '.join(signs)}")
    return "\n".join(lines)


def first(problem: JSON) -> tuple[int, int]:
    """The walls and the cat at the beginning."""
    return sum(1 << cell for cell in problem["walls"]), problem["cat"]


def _drawing(problem: JSON) -> str:
    return f"The board; C is the cat, # a wall and . a free cell:\n\n{drawn(problem, *first(problem))}"


def _listed(problem: JSON) -> str:
    walls = ", ".join(name(problem, cell) for cell in problem["walls"])
    return f"The cat is on {name(problem, problem['cat'])}. There are walls on {walls}. All other cells are free."


def _as_json(problem: JSON) -> str:
    shown = {"cat": name(problem, problem["cat"]), "walls": [name(problem, cell) for cell in problem["walls"]]}
    return f"The board as JSON; cells that are not mentioned are free:\n\n{json.dumps(shown)}"


def _fenced(problem: JSON) -> str:
    return f"Board (C: cat, #: wall, .: free):\n\n```\n{drawn(problem, *first(problem))}\n```"


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _listed,
    _as_json,
    held_out=_fenced,
    name="board",
    seen=in_picture(
        "The picture shows the board: the orange disc is the cat, and dark cells are walls.",
        "See the picture for the board. The cat is an orange disc, and walls are dark.",
        "The board is drawn in the picture, with the cat as an orange disc and walls as dark cells.",
        held_out="The attached figure depicts the board (orange disc: cat, dark: wall).",
    ),
)
