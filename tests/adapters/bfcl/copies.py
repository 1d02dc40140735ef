"""A small copy of BFCL's data, written here in its format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from envhub.adapters.bfcl.questions import CATEGORIES, IRRELEVANT

Row = dict[str, Any]
COUNT = 40
"""Questions of each category, enough for each split to have some."""


def function(name: str, required: list[str], **types: Any) -> Row:
    """A description; a type may be given with that of its items, as in ``("array", "string")``."""
    properties: Row = {}
    for parameter, kind in types.items():
        outer, inner = kind if isinstance(kind, tuple) else (kind, None)
        properties[parameter] = {"type": outer, "description": f"The {parameter}."}
        if inner:
            properties[parameter]["items"] = {"type": inner}
    return {
        "name": name,
        "description": "Does one thing.",
        "parameters": {"type": "dict", "properties": properties, "required": required},
    }


ORDER = function("shop.order", ["item", "count"], item="string", count="integer", price="float", gift="boolean")
ROUTE = function("route", ["stops"], stops=("array", "string"), options="dict")
JAVA = function("Box.put", ["ids", "deep"], ids=("ArrayList", "long"), deep="boolean", tags=("Array", "String"))
SCRIPT = function("fill", ["values"], values=("array", "float"), settings="dict", then="any")


def ordered(number: int) -> Row:
    """The possible answer to an order."""
    accepted = {"item": [f"Red tea {number}"], "count": [number], "price": [2.5, ""], "gift": ["", False]}
    return {"shop.order": accepted}


def routed(number: int) -> Row:
    """The possible answers to a route."""
    stops = [["Aix", f"Bonn {number}"], ["Bonn", "Aix"]]
    return {"route": {"stops": stops, "options": ["", {"fast": [True], "unit": ["km", ""]}]}}


def question(category: str, number: int) -> tuple[list[Row], list[Row]]:
    """The functions and the possible answers of a question."""
    if category == "simple_java":
        return [JAVA], [{"Box.put": {"ids": [[number, 7]], "deep": [True], "tags": ["", ["a b", "c"]]}}]
    if category == "simple_javascript":
        return [SCRIPT], [
            {"fill": {"values": [[1.5, float(number)]], "settings": ["", {"wide": [True]}], "then": ["go"]}}
        ]
    one = ordered(number) if number % 2 else routed(number)
    if "parallel" in category:
        both = [ORDER, ROUTE] if "multiple" in category else [ORDER]
        second = routed(number) if "multiple" in category else ordered(number + 1)
        return both, [ordered(number), second]
    if "multiple" in category:
        return [ROUTE, ORDER], [one]
    return [ORDER if number % 2 else ROUTE], [one]


def rows(category: str) -> Iterator[tuple[Row, Row]]:
    """The questions of a category, with their possible answers."""
    for number in range(1, COUNT + 1):
        functions, answers = question(category, number)
        text = f"Please serve the {category} request number {number}."
        turn = [{"role": "system", "content": "Be brief."}] * (category == "live_simple")
        asked = {"id": f"{category}_{number}", "question": [[*turn, {"role": "user", "content": text}]]}
        yield {**asked, "function": functions}, {"id": asked["id"], "ground_truth": answers}


def write(folder: Path, changed: Mapping[str, list[Row]] | None = None) -> Path:
    """The folder ``data`` of such a copy; rows of some categories may be given."""
    (folder / "possible_answer").mkdir(parents=True, exist_ok=True)
    for category in CATEGORIES:
        asked, answers = map(list, zip(*rows(category), strict=True))
        asked = (changed or {}).get(category, asked)
        _write(folder / f"BFCL_v4_{category}.json", asked)
        if category not in IRRELEVANT:
            _write(folder / "possible_answer" / f"BFCL_v4_{category}.json", answers)
    return folder


def _write(path: Path, lines: list[Row]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
