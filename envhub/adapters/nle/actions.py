"""Actions of NetHack as words, and the keys that they stand for.

Keys that end a game, save it, change its options or ask about the program are no actions. A single character is one only
while the game asks for something, because as a command it may be one of those keys::

    keys_of("far north", asked=False)       # [75]
    keys_of("S", asked=False)               # None: it would save the game
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

_DIRECTIONS: Final = {
    "north": "k",
    "northeast": "u",
    "east": "l",
    "southeast": "n",
    "south": "j",
    "southwest": "b",
    "west": "h",
    "northwest": "y",
}
MOVES: Final[tuple[str, ...]] = tuple(_DIRECTIONS)


def _extended(letter: str) -> list[int]:
    return [0x80 | ord(letter)]


ACTIONS: Final[Mapping[str, list[int]]] = {
    **{name: [ord(key)] for name, key in _DIRECTIONS.items()},
    **{f"far {name}": [ord(key.upper())] for name, key in _DIRECTIONS.items()},
    "up": [ord("<")],
    "down": [ord(">")],
    "wait": [ord(".")],
    "search": [ord("s")],
    "search 10": [ord("1"), ord("0"), ord("s")],
    "more": [13],
    "esc": [27],
    "kick": [4],
    "eat": [ord("e")],
    "open": [ord("o")],
    "close": [ord("c")],
    "pick up": [ord(",")],
    "drop": [ord("d")],
    "look": [ord(":")],
    "inventory": [ord("i")],
    "fight": [ord("F")],
    "travel": [ord("_")],
    "apply": [ord("a")],
    "wield": [ord("w")],
    "swap weapons": [ord("x")],
    "wear": [ord("W")],
    "take off": [ord("T")],
    "put on": [ord("P")],
    "remove": [ord("R")],
    "quaff": [ord("q")],
    "read": [ord("r")],
    "zap": [ord("z")],
    "cast": [ord("Z")],
    "throw": [ord("t")],
    "fire": [ord("f")],
    "ready ammunition": [ord("Q")],
    "pay": [ord("p")],
    "engrave": [ord("E")],
    "pray": _extended("p"),
    "loot": _extended("l"),
    "force": _extended("f"),
    "jump": _extended("j"),
    "chat": _extended("c"),
    "dip": _extended("d"),
    "offer": _extended("o"),
    "rub": _extended("r"),
    "sit": _extended("s"),
    "turn undead": _extended("t"),
    "untrap": _extended("u"),
    "wipe": _extended("w"),
    "invoke": _extended("i"),
    "monster ability": _extended("m"),
}
"""The keys of each action; letters with the highest bit are NetHack's extended commands."""
_CHARACTERS: Final = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $*?,.;:<>+-@'\"()[]=/&%_"
)
_MENTIONED: Final = 12
_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"


def keys_of(action: str, asked: bool) -> list[int] | None:
    """The keys of an action; None if it is not one now.

    Args:
        action: Its name, or one character.
        asked: Whether the game asks for something.
    """
    if action in ACTIONS:
        return ACTIONS[action]
    return [ord(action)] if asked and action in _CHARACTERS else None


@dataclass(frozen=True)
class OneAction(AnswerType):
    """The name of an action, or one character.

    A character answers a question of the game.
    """

    noun: ClassVar[str] = "one action"
    example: ClassVar[str] = "monster ability"
    placeholder: ClassVar[str] = "ACTION"

    def parse(self, text: str) -> str:
        """The action: a lower-case name, or one character, in quotes or not."""
        text = text.strip(_QUOTES) if len(text) > 2 else text
        if len(text) == 1 and text in _CHARACTERS:
            return text
        name = " ".join(text.split()).lower()
        if name not in ACTIONS:
            some = ", ".join([*ACTIONS][:_MENTIONED])
            raise Unreadable(
                f"Expected the name of an action, such as {some}, or one character to answer a question of the game."
            )
        return name

    def random(self, rng: Stream) -> str:
        """A random step."""
        return rng.choice(MOVES)
