"""The prompt of 2048-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.games.twenty48 import tiles

_TASK: Final = Phrase(
    "Play 2048 on a board of {size} rows and {size} columns: make a tile of {target} in at most {moves}.",
    "You play a game of 2048 on a board of {size} by {size} cells. Make a tile of {target} within {moves}.",
    "Reach a tile of {target} in this game of 2048. The board has {size} rows and {size} columns, and you have {moves}.",
    held_out="You are the player of 2048 on a board of {size} x {size} cells. Produce a tile of value {target}, using no more "
    "than {moves}.",
)
_SLIDE: Final = Phrase(
    "Each message is one move: up, left, down or right. All tiles slide in this direction as far as they can.",
    "Send one move per message. Up, left, down or right makes all tiles slide that way until something stops them.",
    "In every message you choose up, left, down or right, and every tile slides as far as it can in this direction.",
    held_out="One message carries one move, a direction in which all tiles are displaced as far as possible.",
)
_MERGE: Final = Phrase(
    "Two tiles of equal value that meet merge into one tile of twice the value. Pairs nearest the edge that the tiles slide "
    "towards merge first, and a merged tile does not merge again in the same move.",
    "If a tile meets another one of the same value, the two become one tile of double the value. This starts at the edge "
    "towards which the tiles slide. A tile that has just been made by a merge takes part in no other merge of this move.",
    "Tiles with the same value merge in pairs when they meet, and the new tile has twice the value. Merging begins at the edge "
    "where the tiles arrive, and no tile merges twice in one move.",
    held_out="Equal tiles that become adjacent in the direction of the move fuse pairwise into their sum, beginning at the "
    "edge of arrival; a product of fusion does not fuse again in that move.",
)
_APPEAR: Final = Phrase(
    "After a move that changes the board, a new tile appears in a random empty cell, each with the same probability. It is a 2 "
    "with probability 90% and a 4 with probability 10%.",
    "Every move that changes the board is followed by a new tile: a 2 in 90% of cases and a 4 in 10%. Its cell is chosen "
    "uniformly at random among the empty ones.",
    "When a move has changed the board, one more tile is placed in an empty cell that is chosen uniformly at random. With "
    "probability 90% the tile is a 2, otherwise a 4.",
    held_out="Each move with an effect is followed by a tile in a uniformly random empty cell; its value is 2 (p = 0.9) or 4 "
    "(p = 0.1).",
)
_WASTED: Final = Phrase(
    "A move that changes nothing brings no new tile but still counts. So does a message that is not a move.",
    "If nothing can slide in your direction, no tile appears and the move is used up. A message that is not a move also uses "
    "one up.",
    "You lose a move, and no tile appears, if your move changes nothing or your message is not a move.",
    held_out="Moves without effect and messages without a move add no tile, and are charged as moves.",
)
_END: Final = Phrase(
    "The game also ends when no move can change the board.",
    "If no direction can change the board any more, the game is over.",
    "The game stops early if all four directions leave the board as it is.",
    held_out="A board on which every move is without effect terminates the game.",
)
_GOAL: Final = Phrase(
    "You succeed, with a score of 1, as soon as there is a tile of {target}. Otherwise your score is (largest tile - 4) / "
    "({target} - 4), but at least 0.",
    "A tile of {target} ends the game with success and a score of 1. If you do not get there, the score is (largest tile - 4) "
    "divided by ({target} - 4), and never less than 0.",
    "Make a tile of {target} to succeed; this scores 1. Without it, your score at the end is the larger of 0 and "
    "(largest tile - 4) / ({target} - 4).",
    held_out="Success means that a tile of value {target} exists; its score is 1. In all other cases the score is "
    "max(0, M - 4) / ({target} - 4), where M is the largest tile at the end.",
)
_LATER: Final = "Later boards are drawn, with dots as empty cells."


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_SLIDE, _MERGE, _APPEAR, _WASTED, _END),
        note=_GOAL,
        values={
            "size": len(problem["board"]),
            "target": problem["target"],
            "moves": counted(problem["moves"], "move"),
        },
        frames=GAME_FRAMES,
    )


def drawn(board: tiles.Board) -> str:
    """The values of the tiles in columns."""
    width = max(4, len(str(tiles.largest(board))) + 1)
    return "\n".join([_line(row, width) for row in board])


@lru_cache(maxsize=1 << 14)
def _line(row: tuple[int, ...], width: int) -> str:
    return "".join(f"{1 << tile if tile else '.':>{width}}" for tile in row)


def _values(problem: JSON) -> list[list[int]]:
    return [[1 << tile if tile else 0 for tile in row] for row in problem["board"]]


def _drawing(problem: JSON) -> str:
    return f"The board (a dot is an empty cell):\n{drawn(tuple(map(tuple, problem['board'])))}"


def _as_json(problem: JSON) -> str:
    rows = json.dumps(_values(problem))
    return f"The rows of the board as JSON, where 0 is an empty cell: {rows}\n\n{_LATER}"


def _in_words(problem: JSON) -> str:
    told = [f"a {value} in row {row}, column {column}" for row, column, value in _placed(problem)]
    return (
        f"The board begins with {' and '.join(told)}. All other cells are empty. Rows are counted from the top and columns "
        f"from the left, starting at 1. {_LATER}"
    )


def _as_cells(problem: JSON) -> str:
    told = ", ".join(f"b[{row}][{column}] = {value}" for row, column, value in _placed(problem))
    return f"Board b (row 1 on top, column 1 on the left): {told}; the rest is empty. Boards are drawn with dots for these."


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    _in_words,
    held_out=_as_cells,
    name="data",
    seen=in_picture(
        "The picture shows the board. A blank cell is empty.",
        "The board is drawn in the picture, with blank cells where it is empty.",
        "See the picture for the board. Cells without a number are empty.",
        held_out="The attached figure depicts the board; blank cells are empty.",
    ),
)


def _placed(problem: JSON) -> list[tuple[int, int, int]]:
    """Row, column and value of every tile."""
    rows = enumerate(_values(problem), 1)
    return [(at, column, value) for at, row in rows for column, value in enumerate(row, 1) if value]
