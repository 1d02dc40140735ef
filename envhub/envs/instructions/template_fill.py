"""template-fill-v0: fill a template with filters, conditions and repeated lines.

Action: the filled text; it must be right in every character. Difficulty: more lines, conditions and items; effort is
the number of values to fill in and conditions to decide. The fields of the record have no order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.families.exact_text import ExactText
from envhub.families.template_phrases import BLOCKS, FILTERS, LINES, VALUES
from envhub.families.text_kit import JSON, Instance, Phrase, Stream, Variants, knob, levels
from envhub.generators.edits.templates import draw_template, fill


def _shown(record: Any, template: Any) -> Any:
    return lambda problem: f"{record(problem['record'])}\n\n{template(problem['template'])}"


def _fields(record: JSON) -> str:
    return "\n".join(["The record:", *(f"{name}: {json.dumps(value)}" for name, value in record.items())])


def _rows(record: JSON) -> str:
    return "\n".join(["| field | value |", "|---|---|", *(f"| {n} | {json.dumps(v)} |" for n, v in record.items())])


class TemplateFill(ExactText):
    """Fill a template exactly."""

    Params = levels(
        size=knob("plain lines of the template", 2, 3, 3, 4, 5, 5, 6, 7, 8, 9, at_most=10),
        conditions=knob("blocks that depend on a condition", 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, at_least=0),
        items=knob("items of the repeated block", 0, 0, 0, 2, 2, 3, 4, 4, 5, 6, at_most=9),
    )
    data = Variants(
        _shown(_fields, lambda lines: "\n".join(["The template:", "```", *lines, "```"])),
        _shown(
            lambda r: f"The record as JSON:\n{json.dumps(r)}", lambda t: "\n".join(["<template>", *t, "</template>"])
        ),
        held_out=_shown(_rows, lambda t: "\n".join(["--- template ---", *t, "--- end of template ---"])),
        name="template",
    )
    task = Phrase(
        "Fill the template with the values of the record.",
        "Write the text that the template gives for the record.",
        "Expand the template with the record.",
        held_out="Render the template for the given record.",
    )
    rules = (VALUES, FILTERS, BLOCKS, LINES)

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A template with its record."""
        template, record = draw_template(rng, p.size, p.conditions, p.items)
        return {"template": template, "record": record}

    def text(self, problem: JSON) -> str:
        """The filled template."""
        return "\n".join(fill(problem["template"], problem["record"]))

    def slips(self, problem: JSON) -> Iterator[str]:
        """The template itself, with filters or conditions ignored or reversed."""
        lines, record = problem["template"], problem["record"]
        yield "\n".join(lines)
        yield "\n".join(fill([line.replace("|upper", "").replace("|euros", "") for line in lines], record))
        yield "\n".join(
            fill([line for line in lines if not line.startswith(("{{#if", "{{#un", "{{/if", "{{/un"))], record)
        )
        for name, value in record.items():
            if isinstance(value, bool):
                yield "\n".join(fill(lines, {**record, name: not value}))

    def canonical(self, content: JSON) -> JSON:
        """The template, and the fields that it uses."""
        lines = "\n".join(content["template"])
        return [lines, {name: value for name, value in content["record"].items() if name in lines}]

    def effort(self, inst: Instance) -> float:
        """Values to fill in and conditions to decide."""
        filled = "\n".join(inst.problem["template"]).count("{{")
        return float(filled + 2 * len(inst.problem["record"]["goods"]))
