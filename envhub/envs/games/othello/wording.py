"""The prompt of othello-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.game.rulebook import WIN_MATCH
from envhub.authoring.wording import Phrase
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are {seat} in a game of Othello.",
    "Play Othello as {seat}.",
    "This is a game of Othello, and you play {seat}.",
    held_out="Your part in this Othello game is that of {seat}.",
)
_MATCH_TASK: Final = Phrase(
    "You are {seat} in a match of {count} boards of Othello.",
    "Play a match of Othello on {count} boards as {seat}.",
    "This is an Othello match of {count} boards, and you play {seat}.",
    held_out="Your part in a series of {count} Othello boards is that of {seat}.",
)
_BOARD: Final = Phrase(
    "The board has 8 columns, a to h, and 8 rows, 1 to 8. A square is named by its column and its row, such as c4. In a "
    "drawing, a dot is an empty square.",
    "Squares of the 8x8 board have names such as c4: the letter of the column (a to h), then the number of the row (1 to 8). "
    "Drawings show an empty square as a dot.",
    "There are 64 squares in 8 columns (a to h) and 8 rows (1 to 8). The square in column c and row 4 is called c4. A dot in a "
    "drawing means that the square is empty.",
    held_out="A square is denoted by a column from a to h and a row from 1 to 8, as in c4. Dots in drawings denote empty "
    "squares.",
    seen=Phrase(
        "The board has 8 columns, a to h, and 8 rows, 1 to 8. A square is named by its column and its row, such as c4. In a "
        "picture, each disc has the letter of its player, X or O.",
        "Squares of the 8x8 board have names such as c4: the letter of the column (a to h), then the number of the row "
        "(1 to 8). Pictures show the letter X or O on each disc.",
        "There are 64 squares in 8 columns (a to h) and 8 rows (1 to 8). The square in column c and row 4 is called "
        "c4. Discs in a picture are marked X or O.",
        held_out="A square is denoted by a column from a to h and a row from 1 to 8, as in c4. Pictured discs are "
        "labelled X and O.",
    ),
)
_MOVE: Final = Phrase(
    "X and O take turns. A move is an empty square, on which the player places a disc.",
    "The players X and O alternate. In a turn, a player places one disc of its own on an empty square.",
    "X and O move alternately. To move, name an empty square: one of your discs is placed there.",
    held_out="Moves alternate between X and O. A move names an empty square, which receives a disc of the mover.",
)
_FLIP: Final = Phrase(
    "A move is legal only if, in at least one of the eight directions, a straight unbroken line of the other side's discs lies "
    "between the new disc and another disc of the player. All discs in such lines are turned over and become the player's.",
    "A disc may be placed only where it encloses discs of the other side: in one of the eight directions, one or more of them "
    "follow each other without a gap and end at a disc of the player. All discs enclosed in this way change sides.",
    "You must turn over at least one disc. From the new disc, look in all eight directions: a run of the other side's discs "
    "that ends at one of your own discs, without a gap, is turned over and becomes yours.",
    held_out="Legality requires a capture: along some of the eight rays from the new disc, a nonempty contiguous run of "
    "opposing discs is followed by a disc of the mover. All such runs are flipped.",
)
_PASS: Final = Phrase(
    "A side without a legal move is skipped. When neither side has a legal move, the game on the board is over.",
    "If a side cannot move, the other side moves again. The board is finished when neither side can move.",
    "You are passed over if you have no legal move, and so is your opponent. A board ends when nobody has a legal move.",
    held_out="A side with no legal move forfeits the turn. The board terminates when both sides have none.",
)
_AHEAD: Final = Phrase(
    "At the end, a side is ahead by the number of discs that it has more than the other side.",
    "The result of a board is the difference between the numbers of discs: the side with more discs is ahead by it.",
    "Count the discs when the board is finished. The side with more of them is ahead by the difference.",
    held_out="The lead of a side is its number of discs minus that of the other side, at the end of the board.",
)
_MATCH: Final = Phrase(
    "The boards are played one after another. Each board begins from a given position, which is shown to you, and {side} moves "
    "first.",
    "You play one board after the other. Every board starts from a position that is shown, with {side} to move.",
    "Boards follow each other, and you see the position from which each of them begins. The first move is always that of "
    "{side}.",
    held_out="The boards are played in sequence. The initial position of each is given when it begins; {side} has the first "
    "move.",
)
_NEEDED: Final = Phrase(
    "{side} wins the match if it ends every board as required or better. Required: {needs}.",
    "To win the match, {side} must reach at least this result on every board: {needs}.",
    "The match is won by {side} if no board ends worse for it than this: {needs}.",
    held_out="Requirement for {side} to win the match: {needs}.",
)
_STOPS: Final = Phrase(
    "The match stops at the first board that ends worse for {side}, and {other} wins it.",
    "As soon as a board ends with less than that for {side}, the match is over and {other} has won it.",
    "If {side} misses the required result on one board, no more boards are played, and the winner of the match is {other}.",
    held_out="The first board that misses the requirement terminates the match, which {other} then wins against {side}.",
)
_END: Final = Phrase(
    "You succeed if you end the game {need}. This can be forced, whatever your opponent plays.",
    "Your goal is to end the game {need}. With the right moves you get there against every defence.",
    "Ending the game {need} is success. There is a way to do so no matter how your opponent replies.",
    held_out="Success means to finish {need}; this is possible against any play of the opponent.",
)


def rulebook(problem: JSON, symbols: str, needs: Sequence[str]) -> Rulebook:
    """The rules of one board, or of a match of several.

    ``needs`` are the required results in words.
    """
    rules = (_BOARD, _MOVE, _FLIP, _PASS, _AHEAD)
    if "boards" not in problem:
        return Rulebook("Othello", _TASK, rules, _END, values={"need": needs[0]}, view=_VIEW)
    values = {
        "count": len(problem["boards"]),
        "side": symbols[problem["side"]],
        "other": symbols[1 - problem["side"]],
        "needs": ", ".join(f"{need} on board {number}" for number, need in enumerate(needs, 1)),
    }
    title = f"Othello, a match of {len(needs)} boards"
    return Rulebook(title, _MATCH_TASK, (*rules, _MATCH, _NEEDED, _STOPS), WIN_MATCH, values=values, view=_VIEW)


def _parts(problem: JSON) -> tuple[str, list[list[str]]]:
    """The heading of the board, and the squares of each row."""
    *head, _ = problem["view"].split("\n")[:-8]
    return "\n".join(head), [row.split()[1:] for row in problem["view"].split("\n")[-8:]]


def _squares(rows: list[list[str]], mark: str) -> list[str]:
    return ["abcdefgh"[c] + str(r) for r, row in enumerate(rows, 1) for c, found in enumerate(row) if found == mark]


def _as_list(problem: JSON) -> str:
    head, rows = _parts(problem)
    told = [f"{mark}: {' '.join(_squares(rows, mark))}" for mark in "XO"]
    return "\n".join(filter(None, [head, *told, f"Empty: {' '.join(_squares(rows, '.'))}"]))


def _as_json(problem: JSON) -> str:
    head, rows = _parts(problem)
    shown = json.dumps({str(number): "".join(row) for number, row in enumerate(rows, 1)})
    return "\n".join(filter(None, [head, "The rows of the board as JSON, each one from column a to column h:", shown]))


def _as_string(problem: JSON) -> str:
    head, rows = _parts(problem)
    whole = "/".join("".join(row) for row in rows)
    return "\n".join(filter(None, [head, f"Rows 1 to 8, each from a to h: {whole}"]))


_VIEW: Final = views(_as_list, _as_json, held_out=_as_string)
