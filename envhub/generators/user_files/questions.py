"""A user's questions.

Rows with a question, a gold answer and optionally its kind. Files are identified and read as in
:mod:`envhub.generators.user_files.files`::

    file = questions("gsm8k.jsonl", digest_of("gsm8k.jsonl"), "question", "answer")
    file.at(None)[0].text
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from envhub.core.errors import nearest
from envhub.core.types import encodable
from envhub.generators.user_files.files import MAX_CHARS, UserRows, each_of, place_of, rows_at

Reader = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Question:
    """A row of a file.

    Attributes:
        row: Its number, from 1.
        text: The question.
        gold: The right answer.
        kind: Kind of the gold, or None.
        options: Options of the kind, or None.
        level: Its difficulty, or None.
    """

    row: int
    text: str
    gold: str
    kind: str | None
    options: Mapping[str, Any] | None
    level: int | None


def questions(
    path: str, digest: str, question: str = "prompt", gold: str = "answer", read_gold: Reader = str
) -> UserRows[Question]:
    """The questions of a file.

    Args:
        path: Path of the file, ``.jsonl`` or ``.parquet``.
        digest: Its SHA-256.
        question: The column with the question.
        gold: The column with the right answer.
        read_gold: Finds the right answer in that column's text, or raises a ``ValueError``.

    Raises:
        InvalidParameters: No file with this digest exists, or its rows are not questions.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    return _questions(place_of(path, digest), digest, question, gold, read_gold)


@lru_cache(maxsize=8)
def _questions(place: str, digest: str, question: str, gold: str, read_gold: Reader) -> UserRows[Question]:
    rows = each_of(place, rows_at(place, digest), lambda number, row: _question(number, row, question, gold, read_gold))
    return UserRows.of(place, "question", rows)


def _question(number: int, row: Mapping[str, Any], question: str, gold: str, read_gold: Reader) -> Question:
    """A row as a question.

    Raises:
        ValueError: Not a question.
    """
    text = _column(row, question)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"a question is text that is not empty, got {str(text)[:80]!r} in {question!r}.")
    if len(text) > MAX_CHARS:
        raise ValueError(f"the question has more than {MAX_CHARS} characters.")
    kind = row.get("kind")
    if kind is not None and not isinstance(kind, str):
        raise ValueError(f"kind is text, got {kind!r}.")
    answer = read_gold(_answer(_column(row, gold)))
    if encodable(text + answer) != text + answer:
        raise ValueError("it holds what UTF-8 has no form for.")
    return Question(number, text, answer, kind or None, _options(row.get("options")), _level(row.get("difficulty")))


def _column(row: Mapping[str, Any], name: str) -> Any:
    if row.get(name) is None:
        raise ValueError(f"it has no {name!r}; there are {', '.join(row) or 'no columns'}.{nearest(name, row)}")
    return row[name]


def _answer(value: Any) -> str:
    """A gold answer as text; numbers and lists in JSON syntax."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        raise ValueError(f"a gold answer is text, a number or a list of them, got {str(value)[:80]}.")
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(f"a gold answer is text, a number or a list of them, got {str(value)[:80]}.") from None


def _options(value: Any) -> Mapping[str, Any] | None:
    """Options as an object or its JSON text.

    Null in a table means none.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"options are not JSON: {error}.") from None
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(f"options are an object, got {str(value)[:80]}.")
    return {name: option for name, option in value.items() if option is not None}


def _level(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in range(1, 11):
        raise ValueError(f"a difficulty is an integer 1..10, got {value!r}.")
    return int(value)
