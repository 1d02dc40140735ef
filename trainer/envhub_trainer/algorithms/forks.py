"""Credit from forks: the measured values of an episode's states.

The hub forks an episode in progress, so the value of a state can be measured instead of learned: it is the mean return of
continuations that the policy plays from there (:mod:`envhub_trainer.forking`). :class:`Forks` chooses the states and turns the
returns into the gain of each stretch of tokens; :class:`Gains` makes them advantages.

Returns are those of the whole episode, with what was earned before the state. States are numbered by the sampled tokens before
them: state 5 lies between the fifth and the sixth token that the policy sampled, across turns and rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import log, sqrt
from statistics import fmean

from torch import Tensor

from envhub_trainer.algorithms.checks import flag, one_of, required, within
from envhub_trainer.algorithms.masked import learned, whiten
from envhub_trainer.batch import Batch
from envhub_trainer.episode import Branch, Episode, Segment

PLACES = ("turns", "segments", "surprising")
_LIKELY = 0.9
"""Tokens less likely than this are where an action can go another way (SPO's rho)."""


@dataclass(frozen=True)
class Forks:
    """Which states of an episode are continued, and how often.

    An episode costs at most ``states * continuations`` further ones from there to the end.

    Sources: ``turns`` and ``tree = False``: Kazemnejad et al. 2024, VinePPO (2410.01679), equations 6 and 7, with turns as
    steps. ``segments``: Guo et al. 2025, "Segment Policy Optimization" (2505.23564), SPO-chain's cutpoints. ``surprising`` and
    ``tree = True``: Hou et al. 2025, TreeRL (2506.11902), EPTree and the sum of global and local advantage. In all of them
    the first state's value is the mean over the group instead of continuations of its own.

    Attributes:
        at: ``turns``: the starts of turns. ``segments``: after every ``cuts`` tokens that were less likely than 0.9.
            ``surprising``: before the least likely tokens.
        states: Maximum number of states per episode; of more, evenly spread ones are chosen.
        continuations: Number of continuations per state.
        cuts: Number of unlikely tokens per segment.
        tree: Continuations are learned from as well, and a state's value is over everything that passes through it.
    """

    at: str = "turns"
    states: int = 4
    continuations: int = 4
    cuts: int = 5
    tree: bool = False

    def __post_init__(self) -> None:
        one_of("Forks", "at", self.at, PLACES)
        within("Forks", "states", self.states, 1, whole=True)
        within("Forks", "continuations", self.continuations, 1, whole=True)
        within("Forks", "cuts", self.cuts, 1, whole=True)
        flag("Forks", "tree", self.tree)

    def choose(self, episode: Episode) -> list[int]:
        """Return the states of a finished episode to continue.

        In order; never its first state or its end.

        Worked example: turns of 3, 2 and 4 tokens: 3 and 5 with ``turns``. Tokens with probabilities .5, .99, .2, .6: 2 and 3
        with ``segments`` and ``cuts = 1``, 2 with ``surprising`` and ``states = 1``.
        """
        if self.at == "turns":
            return _spread(list(accumulate(episode.lengths))[:-1], self.states)
        rows = episode.rows
        logps = [logp for row in rows for logp, sampled in zip(row.logps, row.mask, strict=True) if sampled]
        if self.at == "surprising":
            return sorted(sorted(range(1, len(logps)), key=logps.__getitem__)[: self.states])
        unlikely = [at for at, logp in enumerate(logps) if logp < log(_LIKELY)]
        return _spread([at for at in unlikely[self.cuts :: self.cuts] if at], self.states)

    def credit(self, episodes: Sequence[Episode], branches: Sequence[Branch]) -> None:
        """Set ``segments`` of a group's episodes.

        In a tree also those of the continuations. Failed ones are left out: a state without a continuation that could be judged
        joins two segments.
        """
        by_state: dict[int, dict[int, list[Episode]]] = defaultdict(lambda: defaultdict(list))
        for branch in branches:
            if branch.episode.error is None:
                by_state[branch.of][branch.start].append(branch.episode)
        sound = {at: episode for at, episode in enumerate(episodes) if episode.error is None}
        if self.tree:
            leaves = [each.reward for each in sound.values()]
            leaves += [each.reward for at in sound for found in by_state[at].values() for each in found]
            for at, episode in sound.items():
                _tree(episode, by_state[at], fmean(leaves))
            return
        for at, episode in sound.items():
            others = [other.reward for number, other in sound.items() if number != at]
            _chain(episode, by_state[at], fmean(others or [episode.reward]))


def _spread(candidates: Sequence[int], most: int) -> list[int]:
    """At most ``most`` of them, evenly spread."""
    number = len(candidates)
    return list(candidates) if number <= most else [candidates[(2 * i + 1) * number // (2 * most)] for i in range(most)]


def _chain(episode: Episode, continued: Mapping[int, Sequence[Episode]], root: float) -> None:
    """VinePPO: a segment's gain is the difference of the values around it.

    Worked example: root 0.5, continuations of state 3 returned 1 and 0, 1, 1, the episode 1: 0.25 up to state 3, 0.25 after it.
    """
    states = sorted(continued)
    values = [root, *(fmean(each.reward for each in continued[state]) for state in states), episode.reward]
    episode.segments = [
        Segment(start, after - before) for start, (before, after) in zip([0, *states], pairwise(values), strict=True)
    ]


def _tree(episode: Episode, continued: Mapping[int, Sequence[Episode]], root: float) -> None:
    """TreeRL: global plus local advantage, over the square root of the leaves.

    (value - root value + value - value before) / sqrt(leaves below), of the state after the segment.

    Worked example: root 0.5; an episode returned 1 and its continuation of state 3 returned 0: the state has 2 leaves and
    value 0.5, so the gain is 0 up to it; after it 0.5 + 0.5 = 1 for the one and -1 for the other.
    """
    below = [episode.reward]
    values: dict[int, tuple[float, int]] = {}
    for state in sorted(continued, reverse=True):
        below += [each.reward for each in continued[state]]
        values[state] = fmean(below), len(below)
    trunk: list[Segment] = []
    start, before = 0, root
    for state in sorted(continued):
        value, leaves = values[state]
        trunk.append(Segment(start, (value - root + value - before) / sqrt(leaves)))
        start, before = state, value
        for each in continued[state]:
            each.segments = [*trunk, Segment(state, each.reward - root + each.reward - value)]
    episode.segments = [*trunk, Segment(start, episode.reward - root + episode.reward - before)]


@dataclass(frozen=True)
class Gains:
    """The advantage of a token is its segment's gain.

    Source: :class:`Forks`; whitening over the batch's sampled tokens as in PPO, whose critic VinePPO replaces.

    Worked example: segments of two tokens and of one with gains 1 and -2: 1, 1, -2; whitened 0.57735, 0.57735, -1.1547.

    Attributes:
        whiten: Whiten the advantages.
    """

    whiten: bool = False

    def __post_init__(self) -> None:
        flag("Gains", "whiten", self.whiten)

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage; ValueError without gains."""
        mask = learned(batch)
        gains = required(batch, "gain") * mask
        return batch.having(advantage=whiten(gains, mask) if self.whiten else gains)


def critical_mean(batch: Batch) -> Tensor:
    """The mean over sampled tokens that were less likely than 0.9.

    Other tokens have no weight. Which ones these are follows from the sampler's probabilities.

    Source: Guo et al. 2025, SPO (2505.23564), the probability mask of the policy's loss.

    Worked example: tokens with probabilities 0.5, 0.99 and 0.2: 1/2, 0, 1/2.
    """
    critical = batch.mask * (batch.behaviour < log(_LIKELY))
    return critical / critical.sum().clamp(min=1)
