"""An optimiser for a companion's weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from envhub_trainer import optimizers
from envhub_trainer.batch import Batch
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.portions import micro_batches


class Fitting:
    """AdamW with the run's settings and its own learning rate.

    Args:
        parameters: The weights.
        settings: The run's optimiser settings.
        learning_rate: Constant learning rate; None for that of the run.
        device: Where the weights are.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        settings: OptimizerConfig,
        learning_rate: float | None,
        device: torch.device,
    ) -> None:
        self._settings = settings
        self._device = device
        rate = settings.learning_rate if learning_rate is None else learning_rate
        self.optimizer = optimizers.build(parameters, settings.model_copy(update={"learning_rate": rate}))

    def step(self, batch: Batch, loss: Callable[[Batch], Tensor]) -> float:
        """Take an optimiser step and return the loss.

        Args:
            batch: The rows of the step.
            loss: The loss of some of the rows; the losses of all rows add up to that of the step.

        Raises:
            FloatingPointError: The gradient is not finite; the step was not taken.
        """
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for part in self.parts(batch):
            found = loss(part)
            found.backward()  # type: ignore[no-untyped-call]
            total += float(found.detach())
        norm = float(
            nn.utils.clip_grad_norm_(optimizers.parameters(self.optimizer), self._settings.clip_norm or math.inf)
        )
        if not math.isfinite(norm):
            self.optimizer.zero_grad(set_to_none=True)
            raise FloatingPointError(f"The gradient's norm is {norm}; no step was taken.")
        self.optimizer.step()
        return total

    def parts(self, batch: Batch) -> list[Batch]:
        """The micro-batches of some rows."""
        return [batch.rows(index) for index in micro_batches(batch.length, self._settings.micro_tokens)]

    def gathered(self, batch: Batch, of: Callable[[Batch], Tensor]) -> Tensor:
        """``(B, T)`` of a function of rows, computed by micro-batches without gradient."""
        whole = torch.zeros_like(batch.mask)
        with torch.no_grad():
            for index in micro_batches(batch.length, self._settings.micro_tokens):
                part = batch.rows(index)
                whole[index, : part.mask.shape[1]] = of(part)
        return whole

    def precision(self) -> AbstractContextManager[object]:
        """The precision of forward passes."""
        return torch.autocast(self._device.type, torch.bfloat16) if self._settings.bf16 else nullcontext()
