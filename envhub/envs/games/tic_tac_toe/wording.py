"""The prompt of tic-tac-toe-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.game.rulebook import WIN, WIN_MATCH
from envhub.authoring.wording import Phrase, and_list
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are {seat} in a game of tic-tac-toe.",
    "Play tic-tac-toe as {seat}.",
    "This is a game of tic-tac-toe, and you play {seat}.",
    held_out="Your part in this tic-tac-toe game is that of {seat}.",
)
_MATCH_TASK: Final = Phrase(
    "You are {seat} in a match of {count} boards of tic-tac-toe.",
    "Play a match of tic-tac-toe on {count} boards as {seat}.",
    "This is a tic-tac-toe match of {count} boards, and you play {seat}.",
    held_out="Your part in a series of {count} tic-tac-toe boards is that of {seat}.",
)
_BOARD: Final = Phrase(
    "The board has 3 rows and 3 columns. The cells are numbered 1 to 9, row by row, starting at the top left. In a drawing, a "
    "dot is an empty cell.",
    "The 9 cells of the board form 3 rows of 3 cells. Cells 1, 2 and 3 are the top row, 4, 5 and 6 the middle row, and 7, 8 "
    "and 9 the bottom row, each from left to right. A dot in a drawing means that the cell is empty.",
    "Play takes place on 3 rows of 3 cells. Number the cells from 1 at the top left to 9 at the bottom right, going along the "
    "rows. Drawings show an empty cell as a dot.",
    held_out="Cells form a 3 x 3 board and have the numbers 1 to 9 in reading order. Dots in drawings denote empty cells.",
    seen=Phrase(
        "The board has 3 rows and 3 columns. The cells are numbered 1 to 9, row by row, starting at the top left. In a "
        "picture, an empty cell shows its number in grey.",
        "The 9 cells of the board form 3 rows of 3 cells. Cells 1, 2 and 3 are the top row, 4, 5 and 6 the middle row, "
        "and 7, 8 and 9 the bottom row, each from left to right. A grey number in a picture means that the cell is empty.",
        "Play takes place on 3 rows of 3 cells. Number the cells from 1 at the top left to 9 at the bottom right, "
        "going along the rows. Pictures show an empty cell by its number in grey.",
        held_out="Cells form a 3 x 3 board and have the numbers 1 to 9 in reading order. Grey numbers in pictures denote empty "
        "cells.",
    ),
)
_MOVE: Final = Phrase(
    "X and O take turns. In a turn, a player marks one empty cell. A move is the number of this cell.",
    "The players X and O alternate. Each move names the number of an empty cell, which then gets the player's mark.",
    "X and O move alternately, and each move marks one empty cell. To move, give the number of the cell.",
    held_out="Moves alternate between X and O. A move is the number of an empty cell, which receives the mover's mark.",
)
_FIRST: Final = Phrase(
    "X moves next if it has as many marks as O. Otherwise O moves next.",
    "If both have the same number of marks, it is X's turn; if X has one more, it is O's turn.",
    "It is X's turn when the numbers of marks are equal, and O's turn when they are not.",
    held_out="The side to move is X for equal numbers of marks and O for unequal ones.",
)
_WINS: Final = Phrase(
    "The first player with 3 of its own marks in a row, a column or a diagonal wins the board. A full board without such a "
    "line is a draw.",
    "Whoever first completes a line of 3 own marks (row, column or diagonal) wins the board. If the board is full and there is "
    "no such line, it is a draw.",
    "Three of a player's own marks in a row, a column or a diagonal win the board at once. A full board without them is a "
    "draw.",
    held_out="Completing a row, column or diagonal with own marks wins the board. A full board without such a line is drawn.",
)
_LOSES: Final = Phrase(
    "The first player with 3 of its own marks in a row, a column or a diagonal loses the board. A full board without such a "
    "line is a draw.",
    "Whoever first completes a line of 3 own marks (row, column or diagonal) loses the board. If the board is full and there "
    "is no such line, it is a draw.",
    "Three of a player's own marks in a row, a column or a diagonal lose the board at once. A full board without them is a "
    "draw.",
    held_out="Completing a row, column or diagonal with own marks loses the board. A full board without such a line is drawn.",
)
_MATCH: Final = Phrase(
    "The boards are played one after another. Each board begins from a given position, which is shown to you.",
    "You play one board after the other. Every board starts with some marks already placed or with none, as shown.",
    "Boards follow each other, and you see the position from which each of them begins.",
    held_out="The boards are played in sequence. The initial position of each is given when it begins.",
)
_NEEDED: Final = Phrase(
    "{side} wins the match if every board ends as required: {side} must {needs}.",
    "To win the match, {side} must {needs}.",
    "The match is won by {side} if it reaches the required result on all boards. It must {needs}.",
    held_out="Requirement for {side} to win the match: {needs}.",
)
_STOPS: Final = Phrase(
    "The match stops at the first board that ends differently, and {other} wins it.",
    "As soon as a board has another result than required, the match is over and {other} has won it.",
    "If one board ends otherwise, no more boards are played, and the winner of the match is {other}.",
    held_out="The first board with any other result terminates the match, which is then won by {other}.",
)
_DRAW: Final = Phrase(
    "You succeed if you win or draw.",
    "A win is a success, and so is a draw.",
    "Your goal is not to lose; a draw is enough.",
    held_out="Success means any result other than a loss.",
)


def rulebook(problem: JSON, symbols: str) -> Rulebook:
    """The rules of one board, or of a match of several."""
    rules: tuple[Phrase, ...] = (_BOARD, _MOVE, _FIRST, _LOSES if problem["misere"] else _WINS)
    count = len(problem.get("boards", "1"))
    if count == 1:
        goal = WIN if problem.get("target", 1) > 0 else _DRAW
        return Rulebook("Tic-tac-toe", _TASK, rules, goal, view=_VIEW)
    values = {
        "count": count,
        "side": symbols[problem["side"]],
        "other": symbols[1 - problem["side"]],
        "needs": _needs(problem["goals"]),
    }
    rules = (*rules, _MATCH, _NEEDED, _STOPS)
    return Rulebook(f"Tic-tac-toe, a match of {count} boards", _MATCH_TASK, rules, WIN_MATCH, values=values, view=_VIEW)


def _needs(goals: Sequence[float]) -> str:
    """The required results: ``win boards 1 and 3 and win or draw board 2``."""
    wins = [number for number, goal in enumerate(goals, 1) if goal]
    draws = [number for number, goal in enumerate(goals, 1) if not goal]
    return " and ".join(f"{how} {_boards(some)}" for how, some in (("win", wins), ("win or draw", draws)) if some)


def _boards(numbers: Sequence[int]) -> str:
    return f"board{'s' * (len(numbers) > 1)} {and_list(numbers)}"


def _parts(problem: JSON) -> tuple[str, list[str]]:
    """The heading of the board, and its rows."""
    *head, one, two, three = problem["view"].split("\n")
    return "\n".join(head), [one, two, three]


def _as_cells(problem: JSON) -> str:
    head, rows = _parts(problem)
    marks = "".join(rows).replace(" ", "")
    told = [f"Cells of {mark}: {_cells(marks, mark)}." for mark in "XO"]
    return "\n".join(filter(None, [head, " ".join([*told, "All other cells are empty."])]))


def _cells(marks: str, mark: str) -> str:
    found = [at for at, one in enumerate(marks, 1) if one == mark]
    return and_list(found) if found else "none"


def _as_json(problem: JSON) -> str:
    head, rows = _parts(problem)
    return "\n".join(filter(None, [head, "The rows of the board as JSON:", json.dumps([row.split() for row in rows])]))


def _as_numbers(problem: JSON) -> str:
    head, rows = _parts(problem)
    marks = "".join(rows).replace(" ", "")
    return "\n".join(filter(None, [head, ", ".join(f"{at}:{mark}" for at, mark in enumerate(marks, 1))]))


_VIEW: Final = views(_as_cells, _as_json, held_out=_as_numbers)
