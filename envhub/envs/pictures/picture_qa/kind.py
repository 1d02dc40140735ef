"""Kind: a kind of question about a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.picture_qa.source import Source, View
from envhub.families.pieces import EMPTY


class Kind(ABC):
    """A kind of question.

    Attributes:
        task: The question, with fields that :meth:`values` fills.
        rules: Sentences that explain it.
        engine: Whether the rules of the source are needed.
    """

    task: ClassVar[Phrase]
    rules: ClassVar[tuple[Phrase, ...]] = ()
    engine: ClassVar[bool] = False

    def fits(self, source: Source) -> bool:
        """Whether it can be asked about a source."""
        return True

    def position(self, rng: Stream, source: Source, level: int) -> JSON | None:
        """A position to ask about."""
        return source.draw(rng, level)

    @abstractmethod
    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """The position that is shown, and the details of the question.

        None to draw again.
        """

    @abstractmethod
    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """The items of the answer."""

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The fields of the question."""
        return {}

    @abstractmethod
    def example(self, ask: JSON) -> list[str]:
        """A wrong answer that has the shape of a right one."""

    def task_of(self, source: Source) -> Phrase:
        """The question for a source."""
        return self.task


def frequent(view: View, least: int, most: int) -> list[str]:
    """Symbols that occur so often, in a fixed order.

    :data:`EMPTY` is among them.
    """
    cells = [symbol for row in view.rows for symbol in row]
    return [symbol for symbol in (EMPTY, *view.contents()) if least <= cells.count(symbol) <= most]


def containing(view: View, symbol: str) -> str:
    """``contain a wall``, ``are empty``, ``contain 7``."""
    if symbol == EMPTY:
        return "are empty"
    word = view.word(symbol)
    if word == symbol:
        return f"contain {word}"
    return f"contain {'an' if word[0] in 'aeiou' else 'a'} {word}" if not word.endswith("cell") else f"are {word}s"


def listed(items: Iterable[object]) -> str:
    """``a, b, c``."""
    return ", ".join(map(str, items))
