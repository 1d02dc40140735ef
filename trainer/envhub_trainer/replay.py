"""Earlier successes, to be compared with new episodes of the same task.

Source: Zhang et al. 2025, "RLEP: Reinforcement Learning with Experience Replay for LLM Reasoning" (2507.07451). There the pool
is collected by an earlier run; here by the run itself, from tasks that a :class:`~envhub_trainer.selection.Selection` repeats.
Tokens keep the log-probabilities with which they were sampled, so that ratios are to the weights of that time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from random import Random
from typing import Any

from envhub.core.types import Task
from envhub_trainer.episode import Episode, Row
from envhub_trainer.group import Group

_STORED = ("env_id", "difficulty", "task", "group", "solved", "truncated", "overlong", "seat", "budget")


class Replay:
    """The solved episodes of a run's tasks.

    Args:
        episodes: Number of them that a group gets.
        keep: Maximum number per task; the latest are kept.
        tasks: Maximum number of tasks; those solved longest ago are dropped.
        seed: Seed of the run.
    """

    def __init__(self, episodes: int, keep: int, tasks: int, seed: int = 0) -> None:
        self._episodes, self._keep, self._tasks, self._seed = episodes, keep, tasks, seed
        self._solved: dict[str, list[Episode]] = {}

    def note(self, group: Group) -> None:
        """Keep the successes of a group."""
        solved = [episode for episode in group.sound if episode.solved and episode.seat is None]
        if not solved:
            return
        name = _name(group.task)
        kept = self._solved.pop(name, []) + [episode.copy() for episode in solved]
        self._solved[name] = kept[-self._keep :]
        if len(self._solved) > self._tasks:
            del self._solved[next(iter(self._solved))]

    def of(self, task: Task, number: int) -> list[Episode]:
        """Successes for the group of this number, drawn at random."""
        kept = self._solved.get(_name(task), [])
        drawn = Random(f"{self._seed} {number}").sample(kept, min(self._episodes, len(kept)))
        found = [episode.copy() for episode in drawn]
        for episode in found:
            episode.group = number
        return found

    def state_dict(self) -> list[dict[str, Any]]:
        """All successes as JSON values."""
        return [_told(episode) for kept in self._solved.values() for episode in kept]

    def load_state_dict(self, state: list[Mapping[str, Any]]) -> None:
        """Restore what :meth:`state_dict` returned."""
        self._solved = {}
        for told in state:
            episode = Episode(**{**told, "rows": [Row(**row) for row in told["rows"]]})
            self._solved.setdefault(_key(episode.task), []).append(episode)


def _told(episode: Episode) -> dict[str, Any]:
    return {name: getattr(episode, name) for name in _STORED} | {"rows": [asdict(row) for row in episode.rows]}


def _name(task: Task) -> str:
    return _key(task.key.to_json())


def _key(task: Mapping[str, Any]) -> str:
    return json.dumps(task, sort_keys=True)
