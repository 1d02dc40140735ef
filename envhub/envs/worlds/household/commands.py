"""The commands of a house, in the words of ALFWorld.

::

    Commands().read("<answer>take apple 1 from fridge 1</answer>").value    # Command("take", ("apple 1", "fridge 1"))
    write(Command("go", ("fridge 1",)))                                     # "go to fridge 1"

One message is one command. A text that joins several commands, or has more words beside one, is unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.worlds.commands import Command, find, patterns, plain_line
from envhub.envs.worlds.household.catalogue import PLACES, THINGS
from envhub.verifiers.answers.types import AnswerType, Unreadable

FORMS: Final[Mapping[str, str]] = {
    "look": "look",
    "inventory": "inventory",
    "examine": "examine {}",
    "go": "go to {}",
    "open": "open {}",
    "close": "close {}",
    "take": "take {} from {}",
    "put": "move {} to {}",
    "clean": "clean {} with {}",
    "heat": "heat {} with {}",
    "cool": "cool {} with {}",
    "use": "use {}",
}
"""How each command is written."""
_ALSO: Final = ("put {} in/on {}", "put {} in {}", "put {} on {}")
_NAME: Final = r"([a-z]{2,20} [1-9][0-9]?)"
_PATTERNS: Final = patterns((*FORMS.items(), *(("put", form) for form in _ALSO)), _NAME)
_MOST: Final = 80


def write(command: Command) -> str:
    """A command as text."""
    return FORMS[command.verb].format(*command.names)


@dataclass(frozen=True)
class Commands(AnswerType):
    """One command; case and repeated spaces do not matter.

    Its value is a :class:`Command`.
    """

    noun: ClassVar[str] = "one command"
    example: ClassVar[str] = "go to shelf 99"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("go to shelf 1", "Go to  shelf 1.", "GO TO\tSHELF 1", "`go to shelf 1`"),
        *(("go to shelf 11",), ("open shelf 1",), ("look", "Look."), ("inventory",)),
        ("move pen 1 to desk 2", "put pen 1 in/on desk 2", "put pen 1 in desk 2", "put pen 1 on desk 2"),
        ("move pen 2 to desk 1",),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "go to shelf",
            "go to shelf 01",
            "go to shelf 100",
            "go to shelf 1; look",
            "look, inventory",
            "look\ninventory",
        ),
        *(
            "go to shelf 1 and open it",
            "I am done",
            "go to sh\u0435lf 1",
            "go to shelf \u0661",
            "take pen 1",
            "look" * 999,
        ),
    )

    def parse(self, text: str) -> Command:
        """The command in a span."""
        command = find(plain_line(text, _MOST), _PATTERNS)
        if command is not None:
            return command
        raise Unreadable("it is not one of the commands, such as 'go to shelf 1' or 'take pen 1 from shelf 1'.")

    def random(self, rng: Stream) -> str:
        """A command with random names."""
        places, things = (f"{rng.choice(list(names))} {rng.between(1, 3)}" for names in (PLACES, THINGS))
        verb = rng.choice(list(FORMS))
        one_place = verb in ("go", "open", "close")
        return FORMS[verb].format(*((places,) if one_place else (things, places))[: FORMS[verb].count("{}")])
