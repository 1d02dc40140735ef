"""Phrases and renderings of apps-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You are an assistant with access to a user's email, contacts, calendar, files, bank accounts and online shop. Complete "
    "the tasks. Today is {today}.",
    "Today is {today}. You manage the email, contacts, calendar, files, bank accounts and online shop of a user. Do what the "
    "user asks.",
    "A user has given you access to their email, contacts, calendar, files, bank accounts and online shop. Run these errands. "
    "Today is {today}.",
    held_out="Role: office assistant. Apps: email, contacts, calendar, files, bank accounts, online shop. Date: {today}. "
    "Execute the assignments.",
)
_NOTHING_ELSE: Final = Phrase(
    "Do only what is asked. You fail if anything else has changed at the end, or if anything that was asked for is missing.",
    "At the end, everything that was asked for must be done, and nothing else may have changed. Otherwise you fail.",
    "You fail if you leave out anything that was asked for, or change anything that was not.",
    held_out="Success: the final changes are exactly the requested ones, none missing and none extra.",
)
MOVE: Final = Phrase(
    "To reschedule an event, move it. Do not cancel it and add a new one.",
    "An event that is to be rescheduled must be moved; cancelling it and adding another one is wrong.",
    "Rescheduling means moving the existing event. A new event in place of a cancelled one does not count.",
    held_out="Rescheduling is done in place: calendar_move, not calendar_cancel plus calendar_add.",
)
EXACT: Final = Phrase(
    "Copy titles, subjects, texts and references exactly as written, without the quotation marks.",
    "Titles, subjects, texts and references must be exactly as written. The quotation marks around them do not belong to them.",
    "Use the exact wording of titles, subjects, texts and references, and leave out the quotation marks around them.",
    held_out="Quoted strings (titles, subjects, texts, references) are verbatim; the quotes are delimiters.",
)
_SPACES: Final = Phrase(
    "Spaces matter, except at the ends of lines in emails and files. The order of addresses does not matter.",
    "Only at the ends of lines in emails and files are spaces ignored. Addresses may be in any order.",
    "Addresses can be listed in any order. Spaces must be right, except at the ends of lines in emails and files.",
    held_out="Ignored in comparisons: line-end spaces of emails and files; the order of addresses. All other spaces count.",
)
GROUPS: Final = Phrase(
    'Contacts can have the same name. A person "of the group" X is the contact in the group X.',
    "If a task says that a person is of a group, it means the contact in that group. Several contacts may share a name.",
    "Names of contacts may repeat. The group in a task tells you which contact is meant.",
    held_out="Contacts are identified by name and group; names alone may be ambiguous.",
)
READING: Final = Phrase(
    "Reading and searching change nothing.",
    "You may read and search without changing anything.",
    "To read something or search for it is not a change.",
    held_out="Read and search calls have no effect on the result.",
)
DONE: Final = Phrase(
    "Call done when you have finished. It ends the task.",
    "When everything is done, call done; the task ends with it.",
    "The task ends when you call done, so make it your last call.",
    held_out="Final call: done, which closes the task.",
)
RULES: Final = (_NOTHING_ELSE, MOVE, EXACT, _SPACES, GROUPS, READING, DONE)


def _numbered(problem: JSON) -> str:
    return "Tasks:\n" + "\n".join(f"{number}. {text}" for number, text in enumerate(problem["errands"], 1))


def _bullets(problem: JSON) -> str:
    return "To do:\n" + "\n".join(f"[ ] {text}" for text in problem["errands"])


def _json(problem: JSON) -> str:
    return json.dumps({"tasks": problem["errands"]}, indent=1, ensure_ascii=False)


def _memo(problem: JSON) -> str:
    return "\n\n".join(f"Assignment {number}:\n> {text}" for number, text in enumerate(problem["errands"], 1))


DATA: Final[Variants[Rendering]] = Variants(_numbered, _bullets, _json, held_out=_memo, name="data")
