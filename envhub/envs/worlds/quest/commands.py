"""The commands of a quest, in the words of TextWorld.

::

    Commands().read("<answer>take apple from fridge</answer>").value    # Command("take", ("apple", "fridge"))
    write(Command("go", ("north",)))                                    # "go north"

One message is one command. A text that joins several commands, or has more words beside one, is unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.worlds.commands import Command, find, patterns, plain_line
from envhub.envs.worlds.quest.catalogue import CLUTTER, CUTS, DIRECTIONS, FOODS, HOLDERS, holder
from envhub.verifiers.answers.types import AnswerType, Unreadable

FORMS: Final[Mapping[str, str]] = {
    "look": "look",
    "inventory": "inventory",
    "prepare": "prepare meal",
    "examine": "examine {}",
    "go": "go {}",
    "open": "open {}",
    "close": "close {}",
    "unlock": "unlock {} with {}",
    "lock": "lock {} with {}",
    "take": "take {} from {}",
    "pick": "take {}",
    "put": "put {} on {}",
    "insert": "insert {} into {}",
    "drop": "drop {}",
    "eat": "eat {}",
    "cook": "cook {} with {}",
    **{verb: f"{verb} {{}} with {{}}" for verb in CUTS},
}
"""How each command is written."""
_ALSO: Final = (
    *(("examine", "read {}"), ("insert", "put {} in {}"), ("insert", "put {} into {}"), ("insert", "insert {} in {}")),
    *(("inventory", "i"), ("look", "l"), ("examine", "x {}"), ("take", "pick up {} from {}"), ("pick", "pick up {}")),
    *(("look", "look around"), ("take", "get {} from {}"), ("pick", "get {}")),
)
_JOINING: Final = ("and", "then", "with", "from", "on", "in", "into", "to")
_WORD: Final = rf"(?!(?:{'|'.join(_JOINING)})\b)[a-z]{{1,12}}"
_NAME: Final = rf"({_WORD}(?: {_WORD}){{0,2}})"
_PATTERNS: Final = patterns((*FORMS.items(), *_ALSO), _NAME)
_SHORT: Final = {**{name[0]: name for name in DIRECTIONS}, **{name: name for name in DIRECTIONS}}
_MOST: Final = 80


def write(command: Command) -> str:
    """A command as text."""
    verb, names = command
    if verb == "put" and holder(names[1]).inside:
        verb = "insert"
    return FORMS[verb].format(*names)


@dataclass(frozen=True)
class Commands(AnswerType):
    """One command; case, repeated spaces and the word *the* do not matter.

    Its value is a :class:`Command`.
    """

    noun: ClassVar[str] = "one command"
    example: ClassVar[str] = "take lantern from moon gate"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("go north", "Go  north.", "GO\tNORTH", "`go north`", "north", "n"),
        ("take pen from desk", "take the pen from the desk", "pick up pen from desk", "get pen from desk"),
        ("insert pen into bin", "put pen in bin", "insert pen in bin", "put pen into bin"),
        *(("put pen on bin",), ("take pen", "pick up pen", "get the pen"), ("go south",), ("drop pen",)),
        *(("examine cookbook", "read cookbook", "x cookbook"), ("look", "Look.", "l"), ("inventory", "i")),
        *(("unlock oak door with oak key",), ("unlock oak key with oak door",), ("prepare meal", "prepare the meal")),
    )
    refused: ClassVar[Sequence[str]] = (
        *("go north; look", "look, inventory", "look\ninventory", "go north and look", "take pen and cup"),
        *("open", "take pen from", "I am done", "g\u043e north", "go to the north", "cook carrot", "unlock oak door"),
        *("take 1", "look" * 999, "go north then go south", "(go north)", "take pen from desk in study"),
    )

    def parse(self, text: str) -> Command:
        """The command in a span."""
        line = " ".join(word for word in plain_line(text, _MOST).split() if word != "the")
        if line in _SHORT:
            return Command("go", (_SHORT[line],))
        command = find(line, _PATTERNS)
        if command is None:
            raise Unreadable("it is not one of the commands, such as 'go north' or 'take pen from desk'.")
        if command.verb == "go":
            return Command("go", (_SHORT.get(command.names[0], command.names[0]),))
        return command

    def random(self, rng: Stream) -> str:
        """A command with random names."""
        thing, place = rng.choice([*FOODS, *CLUTTER]), rng.choice(list(HOLDERS))
        verb = rng.choice(list(FORMS))
        names = (
            (rng.choice(list(DIRECTIONS)),)
            if verb == "go"
            else (place,)
            if verb in ("open", "close")
            else (thing, place)
        )
        return FORMS[verb].format(*names[: FORMS[verb].count("{}")])
