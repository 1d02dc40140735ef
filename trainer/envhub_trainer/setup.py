"""Builds a run from its configuration, or resumes it.

A run's folder holds ``lock``, ``config.json``, ``log.jsonl`` and ``episodes.jsonl`` (:mod:`envhub_trainer.watch.track`), and
``checkpoints/``.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch import nn

import envhub
from envhub.core.types import Task
from envhub_trainer import checkpoint, lora
from envhub_trainer.algorithms import Algorithm, algorithm
from envhub_trainer.algorithms.corrections import Tis
from envhub_trainer.claim import check_unclaimed, claim, locked
from envhub_trainer.companions.build import companions
from envhub_trainer.companions.tracker import TaskTracker
from envhub_trainer.config import Config, ConfigError, TasksConfig
from envhub_trainer.evaluate import Score, evaluate
from envhub_trainer.fitting import check, numerics
from envhub_trainer.guidance import imitating
from envhub_trainer.hub import open_hub
from envhub_trainer.league import League
from envhub_trainer.models import load_model, load_tokenizer, source as model_source
from envhub_trainer.policy import Policy, Sampling
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.pool import Pool
from envhub_trainer.render import Renderer
from envhub_trainer.replay import Replay
from envhub_trainer.rewards import CONFIDENCE, GROUPS, Rewards, rewards
from envhub_trainer.rollout import NEW, Player, Rollouts, Tasks
from envhub_trainer.run import Run
from envhub_trainer.schedule import stages
from envhub_trainer.selection import Selection
from envhub_trainer.skips import Skips
from envhub_trainer.update import Learner
from envhub_trainer.watch.track import Track


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Run]:
    """Open a run, new or at its last checkpoint; ConfigError if invalid."""
    check_unclaimed(config)
    if checkpoint.latest(config.run.folder / "checkpoints") is None:
        model_source(config.model.path)  # a missing model is found before the folder is made
    lora.merges(config)
    row = chosen(config)
    parts = row, plugged(config, row), task_stream(config.tasks, config.tasks.split, config.run.seed), held_out(config)
    with locked(config.run.folder):
        async with _running(config, *parts) as run:
            claim(config)  # last, so that a run that fails to start does not claim the folder
            yield run


@asynccontextmanager
async def _running(
    config: Config, row: Algorithm, rewards: Rewards, stream: envhub.TaskStream, held: Sequence[Task]
) -> AsyncIterator[Run]:
    """Build the run at its last checkpoint, if it has one."""
    folder = config.run.folder
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    torch.manual_seed(config.run.seed)
    last = checkpoint.latest(folder / "checkpoints")
    source = str(last or config.model.path)
    model, tokenizer = lora.load(source, config), load_tokenizer(config.model.path if config.lora else source)
    seeing(config, tokenizer)
    if config.lora is not None and last is None:
        lora.attach(model, config.lora)
    initial = partial(load_model, config.model.path, config.model)
    learner = Learner(
        model,
        row,
        config.optimizer,
        config.run.steps,
        config.rollout.temperature,
        initial().eval().requires_grad_(False) if row.needs_ref else None,
        _shared_critic(model, row),
        config.run.seed,
    )
    learner.companions = companions(learner, initial)
    tasks = _training_tasks(config, stream, learner)
    step, begun = 0, NEW
    rest: dict[str, Any] = {}
    if last is not None:
        rest, state = checkpoint.load(last)
        learner.load_state_dict(rest)
        tasks.load_state_dict(state["stream"])
        step, begun = state["step"], state["rollouts"]
    async with AsyncExitStack() as stack:
        told = config.model_dump(mode="json")
        track = stack.enter_context(
            Track(folder, config.track, step, tokenizer=tokenizer, steps=config.run.steps, settings=told)
        )
        if last is not None:
            track.event(
                step, f"resumed from {last.name}; {len(begun['pending'])} groups that had begun are played again."
            )
        if config.low_precision:
            track.event(step, numerics(config, row))
        policy = await stack.enter_async_context(_policy(config, source, model, tokenizer, step))
        player = await stack.enter_async_context(opened_player(config, policy, tokenizer))
        league = _league(config, model, tokenizer)
        if league is not None:
            stack.push_async_callback(league.close)
            if last is not None:
                league.load_state_dict(rest["league"])
            await league.seat(step)
        replay = config.replay
        rollouts = Rollouts(
            replace(player, forks=row.forks, league=league),
            tasks,
            groups=config.rollout.groups,
            size=config.rollout.size,
            staleness=config.rollout.staleness,
            greedy=row.greedy_baseline,
            stage=stages(config, policy),
            replay=Replay(replay.episodes, replay.keep, config.selection.pool, config.run.seed)
            if replay.episodes
            else None,
            score=partial(rewards.score, policy=policy),
            step=step,
            state=begun,
        )
        stack.push_async_callback(rollouts.close)
        skips = Skips(config.run.max_skipped)
        yield Run(config, learner, policy, player, rollouts, tasks, track, held, skips, league, step)


def _training_tasks(config: Config, stream: envhub.TaskStream, learner: Learner) -> Tasks:
    """Choices from the stream, or a pool of its first tasks."""
    if not config.tasks.pool:
        return Selection(stream, config.selection, config.run.seed)
    tracker = next((each for each in learner.companions if isinstance(each, TaskTracker)), None)
    return Pool(stream, config.tasks.pool, config.run.seed, tracker.priority if tracker else None)


@asynccontextmanager
async def opened_player(config: Config, policy: Policy, tokenizer: Any) -> AsyncIterator[Player]:
    """Open the player of the run's tasks for a policy."""
    tasks, rollout = config.tasks, config.rollout
    options = {
        name: value
        for name in ("answer_format", "wording", "observation", "reward")
        if (value := getattr(tasks, name)) is not None
    }
    async with open_hub(tasks.hub, options, websocket=tasks.websocket) as hub:
        sampling = Sampling(rollout.max_tokens, rollout.temperature)
        varied = rollout.turn_seed == "varied"
        yield Player(policy, hub, tokenizer, sampling, tasks.system, config.run.seed, varied, config.chat)


async def measure(config: Config, model: str | None = None) -> Mapping[str, Score]:
    """Evaluate a model on the run's held-out tasks.

    Args:
        config: Configuration of the run.
        model: Folder or name to use instead of ``model.path``.
    """
    source = model or config.model.path
    found, tokenizer = lora.load(source, config), load_tokenizer(source)
    async with (
        _policy(config, source, found, tokenizer, 0) as policy,
        opened_player(config, policy, tokenizer) as player,
    ):
        return await evaluate(player, held_out(config), config.evaluate.greedy, config.evaluate.k)


def held_out(config: Config) -> list[Task]:
    """The tasks of a run's evaluations."""
    settings, tasks = config.evaluate, measured(config)
    if tasks.curriculum is not None:  # nothing reports results to it here
        levels = settings.difficulty or tasks.curriculum.get("levels", (1, 10))
        tasks = tasks.model_copy(update={"curriculum": None, "difficulty": tuple(levels)})
    elif settings.difficulty is not None:
        tasks = tasks.model_copy(update={"difficulty": settings.difficulty})
    return list(islice(task_stream(tasks, settings.split, settings.seed), settings.episodes))


def measured(config: Config) -> TasksConfig:
    """The tasks of the evaluation: the training tasks' settings unless overridden."""
    environments = config.evaluate.environments
    return config.tasks if environments is None else config.tasks.model_copy(update={"environments": environments})


def task_stream(tasks: TasksConfig, split: str, seed: int) -> envhub.TaskStream:
    """The tasks of a split; ConfigError if a setting is invalid."""
    try:
        difficulty = tasks.difficulty if tasks.curriculum is None else envhub.Curriculum(**tasks.curriculum)
        return envhub.TaskStream(
            tasks.environments,
            difficulty=difficulty,
            split=split,
            seed=seed,
            answer_format=tasks.answer_format,
            wording=tasks.wording,
            observation=tasks.observation,
        )
    except (envhub.EnvhubError, TypeError) as error:
        raise ConfigError(f"tasks: {error}") from None


def chosen(config: Config) -> Algorithm:
    """The algorithm of a run.

    Raises:
        ConfigError: Unknown algorithm, an override that does not apply to it, or samples too old for it.
    """
    name = config.algorithm.name
    try:
        row = algorithm(name, **config.algorithm.overrides)
    except ValueError as error:
        raise ConfigError(f"algorithm: {error}") from None
    settings = config.optimizer
    row = imitating(config.demonstrations, row)
    check(config, row)
    if row.on_policy and (settings.epochs > 1 or settings.minibatches > 1 or config.rollout.staleness):
        raise ConfigError(
            f"algorithm: {name} has no importance ratio, so every update needs samples of the current weights; got "
            f"optimizer.epochs = {settings.epochs}, optimizer.minibatches = {settings.minibatches} and rollout.staleness = "
            f"{config.rollout.staleness}. Set them to 1, 1 and 0, or correct for older samples with algorithm.importance = 2.0."
        )
    if row.warmup >= config.run.steps:
        raise ConfigError(
            f"algorithm: only the critic learns in the first {row.warmup} steps, and run.steps is {config.run.steps}. Lower "
            "algorithm.value_warmup or raise run.steps."
        )
    if row.tracker is not None and not config.tasks.pool:
        raise ConfigError(
            f"algorithm: {name} has a baseline for each task, so tasks must come again. Set tasks.pool, such as to 512."
        )
    if config.tasks.pool and config.tasks.curriculum is not None:
        raise ConfigError("tasks: a pool has fixed tasks, so tasks.pool and tasks.curriculum exclude each other.")
    if config.low_precision and row.correct is None and "tis" not in config.algorithm.overrides:
        row = replace(row, correct=Tis())
    return row


def plugged(config: Config, row: Algorithm) -> Rewards:
    """The rewards of a run; ConfigError unless they fit the other settings."""
    made = rewards(config.reward, config.rollout.size)
    names = {each.name for each in config.reward}
    if names and config.tasks.reward is not None:
        raise ConfigError(
            "tasks.reward and [[reward]] exclude each other; write name = 'components' with these weights."
        )
    if names & set(CONFIDENCE) and config.policy.kind == "vllm":
        raise ConfigError("reward: vLLM does not return whole distributions; confidence needs policy.kind = 'hf'.")
    if names & set(GROUPS) and (row.greedy_baseline or row.forks):
        other = "a greedy episode, which is" if row.greedy_baseline else "continuations, which are"
        raise ConfigError(f"reward: {config.algorithm.name} compares with {other} in no group.")
    return made


def seeing(config: Config, tokenizer: Any) -> None:
    """Raise ConfigError if the tasks have pictures that cannot be used."""
    if config.tasks.observation == "text":
        return
    if not hasattr(tokenizer, "vision"):
        raise ConfigError(
            f"tasks.observation is {config.tasks.observation!r}, and {config.model.path} sees no pictures. Choose a "
            "vision-language model whose image processor makes a grid of patches, such as Qwen2-VL's."
        )
    if config.replay.episodes:
        raise ConfigError("replay: earlier successes are kept without pictures; set tasks.observation to 'text'.")


def _shared_critic(model: Any, row: Algorithm) -> nn.Module | None:
    if row.critic is None or not row.critic.shared:
        return None
    head = nn.Linear(model.config.get_text_config().hidden_size, 1)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    return head.to(model.device)


def _league(config: Config, model: Any, tokenizer: Any) -> League | None:
    """The frozen opponents of a run, if any."""
    if not config.league.share:
        return None

    def opened(frozen: Any) -> Policy:
        return _hf(config, frozen, tokenizer, share=True, version=0)

    return League(model, config.league, config.run.seed, opened)


def _hf(config: Config, model: Any, tokenizer: Any, *, share: bool, version: int) -> HfPolicy:
    return HfPolicy(
        model,
        end_ids=Renderer(tokenizer, chat=config.chat).end_ids,
        context=config.rollout.context,
        slots=config.policy.slots,
        share=share,
        thread=config.tasks.hub is not None,  # so that HTTP requests proceed while the model computes
        version=version,
        vocabulary=len(tokenizer),
    )


@asynccontextmanager
async def _policy(config: Config, source: str, model: Any, tokenizer: Any, version: int) -> AsyncIterator[Policy]:
    """Open the sampler with the model's weights, which were loaded from ``source``."""
    if config.policy.kind == "vllm":
        async with _vllm(config, source, model, tokenizer, version) as policy:
            yield policy
        return
    share = config.rollout.staleness == 0 and not lora.merges(config)
    policy = _hf(config, lora.deployed(model, config), tokenizer, share=share, version=version)
    try:
        yield policy
    finally:
        await policy.close()


@asynccontextmanager
async def _vllm(config: Config, source: str, model: Any, tokenizer: Any, version: int) -> AsyncIterator[Policy]:
    """Connect to a running vLLM server, or start one."""
    from envhub_trainer.policy.vllm import VllmPolicy
    from envhub_trainer.policy.vllm_process import Server

    settings = config.policy
    with ExitStack() as stack:
        url = settings.url
        if url is None:
            config.run.folder.mkdir(parents=True, exist_ok=True)
            server = Server(
                model_source(config.model.path if config.lora is not None else source)[0],
                python=settings.python or sys.executable,
                context=config.rollout.context,
                options=("--dtype", "bfloat16" if config.low_precision else "float32", *settings.options),
                environment=settings.environment,
                log=config.run.folder / "vllm.log",
            )
            url = stack.enter_context(server).url
        dtype = torch.bfloat16 if config.low_precision else torch.float32
        policy = await VllmPolicy.connect(
            url,
            end_ids=Renderer(tokenizer, chat=config.chat).end_ids,
            in_flight=settings.in_flight,
            version=version,
            dtype=dtype,
            image=tokenizer.vision.token if hasattr(tokenizer, "vision") else None,
        )
        try:
            if policy.context < config.rollout.context:
                raise ConfigError(
                    f"rollout.context is {config.rollout.context} and the server's rows have {policy.context} tokens."
                )
            policy.context = config.rollout.context
            if settings.url is not None or config.lora is not None:  # its weights are unknown, or those of the base
                await policy.sync(lora.deployed(model, config), version)
            yield policy
        finally:
            await policy.close()
