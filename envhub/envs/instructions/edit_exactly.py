"""edit-exactly-v0: apply stated edits to a text and change nothing else.

Action: the whole text after the edits; it must be right in every character. The text contains mistakes and double
spaces that must stay. Difficulty: more lines and more edits; effort is the number of edits times the number of lines.
Only the text and the edits make the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envhub.families.edit_phrases import EDITS, KEEP, ORDER, WORD
from envhub.families.exact_text import ExactText
from envhub.families.text_kit import JSON, Instance, Phrase, Stream, Variants, knob, levels
from envhub.generators.edits.exact import apply, draw_edits, draw_lines


def _tagged(problem: Any) -> str:
    return "\n".join(["<text>", *problem["lines"], "</text>"])


def _fenced(problem: Any) -> str:
    return "\n".join(["The text:", "```", *problem["lines"], "```"])


def _ruled(problem: Any) -> str:
    return "\n".join(["----- text -----", *problem["lines"], "----- end of text -----"])


class EditExactly(ExactText):
    """Apply edits and keep every other character."""

    Params = levels(
        lines=knob("lines of the text", 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, at_least=3),
        edits=knob("edits", 1, 1, 2, 3, 4, 5, 6, 8, 10, 12),
    )
    data = Variants(_tagged, _fenced, held_out=_ruled, name="text")
    task = Phrase(
        "Apply the edits to the text and give the whole text after them.",
        "Edit the text as stated, and write down the complete result.",
        "Carry out every edit on the text. Give the full text that results.",
        held_out="Transform the text by the stated edits and return it in full.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Lines, and edits of them."""
        lines = draw_lines(rng, p.lines)
        return {"lines": lines, "edits": draw_edits(rng, lines, p.edits)}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The edits in their order, and how to read them."""
        edits = (
            EDITS[name].bound({"step": step, **dict(zip("abc", arguments, strict=False))})
            for step, (name, *arguments) in enumerate(problem["edits"], 1)
        )
        return (*edits, ORDER, WORD, KEEP)

    def text(self, problem: JSON) -> str:
        """The text after all edits."""
        return "\n".join(apply(problem["edits"], problem["lines"]))

    def slips(self, problem: JSON) -> Iterator[str]:
        """The text without an edit, and with its mistakes corrected."""
        lines, edits = problem["lines"], problem["edits"]
        yield "\n".join(lines)
        yield "\n".join(apply(edits[:-1], lines))
        yield self.text(problem).replace("teh", "the").replace("  ", " ").replace("the the", "the")

    def effort(self, inst: Instance) -> float:
        """Edits times lines."""
        return float(len(inst.problem["edits"]) * len(inst.problem["lines"]))
