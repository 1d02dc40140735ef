"""Renderings of an order with its schema, and rules on values."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants
from envhub.authoring.wording.statement import Rendering
from envhub.generators.values import TODAY, spelt

TODAY_SPELT = spelt(TODAY)

VALUES = Phrase(
    "Convert each value to the form that the schema describes. In text, case and spaces count, and quotation marks around a "
    "text are not part of it.",
    "Each value must have the form that the schema asks for. Copy text exactly, with its case and spaces but without the "
    "quotation marks around it.",
    "State every value in the way the schema describes. Text must be copied exactly, without the quotation marks around it.",
    held_out="Values: converted as described in the schema; strings verbatim, excluding enclosing quotation marks.",
)
OMIT = Phrase(
    "Leave out each property that the order does not state. Nothing may be added.",
    "A property whose value the order does not state must be left out. Do not add anything.",
    "State nothing that the order does not say: leave such properties out.",
    held_out="Properties without a stated value must be absent; nothing else may be added.",
)


def _schema(problem: Any, indent: int | None) -> str:
    return f"The JSON Schema:\n{json.dumps(problem['schema'], indent=indent, ensure_ascii=False)}"


def _as_lines(problem: Any) -> str:
    told = "\n".join(f"{label}: {said}" for label, said in problem["told"])
    return f"The order:\n{told}\n\n{_schema(problem, 2)}"


def _as_prose(problem: Any) -> str:
    told = " ".join(f"The {label} is {said}." for label, said in problem["told"])
    return f"The order: {told}\n\n{_schema(problem, None)}"


def _as_grid(problem: Any) -> str:
    told = "\n".join(["| field | value |", "|---|---|", *(f"| {label} | {said} |" for label, said in problem["told"])])
    return f"{_schema(problem, None)}\n\nThe order:\n\n{told}"


def _as_memo(problem: Any) -> str:
    told = "\n".join(f"* {label} = {said}" for label, said in problem["told"])
    return f"Order details\n{told}\n\nJSON Schema\n{json.dumps(problem['schema'], ensure_ascii=False)}"


TOLD: Final[Variants[Rendering]] = Variants(_as_lines, _as_prose, _as_grid, held_out=_as_memo, name="order")
