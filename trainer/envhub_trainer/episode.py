"""What a rollout leaves behind: rows of tokens that only ever grow, and what the episode earned.

A :class:`Row` is one context of the policy: token ids with, for each of them, whether the policy sampled it, its
log-probability at that moment and the version of the weights that sampled it. Text is rendered into a row once and
never
again: what the policy sampled stays the ids it sampled. An :class:`Episode` is usually one row; a chat template that
    rewrites
history (as those do that drop ``<think>`` from earlier turns) makes it several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

GIVEN = -1
"""The version of a token that no policy sampled."""
_SEATS = 1 << 8
"""More than any game has."""


@dataclass(slots=True)
class Row:
    """Token ids and what is known of each; the four lists have the same length at all times.

    Attributes:
        ids: Token ids, prompt and observations and actions in the order in which the policy saw them.
        mask: 1 where the policy sampled the token, 0 where it was given.
        logps: Natural log-probability of a sampled token under the policy that sampled it, at the sampling temperature;
            0.0 where it was given.
        versions: Version of the weights that sampled the token; :data:`GIVEN` where it was given.
        ends: Position of the last sampled token of every turn.
        rewards: What was paid after that turn.
    """

    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)

    def give(self, ids: Sequence[int]) -> None:
        """Append tokens that the policy reads and did not write."""
        self.ids += ids
        self.mask += [0] * len(ids)
        self.logps += [0.0] * len(ids)
        self.versions += [GIVEN] * len(ids)
        self.check()

    def take(self, ids: Sequence[int], logps: Sequence[float], versions: Sequence[int]) -> None:
        """Append tokens that the policy sampled, as a turn.

        Raises:
            ValueError: There are none, or not as many log-probabilities or versions.
        """
        if not ids:
            raise ValueError("A turn has at least one sampled token, got none.")
        self.ids += ids
        self.mask += [1] * len(ids)
        self.logps += logps
        self.versions += versions
        self.ends.append(len(self.ids) - 1)
        self.rewards.append(0.0)
        self.check()

    def pay(self, reward: float) -> None:
        """Add what the last turn earned."""
        self.rewards[-1] += reward

    def cut(self) -> None:
        """Drop what was given after the last action: nobody answers it any more."""
        if self.ends:
            beyond = self.ends[-1] + 1
            del self.ids[beyond:], self.mask[beyond:], self.logps[beyond:], self.versions[beyond:]

    def check(self) -> None:
        """Raises ValueError if the lists have come apart."""
        lengths = {len(self.ids), len(self.mask), len(self.logps), len(self.versions)}
        if len(lengths) != 1 or len(self.ends) != len(self.rewards):
            raise ValueError(
                f"A row has one mask, log-probability and version a token, got {len(self.ids)} ids, {len(self.mask)} masks, "
                f"{len(self.logps)} log-probabilities and {len(self.versions)} versions."
            )

    @property
    def sampled(self) -> int:
        """How many of its tokens the policy sampled."""
        return sum(self.mask)


@dataclass(slots=True)
class Turn:
    """One exchange as text, for people to read.

    Attributes:
        observation: What the policy was told.
        action: What it answered.
        reward: What that was paid; NaN if it could not be judged.
        row: Which of the episode's rows holds its tokens.
        end: The position there of its last sampled token.
    """

    observation: str
    action: str
    reward: float
    row: int
    end: int


@dataclass(slots=True)
class Episode:
    """One episode of the policy in an environment; in self-play, of one seat.

    Attributes:
        env_id: The environment.
        difficulty: The level of its task, if a level chose it.
        task: The task's key as JSON values, enough to play it again.
        group: Number of the group of episodes with the same task.
        rows: Its contexts; only the last grows.
        turns: What was said.
        solved: Whether the problem was solved; None if that could not be said.
        components: Parts of the verdict, such as ``format``.
        truncated: The policy ran out of tokens, or the episode out of turns.
        overlong: The policy ran out of tokens.
        error: Why the episode is not to be learned from: the hub could not judge or could not be reached.
        rewritten: How often a template rewrote history, so that a new row began.
        seconds: Where the time went: ``policy`` and ``environment``.
        shaped: What reward shaping adds to the return.
        seat: Which seat of a game the policy plays here, where it has every seat and a conversation for each; else None.
    """

    env_id: str
    difficulty: int | None
    task: Mapping[str, Any]
    group: int
    rows: list[Row] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    solved: bool | None = None
    components: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    overlong: bool = False
    error: str | None = None
    rewritten: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    shaped: float = 0.0
    seat: int | None = None

    @property
    def peers(self) -> int:
        """What is the same number for the episodes that this one is compared with: its group's, and there its seat's."""
        return self.group if self.seat is None else -1 - (self.group * _SEATS + self.seat)

    @property
    def reward(self) -> float:
        """The return: the sum of all turns' rewards, undiscounted, and the shaping."""
        return sum(sum(row.rewards) for row in self.rows) + self.shaped

    @property
    def sampled(self) -> int:
        """How many tokens the policy sampled."""
        return sum(row.sampled for row in self.rows)
