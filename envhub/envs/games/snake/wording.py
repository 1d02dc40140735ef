"""The prompt of snake-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You steer a snake. Make it eat {apples} in at most {moves}, without running into anything.",
    "Play Snake: eat {apples} within {moves}, and keep the snake alive.",
    "You control a snake on a board. It must eat {apples}, and you have {moves}.",
    held_out="You are the player of a game of Snake. Bring the snake to {apples} before {moves} are used up.",
)
_BOARD: Final = Phrase(
    "The board has {size} rows, numbered from 1 at the top, and {size} columns, numbered from 1 on the left.",
    "The board is {size} cells high and {size} cells wide. Row 1 is at the top, and column 1 is on the left.",
    "There are {size} rows, counted from the top, and {size} columns, counted from the left. Both counts begin at 1.",
    held_out="Cells have coordinates (row, column), each from 1 to {size}. Cell (1, 1) is the upper left corner.",
)
_STEP: Final = Phrase(
    "Each message is a list of 1 to 10 directions (up, left, down, right). The head moves one cell in each "
    "direction, in order, and the body follows.",
    "Send 1 to 10 directions per message: up, left, down or right. The snake takes one step in each of them, in "
    "this order, and its body follows its head.",
    "In every message, you give between 1 and 10 directions (up, left, down, right). For each one, in order, the "
    "head moves to the next cell and the rest of the snake follows.",
    held_out="One message carries up to 10 directions (up, left, down, right). They are executed in sequence: the "
    "head is displaced by one cell and each segment takes the place of the one before it.",
)
_COUNTED: Final = Phrase(
    "Each step uses up one move. So does a message that is not a list of directions.",
    "A step costs one move, and a message that cannot be read as directions costs one move as well.",
    "You lose one move per step. You also lose one move for a message without directions.",
    held_out="Every executed step, and every unreadable message, is charged as one move.",
)
_EAT: Final = Phrase(
    "When the head enters a cell with an apple, the snake eats it and becomes one cell longer: its tail stays where "
    "it is in this step.",
    "The snake eats an apple by moving its head there. It then grows by one cell, because its tail does not move in "
    "that step.",
    "An apple is eaten when the head reaches it. In that step the tail does not move, so the snake is one cell longer.",
    held_out="Entering the cell of an apple consumes it and lengthens the snake by one segment, the tail being left "
    "in place for that step.",
)
_APPEAR: Final = Phrase(
    "After an apple is eaten, the other directions of the message are ignored without costing moves, and a new "
    "apple appears in a random free cell.",
    "Eating an apple ends the message: directions that are left over are dropped and cost nothing. A new apple "
    "appears in a free cell, chosen at random.",
    "When an apple is eaten, a new one appears at random in a free cell. The remaining directions of that message "
    "are not carried out and do not count.",
    held_out="Consumption cancels the remaining directions of the message free of charge, and an apple is placed on a "
    "uniformly random free cell.",
)
_DIE: Final = Phrase(
    "The game is lost when the head leaves the board, enters a wall, or enters a cell of the snake's body. The cell "
    "that the tail leaves in the same step is free. The cell behind the head is part of the body, so the snake "
    "cannot turn back.",
    "You lose when the head runs off the board, into a wall or into the body. The cell that the tail leaves in the "
    "same step does not count as body. Turning straight back runs into the body.",
    "If the head hits a wall, the edge of the board or the body, you lose. It may enter the cell that the tail is "
    "just leaving, but it may not turn straight back.",
    held_out="A collision of the head with a wall, the border or a segment is a loss; the segment behind the head "
    "is included, the cell vacated by the tail in that step is not.",
)
_GOAL: Final = Phrase(
    "You succeed when the snake has eaten {apples}. If it dies before that, or if no moves are left, your score is the "
    "share of these apples that it has eaten.",
    "Eating {apples} is a success. Otherwise you get the share of them that the snake has eaten when it dies or "
    "when the moves run out.",
    "The game is won after {apples}. If the snake dies or the moves run out earlier, you get partial credit for the "
    "share of apples eaten.",
    held_out="Success means that {apples} have been consumed. In any other case the score is the fraction of them "
    "that was.",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_BOARD, _STEP, _COUNTED, _EAT, _APPEAR, _DIE),
        note=_GOAL,
        values={
            "size": problem["size"],
            "apples": counted(problem["target"], "apple"),
            "moves": counted(problem["moves"], "move"),
        },
        frames=GAME_FRAMES,
    )


def drawn(problem: JSON) -> str:
    """The board in characters, and the cells of the snake."""
    return f"{_rows(problem)}\n{_line(problem)}"


@lru_cache(maxsize=64)
def _board(size: int, walls: tuple[int, ...], snake: tuple[int, ...], apples: tuple[int, ...]) -> str:
    signs = dict.fromkeys(walls, "#") | dict.fromkeys(snake, "o") | dict.fromkeys(apples, "*") | {snake[0]: "@"}
    cells = "".join(signs.get(cell, ".") for cell in range(size * size))
    return "\n".join(cells[at : at + size] for at in range(0, size * size, size))


def _rows(problem: JSON) -> str:
    return _board(problem["size"], *(tuple(problem[name]) for name in ("walls", "snake", "apples")))


def _places(problem: JSON, name: str) -> list[tuple[int, int]]:
    """Row and column of each cell of a kind."""
    return [(cell // problem["size"] + 1, cell % problem["size"] + 1) for cell in problem[name]]


def _named(problem: JSON, name: str) -> str:
    return "; ".join(f"{row}, {column}" for row, column in _places(problem, name)) or "none"


def _line(problem: JSON) -> str:
    return f"Snake from head to tail (row, column): {_named(problem, 'snake')}."


_LEGEND: Final = "@ is the head, o the body, * an apple, # a wall and . an empty cell."


def _drawing(problem: JSON) -> str:
    return f"The board; {_LEGEND}\n\n{drawn(problem)}"


def _as_lists(problem: JSON) -> str:
    return (
        f"Cells are given as row, column.\nSnake, from head to tail: {_named(problem, 'snake')}\nApples: "
        f"{_named(problem, 'apples')}\nWalls: {_named(problem, 'walls')}\n\nIn later messages the board is drawn: "
        f"{_LEGEND}"
    )


def _as_json(problem: JSON) -> str:
    cells = {name: [list(place) for place in _places(problem, name)] for name in ("snake", "apples", "walls")}
    return (
        "The board as JSON, cells as [row, column], the snake from head to tail:\n\n"
        f"{json.dumps({'size': problem['size'], **cells})}\n\nLater boards are drawn: {_LEGEND}"
    )


def _fenced(problem: JSON) -> str:
    return f"In drawings of the board, {_LEGEND}\n\n```\n{_rows(problem)}\n```\n{_line(problem)}"


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_lists,
    _as_json,
    held_out=_fenced,
    name="data",
    seen=in_picture(
        "The picture shows the board. The snake is a green line from its head (the disc with eyes) to its tail (the "
        "white dot), apples are red, and walls are dark cells.",
        "The board is drawn in the picture: red apples, dark walls, and the snake as a green line. Its head has "
        "eyes, and a white dot marks its tail.",
        "See the picture for the board. The green line is the snake, with eyes at its head and a white dot at its "
        "tail. Red discs are apples and dark cells are walls.",
        held_out="The attached figure depicts the board: snake green (eyes: head; white dot: tail), apples red, "
        "walls dark.",
    ),
)
