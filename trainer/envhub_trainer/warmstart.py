"""Supervised learning on demonstrations before reinforcement learning.

::

    solved = asyncio.run(warm_start(config))            # build or load, learn, save to config.model.path
    learned = await learn(model, batches, config.warmstart, solve)      # only the training

The loss is the cross-entropy of the demonstrator's tokens only, averaged over the tokens of a batch. Training stops as soon
as sampled actions solve the target share of fresh training tasks, so that different runs start reinforcement at the same
level.
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
"""Measurements are this many times rarer while less than 1 / this of the target share is solved."""

_POOL: Final = 16_384
"""Maximum number of demonstrations; after that they are repeated, in another order."""

_CORPUS: Final = 256
"""Number of the demonstrator's conversations for a tokenizer, in addition to a quarter as many failures."""

_WORDS, _TASKS, _LOOKS = 1, 2, 3
"""Parts of the seeds of the task streams, so that the streams differ."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Result of a warm start.

    Attributes:
        steps: Number of steps taken.
        loss: Loss of the last step, in nats per token.
        solved: Share of fresh training tasks solved at the last measurement; NaN without one.
    """

    steps: int
    loss: float
    solved: float


async def warm_start(config: Config, tell: Callable[[str], None] = lambda line: None) -> float:
    """Train the initial model of a run and write it to ``model.path``.

    Args:
        config: Configuration of the run.
        tell: Called with a line of text to report progress.

    Returns:
        The share of fresh training tasks that it solves with sampled actions.

    Raises:
        ConfigError: A setting is invalid, or a demonstration is longer than the context.
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
    """Learn from demonstrations until enough tasks are solved or steps run out.

    Measures rarely while almost nothing is solved, and every ``settings.every`` steps from then on. The last step is always
    measured.

    Args:
        model: A causal language model; its weights change.
        batches: One batch of rows per step.
        settings: Training settings.
        solve: Returns the share of tasks that the model solves now.
        micro_tokens: Padded tokens per forward pass.
        bf16: Use bfloat16 autocast.
        tell: Called with a line of text every ``settings.every`` steps.
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
    """Endless batches of demonstrations: ``pool`` new ones, then reshuffled repeats.

    Raises:
        ConfigError: Unknown demonstrator, or a demonstration is longer than the context.
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
    """Conversations of a run's training tasks, one in five with deliberate errors.

    If evaluations use other environments, as many conversations of these are added.

    Raises:
        ConfigError: Unknown demonstrator.
    """
    says, clumsy = _demonstrator(config), demonstrator("clumsy")
    rng = Stream(b"conversations", config.run.seed)
    tasks = list(islice(_tasks(config, _WORDS), number))
    if config.evaluate.environments is not None:
        tasks += islice(task_stream(measured(config), config.tasks.split, seed_of(config.run.seed, _WORDS)), number)
    played = [play(task, clumsy if i % 5 == 4 else says, rng, _options(config)) for i, task in enumerate(tasks)]
    return [conversation for conversations in played for conversation in conversations]


def _beginning(config: Config) -> tuple[Any, Any]:
    """The initial model and its tokenizer, from scratch or loaded."""
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
    """Take one optimiser step and return the loss before it."""
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
    """Tasks of the training split; a separate stream for every use."""
    return task_stream(config.tasks, config.tasks.split, seed_of(config.run.seed, use))


def _options(config: Config) -> dict[str, Any]:
    """Options of the tasks' wording."""
    tasks = config.tasks
    return {
        name: value for name in ("answer_format", "wording", "system") if (value := getattr(tasks, name)) is not None
    }


def _demonstrator(config: Config) -> Demonstrator:
    try:
        return demonstrator(config.warmstart.demonstrator)
    except ValueError as error:
        raise ConfigError(f"warmstart.demonstrator: {error}") from None
