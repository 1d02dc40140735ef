"""Supervised learning of the masked tokens of rows.

::

    learned = await learn(model, batches, config.warmstart, solve)

The loss is the cross-entropy of the masked tokens, averaged over those of a batch. Training stops as soon as sampled actions
solve the target share of tasks, so that different runs start reinforcement at the same level.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import torch

from envhub_trainer import optimizers, packing
from envhub_trainer.config import OptimizerConfig, WarmStartConfig
from envhub_trainer.episode import Row
from envhub_trainer.logprobs import score
from envhub_trainer.optimizers import Optimizer
from envhub_trainer.portions import micro_batches

_BETAS: Final = (0.9, 0.99)
_CLIP_NORM: Final = 1.0
_HASTE: Final = 4
"""Measurements are this many times rarer while less than 1 / this of the target share is solved."""


@dataclass(slots=True)
class Course:
    """A training in progress.

    Attributes:
        step: Number of steps taken.
        look: The next step that is followed by a measurement.
        looks: Number of measurements.
        loss: Loss of the last step, in nats per token.
        solved: Share of tasks solved at the last measurement; NaN before the first.
    """

    step: int = 0
    look: int = 0
    looks: int = 0
    loss: float = float("nan")
    solved: float = float("nan")


After = Callable[[Course, Mapping[str, float]], None]


def optimizer(model: Any, settings: WarmStartConfig, kind: Any = "adamw") -> Optimizer:
    """The optimiser of a training."""
    given = OptimizerConfig(
        kind=kind, learning_rate=settings.learning_rate, betas=_BETAS, weight_decay=settings.weight_decay
    )
    return optimizers.build(model.parameters(), given)


async def learn(
    model: Any,
    batches: Iterator[Sequence[Row]],
    settings: WarmStartConfig,
    solve: Callable[[Any], Awaitable[float]],
    *,
    steps: Optimizer | None = None,
    course: Course | None = None,
    micro_tokens: int = 16_384,
    bf16: bool = False,
    pack: bool = False,
    tell: Callable[[str], None] = lambda line: None,
    after: After = lambda course, numbers: None,
) -> Course:
    """Learn from rows until enough tasks are solved or steps run out.

    Measures rarely while almost nothing is solved, and every ``settings.every`` steps from then on. The last step is always
    measured.

    Args:
        model: A causal language model; its weights change.
        batches: One batch of rows per step, the next one first.
        settings: Training settings.
        solve: Returns the share of tasks that the model solves now.
        steps: The optimiser; by default a new one.
        course: A training to resume; by default a new one.
        micro_tokens: Padded tokens per forward pass.
        bf16: Use bfloat16 autocast.
        pack: Pack rows.
        tell: Called with a line of text every ``settings.every`` steps.
        after: Called after every step with its numbers.
    """
    steps = steps or optimizer(model, settings)
    course = course or Course(look=settings.every)
    model.train()
    while course.step < settings.steps:
        began = perf_counter()
        rate = settings.learning_rate * min(1.0, (course.step + 1) / max(1, settings.warmup))
        for group in steps.param_groups:
            group["lr"] = rate
        numbers = _step(model, steps, next(batches), micro_tokens, bf16, pack)
        course.step, course.loss = course.step + 1, numbers["loss"]
        line = f"step {course.step} of {settings.steps}: loss {course.loss:.3f}"
        due = course.step == settings.steps or (settings.stop is not None and course.step >= course.look)
        if due and settings.episodes:
            course.solved, course.looks = await solve(model), course.looks + 1
            numbers["solved"] = course.solved
            tell(f"{line}, solved {course.solved:.3f}")
            hasty = settings.stop is not None and course.solved * _HASTE < settings.stop
            course.look = course.step + settings.every * (_HASTE if hasty else 1)
        elif course.step % settings.every == 0:
            tell(line)
        after(course, {**numbers, "learning_rate": rate, "seconds": perf_counter() - began})
        if settings.stop is not None and course.solved >= settings.stop:
            break
    return course


def _step(
    model: Any, steps: Optimizer, rows: Sequence[Row], micro_tokens: int, bf16: bool, pack: bool
) -> dict[str, float]:
    """Take one optimiser step; returns its numbers."""
    device = next(model.parameters()).device
    ids, mask = _padded(rows)
    lengths = torch.tensor([len(row.ids) for row in rows])
    tokens = float(mask.sum())
    steps.zero_grad(set_to_none=True)
    loss, computed = 0.0, 0
    for index in (packing.micro_batches if pack else micro_batches)(lengths, micro_tokens):
        width = int(lengths[index].max())
        part, wanted = ids[index, :width].to(device), mask[index, : width - 1].to(device)
        with torch.autocast(device.type, torch.bfloat16) if bf16 else nullcontext():
            found = (
                packing.score(model, part, wanted, lengths[index].to(device)) if pack else score(model, part, wanted)
            )
        nats = -found.logp.sum() / tokens
        torch.autograd.backward(nats)
        loss += float(nats.detach())
        computed += found.computed
    torch.nn.utils.clip_grad_norm_(optimizers.parameters(steps), _CLIP_NORM)
    steps.step()
    return {"loss": loss, "tokens": tokens, "fed": float(lengths.sum()), "computed": float(computed)}


def _padded(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids ``(B, T + 1)``, and 1.0 where the predicted token ``(B, T)`` is learned."""
    width = max(len(row.ids) for row in rows)
    ids = torch.tensor([row.ids + [0] * (width - len(row.ids)) for row in rows])
    mask = torch.tensor([row.mask + [0] * (width - len(row.ids)) for row in rows], dtype=torch.float32)
    return ids, mask[:, 1:]
