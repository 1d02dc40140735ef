"""The prompt of match-three-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON

REARRANGED: Final = "No swap could make a run any more, so the tiles were rearranged."

_TASK: Final = Phrase(
    "You play a match-three game. Reach {points} in at most {moves} by swapping tiles that are next to each other.",
    "Play match three: swap neighbouring tiles to make runs of equal tiles, and reach {points} within {moves}.",
    "In this match-three game you swap neighbouring tiles. You need {points} and have {moves}.",
    held_out="You are the player of a tile-matching game. Obtain {points} by exchanging adjacent tiles, using no "
    "more than {moves}.",
)
_BOARD: Final = Phrase(
    "The board has {size} rows, numbered from 1 at the top, and {size} columns, numbered from 1 on the left.",
    "The board is {size} cells high and {size} cells wide. Row 1 is at the top, and column 1 is on the left.",
    "There are {size} rows, counted from the top, and {size} columns, counted from the left. Both counts begin at 1.",
    held_out="Cells have coordinates (row, column), each from 1 to {size}. Cell (1, 1) is the upper left corner.",
)
_SWAP: Final = Phrase(
    "Each message names two cells that share a side, each by its row and then its column. Their tiles are swapped.",
    "Send two cells that share a side, each as row and column. The two tiles change places.",
    "In every message you swap the tiles of two cells that share a side. Give the row and the column of both.",
    held_out="One message exchanges the contents of two cells with a common side, each given as row and column.",
)
_RUN: Final = Phrase(
    "If the swap makes a run, which is three or more equal tiles side by side in a row or column, the tiles of all "
    "runs disappear.",
    "Three or more equal tiles next to each other in one row or column are a run. When a swap makes a run, all runs "
    "disappear.",
    "A run consists of at least three equal tiles in a row or in a column without a gap. All runs that a swap makes "
    "disappear.",
    held_out="A maximal horizontal or vertical sequence of at least three equal tiles is a run. Runs created by a "
    "swap are removed.",
)
_UNDONE: Final = Phrase(
    "A swap that makes no run is undone and uses up a move. So does a message that does not name two cells that "
    "share a side.",
    "You lose a move, and nothing changes, if your swap makes no run or if your message is not a swap of two cells "
    "that share a side.",
    "If no run results, the tiles go back and the move is used up. A message that is not such a swap also uses one up.",
    held_out="Swaps without a resulting run are reverted; these, and messages that are not swaps of adjacent cells, "
    "are charged as moves.",
)
_FALL: Final = Phrase(
    "Then tiles fall straight down into the gaps, and new tiles of random kinds fall in from the top. If this makes "
    "runs, they disappear too, and so on until there is none.",
    "Afterwards the higher tiles of a column drop into its gaps and random new tiles come in from the top. New runs "
    "disappear in the same way, round by round.",
    "Gaps are filled by the tiles over them, which fall down, and by new random tiles from the top. Runs that arise "
    "from this disappear as well, until no run is left.",
    held_out="Columns then collapse downwards and are refilled from the top with random tiles; resulting runs are "
    "removed likewise, until the board is stable.",
)
_POINTS: Final = Phrase(
    "Each tile that disappears is one point, also in later rounds of the same move.",
    "You get one point per tile that disappears, no matter in which round.",
    "Every tile that disappears counts one point, including those of the rounds that come after.",
    held_out="The score is the number of tiles removed, chain reactions included.",
)
_MIXED: Final = Phrase(
    "When no swap could make a run, the tiles are rearranged at random until one can.",
    "If no swap on the board makes a run, all tiles are put in another random order in which one does.",
    "The tiles are rearranged at random whenever no swap makes a run.",
    held_out="A board without any productive swap is replaced by a random permutation of its tiles that has one.",
)
_GOAL: Final = Phrase(
    "You succeed as soon as you have {points}. If the moves run out before that, your score is the share of the "
    "points that you have.",
    "Reaching {points} is a success. Otherwise you get the share of them that you have when the moves run out.",
    "The game is won with {points}. If no moves are left before that, you get partial credit for the share you have.",
    held_out="Success means {points}. If the moves are exhausted first, the score is the fraction obtained.",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_BOARD, _SWAP, _RUN, _FALL, _POINTS, _UNDONE, _MIXED),
        note=_GOAL,
        values={
            "size": len(problem["board"]),
            "points": counted(problem["target"], "point"),
            "moves": counted(problem["moves"], "move"),
        },
        frames=GAME_FRAMES,
    )


def drawn(board: Sequence[str]) -> str:
    """The board in letters, its rows and columns numbered."""
    head = "   " + " ".join(str(at) for at in range(1, len(board[0]) + 1))
    return "\n".join([head, *(f"{at:>2} {' '.join(row)}" for at, row in enumerate(board, 1))])


def _drawing(problem: JSON) -> str:
    return (
        f"The board, with a letter for each kind of tile; rows and columns are numbered:\n\n{drawn(problem['board'])}"
    )


def _as_json(problem: JSON) -> str:
    return f"The rows of the board from top to bottom as JSON, one letter per tile:\n\n{json.dumps(problem['board'])}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {' '.join(row)}" for at, row in enumerate(problem["board"], 1))
    return f"Letters stand for kinds of tiles.\n\n{rows}"


def _fenced(problem: JSON) -> str:
    return f"Board (each letter is a kind of tile):\n\n```\n{drawn(problem['board'])}\n```"


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    _in_lines,
    held_out=_fenced,
    name="data",
    seen=in_picture(
        "The picture shows the board. Tiles with the same shape and colour are equal.",
        "The board is drawn in the picture; equal tiles have the same shape and the same colour.",
        "See the picture for the board. Two tiles are equal if their shape and colour are the same.",
        held_out="The attached figure depicts the board; equality of tiles means equal shape and colour.",
    ),
)
