"""Answers of the puzzle games: lists of moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

ACTIONS: Final = ("up", "left", "down", "right", "action")
BACK: Final = ("undo", "restart")
MOST_IN_MESSAGE: Final = 20
MOST_IN_PLAN: Final = 400
_SHORT: Final = {"u": "up", "l": "left", "d": "down", "r": "right", "a": "action", "x": "action"}
_SPLIT: Final = re.compile(r"[\s,;]+|->")


def read_moves(text: str, words: tuple[str, ...], most: int, noun: str) -> tuple[str, ...]:
    """The moves of a text.

    Raises:
        Unreadable: It is not a list of at most ``most`` of these words.
    """
    limit = most * 12
    plain = text.replace("\u2192", "->").strip("[](){} .\n").lower()
    found = [word.strip("\"'") for word in _SPLIT.split(plain[:limit]) if word]
    moves = tuple(_SHORT.get(word, word) for word in found)
    if not 1 <= len(moves) <= most or not set(moves) <= set(words) or len(plain) > limit:
        raise Unreadable(f"write {noun}.")
    return moves


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
        ),
        *(("up left up",), ("up undo",), ("action",), ("restart",)),
    )
    refused: ClassVar[Any] = ("up up jump", "north", "uul", "up 2", "up or left", "not up", "up " * 21, "\u0075\u0440")

    def parse(self, text: str) -> tuple[str, ...]:
        """The moves of a span."""
        return read_moves(text, (*ACTIONS, *BACK), MOST_IN_MESSAGE, self.noun.rstrip(","))

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
        ),
        *(("up left up",), ("action",)),
    )
    refused: ClassVar[Any] = ("up up jump", "north", "up undo", "restart", "up 2", "up or left", "up " * 401)

    def parse(self, text: str) -> tuple[str, ...]:
        """The moves of a span."""
        return read_moves(text, ACTIONS, MOST_IN_PLAN, self.noun.rstrip(","))

    def random(self, rng: Stream) -> str:
        """Five to fifteen random moves."""
        return " ".join(rng.choice(ACTIONS[:4]) for _ in range(rng.between(5, 15)))
