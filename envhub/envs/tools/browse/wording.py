"""Phrases and renderings of browse-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You are browsing a website with a directory of people and several forms. Find the values in the directory and send the "
    "form {form} with them.",
    "Fill in and send the form {form} of a website. You find the values in the website's directory of people.",
    "A website has a directory of people and several forms. Look up the values that the form {form} needs, and send it.",
    held_out="Goal: a correct submission of the form {form}. Source of the values: the directory of people on the same site.",
)
_PAGES: Final = Phrase(
    "A page lists numbered links to other pages. You open one by its number, and go back to the page that led to it.",
    "Links have numbers. Opening a link shows another page, and going back shows the page with that link again.",
    "You move between pages by the numbers of the links on a page, or by going back one page.",
    held_out="Navigation: numbered links lead one level down, back leads one level up.",
)
_PEOPLE: Final = Phrase(
    "The directory is sorted by name. The page of a person shows the names of a deputy and a mentor, and some numbers.",
    "People are in alphabetical order in the directory. On the page of a person you see numbers and the names of the person's "
    "deputy and mentor.",
    "In the directory, which is sorted by name, each person has a page with some numbers, a deputy and a mentor.",
    held_out="Directory: alphabetical by name. Page of a person: deputy, mentor, and several numbers.",
)
_FIELDS: Final = Phrase(
    "Every form has exactly these fields. A form with a missing or unknown field is not sent, and you can try again.",
    "All forms have these fields and no others. If you leave one out or add another, the form is not sent and you can correct "
    "it.",
    "You must fill in all of these fields and no others. Otherwise the form is not sent; you can then send it again.",
    held_out="Schema of every form: exactly these fields. Submissions that violate it are returned, not sent.",
)
_ONCE: Final = Phrase(
    "You can send only one form, and only once. Sending it ends the task.",
    "The task ends as soon as a form is sent, so you cannot send a second one.",
    "As soon as you send a form, the task is over, even if it was the wrong form.",
    held_out="Sending is final: the first form that is sent closes the task.",
)
RULES: Final = (_PAGES, _PEOPLE, _FIELDS, _ONCE)


def _list(problem: JSON) -> str:
    fields = "\n".join(f"- {field}: {what}" for field, what in problem["fields"])
    return f"Fields of the form:\n{fields}\n\nThe first page:\n\n{problem['home']}"


def _table(problem: JSON) -> str:
    rows = "\n".join(f"| {field} | {what} |" for field, what in problem["fields"])
    return f"You are on this page:\n\n{problem['home']}\n\n| field | value to enter |\n|---|---|\n{rows}"


def _json(problem: JSON) -> str:
    given = {"fields": dict(problem["fields"]), "first page": problem["home"].split("\n")}
    return f"The fields with their values in words, and the lines of the first page:\n\n{json.dumps(given, indent=1)}"


def _equations(problem: JSON) -> str:
    rows = "\n".join(f"{field} := {what}" for field, what in problem["fields"])
    page = "\n".join(f"  | {line}" for line in problem["home"].split("\n"))
    return f"{rows}\n\nCurrent page\n{page}"


DATA: Final[Variants[Rendering]] = Variants(_list, _table, _json, held_out=_equations, name="data")
