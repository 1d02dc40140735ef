"""A run put together from its configuration, or taken up again where it stopped: model, policy, hub, tasks, learner, log.

A run's folder holds ``config.json``, ``log.jsonl`` and ``episodes.jsonl`` (:mod:`trainer.watch.track`), and ``checkpoints/``.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, Final

import torch
from torch import nn

import envhub
from envhub.types import Task
from trainer import checkpoint
from trainer.algorithms import Algorithm, algorithm
from trainer.batch import Batch
from trainer.config import Config, ConfigError, TasksConfig
from trainer.evaluate import Score, evaluate
from trainer.hub import open_hub
from trainer.models import load_model, load_tokenizer
from trainer.policy import Policy, Sampling
from trainer.policy.hf import HfPolicy
from trainer.probe import probe
from trainer.render import Renderer
from trainer.rollout import Group, Player, Rollouts, seed_of
from trainer.update import Learner
from trainer.watch.measures import measures
from trainer.watch.track import Track

_FREE: Final = {
    "run": {"folder", "steps", "save_every", "keep", "threads"},
    "track": None,
    "evaluate": None,
    "policy": None,
}
"""What may differ when a run is taken up again; None is the whole section."""


@dataclass
class Run:
    """A run in progress: what the loop drives.

    Attributes:
        config: As given.
        learner: Learns.
        policy: Samples.
        player: Plays.
        rollouts: The groups that training takes.
        stream: The tasks.
        track: The log.
        held_out: Tasks for evaluations.
        step: Steps done.
        stopping: Somebody asked to stop.
    """

    config: Config
    learner: Learner
    policy: Policy
    player: Player
    rollouts: Rollouts
    stream: envhub.TaskStream
    track: Track
    held_out: Sequence[Task]
    step: int = 0
    stopping: bool = False
    _spent: dict[str, float] = field(default_factory=dict)
    _told: dict[str, float] = field(default_factory=dict)
    _batch: Batch | None = None
    _since: float = field(default_factory=perf_counter)

    async def sample(self) -> list[Group]:
        """The groups of the next step, waited for."""
        began = perf_counter()
        row = self.learner.algorithm
        groups = await self.rollouts.take(
            lambda group: bool(group.sound) and all(wanted(group.sound) for wanted in row.keep),
            self.config.rollout.refills if row.refill else 0,
        )
        self._spent["wait"] = perf_counter() - began
        if self.config.rollout.permute_rewards:
            permute_rewards(groups, seed_of(self.config.run.seed, self.step))
        return groups

    async def learn(self, batch: Batch | None) -> dict[str, float]:
        """Update the weights; while sampling goes on if the run is asynchronous."""
        self._batch = batch
        began = perf_counter()
        try:
            if batch is None:
                return {"skipped": 1.0}
            if self.config.rollout.staleness:
                return await asyncio.to_thread(self.learner.learn, batch, self.step)
            return self.learner.learn(batch, self.step)
        except FloatingPointError:
            return {"skipped": 1.0}
        finally:
            self._spent["update"] = perf_counter() - began

    async def sync(self) -> None:
        """Hand the weights to the policy and see that it samples from them.

        Raises:
            PolicyError: It does not.
        """
        began = perf_counter()
        await self.policy.sync(self.learner.model, self.step)
        if self.step % self.config.policy.probe_every == 0:
            await self._probe()
        self._spent["sync"] = perf_counter() - began

    async def _probe(self) -> None:
        task = self.held_out[0]
        ids = self.player.renderer(task).opening([{"role": "user", "content": task.prompt}])
        settings = self.config.policy
        tolerance = settings.tolerance or (0.2 if self.config.optimizer.bf16 else 1e-4)
        sampling = Sampling(min(8, self.config.rollout.max_tokens), self.config.rollout.temperature)
        self._told["probe"] = await probe(self.policy, self.learner.model, ids, sampling, tolerance)

    async def evaluate(self) -> dict[str, float]:
        """Success on held-out tasks."""
        settings = self.config.evaluate
        told: dict[str, float] = {f"{settings.split}/episodes": len(self.held_out)}
        for name, score in (await evaluate(self.player, self.held_out, settings.greedy)).items():
            told[f"{settings.split}/{name}"] = score.share
            if score.failed:
                told[f"{settings.split}/{name}_failed"] = score.failed
        return told

    def due(self, every: int) -> bool:
        """Whether something that comes every so many steps comes now, or the run ends here."""
        return every > 0 and (self.step % every == 0 or self.step == self.config.run.steps)

    def log(self, groups: Sequence[Group], values: Mapping[str, float]) -> None:
        """Write down a step."""
        now = perf_counter()
        wall, self._since = now - self._since, now
        told = measures(groups, self.step - 1)
        sampled = sum(episode.sampled for group in groups for episode in group.episodes)
        speed = {
            "seconds": wall,
            "sampled_per_s": sampled / wall,
            "trained_per_s": values.get("tokens", 0.0) / wall,
            "episodes_per_s": sum(len(group.episodes) for group in groups) / wall,
            "idle_trainer": self._spent.get("wait", 0.0) / wall,
            "replaced": float(self.rollouts.replaced),
            "memory_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
            **self._told,
        }
        if "fed" in values:  # forward and backward are six operations a weight and token
            speed["update_tflops"] = 6e-12 * self.learner.size * values["fed"] / self._spent["update"]
        self.track.log(
            self.step, {**told, **values, **speed, **{f"seconds/{name}": s for name, s in self._spent.items()}}
        )
        self.track.episodes(self.step, groups, self._batch)

    def save(self) -> None:
        """Write a checkpoint, unless this step has one."""
        folder = self.config.run.folder / "checkpoints"
        last = checkpoint.latest(folder)
        if last is not None and last.name == f"step-{self.step:06d}":
            return
        critic = self.learner.critic
        checkpoint.save(
            folder,
            self.step,
            self.learner.model,
            self.player.tokenizer,
            {"optimizer": self.learner.optimizer.state_dict(), "critic": critic.state_dict() if critic else None},
            {"begun": self.rollouts.begun, "stream": self.stream.state_dict()},
        )
        checkpoint.prune(folder, self.config.run.keep)


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Run]:
    """A run, at the beginning or where its last checkpoint left it.

    Raises:
        ConfigError: The configuration does not fit, or the folder holds another run.
    """
    folder = config.run.folder
    _claim(config)
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    torch.manual_seed(config.run.seed)
    last = checkpoint.latest(folder / "checkpoints")
    source = str(last or config.model.path)
    row = chosen(config)
    model, tokenizer = load_model(source, config.model), load_tokenizer(source)
    critic = _critic(model, row)
    learner = Learner(
        model,
        row,
        config.optimizer,
        config.rollout.max_tokens,
        config.run.steps,
        config.rollout.temperature,
        load_model(config.model.path, config.model).eval().requires_grad_(False) if row.needs_ref else None,
        critic,
        config.run.seed,
    )
    stream = task_stream(config.tasks, config.tasks.split, config.run.seed)
    step, begun = 0, 0
    if last is not None:
        rest, state = checkpoint.load(last)
        learner.optimizer.load_state_dict(rest["optimizer"])
        if critic is not None:
            critic.load_state_dict(rest["critic"])
        stream.load_state_dict(state["stream"])
        step, begun = state["step"], state["begun"]
    async with AsyncExitStack() as stack:
        track = stack.enter_context(Track(folder, config.track, step, tokenizer=tokenizer, steps=config.run.steps))
        policy = await stack.enter_async_context(_policy(config, source, model, tokenizer, step))
        player = await stack.enter_async_context(opened_player(config, policy, tokenizer))
        rollouts = Rollouts(
            player,
            stream,
            groups=config.rollout.groups,
            size=config.rollout.size,
            staleness=config.rollout.staleness,
            greedy=row.greedy_baseline,
            begun=begun,
            step=step,
        )
        stack.push_async_callback(rollouts.close)
        yield Run(config, learner, policy, player, rollouts, stream, track, held_out(config), step)


@asynccontextmanager
async def opened_player(config: Config, policy: Policy, tokenizer: Any) -> AsyncIterator[Player]:
    """What plays the run's tasks with a policy."""
    tasks, rollout = config.tasks, config.rollout
    options = {name: value for name in ("answer_format", "reward") if (value := getattr(tasks, name)) is not None}
    async with open_hub(tasks.hub, options) as hub:
        sampling = Sampling(rollout.max_tokens, rollout.temperature)
        yield Player(policy, hub, tokenizer, sampling, tasks.system, config.run.seed, rollout.chance == "varied")


async def measure(config: Config, model: str | None = None) -> Mapping[str, Score]:
    """How good a model is on the run's held-out tasks.

    Args:
        config: Of the run.
        model: A folder or name instead of ``model.path``.
    """
    source = model or config.model.path
    found, tokenizer = load_model(source, config.model), load_tokenizer(source)
    async with (
        _policy(config, source, found, tokenizer, 0) as policy,
        opened_player(config, policy, tokenizer) as player,
    ):
        return await evaluate(player, held_out(config), config.evaluate.greedy)


def held_out(config: Config) -> list[Task]:
    """The tasks of a run's evaluations."""
    settings = config.evaluate
    return list(islice(task_stream(config.tasks, settings.split, settings.seed), settings.episodes))


def task_stream(tasks: TasksConfig, split: str, seed: int) -> envhub.TaskStream:
    """The tasks of a split.

    Raises:
        ConfigError: An environment or a setting is not one.
    """
    try:
        difficulty = tasks.difficulty if tasks.curriculum is None else envhub.Curriculum(**tasks.curriculum)
        return envhub.TaskStream(
            tasks.environments, difficulty=difficulty, split=split, seed=seed, answer_format=tasks.answer_format
        )
    except (envhub.EnvhubError, TypeError) as error:
        raise ConfigError(f"tasks: {error}") from None


def chosen(config: Config) -> Algorithm:
    """The algorithm of a run.

    Raises:
        ConfigError: There is none of this name, or a change does not fit it.
    """
    try:
        return algorithm(config.algorithm.name, **config.algorithm.overrides)
    except ValueError as error:
        raise ConfigError(f"algorithm: {error}") from None


def permute_rewards(groups: Sequence[Group], seed: int) -> None:
    """Hand the rewards of all episodes to others, at random: what still rises then was not learned from rewards."""
    episodes = [episode for group in groups for episode in group.sound if episode.rows[-1].rewards]
    rewards = [episode.reward for episode in episodes]
    order = torch.randperm(len(episodes), generator=torch.Generator().manual_seed(seed)).tolist()
    for episode, other in zip(episodes, order, strict=True):
        for row in episode.rows:
            row.rewards[:] = [0.0] * len(row.rewards)
        episode.rows[-1].rewards[-1] = rewards[other]


def _critic(model: Any, row: Algorithm) -> nn.Module | None:
    if row.critic is None:
        return None
    head = nn.Linear(model.config.hidden_size, 1)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    return head.to(model.device)


@asynccontextmanager
async def _policy(config: Config, source: str, model: Any, tokenizer: Any, version: int) -> AsyncIterator[Policy]:
    """What samples, holding the model's weights, which were loaded from ``source``."""
    ends = Renderer(tokenizer).end_ids
    if config.policy.kind == "vllm":
        async with _vllm(config, source, model, ends, version) as policy:
            yield policy
        return
    share = config.rollout.staleness == 0
    policy = HfPolicy(
        model,
        end_ids=ends,
        context=config.rollout.context,
        slots=config.policy.slots,
        share=share,
        thread=config.tasks.hub is not None,  # requests under way are answered while the model computes
        version=version,
        vocabulary=len(tokenizer),
    )
    try:
        yield policy
    finally:
        await policy.close()


@asynccontextmanager
async def _vllm(config: Config, source: str, model: Any, ends: frozenset[int], version: int) -> AsyncIterator[Policy]:
    """A vLLM server that runs, or one started here for as long as it is needed."""
    from trainer.policy.vllm import VllmPolicy
    from trainer.policy.vllm_process import Server

    settings = config.policy
    with ExitStack() as stack:
        url = settings.url
        if url is None:
            server = Server(
                source,
                python=settings.python or sys.executable,
                context=config.rollout.context,
                options=("--dtype", "bfloat16" if config.optimizer.bf16 else "float32", *settings.options),
                environment=settings.environment,
                log=config.run.folder / "vllm.log",
            )
            url = stack.enter_context(server).url
        policy = await VllmPolicy.connect(url, end_ids=ends, in_flight=settings.in_flight, version=version)
        try:
            if policy.context < config.rollout.context:
                raise ConfigError(
                    f"rollout.context is {config.rollout.context} and the server's rows have {policy.context} tokens."
                )
            if settings.url is not None:  # what it holds is anybody's guess
                await policy.sync(model, version)
            yield policy
        finally:
            await policy.close()


def _claim(config: Config) -> None:
    """Make the folder this run's.

    Raises:
        ConfigError: It is another's.
    """
    folder = config.run.folder
    folder.mkdir(parents=True, exist_ok=True)
    path, told = folder / "config.json", config.model_dump(mode="json")
    if path.exists():
        other = _bound(json.loads(path.read_text()))
        differ = sorted(name for name, value in _bound(told).items() if other.get(name) != value)
        if differ:
            raise ConfigError(
                f"{folder} holds a run with other settings of {', '.join(differ)}; name another run.folder, or remove that one."
            )
    path.write_text(json.dumps(told, indent=1))


def _bound(told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that make a run what it is."""
    kept: dict[str, Any] = {}
    for section, values in told.items():
        free = _FREE.get(section, set())
        if free is not None:
            kept[section] = {name: value for name, value in (values or {}).items() if name not in free}
    return kept
