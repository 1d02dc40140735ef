"""Frozen opponents for self-play: earlier weights of the policy.

In a game against a frozen opponent the policy plays one seat, another one in each member of the group, and learns from that
seat alone. Training against the mean of earlier policies is fictitious self-play (Heinrich et al. 2015), which keeps a policy
from forgetting how to play against what it once was.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from torch import Tensor

from envhub_trainer.policy import Policy, Sampler
from envhub_trainer.techniques import LeagueConfig


class League:
    """Snapshots of a model and the one that plays now.

    Args:
        model: The model of the run's beginning, the first member.
        settings: How often to keep a snapshot and how many.
        seed: Seed of the choices.
        open_policy: Returns a sampler that shares a model.
    """

    def __init__(self, model: Any, settings: LeagueConfig, seed: int, open_policy: Callable[[Any], Policy]) -> None:
        self._settings, self._seed = settings, seed
        self._model = copy.deepcopy(model).requires_grad_(False)
        self._policy = open_policy(self._model)
        self._members: list[dict[str, Tensor]] = [_snapshot(model)]

    def opponent(self, number: int) -> Sampler | None:
        """Who plays a group's other seats; None for the policy."""
        return self._policy if Random(f"{self._seed} {number}").random() < self._settings.share else None

    async def advance(self, model: Any, step: int) -> None:
        """Keep a snapshot if due, and pick the next step's opponent."""
        if step % self._settings.every == 0:
            self._members = [*self._members, _snapshot(model)][-self._settings.keep :]
        await self.seat(step)

    async def seat(self, step: int) -> None:
        """Load the opponent of a step, drawn from all members."""
        await self._policy.forget()
        self._model.load_state_dict(Random(f"{self._seed} opponent {step}").choice(self._members))
        await self._policy.sync(self._model, step)

    async def close(self) -> None:
        """Close the sampler."""
        await self._policy.close()

    def state_dict(self) -> list[dict[str, Tensor]]:
        """The snapshots."""
        return self._members

    def load_state_dict(self, state: list[dict[str, Tensor]]) -> None:
        """Resume from :meth:`state_dict`."""
        self._members = list(state)


def _snapshot(model: Any) -> dict[str, Tensor]:
    return {name: tensor.detach().cpu().clone() for name, tensor in model.state_dict().items()}
