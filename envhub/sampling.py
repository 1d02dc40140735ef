"""From a seed or a key to a task and its instance.

A :class:`TaskSource` is one environment under one configuration. ``draw(seed)`` tries the attempts of a seed until one is
of the wanted split, and writes the accepted attempt into the key; ``rebuild`` goes straight to that attempt::

    source = TaskSource(spec, author, difficulty=3, split="train")
    task, instance = source.draw(seed=7)
    rebuild(spec, author, task.key)       # the same pair
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from envhub.author import Environment, Staged
from envhub.difficulty import (
    BaseParams,
    Difficulty,
    check_difficulty,
    dump,
    pick_level,
    rebuild as rebuild_params,
    resolve,
)
from envhub.errors import InvalidParameters, SplitExhausted
from envhub.seeding import MAX_DRAWS, Stream, TaskKey, canonical_json, check_seed, check_split, fingerprint, split_of
from envhub.types import EnvSpec, Instance, Task

Drawn = tuple[Task, Instance]


class TaskSource:
    """Draws the tasks of one environment under one configuration.

    Args:
        spec: The registry's line.
        author: The environment.
        difficulty: A level, a range of levels or a schedule; None starts from the defaults of the parameters.
        split: ``train``, ``validation`` or ``test``.
        overrides: Parameters set by name.

    Raises:
        InvalidParameters: One of them does not fit.
    """

    def __init__(
        self,
        spec: EnvSpec,
        author: Environment,
        difficulty: Difficulty | None,
        split: str,
        overrides: Mapping[str, Any],
    ) -> None:
        self.spec = spec
        self.author = author
        self.difficulty = None if difficulty is None else check_difficulty(difficulty)
        self.split = check_split(split)
        self._overrides = {**spec.params, **overrides}
        self._given_by_name = bool(overrides)
        self._level = lru_cache(maxsize=16)(self._resolve)
        if self.difficulty is None or isinstance(self.difficulty, int):
            self._level(self.difficulty)  # bad parameters show now, not at the first reset

    def draw(self, seed: int) -> Drawn:
        """The task of a seed.

        Raises:
            SplitExhausted: No attempt of this seed gave a problem of the split.
        """
        seed = check_seed(seed)
        level = self.difficulty
        if level is not None and not isinstance(level, int):
            level = pick_level(level, Stream(canonical_json([self.spec.id, self.split, seed]), "difficulty"))
        params, dumped = self._level(level)
        key = TaskKey(self.spec.id, dumped, self.split, seed)
        for attempt in range(MAX_DRAWS):
            found = _attempt(self.spec, self.author, params, key, attempt)
            if found is not None:
                return _task(self.author, replace(key, draw=attempt), None if self._given_by_name else level, *found)
        raise SplitExhausted(
            f"{self.spec.id} has too few problems for the split {self.split!r} with {dumped}: "
            f"none among {MAX_DRAWS} drawn from seed {seed}. Raise the difficulty or take another split."
        )

    def _resolve(self, level: int | None) -> tuple[BaseParams, dict[str, Any]]:
        params = resolve(self.author.Params, level, self._overrides)
        return params, dump(params)


def rebuild(spec: EnvSpec, author: Environment, key: TaskKey, difficulty: int | None = None) -> Drawn:
    """The task and the instance of a key, at the cost of one draw.

    Args:
        spec: The registry's line; its id is the key's.
        author: The environment.
        key: With the accepted attempt; without one, the attempts are tried as :meth:`TaskSource.draw` does.
        difficulty: Written into the task as it is; not part of the key.

    Raises:
        InvalidParameters: The key's parameters do not fit, or its attempt is not of its split.
        SplitExhausted: The key names no attempt and none is of its split.
    """
    if key.env_id != spec.id:
        raise InvalidParameters(f"The task key is of {key.env_id}, not of {spec.id}.")
    params = rebuild_params(author.Params, key.params)
    key = replace(key, params=dump(params))
    if key.draw is None:
        task, instance = TaskSource(spec, author, None, key.split, key.params).draw(key.seed)
        return replace(task, difficulty=difficulty), instance
    found = _attempt(spec, author, params, key, key.draw)
    if found is None:
        raise InvalidParameters(
            f"Draw {key.draw} of seed {key.seed} is not a problem of the split {key.split!r} in {spec.id}: "
            "the key was altered, or made by another version."
        )
    return _task(author, key, difficulty, *found)


def _attempt(
    spec: EnvSpec, author: Environment, params: BaseParams, key: TaskKey, attempt: int
) -> tuple[Instance, str] | None:
    """One attempt: the instance and its fingerprint, or None when it is given up or belongs to another split."""
    drawn = author.sample(key.stream("sample", attempt), params)
    content = next(drawn, None) if isinstance(drawn, Generator) else drawn and drawn.problem
    if content is None:
        return None
    mark = _fingerprint(spec, author, key, content)
    if author.split_by == "content" and split_of(mark) != key.split:
        return None
    instance = _finish(drawn) if isinstance(drawn, Generator) else drawn
    if instance is None or not author.accepts(instance):
        return None
    return instance, mark


def _finish(staged: Staged) -> Instance | None:
    try:
        next(staged)
    except StopIteration as stop:
        value: Instance | None = stop.value
        return value
    raise TypeError("sample() yields once: the content on which the split is decided.")


def _fingerprint(spec: EnvSpec, author: Environment, key: TaskKey, content: Any) -> str:
    family = author.family or spec.name
    if author.split_by == "content":
        return fingerprint(family, author.canonical(content))
    if author.split_by == "seed":
        return fingerprint(family, [key.split, key.seed, key.params])
    return fingerprint(family, key.params)


def _task(author: Environment, key: TaskKey, difficulty: int | None, instance: Instance, mark: str) -> Drawn:
    prompt = f"{author.prompt(instance.problem)}\n\n{author.instruction()}"
    tools = tuple(tool.schema() for tool in author.tools.values())
    return Task(key, difficulty, prompt, instance.problem, mark, tools), instance
