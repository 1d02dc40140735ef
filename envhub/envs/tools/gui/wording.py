"""Phrases and renderings of gui-v0."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Variants

TASK: Final = Phrase(
    "You operate a website in a browser with mouse and keyboard. Carry out the tasks on its pages.",
    "Use a website in a browser, with mouse and keyboard, to carry out the tasks.",
    "You are given a browser with one website. Do the tasks on it by mouse and keyboard.",
    held_out="Environment: a browser showing one website. Objective: complete the tasks by mouse and keyboard actions.",
)
START: Final = Phrase(
    "The browser shows the start page of the site. You see it after your first action, so begin by waiting.",
    "You are on the site's start page, which you see as soon as you have acted once. Waiting is an action.",
    "Begin with the action that waits: it shows you the start page, where the browser is.",
    held_out="Initial page: the start page. It is first observed after one action; waiting suffices.",
)
_EXACT: Final = Phrase(
    "Do exactly what is asked and change nothing else. Some actions cannot be undone.",
    "Nothing but what is asked may be changed. Not every action can be undone.",
    "Change only what the tasks ask for. You cannot undo every action.",
    held_out="Side effects count as failure, and some actions are irreversible.",
)
SAVED: Final = Phrase(
    "What is entered in a form counts only after it has been saved or sent.",
    "Values in a form do not count until the form is saved or sent.",
    "An unsaved form counts as unchanged.",
    held_out="Form input takes effect on saving or sending, not before.",
)
DONE: Final = Phrase(
    "End the task as soon as everything is done. Report an answer only if a task asks for one.",
    "When you are finished, end the task. If a task asks for an answer, report it with that.",
    "Finish by ending the task, with the answer if one is asked for.",
    held_out="Termination is explicit; it carries the answer where a task requests one.",
)
RULES: Final = (START, _EXACT, SAVED, DONE)


def _numbered(problem: Any) -> str:
    return "Tasks:\n" + "\n".join(f"{number}. {goal}" for number, goal in enumerate(problem["goals"], 1))


def _bullets(problem: Any) -> str:
    return "To do:\n" + "\n".join(f"- {goal}" for goal in problem["goals"])


def _json(problem: Any) -> str:
    return json.dumps({"tasks": problem["goals"]}, indent=1, ensure_ascii=False)


def _memo(problem: Any) -> str:
    return "\n\n".join(f"Request {number}:\n> {goal}" for number, goal in enumerate(problem["goals"], 1))


DATA: Final[Variants[Rendering]] = Variants(_numbered, _bullets, _json, held_out=_memo, name="data")
