"""What a user reports: command, file, and the first wrong line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any, Final, Literal

from envhub.core.types import JSON
from envhub.envs.code.repo_repair.running import RAISED, Case

Detail = Literal["exact", "symptom", "vague"]
DETAILS: Final[tuple[Detail, ...]] = ("exact", "symptom", "vague")
"""Whether a report states what should be there, only what is there, or neither and not even the arguments."""


def issue(package: str, file: str, case: Case, got: Any, want: Any, detail: Detail) -> dict[str, JSON]:
    """The facts of a report.

    Args:
        package: The package.
        file: Path of the file on which the command was carried out.
        case: The command, and the content of this file before it.
        got: The actual result.
        want: The right result.
        detail: How much the user says.
    """
    saves = case.arguments[0] in ("add", "tidy")
    kind, is_there, should = _difference(got, want, saves)
    command = shlex.join(["python3", "-m", package, file, *case.arguments])
    return {
        "name": case.arguments[0],
        "file": file,
        "command": None if detail == "vague" and not saves else command,
        "kind": kind,
        "saves": saves,
        "got": None if detail == "vague" else is_there,
        "want": should if detail == "exact" else None,
    }


def _difference(got: Any, want: Any, saves: bool) -> tuple[str, str | None, str | None]:
    """The first difference: its kind, the actual line, and the right line."""
    if got[0] == RAISED or got[0] != want[0]:
        return "stops", None, None
    place = 2 if saves else 1
    there, right = got[place].split("\n")[:-1], want[place].split("\n")[:-1]
    if not there:
        return "nothing", None, right[0]
    if sorted(there) == sorted(right):
        at = _first(there, right)
        return "order", there[at], right[at]
    at = _first(there, right)
    if at == len(there) or (len(there) < len(right) and there[at] == right[at + 1]):
        return "missing", None, right[at]
    if at == len(right) or (len(there) > len(right) and there[at + 1] == right[at]):
        return "extra", there[at], None
    return "line", there[at], right[at]


def _first(one: Sequence[str], other: Sequence[str]) -> int:
    """The first place where two lists differ."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, its) in enumerate(pairs) if mine != its), min(len(one), len(other)))
