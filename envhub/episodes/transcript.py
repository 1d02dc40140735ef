r"""Plays an episode for a person or script, and keeps its transcript.

A script has one action a line. A line that begins with a quotation mark is a JSON string, which may hold line breaks; one
that begins with a slash is a command; blank lines are skipped::

    50
    "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1"
    /solve

The same code plays a local environment and one on a server.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON, Task

RESERVED = (
    "id",
    "difficulty",
    "split",
    "seed",
    "answer_format",
    "tool_format",
    "wording",
    "system",
    "reward",
    "on_error",
)


class Playable(Protocol):
    """Interface of an environment to play, local or remote."""

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        ...

    def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode."""
        ...

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one turn."""
        ...


@dataclass(frozen=True, slots=True)
class Action:
    """An action to play."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command instead of an action: ``/help``, without the slash."""

    name: str


Said = Action | Command


@dataclass(frozen=True, slots=True)
class Taken:
    """One played turn."""

    action: str
    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, JSON]

    def to_json(self) -> dict[str, JSON]:
        """The turn as JSON values; a missing reward is null."""
        return {
            "action": self.action,
            "observation": self.observation,
            "reward": None if math.isnan(self.reward) else self.reward,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "info": self.info,
        }


@dataclass(slots=True)
class Transcript:
    """An episode so far.

    Attributes:
        task: Task being played.
        prompt: The first observation.
        turns: Every turn taken.
    """

    task: Task
    prompt: str
    turns: list[Taken] = field(default_factory=list)

    @classmethod
    def begin(cls, env: Playable, seed: int | None) -> Transcript:
        """Reset an environment."""
        prompt, _ = env.reset(seed=seed)
        return cls(env.task, prompt)

    def take(self, env: Playable, action: str) -> Taken:
        """Take a turn and record it."""
        self.turns.append(Taken(action, *env.step(action)))
        return self.turns[-1]

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.turns) and (self.turns[-1].terminated or self.turns[-1].truncated)

    @property
    def verdict(self) -> dict[str, JSON] | None:
        """The judgement; None before the end."""
        return self.turns[-1].info.get("verdict") if self.turns else None

    @property
    def solved(self) -> bool:
        """Whether the episode has ended with the problem solved."""
        return self.verdict is not None and self.verdict["solved"] is True

    def to_json(self) -> dict[str, JSON]:
        """The transcript as JSON values; holds no answer key."""
        return {
            "task": {**self.task.key.to_json(), "difficulty": self.task.difficulty},
            "prompt": self.prompt,
            "turns": [turn.to_json() for turn in self.turns],
            "over": self.over,
            "solved": self.solved,
            "verdict": self.verdict,
        }


def read_script(lines: Iterable[str]) -> Iterator[Said]:
    """The actions and commands of a script.

    Raises:
        InvalidParameters: A line begins with a quotation mark and is not a JSON string.
    """
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if not line.strip():
            continue
        if line.startswith("/"):
            yield Command(line[1:].strip())
        elif line.startswith('"'):
            try:
                yield Action(json.loads(line))
            except json.JSONDecodeError as error:
                raise InvalidParameters(
                    f"Line {number} of the script begins with a quotation mark but is no JSON string: {error}."
                ) from None
        else:
            yield Action(line)


def read_params(given: Iterable[str]) -> dict[str, JSON]:
    """Parameters from ``name=value``; values are JSON if valid, else text.

    Raises:
        InvalidParameters: A text has no ``=``, a name is repeated, or it is an option, not a parameter.

    >>> read_params(["size=4", "technique=any"])
    {'size': 4, 'technique': 'any'}
    """
    params: dict[str, JSON] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise InvalidParameters(f"A parameter is given as name=value, got {text!r}.")
        if name in RESERVED:
            raise InvalidParameters(f"{name!r} is an option and not a parameter of an environment.")
        if name in params:
            raise InvalidParameters(f"The parameter {name!r} is given twice.")
        try:
            params[name] = json.loads(value)
        except (ValueError, RecursionError):
            params[name] = value
    return params
