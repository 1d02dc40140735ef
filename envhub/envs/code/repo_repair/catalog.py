"""The functions and settings of which applications are composed.

Reads the source of :mod:`envhub.envs.code.repo_repair.library`. A function depends on every function and setting whose name it
uses; the order of :data:`TOPICS` and of the functions in a topic is a topological order of all variants::

    source = functions("durations")["parse_amount"]
    needs(source.text, {"parse_amount", "show_amount"})
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple

LIBRARY: Final = "envhub.envs.code.repo_repair.library"
AMOUNTS: Final = ("durations", "weights", "boxes")
ROWS: Final = ("pipes", "quoted", "tabs", "blocks_file")
"""Formats of files. The first three have a line for each row and use ``tables_file`` as well."""
TOPICS: Final[Mapping[str, str]] = {
    "days": "values",
    "money": "values",
    "durations": "values",
    "weights": "values",
    "boxes": "values",
    "pipes": "storage",
    "quoted": "storage",
    "tabs": "storage",
    "tables_file": "storage",
    "blocks_file": "storage",
    "records": "storage",
    "prices": "rules",
    "charges": "rules",
    "tallies": "figures",
    "layout": "reports",
    "reports": "reports",
    "options": "command line",
    "program": "command line",
}
"""The layer of each topic, in the order of imports."""


class Function(NamedTuple):
    """A function of the library.

    Attributes:
        topic: The module of the library.
        name: Its name.
        text: Its source.
        doc: The first line of its docstring.
    """

    topic: str
    name: str
    text: str
    doc: str


@lru_cache(maxsize=32)
def functions(topic: str) -> Mapping[str, Function]:
    """The functions of a topic by name, in order."""
    source = _source(topic)
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            text = ast.get_source_segment(source, node) or ""
            found[node.name] = Function(topic, node.name, text, (ast.get_docstring(node) or "").partition("\n")[0])
    return found


@lru_cache(maxsize=1)
def settings() -> Mapping[str, object]:
    """The settings of the library by name."""
    nodes = [node for node in ast.parse(_source("settings")).body if isinstance(node, ast.Assign)]
    return {
        target.id: ast.literal_eval(node.value)
        for node in nodes
        for target in node.targets
        if isinstance(target, ast.Name)
    }


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Every name that a source uses."""
    return frozenset(node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))


def needs(text: str, known: Collection[str]) -> list[str]:
    """Those of the known names that a source uses, in alphabetical order."""
    return sorted(names(text) & set(known))


def _source(module: str) -> str:
    return resources.files(LIBRARY).joinpath(f"{module}.py").read_text(encoding="utf-8")
