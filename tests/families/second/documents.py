"""Documents read and validated by other code: jsonschema, PyYAML and the standard library."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final
from xml.dom import minidom

import jsonschema
import yaml

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
