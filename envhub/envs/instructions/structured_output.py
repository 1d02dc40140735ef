"""structured-output-v0: write given values as YAML, TOML, XML or CSV.

Action: a document in the requested format, read by a strict parser; its content must be exactly that of the task.
Many values look like numbers, dates or booleans, or contain signs that a format must quote. Difficulty: more values,
groups and lists, and more treacherous texts; effort is the number of values, where those that need care count twice.
The order of keys does not change the problem; the order of rows and list items does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.core.seeding import canonical_json
from envhub.families.format_phrases import FORMATS, QUOTES
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.documents.formats import read, same_content, write
from envhub.generators.documents.records import draw_record, draw_table, leaves
from envhub.generators.documents.strict import NotStrict
from envhub.verifiers.answers.verbatim import Verbatim


def _shown(value: JSON) -> str:
    return f"text {json.dumps(value)}" if isinstance(value, str) else f"{_kind(value)} {json.dumps(value)}"


def _kind(value: JSON) -> str:
    return "boolean" if isinstance(value, bool) else "integer"


def _as_lines(problem: Any) -> str:
    return "\n".join(
        ["The values (path: value):", *(f"{' / '.join(path)}: {_shown(v)}" for path, v in problem["values"])]
    )


def _as_grid(problem: Any) -> str:
    rows = (f"`{'.'.join(path)}` has the {_shown(value)}" for path, value in problem["values"])
    return "\n".join(["The values, by path:", *(f"- {row}" for row in rows)])


def _as_json(problem: Any) -> str:
    pairs = [{"path": path, "value": value} for path, value in problem["values"]]
    return "The values, each with its path:\n" + "\n".join(json.dumps(pair) for pair in pairs)


def _as_pairs(problem: Any) -> str:
    return "Assignments:\n" + "\n".join(f"{' -> '.join(path)} := {_shown(value)}" for path, value in problem["values"])


class StructuredOutput(Member):
    """Write content so that a strict parser reads it back."""

    Params = levels(
        size=knob("values outside groups and lists, or columns of a table", 2, 3, 3, 4, 4, 5, 6, 6, 7, 8),
        groups=knob("groups of three values", 0, 0, 1, 1, 1, 2, 2, 3, 3, 4),
        lists=knob("lists of three texts", 0, 0, 0, 0, 1, 1, 1, 2, 2, 3),
        hostile=knob("per cent of texts that need care", 10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
    )
    answer = Verbatim(
        called="one document", sample="(the document)", detail="White space before and after it does not count."
    )
    data = Variants(_as_lines, _as_grid, _as_json, held_out=_as_pairs, name="values")
    task = Phrase(
        "Write these values as one {format} document.",
        "Produce a {format} document that contains exactly these values.",
        "Convert the values to {format}. The document must contain all of them and nothing else.",
        held_out="Serialize the given values to {format}.",
    )

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A record, or a table for CSV."""
        name = rng.choice(("yaml", "toml", "xml", "csv"))
        if name == "csv":
            content: Any = draw_table(rng, p.size, 1 + p.groups + p.lists, p.hostile)
        else:
            content = draw_record(rng, p.size, p.groups, p.lists, p.hostile)
        values = [[list(path), value] for path, value in leaves(content)]
        return Instance({"format": name.upper(), "values": values, "content": content})

    def canonical(self, content: JSON) -> JSON:
        """The format and the content; keys have no order."""
        return [content["format"], canonical_json(content["content"]).decode()]

    def example(self, problem: JSON) -> str:
        """A document of the format with other values."""
        record = {"example": 17, "other": "some text"}
        return write(problem["format"].lower(), [record] if problem["format"] == "CSV" else record)

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """How values are shown, and what the format allows."""
        return (QUOTES, *FORMATS[problem["format"].lower()])

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Parse strictly, then compare the content."""
        name = inst.problem["format"].lower()
        try:
            content = read(name, value)
        except NotStrict as error:
            return Verdict.exact(False, f"The document cannot be read: {str(error)[:200]}.")
        right = same_content(name, content, inst.problem["content"])
        return Verdict.exact(
            right, "" if right else "The document can be read, but its content is not that of the task."
        )

    def solve(self, inst: Instance) -> str:
        """The content, written by the format's writer."""
        return write(inst.problem["format"].lower(), inst.problem["content"])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """JSON, another format, and documents with a value changed or left out."""
        name, content = inst.problem["format"].lower(), inst.problem["content"]
        yield json.dumps(content)
        yield json.dumps(inst.problem["values"])
        rows = content if name == "csv" else [content]
        for key in rows[0]:
            yield write(name, _without(content, key))
            yield self.solve(inst).replace(key, f"{key}x", 1)

    def effort(self, inst: Instance) -> float:
        """Values, and those that need care once more."""
        values = [value for _, value in inst.problem["values"]]
        return float(len(values) + sum(isinstance(v, str) and not v.replace(" ", "").isalnum() for v in values))


def _without(content: JSON, key: str) -> JSON:
    """The content with one value replaced by another."""
    if isinstance(content, list):
        return [_without(record, key) for record in content]
    return {name: "another value" if name == key else value for name, value in content.items()}
