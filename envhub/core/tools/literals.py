"""Parser for Python-style call arguments: names with literals. Evaluates nothing.

Numbers, strings in single or double quotes, lists, tuples (read as lists), dicts with text keys, ``True``, ``False`` and
``None`` (and their JSON spellings) are accepted; everything else is rejected.
"""

from __future__ import annotations

import re
from typing import Any, Final

from envhub.core.types import encodable

_DEEPEST: Final = 64
_LONGEST_NUMBER: Final = 400
_SPACE: Final = re.compile(r"\s*")
_NAME: Final = re.compile(r"([A-Za-z_]\w{0,63})\s*=(?!=)\s*")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?(?![\w.])")
_WORD: Final = re.compile(r"(?:True|true|False|false|None|null)(?!\w)")
_STRING: Final = re.compile(r"""'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*\"""")
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "\n": ""}
_WORDS: Final = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
_CLOSERS: Final = {"[": "]", "(": ")", "{": "}"}


def arguments_at(text: str, at: int) -> tuple[dict[str, Any], int]:
    """Named arguments after an opening bracket, and the end's position.

    The end is after the closing bracket.

    Raises:
        ValueError: They cannot be read; the message says why.
    """
    given: dict[str, Any] = {}
    at = _skip(text, at)
    while not text.startswith(")", at):
        name = _NAME.match(text, at)
        if name is None:
            raise ValueError("each is written as name=value")
        if name[1] in given:
            raise ValueError(f"{name[1]!r} occurs more than once")
        given[name[1]], at = _value(text, name.end(), 0)
        at = _separated(text, at, ")")
    return given, at + 1


def values_at(text: str, at: int) -> tuple[list[Any], int]:
    """Values without names after an opening bracket, and the end's position.

    The end is after the closing bracket.

    Raises:
        ValueError: They cannot be read; the message says why.
    """
    return _items(text, at, 0, ")")


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _separated(text: str, at: int, closer: str) -> int:
    """Position of the next item, or of the closing bracket."""
    at = _skip(text, at)
    if text.startswith(",", at):
        return _skip(text, at + 1)
    if text.startswith(closer, at):
        return at
    raise ValueError(f"a comma or {closer} is missing")


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > _DEEPEST:
        raise ValueError("they are nested too deeply")
    sign = text[at : at + 1]
    if sign in _CLOSERS:
        return _mapping(text, at + 1, depth) if sign == "{" else _items(text, at + 1, depth, _CLOSERS[sign])
    if (sign == "'" or sign == '"') and (string := _STRING.match(text, at)):
        return encodable(_ESCAPE.sub(_unescaped, string.group()[1:-1])), string.end()
    if word := _WORD.match(text, at):
        return _WORDS[word.group()], word.end()
    number = _NUMBER.match(text, at)
    if number is None or len(number.group()) > _LONGEST_NUMBER:
        raise ValueError("each value must be a string, a number, a list or an object")
    digits = number.group()
    return (float(digits) if set(digits) & set(".eE") else int(digits)), number.end()


def _items(text: str, at: int, depth: int, closer: str) -> tuple[list[Any], int]:
    found: list[Any] = []
    at = _skip(text, at)
    while not text.startswith(closer, at):
        value, at = _value(text, at, depth + 1)
        found.append(value)
        at = _separated(text, at, closer)
    return found, at + 1


def _mapping(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while not text.startswith("}", at):
        key, at = _value(text, at, depth + 1)
        at = _skip(text, at)
        if not isinstance(key, str) or not text.startswith(":", at):
            raise ValueError("an object is written as {'key': value}")
        if key in found:
            raise ValueError(f"the key {key[:60]!r} occurs more than once")
        found[key], at = _value(text, _skip(text, at + 1), depth + 1)
        at = _separated(text, at, "}")
    return found, at + 1


def _unescaped(escape: re.Match[str]) -> str:
    body = escape[1]
    if len(body) > 1:
        return chr(int(body[1:], 16))
    return _ESCAPES.get(body, body)
