"""Phrases and renderings of browse-v1."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You use the staff portal of a company in a browser. Carry out all the given tasks on it.",
    "Carry out the given tasks on the staff portal of a company. You see its pages and use them with tools.",
    "A member of staff wants some tasks done on the company's portal. You operate the browser.",
    held_out="Role: operator of a browser on a company's staff portal. Goal: every given task.",
)
_CONTROLS: Final = Phrase(
    "Links, buttons and fields have numbers, which you pass to the tools. The numbers hold for the page that was shown last.",
    "You name a link, button or field by its number on the page. Another page has other numbers.",
    "Each control of a page has a number. Tools take this number; after you open another page, use the numbers of that page.",
    held_out="Controls are addressed by their number on the current page; numbers change with the page.",
)
_FORMS: Final = Phrase(
    "An entry takes effect when you click the button of its form. If a form is not accepted, the page says why.",
    "What you enter is sent by the button of the form. A form with an error is not sent, and the page shows the error.",
    "Entries in a form count only after a click on its button. The page reports entries that are not valid.",
    held_out="Entries are sent by the form's button; invalid ones are reported and not sent.",
)
_BEGINNING: Final = Phrase(
    "The tasks describe people, articles and orders as they are at the beginning. Prices and ratings are those of the site.",
    "Descriptions in the tasks refer to the records before your first change, with the prices and ratings of the site.",
    "Read every description in the tasks as one of the site before you change anything.",
    held_out="Descriptions refer to the initial records of the site.",
)
_ONLY: Final = Phrase(
    "Change nothing else: no other orders, cancellations or details. The basket is not graded.",
    "You fail if you also place or cancel other orders, or change other details. What is in the basket does not matter.",
    "Besides these tasks, no order may be placed or cancelled and no detail changed. The basket is ignored.",
    held_out="Further orders, cancellations or changed details are failures; the basket is not compared.",
)
_UNDO: Final = Phrase(
    "An order that you placed can be cancelled, and then it does not count. An older order cannot be restored once it is "
    "cancelled.",
    "If you cancel an order of your own, it is as if you had not placed it. The cancellation of an older order is final.",
    "You can take back an order that you placed by cancelling it. You cannot take back the cancellation of an older order.",
    held_out="Your own orders can be cancelled without a trace; cancelling an older order is irreversible.",
)
_FINISH: Final = Phrase(
    "Call finish when all tasks are done. It ends the episode, and the records are then compared with what was asked for.",
    "At the end, call finish. The records are graded as they are then, and nothing can be changed afterwards.",
    "After the last task, call finish, which ends the episode. Only the records at this moment are graded.",
    held_out="finish ends the episode; the records at that moment are graded.",
)
RULES: Final = (_CONTROLS, _FORMS, _BEGINNING, _ONLY, _UNDO, _FINISH)


def _list(problem: JSON) -> str:
    tasks = "\n".join(f"- {task}" for task in problem["tasks"])
    return f"Tasks:\n{tasks}\n\nThe first page:\n\n{problem['page']}"


def _paragraph(problem: JSON) -> str:
    return f"You are on this page:\n\n{problem['page']}\n\nWhat is to be done: {' '.join(problem['tasks'])}"


def _json(problem: JSON) -> str:
    return f"The tasks:\n\n{json.dumps(problem['tasks'], indent=1)}\n\nThe page in the browser:\n\n{problem['page']}"


def _quoted(problem: JSON) -> str:
    page = "\n".join(f"| {line}" for line in problem["page"].split("\n"))
    tasks = "\n".join(f"({number}) {task}" for number, task in enumerate(problem["tasks"], 1))
    return f"Current page\n{page}\n\nTo do\n{tasks}"


DATA: Final[Variants[Rendering]] = Variants(_list, _paragraph, _json, held_out=_quoted, name="data")
