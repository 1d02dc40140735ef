"""Statement: a problem before it is worded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from envhub.authoring.wording.frames import FRAMES, Frame, Parts
from envhub.authoring.wording.variants import Phrase, Variants
from envhub.authoring.wording.wording import PLAIN, Wording

Rendering = Callable[[Any], str]


def in_picture(*leads: str, held_out: str, rest: Rendering | None = None) -> Variants[Rendering]:
    """What stands in place of data that the picture shows.

    Args:
        leads: Sentences that refer to the picture, and say how to read it.
        held_out: The one reserved for evaluation.
        rest: Renders what the picture does not show; it follows.
    """

    def led(lead: str) -> Rendering:
        return lambda problem: f"{lead} {rest(problem)}".rstrip() if rest else lead

    return Variants(*map(led, leads), held_out=led(held_out), name=leads[0])


@dataclass(slots=True)  # not frozen, which takes four times as long: one is made for every task
class Statement:
    """Everything that a prompt must say about a problem.

    Attributes:
        task: What to do.
        data: Renderings of the problem, each a function of it; the sentences that explain a notation are part of it.
        problem: What the renderings are applied to.
        rules: One phrase per rule.
        note: A closing remark.
        values: What fills the fields of the phrases, by name.
        frames: Arrangements of the parts.
        made: Sentences that were filled in and data that was rendered, kept for further wordings; None keeps nothing.
        seen: Whether a picture shows what it can, so that the text leaves it out (``Variants.seen``).
    """

    task: Phrase
    data: Variants[Rendering]
    problem: Any
    rules: tuple[Phrase, ...] = ()
    note: Phrase | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    frames: Variants[Frame] = FRAMES
    made: dict[tuple[Phrase, str] | Rendering, str] | None = None
    seen: bool = False

    def parts(self, wording: Wording = PLAIN) -> Parts:
        """The parts in one wording."""
        return Parts(
            self._said(wording, self.task),
            self.shown(wording.pick(self.renderings)),
            tuple([self._said(wording, rule) for rule in self.rules]),
            "" if self.note is None else self._said(wording, self.note),
        )

    def worded(self, wording: Wording = PLAIN) -> str:
        """The whole text in one wording."""
        return wording.pick(self.frames)(self.parts(wording))

    @property
    def renderings(self) -> Variants[Rendering]:
        """The renderings of the data.

        Beside a picture, those of what it does not show.
        """
        return self.data.seen if self.seen and self.data.seen is not None else self.data

    def phrase(self, phrase: Phrase) -> Phrase:
        """A phrase of the statement, as it is used.

        Beside a picture that shows what it describes, another one.
        """
        return phrase.seen if self.seen and isinstance(phrase.seen, Phrase) else phrase

    def _said(self, wording: Wording, phrase: Phrase) -> str:
        phrase = self.phrase(phrase)
        return self.filled(phrase, wording.pick(phrase))

    def filled(self, phrase: Phrase, text: str) -> str:
        """One phrasing of a phrase with its fields filled in."""
        if "{" not in text:
            return text
        made = self.made
        if made is not None and (phrase, text) in made:
            return made[phrase, text]
        said = text.format_map({**self.values, **phrase.values} if phrase.values else self.values)
        if made is not None:
            made[phrase, text] = said
        return said

    def shown(self, rendering: Rendering) -> str:
        """The data in one rendering."""
        made = self.made
        if made is None:
            return rendering(self.problem)
        if rendering not in made:
            made[rendering] = rendering(self.problem)
        return made[rendering]
