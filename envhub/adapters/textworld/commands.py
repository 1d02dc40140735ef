"""Which commands reach TextWorld's interpreter.

Its games also understand commands for debugging, which print the whole state, and commands for files and restarts, which
would end the counting of moves. So a command must begin with a verb of the game, and is one command::

    fault("purloin key", verbs=["take"])      # why it is not passed on; None for "take key"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

MOST_CHARS: Final = 120
_ALWAYS: Final = frozenset(
    [
        *("look", "l", "examine", "x", "inventory", "i", "go", "north", "south", "east", "west", "n", "s", "e", "w"),
        *("take", "get", "pick", "drop", "put", "insert", "open", "close", "lock", "unlock", "eat", "wait", "z"),
        *("goal", "help"),
    ]
)
"""Verbs of every game, with their short forms."""
_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"
_JOINING: Final = frozenset({"then", "again", "g", "oops", "undo"})


@dataclass(frozen=True)
class GameCommand(AnswerType):
    """One command in one line, without capitals or repeated spaces."""

    noun: ClassVar[str] = "one command"
    example: ClassVar[str] = "examine nothing"
    plain: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9 '/-]+")
    """What a command consists of; what the interpreter reads as the end of a command is no part of it."""

    def parse(self, text: str) -> str:
        """The command, without quotes or a prompt sign around it."""
        text = text.strip().removeprefix(">").strip().strip(_QUOTES)
        command = " ".join(text.split()).lower()
        if not command or len(command) > MOST_CHARS or "\n" in text or not self.plain.fullmatch(command):
            raise Unreadable(
                f"Expected one command in one line: letters, digits, spaces, hyphens, slashes and apostrophes, "
                f"at most {MOST_CHARS} characters. Send one command without a full stop."
            )
        return command

    def random(self, rng: Stream) -> str:
        """A command that is always possible."""
        return rng.choice(("look", "inventory", "go north", "go east", "go south", "go west"))


def fault(command: str, verbs: Iterable[str]) -> str | None:
    """Why a command is not passed on, or None.

    Args:
        command: A parsed command.
        verbs: The game's own verbs.
    """
    words = command.split()
    known = _ALWAYS | {*verbs}
    if words[0] not in known:
        usual = ", ".join(sorted({*verbs} or _ALWAYS))
        return f"{words[0]!r} is not a verb of this game. Begin a command with one of: {usual}."
    if joining := _JOINING.intersection(words):
        return f"{min(joining)!r} cannot be part of a command. Send one command per message, in full."
    return None
