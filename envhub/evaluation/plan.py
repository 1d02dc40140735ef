"""What is evaluated: which tasks, how often each, and how they are asked for.

A plan decides the tasks and nothing about the model, so two models that were given equal plans were given the same tasks, and
may be compared task by task::

    Plan.of(["sudoku-v0:1-5", "countdown-v0"], tasks=20, attempts=4).digest
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import envhub
from envhub.core.difficulty import DEFAULT_LEVEL, LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import MAX_SEED, canonical_json
from envhub.registry.registry import spec
from envhub.tasks.sources import prepare

_PART: Final = re.compile(r"(?P<id>[^:]+?)(?::(?P<low>[0-9]{1,2})(?:-(?P<high>[0-9]{1,2}))?)?")
SPLITS: Final = ("train", "validation", "test")


class Job(NamedTuple):
    """One attempt at one task.

    Attributes:
        env_id: Of which environment.
        level: At which difficulty.
        number: Which task of the level, from 0.
        attempt: Which attempt at it, from 0.
    """

    env_id: str
    level: int
    number: int
    attempt: int


@dataclass(frozen=True)
class Plan:
    """Everything that decides which tasks are asked.

    Attributes:
        parts: Environments with their lowest and highest difficulty.
        tasks: How many for each environment and difficulty.
        attempts: How many at each task.
        split: Which problems: ``test`` by default, on which nobody should have trained.
        seed: Of the first task; the others follow.
        answer_format: ``tag``, ``boxed`` or ``last``; None for the environment's own.
        tool_format: The one format in which tool calls are read and asked for; every environment must have tools.
        system: A system message to open every conversation with.
        version: Of envhub.

    Raises:
        InvalidParameters: Something does not fit.
        UnknownEnvironment: There is no environment of an id.
    """

    parts: tuple[tuple[str, int, int], ...]
    tasks: int = 20
    attempts: int = 1
    split: str = "test"
    seed: int = 0
    answer_format: str | None = None
    tool_format: str | None = None
    system: str | None = None
    version: str = envhub.__version__

    def __post_init__(self) -> None:
        ids = [env_id for env_id, _, _ in self.parts]
        if not ids:
            raise InvalidParameters("An evaluation needs at least one environment, such as sudoku-v0:1-5.")
        twice = next((env_id for env_id in ids if ids.count(env_id) > 1), None)
        if twice is not None:
            raise InvalidParameters(f"{twice} is named twice; give it one range of difficulties.")
        for env_id, low, high in self.parts:
            spec(env_id)
            if not LEVELS[0] <= low <= high <= LEVELS[-1]:
                raise InvalidParameters(f"{env_id}: difficulties are 1 to 10, the lower one first; got {low}-{high}.")
        if self.tasks < 1 or self.attempts < 1:
            raise InvalidParameters(
                f"There is at least one task and one attempt, got {self.tasks} and {self.attempts}."
            )
        if self.split not in SPLITS:
            raise InvalidParameters(f"A split is {', '.join(SPLITS)}, got {self.split!r}.")
        if not 0 <= self.seed <= MAX_SEED - self.tasks:
            raise InvalidParameters(f"The seed is 0 to {MAX_SEED - self.tasks}, got {self.seed}.")

        if self.tool_format is not None:
            for env_id, low, _ in self.parts:  # what does not fit is refused now
                prepare(env_id, low, self.split, {}, self.wording)

    @property
    def wording(self) -> dict[str, str]:
        """The options of :func:`envhub.make` that say in which form to answer."""
        given = {"answer_format": self.answer_format, "tool_format": self.tool_format}
        return {name: value for name, value in given.items() if value is not None}

    @classmethod
    def of(cls, parts: Sequence[str], **fields: Any) -> Plan:
        """A plan from ``sudoku-v0``, ``sudoku-v0:3`` or ``sudoku-v0:1-5``.

        Raises:
            InvalidParameters: One reads otherwise, or as for the class.
            UnknownEnvironment: There is no environment of an id.
        """
        return cls(tuple(map(_part, parts)), **fields)

    @cached_property
    def digest(self) -> str:
        """By which a file of attempts is known to be of this plan."""
        return blake2b(canonical_json(self.to_json()), digest_size=8).hexdigest()

    @property
    def same_tasks(self) -> dict[str, Any]:
        """What two plans of the same tasks have in common: all but how often each is tried."""
        return {name: value for name, value in self.to_json().items() if name != "attempts"}

    def to_json(self) -> dict[str, Any]:
        """All fields by name, as JSON values."""
        return {**asdict(self), "parts": [list(part) for part in self.parts]}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Plan:
        """The plan that :meth:`to_json` wrote.

        Raises:
            InvalidParameters: It is none.
        """
        try:
            return cls(
                **{**fields, "parts": tuple((str(name), int(low), int(high)) for name, low, high in fields["parts"])}
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidParameters(f"This is no plan of an evaluation: {error}.") from None

    def jobs(self) -> Iterator[Job]:
        """Every attempt; all first attempts come before all second ones, so that a run that is cut has seen every task."""
        for attempt in range(self.attempts):
            for env_id, low, high in self.parts:
                for level in range(low, high + 1):
                    for number in range(self.tasks):
                        yield Job(env_id, level, number, attempt)

    def __len__(self) -> int:
        return self.attempts * self.tasks * sum(high - low + 1 for _, low, high in self.parts)


def _part(text: str) -> tuple[str, int, int]:
    found = _PART.fullmatch(text.strip())
    if found is None:
        raise InvalidParameters(f"What is evaluated is like sudoku-v0, sudoku-v0:3 or sudoku-v0:1-5; got {text!r}.")
    low = int(found["low"] or DEFAULT_LEVEL)
    return found["id"], low, int(found["high"] or low)
