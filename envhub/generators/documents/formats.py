"""The same content in JSON, YAML, TOML, XML and CSV.

A record is a dict of texts, integers, booleans, and lists and dicts of them; a table is a list of flat records with
the same keys. XML and CSV have texts only: there, 5 and "5" are the same, and booleans are ``true`` and ``false``::

    read("toml", 'a = 1')                       # {"a": 1}
    same_content("xml", {"a": "1"}, {"a": 1})   # True
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any, Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from envhub.core.types import JSON
from envhub.generators.documents.strict import NotStrict, read_json, require_depth, same_json
from envhub.generators.documents.yaml_text import read_yaml, write_yaml

ROOT: Final = "record"
ITEM: Final = "item"
_FIELD: Final = r'(?:"(?:[^"]|"")*+"|[^",\n]*+)'
_CSV: Final = re.compile(rf"{_FIELD}(?:[,\n]{_FIELD})*+")


def read(name: str, text: str) -> JSON:
    """The content of a text in a format.

    Raises:
        NotStrict: The text is not of the format, or of the part of it that is allowed.
    """
    return _READERS[name](text)


def write(name: str, value: JSON) -> str:
    """A text in a format."""
    return _WRITERS[name](value)


def same_content(name: str, one: JSON, other: JSON) -> bool:
    """Whether two contents are equal, as far as a format distinguishes."""
    return same_json(*map(_texts, (one, other))) if name in ("xml", "csv") else same_json(one, other)


def _texts(value: JSON) -> JSON:
    """A content with all scalars as texts."""
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(inner) for inner in value]
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# -- TOML ----------------------------------------------------------------------------------------------------------------


def _read_toml(text: str) -> JSON:
    try:
        value = tomllib.loads(text, parse_float=_no_float)
    except RecursionError:
        raise NotStrict("it is nested too deeply") from None
    except ValueError as error:
        raise NotStrict(f"it is not TOML: {error}") from None
    require_depth(value)
    _require_plain(value)
    return value


def _no_float(text: str) -> Any:
    raise NotStrict("it contains a float")


def _require_plain(value: Any) -> None:
    """Raise if a value contains a date or a time."""
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            _require_plain(inner)
    elif not isinstance(value, (str, int)):
        raise NotStrict(f"a {type(value).__name__} must be a text in quotes")


def _write_toml(value: JSON, path: str = "") -> str:
    lines = [f"{key} = {_inline(inner)}" for key, inner in value.items() if not isinstance(inner, dict)]
    for key, inner in value.items():
        if isinstance(inner, dict):
            whole = f"{path}{key}"
            lines += ["", f"[{whole}]", _write_toml(inner, f"{whole}.")]
    return "\n".join(lines)


def _inline(value: JSON) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_inline(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)


# -- XML -----------------------------------------------------------------------------------------------------------------


def _read_xml(text: str) -> JSON:
    if "<!" in text or "<?" in text:  # no document types, entities, comments or instructions
        raise NotStrict("declarations, comments and CDATA are not allowed")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise NotStrict(f"it is not XML: {error}") from None
    if root.tag != ROOT:
        raise NotStrict(f"the root element must be {ROOT}")
    return _element(root, 0)


def _element(element: ElementTree.Element, depth: int) -> JSON:
    if element.attrib or depth > 32:
        raise NotStrict("attributes and deep nesting are not allowed")
    children = list(element)
    if not children:
        return element.text or ""
    between = (element.text, *(child.tail for child in children))
    if any(text and text.strip() for text in between):
        raise NotStrict("an element has both text and elements")
    values = [_element(child, depth + 1) for child in children]
    tags = [child.tag for child in children]
    if set(tags) == {ITEM}:
        return values
    if len(set(tags)) < len(tags):
        raise NotStrict("an element occurs twice")
    return dict(zip(tags, values, strict=True))


def _write_xml(value: JSON, tag: str = ROOT) -> str:
    if isinstance(value, dict):
        return f"<{tag}>{''.join(_write_xml(inner, key) for key, inner in value.items())}</{tag}>"
    if isinstance(value, list):
        return f"<{tag}>{''.join(_write_xml(inner, ITEM) for inner in value)}</{tag}>"
    return f"<{tag}>{escape(str(_texts(value)))}</{tag}>"


# -- CSV -----------------------------------------------------------------------------------------------------------------


def read_rows(text: str) -> list[list[str]]:
    """The rows of a CSV text.

    Raises:
        NotStrict: A quotation mark is not closed, or stands where none may.
    """
    lines = text.replace("\r\n", "\n")
    if "\r" in lines or "\0" in lines:
        raise NotStrict("it contains a control character")
    if not _CSV.fullmatch(lines):
        raise NotStrict("a quotation mark must be doubled, and its field quoted")
    return list(csv.reader(io.StringIO(lines, newline=""), strict=True))


def write_rows(rows: list[list[str]]) -> str:
    """Rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().removesuffix("\n")


def _read_csv(text: str) -> JSON:
    rows = read_rows(text)
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise NotStrict("a heading and rows of the same length are required")
    if len(set(rows[0])) < len(rows[0]):
        raise NotStrict("a column occurs twice")
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def _write_csv(value: JSON) -> str:
    return write_rows([list(value[0]), *([str(cell) for cell in _texts(record).values()] for record in value)])


_READERS: Final[dict[str, Callable[[str], JSON]]] = {
    "json": read_json,
    "yaml": read_yaml,
    "toml": _read_toml,
    "xml": _read_xml,
    "csv": _read_csv,
}
_WRITERS: Final[dict[str, Callable[[JSON], str]]] = {
    "json": json.dumps,
    "yaml": write_yaml,
    "toml": _write_toml,
    "xml": _write_xml,
    "csv": _write_csv,
}
