"""Statement: a problem before it is worded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from envhub.authoring.wording.frames import FRAMES, Frame, Parts
from envhub.authoring.wording.variants import Phrase, Variants
from envhub.authoring.wording.wording import PLAIN, Wording

Rendering = Callable[[Any], str]


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
    """

    task: Phrase
    data: Variants[Rendering]
    problem: Any
    rules: tuple[Phrase, ...] = ()
    note: Phrase | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    frames: Variants[Frame] = FRAMES

    def parts(self, wording: Wording = PLAIN) -> Parts:
        """The parts in one wording."""
        return Parts(
            self._said(wording, self.task),
            wording.pick(self.data)(self.problem),
            tuple([self._said(wording, rule) for rule in self.rules]),
            "" if self.note is None else self._said(wording, self.note),
        )

    def worded(self, wording: Wording = PLAIN) -> str:
        """The whole text in one wording."""
        return wording.pick(self.frames)(self.parts(wording))

    def _said(self, wording: Wording, phrase: Phrase) -> str:
        text = wording.pick(phrase)
        if "{" not in text:
            return text
        return text.format_map({**self.values, **phrase.values} if phrase.values else self.values)
