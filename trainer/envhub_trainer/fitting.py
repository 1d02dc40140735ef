"""Checks and says how the settings of a run fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from envhub_trainer.algorithms import Algorithm
from envhub_trainer.config import Config, ConfigError


def check(config: Config, row: Algorithm) -> None:
    """Raise ConfigError if techniques lack something that they need, or exclude others."""
    for problem in (
        *_forks(config, row),
        *_stages(config),
        *_tasks(config, row),
        *_league(config),
        *_reference(config, row),
    ):
        raise ConfigError(problem)


def numerics(config: Config, row: Algorithm) -> str:
    """A sentence on the precision of the sampler and of the update."""
    sampler = config.model.dtype if config.policy.kind == "hf" else "vLLM's own kernels"
    corrected = (
        f"The difference is corrected by {row.correct}; algorithm.tis sets its cap, 0 turns it off."
        if row.correct
        else "The difference is not corrected, because algorithm.tis is 0."
    )
    return f"numerics: the update computes in bfloat16 and the sampler in {sampler}. {corrected}"


def _forks(config: Config, row: Algorithm) -> Iterator[str]:
    name = config.algorithm.name
    if row.forks and config.rollout.size < 2:
        yield f"algorithm: {name} needs rollout.size of at least 2: other episodes estimate the first state."
    if row.forks and any(_self_play(config)):
        yield f"algorithm: {name} continues episodes of one seat; self-play has one for each seat."


def _stages(config: Config) -> Iterator[str]:
    for one, other in pairwise(config.stage):
        if one.step >= other.step:
            yield f"stage: the steps of stages must rise, got {one.step} before {other.step}."
    for each in config.stage:
        for name in ("context", "max_tokens"):
            most = getattr(config.rollout, name)
            if each.changes.get(name, 0) > most:
                yield f"stage: {name} must be at most rollout.{name}, {most}; got {each.changes[name]}."


def _tasks(config: Config, row: Algorithm) -> Iterator[str]:
    selection = config.selection
    if config.tasks.pool and (selection.repeat or selection.candidates > 1):
        yield "selection: a pool has fixed tasks, so tasks.pool excludes selection.repeat and candidates."
    if config.replay.episodes and row.on_policy:
        name = config.algorithm.name
        yield f"replay: {name} has no importance ratio, and earlier successes are old; set algorithm.importance."
    if config.replay.episodes and not (selection.repeat or config.tasks.pool):
        yield "replay: tasks must occur again; set selection.repeat, such as 0.25, or tasks.pool."


def _league(config: Config) -> Iterator[str]:
    if not config.league.share:
        return
    if not any(_self_play(config)):
        yield "league: no environment of tasks.environments is played against itself; set its opponent to 'self'."
    if config.policy.kind != "hf" or config.lora is not None:
        yield "league: frozen opponents need policy.kind = 'hf', without [lora]."
    if config.demonstrations.used:
        yield "league: a demonstrator plays every seat, so there are no frozen opponents with demonstrations."
    if config.rollout.size < 4:
        yield "league: rollout.size must be at least 4, so that two games of each seat are compared."


def _reference(config: Config, row: Algorithm) -> Iterator[str]:
    if config.optimizer.reference_reset and config.lora is not None:
        yield "optimizer.reference_reset: with [lora] the reference is the base model, which does not change."
    if config.optimizer.reference_reset and not row.needs_ref:
        yield f"optimizer.reference_reset: {config.algorithm.name} has no reference model; set algorithm.kl."


def _self_play(config: Config) -> Iterator[bool]:
    for settings in config.tasks.environments.values():
        yield isinstance(settings, Mapping) and settings.get("opponent") == "self"
