r"""Answers that are texts, kept character by character.

Tags, a box or a code fence delimit the text. White space around it does not count, and a carriage return before a line
break is not part of it; nothing else is removed::

    Verbatim().read("<answer>\nA  line.\n**Bold** line.\n</answer>").value    # "A  line.\n**Bold** line."

In the form ``last``, the whole message is the text, or the code fence that ends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.extraction import Form
from envhub.verifiers.answers.fences import fenced
from envhub.verifiers.answers.types import AnswerType, Reading, Unreadable
from envhub.verifiers.answers.unwrapping import last_block

_SHOWN: Final = 200
_WORDS: Final = ("amber", "bridge", "copper", "dune", "ember", "fern", "granite", "harbour", "island", "juniper")
_PLACES: Final[dict[Form, str]] = {
    "tag": "inside <answer> tags",
    "boxed": "inside \\boxed{}",
    "last": "as your whole message",
}


@dataclass(frozen=True)
class Verbatim(AnswerType):
    """A text whose every character counts, except white space around it.

    Attributes:
        most: Maximum number of characters.
        called: What the prompt calls it.
        sample: The example of the prompt.
        detail: What the prompt says about the characters that count.
    """

    most: int = 20_000
    called: str = "your text"
    sample: str = "This is an example."
    detail: str = "White space before and after it does not count; every other character does."

    noun: ClassVar[str] = "one text"
    verbatim: ClassVar[bool] = True

    @property
    def example(self) -> str:  # type: ignore[override]
        """The example of the prompt."""
        return self.sample

    def parse(self, text: str) -> object:
        """The text itself."""
        if len(text) > self.most:
            raise Unreadable(f"it has {len(text)} characters, more than {self.most}.")
        return text

    def tail(self, text: str) -> str:
        """The code fence that ends a message, or the whole message."""
        block = last_block(text)
        return block if block[:3] in ("```", "~~~") else text

    def instruction(self, opening: str = "Give", example: str | None = None) -> str:
        """The sentences of the prompt that state how the text is delimited."""
        shown = self.wrap(self.sample if example is None else example)
        return f"{opening} {self.called} {_PLACES[self.form]}, once. {self.detail} Format:\n{shown}"

    def random(self, rng: Stream) -> str:
        """A few random words."""
        return " ".join(rng.choice(_WORDS) for _ in range(rng.between(3, 9)))

    def _parse_span(self, span: str) -> Reading:
        text = _unfenced(span.replace("\r\n", "\n").strip())
        shown = text[:_SHOWN]
        if not shown:
            return Reading(None, "", "empty", f"No answer was found; expected {self.called}.")
        try:
            return Reading(self.parse(text), shown)
        except Unreadable as problem:
            why = str(problem).rstrip(".")
            return Reading(None, shown, "unreadable", f"The answer could not be read as {self.called}: {why}.")


@dataclass(frozen=True)
class Prose(Verbatim):
    """A text in free words."""

    prose: ClassVar[bool] = True


def _unfenced(text: str) -> str:
    """The content of a code fence that spans a whole text."""
    if text[:3] not in ("```", "~~~") or "\n" not in text:
        return text
    blocks = fenced(text)
    closed = text.endswith(text[:3]) and text.count(text[:3]) == 2
    return blocks[0][1].strip() if len(blocks) == 1 and closed else text
