"""Phrases of repo-repair-v0, and the voices of users."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.types import JSON

TASK: Final = Phrase(
    "Find and fix {faults} in the Python program {name}.",
    "The Python program {name} has {faults}. Find the cause and fix it.",
    "Repair the Python program {name}, in which users have noticed {faults}.",
    held_out="Locate the root cause of {faults} in the Python program {name} and correct the code.",
)
_PLACE: Final = Phrase(
    "The repository is in the working directory: the package {name}, README.md, tests and the files that the users sent.",
    "Your working directory is the repository of {name}. It has README.md, tests, and the files from the reports.",
    "You find the package {name}, its README.md, its tests and the users' files in the working directory.",
    held_out="Layout of the working directory: package {name}, README.md, tests, files attached to the reports.",
)
_DOCUMENTED: Final = Phrase(
    "The docstrings and README.md are right: they state what each function does and the value of each setting.",
    "Trust README.md and the docstrings. Each function should do what its docstring says, with the settings of README.md.",
    "No docstring is wrong, and the values of the settings in README.md are the intended ones.",
    held_out="README.md (values of settings) and the docstrings (behavior of functions) are the authoritative specification.",
)
_GRADED: Final = Phrase(
    "After submit, the program is run with many hidden files and commands, and its functions are called directly. Every result "
    "must be as documented.",
    "You are graded on hidden files and commands, and on direct calls of the functions. All results must be as documented.",
    "When you submit, hidden commands are run on hidden files and functions are called with other arguments; each result must "
    "match the documentation.",
    held_out="Grading: hidden commands on hidden files plus direct calls of functions, all of which must return the documented "
    "result.",
)
_IGNORED: Final = Phrase(
    "Only the modules of the package that existed at the start are graded. Changes to other files and new files are ignored.",
    "Make your changes in the existing modules of the package, because new files and changes to other files are ignored.",
    "For grading, only the existing modules of the package are used as you leave them; tests and files that you add are not.",
    held_out="Graded files: the modules of the package at the start, in their final state. All other files: not used.",
)
RULES: Final = (_PLACE, _DOCUMENTED, _GRADED, _IGNORED, SUBMIT_ONCE)

_SEEN: Final[dict[str, tuple[str, str]]] = {
    "stops": ("it stops with an error", "The program fails with an error"),
    "nothing": ("nothing comes out", "The output is empty"),
    "order": ("the order is wrong", "Lines appear in the wrong order"),
    "missing": ("a line is missing", "A line is missing"),
    "extra": ("there is a line too many", "There is a line too many"),
    "line": ("a line is wrong", "A line is wrong"),
}
"""Each kind of symptom in the words of a user: within a sentence, and as a sentence."""


def _mail(problem: JSON) -> str:
    """Letters of users, one below the other."""
    return "\n\n---\n\n".join(
        ["A user writes:" if _alone(problem) else "Users write:", *map(_letter, problem["issues"])]
    )


def _letter(issue: Any) -> str:
    start = (
        f"Hello, I ran\n\n    {issue['command']}\n\nand {_SEEN[issue['kind']][0]}{_where(issue)}."
        if issue["command"]
        else f"Hello, something is off with {issue['name']} on the file {issue['file']}: {_SEEN[issue['kind']][0]}."
    )
    lines = [start]
    if issue["got"] is not None:
        lines.append(f"What I see{' first' if issue['kind'] == 'order' else ''}:\n\n    {issue['got']}")
    if issue["want"] is not None:
        lines.append(f"What I expected there:\n\n    {issue['want']}")
    return "\n\n".join([*lines, "Could you have a look? Thanks."])


def _ticket(problem: JSON) -> str:
    """Tickets with the fields of a form."""
    return "\n\n".join(f"### Ticket {number}\n\n{_form(issue)}" for number, issue in enumerate(problem["issues"], 1))


def _form(issue: Any) -> str:
    fields = [f"Command: `{issue['name']}`" if issue["command"] is None else f"Steps: run `{issue['command']}`"]
    fields += [f"File: {issue['file']}", f"Problem: {_SEEN[issue['kind']][1]}{_where(issue)}."]
    fields += [f"Actual line: `{issue['got']}`"] if issue["got"] is not None else []
    fields += [f"Expected line: `{issue['want']}`"] if issue["want"] is not None else []
    return "\n".join(f"- {field}" for field in fields)


def _json(problem: JSON) -> str:
    """Tickets of a tracker, as JSON."""
    names = {"command": "command", "file": "attached file", "got": "actual line", "want": "expected line"}
    rows = [
        {
            "report": issue["name"],
            **{shown: issue[field] for field, shown in names.items() if issue[field] is not None},
            "problem": _SEEN[issue["kind"]][1] + _where(issue),
        }
        for issue in problem["issues"]
    ]
    return f"Users' reports, as a JSON list:\n\n{json.dumps(rows, indent=1)}"


def _chat(problem: JSON) -> str:
    """Messages of a chat, quoted."""
    return "\n\n".join(
        f"Message {number} from a user:\n{_said(row)}" for number, row in enumerate(problem["issues"], 1)
    )


def _said(issue: Any) -> str:
    ran = f"`{issue['command']}`" if issue["command"] else f"{issue['name']} with {issue['file']}"
    lines = [f"hi, I tried {ran} and {_SEEN[issue['kind']][0]}{_where(issue)}"]
    lines += [f"it says: {issue['got']}"] if issue["got"] is not None else []
    lines += [f"but it should say: {issue['want']}"] if issue["want"] is not None else []
    return "\n".join(f"> {line}" for line in lines)


def _where(issue: Any) -> str:
    """Which text is wrong, if it is not what the command prints."""
    return " in the file that it saved" if issue["saves"] and issue["kind"] != "stops" else ""


def _alone(problem: JSON) -> bool:
    return len(problem["issues"]) == 1


DATA: Final[Variants[Rendering]] = Variants(_mail, _ticket, _json, held_out=_chat, name="data")
