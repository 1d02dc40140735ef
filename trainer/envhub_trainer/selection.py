"""Chooses tasks: repeats hard ones, skips those predicted to teach nothing.

A stream's tasks are all different, so success is predicted by environment and level. Each has a Beta distribution of its
success, from reports that are discounted as the policy changes. Of several candidates the one whose sampled success is closest
to the target is played; the others cost no rollout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Self

import envhub
from envhub.core.types import Task
from envhub_trainer.techniques import SelectionConfig

_PRIOR = 1.0
"""Both parameters of a Beta distribution before any report."""


class Selection(Iterator[Task]):
    """Tasks of a stream, chosen by what was reported about earlier ones.

    Sources: repeated tasks by failure rate: Kimi Team 2025, k1.5 (2501.12599), prioritised sampling in proportion to 1 - s;
    candidates: Qu et al. 2025, MoPPS (2507.04632), posterior sampling with discounted counts.

    Args:
        stream: The stream.
        settings: How to choose. By default every task of the stream is played once.
        seed: Seed of the choices.
    """

    def __init__(self, stream: envhub.TaskStream, settings: SelectionConfig, seed: int = 0) -> None:
        self._stream, self._settings, self._seed = stream, settings, seed
        self._taken = 0
        self._levels: dict[str, tuple[float, float]] = {}  # successes and failures, discounted
        self._seen: dict[str, tuple[Task, int, int]] = {}  # by task: successes and attempts

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Task:
        """The next task; see :class:`envhub.TaskStream`."""
        random = Random(f"{self._seed} {self._taken}")
        self._taken += 1
        if self._settings.repeat and self._seen and random.random() < self._settings.repeat:
            return self._repeated(random)
        candidates = [next(self._stream) for _ in range(self._settings.candidates)]
        if len(candidates) == 1:
            return candidates[0]
        return min(candidates, key=lambda task: abs(self._sampled(task, random) - self._settings.target))

    def report(self, task: Task, solved: bool | None) -> None:
        """Record a result; None is ignored."""
        self._stream.report(task, solved)
        if solved is None:
            return
        good, bad = self._levels.get(_level(task), (0.0, 0.0))
        kept = self._settings.discount
        self._levels[_level(task)] = kept * good + solved, kept * bad + (not solved)
        if self._settings.repeat:
            self._note(task, solved)

    def failure_rate(self, task: Task) -> float:
        """Share of failures of a task, with one more failure and success."""
        _, successes, attempts = self._seen.get(_name(task), (task, 0, 0))
        return (attempts - successes + 1) / (attempts + 2)

    def state_dict(self) -> dict[str, Any]:
        """Position and reports as JSON values."""
        seen = [[task.to_json(), successes, attempts] for task, successes, attempts in self._seen.values()]
        return {"stream": self._stream.state_dict(), "taken": self._taken, "levels": self._levels, "seen": seen}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`; SnapshotMismatch if it is another stream's."""
        self._stream.load_state_dict(state["stream"])
        self._taken = state["taken"]
        self._levels = {level: (good, bad) for level, (good, bad) in state["levels"].items()}
        seen = [(Task.from_json(told), successes, attempts) for told, successes, attempts in state["seen"]]
        self._seen = {_name(task): (task, successes, attempts) for task, successes, attempts in seen}

    def _repeated(self, random: Random) -> Task:
        """A task seen before, in proportion to its failure rate."""
        tasks = [task for task, _, _ in self._seen.values()]
        [chosen] = random.choices(tasks, [self.failure_rate(task) for task in tasks])
        return chosen

    def _sampled(self, task: Task, random: Random) -> float:
        """A draw from the distribution of the success at a task's level."""
        good, bad = self._levels.get(_level(task), (0.0, 0.0))
        return random.betavariate(_PRIOR + good, _PRIOR + bad)

    def _note(self, task: Task, solved: bool) -> None:
        name = _name(task)
        _, successes, attempts = self._seen.pop(name, (task, 0, 0))
        self._seen[name] = task, successes + solved, attempts + 1  # now the latest
        if len(self._seen) > self._settings.pool:
            del self._seen[next(iter(self._seen))]


def _level(task: Task) -> str:
    return f"{task.env_id} {task.difficulty}"


def _name(task: Task) -> str:
    return json.dumps(task.key.to_json(), sort_keys=True)
