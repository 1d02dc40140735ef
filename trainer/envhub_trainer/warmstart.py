"""Supervised learning on demonstrations, until a model solves enough of its tasks for rewards to teach it the rest.

::

    solved = asyncio.run(warm_start(config))            # build or load, learn, save to config.model.path
    learned = await learn(model, batches, config.warmstart, solve)      # the learning alone

The loss is the cross-entropy of the demonstrator's tokens and of nothing else, averaged over the tokens of a batch.
Learning stops as soon as the model solves the wanted share of fresh training tasks when it is sampled, so that two runs
begin reinforcement equally good.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub_trainer.config import HUB, Config, ConfigError, WarmStartConfig
from envhub_trainer.demonstrations import Demonstrator, demonstrate, demonstrator, play
from envhub_trainer.episode import Row
from envhub_trainer.evaluate import evaluate
from envhub_trainer.logprobs import score
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.phrases import Conversation
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.render import Renderer, Renderers
from envhub_trainer.rollout import seed_of
from envhub_trainer.setup import measured, opened_player, task_stream
from envhub_trainer.tiny import build_model, build_tokenizer, save
from envhub_trainer.update import micro_batches

_BETAS: Final = (0.9, 0.99)
_CLIP_NORM: Final = 1.0
_HASTE: Final = 4
"""While less than one part in so many of what is wanted is solved, looks are as many times rarer."""

_POOL: Final = 16_384
"""At most so many demonstrations are made; then they come again, in another order."""

_CORPUS: Final = 256
"""A tokenizer is made from so many conversations of the demonstrator and a quarter as many that go wrong."""

_WORDS, _TASKS, _LOOKS = 1, 2, 3
"""What the seeds of the streams of tasks are made with, so that no two streams are one."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of a warm start.

    Attributes:
        steps: How many were taken.
        loss: Of the last one, in nats a token.
        solved: Share of fresh training tasks at the last look; NaN if there was none.
    """

    steps: int
    loss: float
    solved: float


async def warm_start(config: Config, tell: Callable[[str], None] = lambda line: None) -> float:
    """Make the model that a run begins with, and write it to ``model.path``.

    Args:
        config: Of the run.
        tell: Is called with a line of text as the work proceeds.

    Returns:
        The share of fresh training tasks that it solves, sampled.

    Raises:
        ConfigError: A setting does not fit, or a demonstration is longer than a row may be.
    """
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    settings = config.warmstart
    if config.model.path.startswith(HUB):
        raise ConfigError(f"A warm start writes to model.path, which must be a folder, got {config.model.path!r}.")
    tell("Building the model from scratch." if config.tiny is not None else f"Loading {settings.base}.")
    model, tokenizer = _beginning(config)
    aim = "" if settings.stop is None else f", until {settings.stop:.0%} of sampled train tasks are solved"
    tell(f"Learning from demonstrations: at most {settings.steps} steps{aim}.")
    policy = HfPolicy(
        model,
        end_ids=Renderer(tokenizer).end_ids,
        context=config.rollout.context,
        slots=config.policy.slots,
        vocabulary=len(tokenizer),
    )
    looks = task_stream(measured(config), config.tasks.split, seed_of(config.run.seed, _LOOKS))
    async with opened_player(config, policy, tokenizer) as player:

        async def solve(model: Any) -> float:
            await policy.sync(model, policy.version + 1)
            return (await evaluate(player, list(islice(looks, settings.episodes)), greedy=False))["sampled"].share

        learned = await learn(
            model,
            demonstrations(config, tokenizer),
            settings,
            solve,
            micro_tokens=config.optimizer.micro_tokens,
            bf16=config.optimizer.bf16,
            tell=tell,
        )
    await policy.close()
    save(Path(config.model.path), model, tokenizer)
    return learned.solved


async def learn(
    model: Any,
    batches: Iterator[Sequence[Row]],
    settings: WarmStartConfig,
    solve: Callable[[Any], Awaitable[float]],
    *,
    micro_tokens: int = 16_384,
    bf16: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Learned:
    """Learn from demonstrations until enough is solved or the steps are used up.

    Looks are rare while next to nothing is solved and come every ``settings.every`` steps from then on. The last step
    is looked at in any case.

    Args:
        model: A causal language model; its weights change.
        batches: A batch of rows a step.
        settings: How.
        solve: The share of tasks that the model solves now.
        micro_tokens: Padded tokens that go through the model at once.
        bf16: Bfloat16 autocast.
        tell: Is called with a line of text every ``settings.every`` steps.
    """
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.learning_rate, betas=_BETAS, weight_decay=settings.weight_decay
    )
    model.train()
    look, solved, loss = settings.every, float("nan"), float("nan")
    for step in range(1, settings.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * min(1.0, step / max(1, settings.warmup))
        loss = _step(model, optimizer, next(batches), micro_tokens, bf16)
        last = step == settings.steps
        if last or (settings.stop is not None and step >= look):
            solved = await solve(model)
            tell(f"step {step} of {settings.steps}: loss {loss:.3f}, solved {solved:.3f}")
            if last or (settings.stop is not None and solved >= settings.stop):
                return Learned(step, loss, solved)
            hasty = settings.stop is not None and solved * _HASTE < settings.stop
            look = step + settings.every * (_HASTE if hasty else 1)
        elif step % settings.every == 0:
            tell(f"step {step} of {settings.steps}: loss {loss:.3f}")
    return Learned(0, loss, solved)


def demonstrations(config: Config, tokenizer: Any, pool: int = _POOL) -> Iterator[list[Row]]:
    """Batches of demonstrations without end: new ones until there are ``pool``, then the same in ever new orders.

    Raises:
        ConfigError: There is no such demonstrator, or a demonstration is longer than a row may be.
    """
    warm, tasks = config.warmstart, _tasks(config, _TASKS)
    says, rng, order = _demonstrator(config), Stream(b"demonstrations", config.run.seed), random.Random(config.run.seed)
    renderers = Renderers(tokenizer)
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


def conversations(config: Config, number: int = _CORPUS) -> list[Conversation]:
    """What is said in a run's training tasks: by its demonstrator and, one time in five, by somebody who blunders.

    Where the policy is measured on other environments, as many conversations of these come on top.

    Raises:
        ConfigError: There is no such demonstrator.
    """
    says, clumsy = _demonstrator(config), demonstrator("clumsy")
    rng = Stream(b"conversations", config.run.seed)
    tasks = list(islice(_tasks(config, _WORDS), number))
    if config.evaluate.environments is not None:
        tasks += islice(task_stream(measured(config), config.tasks.split, seed_of(config.run.seed, _WORDS)), number)
    played = [play(task, clumsy if i % 5 == 4 else says, rng, _options(config)) for i, task in enumerate(tasks)]
    return [conversation for conversations in played for conversation in conversations]


def _beginning(config: Config) -> tuple[Any, Any]:
    """The model that learns, and its tokenizer: from scratch, or the one that is named."""
    if config.tiny is not None:
        try:
            tokenizer = build_tokenizer(conversations(config), config.tiny, config.rollout.context)
            return build_model(tokenizer, config.tiny, config.run.seed, config.rollout.context), tokenizer
        except ValueError as error:
            raise ConfigError(f"tiny: {error}") from None
    base = config.warmstart.base
    if base is None:
        raise ConfigError(
            "A warm start begins with a model from scratch, a section [tiny], or with another, warmstart.base."
        )
    return load_model(base, config.model), load_tokenizer(base)


def _step(model: Any, optimizer: torch.optim.Optimizer, rows: Sequence[Row], micro_tokens: int, bf16: bool) -> float:
    """One step of the optimiser; the loss before it."""
    device = next(model.parameters()).device
    ids, mask = _padded(rows)
    tokens = float(mask.sum())
    optimizer.zero_grad(set_to_none=True)
    loss = 0.0
    for index in micro_batches(torch.tensor([len(row.ids) for row in rows]), micro_tokens):
        width = max(len(rows[i].ids) for i in index.tolist())
        part, wanted = ids[index, :width].to(device), mask[index, : width - 1].to(device)
        with torch.autocast(device.type, torch.bfloat16) if bf16 else nullcontext():
            nats = -score(model, part, wanted).logp.sum() / tokens
        torch.autograd.backward(nats)
        loss += float(nats.detach())
    torch.nn.utils.clip_grad_norm_(model.parameters(), _CLIP_NORM)
    optimizer.step()
    return loss


def _padded(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids ``(B, T + 1)``, and 1.0 where the predicted token ``(B, T)`` is the demonstrator's."""
    width = max(len(row.ids) for row in rows)
    ids = torch.tensor([row.ids + [0] * (width - len(row.ids)) for row in rows])
    mask = torch.tensor([row.mask + [0] * (width - len(row.ids)) for row in rows], dtype=torch.float32)
    return ids, mask[:, 1:]


def _tasks(config: Config, use: int) -> Iterator[Task]:
    """Tasks of the split that is trained on; another stream for every use."""
    return task_stream(config.tasks, config.tasks.split, seed_of(config.run.seed, use))


def _options(config: Config) -> dict[str, Any]:
    """How tasks are worded."""
    tasks = config.tasks
    return {name: value for name in ("answer_format", "system") if (value := getattr(tasks, name)) is not None}


def _demonstrator(config: Config) -> Demonstrator:
    try:
        return demonstrator(config.warmstart.demonstrator)
    except ValueError as error:
        raise ConfigError(f"warmstart.demonstrator: {error}") from None
