"""A user's prompts with instruction ids of IFEval and IFBench.

A row has ``prompt``, ``instruction_id_list`` and ``kwargs``; it may have a ``response`` that is right, and a
``difficulty``. Rows with an instruction that no rule decides are left out; a warning counts them by instruction::

    {"prompt": "Write ...", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON, encodable
from envhub.generators.constraints.public import settings_of, try_checker
from envhub.generators.constraints.public_lists import LEFT_OUT
from envhub.generators.user_files.files import MAX_CHARS, UserRows, each_of, place_of, rows_at

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A row of a file.

    Attributes:
        row: Its number, from 1.
        text: The prompt.
        instructions: Ids with their arguments; an id may occur more than once.
        response: A right response, or None.
        level: Its difficulty, or None.
    """

    row: int
    text: str
    instructions: tuple[JSON, ...]
    response: str | None
    level: int | None


def prompts(path: str, digest: str) -> UserRows[Prompt]:
    """The prompts of a file whose instructions can all be checked.

    Raises:
        InvalidParameters: No file with this digest exists, its rows are of another form, or none can be checked; then
            the message counts the rows by the instruction that no rule decides.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    return _prompts(place_of(path, digest), digest)


@lru_cache(maxsize=8)
def _prompts(place: str, digest: str) -> UserRows[Prompt]:
    rows = list(each_of(place, rows_at(place, digest), _prompt))
    undecided = [_undecided(row) for row in rows]
    kept = [row for row, names in zip(rows, undecided, strict=True) if not names]
    if len(kept) < len(rows):
        report = _report(undecided)
        if not kept:
            raise InvalidParameters(f"No row of {place!r} can be checked. {report}")
        _log.warning("%s: %d of %d rows are left out. %s", place, len(rows) - len(kept), len(rows), report)
    return UserRows.of(place, "prompt", kept)


def _undecided(row: Prompt) -> set[str]:
    """The instructions of a row that no rule decides."""
    return {name for name, _ in row.instructions if name in LEFT_OUT}


def _report(undecided: Sequence[set[str]]) -> str:
    """The number of rows with each undecided instruction, and the reason."""
    rows = Counter(name for names in undecided for name in names)
    return " ".join(f"{name} ({rows[name]}): {LEFT_OUT[name]}." for name in sorted(rows))


def _prompt(number: int, row: Mapping[str, Any]) -> Prompt:
    """A row as a prompt.

    Raises:
        ValueError: It is not one.
    """
    text, names, arguments = (row.get(name) for name in ("prompt", "instruction_id_list", "kwargs"))
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_CHARS or encodable(text) != text:
        raise ValueError(f"`prompt` must be text in UTF-8 of at most {MAX_CHARS} characters.")
    if not isinstance(names, list) or not isinstance(arguments, list) or not names or len(names) != len(arguments):
        raise ValueError(
            "`instruction_id_list` and `kwargs` must be lists of the same length, of at least one element."
        )
    instructions = tuple([name, settings_of(given)] for name, given in zip(names, arguments, strict=True))
    for name, settings in instructions:
        if name not in LEFT_OUT:
            try_checker(name, settings)
    response, level = row.get("response"), row.get("difficulty")
    if level is not None and (type(level) is not int or not 1 <= level <= 10):
        raise ValueError(f"a difficulty must be an integer from 1 to 10, got {level!r:.40}.")
    return Prompt(number, text, instructions, response if isinstance(response, str) else None, level)
