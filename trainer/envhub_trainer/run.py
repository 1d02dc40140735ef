"""A run in progress.

One timed method per stage of the loop.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import torch
from safetensors import SafetensorError

import envhub
from envhub.core.types import Task
from envhub_trainer import checkpoint, lora
from envhub_trainer.batch import Batch
from envhub_trainer.config import Config
from envhub_trainer.conversations import heard
from envhub_trainer.evaluate import evaluate
from envhub_trainer.group import Group
from envhub_trainer.hub import HubError
from envhub_trainer.league import League
from envhub_trainer.policy import Policy, Sampling
from envhub_trainer.probe import probe
from envhub_trainer.rewards import UNDEFINED
from envhub_trainer.rollout import Player, Rollouts, Tasks, seed_of
from envhub_trainer.schedule import stage
from envhub_trainer.skips import Skip, Skips
from envhub_trainer.update import Learner
from envhub_trainer.watch.measures import error_code, measures
from envhub_trainer.watch.track import Track


@dataclass
class Run:
    """A run in progress.

    Attributes:
        config: The run's configuration.
        learner: Updates the weights.
        policy: Samples actions.
        player: Plays episodes.
        rollouts: Provides the groups of each step.
        stream: The training tasks.
        track: The log.
        held_out: Tasks of the evaluations.
        skips: The steps that updated no weights.
        league: Frozen opponents of self-play; None without any.
        step: Number of completed steps.
        stopping: True once a stop was requested.
    """

    config: Config
    learner: Learner
    policy: Policy
    player: Player
    rollouts: Rollouts
    stream: Tasks
    track: Track
    held_out: Sequence[Task]
    skips: Skips
    league: League | None = None
    step: int = 0
    stopping: bool = False
    _spent: dict[str, float] = field(default_factory=dict)
    _told: dict[str, float] = field(default_factory=dict)
    _batch: Batch | None = None
    _unsaved: bool = False
    _since: float = field(default_factory=perf_counter)

    async def sample(self) -> list[Group]:
        """Wait for the next step's groups; HubError if none could be judged."""
        began = perf_counter()
        self.learner.temperature = stage(self.config, self.step).temperature
        await self.policy.forget()  # probes and evaluations, which a resumed run does not repeat
        row = self.learner.algorithm
        groups = await self.rollouts.take(
            lambda group: not group.comparable or row.keeps(group.learned),
            self.config.rollout.refills if row.refill else 0,
        )
        self._spent["wait"] = perf_counter() - began
        failures = [episode.error or "" for group in groups for episode in group.episodes]
        if all(failures) and not any(failure.startswith(UNDEFINED) for failure in failures):
            failure = failures[0]
            raise HubError(
                f"No episode of step {self.step + 1} could be judged ({failure}). The run stops here. Run the same command to "
                "resume from its last checkpoint."
            )
        if self.config.rollout.permute_rewards:
            permute_rewards(groups, seed_of(self.config.run.seed, self.step))
        return groups

    async def learn(self, batch: Batch | Skip) -> dict[str, float]:
        """Update the weights; StuckError after too many steps without an update."""
        self._batch = None if isinstance(batch, Skip) else batch
        began = perf_counter()
        try:
            return self._skipped(batch) if isinstance(batch, Skip) else await self._learned(batch)
        except FloatingPointError:
            return self._skipped(Skip.NONFINITE)
        finally:
            self._spent["update"] = perf_counter() - began

    async def _learned(self, batch: Batch) -> dict[str, float]:
        if self.config.rollout.staleness:
            learned = await asyncio.to_thread(self.learner.learn, batch, self.step)
        else:
            learned = self.learner.learn(batch, self.step)
        self.skips.reset()
        return learned

    def _skipped(self, why: Skip) -> dict[str, float]:
        self.track.event(self.step + 1, self.skips.add(why))
        return {"skipped": 1.0, f"skipped/{why}": 1.0}

    async def sync(self) -> None:
        """Sync the weights; PolicyError unless the policy then samples from them."""
        began = perf_counter()
        self.learner.renew_reference(self.step)
        await self.policy.sync(lora.deployed(self.learner.model, self.config), self.step)
        if self.league is not None:
            await self.league.advance(self.learner.model, self.step)
        if self.step % self.config.policy.probe_every == 0:
            await self._probe()
        self._spent["sync"] = perf_counter() - began

    async def _probe(self) -> None:
        task = self.held_out[0]
        options = {"wording": task.wording, "observation": self.config.tasks.observation}
        images = envhub.begin(task, **options).episode.pictures()
        ids = self.player.renderer(task).opening([heard("user", task.prompt, images)])
        settings = self.config.policy
        tolerance = settings.tolerance or (0.2 if self.config.low_precision else 1e-4)
        sampling = Sampling(min(8, self.config.rollout.max_tokens), self.config.rollout.temperature)
        fits = ids[: self.policy.context - sampling.max_tokens]
        self._told["probe"] = await probe(self.policy, self.learner.model, fits, sampling, tolerance)

    async def evaluate(self) -> dict[str, float]:
        """Measure success on held-out tasks."""
        settings = self.config.evaluate
        told: dict[str, float] = {f"{settings.split}/episodes": len(self.held_out)}
        for name, score in (await evaluate(self.player, self.held_out, settings.greedy, settings.k)).items():
            told[f"{settings.split}/{name}"] = score.share
            if name == "sampled" and settings.k > 1:
                told[f"{settings.split}/pass@{settings.k}"] = score.passes(settings.k).mean
            for place, part in score.places().items() if len(score.places()) > 1 else ():
                level = "" if place.level is None else f"/level/{place.level}"
                told[f"{settings.split}/{name}/{place.env_id}{level}"] = part.share
            if score.failed:
                told[f"{settings.split}/{name}_failed"] = score.failed
        return told

    def due(self, every: int) -> bool:
        """Whether something due every ``every`` steps and at the end is due."""
        return every > 0 and (self.step % every == 0 or self.step == self.config.run.steps)

    def log(self, groups: Sequence[Group], values: Mapping[str, float]) -> None:
        """Log a step."""
        now = perf_counter()
        wall, self._since = now - self._since, now
        told = measures(groups, self.step - 1)
        if told.get("masked"):
            self.track.event(self.step, _failures(groups))
        sampled = sum(episode.sampled for group in groups for episode in group.episodes)
        speed = {
            "seconds": wall,
            "sampled_per_s": sampled / wall,
            "trained_per_s": values.get("tokens", 0.0) / wall,
            "episodes_per_s": sum(len(group.episodes) for group in groups) / wall,
            "idle_trainer": self._spent.get("wait", 0.0) / wall,
            "replaced": float(self.rollouts.replaced),
            "overtaking": float(self.rollouts.overtaking),
            "memory_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
            **gpu_memory(self.learner.device),
            **self._told,
        }
        self._told = {}
        if "fed" in values:  # forward and backward take six operations per weight and token
            speed["update_tflops"] = 6e-12 * self.learner.size * values["fed"] / self._spent["update"]
        self.track.log(
            self.step, {**told, **values, **speed, **{f"seconds/{name}": s for name, s in self._spent.items()}}
        )
        self.track.episodes(self.step, groups, self._batch)

    def save(self, due: bool) -> None:
        """Write a checkpoint if due; after failure the next step retries."""
        if not (due or self._unsaved):
            return
        try:
            self._save(self.config.run.folder / "checkpoints")
            self._unsaved = False
        except (OSError, RuntimeError, SafetensorError) as error:
            self._unsaved = True
            kept = checkpoint.latest(self.config.run.folder / "checkpoints")
            self.track.event(
                self.step,
                f"checkpoint failed: {error}. {kept.name if kept else 'None'} is kept; the next step tries again.",
            )
            if self.stopping or self.step == self.config.run.steps:
                raise

    def _save(self, folder: Path) -> None:
        last = checkpoint.latest(folder)
        if last is not None and last.name == f"step-{self.step:06d}":
            return
        checkpoint.save(
            folder,
            self.step,
            self.learner.model,
            self.player.tokenizer,
            {**self.learner.state_dict(), "league": self.league.state_dict() if self.league else []},
            {"rollouts": self.rollouts.state_dict(), "stream": self.stream.state_dict()},
        )
        checkpoint.prune(folder, self.config.run.keep)


def gpu_memory(device: torch.device) -> dict[str, float]:
    """Peak GPU memory since the last call in GiB, if any."""
    if device.type != "cuda":
        return {}
    used = {
        "gpu_memory_gb": torch.cuda.max_memory_allocated(device) / 2**30,
        "gpu_memory_reserved_gb": torch.cuda.max_memory_reserved(device) / 2**30,
    }
    torch.cuda.reset_peak_memory_stats(device)
    return used


def _failures(groups: Sequence[Group]) -> str:
    """A sentence on the episodes of a step that failed."""
    episodes = [episode for group in groups for episode in group.episodes]
    codes = Counter(error_code(episode.error) for episode in episodes if episode.error is not None)
    counts = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    return f"masked: {codes.total()} of {len(episodes)} episodes could not be played or judged ({counts})."


def permute_rewards(groups: Sequence[Group], seed: int) -> None:
    """Shuffle rewards between episodes, to find gains that they do not cause."""
    everything = [
        episode for group in groups for episode in [*group.sound, *group.beside] if episode is not group.greedy
    ]
    episodes = [episode for episode in everything if episode.error is None and episode.rows[-1].rewards]
    rewards = [episode.reward for episode in episodes]
    order = torch.randperm(len(episodes), generator=torch.Generator().manual_seed(seed)).tolist()
    for episode, other in zip(episodes, order, strict=True):
        for row in episode.rows:
            row.rewards[:] = [0.0] * len(row.rewards)
        episode.rows[-1].rewards[-1] = rewards[other]
