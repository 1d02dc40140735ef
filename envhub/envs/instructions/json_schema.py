"""json-schema-v0: write an order as JSON under a schema.

Action: one JSON document. The schema requires units, notations of dates and groups that differ from the words of the
order. Difficulty: more values, then lists of items under ``$ref``, alternatives under ``oneOf`` and properties that
must be left out; effort is the number of values to convert and properties to read. Two tasks with the same schema and
document are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from envhub.families.order_renderings import OMIT, TODAY_SPELT, TOLD, VALUES
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Verdict, knob, levels
from envhub.generators.documents.orders import draw_order
from envhub.generators.documents.schema import violation
from envhub.generators.documents.strict import same_json
from envhub.verifiers.answers.documents import JsonDocument


class JsonSchema(Member):
    """Write a document under a schema; schema and content both count."""

    Params = levels(
        fields=knob("plain values of the order", 2, 3, 4, 4, 5, 6, 7, 8, 9, 10),
        items=knob("items in a list", 0, 0, 0, 1, 2, 2, 3, 4, 5, 6),
        options=knob("properties that the order does not state", 0, 0, 1, 1, 1, 2, 2, 3, 3, 4),
        turned=knob("per cent of values in an unusual form", 0, 20, 30, 40, 50, 60, 70, 80, 90, 100),
        payment=knob("whether the form has alternatives", *[False] * 4, *[True] * 6),
    )
    answer = JsonDocument()
    unique = True
    data = TOLD
    task = Phrase(
        "Write this order as a JSON document that conforms to the JSON Schema. Today is {today}.",
        "Today is {today}. Turn the order into one JSON document that is valid under the JSON Schema.",
        "Convert the order to JSON. The document must be valid under the JSON Schema. Today is {today}.",
        held_out="Produce the JSON instance of the JSON Schema that represents the order. Current date: {today}.",
    )
    rules = (VALUES, OMIT)

    def sample(self, rng: Stream, p: Any) -> Instance:
        """An order with a schema; the document is the key."""
        order = draw_order(rng, p.fields, p.items, p.options, p.turned, p.payment)
        return Instance({"told": order.told, "schema": order.schema}, key=order.instance)

    def canonical(self, content: JSON) -> JSON:
        """The values told, in a fixed order, and the schema."""
        return [sorted(content["told"]), content["schema"]]

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The date of today."""
        return {"today": TODAY_SPELT}

    def grade(self, inst: Instance, value: JSON) -> Verdict:
        """The document must conform to the schema and state the order."""
        error = violation(inst.problem["schema"], value, patterns=True)
        if error is not None:
            return Verdict.exact(False, f"The document does not conform to the schema: {error[:200]}.")
        right = same_json(value, inst.key)
        return Verdict.exact(
            right, "" if right else "The document conforms to the schema, but a value is not that of the order."
        )

    def solve(self, inst: Instance) -> str:
        """The document."""
        return json.dumps(inst.key, ensure_ascii=False)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same document, indented and with its keys in the opposite order."""
        yield json.dumps(dict(reversed(inst.key.items())), indent=2)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """A value left out or wrong, an extra one, and texts only."""
        for name, value in inst.key.items():
            yield json.dumps({key: other for key, other in inst.key.items() if key != name})
            yield json.dumps({**inst.key, name: None})
            yield json.dumps({**inst.key, name: [value]})
        yield json.dumps({**inst.key, "extra": 1})
        yield json.dumps([inst.key])
        yield json.dumps(dict(inst.problem["told"]))

    def effort(self, inst: Instance) -> float:
        """Values to convert, and properties of the schema."""
        return float(2 * len(inst.problem["told"]) + len(inst.problem["schema"]["properties"]))
