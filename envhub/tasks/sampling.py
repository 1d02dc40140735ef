"""Draws tasks from seeds and rebuilds them from keys.

A :class:`TaskSource` is one environment with one configuration. ``draw(seed)`` tries attempts of a seed until one belongs to
the split, and stores the number of the accepted attempt in the key; ``rebuild`` uses that number directly::

    source = TaskSource(spec, environment, difficulty=3, split="train")
    task, instance = source.draw(seed=7)
    rebuild(spec, environment, task.key)       # the same pair
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from envhub.authoring import Environment
from envhub.authoring.wording import Wording
from envhub.core.difficulty import (
    Adaptive,
    BaseParams,
    Difficulty,
    check_difficulty,
    dump,
    pick_level,
    rebuild as rebuild_params,
    resolve,
)
from envhub.core.errors import InvalidParameters, SplitExhausted
from envhub.core.seeding import (
    MAX_DRAWS,
    MAX_SEED,
    SeedHash,
    Stream,
    TaskKey,
    canonical_json,
    check_seed,
    check_split,
    fingerprint,
    root_hash,
)
from envhub.core.types import EnvSpec, Instance, Task
from envhub.tasks import bank
from envhub.tasks.attempts import exactly, family, first

Drawn = tuple[Task, Instance]


class Source(Protocol):
    """Source of tasks: the :class:`TaskSource` of one environment, or a mixture."""

    @property
    def limits(self) -> tuple[int, int]:
        """Maximum length of an action and of an observation, in characters."""
        ...

    def draw(self, seed: int) -> Drawn:
        """The task of a seed."""
        ...

    def of(self, env_id: str | None) -> TaskSource:
        """The source of one environment."""
        ...

    def report(self, task: Task, solved: bool | None) -> None:
        """Record the result of a task."""
        ...


class TaskSource:
    """Draws the tasks of one environment with one configuration.

    Args:
        spec: The registry entry.
        environment: The environment.
        difficulty: A level, a range of levels or a schedule; None uses the default parameters.
        split: ``train``, ``validation`` or ``test``.
        overrides: Parameters set by name.

    Raises:
        InvalidParameters: A value is invalid.
        BankRefused: The bank in use is damaged or of another version.
    """

    def __init__(
        self,
        spec: EnvSpec,
        environment: Environment,
        difficulty: Difficulty | None,
        split: str,
        overrides: Mapping[str, Any],
    ) -> None:
        self.spec = spec
        self.environment = environment
        self.difficulty = None if difficulty is None else check_difficulty(difficulty)
        self.split = check_split(split)
        self._overrides = {**spec.params, **overrides}
        named = [name for name in overrides if name not in environment.files]  # a level does not set files
        self._given_by_name = bool(named)
        # checked first because isinstance with a protocol takes as long as drawing a task
        plain = self.difficulty is None or isinstance(self.difficulty, (int, tuple))
        self._curriculum = self.difficulty if not plain and isinstance(self.difficulty, Adaptive) else None
        if self._given_by_name and self._curriculum is not None:
            names = ", ".join(named)
            raise InvalidParameters(f"A curriculum sets all parameters by level; {names} cannot be set beside it.")
        self._bank = bank.default()
        self._level = lru_cache(maxsize=16)(self._resolve)
        if self.difficulty is None or isinstance(self.difficulty, int):
            self._level(self.difficulty)  # raises on bad parameters now, not at the first reset

    def __repr__(self) -> str:
        set_by_name = "".join(f", {name}={value!r:.40}" for name, value in self._overrides.items())
        return f"{self.spec.id}(difficulty={self.difficulty!r}, split={self.split!r}{set_by_name})"

    def draw(self, seed: int) -> Drawn:
        """The task of a seed.

        Raises:
            SplitExhausted: No attempt of this seed belongs to the split.
            SamplingFailed: The attempts took too long.
        """
        if type(seed) is not int or not 0 <= seed <= MAX_SEED:
            seed = check_seed(seed)
        level = self.difficulty
        if level is not None and not isinstance(level, int):
            level = pick_level(level, Stream(canonical_json([self.spec.id, self.split, seed]), "difficulty"))
        at = self._level(level)
        root = at.root(seed)
        found = first(self.spec, self.environment, at.params, self.split, root, self._bank)
        if found is not None:
            number, content, instance = found
            key = TaskKey(self.spec.id, at.dumped, self.split, seed, number).rooted(root)
            if content is None:
                content = at.identity(seed).hex() if at.identity else _identity(self.spec, self.environment, key)
            return _task(self.environment, key, None if self._given_by_name else level, instance, content)
        raise SplitExhausted(
            f"{self.spec.id} has too few problems for the split {self.split!r} with {at.dumped}: "
            f"none among {MAX_DRAWS} drawn from seed {seed}. Raise the difficulty or take another split."
        )

    @property
    def searches(self) -> bool:
        """Whether tasks of any level are slow to generate.

        They are then cached.
        """
        if self.environment.slow and (self.difficulty is None or isinstance(self.difficulty, int)):
            return self.environment.searches(self.params(self.difficulty))
        return self.environment.slow

    @property
    def limits(self) -> tuple[int, int]:
        """Maximum length of an action and of an observation, in characters."""
        return self.environment.max_action_chars, self.environment.max_observation_chars

    def of(self, env_id: str | None) -> TaskSource:
        """This source; a mixture has one per environment."""
        return self

    def report(self, task: Task, solved: bool | None) -> None:
        """Record a result in the curriculum, if there is one.

        None, which means an ``error``, is ignored.
        """
        if self._curriculum is not None and solved is not None and task.difficulty is not None:
            self._curriculum.note(task.difficulty, solved)

    def state_dict(self) -> dict[str, Any] | None:
        """State of the curriculum; None without one."""
        return None if self._curriculum is None else self._curriculum.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the curriculum from :meth:`state_dict`."""
        if self._curriculum is not None:
            self._curriculum.load_state_dict(state)

    def params(self, level: int | None) -> BaseParams:
        """The parameters of a level, with the overrides."""
        return self._level(level).params

    def _resolve(self, level: int | None) -> _Level:
        params = resolve(self.environment.Params, level, self._overrides)
        self.environment.check(params)
        dumped = dump(params)
        by_seed = self.environment.split_by == "seed"
        identity = SeedHash([family(self.spec, self.environment), dumped, self.split]) if by_seed else None
        return _Level(params, dumped, root_hash(self.spec.id, dumped, self.split), identity)


class _Level(NamedTuple):
    """Parameters and seed-independent hashes that all tasks of a level share."""

    params: BaseParams
    dumped: dict[str, Any]
    root: SeedHash
    identity: SeedHash | None  # only where splits are by seed


def rebuild(spec: EnvSpec, environment: Environment, key: TaskKey, difficulty: int | None = None) -> Drawn:
    """Rebuild a key's task and instance, at one draw's cost.

    Args:
        spec: The registry entry of the key's id.
        environment: The environment.
        key: The task key. Without an attempt number, attempts are tried as in :meth:`TaskSource.draw`.
        difficulty: Copied into the task; not part of the key.

    Raises:
        InvalidParameters: The key's parameters are invalid, or its attempt does not belong to its split.
        SplitExhausted: The key has no attempt number and no attempt belongs to its split.
    """
    if key.env_id != spec.id:
        raise InvalidParameters(f"The task key is of {key.env_id}, not of {spec.id}.")
    params = rebuild_params(environment.Params, key.params)
    environment.check(params)
    key = replace(key, params=dump(params))
    if key.draw is None:
        task, instance = TaskSource(spec, environment, None, key.split, key.params).draw(key.seed)
        return replace(task, difficulty=difficulty), instance
    found = exactly(spec, environment, params, key.split, key.root, key.draw, bank.default())
    if found is None:
        raise InvalidParameters(
            f"Draw {key.draw} of seed {key.seed} is not a problem of the split {key.split!r} in {spec.id}: "
            "the key was altered, or made by another version."
        )
    return _task(environment, key, difficulty, found.instance, found.fingerprint or _identity(spec, environment, key))


def _identity(spec: EnvSpec, environment: Environment, key: TaskKey) -> str:
    """Fingerprint of a task not split by content.

    Of its seed or parameters.
    """
    if environment.split_by == "seed":
        return SeedHash([family(spec, environment), key.params, key.split])(key.seed).hex()
    return fingerprint(family(spec, environment), key.params)


def _task(
    environment: Environment, key: TaskKey, difficulty: int | None, instance: Instance, fingerprint: str
) -> Drawn:
    problem, wording = instance.problem, environment.wording or Wording.of(key)
    prompt, tools = environment.opening(problem, wording), environment.tools_for(problem)
    return Task(key, difficulty, prompt, problem, fingerprint, tools, wording.number), instance
