"""A mixture: several environments, drawn by weight, as one.

::

    env = make_mixture({"sudoku-v0": 2, "countdown-v0": {"weight": 1, "difficulty": (1, 4)}}, split="train")
    env.reset(seed=7)           # one of them, always the same for this seed
    env.task.env_id

A seed selects an environment and is then that environment's seed, so ``make(env.task.env_id).reset(seed=7)`` gives the
same task.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any, Final

from envhub.core.difficulty import Difficulty, fresh
from envhub.core.errors import EpisodeOver, InvalidParameters, SnapshotMismatch
from envhub.core.seeding import Stream, canonical_json, check_seed
from envhub.core.types import Task
from envhub.tasks.options import Options
from envhub.tasks.sampling import Drawn, TaskSource
from envhub.tasks.sources import prepare, split_settings

_FINEST: Final = 1_000_000

Weights = Mapping[str, float | Mapping[str, Any]]


class MixtureSource:
    """Draws tasks of several environments, like a :class:`envhub.tasks.sampling.TaskSource`.

    Args:
        members: The sources by id.
        weights: Their weights by id, positive.
    """

    def __init__(self, members: Mapping[str, TaskSource], weights: Mapping[str, Fraction]) -> None:
        self._members = dict(members)
        self._ids = list(members)
        whole = lcm(*(weights[id].denominator for id in self._ids))
        self._bounds = list(accumulate(int(weights[id] * whole) for id in self._ids))
        limits = [source.limits for source in members.values()]
        self.limits = (max(limit[0] for limit in limits), max(limit[1] for limit in limits))

    def draw(self, seed: int) -> Drawn:
        """The task of a seed.

        Raises:
            InvalidParameters: The seed is invalid.
            SplitExhausted: The selected environment has no problem of the split for this seed.
        """
        return self._members[self.pick(check_seed(seed))].draw(seed)

    def pick(self, seed: int) -> str:
        """The environment of a seed."""
        place = Stream(canonical_json(["mixture", seed]), "environment").below(self._bounds[-1])
        return next(id for id, bound in zip(self._ids, self._bounds, strict=True) if place < bound)

    def __repr__(self) -> str:
        return f"mixture({', '.join(map(repr, self._members.values()))})"

    def of(self, env_id: str | None) -> TaskSource:
        """The source of one of the environments.

        Raises:
            EpisodeOver: No id is given and no episode has begun.
            SnapshotMismatch: The environment is not in this mixture.
        """
        if env_id is None:
            raise EpisodeOver("Which environment of a mixture it is, its episode decides. Call reset() first.")
        if env_id not in self._members:
            raise SnapshotMismatch(f"{env_id} is not in this mixture of {', '.join(self._ids)}.")
        return self._members[env_id]

    def report(self, task: Task, solved: bool | None) -> None:
        """Record a result in the curriculum of the task's environment, if any."""
        self.of(task.env_id).report(task, solved)

    def state_dict(self) -> dict[str, Any]:
        """States of the curricula, by environment."""
        return {id: state for id, source in self._members.items() if (state := source.state_dict()) is not None}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state returned by :meth:`state_dict`.

        Raises:
            SnapshotMismatch: The state is of another mixture.
        """
        own = self.state_dict().keys()
        if set(state) != set(own):
            raise SnapshotMismatch(
                f"The state has curricula for {', '.join(state) or 'none'}, this mixture for {', '.join(own) or 'none'}."
            )
        for id, part in state.items():
            self._members[id].load_state_dict(part)


def mixture_source(
    environments: Weights, difficulty: Difficulty | None, split: str, settings: Mapping[str, Any]
) -> tuple[MixtureSource, Options]:
    """The source and options behind :func:`envhub.make_mixture`; raises the same errors."""
    if not isinstance(environments, Mapping) or not environments:
        raise InvalidParameters("A mixture is a mapping from ids to weights, such as {'sudoku-v0': 2, 'maze-v0': 1}.")
    members: dict[str, TaskSource] = {}
    weights: dict[str, Fraction] = {}
    common, shared = split_settings(settings)
    if common:
        name = next(iter(common))
        raise InvalidParameters(
            f"{name!r} is not an option of a mixture; a parameter is set for one environment: "
            f"{{'{next(iter(environments))}': {{'weight': 1, '{name}': ...}}}}."
        )
    options = Options.read(shared)
    for id, given in environments.items():
        own: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"weight": given}
        weights[id] = _weight(id, own.pop("weight", 1))
        level = own.pop("difficulty") if "difficulty" in own else fresh(difficulty)
        members[id] = prepare(id, level, own.pop("split", split), own, shared)[0]
    return MixtureSource(members, weights), options


def _weight(id: str, weight: Any) -> Fraction:
    """A weight as a fraction, so that drawing by it is exact."""
    try:
        if isinstance(weight, bool):
            raise TypeError
        exact = Fraction(weight).limit_denominator(_FINEST)
    except (TypeError, ValueError, OverflowError):
        exact = Fraction(0)
    if exact <= 0:
        raise InvalidParameters(f"The weight of {id} is a positive number of at least 0.000001, got {weight!r}.")
    return exact
