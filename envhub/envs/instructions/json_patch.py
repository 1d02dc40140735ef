"""json-patch-v0: write a JSON Patch that turns one document into another.

Action: a list of operations of RFC 6902. Any patch counts that has the stated size at most and gives exactly the
second document; the bound excludes a patch that replaces the whole document. Difficulty: larger documents and more
changes; effort is the number of operations of a known patch times the logarithm of the document's size. The order of
keys does not change the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.core.seeding import canonical_json
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.documents.edits import draw_patch
from envhub.generators.documents.patch import BadPatch, apply
from envhub.generators.documents.records import draw_record, leaves
from envhub.generators.documents.strict import same_json
from envhub.verifiers.answers.documents import JsonDocument

_PATCH = '[{"op": "replace", "path": "/example/0", "value": 17}]'


def _shown(indent: int | None, first: str, second: str) -> Any:
    def both(problem: Any) -> str:
        parts = (
            f"{name}\n{json.dumps(problem[key], indent=indent)}" for name, key in ((first, "before"), (second, "after"))
        )
        return "\n\n".join(parts)

    return both


class JsonPatch(Member):
    """Find operations that turn a document into another."""

    Params = levels(
        size=knob("values outside groups and lists", 2, 3, 4, 4, 5, 6, 6, 7, 8, 9),
        groups=knob("groups and lists", 0, 1, 1, 2, 2, 3, 4, 4, 5, 6, at_most=8),
        changes=knob("changes between the documents", 1, 2, 2, 3, 4, 5, 6, 7, 8, 10),
    )
    answer = JsonDocument(called="one JSON Patch", sample=_PATCH)
    data = Variants(
        _shown(2, "The first document:", "The second document:"),
        _shown(None, "First document, in one line:", "Second document, in one line:"),
        held_out=_shown(1, "BEFORE", "AFTER"),
        name="documents",
    )
    task = Phrase(
        "Write a JSON Patch (RFC 6902) that turns the first document into the second one.",
        "Give a JSON Patch (RFC 6902) that, applied to the first document, results in the second document.",
        "Which JSON Patch (RFC 6902) changes the first document into the second? Write one.",
        held_out="Construct an RFC 6902 patch that maps the first document to the second.",
    )
    rules = (
        Phrase(
            "A patch is a list of the operations add, remove, replace, move, copy and test, any number of each. They are "
            "applied one after the other.",
            "The operations add, remove, replace, move, copy and test may be used. Each applies to the result of "
            "those before it.",
            "Write a list of operations (add, remove, replace, move, copy, test), which are applied in order.",
            held_out="Operations: add, remove, replace, move, copy, test; applied sequentially.",
        ),
        Phrase(
            "Written without white space between tokens, the patch may have at most {most} characters.",
            "The patch may have at most {most} characters, not counting white space between tokens.",
            "Keep the patch to {most} characters or fewer, without the white space between tokens.",
            held_out="Maximum length without white space between tokens: {most} characters.",
        ),
        Phrase(
            "In the result, the order of keys does not matter. The order of lists does.",
            "Keys of the result may be in any order. Lists must be in the right order.",
            "The result must have its lists in order, and its keys may come in any order.",
            held_out="Comparison of the result: lists ordered, keys unordered.",
        ),
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A document and a patch that meets the bound."""
        before = draw_record(rng, p.size, (p.groups + 1) // 2, p.groups // 2, hostile=20)
        patch, after = draw_patch(rng, before, p.changes)
        most = len(canonical_json(patch)) + 30
        if same_json(before, after) or len(canonical_json(after)) + 30 <= most:
            most = len(canonical_json(after)) + 25  # the shortest patch that replaces the whole document is longer
        known = len(canonical_json(patch)) <= most and not same_json(before, after)
        return Instance({"before": before, "after": after, "most": most}, key=patch) if known else None

    def canonical(self, content: JSON) -> JSON:
        """The two documents."""
        return [content["before"], content["after"]]

    def grade(self, inst: Instance, value: JSON) -> Verdict:
        """Apply the patch and compare."""
        size = len(json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str))
        if size > inst.problem["most"]:
            return Verdict.exact(False, f"The patch has {size} characters; at most {inst.problem['most']} are allowed.")
        try:
            result = apply(value, inst.problem["before"])
        except BadPatch as error:
            return Verdict.exact(False, f"The patch cannot be applied: {error}.")
        right = same_json(result, inst.problem["after"])
        return Verdict.exact(
            right, "" if right else "The patch can be applied, but its result is not the second document."
        )

    def solve(self, inst: Instance) -> str:
        """The patch that the second document was made with."""
        return json.dumps(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Nothing, the document itself, and the whole document replaced."""
        yield from ("[]", json.dumps(inst.problem["after"]))
        yield json.dumps([{"op": "replace", "path": "", "value": inst.problem["after"]}])
        yield json.dumps([{"op": "add", "path": "", "value": inst.problem["after"]}])
        yield json.dumps([*inst.key, {"op": "test", "path": "/none", "value": 1}])

    def effort(self, inst: Instance) -> float:
        """Operations, times the bits that identify a value."""
        return float(len(inst.key) * len(leaves(inst.problem["before"])).bit_length())
