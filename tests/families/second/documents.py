"""Documents read by other code: jsonschema, PyYAML, markdown-it and the standard library."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final
from xml.dom import minidom

import jsonschema
import yaml
from markdown_it import MarkdownIt

from envhub.core.types import JSON


def conforms(schema: JSON, value: JSON) -> bool:
    """Whether jsonschema accepts a value."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


def _from_xml(node: Any) -> Any:
    children = [child for child in node.childNodes if child.nodeType == child.ELEMENT_NODE]
    if not children:
        return "".join(child.data for child in node.childNodes)
    if all(child.tagName == "item" for child in children):
        return [_from_xml(child) for child in children]
    return {child.tagName: _from_xml(child) for child in children}


READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "json": json.loads,
    "yaml": yaml.safe_load,
    "toml": tomllib.loads,
    "xml": lambda text: _from_xml(minidom.parseString(text).documentElement),
    "csv": lambda text: list(csv.DictReader(io.StringIO(text))),
}
"""Other readers of each format."""


def as_texts(value: Any) -> Any:
    """A content with its scalars as texts."""
    if isinstance(value, dict):
        return {key: as_texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_texts(inner) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


# -- tables ----------------------------------------------------------------------------------------------------------------


def _markdown(text: str) -> list[list[str]]:
    """The cells as markdown-it finds them, without reading what is in them."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(token.content)
    return rows


def _latex(text: str) -> list[list[str]]:
    rows = re.findall(r"^(.*?) *\\\\$", text, re.MULTILINE)
    cells = [re.split(r" *(?<!\\)& *", row) for row in rows]
    return [[re.sub(r"\\([&%$#_{}])", r"\1", cell) for cell in row] for row in cells]


TABLES: Final[Mapping[str, Callable[[str], list[list[str]]]]] = {
    "markdown": _markdown,
    "latex": _latex,
    "csv": lambda text: list(csv.reader(io.StringIO(text), strict=True)),
    "json": lambda text: [[*json.loads(text)[0]], *([*row.values()] for row in json.loads(text))],
}
"""Other readers of tables."""


def holds_table(problem: JSON, text: str) -> bool:
    """Whether a text is the table of a problem in the requested format."""
    try:
        return TABLES[problem["target"]](text) == problem["table"]
    except (ValueError, csv.Error):
        return False


# -- patches ---------------------------------------------------------------------------------------------------------------


def _at(value: Any, path: list[str], change: Callable[[Any, Any], Any]) -> Any:
    """A copy of a document in which the container at the end of a path is changed."""
    key = path[0] if isinstance(value, dict) else len(value) if path[0] == "-" else int(path[0])
    if len(path) == 1:
        return change(value, key)
    inner = _at(value[key], path[1:], change)
    return {**value, key: inner} if isinstance(value, dict) else [*value[:key], inner, *value[key + 1 :]]


def _added(value: Any, key: Any, new: Any) -> Any:
    return {**value, key: new} if isinstance(value, dict) else [*value[:key], new, *value[key:]]


def _without(value: Any, key: Any) -> Any:
    value[key]  # an error if there is nothing to remove
    if isinstance(value, dict):
        return {name: inner for name, inner in value.items() if name != key}
    return [*value[:key], *value[key + 1 :]]


def _path(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in ("root" + pointer).split("/")]


def _get(value: Any, path: list[str]) -> Any:
    for part in path:
        value = value[part if isinstance(value, dict) else int(part)]
    return value


def patched(patch: JSON, document: JSON) -> JSON:
    """The document after the operations of a JSON Patch."""
    root: Any = {"root": document}
    for operation in patch:
        path, name = _path(operation["path"]), operation["op"]
        source = _path(operation["from"]) if "from" in operation else path
        new = operation["value"] if "value" in operation else _get(root, source)
        if name == "test" and _get(root, path) != new:
            raise ValueError
        if name in ("remove", "replace", "move"):
            root = _at(root, source, _without)
        if name in ("add", "replace", "move", "copy"):
            root = _at(root, path, lambda value, key, new=new: _added(value, key, new))
    return root["root"]


def accepts_patch(problem: JSON, text: str) -> bool:
    """Whether a text is a short JSON Patch from the first document to the second."""
    patch = json.loads(text)
    if len(json.dumps(patch, ensure_ascii=False, separators=(",", ":"))) > problem["most"]:
        return False
    try:
        return _exact(patched(patch, problem["before"])) == _exact(problem["after"])
    except (IndexError, KeyError, TypeError, ValueError):
        return False


def _exact(value: JSON) -> str:
    """A document in one form, in which true is not 1."""
    return json.dumps(value, sort_keys=True)
