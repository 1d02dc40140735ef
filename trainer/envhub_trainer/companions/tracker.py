"""SPO's tracker: a belief about the success of each task.

Its settings and arithmetic are in :mod:`envhub_trainer.algorithms.tracked`; :class:`envhub_trainer.pool.Pool` draws by
:meth:`TaskTracker.priority`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from envhub_trainer.algorithms.tracked import Belief, Tracker
from envhub_trainer.batch import Batch, collate
from envhub_trainer.episode import Episode, Row


@dataclass(frozen=True)
class _Known:
    """A task's belief and the last answer to it."""

    belief: Belief
    rows: tuple[Row, ...]


class TaskTracker:
    """Tracks the success of each task.

    Args:
        tracker: Its settings.
        logp: Computes the policy's current log-probabilities ``(B, T)`` of a batch.
        device: Where batches are.
    """

    def __init__(self, tracker: Tracker, logp: Callable[[Batch], Tensor], device: torch.device) -> None:
        self._tracker, self._logp, self._device = tracker, logp, device
        self._known: dict[str, _Known] = {}
        self._told: dict[str, float] = {}

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """The batch with ``baseline``; updates beliefs with returns, from 0 to 1."""
        tasks = [name_of(episode.task) for episode in episodes]
        before = [self._belief(task).value for task in tasks]
        moved = self._moved(sorted(set(tasks) & self._known.keys()))
        for task in dict.fromkeys(tasks):
            answers = [episode for episode, other in zip(episodes, tasks, strict=True) if other == task]
            returns = [episode.reward for episode in answers]
            belief = self._tracker.updated(self._belief(task), returns, moved.get(task, 0.0))
            self._known[task] = _Known(belief, tuple(answers[-1].rows))
        self._told = {"tracked": float(len(self._known)), "baseline": sum(before) / len(before)}
        if moved:
            self._told["tracker_moved"] = sum(moved.values()) / len(moved)
        return batch.having(baseline=torch.tensor(before, device=batch.score.device))

    def _belief(self, task: str) -> Belief:
        known = self._known.get(task)
        return self._tracker.prior if known is None else known.belief

    def _moved(self, tasks: Sequence[str]) -> dict[str, float]:
        """D of each task: nats per token on its last answer."""
        if not tasks:
            return {}
        batch = collate([Episode("", None, {}, 0, list(self._known[task].rows)) for task in tasks]).to(self._device)
        apart = (self._logp(batch) - batch.behaviour).abs() * batch.mask
        sums = torch.zeros(2, len(tasks), device=self._device)
        sums.index_add_(1, batch.episode, torch.stack([apart.sum(1), batch.mask.sum(1)]))
        return dict(zip(tasks, (sums[0] / sums[1].clamp(min=1)).tolist(), strict=True))

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """``tracked`` (tasks), ``baseline`` (mean) and ``tracker_moved`` (mean of D) of :meth:`score`."""
        return self._told

    def priority(self, task: Mapping[str, Any]) -> float:
        """The weight with which a task, given by its key, is drawn."""
        return self._tracker.priority(self._belief(name_of(task)))

    def state_dict(self) -> dict[str, Any]:
        """The beliefs and the last answers."""
        return {
            task: {"belief": asdict(known.belief), "rows": [asdict(row) for row in known.rows]}
            for task, known in self._known.items()
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self._known = {
            task: _Known(Belief(**known["belief"]), tuple(Row(**row) for row in known["rows"]))
            for task, known in state.items()
        }


def name_of(task: Mapping[str, Any]) -> str:
    """A task's key as text."""
    return json.dumps(task, sort_keys=True)
