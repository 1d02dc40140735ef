"""Rewards of a run by name: the ``[[reward]]`` entries of its file.

::

    [[reward]]
    name = "accuracy"

    [[reward]]
    name = "repetition"
    weight = 0.5
    n = 4                       # every other key is an argument of the reward

Entries replace the hub's reward: the return of an episode is their weighted sum. They reach everything in
:mod:`envhub.rewards`, in five kinds:

- of an episode's sample (:data:`SAMPLES`), or with ``each = "turn"`` of the sample of each turn;
- of a group's samples (:data:`GROUPS`);
- credit by turn (:data:`TURNS`), from the hub's own reward of each turn;
- confidence of the policy (:data:`CONFIDENCE`), from its distributions over the whole vocabulary at temperature 1;
- ``judge``, a generative judge with a list of criteria: the share of them that is met.

A reward that is undefined (NaN, such as a majority vote that is tied) excludes its episode from learning, with the error
``undefined``; it is never taken as 0. Self-play games keep their payoffs.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import envhub
from envhub import rewards as pieces
from envhub.core.types import Task, Verdict
from envhub.rewards import Sample
from envhub.verifiers.judge.judge import Endpoint, Judge
from envhub_trainer.algorithms.checks import one_of
from envhub_trainer.config import ConfigError, RewardConfig
from envhub_trainer.episode import Episode, Turn
from envhub_trainer.group import Group
from envhub_trainer.hub import environment_of
from envhub_trainer.policy import Policy

UNDEFINED: Final = "undefined"
"""The code of the error of an episode whose reward is NaN."""

Values = list[list[float]]
"""For each episode of a group, the reward of each of its turns."""
Entry = Callable[[Group, Policy], Awaitable[Values]]

SAMPLES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "accuracy": pieces.Accuracy,
        "outcome": pieces.Outcome,
        "components": pieces.WeightedReward,
        "think_answer": pieces.ThinkAnswer,
        "language": pieces.Language,
        "within": pieces.Within,
        "overlong": pieces.Overlong,
        "exact_budget": pieces.ExactBudget,
        "max_budget": pieces.MaxBudget,
        "cosine_length": pieces.CosineLength,
        "repetition": pieces.Repetition,
        "gated_turns": pieces.GatedTurns,
        "sequence_log_prob": pieces.SequenceLogProb,
    }
)
"""Rewards of one sample, by name."""


def _scores(samples: Sequence[Sample]) -> list[float]:
    return [math.nan if sample.verdict.score is None else sample.verdict.score for sample in samples]


def _vote(samples: Sequence[Sample], task: Task) -> list[float]:
    return pieces.majority_vote(samples, environment_of(task).answer)


def _relative(samples: Sequence[Sample], task: Task) -> list[float]:
    return pieces.relative_length(samples)


def _max_at_k(samples: Sequence[Sample], task: Task, k: int) -> list[float]:
    return pieces.max_at_k_rewards(_scores(samples), k)


def _marginal_at_k(samples: Sequence[Sample], task: Task, k: int) -> list[float]:
    return pieces.marginal_at_k_rewards(_scores(samples), k)


GROUPS: Final[Mapping[str, Callable[..., list[float]]]] = MappingProxyType(
    {
        "majority_vote": _vote,
        "max_at_k": _max_at_k,
        "marginal_at_k": _marginal_at_k,
        "relative_length": _relative,
    }
)
"""Rewards of a group of samples and their task, by name."""

TURNS: Final[Mapping[str, Callable[..., list[float]]]] = MappingProxyType(
    {"discounted_returns": pieces.discounted_returns, "min_form_returns": pieces.min_form_returns}
)
"""Returns of each turn from the rewards of all turns, by name."""

CONFIDENCE: Final = ("self_certainty", "negative_entropy")
"""Rewards that need the policy's distributions."""

JUDGE: Final = "judge"


@dataclass(frozen=True)
class Rewards:
    """The rewards of a run; without entries, the hub's.

    Attributes:
        entries: Configuration of each, and what computes it.
    """

    entries: tuple[tuple[RewardConfig, Entry], ...] = ()

    async def score(self, groups: Sequence[Group], policy: Policy) -> None:
        """Replace the rewards of finished groups."""
        for group in groups:
            if self.entries and group.sound and group.sound[0].seat is None:
                await self._score(group, policy)

    async def _score(self, group: Group, policy: Policy) -> None:
        found = [(config, await entry(group, policy)) for config, entry in self.entries]
        for at, episode in enumerate(group.episodes):
            if episode.error is None:
                _pay(episode, [(config, values[at]) for config, values in found])
        for episode in group.beside:
            if episode.error is None:
                alone = Group(group.number, group.task, [episode])
                _pay(episode, [(config, (await entry(alone, policy))[0]) for config, entry in self.entries])


def rewards(configs: Sequence[RewardConfig], size: int) -> Rewards:
    """The rewards of some entries and a group size; ConfigError if invalid."""
    for config in configs:
        if config.name in GROUPS and config.arguments.get("k", 1) > size:
            raise ConfigError(f"reward {config.name}: k must be at most rollout.size, {size}.")
    return Rewards(tuple((config, _entry(config)) for config in configs))


def sample(episode: Episode, turn: Turn | None = None) -> Sample:
    """What rewards see of an episode, or of one of its turns."""
    if episode.error is not None:
        return Sample(Verdict.failed("error", episode.error))
    turns = episode.turns if turn is None else [turn]
    sampled = [place for each in turns for place in _sampled(episode, each)]
    rows = episode.rows
    return Sample(
        episode.verdict or Verdict.no_answer("unfinished", ""),
        text=turns[-1].action if turns else "",
        length=len(sampled),
        token_ids=[rows[row].ids[at] for row, at in sampled],
        log_probs=[rows[row].logps[at] for row, at in sampled],
        turn_rewards=[each.reward for each in episode.turns[:-1]],
    )


def _sampled(episode: Episode, turn: Turn) -> list[tuple[int, int]]:
    """Row and position of each token of a turn."""
    row = episode.rows[turn.row]
    start = max((end + 1 for end in row.ends if end < turn.end), default=0)
    return [(turn.row, at) for at in range(start, turn.end + 1) if row.mask[at]]


def _pay(episode: Episode, parts: Sequence[tuple[RewardConfig, Sequence[float]]]) -> None:
    """Set an episode's rewards to the weighted sum of its parts."""
    for config, values in parts:
        if any(map(math.isnan, values)):
            episode.error = f"{UNDEFINED}: the reward {config.name} is not defined here"
            return
    score = episode.verdict.score if episode.verdict is not None else 0.0
    paid = [config for config, _ in parts if config.gate is None or (score or 0.0) >= config.gate]
    for row in episode.rows:
        row.rewards[:] = [0.0] * len(row.rewards)
    for at, turn in enumerate(episode.turns):
        turn.reward = math.fsum(config.weight * values[at] for config, values in parts if config in paid)
        row = episode.rows[turn.row]
        row.rewards[row.ends.index(turn.end)] = turn.reward


def _at_end(episode: Episode, value: float) -> list[float]:
    """A reward of the whole episode, paid at its last turn."""
    return [0.0] * (len(episode.turns) - 1) + [value] * bool(episode.turns)


def _entry(config: RewardConfig) -> Entry:
    """What computes an entry; ConfigError if name or arguments are invalid."""
    try:
        one_of("reward", "name", config.name, [*SAMPLES, *GROUPS, *TURNS, *CONFIDENCE, JUDGE])
        if config.each == "turn" and config.name not in SAMPLES:
            raise ValueError(f"{config.name} is not a reward of one sample, so each must be 'episode'.")
        make = next(made for names, made in _KINDS if config.name in names)
        return make(config.name, config.each, **config.arguments)
    except (TypeError, ValueError, envhub.EnvhubError) as error:
        raise ConfigError(f"reward {config.name}: {error}") from None


def _of_samples(name: str, each: str, **arguments: Any) -> Entry:
    reward = SAMPLES[name](**arguments)

    async def entry(group: Group, policy: Policy) -> Values:
        if each == "turn":
            return [[reward(sample(episode, turn)) for turn in episode.turns] for episode in group.episodes]
        return [_at_end(episode, reward(sample(episode))) for episode in group.episodes]

    return entry


def _of_group(name: str, each: str, **arguments: Any) -> Entry:
    signature(GROUPS[name]).bind([], None, **arguments)  # a wrong argument is an error now

    async def entry(group: Group, policy: Policy) -> Values:
        samples = [sample(episode) for episode in group.episodes]
        values = GROUPS[name](samples, group.task, **arguments)
        return [_at_end(episode, value) for episode, value in zip(group.episodes, values, strict=True)]

    return entry


def _of_turns(name: str, each: str, **arguments: Any) -> Entry:
    """Rewards that add up to the function's returns."""

    async def entry(group: Group, policy: Policy) -> Values:
        found = []
        for episode in group.episodes:
            returns = TURNS[name]([turn.reward for turn in episode.turns], **arguments)
            found.append([now - later for now, later in pairwise([*returns, 0.0])])
        return found

    return entry


def _of_confidence(name: str, each: str) -> Entry:
    async def entry(group: Group, policy: Policy) -> Values:
        values = await policy.confidence(group.episodes)
        return [_at_end(episode, getattr(value, name)) for episode, value in zip(group.episodes, values, strict=True)]

    return entry


def _of_judge(name: str, each: str, *, url: str, model: str, criteria: Sequence[str], **more: Any) -> Entry:
    judge = Judge(Endpoint(url, model, **more))
    if not criteria:
        raise ValueError("a judge needs criteria, a list of texts.")

    async def share(task: Task, episode: Episode) -> float:
        if episode.error is not None:
            return math.nan
        text = episode.turns[-1].action
        try:
            judged = await judge.adecide("rubric", question=task.prompt, criteria=list(criteria), candidate=text)
        except envhub.EnvhubError:
            return math.nan
        return sum(judged.decision or []) / len(criteria)

    async def entry(group: Group, policy: Policy) -> Values:
        return [_at_end(episode, await share(group.task, episode)) for episode in group.episodes]

    return entry


_KINDS: Final[tuple[tuple[Sequence[str] | Mapping[str, Any], Callable[..., Entry]], ...]] = (
    (SAMPLES, _of_samples),
    (GROUPS, _of_group),
    (TURNS, _of_turns),
    (CONFIDENCE, _of_confidence),
    ((JUDGE,), _of_judge),
)
