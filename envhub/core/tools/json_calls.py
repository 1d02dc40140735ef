"""Calls as JSON, shared by the readers of all formats.

Objects with duplicate keys are rejected, an infinity under any name is null, and strings may contain line breaks, as
models write them. Parsing is linear in the text, except for nesting that Python itself rejects.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NamedTuple

from envhub.core.strict_json import RepeatedKey, unrepeated
from envhub.core.types import encodable


class Raw(NamedTuple):
    """A call as written.

    ``arguments`` is an object, a mapping of texts, or one unnamed text.
    """

    name: str
    arguments: Any
    typed: bool = True


Item = Raw | str  # a str: what is wrong with the call here


class Found(NamedTuple):
    """Result at a marker: format, calls in order, remaining text's start."""

    format: str
    items: list[Item]
    end: int


NAME: Final = r"[\w.-]{1,64}"
NOT_A_CALL: Final = 'a call is a JSON object {"name": ..., "arguments": {...}}'
SPACE: Final = re.compile(r"\s*")
BETWEEN: Final = re.compile(r"[\s,;]*")


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


# what models write: strings with line breaks; never an infinity, under any name
_DECODER: Final = json.JSONDecoder(
    strict=False, parse_constant=lambda name: None, parse_float=_finite, object_pairs_hook=unrepeated
)


def value_at(text: str, at: int) -> tuple[Any, int]:
    """The JSON value at a position, and its end.

    Raises:
        ValueError: There is no JSON value; :class:`RepeatedKey` if an object has a duplicate key.
        RecursionError: It is nested too deeply.
    """
    value, end = _DECODER.raw_decode(text, at)
    if "\\u" in text[at:end]:  # half a surrogate pair cannot be encoded in UTF-8
        value = json.loads(encodable(json.dumps(value, ensure_ascii=False)))
    return value, end


def only_value(text: str) -> Any:
    """The JSON value of a text that contains nothing else.

    Raises:
        ValueError: There is no JSON value, or text follows it.
        RecursionError: It is nested too deeply.
    """
    value, end = value_at(text, skip(SPACE, text, 0))
    if skip(SPACE, text, end) != len(text):
        raise ValueError("text follows the JSON value")
    return value


def call_of(value: Any) -> Item:
    """A call from JSON: name and arguments, with or without OpenAI's envelope."""
    inner = value.get("function", value) if isinstance(value, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        return NOT_A_CALL
    named = [key for key in ("arguments", "parameters", "input") if key in inner]
    if len(named) > 1:
        return f"a call has `{named[0]}` or `{named[1]}`, not both"
    arguments = inner[named[0]] if named else {}
    if isinstance(arguments, str):
        try:
            arguments = only_value(arguments)
        except RepeatedKey as error:
            return str(error)
        except (ValueError, RecursionError):
            arguments = None
    if not isinstance(arguments, dict):
        return f"the arguments of {inner['name'][:60]} must be a JSON object"
    return Raw(inner["name"], arguments)


def calls_of(value: Any) -> list[Item]:
    """All calls of a JSON value.

    The value is OpenAI's ``tool_calls``, a list, or one call.
    """
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    return [call_of(each) for each in value] if isinstance(value, list) else [call_of(value)]


def values(text: str, at: int, closing: str | None) -> tuple[list[Item], int]:
    """Consecutive JSON values, up to a closing marker or the end."""
    items: list[Item] = []
    while True:
        at = skip(BETWEEN, text, at)
        if at == len(text):
            return items, at
        if closing is not None and text.startswith(closing, at):
            return items, at + len(closing)
        if items and text[at] not in "{[":  # another marker, or prose
            return items, at
        try:
            value, at = value_at(text, at)
            items += calls_of(value)
        except RepeatedKey as error:
            return [*items, str(error)], after(text, closing, at)
        except (ValueError, RecursionError):
            return [*items, NOT_A_CALL], after(text, closing, at)


def skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Position after a pattern that may be empty."""
    match = pattern.match(text, at)
    return match.end() if match else at


def after(text: str, closing: str | None, at: int) -> int:
    """Position after the next closing marker, or the end of the text."""
    end = text.find(closing, at) if closing is not None else -1
    return end + len(closing or "") if end >= 0 else len(text)
