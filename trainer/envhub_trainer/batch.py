"""Episodes as tensors, the input of advantages and losses.

Token tensors are aligned with *predictions*: position ``t`` of row ``b`` refers to token ``t + 1``, so a log-probability
``(B, T)`` of ``ids`` ``(B, T + 1)`` needs no further shift. Rows are padded on the right. Episode tensors are ``(E,)``;
``episode`` maps rows to episodes.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import torch
from torch import Tensor

from envhub_trainer.episode import GIVEN, Episode, Row


@dataclass(frozen=True)
class Batch:
    """B rows of E episodes, T predictions each.

    Floats are float32 (float64 in, float64 out), on one device.

    Attributes:
        ids: ``(B, T + 1)`` token ids; 0 beyond a row's end.
        length: ``(B,)`` number of tokens of each row.
        mask: ``(B, T)`` 1.0 where the predicted token was sampled by the policy, else 0.0.
        behaviour: ``(B, T)`` its log-probability when it was sampled; 0 off the mask. The trainer sets it to the policy's own
            where a demonstrator wrote the token.
        version: ``(B, T)`` version of the weights that sampled it; -1 off the mask.
        rewards: ``(B, T)`` each turn's reward, at its last sampled token; shaping at the episode's last one.
        episode: ``(B,)`` index of each row's episode, 0..E-1.
        score: ``(E,)`` return of each episode.
        group: ``(E,)`` arbitrary ids; episodes with the same id (same task and seat) are compared.
        included: ``(E,)`` True where an episode counts in its group's statistics and has an advantage; regularisers apply to
            all.
        budget: ``(E,)`` number of tokens the policy may sample in each episode.
        gain: ``(B, T)`` change of the expected return over the token's segment, from forks; 0 off the mask.
        greedy: ``(E,)`` return of a greedy episode of the same task (ReMax).
        old: ``(B, T)`` log-probabilities under the policy at the start of the update (pi_old).
        ref: ``(B, T)`` log-probabilities under the reference policy.
        value: ``(B, T)`` the critic's values of the context before the predicted token, at the start of the update.
        advantage: ``(B, T)``; 0 off the mask.
        returns: ``(B, T)`` targets of the critic; 0 off the mask.
        process: ``(B, T)`` reward of each token by a process reward model (PRIME).
        baseline: ``(E,)`` expected return of each episode's task, from earlier steps (SPO).
        weight: ``(B, T)`` weight of each token's loss in the sum over the *whole* optimiser step, so that splitting it into
            micro-batches changes nothing.
        chosen: ``(B, T)`` True where an algorithm treats a token differently (Clip-Cov, KL-Cov).
        entropy: ``(B, T)`` entropy of each token's distribution at the start of the optimiser step, in nats.
        focus: ``(B, T)`` factor of each token's policy gradient.
        imitation: ``(B, T)`` weight of the log-likelihood loss of each token.
        expected: ``(E,)`` log of the expected probability of an episode of the same group (GEPO).
    """

    ids: Tensor
    length: Tensor
    mask: Tensor
    behaviour: Tensor
    version: Tensor
    rewards: Tensor
    episode: Tensor
    score: Tensor
    group: Tensor
    included: Tensor
    budget: Tensor | None = None
    gain: Tensor | None = None
    greedy: Tensor | None = None
    old: Tensor | None = None
    ref: Tensor | None = None
    value: Tensor | None = None
    advantage: Tensor | None = None
    returns: Tensor | None = None
    process: Tensor | None = None
    baseline: Tensor | None = None
    weight: Tensor | None = None
    chosen: Tensor | None = None
    entropy: Tensor | None = None
    focus: Tensor | None = None
    imitation: Tensor | None = None
    expected: Tensor | None = None

    _OF_EPISODES: ClassVar = ("score", "group", "included", "budget", "greedy", "baseline", "expected")

    @property
    def given(self) -> Tensor:
        """``(B, T)`` True on tokens to learn from that no policy sampled."""
        return (self.mask > 0) & (self.version == GIVEN)

    def having(self, **tensors: Any) -> Self:
        """A copy of the batch with tensors replaced or added."""
        return replace(self, **tensors)

    def rows(self, index: Tensor) -> Self:
        """Some rows, cut to the longest of them; episode tensors stay whole."""
        longest = int(self.length[index].max())
        cut: dict[str, Tensor] = {}
        for each in fields(self):
            tensor = getattr(self, each.name)
            if tensor is None or each.name in self._OF_EPISODES:
                continue
            part = tensor[index]
            cut[each.name] = part if part.dim() == 1 else part[:, : longest if each.name == "ids" else longest - 1]
        return replace(self, **cut)

    def to(self, device: torch.device | str) -> Self:
        """Move the batch to a device."""
        tensors = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(self, **{name: tensor.to(device) for name, tensor in tensors.items() if tensor is not None})


def collate(episodes: Sequence[Episode], greedy: Sequence[float] | None = None) -> Batch:
    """Build the batch of some episodes that did not fail.

    Args:
        episodes: In any order; a row without sampled tokens is left out.
        greedy: For each episode, the return of its greedy episode.

    Raises:
        ValueError: No row has a sampled token, or an episode has failed.
    """
    failed = next((episode for episode in episodes if episode.error is not None), None)
    if failed is not None:
        raise ValueError(f"An episode that failed is not learned from: {failed.error}")
    rows = [(i, row) for i, episode in enumerate(episodes) for row in episode.rows if any(row.mask[1:])]
    if not rows:
        raise ValueError("There is no sampled token in these episodes.")
    width = max(len(row.ids) for _, row in rows)

    def padded(lists: list[list[int]] | list[list[float]], value: float, dtype: torch.dtype) -> Tensor:
        return torch.tensor([[*each, *[value] * (width - len(each))] for each in lists], dtype=dtype)

    paid = [[0.0] * len(row.ids) for _, row in rows]
    for (_, row), amounts in zip(rows, paid, strict=True):
        for end, reward in zip(row.ends, row.rewards, strict=True):
            amounts[end] += reward
    last = {i: at for at, (i, _) in enumerate(rows)}
    for i, at in last.items():
        paid[at][rows[at][1].ends[-1]] += episodes[i].shaped
    return Batch(
        ids=padded([row.ids for _, row in rows], 0, torch.long),
        length=torch.tensor([len(row.ids) for _, row in rows]),
        mask=padded([row.mask for _, row in rows], 0, torch.float32)[:, 1:],
        behaviour=padded([row.logps for _, row in rows], 0.0, torch.float32)[:, 1:],
        version=padded([row.versions for _, row in rows], GIVEN, torch.long)[:, 1:],
        rewards=padded(paid, 0.0, torch.float32)[:, 1:],
        episode=torch.tensor([i for i, _ in rows]),
        score=torch.tensor([episode.reward for episode in episodes]),
        group=torch.tensor([episode.peers for episode in episodes]),
        included=torch.ones(len(episodes), dtype=torch.bool),
        budget=torch.tensor([episode.budget for episode in episodes]),
        gain=padded(_gains(episodes, rows), 0.0, torch.float32)[:, 1:] if any(e.segments for e in episodes) else None,
        greedy=None if greedy is None else torch.tensor(list(greedy)),
    )


def _gains(episodes: Sequence[Episode], rows: Sequence[tuple[int, Row]]) -> list[list[float]]:
    """For each row, the gain of the segment of each sampled token."""
    gains = []
    seen = [0] * len(episodes)
    for i, row in rows:
        segments, of_row = episodes[i].segments, [0.0] * len(row.ids)
        starts = [segment.start for segment in segments]
        for at in (at for at, sampled in enumerate(row.mask) if sampled):
            of_row[at] = segments[bisect(starts, seen[i]) - 1].gain
            seen[i] += 1
        gains.append(of_row)
    return gains
