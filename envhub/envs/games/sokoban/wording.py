"""The prompt of sokoban-v0.

Phrasings of the rules, and renderings of the room.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "Play Sokoban: push every box onto a goal in at most {steps}.",
    "You are the warehouse keeper in a game of Sokoban. Push all boxes onto goals within {steps}.",
    "Solve this Sokoban room. Each box must be pushed onto a goal, and you have {steps}.",
    held_out="You control the player of a Sokoban level. Bring every box to a goal cell, using no more than {steps}.",
)
_STEP: Final = Phrase(
    "Each message is one step: up, left, down or right. A step moves you by one cell.",
    "Send one step per message. It takes you one cell up, left, down or right.",
    "In every message you move by exactly one cell: up, left, down or right.",
    held_out="One message carries one step, which changes your position by one cell in one of four directions.",
)
_PUSH: Final = Phrase(
    "A step into a box pushes the box one cell further in the same direction, if the cell behind it is free: neither a wall "
    "nor another box.",
    "If you step into a box, it moves one cell in the direction of your step. The cell behind it must not be a wall and must "
    "not hold another box.",
    "You push a box by stepping into it. It moves one cell ahead of you, unless a wall or another box is behind it.",
    held_out="Entering the cell of a box shifts that box by the same displacement; the cell it enters must be floor without "
    "a box.",
)
_PULL: Final = Phrase(
    "You cannot pull boxes.",
    "A box can only be pushed, never pulled.",
    "There is no way to pull a box.",
    held_out="Pulling is impossible.",
)
_BLOCKED: Final = Phrase(
    "A blocked step changes nothing but still counts. So does a message that is not a step.",
    "If a wall or a box that cannot move blocks your step, nothing changes and the step is used up. A message that is not a "
    "step also uses one up.",
    "You lose a step, and nothing changes, when the way is blocked and when your message is not a step.",
    held_out="Blocked steps and messages without a step leave the room unchanged, and are charged as steps.",
)
_DRAWN: Final = Phrase(
    "In a drawing of the room, # is a wall, - is floor, . is a goal, $ is a box, * is a box on a goal, @ is you, and + is "
    "you on a goal.",
    "Rooms are drawn with these characters: @ you, + you on a goal, $ a box, * a box on a goal, . an empty goal, - floor, # a "
    "wall.",
    "How to read a drawing of the room: # wall; - floor; . goal; $ box; * box that is on a goal; @ your cell; + your cell if "
    "it is a goal.",
    held_out="Legend of drawn rooms: wall #; floor -; goal . (with a box: *, with you: +); box off goals $; you off goals @.",
    seen=Phrase(
        "In a picture of the room, a dark grey cell is a wall, a yellow cell with a cross is a goal, a square is a "
        "box, and @ is you. A box or you on a goal has a yellow cell.",
        "Pictures of the room show walls as dark grey cells, boxes as squares and you as @. Goals are yellow cells, "
        "with a cross if they are empty.",
        "How to read a picture of the room: dark grey cells are walls, yellow cells are goals (an empty goal has a "
        "cross), squares are boxes, and @ marks your cell.",
        held_out="Legend of pictured rooms: wall dark grey; goal yellow (cross if empty); box: square; you: @.",
    ),
)
_GOAL: Final = Phrase(
    "You succeed as soon as every box is on a goal. You fail if you run out of steps.",
    "The room is solved when all boxes are on goals. If no steps are left before that, you have failed.",
    "Get all boxes onto goals to succeed. If you use up your steps first, you fail.",
    held_out="Success means that the cells of the boxes are precisely the goal cells. Exhausting the steps is failure.",
)
_KINDS: Final = {"walls": "#", "goals": ".*+", "boxes": "$*", "you": "@+"}


def statement(problem: JSON) -> Statement:
    """A room before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_STEP, _PUSH, _PULL, _BLOCKED, _DRAWN),
        note=_GOAL,
        values={"steps": counted(problem["moves"], "step")},
        frames=GAME_FRAMES,
    )


def _drawing(problem: JSON) -> str:
    return _joined(problem)


def _as_list(problem: JSON) -> str:
    rows, columns = len(problem["room"]), len(problem["room"][0])
    lines = [
        f"{name.capitalize()}: {'; '.join(f'{r}, {c}' for r, c in cells)}" for name, cells in _cells(problem).items()
    ]
    return "\n".join(
        [
            f"The room has {rows} rows, numbered from 1 at the top, and {columns} columns, numbered from 1 on the left. "
            f"Cells are given as row, column. All cells that are not walls are floor, goals included.",
            "",
            *lines,
        ]
    )


def _as_json(problem: JSON) -> str:
    return f"The rows of the drawn room, from top to bottom, as JSON:\n\n{json.dumps(problem['room'])}"


def _fenced(problem: JSON) -> str:
    return f"```\n{_joined(problem)}\n```"


def _as_record(problem: JSON) -> str:
    found = {name: [list(cell) for cell in cells] for name, cells in _cells(problem).items()}
    size = {"height": len(problem["room"]), "width": len(problem["room"][0])}
    return (
        "All cells as [row, column], starting at [1, 1] in the upper left corner; a cell that is no wall is floor.\n"
        f"{json.dumps({**size, **found})}"
    )


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_list,
    _as_json,
    _fenced,
    held_out=_as_record,
    name="data",
    seen=in_picture(
        "The picture shows the room.",
        "The room is drawn in the picture.",
        "See the picture for the room.",
        held_out="The attached figure depicts the room.",
    ),
)


def _joined(problem: JSON) -> str:
    return "\n".join(problem["room"])


def _cells(problem: JSON) -> dict[str, list[tuple[int, int]]]:
    """The cells of each kind, as row and column."""
    marked = [(r, c, mark) for r, row in enumerate(problem["room"], 1) for c, mark in enumerate(row, 1)]
    return {name: [(r, c) for r, c, mark in marked if mark in marks] for name, marks in _KINDS.items()}
