"""The prompt of connect-four-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.game.rulebook import WIN
from envhub.authoring.wording import Phrase, counted
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are {seat} in a game of connect four.",
    "Play connect four as {seat}.",
    "This is a game of connect four, and you play {seat}.",
    held_out="Your part in this game of connect four is that of {seat}.",
)
_BOARD: Final = Phrase(
    "The board has 6 rows and 7 columns. The columns are numbered 1 to 7 from the left. In a drawing, a dot is an empty cell.",
    "The board is 7 columns wide and 6 rows high. Column 1 is on the left and column 7 on the right. Drawings show an empty "
    "cell as a dot.",
    "There are 7 columns of 6 cells each, counted from the left, from 1 to 7. A dot in a drawing means that the cell is empty.",
    held_out="Columns 1 to 7 (left to right) hold up to 6 discs each. Dots in drawings denote empty cells.",
    seen=Phrase(
        "The board has 6 rows and 7 columns. The columns are numbered 1 to 7 from the left. In a picture, each disc "
        "has the letter of its player, X or O.",
        "The board is 7 columns wide and 6 rows high. Column 1 is on the left and column 7 on the right. Pictures show "
        "the letter X or O on each disc.",
        "There are 7 columns of 6 cells each, counted from the left, from 1 to 7. Discs in a picture are marked X or O.",
        held_out="Columns 1 to 7 (left to right) hold up to 6 discs each. Pictured discs are labelled X and O.",
    ),
)
_MOVE: Final = Phrase(
    "X and O take turns. X has the first turn of the game, so it moves next if both have the same number of discs.",
    "The players X and O alternate. X started the game: with equal numbers of discs it is X's turn, otherwise O's.",
    "X and O move alternately. It is X's turn when both have equally many discs on the board, and O's turn when X has one "
    "more.",
    held_out="Moves alternate between X and O. The side to move is X for equal numbers of discs and O for unequal ones.",
)
_DROP: Final = Phrase(
    "A move is the number of a column that is not full. The player's disc falls to the lowest empty cell of this column.",
    "In a turn, a player names a column that still has room, and drops a disc into it. The disc falls to the lowest empty "
    "cell.",
    "To move, give the number of a column with at least one empty cell. Your disc comes to rest in its lowest empty cell.",
    held_out="A move is the number of a column with space. It places a disc in the lowest free cell of that column.",
)
_FOUR: Final = Phrase(
    "The first player with 4 own discs in a row, a column or a diagonal wins. A full board without such a line is a draw.",
    "Whoever first has a line of 4 own discs (horizontal, vertical or diagonal) wins. If the board is full and there is no "
    "such line, the game is a draw.",
    "Four own discs next to each other in a row, a column or a diagonal win at once. The game is a draw if the board is full "
    "without that.",
    held_out="Four consecutive own discs in any of the directions horizontal, vertical and diagonal win. A full board without "
    "them is drawn.",
)
_SOON: Final = Phrase(
    "You succeed if you win within {moves} of yours. This can be forced, whatever your opponent plays. If you have not won by "
    "then, you lose.",
    "Your goal is to win with at most {moves} of your own. There is a way to do so against every defence. After that, the game "
    "is lost for you.",
    "Win the game within {moves} of yours to succeed. With the right play your opponent cannot prevent it. Without a win by "
    "then, you have lost.",
    held_out="Success means a win after at most {moves} on your part; such a win is forced. Otherwise the game counts as a "
    "loss.",
)


def rulebook(problem: JSON) -> Rulebook:
    """The rules, and the length of a forced win."""
    rules, moves = (_BOARD, _MOVE, _DROP, _FOUR), problem["win_in"]
    if not moves:
        return Rulebook("Connect four", _TASK, rules, WIN, view=_VIEW)
    return Rulebook("Connect four", _TASK, rules, _SOON, values={"moves": counted(moves, "move")}, view=_VIEW)


def _parts(problem: JSON) -> tuple[list[str], str]:
    """The columns from the bottom up, and the line after the board."""
    _, *rows = problem["view"].split("\n")
    columns = ["".join(column).replace(".", "") for column in zip(*(row.split() for row in rows[5::-1]), strict=True)]
    return columns, "\n".join(rows[6:])


def _as_columns(problem: JSON) -> str:
    columns, left = _parts(problem)
    told = [f"Column {at}: {' '.join(discs) or 'empty'}" for at, discs in enumerate(columns, 1)]
    return "\n".join(filter(None, ["The discs in each column, from the bottom up:", *told, left]))


def _as_json(problem: JSON) -> str:
    columns, left = _parts(problem)
    shown = json.dumps({str(at): list(discs) for at, discs in enumerate(columns, 1)})
    return "\n".join(filter(None, ["The discs in each column as JSON, the lowest disc first:", shown, left]))


def _as_stacks(problem: JSON) -> str:
    columns, left = _parts(problem)
    stacks = "; ".join(f"c{at} = {discs or '-'}" for at, discs in enumerate(columns, 1))
    return "\n".join(filter(None, [f"Stacks, bottom first (- for none): {stacks}", left]))


_VIEW: Final = views(_as_columns, _as_json, held_out=_as_stacks)
