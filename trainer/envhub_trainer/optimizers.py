"""Optimisers: AdamW, AdamW with 8-bit states, and float32 copies of bfloat16 weights.

::

    optimizer = build(model.parameters(), config.optimizer)
    loss.backward()
    clip_grad_norm_(parameters(optimizer), 1.0)
    optimizer.step()

A weight in bfloat16 has 8 significant bits: an update smaller than 1/512 of it would be rounded away. So the optimiser of such
weights steps on float32 copies of them, in which gradients of micro-batches are summed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Final, TypeAlias, Union

import torch
from torch import Tensor, nn

from envhub_trainer.config import ConfigError, OptimizerConfig

_LOW: Final = (torch.bfloat16, torch.float16)

Optimizer: TypeAlias = Union[torch.optim.Optimizer, "Masters"]


def build(weights: Iterable[nn.Parameter], settings: OptimizerConfig) -> Optimizer:
    """The optimiser of some weights.

    Args:
        weights: Trained weights; those without a gradient are left out.
        settings: Kind, learning rate, betas and weight decay.

    Raises:
        ConfigError: The package of the 8-bit optimiser is not installed.
    """
    trained = [weight for weight in weights if weight.requires_grad]
    kind = torch.optim.AdamW if settings.kind == "adamw" else _eight_bit()

    def made(of: list[nn.Parameter]) -> Optimizer:
        found: Optimizer = kind(of, lr=settings.learning_rate, betas=settings.betas, weight_decay=settings.weight_decay)
        return found

    return Masters(trained, made) if any(weight.dtype in _LOW for weight in trained) else made(trained)


def parameters(optimizer: Optimizer) -> list[nn.Parameter]:
    """The tensors that an optimiser steps on; they hold the gradients."""
    return [each for group in optimizer.param_groups for each in group["params"]]


class Masters:
    """Steps on float32 copies of low-precision weights.

    A gradient moves to its weight's copy as soon as it is complete, so micro-batches are summed in float32. Weights that are
    in float32 already have no copy.

    Args:
        weights: The model's weights.
        make: Makes the optimiser of the copies.
    """

    def __init__(self, weights: list[nn.Parameter], make: Callable[[list[nn.Parameter]], Optimizer]) -> None:
        self._pairs = [(weight, _master(weight)) for weight in weights if weight.dtype in _LOW]
        masters = {id(weight): master for weight, master in self._pairs}
        self._inner = make([masters.get(id(weight), weight) for weight in weights])
        for weight, master in self._pairs:
            weight.register_post_accumulate_grad_hook(_moved_to(master))  # type: ignore[no-untyped-call]

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """Those of the optimiser of the copies."""
        return self._inner.param_groups

    @property
    def state(self) -> dict[Any, Any]:
        """That of the optimiser of the copies."""
        return self._inner.state

    def step(self) -> None:
        """Update the copies, then round them into the weights."""
        self._inner.step()
        self._round()

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of the copies."""
        self._inner.zero_grad(set_to_none)

    def state_dict(self) -> dict[str, Any]:
        """The optimiser's state and the copies, which rounded weights do not determine."""
        return {"inner": self._inner.state_dict(), "masters": [master.detach() for _, master in self._pairs]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the optimiser, the copies and the weights."""
        self._inner.load_state_dict(state["inner"])
        with torch.no_grad():
            for (_, master), kept in zip(self._pairs, state["masters"], strict=True):
                master.copy_(kept)
        self._round()

    @torch.no_grad()
    def _round(self) -> None:
        for weight, master in self._pairs:
            weight.copy_(master)


def _master(weight: nn.Parameter) -> nn.Parameter:
    return nn.Parameter(weight.detach().float().clone())


def _moved_to(master: nn.Parameter) -> Callable[[Tensor], None]:
    """A hook that adds a weight's gradient to that of its copy."""

    def move(weight: Tensor) -> None:
        assert weight.grad is not None
        fresh = weight.grad.float()
        master.grad = fresh if master.grad is None else master.grad + fresh
        weight.grad = None

    return move


def _eight_bit() -> Any:
    try:
        return import_module("bitsandbytes.optim").AdamW8bit
    except ImportError:
        raise ConfigError(
            "optimizer.kind = 'adamw8bit' needs bitsandbytes: pip install 'envhub[adam8bit]', or choose 'adamw'."
        ) from None
