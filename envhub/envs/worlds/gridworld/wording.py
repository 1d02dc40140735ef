"""The prompt of gridworld-v0: phrasings of the mission and the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.generators.gridworld.text import MAPS, VIEWS, Signs

_TASK: Final = Phrase(
    "You are an agent in a building with {rooms}. Your mission: {mission}. You have {steps}.",
    "Carry out this mission in a building with {rooms}: {mission}. At most {steps} are allowed.",
    'You control an agent in {rooms}. Complete the mission "{mission}" within {steps}.',
    held_out="An agent that you control stands in a building with {rooms}. It has {steps} for this mission: {mission}.",
)
_ONE: Final = Phrase(
    "Each message is exactly one action and uses up one step, even if it changes nothing or cannot be read.",
    "Send one action per message. Each message costs a step, including one that has no effect or is not an action.",
    "You take one action in each message. All messages count as steps, also those that do not change anything.",
    held_out="One message carries one action and is charged as one step, whether or not it has an effect.",
)
_MOVING: Final = Phrase(
    '"turn left" and "turn right" turn you by a quarter on the spot. "forward" moves you one cell ahead if that '
    "cell is floor "
    "or an open door.",
    'Use "turn left" or "turn right" to turn by 90 degrees without moving, and "forward" to step into the cell '
    "ahead, which "
    "must be floor or an open door.",
    'With "turn left" and "turn right" you change your direction by 90 degrees. With "forward" you enter the '
    "next cell, unless "
    "a wall, a thing or a door that is not open is there.",
    held_out='"forward" enters the cell ahead if nothing but an open door is in it; "turn left" and "turn '
    'right" rotate you by '
    "90 degrees in place.",
)
_CARRYING: Final = Phrase(
    '"pick up" takes the key, ball or box in the cell ahead if you carry nothing. "drop" puts what you carry on '
    "the cell "
    "ahead, which must be floor.",
    'You can carry one key, ball or box: "pick up" takes it from the cell ahead, "drop" leaves it on the cell '
    "ahead, if that "
    "is empty floor.",
    'At most one key, ball or box is carried. Use "pick up" if it is in the cell ahead, and "drop" to leave it '
    "there again; "
    "the cell must then be empty floor.",
    held_out='Keys, balls and boxes are lifted from the cell ahead by "pick up" (with an empty hand) and laid '
    'on it by "drop" '
    "(if it is empty floor).",
)
_TOGGLING: Final = Phrase(
    '"toggle" opens or closes the door ahead. It opens a locked door only if you carry a key of the same '
    "colour. It opens a "
    "box for good: the box is gone, and what was in it, if anything, lies in its place.",
    'Use "toggle" on the door ahead to open or close it; for a locked door you must carry a key of its colour. '
    "Toggling a box "
    "destroys it and leaves its contents, if it has any.",
    'With "toggle" you open a closed door, close an open one, and open a locked one if you carry a key of the '
    "same colour. A "
    "box that is toggled vanishes and its contents, if any, appear.",
    held_out='"toggle" acts on the cell ahead: a door changes between open and closed, a locked door opens for '
    "a carried key of "
    "its colour, and a box is replaced by whatever it contains, possibly nothing.",
)
_DONE: Final = Phrase(
    'Say "done" while a task that is due is complete; this confirms the task for good. You succeed as soon as '
    "all tasks are "
    'confirmed. A "done" at any other moment fails the mission and ends the episode.',
    'You must confirm each task with "done" while it is due and complete. Once all tasks are confirmed, you '
    "have succeeded. If "
    "no due task is complete then, you fail and the episode ends.",
    'A task counts only after a "done" at a moment when it is due and complete; from then on it stays '
    "confirmed. With the last "
    'one you succeed. A "done" at another moment fails the mission at once.',
    held_out='Each due task has to be reported by "done" while it is complete, and success means that all were '
    "reported. A "
    "report when no due task is complete ends the episode unsuccessfully.",
)
_COMPLETE: Final = Phrase(
    '"go to X" is complete while X is in the cell directly ahead of you; "pick up X" while you carry X; "open '
    'X" while that '
    'door is open; "put X next to Y" while X lies in a cell beside Y, not diagonally.',
    'Complete means: for "go to X", you face X in the next cell; for "pick up X", X is in your hand; for "open '
    'X", the door is '
    'open; for "put X next to Y", X lies in one of the four cells around Y.',
    'You complete "go to X" by facing X from the cell before it, "pick up X" by carrying it, "open X" by having '
    "the door open, "
    'and "put X next to Y" by having X lie beside Y (left, right, ahead or behind, not diagonally).',
    held_out='Conditions: "go to X" - X occupies the cell ahead of you; "pick up X" - X is carried; "open X" - '
    "the door stands "
    'open; "put X next to Y" - X lies in a cell that shares a side with that of Y.',
)
_ORDER: Final = Phrase(
    'Tasks joined by "and" are due together, and one "done" confirms all of them that are complete. In "A, then '
    'B" and "B after '
    'you A", the tasks of B are due only after all tasks of A have been confirmed.',
    'With "and", the order is free, and a "done" confirms each task that is complete. With "A, then B" or "B '
    'after you A", A must '
    "be confirmed as a whole before B is due.",
    'The order of tasks joined by "and" is free; a single "done" may confirm both. "A, then B" and "B after you '
    'A" both mean '
    "that B becomes due when everything in A has been confirmed.",
    held_out='"and" leaves the order open, and a "done" applies to every complete task that is due; in "A, then '
    'B" and "B after '
    'you A", no task of B is due until A is entirely confirmed.',
)
_MEANT: Final = Phrase(
    '"a" means any one that fits, "object" any key, ball, box or door that fits the rest. Sides such as "on '
    'your left" mean '
    "things in your first room, seen from your first position; they keep their names when you or they move.",
    'For "a red ball", any red ball will do; "object" stands for a key, ball, box or door. "in front of you", '
    '"behind you", "on '
    'your left" and "on your right" refer to things in the first room, as seen at the start.',
    'Where the mission says "a", each thing that fits is good enough, and "object" can be any kind. Directions '
    'such as "behind '
    'you" are those of the start and apply to things in the room where you start.',
    held_out='"a" allows every match and "object" every kind. Directional descriptions are resolved at the '
    "start, among the "
    "things of the first room, and do not change later.",
)
_PARTIAL: Final = Phrase(
    "You see 7 by 7 cells: yours, 6 rows ahead, and 3 columns on each side. Walls and doors that are not open "
    "hide what is "
    "behind them.",
    "Your view covers your own row and the next 6 rows ahead, 3 cells to each side. You cannot see past walls, "
    "or past doors "
    "that are closed or locked.",
    "What you see is a square of 7 by 7 cells, with you in the middle of its nearest row. Walls and doors that "
    "are not open "
    "block the view.",
    held_out="The visible area is 7 cells wide and 7 deep, starting with your own row; walls and unopened doors "
    "occlude what "
    "lies beyond.",
)


def _styled(style: Callable[[Signs], str]) -> Rendering:
    return lambda problem: f"{style(problem['view'])}\nYou carry nothing."


def _variants(styles: tuple[Callable[[Signs], str], ...], name: str) -> Variants[Rendering]:
    *train, held_out = map(_styled, styles)
    return Variants(
        *train,
        held_out=held_out,
        name=name,
        seen=in_picture(
            "The picture shows what you see; the triangle is you. Letters name the colour (e is grey) and the "
            "kind (K key, O ball, "
            "X box). A frame is a door: thin if open, thick if closed, with a bar if locked. You carry nothing.",
            "See the picture for your view, in which you are the triangle. In a cell, the first letter is the "
            "colour (e for grey), "
            "and K, O or X a key, ball or box; framed cells are doors (thin: open, thick: closed, with a bar: "
            "locked). You carry "
            "nothing.",
            "Your view is in the picture. You are the triangle, a frame is a door (thin: open, thick: closed, "
            "with a bar: locked), "
            "and the letters are a colour (e: grey) and a kind: K for keys, O for balls, X for boxes. You carry "
            "nothing.",
            held_out="The attached figure depicts what is visible. Triangle: you. Frames: doors (thin open, "
            "thick closed, with a bar "
            "locked). First letter: colour (e for grey). Second letter: K key, O ball, X box. Your hand is empty.",
        ),
    )


VIEW: Final = _variants(tuple(VIEWS), "view")
MAP: Final = _variants(tuple(MAPS), "map")


def statement(problem: JSON) -> Statement:
    """A mission before it is worded."""
    partial = problem["sees"] == "view"
    rules = (_ONE, _MOVING, _CARRYING, _TOGGLING, _DONE, _COMPLETE, _ORDER, _MEANT, *([_PARTIAL] if partial else []))
    return Statement(
        task=_TASK,
        data=VIEW if partial else MAP,
        problem=problem,
        rules=rules,
        values={
            "rooms": counted(problem["rooms"], "room"),
            "mission": problem["mission"],
            "steps": counted(problem["steps"], "step"),
        },
        frames=GAME_FRAMES,
    )
