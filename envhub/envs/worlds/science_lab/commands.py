"""The commands of a laboratory, in the manner of ScienceWorld.

::

    Commands().read("<answer>use thermometer on sample b</answer>").value    # Command("use", ("thermometer", "sample b"))
    write(Command("go", ("kitchen",)))                                       # "go to kitchen"

One message is one command. A text that joins several commands, or has more words beside one, is unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.worlds.commands import Command, find, patterns, plain_line
from envhub.envs.worlds.science_lab.catalogue import EXPERIMENTS, HINGED, ROOMS, SINK
from envhub.generators.planning.space import Action
from envhub.verifiers.answers.types import AnswerType, Unreadable

FORMS: Final[Mapping[str, str]] = {
    "look": "look around",
    "inventory": "inventory",
    "wait": "wait",
    "open-door": "open door to {}",
    "open": "open {}",
    "go": "go to {}",
    "take": "pick up {}",
    "move": "move {} to {}",
    "activate": "activate {}",
    "connect": "connect {} to {}",
    "disconnect": "disconnect {}",
    "use": "use {} on {}",
    "examine": "look at {}",
}
"""How each command is written; ``answer`` has as many values as there are subjects."""
_ANSWER: Final = re.compile(r"answer (-?[a-z0-9]{1,10}(?: ?, ?-?[a-z0-9]{1,10}){0,9})")
_NAME: Final = r"([a-z]{2,20}(?: [a-z0-9]{1,12})?)"
_PATTERNS: Final = patterns(FORMS.items(), _NAME)


def write(command: Command) -> str:
    """A command as text."""
    if command.verb == "answer":
        return f"answer {', '.join(command.names)}"
    return FORMS[command.verb].format(*command.names)


def spoken(action: Action) -> Command:
    """The command for an action of :data:`~envhub.envs.worlds.science_lab.rules.DOMAIN`."""
    first, *rest = action.arguments
    match action.name:
        case "go" | "open-door":
            return Command(action.name, (rest[0],))
        case "heat-up":
            return Command("activate", ("hot plate",))
        case "place":
            return Command("move", (first, "hot plate"))
        case "open" | "take":
            return Command(action.name, (first,))
        case "lift":
            return Command("take", (first,))
        case "warm" | "melt":
            return Command("wait")
        case "measure" | "measure-hot":
            return Command("use", (rest[0], first))
        case "fit" | "clip":
            return Command("connect", (first, "battery"))
        case "unfit" | "unclip":
            return Command("disconnect", (first,))
        case "test":
            return Command("examine", (rest[0],))
        case "fill":
            return Command("use", (first, SINK))
        case "sow" | "grow" | "stall":
            return Command("use", (rest[0], first))
        case "slide":
            return Command("move", (rest[0], first))
    return Command("use", ("brush", first))


@dataclass(frozen=True)
class Commands(AnswerType):
    """One command; case and repeated spaces do not matter.

    Its value is a :class:`Command`.
    """

    noun: ClassVar[str] = "one command"
    example: ClassVar[str] = "open door to attic"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("look around", "Look around.", "LOOK\tAROUND", "`look around`"),
        ("go to kitchen", "Go to  kitchen."),
        ("pick up sample a",),
        ("pick up sample b",),
        ("use thermometer on sample a",),
        ("answer 10, -20", "answer 10,-20", "Answer 10 , -20."),
        ("answer -20, 10",),
    )
    refused: ClassVar[Sequence[str]] = (
        *("go to", "go to kitchen; wait", "wait, wait", "wait\nwait", "open door to kitchen and go to kitchen"),
        *("I am done", "go to kitch\u0435n", "answer", "answer 10 and 20", "answer 10,,20", "pick up", "wait" * 999),
    )

    def parse(self, text: str) -> Command:
        """The command in a span."""
        plain = plain_line(text)
        values = _ANSWER.fullmatch(plain)
        if values is not None:
            return Command("answer", tuple(value.strip() for value in values[1].split(",")))
        command = find(plain, _PATTERNS)
        if command is not None:
            return command
        raise Unreadable("it is not one of the commands, such as 'look around' or 'go to kitchen'.")

    def random(self, rng: Stream) -> str:
        """A command with random names."""
        experiment = rng.choice(list(EXPERIMENTS.values()))
        subjects = [f"{experiment.subject} {mark}" for mark in "abc123"]
        verb = rng.choice([*FORMS, "answer"])
        if verb == "answer":
            values = experiment.values or ("1", "2", "3")
            return write(Command(verb, tuple(rng.choice(values) for _ in range(rng.between(2, 4)))))
        first = {"use": experiment.instruments, "activate": (experiment.bench,), "open": HINGED}.get(verb, subjects)
        names = (rng.choice(ROOMS),) if verb in ("go", "open-door") else (rng.choice(first), rng.choice(subjects))
        return write(Command(verb, names[: FORMS[verb].count("{}")]))
