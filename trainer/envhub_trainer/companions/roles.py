"""SPIRAL's baselines, one for each game and role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from envhub_trainer.algorithms.roles import Roles
from envhub_trainer.batch import Batch
from envhub_trainer.episode import Episode


class RoleBaselines:
    """Keeps the baselines; a role is a seat in self-play."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._baselines: dict[str, float] = {}

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """Return the batch with ``baseline``, and update the baselines with its episodes."""
        before = []
        for episode in episodes:
            role = episode.env_id if episode.seat is None else f"{episode.env_id}/{episode.seat}"
            baseline = self._baselines.get(role, 0.0)
            before.append(baseline)
            self._baselines[role] = self._roles.updated(baseline, episode.reward)
        return batch.having(baseline=torch.tensor(before, device=batch.score.device))

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Return the baselines, as ``baseline/<environment>/<seat>``."""
        return {f"baseline/{role}": value for role, value in self._baselines.items()}

    def state_dict(self) -> dict[str, Any]:
        """The baselines."""
        return dict(self._baselines)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self._baselines = dict(state)
