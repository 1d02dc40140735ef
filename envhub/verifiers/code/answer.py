"""The answer type of programs: source text in a fenced code block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.sandbox.languages import LANGUAGES
from envhub.verifiers.answers.extraction import Form
from envhub.verifiers.answers.fences import fenced, has_fence, meant
from envhub.verifiers.answers.types import AnswerType, Reading, Unreadable

_SHOWN: Final = 200
_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "python": frozenset({"", "python", "py", "python3"}),
    "bash": frozenset({"", "bash", "sh", "shell"}),
    "c": frozenset({"", "c"}),
    "cpp": frozenset({"", "cpp", "c++", "cc"}),
    "javascript": frozenset({"", "javascript", "js", "node"}),
    "sql": frozenset({"", "sql", "sqlite"}),
    "lean": frozenset({"", "lean", "lean4"}),
    "coq": frozenset({"", "coq", "rocq", "gallina"}),
}
_ANY: Final = frozenset().union(*_NAMES.values())
_TITLES: Final = {
    "python": "Python",
    "bash": "bash",
    "c": "C",
    "cpp": "C++",
    "javascript": "JavaScript",
    "sql": "SQL",
    "lean": "Lean",
    "coq": "Coq",
}


@dataclass(frozen=True)
class Code(AnswerType):
    """A program as text.

    In the last fenced block of the text or the answer tags.

    Attributes:
        language: Its language; fences that name another language are ignored. "any" accepts every language.
        sample: The example program.
        most: Maximum number of characters.
    """

    form: Form = "last"
    language: str = "python"
    sample: str = "def solve(x):\n    return x"
    most: int = 20_000

    last_counts: ClassVar[bool] = True
    verbatim: ClassVar[bool] = True
    noun: ClassVar[str] = "a program in one fenced code block"
    example: ClassVar[str] = "```\npass\n```"

    def instruction(self, opening: str = "Give", example: str | None = None) -> str:
        """The sentences of the prompt that state the format, with an example."""
        where = {"tag": " inside <answer> tags", "boxed": " inside \\boxed{}", "last": ""}[self.form]
        head = f"{opening} {_TITLES.get(self.language, 'the')} code in one fenced code block{where}"
        shown = self.wrap(self.sample if example is None else example)
        return f"{head}. If your message has more than one block, only the last is graded. Format:\n{shown}"

    def wrap(self, text: str) -> str:
        """A program in the requested form; it may already be fenced."""
        name = "" if self.language == "any" else self.language
        fenced = text if text.startswith("```") else f"```{name}\n{text}\n```"
        if self.form == "tag":
            return f"<answer>\n{fenced}\n</answer>"
        return f"\\boxed{{\n{fenced}\n}}" if self.form == "boxed" else fenced

    def tail(self, text: str) -> str:
        """The whole text, if it contains a fenced block."""
        return text if has_fence(text) else ""

    def parse(self, text: str) -> str:
        """The language's last fenced block, or the whole span without fences."""
        blocks = fenced(text)
        mine = [body for name, body in blocks if meant(name) & _NAMES.get(self.language, _ANY)]
        if blocks and not mine:
            raise Unreadable(f"no fenced block is in {_TITLES.get(self.language, 'a language that is known')}.")
        source = mine[-1] if mine else _bare(text)
        if not source.strip():
            raise Unreadable("the block is empty.")
        if len(source) > self.most:
            raise Unreadable(f"it has {len(source)} characters, more than {self.most}.")
        return source

    def random(self, rng: Stream) -> str:
        """The sample, which is independent of the problem."""
        return self.sample

    def _parse_span(self, span: str) -> Reading:
        """A program keeps every character: nothing around it is decoration."""
        shown = span.strip()[:_SHOWN]
        if not shown:
            return Reading(None, "", "empty", "No fenced code block was found.")
        try:
            return Reading(self.parse(span), shown)
        except Unreadable as problem:
            return Reading(
                None, shown, "unreadable", f"The answer could not be read as {self.noun}: {str(problem).rstrip('.')}."
            )


def _bare(text: str) -> str:
    """A program without a fence.

    Dedented if all its lines are indented alike.
    """
    return (dedent(text) if text.lstrip(" \t\r")[:1] == "\n" else text).strip()


assert set(_NAMES) >= set(LANGUAGES)
