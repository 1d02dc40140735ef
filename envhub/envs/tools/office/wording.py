"""Phrases and renderings of apps-v1 and apps-code-v1."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.envs.tools.apps.wording import DATA, TASK

__all__ = ["CODE_RULES", "DATA", "RULES", "TASK"]

_NOTHING_ELSE: Final = Phrase(
    "How you get there is up to you. At the end, everything must be as asked, and nothing else may have changed; otherwise you "
    "fail.",
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
_MOVE: Final = Phrase(
    "To reschedule an event, move it. Do not cancel it and add a new one.",
    "An event that is to be rescheduled must be moved; cancelling it and adding another one is wrong.",
    "Rescheduling means moving the existing event. A new event in place of a cancelled one does not count.",
    held_out="Rescheduling is done in place: calendar_move, not calendar_cancel plus calendar_add.",
)
_EXACT: Final = Phrase(
    "Copy titles, subjects, texts and references exactly as written, without the quotation marks.",
    "Titles, subjects, texts and references must be exactly as written. The quotation marks around them do not belong to them.",
    "Use the exact wording of titles, subjects, texts and references, and leave out the quotation marks around them.",
    held_out="Quoted strings (titles, subjects, texts, references) are verbatim; the quotes are delimiters.",
)
_PAGES: Final = Phrase(
    "Lists come in pages of {page} rows; each says how many pages there are.",
    "A list shows {page} rows at a time and names the number of its pages.",
    "Of every list you see {page} rows per call. The number of pages stands with them.",
    held_out="Pagination: {page} rows per page; the page count is returned with each page.",
)
_GROUPS: Final = Phrase(
    'Contacts can have the same name. A person "of the group" X is the contact in the group X.',
    "If a task says that a person is of a group, it means the contact in that group. Several contacts may share a name.",
    "Names of contacts may repeat. The group in a task tells you which contact is meant.",
    held_out="Contacts are identified by name and group; names alone may be ambiguous.",
)
_READING: Final = Phrase(
    "Reading and searching change nothing.",
    "You may read and search without changing anything.",
    "To read something or search for it is not a change.",
    held_out="Read and search calls have no effect on the result.",
)
_DONE: Final = Phrase(
    "Call done when you have finished. It ends the task.",
    "When everything is done, call done; the task ends with it.",
    "The task ends when you call done, so make it your last call.",
    held_out="Final call: done, which closes the task.",
)
RULES: Final = (_NOTHING_ELSE, _ANSWER, _MOVE, _EXACT, _PAGES, _GROUPS, _READING, _DONE)
_CALLS: Final = Phrase(
    "A program may make {program} calls of the apps, and all programs together {total}. Print what you want to see.",
    "You see what your program prints. One program may make up to {program} calls of the apps, all of them {total} together.",
    "Nothing is shown unless it is printed. A program may call the apps {program} times, and all programs {total} times.",
    held_out="Output: printed text only. Limits: {program} app calls per program, {total} per task.",
)
CODE_RULES: Final = (*RULES, _CALLS)
