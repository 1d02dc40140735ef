"""The actions of a message: one, or several separated by commas.

::

    Actions().read("<answer>north 2, use, make table</answer>").value
    # (Action("north"), Action("north"), Action("use"), Action("make", "table"))

A number repeats an action. A text that has anything else in it is unreadable, so nothing of it is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.worlds.crafting.rules import DIRECTIONS, Action
from envhub.verifiers.answers.listed import parts
from envhub.verifiers.answers.types import AnswerType, Unreadable

MOST_ACTIONS: Final = 10
"""Actions of one message, at most."""
_PLAIN: Final = (*DIRECTIONS, "use", "sleep", "wait")
_NAMING: Final = ("make", "place", "recipe")
_ONE: Final = re.compile(
    rf"(?:({'|'.join(_PLAIN)})|({'|'.join(_NAMING)}) ((?!(?:and|then)\b)[a-z]{{2,12}}(?: (?!(?:and|then)\b)[a-z]{{2,12}})?))"
    rf"(?: (?:x ?)?([1-9]|10))?"
)
_MOST_CHARS: Final = 300


@dataclass(frozen=True)
class Actions(AnswerType):
    """Up to ten actions, separated by commas.

    Case and repeated spaces do not matter.

    Its value is a tuple of :class:`Action`.
    """

    noun: ClassVar[str] = "your next actions, separated by commas"
    example: ClassVar[str] = "east 3, wait, south"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            *("north 2, use", "North 2,use.", "north, north, use", "NORTH  2 , USE", "north x2; use", "north 2\nuse"),
            *(
                "- north 2\n- use",
                "1. north 2\n2. use",
                "[north 2, use]",
                "['north 2', 'use']",
                "north 2 -> use,",
                "(north 2) (use)",
            ),
        ),
        ("make stone pickaxe", "Make  stone pickaxe.", "make stone pickaxe 1"),
        *(("place table",), ("recipe table",), ("sleep 3", "sleep, sleep, sleep"), ("wait",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *("2. north\n1. use", "north and use", "north then use", "north 11", "north 0", "north -1", "go north", ","),
        *("", "make", "place", "make table and use", "n\u043erth", "use tree", "north use", "wait 2 3"),
        *("north 6, south 5", "sleep 10, use", "make 2 table", "north 1.5"),
    )

    def parse(self, text: str) -> tuple[Action, ...]:
        """The actions in a span."""
        found = list[Action]()
        for part in parts(text, _MOST_CHARS):
            match = _ONE.fullmatch(part)
            if match is None:
                raise Unreadable(
                    "each action must be a direction, use, sleep, wait, make ITEM, place ITEM or recipe ITEM, with an "
                    "optional number of times; separate actions by commas, such as 'north 2, use'."
                )
            found += [Action(match[1] or match[2], match[3] or "")] * int(match[4] or 1)
            if len(found) > MOST_ACTIONS:
                raise Unreadable(f"a message may contain at most {MOST_ACTIONS} actions; send the others later.")
        if not found:
            raise Unreadable("it has no action.")
        return tuple(found)

    def random(self, rng: Stream) -> str:
        """One to three random actions."""
        return ", ".join(self._one(rng) for _ in range(rng.between(1, 3)))

    @staticmethod
    def _one(rng: Stream) -> str:
        verb = rng.choice((*_PLAIN, *_NAMING, "use", "use"))
        named = rng.choice(("table", "wooden pickaxe", "stone pickaxe", "furnace", "stone", "torch"))
        return f"{verb} {named}" if verb in _NAMING else f"{verb} {rng.between(1, 3)}" if verb in DIRECTIONS else verb


def write(action: Action) -> str:
    """An action as text."""
    return f"{action.verb} {action.name}" if action.name else action.verb


def joined(actions: Sequence[Action]) -> str:
    """Actions as one message; repeated ones are counted."""
    found, at = list[str](), 0
    while at < len(actions):
        end = at
        while end < len(actions) and actions[end] == actions[at]:
            end += 1
        found.append(write(actions[at]) + (f" {end - at}" if end - at > 1 else ""))
        at = end
    return ", ".join(found)
