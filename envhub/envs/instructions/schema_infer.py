"""schema-infer-v0: infer the JSON Schema that accepts some objects and rejects others.

Action: one JSON Schema. It is judged on hidden objects of the same kinds as the examples. The prompt states the class
of the rules, and the examples determine the rules within it: every bound and every value occurs, and each rejected
object breaks one rule. Difficulty: more properties, optional ones, and rules on other properties; effort is the
number of examples. The order of the examples does not change the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.core.seeding import canonical_json
from envhub.families.schema_phrases import CLASS, HIDDEN, KEYWORDS, ONE_FAULT, OTHERS
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.documents.rules import Rule, accepted, draw_table, probes, rejected, schema_of
from envhub.generators.documents.schema import BadSchema, violation
from envhub.verifiers.answers.documents import JsonDocument

_HEADS = ("Accepted objects, one per line:", "Rejected objects, one per line:")


def _in_lines(problem: Any) -> str:
    parts = zip(_HEADS, (problem["accepted"], problem["rejected"]), strict=True)
    return "\n\n".join("\n".join([head, *map(json.dumps, examples)]) for head, examples in parts)


def _marked(problem: Any) -> str:
    pairs = [*((value, "accepted") for value in problem["accepted"]), *((v, "rejected") for v in problem["rejected"])]
    return "\n".join(["The examples:", *(f"{word}: {json.dumps(value)}" for value, word in pairs)])


def _as_json(problem: Any) -> str:
    return "Examples as JSON:\n" + json.dumps({"accepted": problem["accepted"], "rejected": problem["rejected"]})


class SchemaInfer(Member):
    """Infer a schema from examples; hidden objects decide."""

    Params = levels(
        properties=knob("properties with a rule", 1, 2, 2, 3, 4, 5, 6, 7, 8, 10),
        optional=knob("per cent of properties that are optional", 0, 0, 20, 30, 40, 40, 50, 50, 50, 50),
    )
    answer = JsonDocument(
        called="one JSON Schema", sample='{"type": "object", "properties": {"example": {"type": "integer"}}}'
    )
    data = Variants(_in_lines, _marked, held_out=_as_json, name="examples")
    task = Phrase(
        "Find the JSON Schema that decides which of these objects are accepted and which are rejected.",
        "Write the JSON Schema behind these examples of accepted and rejected objects.",
        "Infer from the examples which objects are accepted, and write a JSON Schema for them.",
        held_out="Reconstruct the JSON Schema that classifies the examples.",
    )
    rules = (CLASS, OTHERS, ONE_FAULT, HIDDEN, KEYWORDS)

    def sample(self, rng: Stream, p: Any) -> Instance:
        """Rules, the examples that determine them, and a hidden seed."""
        table, closed = draw_table(rng, p.properties, p.optional), rng.below(2) == 1
        examples = {"accepted": accepted(rng, table, closed), "rejected": rejected(rng, table, closed)}
        for group in examples.values():
            rng.shuffle(group)
        rules = [[name, list(rule)] for name, rule in table.items()]
        return Instance(examples, key={"rules": rules, "closed": closed, "hidden": rng.bits(64)})

    def canonical(self, content: JSON) -> JSON:
        """The examples of both groups, in fixed orders."""
        return [sorted(canonical_json(value).decode() for value in content[name]) for name in ("accepted", "rejected")]

    def grade(self, inst: Instance, value: JSON) -> Verdict:
        """The schema must decide every hidden object as the rules do."""
        rng = Stream(inst.key["hidden"].to_bytes(8, "little"), "hidden")
        wrong = 0
        try:
            for probe, wanted in probes(rng, _table(inst), inst.key["closed"]):
                wrong += (violation(value, probe) is None) != wanted
        except BadSchema as error:
            return Verdict.exact(False, f"The schema cannot be used: {error}.")
        return Verdict.exact(not wrong, f"The schema decides {wrong} of the hidden objects wrongly." if wrong else "")

    def solve(self, inst: Instance) -> str:
        """The schema of the rules."""
        return json.dumps(schema_of(_table(inst), inst.key["closed"]))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Trivial schemas, and the right one with a rule loosened."""
        yield from ("true", "false", "{}", '{"type": "object"}', '{"not": {}}')
        right = schema_of(_table(inst), inst.key["closed"])
        yield json.dumps({**right, "additionalProperties": inst.key["closed"]})
        for name in right["properties"]:
            yield json.dumps({**right, "properties": {**right["properties"], name: {}}})

    def effort(self, inst: Instance) -> float:
        """Examples to compare."""
        return float(sum(map(len, inst.problem.values())))


def _table(inst: Instance) -> dict[str, Rule]:
    return {name: Rule(*rule) for name, rule in inst.key["rules"]}
