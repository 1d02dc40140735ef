"""Configuration of an evaluation: tasks, attempts, and prompt format.

A configuration determines the tasks and nothing about the model, so models with equal configurations get the same tasks
and can be compared task by task::

    EvaluationConfig.of(["sudoku-v0:1-5", "countdown-v0"], tasks=20, attempts=4).digest
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import envhub
from envhub.authoring.wording import read_wording
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
        env_id: Environment id.
        level: Difficulty level.
        number: Number of the task at this level, from 0.
        attempt: Number of the attempt, from 0.
    """

    env_id: str
    level: int
    number: int
    attempt: int


@dataclass(frozen=True)
class EvaluationConfig:
    """Everything that determines the tasks of an evaluation.

    Attributes:
        parts: Environments with lowest and highest difficulty.
        tasks: Tasks per environment and difficulty.
        attempts: Attempts per task.
        split: Split; ``test`` by default, which must not be trained on.
        seed: Seed of the first task; later tasks use the following seeds.
        answer_format: ``tag``, ``boxed`` or ``last``; None for the environment's own.
        tool_format: The only format in which tool calls are requested and accepted; every environment must have tools.
        wording: ``"held-out"``, or the number of one wording for all prompts; None lets every task choose its own.
        observation: ``text``, ``both`` or ``image``; the last two need a model that sees pictures.
        system: A system message to open every conversation with.
        version: Version of envhub.

    Raises:
        InvalidParameters: A value is invalid.
        UnknownEnvironment: An environment does not exist.
    """

    parts: tuple[tuple[str, int, int], ...]
    tasks: int = 20
    attempts: int = 1
    split: str = "test"
    seed: int = 0
    answer_format: str | None = None
    tool_format: str | None = None
    wording: int | str | None = None
    observation: str = "text"
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

        read_wording(self.wording)
        if self.tool_format is not None or self.observation != "text":
            for env_id, low, _ in self.parts:  # reject invalid values now
                prepare(env_id, low, self.split, {}, self.asking)

    @property
    def asking(self) -> dict[str, Any]:
        """Options of :func:`envhub.make` for the prompts."""
        given = {"answer_format": self.answer_format, "tool_format": self.tool_format, "wording": self.wording}
        pictured = {} if self.observation == "text" else {"observation": self.observation}
        return {name: value for name, value in given.items() if value is not None} | pictured

    @classmethod
    def of(cls, parts: Sequence[str], **fields: Any) -> EvaluationConfig:
        """A configuration from ``sudoku-v0``, ``sudoku-v0:3`` or ``sudoku-v0:1-5``.

        Raises:
            InvalidParameters: A text has another form, or as for the class.
            UnknownEnvironment: An environment does not exist.
        """
        return cls(tuple(map(_part, parts)), **fields)

    @cached_property
    def digest(self) -> str:
        """Digest that identifies the configuration of a file of attempts."""
        return blake2b(canonical_json(self.to_json()), digest_size=8).hexdigest()

    @property
    def same_tasks(self) -> dict[str, Any]:
        """Settings shared by evaluations of the same tasks.

        They may differ in the number of attempts and in the wording.
        """
        return {name: value for name, value in self.to_json().items() if name not in ("attempts", "wording")}

    def to_json(self) -> dict[str, Any]:
        """All fields by name, as JSON values.

        The observation is among them only if it is not text.
        """
        fields = {**asdict(self), "parts": [list(part) for part in self.parts]}
        return fields if self.observation != "text" else {k: v for k, v in fields.items() if k != "observation"}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> EvaluationConfig:
        """Restore a configuration from :meth:`to_json`.

        Raises:
            InvalidParameters: It is not a configuration.
        """
        try:
            return cls(
                **{**fields, "parts": tuple((str(name), int(low), int(high)) for name, low, high in fields["parts"])}
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidParameters(f"This is not the configuration of an evaluation: {error}.") from None

    def jobs(self) -> Iterator[Job]:
        """All attempts; first attempts come first, so interrupted runs cover every task."""
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
