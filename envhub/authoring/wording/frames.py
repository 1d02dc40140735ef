"""Frames: arrangements of a prompt's parts.

A frame is a function of :class:`Parts`. Every frame contains every part, unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from envhub.authoring.wording.variants import Variants


class Parts(NamedTuple):
    """The parts of a prompt as text.

    Attributes:
        task: What to do.
        data: The problem, with the sentences that explain its notation.
        rules: One sentence or a few each; may be empty.
        note: A closing remark, such as that the solution is unique; may be empty.
    """

    task: str
    data: str
    rules: tuple[str, ...]
    note: str

    def texts(self) -> Iterator[str]:
        """Every part that is not empty."""
        yield from filter(None, (self.task, self.data, *self.rules, self.note))


Frame = Callable[[Parts], str]


def data_first(parts: Parts) -> str:
    """Task, data, a list of rules."""
    return _joined(parts.task, parts.data, _headed("Rules:", _bullets(parts.rules)), parts.note)


def rules_first(parts: Parts) -> str:
    """Task, numbered rules, data."""
    return _joined(parts.task, _headed("Rules:", _numbered(parts.rules)), parts.note, parts.data)


def sections(parts: Parts) -> str:
    """Markdown sections, as in a specification."""
    return _joined(
        _headed("## Task", parts.task),
        _headed("## Input", parts.data),
        _headed("## Requirements", _bullets((*parts.rules, *filter(None, [parts.note])))),
    )


def data_then_task(parts: Parts) -> str:
    """Data, then the task, then the rules as running text."""
    return _joined(parts.data, " ".join(filter(None, [parts.task, *parts.rules, parts.note])))


def message(parts: Parts) -> str:
    """A message from a person."""
    return _joined(
        "Hi! I need your help with this problem.",
        parts.task,
        _headed("Here is what I have:", parts.data),
        _headed("Please keep in mind:", _bullets(parts.rules)),
        parts.note,
    )


def labelled(parts: Parts) -> str:
    """Labels and lettered conditions; held out."""
    return _joined(
        f"PROBLEM. {parts.task}",
        _headed("CONDITIONS.", _lettered(parts.rules)),
        _headed("GIVEN.", parts.data),
        parts.note and f"REMARK. {parts.note}",
    )


FRAMES: Final[Variants[Frame]] = Variants(
    data_first, rules_first, sections, data_then_task, message, held_out=labelled, name="frame"
)


def briefing(parts: Parts) -> str:
    """Role, a list of rules, goal, state."""
    return _joined(parts.task, _headed("Rules:", _bullets(parts.rules)), parts.note, parts.data)


def goal_first(parts: Parts) -> str:
    """Role and goal, numbered rules, state."""
    role = " ".join(filter(None, [parts.task, parts.note]))
    return _joined(role, _headed("How it works:", _numbered(parts.rules)), _headed("Start:", parts.data))


def manual(parts: Parts) -> str:
    """Markdown sections, as in a manual."""
    return _joined(
        _headed("## Your role", parts.task),
        _headed("## Rules", _bullets(parts.rules)),
        _headed("## Goal", parts.note),
        _headed("## First state", parts.data),
    )


def told_at_once(parts: Parts) -> str:
    """Everything but the state as running text."""
    return _joined(" ".join(filter(None, [parts.task, *parts.rules, parts.note])), parts.data)


def invitation(parts: Parts) -> str:
    """A message from a person who explains the rules."""
    return _joined(
        "Hello! Let me explain the rules, and then we start.",
        parts.task,
        _bullets(parts.rules),
        parts.note,
        _headed("This is where we start:", parts.data),
    )


def rule_sheet(parts: Parts) -> str:
    """Labels and lettered rules, as on a sheet in a box.

    Held out.
    """
    return _joined(
        f"ROLE. {parts.task}",
        parts.note and f"AIM. {parts.note}",
        _headed("RULES.", _lettered(parts.rules)),
        _headed("SETUP.", parts.data),
    )


GAME_FRAMES: Final[Variants[Frame]] = Variants(
    briefing, goal_first, manual, told_at_once, invitation, held_out=rule_sheet, name="frame of a game"
)
"""Frames for games and other worlds: the data is the first state, and stands next to the answer format in all of them."""


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _headed(heading: str, text: str) -> str:
    return f"{heading}\n{text}" if text else ""


def _bullets(rules: tuple[str, ...]) -> str:
    return "- " + "\n- ".join(rules) if rules else ""


def _numbered(rules: tuple[str, ...]) -> str:
    return "\n".join([f"{at}. {rule}" for at, rule in enumerate(rules, 1)])


def _lettered(rules: tuple[str, ...]) -> str:
    return "\n".join(f"({chr(97 + at % 26) * (1 + at // 26)}) {rule}" for at, rule in enumerate(rules))
