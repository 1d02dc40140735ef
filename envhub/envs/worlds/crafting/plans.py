"""Plans of crafting without a map: actions in order.

::

    Steps().read("<answer>gather wood 3, make table, place table</answer>").value
    shortest(technology, [("stone", 2)])     # a plan of the least work
    fault(technology, goals, steps)          # why a plan fails; empty if it reaches the goals
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.worlds.crafting.technology import Technology, Units, least_work, units_of
from envhub.verifiers.answers.listed import parts
from envhub.verifiers.answers.types import AnswerType, Unreadable

VERBS: Final = ("gather", "make", "place")
_MOST_CHARS: Final = 6000
_MOST_STEPS: Final = 400
_ONE: Final = re.compile(
    rf"({'|'.join(VERBS)}) ((?!(?:and|then)\b)[a-z]{{2,12}}(?: (?!(?:and|then)\b)[a-z]{{2,12}})?)(?: (?:x ?)?([1-9][0-9]?))?"
)


class Step(NamedTuple):
    """One action of a plan."""

    verb: str
    item: str


@dataclass(frozen=True)
class Steps(AnswerType):
    """A plan: actions separated by commas or line breaks.

    Its value is a tuple of :class:`Step`.
    """

    noun: ClassVar[str] = "your plan, its actions separated by commas"
    example: ClassVar[str] = "gather brick 2, make oven, place oven, gather flour, make bread"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            "gather wood 2, make table",
            "Gather wood 2,\nmake table.",
            "gather wood 2\n\nmake table",
            "- gather wood 2\n- make table",
            "* Gather wood 2\n* Make table",
            "1. gather wood 2\n2. make table",
            "1) gather wood 2.\n2) make table.",
            "Step 1: gather wood x2\nStep 2: make table",
            "[gather wood 2, make table]",
            "['gather wood 2', 'make table']",
            "(gather wood 2), (make table)",
            "(gather wood 2) (make table)",
            "gather wood 2; make table",
            "gather wood 2 -> make table",
            "1. gather wood 2\n1. make table",
        ),
        ("gather wood 2", "gather wood, gather wood"),
        *(("place table",), ("make table", "make table 1")),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "gather",
            "wood 2",
            "gather wood 0",
            "gather wood 100",
            "gather wood and make table",
        ),
        *(
            "make 2 table",
            "use tree",
            "",
            ",",
            "gather w\u043eod",
            "2. gather wood\n1. make table",
            "1. gather wood\n3. make table",
            "1. gather wood 2. make table",
            "gather wood 2-3",
            "gather wood -1",
            "gather " + "wood " * 9,
        ),
    )

    def parse(self, text: str) -> tuple[Step, ...]:
        """The actions in a span."""
        found = list[Step]()
        for part in parts(text, _MOST_CHARS):
            match = _ONE.fullmatch(part)
            if match is None:
                raise Unreadable(
                    "each action must be gather ITEM, make ITEM or place ITEM, with an optional number of times."
                )
            found += [Step(match[1], match[2])] * int(match[3] or 1)
            if len(found) > _MOST_STEPS:
                raise Unreadable(f"a plan may have at most {_MOST_STEPS} actions.")
        if not found:
            raise Unreadable("it has no action.")
        return tuple(found)

    def random(self, rng: Stream) -> str:
        """A plan of familiar actions."""
        names = ("wood", "stone", "fibre", "table", "wooden pickaxe", "plank")
        return ", ".join(f"{rng.choice(VERBS)} {rng.choice(names)}" for _ in range(rng.between(2, 9)))


def written(steps: Sequence[Step]) -> str:
    """A plan as text; repeated actions are counted."""
    found, at = list[str](), 0
    while at < len(steps):
        end = at
        while end < len(steps) and steps[end] == steps[at] and end - at < 99:
            end += 1
        found.append(f"{steps[at].verb} {steps[at].item}" + (f" {end - at}" if end - at > 1 else ""))
        at = end
    return ", ".join(found)


def shortest(technology: Technology, goals: Sequence[tuple[str, int]]) -> list[Step] | None:
    """A plan of the least work; None if there is no plan."""
    schedule = least_work(technology, goals)
    if schedule is None:
        return None
    steps, held = list[Step](), frozenset[str]()

    def get(item: str, count: int, units: Units) -> None:
        if item not in units.way:
            steps.extend([Step("gather", item)] * count)
            return
        for name, many in units.way[item].inputs:
            get(name, many * count, units)
        steps.extend([Step("make", item)] * count)

    for name in schedule.durables:
        get(name, 1, units_of(technology, held))
        if name in technology.stations:
            steps.append(Step("place", name))
        held = held | {name}
    for name, count in goals:
        if name not in technology.durables:
            get(name, count, units_of(technology, held))
    return steps


def fault(technology: Technology, goals: Sequence[tuple[str, int]], steps: Sequence[Step]) -> str:
    """Why a plan does not reach the goals; empty if it does."""
    held, placed = Counter[str](), set[str]()
    for number, (verb, item) in enumerate(steps, 1):
        here = f"Action {number} ({verb} {item})"
        if verb == "gather":
            source = technology.source_of.get(item)
            if source is None:
                return f"{here} is impossible: {item} cannot be gathered."
            if source.tool and not held[source.tool]:
                return f"{here} is impossible: a tool is missing."
            held[item] += 1
        elif verb == "make":
            ways = [way for way in technology.ways.get(item, ()) if placed.issuperset(way.stations)]
            way = next((way for way in ways if all(held[name] >= count for name, count in way.inputs)), None)
            if way is None:
                return f"{here} is impossible: inputs or stations are missing."
            held.subtract(dict(way.inputs))
            held[item] += 1
        else:
            if item not in technology.stations or not held[item]:
                return f"{here} is impossible: it is not a station that is held."
            held[item] -= 1
            placed.add(item)
    missing = [name for name, count in goals if held[name] < count]
    return f"In the end there is not enough of {missing[0]}." if missing else ""
