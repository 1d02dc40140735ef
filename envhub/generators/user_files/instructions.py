"""A user's prompts with instruction ids of IFEval and IFBench.

A row has ``prompt``, ``instruction_id_list`` and ``kwargs``; it may have a ``response`` that is right, and a
``difficulty``. Rows with an instruction that no rule decides are left out, and counted::

    {"prompt": "Write ...", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from envhub.core.types import JSON, encodable
from envhub.generators.constraints.public import checker, settings_of
from envhub.generators.constraints.public_lists import LEFT_OUT
from envhub.generators.user_files.files import MAX_CHARS, UserRows, each_of, place_of, rows_at


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
        InvalidParameters: No file with this digest exists, its rows are of another form, or none can be checked.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    return _prompts(place_of(path, digest), digest)


@lru_cache(maxsize=8)
def _prompts(place: str, digest: str) -> UserRows[Prompt]:
    rows = each_of(place, rows_at(place, digest), _prompt)
    return UserRows.of(place, "prompt with instructions that can be checked", (row for row in rows if _decidable(row)))


def _decidable(row: Prompt) -> bool:
    return not any(name in LEFT_OUT for name, _ in row.instructions)


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
    for name, _ in instructions:
        if name not in LEFT_OUT:
            checker(name)
    response, level = row.get("response"), row.get("difficulty")
    if level is not None and (type(level) is not int or not 1 <= level <= 10):
        raise ValueError(f"a difficulty must be an integer from 1 to 10, got {level!r:.40}.")
    return Prompt(number, text, instructions, response if isinstance(response, str) else None, level)
