"""The prompt of TextWorld's games."""

from __future__ import annotations

from typing import Final

from envhub.adapters.shared.text_games import possible
from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You play a text adventure. Reach its goal within {steps}.",
    "This is a text adventure. Play it until its goal is reached. You may use {steps}.",
    "Play a text adventure and reach its goal. You have {steps}.",
    held_out="You are the player of a text adventure, whose goal is to be reached within {steps}.",
)
_STEPS: Final = Phrase(
    "Each message is one command and uses one step, even if the game does not understand it.",
    "You send one command per message. Each message uses one step, understood or not.",
    "One message, one command, one step; a command that the game does not understand uses a step as well.",
    held_out="A message carries exactly one command and costs exactly one step, whether the game understands it or not.",
)
_VERBS: Final = Phrase(
    "Begin each command with a verb. The verbs of this game are: {verbs}.",
    "A command begins with one of these verbs: {verbs}.",
    "The game knows these verbs, and each command begins with one: {verbs}.",
    held_out="Every command must have one of the following as its first word: {verbs}.",
)
_FORMS: Final = Phrase(
    "Name directions and things in full, as in `go north`, `take key from box` or `examine table`.",
    "Write commands in full words, such as `go north`, `take key from box` or `examine table`.",
    "Examples of the form of commands: `go north`, `take key from box`, `examine table`.",
    held_out="Commands have the form of `go north`, `take key from box` or `examine table`, without abbreviations.",
)
_END: Final = Phrase(
    "The game ends by itself when it is won or lost. A game that is not won within the steps counts as not solved.",
    "When the game is won or lost, it ends. If you run out of steps before, it is not solved.",
    "It is over as soon as it is won or lost; without a win within the steps it is not solved.",
    held_out="A win or a loss terminates the game. Running out of steps means that it is not solved.",
)
_NO_GOAL: Final = "The game does not state its goal. Explore to find out."


def _goal(problem: JSON) -> str:
    return " ".join(problem["objective"].split()) or _NO_GOAL


def _listed(problem: JSON) -> str:
    return f"\n\n{possible(problem['commands'])}" if problem["listed"] else ""


_DATA: Final[Variants[Rendering]] = Variants(
    lambda problem: f"Goal: {_goal(problem)}\n\n{problem['view']}{_listed(problem)}",
    lambda problem: (
        f"The goal of the game: {_goal(problem)}\n\nThe game begins:\n\n{problem['view']}{_listed(problem)}"
    ),
    lambda problem: f"{problem['view']}\n\nYour goal, in the words of the game: {_goal(problem)}{_listed(problem)}",
    held_out=lambda problem: f"Stated goal: {_goal(problem)}\n\nInitial view:\n{problem['view']}{_listed(problem)}",
    name="textworld",
)


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_STEPS, _VERBS, _FORMS, _END),
        values={"steps": counted(problem["steps"], "step"), "verbs": ", ".join(problem["verbs"])},
        frames=GAME_FRAMES,
    )
