r"""Reads and writes a small block-style subset of YAML.

Mappings, sequences, and scalars that are integers, ``true``, ``false`` or texts. A text that some YAML version reads as
something else (``no``, ``3.10``, ``12:30``, ``2027-03-10``) must be quoted: unquoted, it is refused. Refused as well: flow
collections, block scalars, anchors, aliases, tags, comments, directives, tabs and duplicate keys::

    read_yaml('a: "no"\nb:\n  - 1\n  - x y')    # {"a": "no", "b": [1, "x y"]}
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.generators.documents.strict import MAX_DEPTH, NotStrict

_KEY: Final = re.compile(r'("(?:[^"\\]|\\.)*+"|\'(?:[^\']|\'\')*+\'|[A-Za-z_][A-Za-z0-9_-]*+):(?: +|$)')
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_PLAIN: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _./@+-]*[A-Za-z0-9_./@+-])?")
_SPECIAL: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})


class _Line(NamedTuple):
    indent: int
    text: str


def read_yaml(text: str) -> JSON:
    """The value of a YAML text of the subset.

    Raises:
        NotStrict: It is not of the subset.
    """
    lines = [_line(line) for line in text.split("\n") if line.strip()]
    if lines and lines[0].text == "---":
        lines = lines[1:]
    if not lines:
        raise NotStrict("it is empty")
    value, rest = _block(lines, 0, lines[0].indent, 0)
    if rest < len(lines):
        raise NotStrict(f"the indentation of {lines[rest].text[:40]!r} does not fit")
    return value


def write_yaml(value: JSON) -> str:
    """The block-style YAML of a value; texts are quoted."""
    return "\n".join(_written(value))


def _line(line: str) -> _Line:
    if "\t" in line:
        raise NotStrict("it contains a tab")
    return _Line(len(line) - len(line.lstrip(" ")), line.strip(" "))


def _block(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JSON, int]:
    """A mapping or sequence, and the place of the line after it."""
    if depth > MAX_DEPTH:
        raise NotStrict("it is nested too deeply")
    if _is_item(lines[at].text):
        return _sequence(lines, at, indent, depth)
    return _mapping(lines, at, indent, depth)


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _sequence(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JSON, int]:
    found: list[JSON] = []
    while at < len(lines) and lines[at].indent == indent and _is_item(lines[at].text):
        inner = lines[at].text[1:].lstrip(" ")
        if not inner:
            value, at = _nested(lines, at + 1, indent + 1, depth)
        elif _is_item(inner) or _KEY.match(inner):  # a collection that begins in the line of its dash
            column = indent + len(lines[at].text) - len(inner)
            lines[at] = _Line(column, inner)
            value, at = _block(lines, at, column, depth + 1)
        else:
            value, at = _scalar(inner), at + 1
        found.append(value)
    return found, at


def _mapping(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JSON, int]:
    found: dict[str, JSON] = {}
    while at < len(lines) and lines[at].indent == indent and not _is_item(lines[at].text):
        match = _KEY.match(lines[at].text)
        if match is None:
            raise NotStrict(f"{lines[at].text[:40]!r} is not a key with a value")
        key = _key(match[1])
        if key in found:
            raise NotStrict(f"the key {key[:40]!r} occurs twice")
        inner = lines[at].text[match.end() :]
        if inner:
            found[key], at = _scalar(inner), at + 1
        else:  # a sequence may be indented like its key
            least = indent if at + 1 < len(lines) and _is_item(lines[at + 1].text) else indent + 1
            found[key], at = _nested(lines, at + 1, least, depth)
    return found, at


def _nested(lines: list[_Line], at: int, least: int, depth: int) -> tuple[JSON, int]:
    if at >= len(lines) or lines[at].indent < least:
        raise NotStrict("a value is missing")
    text = lines[at].text
    if not _is_item(text) and not _KEY.match(text):
        return _scalar(text), at + 1
    return _block(lines, at, lines[at].indent, depth + 1)


def _key(text: str) -> str:
    if text[0] in "\"'":
        return str(_scalar(text))
    if text.lower() in _SPECIAL:
        raise NotStrict(f"the key {text!r} must be quoted")
    return text


def _scalar(text: str) -> Any:
    if text[0] == '"':
        try:
            value = json.loads(text)
        except ValueError:
            raise NotStrict(f"{text[:40]!r} is not a text in double quotes") from None
        return value
    if text[0] == "'":
        inner = text[1:-1].replace("''", "\0")
        if len(text) < 2 or text[-1] != "'" or "'" in inner or "\0" in text:
            raise NotStrict(f"{text[:40]!r} is not a text in single quotes")
        return inner.replace("\0", "'")
    if _INTEGER.fullmatch(text) and text != "-0":
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    if not _PLAIN.fullmatch(text) or text.lower() in _SPECIAL:
        raise NotStrict(f"{text[:40]!r} must be quoted")
    return text


def _written(value: JSON) -> list[str]:
    pairs = (
        [(f"{key}:", inner) for key, inner in value.items()] if isinstance(value, dict) else [("-", v) for v in value]
    )
    lines: list[str] = []
    for head, inner in pairs:
        if isinstance(inner, (dict, list)):
            lines += [head, *(f"  {line}" for line in _written(inner))]
        else:
            lines.append(f"{head} {json.dumps(inner, ensure_ascii=False)}")
    return lines
