"""Dialogues: instructions that change over several messages.

::

    turns = draw_dialogue(rng, turns=3, edits=2)
    turns[0]                      # [["add", "bullets", {"n": 2}], ["add", "title", {...}]]
    in_force(turns[:2])           # [("title", {...}), ("bullets", {"n": 3})]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.constraints.kinds import Constraint
from envhub.generators.constraints.sets import compatible
from envhub.generators.constraints.shapes import SHAPES
from envhub.generators.constraints.units import Text

_NAMES: Final = tuple(name for name, kind in SHAPES.items() if not kind.repeats)


def draw_dialogue(rng: Stream, turns: int, edits: int) -> list[list[JSON]]:
    """The edits of each message; the first message only adds."""
    found: list[list[JSON]] = []
    for turn in range(turns):
        message: list[JSON] = []
        while len(message) < edits:
            edit = _edit(rng, in_force([*found, message]), [name for _, name, *_ in message], first=turn == 0)
            if edit is not None:
                message.append(edit)
        found.append(message)
    return found


def in_force(messages: Sequence[Sequence[JSON]]) -> list[Constraint]:
    """The constraints that hold after some messages, the oldest first."""
    found: dict[str, JSON] = {}
    for message in messages:
        for kind, name, settings in message:
            if kind == "lift":
                del found[name]
            else:
                found[name] = settings
    return list(found.items())


def _edit(rng: Stream, current: list[Constraint], touched: list[str], first: bool) -> JSON | None:
    """One edit of a constraint that this message has not touched."""
    kind = "add" if first else rng.choice(("add", "add", "change", "change", "lift"))
    settings = dict(current)
    if kind == "add":
        name = rng.choice(_NAMES)
        if name in settings or name in touched or not compatible(name, current):
            return None
        return [kind, name, SHAPES[name].draw(rng, Text(""))]
    free = [name for name in settings if name not in touched]
    if not free:
        return None
    name = rng.choice(free)
    if kind == "lift":
        return [kind, name, settings[name]]
    changed = SHAPES[name].draw(rng, Text(""))
    return None if changed == settings[name] else [kind, name, changed]
