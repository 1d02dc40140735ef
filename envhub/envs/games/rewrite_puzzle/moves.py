"""Answers of the puzzle games: lists of moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.listed import words
from envhub.verifiers.answers.types import AnswerType, Unreadable

ACTIONS: Final = ("up", "left", "down", "right", "action")
BACK: Final = ("undo", "restart")
MOST_IN_MESSAGE: Final = 20
MOST_IN_PLAN: Final = 400
_SPELT: Final = {spelt: word for word in ACTIONS for spelt in (word, word[0])} | {"x": "action"}
_WITH_BACK: Final = _SPELT | {word: word for word in BACK}


@dataclass(frozen=True)
class Moves(AnswerType):
    """One to twenty moves, of which ``undo`` and ``restart`` take moves back."""

    noun: ClassVar[str] = (
        f"one to {MOST_IN_MESSAGE} of the words up, left, down, right, action, undo and restart, separated by spaces,"
    )
    example: ClassVar[str] = "left undo down"
    alike: ClassVar[Any] = (
        (
            "up up left",
            "u u l",
            "UP, up, Left.",
            "[up, up, left]",
            "up -> up -> left",
            '"up", "up", "left"',
            "up\nup\nleft",
            "1. up\n2. up\n3. left",
            "- up\n- up\n- left.",
        ),
        *(("up left up",), ("up undo",), ("action",), ("restart",)),
    )
    refused: ClassVar[Any] = ("up up jump", "north", "uul", "up 2", "up or left", "not up", "up " * 21, "\u0075\u0440")

    def parse(self, text: str) -> tuple[str, ...]:
        """The moves of a span."""
        moves = words(text, _WITH_BACK, MOST_IN_MESSAGE)
        if moves is None:
            raise Unreadable(_fault(MOST_IN_MESSAGE))
        return moves

    def random(self, rng: Stream) -> str:
        """One to four random moves."""
        return " ".join(rng.choice(ACTIONS) for _ in range(rng.between(1, 4)))


@dataclass(frozen=True)
class WholePlan(AnswerType):
    """All moves of a solution."""

    noun: ClassVar[str] = (
        "a list of moves, each one of the words up, left, down, right and action, separated by spaces,"
    )
    example: ClassVar[str] = "left left action down"
    alike: ClassVar[Any] = (
        (
            "up up left",
            "u u l",
            "UP, up, Left.",
            "[up, up, left]",
            "up -> up -> left",
            '"up", "up", "left"',
            "up\nup\nleft",
            "1. up\n2. up\n3. left",
            "- up\n- up\n- left.",
        ),
        *(("up left up",), ("action",)),
    )
    refused: ClassVar[Any] = ("up up jump", "north", "up undo", "restart", "up 2", "up or left", "up " * 401)

    def parse(self, text: str) -> tuple[str, ...]:
        """The moves of a span."""
        moves = words(text, _SPELT, MOST_IN_PLAN)
        if moves is None:
            raise Unreadable(_fault(MOST_IN_PLAN))
        return moves

    def random(self, rng: Stream) -> str:
        """Five to fifteen random moves."""
        return " ".join(rng.choice(ACTIONS[:4]) for _ in range(rng.between(5, 15)))


def _fault(most: int) -> str:
    """What a text that is not a list of moves may have."""
    return f"a text with other words, with numbers, or with more than {most} moves is not a list of moves."
