"""The prompt of ALFWorld's games."""

from __future__ import annotations

from typing import Final

from envhub.adapters.shared.text_games import possible
from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are in a house and carry out a task there, within {steps}.",
    "You do a task in a house. You may use {steps}.",
    "Carry out a task in a house. You have {steps}.",
    held_out="You are an agent in a household. Its task is to be carried out within {steps}.",
)
_STEPS: Final = Phrase(
    "Each message is one command and uses one step, even if nothing happens.",
    "You send one command per message. Each message uses one step, whether something happens or not.",
    "One message, one command, one step; a command without effect uses a step as well.",
    held_out="A message carries exactly one command and costs exactly one step, whatever happens.",
)
_FORMS: Final = Phrase(
    "The forms of commands are: {forms}. O is a thing and R is a place that holds things, each with its number.",
    "Commands have these forms, where O is a thing and R a place for things, both with their numbers: {forms}.",
    "These are the forms of commands: {forms}. Replace O with a thing and its number, and R with a place for things "
    "and its number.",
    held_out="Admissible forms, with a numbered thing as O and a numbered place for things as R: {forms}.",
)
_HANDS: Final = Phrase(
    "You can carry one thing, and reach only what is at the place where you are.",
    "You carry at most one thing, and only what is at your place is in reach.",
    "One thing at a time can be carried; what is not at your place is out of reach.",
    held_out="Capacity: one thing. Reach: your present place only.",
)
_END: Final = Phrase(
    "The task is solved as soon as its goal is reached. It is not solved if the steps run out first.",
    "As soon as the goal is reached you have solved it. If the steps run out first, it is not solved.",
    "Reaching the goal solves the task at once. It is not solved if no steps are left before.",
    held_out="The goal, once reached, solves the task immediately; without it within the steps, the task is not solved.",
)
_FORM_NAMES: Final = (
    "look, inventory, go to R, open R, close R, examine R, examine O, take O from R, {put}, use O, clean O with R, "
    "heat O with R, cool O with R, slice O with O"
)


def _listed(problem: JSON) -> str:
    return f"\n\n{possible(problem['commands'])}" if problem["listed"] else ""


_DATA: Final[Variants[Rendering]] = Variants(
    lambda problem: f"{problem['view']}{_listed(problem)}",
    lambda problem: f"What you see:\n{problem['view']}{_listed(problem)}",
    lambda problem: f"The start:\n{problem['view']}{_listed(problem)}",
    held_out=lambda problem: f"Initial observation:\n{problem['view']}{_listed(problem)}",
    name="alfworld",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    forms = _FORM_NAMES.replace("{put}", problem["put"])
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_STEPS, _FORMS, _HANDS, _END),
        values={"steps": counted(problem["steps"], "step"), "forms": forms},
        frames=GAME_FRAMES,
    )
