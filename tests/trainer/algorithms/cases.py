"""Two fixed batches for the golden values: ragged, with holes in the mask, written as plain lists.

A :class:`Case` has everything that an algorithm may read, with figures also where the mask is 0, so that a formula that reads
them there comes out differently. Figures come from ``random.Random(seed).random()``, whose values Python promises to keep.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

SEEDS = (5, 118)
"""Such that tokens of both signs lie below, within and above the usual clips (a test says so)."""

_GROUPS = {
    7: ("110111", "1|011011", "1", "1101"),  # unequal lengths; an episode of two rows; a row of one token
    3: ("111", "10011", "11011"),  # all rewards equal
    12: ("1011", "01101111"),
    5: ("11",),  # an episode alone in its group
}
"""The masks of each group's episodes, ``|`` between the rows of one."""

NEAR = 4
"""The row whose old log-probabilities are within 2e-4 of the new: inside even the clip range of GSPO."""


@dataclass(frozen=True)
class Row:
    """One row; every list has one entry a prediction."""

    episode: int
    mask: list[int]
    logp: list[float]
    old: list[float]
    behaviour: list[float]
    ref: list[float]
    value: list[float]
    new_value: list[float]
    entropy: list[float]
    reward: list[float]
    chosen: list[int]
    process: list[float]
    gain: list[float]

    @property
    def sampled(self) -> list[int]:
        """Where the mask is 1."""
        return [t for t, m in enumerate(self.mask) if m]


@dataclass(frozen=True)
class Case:
    """A batch; the lists of episodes have one entry an episode."""

    rows: list[Row]
    score: list[float]
    group: list[int]
    included: list[bool]
    greedy: list[float]
    baseline: list[float]
    max_tokens: int

    def rows_of(self, episode: int) -> list[Row]:
        """The rows of an episode, in their order."""
        return [row for row in self.rows if row.episode == episode]

    def length(self, episode: int) -> int:
        """How many tokens of an episode were sampled."""
        return sum(len(row.sampled) for row in self.rows_of(episode))


def case(seed: int) -> Case:
    """The batch of a seed."""
    random, later = Random(seed), Random(1000 + seed)  # what was added later leaves the older figures alone
    gains = Random(2000 + seed)

    def near(centre: list[float], width: float) -> list[float]:
        return [x + width * (2 * random.random() - 1) for x in centre]

    episodes = [(group, masks) for group, members in _GROUPS.items() for masks in members]
    episodes = episodes[::2] + episodes[1::2]  # groups do not lie side by side
    rows: list[Row] = []
    scores: list[float] = []
    for number, (group, masks) in enumerate(episodes):
        scores.append(0.1 if group == 3 else round(2 * random.random() - 0.5, 2))
        of_episode: list[Row] = []
        for text in masks.split("|"):
            mask = [int(m) for m in text]
            zeros = [0.0] * len(mask)
            logp = [-0.05 - 2.5 * random.random() for _ in mask]
            old = near(logp, 2e-4 if len(rows) + len(of_episode) == NEAR else 0.9)
            ends = [t for t, m in enumerate(mask) if m and mask[t + 1 : t + 2] != [1]]
            reward = [0.25 if t in ends and random.random() < 0.5 else 0.0 for t in range(len(mask))]
            behaviour = [x * m for x, m in zip(near(old, 0.9), mask, strict=True)]
            chosen = [int(bool(m) and random.random() < 0.25) for m in mask]
            of_episode.append(
                Row(
                    number,
                    mask,
                    logp,
                    old,
                    behaviour,
                    ref=near(logp, 0.5),
                    value=(value := near(zeros, 1.0)),
                    new_value=near(value, 0.5),
                    entropy=[2 * random.random() for _ in mask],
                    reward=reward,
                    chosen=chosen,
                    process=[later.random() - 0.5 for _ in mask],
                    gain=[2 * gains.random() - 1 for _ in mask],
                )
            )
        last = of_episode[-1]
        paid = sum(sum(row.reward) for row in of_episode)
        last.reward[last.sampled[-1]] += scores[-1] - paid  # the turns' rewards add up to the score
        rows += of_episode
    return Case(
        rows,
        scores,
        [group for group, _ in episodes],
        [True] * len(episodes),
        greedy=[round(random.random(), 2) for _ in episodes],
        baseline=[later.random() for _ in episodes],
        max_tokens=20,  # not the width of the batch
    )
