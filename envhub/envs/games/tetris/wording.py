"""The prompt of tetris-v0.

Phrasings of the rules, and renderings of the board and the pieces.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.games.tetris import board as boards

_TASK: Final = Phrase(
    "You play Tetris, one piece per message. Fill {lines} in at most {messages}.",
    "Play a game of Tetris in which each message places a piece. You have {messages} to fill {lines}.",
    "Place falling pieces so that {lines} become full. You have {messages}, each of which places one piece.",
    held_out="You are the player of a turn-based Tetris. Complete {lines}, using no more than {messages}, each for one piece.",
)
_BOARD: Final = Phrase(
    "The board has {height} rows and {width} columns. Columns are numbered from 1 on the left.",
    "The board is {height} cells high and {width} cells wide, and column 1 is on the left.",
    "There are {height} rows and {width} columns, which are counted from the left, beginning with 1.",
    held_out="The well measures {height} rows by {width} columns; columns carry the numbers 1 to {width}, left to right.",
)
_PLACE: Final = Phrase(
    "In each message, give a column and 0, 90, 180 or 270 degrees. The piece is turned clockwise by these degrees. Then it falls "
    "straight down, with the leftmost cell of the turned piece in the given column.",
    "A message consists of a column and degrees (0, 90, 180 or 270). First the piece is turned clockwise. Then it drops straight "
    "down so that its leftmost cell is in this column.",
    "Send a column and an angle of 0, 90, 180 or 270 degrees. The piece is turned clockwise by the angle, and it falls straight "
    "down. The column is that of the leftmost cell of the turned piece.",
    held_out="A message specifies a column and a clockwise rotation of 0, 90, 180 or 270 degrees. The rotated piece descends "
    "vertically, its leftmost cell aligned with that column.",
)
_REST: Final = Phrase(
    "The piece stops when a cell below it is filled or when it reaches the bottom. It cannot slide sideways while it falls.",
    "A piece falls until it lies on the bottom or on a filled cell. It does not move sideways on its way.",
    "Falling ends at the bottom or on top of a filled cell. Pieces cannot be moved sideways under other cells.",
    held_out="Descent terminates at the floor or on contact with an occupied cell below; lateral movement is impossible.",
)
_LINE: Final = Phrase(
    "A row whose cells are all filled is a full line. It disappears, and all rows above it move down by one.",
    "When every cell of a row is filled, this line disappears and everything above it moves one row down.",
    "Full rows are removed, and the rows above them move down. Each of them counts as one line.",
    held_out="Completely occupied rows are deleted and counted as lines; the rows above are lowered accordingly.",
)
_LOST: Final = Phrase(
    "The game is lost if a part of a piece comes to rest above the top row.",
    "You lose as soon as a piece stops with a part of it above the top row.",
    "If a piece cannot come to rest entirely inside the board, you lose.",
    held_out="A piece that comes to rest with any cell above the top row ends the game as a loss.",
)
_WASTED: Final = Phrase(
    "A message that places the piece outside the board, or that is not a placement, is used up, and the piece stays the same.",
    "If your message is not a placement within the board, it is used up, nothing falls, and you keep the piece.",
    "You lose a message, and keep the piece, if the piece would not be within the board or the message cannot be read.",
    held_out="Unreadable messages and placements outside the board are charged as messages and leave the piece in hand.",
)
_KINDS: Final = Phrase(
    "Pieces come in rounds of {count}. Each round has each of these kinds once, in random order: {kinds}. You see the current piece "
    "and the next one.",
    "The order of the pieces is random, but every round of {count} contains each kind ({kinds}) exactly once. The current and the "
    "next piece are shown.",
    "You are shown the current piece and the next one. The {count} kinds, {kinds}, come in rounds: all of them once in random "
    "order, then all of them again.",
    held_out="The sequence is a concatenation of random permutations of the {count} kinds {kinds}. The current and the following piece "
    "are known.",
)
_GOAL: Final = Phrase(
    "You succeed when {lines} have disappeared. If the game ends before that, your score is the share of these lines "
    "that you filled.",
    "Filling {lines} is a success. Otherwise you get the share of them that have disappeared by the end.",
    "The game is won after {lines}. If it ends earlier, you get partial credit for the share of lines filled.",
    held_out="Success means {lines}. In any other case the score is the fraction of them that was completed.",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    kinds = _KINDS.bound({"kinds": ", ".join(problem["kinds"]), "count": len(problem["kinds"])})
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_BOARD, _PLACE, _REST, _LINE, _LOST, _WASTED, kinds),
        note=_GOAL,
        values={
            "width": problem["width"],
            "height": problem["height"],
            "lines": counted(problem["lines"], "line"),
            "messages": counted(problem["pieces"], "message"),
        },
        frames=GAME_FRAMES,
    )


def drawn(board: boards.Board, piece: str, following: str) -> str:
    """The board, the piece in each of its turns, and the next one."""
    return "\n".join(board) + f"\n\n{_pieces(piece, following)}"


def _pieces(piece: str, following: str) -> str:
    turns = "\n".join(f"turned by {90 * turns} degrees:\n{_shape(piece, turns)}" for turns in range(4))
    return f"Current piece ({piece}), {turns}\nNext piece ({following}):\n{_shape(following, 0)}"


def _shape(piece: str, turns: int) -> str:
    return "\n".join(row.replace("#", piece) for row in boards.turned(piece, turns))


def _empty(problem: JSON) -> str:
    return "\n".join((boards.EMPTY * problem["width"],) * problem["height"])


def _drawing(problem: JSON) -> str:
    return (
        "The board, which is empty at first. A dot is an empty cell, and a letter is a cell filled by a piece of this kind.\n\n"
        f"{_empty(problem)}\n\n{_pieces(*problem['first'])}"
    )


def _as_json(problem: JSON) -> str:
    piece, following = problem["first"]
    shapes = {str(90 * turns): list(boards.turned(piece, turns)) for turns in range(4)}
    record = {"current": {"kind": piece, "by degrees": shapes}}
    record["next"] = {"kind": following, "by degrees": {"0": list(boards.turned(following, 0))}}
    return (
        "The board is empty. Later it is drawn with a dot for an empty cell and the letter of the piece for a filled one. "
        f"The known pieces as JSON, row by row, # for a cell of the piece:\n\n{json.dumps(record)}"
    )


def _fenced(problem: JSON) -> str:
    return (
        "Drawings of the board have a dot for each empty cell, and a filled cell has the letter of its piece.\n\n"
        f"```\n{_empty(problem)}\n```\n\n{_pieces(*problem['first'])}"
    )


def _in_words(problem: JSON) -> str:
    return (
        f"At first, all {problem['height']} rows of {problem['width']} cells are empty. In later drawings, dots are empty cells "
        f"and letters are filled ones.\n\n{_pieces(*problem['first'])}"
    )


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    _in_words,
    held_out=_fenced,
    name="data",
    seen=in_picture(
        "The picture shows the board, the current piece turned by 0, 90, 180 and 270 degrees, and the next piece.",
        "The board is drawn in the picture. Beside it are the current piece, in each of its four turns, and the next piece.",
        "See the picture for the board, for the current piece after each turn, and for the next piece.",
        held_out="The attached figure depicts the board, the current piece under each rotation, and the following piece.",
    ),
)
