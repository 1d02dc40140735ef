"""Supervised learning before reinforcement learning.

Its data are demonstrations, or the chats of a file.

::

    solved = asyncio.run(warm_start(config))            # build or load, learn, save to config.model.path

The folder ``warmstart`` in that of the model has the log, and a checkpoint until the model is finished: the same command
resumes a warm start that was stopped, and its result is bit-identical to that of one that was not.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub_trainer import chats, checkpoint, lora
from envhub_trainer.claim import locked
from envhub_trainer.config import HUB, Config, ConfigError, TrackConfig
from envhub_trainer.demonstrations import Demonstrator, demonstrate, demonstrator, play
from envhub_trainer.episode import Row
from envhub_trainer.evaluate import evaluate
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.optimizers import Optimizer
from envhub_trainer.phrases import Conversation
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.render import Renderer, Renderers
from envhub_trainer.rollout import seed_of
from envhub_trainer.setup import measured, opened_player, task_stream
from envhub_trainer.supervised import After, Course, learn, optimizer
from envhub_trainer.tiny import build_model, build_tokenizer, save
from envhub_trainer.watch.track import Track

_POOL: Final = 16_384
"""Maximum number of demonstrations; after that they are repeated, in another order."""

_CORPUS: Final = 256
"""Number of the demonstrator's conversations for a tokenizer, in addition to a quarter as many failures."""

_WORDS, _TASKS, _LOOKS = 1, 2, 3
"""Parts of the seeds of the task streams, so that the streams differ."""

_FREE: Final = {"steps", "stop", "save_every"}
"""Settings of the section that may change when a warm start is resumed."""

_COMPUTES: Final = ("kind", "micro_tokens", "bf16", "pack")
"""Settings of the optimiser that a warm start uses."""

Tell = Callable[[str], None]


async def warm_start(config: Config, tell: Tell = lambda line: None) -> float:
    """Train the initial model of a run and write it to ``model.path``.

    Args:
        config: Configuration of the run.
        tell: Called with a line of text to report progress.

    Returns:
        The share of fresh training tasks that it solves with sampled actions; NaN without a measurement.

    Raises:
        ConfigError: A setting is invalid, or a demonstration is longer than the context.
    """
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    if config.model.path.startswith(HUB):
        raise ConfigError(f"A warm start writes to model.path, which must be a folder, got {config.model.path!r}.")
    torch.manual_seed(config.run.seed)
    folder = Path(config.model.path) / "warmstart"
    with locked(folder):
        last = checkpoint.latest(folder / "checkpoints")
        rest, state = checkpoint.load(last) if last is not None else ({}, {})
        _resumable(folder, config, state)
        model, tokenizer = _beginning(config, last, tell)
        steps = optimizer(model, config.warmstart, config.optimizer.kind)
        course = Course(look=config.warmstart.every)
        if last is not None:
            steps.load_state_dict(rest["optimizer"])
            course = Course(**state["course"])
            tell(f"Resumed after step {course.step}.")

        def after(course: Course, numbers: Mapping[str, float]) -> None:
            track.log(course.step, numbers)
            if course.step % config.warmstart.save_every == 0:
                told = {"course": asdict(course), "settings": _bound(config)}
                kept = {"optimizer": steps.state_dict()}
                checkpoint.save(folder / "checkpoints", course.step, model, tokenizer, kept, told)
                checkpoint.prune(folder / "checkpoints", 1)

        quiet = TrackConfig(tensorboard=config.track.tensorboard, live=False)
        with Track(folder, quiet, course.step) as track:
            done = await _learned(config, model, tokenizer, steps, course, tell, after)
        save(Path(config.model.path), model if config.lora is None else lora.merged(model), tokenizer)
        shutil.rmtree(folder / "checkpoints", ignore_errors=True)
    return done.solved


async def _learned(
    config: Config, model: Any, tokenizer: Any, steps: Optimizer, course: Course, tell: Tell, after: After
) -> Course:
    """Learn, measuring on fresh training tasks."""
    settings = config.warmstart
    aim = "" if settings.stop is None else f", until {settings.stop:.0%} of sampled train tasks are solved"
    tell(f"Learning from {settings.data or 'demonstrations'}: at most {settings.steps} steps{aim}.")
    policy = HfPolicy(
        model,
        end_ids=Renderer(tokenizer, chat=config.chat).end_ids,
        context=config.rollout.context,
        slots=config.policy.slots,
        vocabulary=len(tokenizer),
    )
    fresh = task_stream(measured(config), config.tasks.split, seed_of(config.run.seed, _LOOKS))
    batches = demonstrations(config, tokenizer) if settings.data is None else examples(config, tokenizer, tell)
    looks = islice(fresh, course.looks * settings.episodes, None)  # a resumed warm start has used the first ones
    batches = islice(batches, course.step, None)
    async with opened_player(config, policy, tokenizer) as player:

        async def solve(model: Any) -> float:
            await policy.sync(model, policy.version + 1)
            found = await evaluate(player, list(islice(looks, settings.episodes)), greedy=False)
            await policy.forget()  # so that a resumed run measures the same
            return found["sampled"].share

        done = await learn(
            model,
            batches,
            settings,
            solve,
            steps=steps,
            course=course,
            micro_tokens=config.optimizer.micro_tokens,
            bf16=config.optimizer.bf16,
            pack=config.optimizer.pack,
            tell=tell,
            after=after,
        )
    await policy.close()
    return done


def demonstrations(config: Config, tokenizer: Any, pool: int = _POOL) -> Iterator[list[Row]]:
    """Endless batches of demonstrations: ``pool`` new ones, then reshuffled repeats.

    Raises:
        ConfigError: Unknown demonstrator, or a demonstration is longer than the context.
    """
    warm, tasks = config.warmstart, _tasks(config, _TASKS)
    says, rng, order = _demonstrator(config), Stream(b"demonstrations", config.run.seed), random.Random(config.run.seed)
    renderers = Renderers(tokenizer, config.chat)
    rows: list[Row] = []
    while len(rows) < pool:
        fresh: list[Row] = []
        while len(fresh) < warm.batch:
            task = next(tasks)
            fresh += demonstrate(task, says, rng, renderers.of(task), _options(config))
        longest = max(len(row.ids) for row in fresh)
        if longest > config.rollout.context:
            raise ConfigError(f"rollout.context: a demonstration has {longest} tokens, got {config.rollout.context}.")
        rows += fresh
        yield fresh
    while True:
        order.shuffle(rows)
        for start in range(0, len(rows) - warm.batch + 1, warm.batch):
            yield rows[start : start + warm.batch]


def examples(config: Config, tokenizer: Any, tell: Tell = lambda line: None) -> Iterator[list[Row]]:
    """Endless batches of a file's chats, reshuffled; ConfigError if none fits."""
    warm, order = config.warmstart, random.Random(config.run.seed)
    assert warm.data is not None
    renderers: dict[str, Renderer] = {}
    rows: list[Row] = []
    for chat in chats.read(warm.data):
        renderer = renderers.setdefault(repr(chat.tools), Renderer(tokenizer, chat.tools, config.chat))
        rows += chats.rows(renderer, chat.messages)
    fits = [row for row in rows if len(row.ids) <= config.rollout.context]
    if not fits:
        raise ConfigError(f"{warm.data} has no chat of at most rollout.context = {config.rollout.context} tokens.")
    tell(f"{warm.data}: {len(fits)} rows; {len(rows) - len(fits)} longer than rollout.context are left out.")
    size = min(warm.batch, len(fits))
    while True:
        order.shuffle(fits)
        for start in range(0, len(fits) - size + 1, size):
            yield fits[start : start + size]


def conversations(config: Config, number: int = _CORPUS) -> list[Conversation]:
    """Conversations of training and measured tasks, one in five with deliberate errors."""
    says, clumsy = _demonstrator(config), demonstrator("clumsy")
    rng = Stream(b"conversations", config.run.seed)
    tasks = list(islice(_tasks(config, _WORDS), number))
    if config.evaluate.environments is not None:
        tasks += islice(task_stream(measured(config), config.tasks.split, seed_of(config.run.seed, _WORDS)), number)
    played = [play(task, clumsy if i % 5 == 4 else says, rng, _options(config)) for i, task in enumerate(tasks)]
    return [conversation for conversations in played for conversation in conversations]


def _beginning(config: Config, last: Path | None, tell: Tell) -> tuple[Any, Any]:
    """The initial model and its tokenizer."""
    base = config.warmstart.base
    if last is not None:
        path = {"path": base or config.model.path}
        return lora.load(
            str(last), config.model_copy(update={"model": config.model.model_copy(update=path)})
        ), load_tokenizer(str(last))
    tell("Building the model from scratch." if config.tiny is not None else f"Loading {base}.")
    if config.tiny is not None:
        try:
            tokenizer = build_tokenizer(conversations(config), config.tiny, config.rollout.context)
            return build_model(tokenizer, config.tiny, config.run.seed, config.rollout.context), tokenizer
        except ValueError as error:
            raise ConfigError(f"tiny: {error}") from None
    if base is None:
        raise ConfigError(
            "A warm start begins with a model from scratch, a section [tiny], or with another, warmstart.base."
        )
    model = load_model(base, config.model)
    return model if config.lora is None else lora.attach(model, config.lora), load_tokenizer(base)


def _resumable(folder: Path, config: Config, state: Mapping[str, Any]) -> None:
    """Raise ConfigError if a checkpoint belongs to other settings."""
    kept = state.get("settings")
    differ = [name for name, value in _bound(config).items() if kept is not None and kept.get(name) != value]
    if differ:
        raise ConfigError(
            f"{folder} holds a warm start that was stopped after step {state['step']}, with other settings of "
            f"{', '.join(differ)}. Restore them to resume it, or remove that folder to start again."
        )


def _bound(config: Config) -> dict[str, Any]:
    """The settings that determine a warm start, as JSON values."""
    told = config.model_dump(mode="json")
    warm = {name: value for name, value in told["warmstart"].items() if name not in _FREE}
    whole = {name: told[name] for name in ("tiny", "tasks", "chat", "lora")}
    parts = {
        f"{section}.{name}": told[section][name]
        for section, name in (("run", "seed"), ("rollout", "context"), *(("optimizer", name) for name in _COMPUTES))
    }
    return {**whole, **parts, "warmstart": warm}


def _tasks(config: Config, use: int) -> Iterator[Task]:
    """Tasks of the training split; a separate stream for every use."""
    return task_stream(config.tasks, config.tasks.split, seed_of(config.run.seed, use))


def _options(config: Config) -> dict[str, Any]:
    """Options of the tasks' wording."""
    tasks = config.tasks
    return {
        name: value
        for name in ("answer_format", "wording", "observation", "system")
        if (value := getattr(tasks, name)) is not None
    }


def _demonstrator(config: Config) -> Demonstrator:
    try:
        return demonstrator(config.warmstart.demonstrator)
    except ValueError as error:
        raise ConfigError(f"warmstart.demonstrator: {error}") from None
