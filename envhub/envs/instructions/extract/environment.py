"""extract-v0: write what a note or report states as JSON.

Action: one JSON document. The text is a clinical note or an incident report. The schema in the prompt asks for some of
thirteen groups, such as symptoms, diagnoses of relatives, drugs and laboratory results, or people, injuries, costs, causes
and actions. Success requires every value; the order of lists does not matter. The component ``f1`` compares the document
with the right one leaf by leaf, and ``valid`` says whether it conforms to the schema.

Difficulty: more groups, groups that are not asked for, more items, other units, abbreviations and relative dates, values
that are not stated, statements about other people or possibilities, and corrections at the end of the note. Effort is the
number of words and of values. Two tasks with the same groups and the same answer are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Any, ClassVar, Final

from envhub.authoring import Staged
from envhub.envs.instructions.extract import wording
from envhub.envs.instructions.extract.facts import Facts
from envhub.envs.instructions.extract.kinds import KINDS
from envhub.envs.instructions.extract.record import Manner, Style, mistaken
from envhub.envs.instructions.extract.schema import document
from envhub.envs.instructions.extract.scoring import f1, leaves
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Verdict, knob, levels
from envhub.generators.documents.schema import violation
from envhub.generators.documents.strict import read_json

_EACH: Final = 3


class Extract(Member):
    """Write the facts of a text under a schema."""

    Params = levels(
        kind=knob("kind of text", *["any"] * 10, choices=("any", *KINDS)),
        groups=knob("groups that the schema asks for", 2, 3, 4, 5, 6, 7, 9, 10, 12, 13),
        beyond=knob("groups that only the note has", 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, at_most=5),
        items=knob("maximum number of items of a list", 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, at_most=5),
        varied=knob("per cent of values in an unusual form", 0, 20, 30, 40, 45, 50, 55, 60, 65, 70, at_most=100),
        silent=knob("per cent of values that are not stated", 0, 10, 15, 20, 25, 30, 30, 35, 35, 35, at_most=60),
        distractors=knob("sentences about other people, plans or nothing", 0, 1, 2, 3, 4, 6, 8, 10, 13, 16),
        corrections=knob("statements that the note corrects", 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, at_most=6),
    )
    components: ClassVar[frozenset[str]] = frozenset({"f1", "valid"})
    answer = Facts()
    unique = True
    data = wording.DATA
    task = wording.TASK

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A record and its note; the document is the key."""
        name = rng.choice(list(KINDS)) if p.kind == "any" else p.kind
        kind = KINDS[name]
        record = kind.draw(rng, Style(p.groups, p.beyond, p.items, p.corrections, p.silent))
        right = kind.answer(record)
        yield document(right)
        note = kind.write(rng, record, Manner(p.varied, p.distractors))
        problem = {
            "kind": name,
            "asked": record["asked"],
            "note": note.paragraphs,
            "units": note.units,
            "glossary": note.glossary,
        }
        first = {name: value for name, value in mistaken(record).items() if name in record["asked"]}
        return Instance(problem, key={"document": document(right), "uncorrected": document({**right, **first})})

    def canonical(self, content: JSON) -> JSON:
        """The answer, whose lists have no order; the schema follows from it."""
        return sorted(map(list, leaves(content).elements()))

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The conventions, with units and abbreviations where the note uses them."""
        clinical = problem["kind"] == "clinical"
        units = (wording.UNITS if clinical else wording.CONVERTED,) if problem["units"] else ()
        glossary = (wording.GLOSSARY,) if problem["glossary"] else ()
        scope = wording.PATIENT if clinical else wording.INVOLVED
        return (scope, wording.LATEST, wording.MISSING, wording.DATES, wording.LISTS, *units, *glossary)

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The kind of text, conversions and abbreviations."""
        kind = KINDS[problem["kind"]]
        return {
            "text": kind.text,
            "event": kind.event,
            "units": "; ".join(problem["units"]),
            "glossary": "; ".join(problem["glossary"]),
        }

    def grade(self, inst: Instance, value: JSON) -> Verdict:
        """The document must conform to the schema and have every value."""
        error = violation(KINDS[inst.problem["kind"]].schema(inst.problem["asked"]), value, patterns=True)
        if error is not None:
            said = f"The document does not conform to the schema: {error[:200]}."
            return Verdict.exact(False, said).noting(None, f1=0.0, valid=0.0)
        expected = read_json(json.dumps(inst.key["document"]))
        wrong = sorted(name for name, right in expected.items() if not self.answer.same(value[name], right))
        names = ", ".join(wrong)
        said = f"The document conforms to the schema, but these groups are not right: {names}." if wrong else ""
        return Verdict.exact(not wrong, said).noting(None, f1=f1(leaves(value), leaves(expected)), valid=1.0)

    def solve(self, inst: Instance) -> str:
        """The document."""
        return json.dumps(inst.key["document"], ensure_ascii=False)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same document, indented, with keys and items in the opposite order."""
        yield json.dumps(_reversed(inst.key["document"]), indent=2)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Corrections ignored, groups lost, and a few items lost, doubled or changed."""
        right = inst.key["document"]
        if inst.key["uncorrected"] != right:
            yield json.dumps(inst.key["uncorrected"])
        for name, value in right.items():
            yield json.dumps({key: other for key, other in right.items() if key != name})
            yield json.dumps({**right, name: None if value is not None else []})
            for changed in islice(_spoilt(value), _EACH):
                yield json.dumps({**right, name: changed})
        yield json.dumps({**right, "extra": None})
        yield json.dumps([right])

    def effort(self, inst: Instance) -> float:
        """Words of the note and values of the answer."""
        words = sum(len(paragraph.split()) for paragraph in inst.problem["note"])
        return words / 5 + leaves(inst.key["document"]).total()


def _reversed(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _reversed(inner) for key, inner in reversed(value.items())}
    return [_reversed(inner) for inner in reversed(value)] if isinstance(value, list) else value


def _spoilt(value: JSON) -> Iterator[JSON]:
    """Values with one item lost or doubled, or one leaf changed."""
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield value[:at] + value[at + 1 :]
            yield [*value, item]
            for changed in _spoilt(item):
                yield [*value[:at], changed, *value[at + 1 :]]
    elif isinstance(value, dict):
        for key, inner in value.items():
            for changed in _spoilt(inner):
                yield {**deepcopy(value), key: changed}
    elif isinstance(value, (int, float)):
        yield value + 1
    elif value is None:
        yield 1
    else:
        yield f"{value}x"
