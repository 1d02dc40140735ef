"""Results of a rollout: append-only rows of tokens, and rewards.

A :class:`Row` is one context of the policy: token ids with, for each of them, whether the policy sampled it, its
log-probability at that moment and the version of the weights that sampled it. Text is rendered into a row once and never
again: sampled tokens keep their ids. An :class:`Episode` is usually one row; a chat template that rewrites history (for
example, one that drops ``<think>`` from earlier turns) splits it into several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from envhub.core.types import Verdict
from envhub_trainer.vision import Seen, placed

GIVEN = -1
"""The version of a token that no policy sampled."""
_SEATS = 1 << 8
"""More seats than any game has."""


@dataclass(slots=True)
class Row:
    """Token ids with per-token data; the four lists always have equal length.

    Attributes:
        ids: Token ids, prompt and observations and actions in the order in which the policy saw them.
        mask: 1 where the policy sampled the token, 0 where it was given.
        logps: Natural log-probability of a sampled token under the policy that sampled it, at the sampling temperature;
            0.0 where it was given.
        versions: Version of the weights that sampled the token; :data:`GIVEN` where it was given.
        ends: Position of the last sampled token of every turn.
        rewards: Reward of that turn.
        pictures: What the row's negative ids stand for (:mod:`envhub_trainer.vision`).
    """

    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    pictures: list[Seen] = field(default_factory=list)

    def give(self, ids: Sequence[int]) -> None:
        """Append tokens that the policy did not sample."""
        self.ids += ids
        self.pictures += [seen for _, seen in placed(ids)]
        self.mask += [0] * len(ids)
        self.logps += [0.0] * len(ids)
        self.versions += [GIVEN] * len(ids)
        self.check()

    def take(self, ids: Sequence[int], logps: Sequence[float], versions: Sequence[int]) -> None:
        """Append tokens that the policy sampled, as a turn.

        Raises:
            ValueError: There are no tokens, or log-probabilities or versions differ from them in number.
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
        """Add the reward of the last turn."""
        self.rewards[-1] += reward

    def cut(self) -> None:
        """Drop the tokens given after the last action, which nothing answers."""
        if self.ends:
            beyond = self.ends[-1] + 1
            del self.ids[beyond:], self.mask[beyond:], self.logps[beyond:], self.versions[beyond:]

    def check(self) -> None:
        """Raise ValueError if the lists are inconsistent."""
        lengths = {len(self.ids), len(self.mask), len(self.logps), len(self.versions)}
        if len(lengths) != 1 or len(self.ends) != len(self.rewards):
            raise ValueError(
                f"A row has one mask, log-probability and version a token, got {len(self.ids)} ids, {len(self.mask)} masks, "
                f"{len(self.logps)} log-probabilities and {len(self.versions)} versions."
            )

    def copy(self) -> Row:
        """An independent copy."""
        return Row(*(list(getattr(self, each.name)) for each in fields(self)))

    @property
    def sampled(self) -> int:
        """Number of tokens the policy sampled."""
        return sum(self.mask)

    @property
    def lengths(self) -> list[int]:
        """Number of sampled tokens of each turn."""
        begins = [0, *(end + 1 for end in self.ends)]
        return [sum(self.mask[begin : end + 1]) for begin, end in zip(begins, self.ends, strict=False)]


@dataclass(slots=True)
class Turn:
    """One turn as text, for people to read.

    Attributes:
        observation: The observation.
        action: The policy's answer.
        reward: The turn's reward; NaN if it could not be judged.
        row: Index of the episode's row that holds its tokens.
        end: Position of its last sampled token in that row.
    """

    observation: str
    action: str
    reward: float
    row: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an episode's sampled tokens that share their credit.

    It ends where the next one starts, the last one with the episode.

    Attributes:
        start: Number of the episode's sampled tokens before it.
        gain: Change of the expected return over the segment.
    """

    start: int
    gain: float


@dataclass(slots=True)
class Episode:
    """One episode of the policy in an environment.

    In self-play, of one seat.

    Attributes:
        env_id: The environment.
        difficulty: The level of its task; None if the task was not chosen by level.
        task: The task's key as JSON values, sufficient to replay it.
        group: Number of the group of episodes with the same task.
        rows: Its contexts; only the last one grows.
        turns: Its turns as text.
        solved: Whether the problem was solved; None if unknown.
        verdict: The verdict; None without one, as when the context was full.
        components: Components of the verdict, such as ``format``.
        truncated: The policy ran out of tokens, or the episode out of turns.
        overlong: The policy ran out of tokens.
        error: Why the episode is excluded from learning: the hub could not judge it or could not be reached.
        rewritten: How often a template rewrote history and a new row began.
        seconds: Time spent in ``policy`` and ``environment``.
        shaped: Amount that reward shaping adds to the return.
        seat: In self-play, the seat of this episode's conversation; else None.
        budget: Maximum number of tokens that the policy may sample in it, over all turns; 0 if unknown.
        segments: Its credit from forks, in order; empty without forks.
    """

    env_id: str
    difficulty: int | None
    task: Mapping[str, Any]
    group: int
    rows: list[Row] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    solved: bool | None = None
    verdict: Verdict | None = None
    components: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    overlong: bool = False
    error: str | None = None
    rewritten: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    shaped: float = 0.0
    seat: int | None = None
    budget: int = 0
    segments: list[Segment] = field(default_factory=list)

    @property
    def peers(self) -> int:
        """Id shared by the episodes compared with this: same group and seat."""
        return self.group if self.seat is None else -1 - (self.group * _SEATS + self.seat)

    @property
    def reward(self) -> float:
        """The return: the undiscounted sum of all turns' rewards, plus shaping."""
        return sum(sum(row.rewards) for row in self.rows) + self.shaped

    @property
    def sampled(self) -> int:
        """Number of tokens the policy sampled."""
        return sum(row.sampled for row in self.rows)

    @property
    def lengths(self) -> list[int]:
        """Number of sampled tokens of each turn."""
        return [length for row in self.rows for length in row.lengths]

    def copy(self) -> Episode:
        """An independent copy, with the same rows and turns."""
        turns = [replace(turn) for turn in self.turns]
        return replace(self, rows=[row.copy() for row in self.rows], turns=turns, seconds=dict(self.seconds))


@dataclass(frozen=True, slots=True)
class Branch:
    """A continuation of an episode from one of its earlier states.

    Attributes:
        of: Index of the continued episode in its group.
        start: Number of sampled tokens that both share; the continuation's own tokens follow.
        episode: The continuation, with the shared tokens.
    """

    of: int
    start: int
    episode: Episode
