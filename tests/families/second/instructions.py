"""Texts and documents read by other code: character loops, jsonschema, PyYAML and the standard library."""

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


def words(text: str) -> list[str]:
    """Words by a loop over characters."""
    found, word = [], ""
    for at, sign in enumerate(text):
        inner = sign in "'-" and word and text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum()
        if sign.isalnum() or inner:
            word += sign
        elif word:
            found.append(word)
            word = ""
    return [*found, word] if word else found


def sentences(text: str) -> list[str]:
    """Sentences by marking each end and splitting there."""
    marked = text.replace("\n", "\0")
    for mark in ".!?":
        marked = marked.replace(f"{mark} ", f"{mark}\0")
    return [part for part in marked.split("\0") if words(part)]


def paragraphs(text: str) -> list[str]:
    """Paragraphs by joining lines with a word."""
    lines = [line if words(line) else "" for line in text.split("\n")]
    return [block for block in "\n".join(lines).replace("\n\n", "\0").replace("\0\n", "\0").split("\0") if words(block)]


COUNTS: Final[Mapping[str, Callable[[str], int]]] = {
    "word_count": lambda text: len(words(text)),
    "sentence_count": lambda text: len(sentences(text)),
    "paragraph_count": lambda text: len(paragraphs(text)),
    "line_count": lambda text: len([line for line in text.split("\n") if words(line)]),
    "number_count": lambda text: len([word for word in words(text) if all(sign in "0123456789" for sign in word)]),
    "distinct_words": lambda text: len({word.lower() for word in words(text)}),
    "questions": lambda text: len([sentence for sentence in sentences(text) if sentence.strip().endswith("?")]),
    "bullets": lambda text: len([line for line in text.split("\n") if line.lstrip().startswith("* ") and words(line)]),
    "capital_words": lambda text: len([w for w in words(text) if len(w) > 1 and all("A" <= sign <= "Z" for sign in w)]),
    "placeholders": lambda text: len(
        [part for part in text.split("[")[1:] if "]" in part and words(part.split("]")[0])]
    ),
}
"""Numbers of units by kind of constraint."""


def keyword(text: str, word: str) -> int:
    """How often a word occurs, in any case."""
    return sum(found.lower() == word for found in words(text))


def letter(text: str, wanted: str) -> int:
    """How often a letter occurs, in any case."""
    return sum(sign.lower() == wanted for sign in text)


# -- documents -------------------------------------------------------------------------------------------------------------


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
