"""instructions-v0: write a text that reports facts and satisfies every constraint.

Action: the text. The constraints are about numbers of words, sentences, paragraphs and letters, keywords, case, first
and last words, and parts such as a title, bullet points or sections. Difficulty: more facts, more constraints, and
more of them about the shape of the text; effort is the number of conditions that the text must meet at once. The
order of facts and constraints does not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.text_constraints import TextConstraints
from envhub.families.text_kit import JSON, Phrase, Stream, knob, levels
from envhub.generators.constraints.facts import draw_facts
from envhub.generators.constraints.sets import Draft, draw_set


class Instructions(TextConstraints):
    """Report facts under constraints on the text."""

    Params = levels(
        facts=knob("facts to report", 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, at_least=2, at_most=10),
        constraints=knob("constraints besides the facts", 1, 2, 3, 4, 5, 6, 7, 8, 10, 12),
        shaped=knob("how many constraints are about the shape of the text", 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, at_least=0),
    )
    task = Phrase(
        "Write a text about {subject} that follows all rules.",
        "Your task is to write a text about {subject}. It must follow every rule.",
        "Please write about {subject}. The text has to satisfy all of the rules.",
        held_out="Compose a text about {subject} in accordance with every condition.",
    )

    def draft(self, rng: Stream, p: Any) -> tuple[JSON, Draft] | None:
        """Facts, and constraints read off a text about them."""
        facts = draw_facts(rng, p.facts)
        drawn = draw_set(rng, facts, p.constraints, min(p.shaped, p.constraints), extra=1 + rng.below(4))
        return None if drawn is None else (facts, drawn)
