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
    held_out="You are the player of a turn-based Tetris. Complete {lines}, using no more than {messages}, each for "
    "one piece.",
)
_BOARD: Final = Phrase(
    "The board has {height} rows and {width} columns. Columns are numbered from 1 on the left.",
    "The board is {height} cells high and {width} cells wide, and column 1 is on the left.",
    "There are {height} rows and {width} columns, which are counted from the left, beginning with 1.",
    held_out="The well measures {height} rows by {width} columns; columns carry the numbers 1 to {width}, left to "
    "right.",
)
_PLACE: Final = Phrase(
    "In each message, give a column and 0, 90, 180 or 270 degrees. The piece is turned clockwise by these degrees. "
    "Then it falls straight down, with the leftmost cell of the turned piece in the given column.",
    "A message consists of a column and degrees (0, 90, 180 or 270). First the piece is turned clockwise. Then it "
    "drops straight down so that its leftmost cell is in this column.",
    "Send a column and an angle of 0, 90, 180 or 270 degrees. The piece is turned clockwise by the angle, and it "
    "falls straight down. The column is that of the leftmost cell of the turned piece.",
    held_out="A message specifies a column and a clockwise rotation of 0, 90, 180 or 270 degrees. The rotated piece "
    "descends vertically, its leftmost cell aligned with that column.",
)
_REST: Final = Phrase(
    "The piece falls until one of its cells lies on the bottom or on a filled cell. It cannot slide sideways while "
    "it falls.",
    "A piece comes to rest on the bottom of the board or on a filled cell. It does not move sideways on its way.",
    "Falling ends when the piece lies on the bottom or on a filled cell. Pieces cannot be moved sideways during the "
    "fall.",
    held_out="Descent terminates on contact with the floor or with an occupied cell; lateral movement is impossible.",
)
_LINE: Final = Phrase(
    "A row whose cells are all filled is a full line. It disappears, and all higher rows move down by one.",
    "When every cell of a row is filled, this line disappears and everything higher up moves one row down.",
    "Full rows are removed, and all higher rows move down. Each of them counts as one line.",
    held_out="Completely occupied rows are deleted and counted as lines; all higher rows are lowered accordingly.",
)
_LOST: Final = Phrase(
    "The game is lost if a piece comes to rest with a part of it sticking out of the top of the board.",
    "You lose as soon as a piece stops and a part of it sticks out of the top of the board.",
    "If a piece cannot come to rest entirely inside the board, because the board is filled too high, you lose.",
    held_out="A piece that comes to rest with any cell outside the top of the board ends the game as a loss.",
)
_WASTED: Final = Phrase(
    "A message that places the piece outside the board, or that is not a placement, is used up, and the piece stays "
    "the same.",
    "If your message is not a placement within the board, it is used up, nothing falls, and you keep the piece.",
    "You lose a message, and keep the piece, if the piece would not be within the board or the message cannot be read.",
    held_out="Unreadable messages and placements outside the board are charged as messages and leave the piece in "
    "hand.",
)
_KINDS: Final = Phrase(
    "Pieces come in rounds of {count}. Each round has each of these kinds once, in random order: {kinds}. You see "
    "the current piece and the next one.",
    "The order of the pieces is random, but every round of {count} contains each kind ({kinds}) exactly once. The "
    "current and the next piece are shown.",
    "You are shown the current piece and the next one. The {count} kinds, {kinds}, come in rounds: all of them once "
    "in random order, then all of them again.",
    held_out="The sequence is a concatenation of random permutations of the {count} kinds {kinds}. The current and "
    "the next piece are known.",
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
            "width": len(problem["board"][0]),
            "height": len(problem["board"]),
            "lines": counted(problem["lines"], "line"),
            "messages": counted(problem["pieces"], "message"),
        },
        frames=GAME_FRAMES,
    )


def drawn(board: boards.Board, piece: str, following: str) -> str:
    """The board, the turns of the piece, and the next one."""
    return "\n".join(board) + f"\n\n{_pieces(piece, following)}"


def _pieces(piece: str, following: str) -> str:
    turns = "\n".join(f"turned by {90 * turns} degrees:\n{_shape(piece, turns)}" for turns in range(4))
    return f"Current piece ({piece}), {turns}\nNext piece ({following}):\n{_shape(following, 0)}"


def _shape(piece: str, turns: int) -> str:
    return "\n".join(row.replace("#", piece) for row in boards.turned(piece, turns))


def _rows(problem: JSON) -> str:
    return "\n".join(problem["board"])


_LEGEND: Final = (
    "a dot is an empty cell, # a cell that was filled at first, and a letter a cell of the piece with this name"
)


def _drawing(problem: JSON) -> str:
    return f"The board: {_LEGEND}.\n\n{_rows(problem)}\n\n{_pieces(*problem['first'])}"


def _as_json(problem: JSON) -> str:
    piece, following = problem["first"]
    shapes = {str(90 * turns): list(boards.turned(piece, turns)) for turns in range(4)}
    record = {"board": problem["board"], "current": {"kind": piece, "by degrees": shapes}}
    record["next"] = {"kind": following, "by degrees": {"0": list(boards.turned(following, 0))}}
    return (
        "The board and the known pieces as JSON, row by row from the top. In a piece, # is one of its cells; on the "
        f"board, {_LEGEND}.\n\n{json.dumps(record)}"
    )


def _fenced(problem: JSON) -> str:
    return f"In drawings of the board, {_LEGEND}.\n\n```\n{_rows(problem)}\n```\n\n{_pieces(*problem['first'])}"


def _in_words(problem: JSON) -> str:
    columns = zip(*problem["board"], strict=True)
    tops = "; ".join(f"column {at}: {column.count('#')}" for at, column in enumerate(columns, 1))
    return (
        f"Number of cells that are filled at first, from the bottom of each column: {tops}. All other cells are empty. "
        f"In later drawings, {_LEGEND}.\n\n{_pieces(*problem['first'])}"
    )


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    _in_words,
    held_out=_fenced,
    name="data",
    seen=in_picture(
        "The picture shows the board, the current piece turned by 0, 90, 180 and 270 degrees, and the next piece.",
        "The board is drawn in the picture. Beside it are the current piece, in each of its four turns, and the "
        "next piece.",
        "See the picture for the board, for the current piece after each turn, and for the next piece.",
        held_out="The attached figure depicts the board, the current piece under each rotation, and the next piece.",
    ),
)
