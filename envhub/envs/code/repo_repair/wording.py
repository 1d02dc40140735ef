"""Phrases and renderings of repo-repair-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.types import JSON

TASK: Final = Phrase(
    "Find and fix {faults} in the Python package {name}.",
    "The Python package {name} has {faults}. Find the cause and fix it.",
    "Repair the Python package {name}, in which users have found {faults}.",
    held_out="Locate the root cause of {faults} in the Python package {name} and correct the code.",
)
_PLACE: Final = Phrase(
    "The package is in the working directory, and its tests are in the folder tests.",
    "You find the package in the working directory; the folder tests contains its tests.",
    "The working directory contains the package and, in the folder tests, its tests.",
    held_out="Layout: package in the working directory, tests under tests.",
)
_DOCUMENTED: Final = Phrase(
    "The docstrings state what the functions should do, and the docstrings are right.",
    "Trust the docstrings: they describe correctly what each function should do.",
    "Each function should do what its docstring says. No docstring is wrong.",
    held_out="The docstrings are the authoritative specification.",
)
_GRADED: Final = Phrase(
    "After submit, every function of the package is called with many hidden arguments. Every result must be as documented.",
    "You are graded on many hidden calls of the functions in the package, and all of their results must be as documented.",
    "When you submit, the functions of the package are called with many other arguments; each result must match the "
    "documentation.",
    held_out="Grading: hidden calls of all functions of the package, all of which must return the documented result.",
)
_IGNORED: Final = Phrase(
    "Only the files of the package that existed at the start are graded. Changes to tests and new files are ignored.",
    "Make your changes in the existing files of the package, because new files and changed tests are ignored.",
    "For grading, only the existing files of the package are used as you leave them; tests and files that you add are not.",
    held_out="Graded files: those of the package at the start, in their final state. Tests and added files: not used.",
)
RULES: Final = (_PLACE, _DOCUMENTED, _GRADED, _IGNORED, SUBMIT_ONCE)


def _divided(problem: JSON) -> str:
    issues = "\n\n---\n\n".join(problem["issues"])
    return f"{_head(problem)}\n\n{issues}\n\n---"


def _numbered(problem: JSON) -> str:
    rows = [f"### Report {number}\n\n{issue}" for number, issue in enumerate(problem["issues"], 1)]
    return "\n\n".join(rows)


def _json(problem: JSON) -> str:
    return f"Users' reports, as a JSON list:\n\n{json.dumps(problem['issues'], indent=1)}"


def _quoted(problem: JSON) -> str:
    quotes = ["\n".join(f"> {line}".rstrip() for line in issue.split("\n")) for issue in problem["issues"]]
    return "\n\n".join(f"Ticket {number} (from a user):\n{quote}" for number, quote in enumerate(quotes, 1))


def _head(problem: JSON) -> str:
    return "A user reported:" if len(problem["issues"]) == 1 else "Users reported:"


DATA: Final[Variants[Rendering]] = Variants(_divided, _numbered, _json, held_out=_quoted, name="data")
