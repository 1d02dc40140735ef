"""Phrases and renderings of apps-v1 and apps-code-v1."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.envs.tools.apps.wording import DATA, DONE, EXACT, GROUPS, MOVE, READING, TASK

__all__ = ["CODE_RULES", "DATA", "RULES", "TASK"]

_NOTHING_ELSE: Final = Phrase(
    "How you get there is up to you. At the end, everything must be as asked, and nothing else may have changed; "
    "otherwise you fail.",
    "Find out yourself what to do. You fail if anything asked for is missing at the end, or if anything else has changed.",
    "You decide which steps it takes. You fail if something asked for is missing, or something else is different, at the end.",
    held_out="Only the final state counts: all requested changes present, no others. The steps are yours to choose.",
)
_ANSWER: Final = Phrase(
    "If a question is asked, give its answer when you finish. Only the answer counts, so write it without a sentence.",
    "The answer to a question is given when you finish: the bare number, amount, day, name, address or path.",
    "Finish with the answer, if there is a question, and write nothing but the answer.",
    held_out="A question is answered in the final call, by the bare value.",
)
_PAGES: Final = Phrase(
    "Lists come in pages of {page} rows; each says how many pages there are.",
    "A list shows {page} rows at a time and names the number of its pages.",
    "Of every list you see {page} rows per call. The number of pages stands with them.",
    held_out="Pagination: {page} rows per page; the page count is returned with each page.",
)
RULES: Final = (_NOTHING_ELSE, _ANSWER, MOVE, EXACT, _PAGES, GROUPS, READING, DONE)
_CALLS: Final = Phrase(
    "A program may make {program} calls of the apps, and all programs together {total}. Print what you want to see.",
    "You see what your program prints. One program may make up to {program} calls of the apps, all of them {total} together.",
    "Nothing is shown unless it is printed. A program may call the apps {program} times, and all programs {total} times.",
    held_out="Output: printed text only. Limits: {program} app calls per program, {total} per task.",
)
CODE_RULES: Final = (*RULES, _CALLS)
