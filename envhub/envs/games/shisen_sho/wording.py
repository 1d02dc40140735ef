"""The prompt of shisen-sho-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.games.shisen_sho.tiles import places

_TASK: Final = Phrase(
    "You play Shisen-Sho: remove all {tiles} from the board, one pair per message, in at most {messages}.",
    "Play a game of Shisen-Sho. Clear the board of its {tiles} pair by pair, within {messages}.",
    "Remove the {tiles} of this Shisen-Sho board, two at a time. You have {messages}.",
    held_out="You are the player of a Shisen-Sho board. Remove its {tiles} in pairs, using no more than {messages}.",
)
_BOARD: Final = Phrase(
    "The board has {height} rows, numbered from 1 at the top, and {width} columns, numbered from 1 on the left.",
    "The board is {height} cells high and {width} cells wide. Row 1 is at the top, and column 1 is on the left.",
    "There are {height} rows, counted from the top, and {width} columns, counted from the left. Both counts begin "
    "at 1.",
    held_out="Cells have coordinates (row, column), from (1, 1) in the upper left corner to ({height}, {width}).",
)
_PAIR: Final = Phrase(
    "Each message names two cells, each by its row and then its column. Their tiles are removed if they are equal "
    "and a line joins them.",
    "Send two cells per message, each as row and column. If their tiles are equal and a line joins them, both are "
    "removed.",
    "In every message, give the row and the column of two tiles. They disappear if they are equal and if a line "
    "joins them.",
    held_out="One message designates two cells by row and column. Equal tiles that are joined by a line are removed.",
)
_LINE: Final = Phrase(
    "A line runs along rows and columns and has at most {corners}. It may pass only through empty cells, and it may "
    "also run outside the board, directly along its edge.",
    "A line consists of straight pieces along rows and columns, with at most {corners}. All cells between its two "
    "ends must be empty. Cells just outside the board count as empty.",
    "Lines are horizontal and vertical, with at most {corners}, and cross no tile. They may leave the board and run "
    "along its edge.",
    held_out="A line is an axis-parallel path with at most {corners} whose interior avoids all tiles; the ring of "
    "cells around the board is available.",
)
_BESIDE: Final = Phrase(
    "Equal tiles that share a side are always joined.",
    "A line always joins two equal tiles that are side by side or one on top of the other.",
    "Two equal tiles with a common side can always be removed.",
    held_out="Equal tiles in cells with a common side are joined trivially.",
)
_STAY: Final = Phrase(
    "Removed tiles leave empty cells. The other tiles stay where they are.",
    "After a removal, the two cells are empty, and no tile moves.",
    "Tiles never move. The cells of removed tiles stay empty.",
    held_out="Removal empties the two cells without any displacement of the remaining tiles.",
)
_WASTED: Final = Phrase(
    "A message that does not name such a pair changes nothing and is used up.",
    "If the two tiles cannot be removed, or if your message does not name two cells, the message is used up and "
    "nothing changes.",
    "You lose a message, and nothing changes, if it does not name two tiles that can be removed.",
    held_out="Messages that fail to designate a removable pair are charged and have no effect.",
)
_GOAL: Final = Phrase(
    "You succeed when the board is empty. You fail when no pair can be removed or when no messages are left. The "
    "board can be cleared, but the order of the pairs may matter.",
    "Clear the whole board to succeed. It is possible, but a wrong order may leave tiles that cannot be removed. "
    "Then you fail, as you do when the messages run out.",
    "The game is won when all tiles are gone. It is lost when no pair is left that can be removed, or no message. "
    "Think about the order: the board can be cleared.",
    held_out="Success is an empty board, which is attainable. Reaching a position without removable pairs, or "
    "exhausting the messages, is failure.",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    board = problem["board"]
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_BOARD, _PAIR, _LINE, _BESIDE, _STAY, _WASTED),
        note=_GOAL,
        values={
            "height": len(board),
            "width": len(board[0]),
            "tiles": counted(len(board) * len(board[0]), "tile"),
            "corners": counted(problem["corners"], "corner"),
            "messages": counted(problem["messages"], "message"),
        },
        frames=GAME_FRAMES,
    )


def drawn(board: Sequence[str]) -> str:
    """The board in letters, with numbered rows and columns.

    A dot is an empty cell.
    """
    head = "  " + "".join(f"{at:>3}" for at in range(1, len(board[0]) + 1))
    return "\n".join([head, *(f"{at:>2}" + "".join(f"{tile:>3}" for tile in row) for at, row in enumerate(board, 1))])


_LATER: Final = "In later messages, a dot is an empty cell."


def _drawing(problem: JSON) -> str:
    return f"The board; equal letters are equal tiles. {_LATER}\n\n{drawn(problem['board'])}"


def _as_json(problem: JSON) -> str:
    rows = json.dumps(problem["board"])
    return f"The rows of the board from top to bottom as JSON, one letter per tile:\n\n{rows}\n\n{_LATER}"


def _as_places(problem: JSON) -> str:
    found = sorted(places(tuple(problem["board"])).items())
    told = "\n".join(
        f"{tile}: {'; '.join(f'{row + 1}, {column + 1}' for row, column in cells)}" for tile, cells in found
    )
    return f"The cells of each kind of tile, as row, column:\n\n{told}\n\nBoards are drawn later. {_LATER}"


def _fenced(problem: JSON) -> str:
    return f"Board (a letter for each kind of tile). {_LATER}\n\n```\n{drawn(problem['board'])}\n```"


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    _as_places,
    held_out=_fenced,
    name="data",
    seen=in_picture(
        "The picture shows the board. Tiles with the same shape and colour are equal.",
        "The board is drawn in the picture; equal tiles have the same shape and the same colour.",
        "See the picture for the board. Two tiles are equal if their shape and colour are the same.",
        held_out="The attached figure depicts the board; equality of tiles means equal shape and colour.",
    ),
)
