"""Difficulty 1..10 -> named, validated parameters.

Every environment has a :class:`BaseParams` whose ``at(difficulty)`` returns the parameters of a level; each can also be
set by name. ``make`` accepts as ``difficulty`` a level, a range ``(2, 6)`` from which each task draws a level, or an
object with ``pick(rng) -> level`` (:mod:`envhub.tasks.curriculum`)::

    resolve(SudokuParams, 3, {"clues": 20})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream, canonical_json

LEVELS = range(1, 11)
DEFAULT_LEVEL = 3

P = TypeVar("P", bound="BaseParams")


class BaseParams(BaseModel):
    """The parameters of an environment; subclass it and override :meth:`at`.

    Attributes:
        later: Names of parameters that were added when tasks existed. A task key has them only with other values than the
            default.
    """

    later: ClassVar[frozenset[str]] = frozenset()
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level 1..10; by default the same for all."""
        return cls()


@runtime_checkable
class Schedule(Protocol):
    """Selects the level of the next task."""

    def pick(self, rng: Stream) -> int:
        """A level 1..10."""
        ...


@runtime_checkable
class Adaptive(Schedule, Protocol):
    """A schedule that learns from results: a curriculum."""

    def note(self, level: int, solved: bool) -> None:
        """Record the result of a task of a level."""
        ...

    def fresh(self) -> Self:
        """A new schedule with the same settings, at the start."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Current state as JSON values."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state returned by :meth:`state_dict`."""
        ...


Difficulty = int | tuple[int, int] | Schedule


def check_difficulty(difficulty: Any) -> Difficulty:
    """Return ``difficulty`` if it is a level, a range or a schedule.

    A range is of levels.

    Raises:
        InvalidParameters: It is something else.
    """
    if isinstance(difficulty, Schedule):
        return difficulty
    if isinstance(difficulty, (tuple, list)):
        if len(difficulty) == 2 and all(_is_level(d) for d in difficulty) and difficulty[0] <= difficulty[1]:
            return (int(difficulty[0]), int(difficulty[1]))
    elif _is_level(difficulty):
        return int(difficulty)
    raise InvalidParameters(
        "`difficulty` must be an integer from 1 to 10, or a pair [low, high] of such integers with low <= high; got "
        f"{difficulty!r:.80}."
    )


def pick_level(difficulty: Difficulty, rng: Stream) -> int:
    """The level of one task.

    Uses ``rng`` only if there is a choice.
    """
    if isinstance(difficulty, int):
        return difficulty
    if isinstance(difficulty, tuple):
        return rng.between(*difficulty)
    level = difficulty.pick(rng)
    if not _is_level(level):
        raise InvalidParameters(f"{type(difficulty).__name__}.pick gave {level!r}; a difficulty is an integer 1..10.")
    return level


def fresh(difficulty: Difficulty | None) -> Difficulty | None:
    """The difficulty for one more environment: curricula are copied, others shared."""
    return difficulty.fresh() if isinstance(difficulty, Adaptive) else difficulty


def resolve(cls: type[P], difficulty: int | None, overrides: Mapping[str, Any]) -> P:
    """The parameters of a level, with some set by name.

    Args:
        cls: The environment's parameters.
        difficulty: The level; None starts from the defaults of ``cls``.
        overrides: Parameters by name.

    Raises:
        InvalidParameters: A name is unknown or a value is invalid.
    """
    for name in overrides:
        if name not in cls.model_fields:
            known = ", ".join(cls.model_fields) or "none"
            raise InvalidParameters(f"No parameter {name!r}; there are: {known}.{nearest(name, cls.model_fields)}")
    try:
        base = cls() if difficulty is None else cls.at(difficulty)
        # via JSON, where strict validation accepts a list for a tuple: task keys contain only JSON values
        return cls.model_validate_json(canonical_json({**dump(base), **overrides})) if overrides else base
    except (TypeError, ValueError) as error:
        if not isinstance(error, ValidationError):
            raise InvalidParameters(f"A parameter is not a JSON value: {error}.") from None
        raise InvalidParameters(plain_error(error)) from None


def dump(params: BaseParams) -> dict[str, Any]:
    """Parameters as the JSON values of a task key.

    A later parameter is left out while it has its default, so that the tasks of older keys stay the same.
    """
    values = params.model_dump(mode="json")
    for name in params.later:
        if values[name] == type(params).model_fields[name].default:
            del values[name]
    return values


def rebuild(cls: type[P], params: Mapping[str, Any]) -> P:
    """The parameters of a task key, which names all but later ones.

    Raises:
        InvalidParameters: A parameter is missing, unknown or out of range.
    """
    missing = [name for name in cls.model_fields if name not in params and name not in cls.later]
    if missing:
        raise InvalidParameters(f"The task key lacks the parameters {', '.join(missing)}.")
    return resolve(cls, None, params)


def _is_level(value: Any) -> bool:
    return type(value) is int and value in LEVELS


def plain_error(error: ValidationError) -> str:
    """A pydantic error as text, one sentence per problem."""
    lines = []
    for problem in error.errors(include_url=False, include_context=False)[:10]:
        where = ".".join(str(part) for part in problem["loc"])
        got = "" if problem["type"] == "value_error" else f", got {repr(problem['input'])[:200]}"
        said = problem["msg"].removeprefix("Value error, ")
        lines.append(f"{where + ': ' if where else ''}{said}{got}")
    text = "; ".join(lines)
    return text if text.endswith((".", "?")) else f"{text}."
