"""Phrases and renderings of gui-site-v0."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.envs.tools.gui.wording import DATA as DATA, DONE, SAVED, START

TASK: Final = Phrase(
    "You operate a website in a browser. Reach all goals on its pages.",
    "Use the website in the browser to reach each of the goals.",
    "You are given a browser with one website, on which you must reach the goals.",
    held_out="Environment: one website in a browser. Objective: all goals hold at the end.",
)
_EXACT: Final = Phrase(
    "Do exactly what the goals ask for and change nothing else. Some actions cannot be undone.",
    "Only what the goals ask for may be changed. Not every action can be undone.",
    "If anything else is changed at the end, the task has failed. You cannot undo every action.",
    held_out="Side effects count as failure, and some actions are irreversible.",
)
_ORDER: Final = Phrase(
    "Carry out the goals in the order in which they are listed.",
    "The goals are meant one after the other, in the given order.",
    "Each goal is meant for the site as the goals before it have left it.",
    held_out="Goals refer to the state after all earlier goals.",
)
_PAGES: Final = Phrase(
    "Long lists have several pages.",
    "A list may continue on further pages.",
    "Lists are divided into pages.",
    held_out="Lists are paginated.",
)
RULES: Final = (START, _EXACT, _ORDER, SAVED, _PAGES, DONE)
