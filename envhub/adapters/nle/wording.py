"""The prompt of NetHack's tasks."""

from __future__ import annotations

from typing import Final

from envhub.adapters.nle.actions import ACTIONS, MOVES
from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON

_TASKS: Final = {
    "staircase": Phrase(
        "You play NetHack. Find the staircase that leads down, `>` on the map, and stand on it, within {steps}.",
        "You are in NetHack's dungeon. Reach the staircase down (`>`) of your level. You have {steps}.",
        "Your task in NetHack: stand on a staircase that leads down, shown as `>`. You may use {steps}.",
        held_out="NetHack. Objective: to be on top of a staircase leading down (`>`) within {steps}.",
    ),
    "score": Phrase(
        "You play NetHack. Reach a score of {target} within {steps}.",
        "You are in NetHack's dungeon. Bring your score to {target} or more. You have {steps}.",
        "Your task in NetHack: a score of at least {target}. You may use {steps}.",
        held_out="NetHack. Objective: a score of {target} or higher within {steps}.",
    ),
    "gold": Phrase(
        "You play NetHack. Own {target} more than at the start; `$` on the map is gold. You have {steps}.",
        "You are in NetHack's dungeon. Collect gold (`$` on the map), {target} more than you begin with, within {steps}.",
        "Your task in NetHack: gather gold until you have {target} more than now. You may use {steps}.",
        held_out="NetHack. Objective: an increase of your gold, `$`, by {target} within {steps}.",
    ),
    "eat": Phrase(
        "You play NetHack. Eat food with {target} of nutrition in total. You have {steps}.",
        "You are in NetHack's dungeon. Eat until what you ate gave you {target} of nutrition, within {steps}.",
        "Your task in NetHack: take in {target} of nutrition by eating. You may use {steps}.",
        held_out="NetHack. Objective: a total intake of {target} of nutrition within {steps}.",
    ),
    "scout": Phrase(
        "You play NetHack. Explore until the map shows {target} that are blank now. You have {steps}.",
        "You are in NetHack's dungeon. Uncover {target} of the map in addition to those shown, within {steps}.",
        "Your task in NetHack: explore until the map shows {target} more than now. You may use {steps}.",
        held_out="NetHack. Objective: to reveal {target} of the map beyond those visible at the start, within {steps}.",
    ),
}
_UNITS: Final = {"score": "point", "gold": "gold piece", "eat": "unit", "scout": "square", "staircase": "staircase"}
_STEPS: Final = Phrase(
    "Each message is one action and uses one step, even if it changes nothing. Each observation states how much "
    "of the goal is reached.",
    "You send one action per message. Each message uses a step, whether it changes something or not. The share of the goal "
    "that is reached is shown.",
    "One message, one action, one step; an action without effect uses a step as well. You see how much of the goal is "
    "reached.",
    held_out="A message carries exactly one action and costs exactly one step, whatever its effect. Progress towards the "
    "goal is reported.",
)
_NAMES: Final = Phrase(
    "The actions are: {actions}.",
    "These are the actions: {actions}.",
    "You may use these actions: {actions}.",
    held_out="Admissible actions: {actions}.",
)
_ASKED: Final = Phrase(
    "If the game asks a question, answer with one character, such as `y` or the letter of a thing, or with a direction. `esc` "
    "leaves a question.",
    "When the game asks something, send a single character (`y`, the letter of a thing) or a direction; `esc` cancels.",
    "Questions of the game are answered by one character, like `y` or a thing's letter, or by a direction, or left by `esc`.",
    held_out="A question of the game takes a single character, for instance `y` or an item's letter, a direction, or `esc`.",
)
_MORE: Final = Phrase(
    "`more` continues after `--More--` and closes a list.",
    "Where the screen shows `--More--` or a list, `more` goes on.",
    "To get past `--More--` or a list, send `more`.",
    held_out="`--More--` and lists are passed by `more`.",
)
_FAR: Final = Phrase(
    "`far` with a direction walks until something interesting comes up. `travel` asks for a place: `down` or `up` picks a "
    "known staircase, and `wait` confirms.",
    "`far` and a direction walks on until something happens. `travel` wants a place: `down` or `up` selects a known "
    "staircase, `wait` confirms.",
    "With `far` you walk in a direction until something turns up. After `travel`, choose a known staircase by `down` or "
    "`up` and confirm by `wait`.",
    held_out="`far` plus direction: walk until interrupted. `travel`: select a known staircase by `down` or `up`, then "
    "confirm by `wait`.",
)
_END: Final = Phrase(
    "The task is solved as soon as the goal is reached. If you die before, it is not solved.",
    "You have solved it at the moment the goal is reached. Death before that means that it is not solved.",
    "Reaching the goal solves the task at once. If you die first, it is not solved.",
    held_out="The goal, once reached, solves the task immediately. A death before that is a failure.",
)
_NAMED: Final = ", ".join(
    [*MOVES, "far DIRECTION", *(name for name in ACTIONS if name.removeprefix("far ") not in MOVES)]
)

_DATA: Final[Variants[Rendering]] = Variants(
    lambda problem: f"```\n{problem['screen']}\n```",
    lambda problem: f"The screen:\n```\n{problem['screen']}\n```",
    lambda problem: f"You see:\n```\n{problem['screen']}\n```",
    held_out=lambda problem: f"Terminal at the start:\n```\n{problem['screen']}\n```",
    name="nle",
)


def statement(problem: JSON) -> Statement:
    """A task before it is worded."""
    return Statement(
        task=_TASKS[problem["task"]],
        data=_DATA,
        problem=problem,
        rules=(_STEPS, _NAMES, _FAR, _ASKED, _MORE, _END),
        values={
            "steps": counted(problem["steps"], "step"),
            "target": counted(problem["target"], _UNITS[problem["task"]]),
            "actions": _NAMED,
        },
        frames=GAME_FRAMES,
    )
