"""The probe, with the sampler of transformers: whose weights does it sample from?"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from torch import nn

from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.probe import probe
from tests.trainer.models import tiny_llama

PROMPT = [1, 22, 23, 40]
CONTEXT = 32
EIGHT = Sampling(8)


class Altered:
    """A policy whose completions are changed on their way."""

    def __init__(self, policy: HfPolicy, **changes: Any) -> None:
        self.version, self.context = policy.version, policy.context
        self._policy, self._changes = policy, changes

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        completion = await self._policy.generate(ids, sampling, seed)
        return replace(
            completion, **{name: change(getattr(completion, name)) for name, change in self._changes.items()}
        )

    async def sync(self, model: nn.Module, version: int) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


def probed(
    model: Any, sampling: Sampling = EIGHT, ids: Sequence[int] = PROMPT, tolerance: float = 1e-4, **changes: Any
) -> float:
    """The probe of a policy that samples from ``tiny_llama(1)``."""

    async def run() -> float:
        policy = HfPolicy(tiny_llama(1), end_ids=frozenset(), context=CONTEXT, share=False, version=3)
        try:
            return await probe(Altered(policy, **changes), model, ids, sampling, tolerance)
        finally:
            await policy.close()

    return asyncio.run(run())


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0, 2.0])
def test_the_models_own_sampler_passes_at_any_temperature(temperature: float) -> None:
    assert probed(tiny_llama(1), Sampling(8, temperature)) < 1e-4


def test_a_model_is_left_as_it_was() -> None:
    model = tiny_llama(1).train()
    model.model.layers[0].eval()
    model.model.layers[1].self_attn.attention_dropout = 0.5  # which a probe must not meet
    modes = [module.training for module in model.modules()]
    assert probed(model) < 1e-4
    assert [module.training for module in model.modules()] == modes
    assert all(weight.requires_grad and weight.grad is None for weight in model.parameters())


def test_other_weights_are_told_with_the_difference() -> None:
    with pytest.raises(PolicyError, match=r"trainer's weights of version 3: a log-probability differs by [1-9].* nats"):
        probed(tiny_llama(2))
    assert 0.1 < probed(tiny_llama(2), tolerance=math.inf) < 20


def test_weights_of_one_layer_that_stayed_behind_are_told() -> None:
    model = tiny_llama(1)
    model.model.layers[1].mlp.down_proj.weight.data *= 1.5
    with pytest.raises(PolicyError, match="does not sample"):
        probed(model)


def test_log_probabilities_that_know_nothing_of_the_temperature_are_told() -> None:
    plain = {"logps": lambda logps: [logp * 0.5 for logp in logps]}
    with pytest.raises(PolicyError, match="does not sample"):
        probed(tiny_llama(1), **plain)


def test_one_token_is_enough() -> None:
    first_is_off = {"logps": lambda logps: [logps[0] + 0.01, *logps[1:]]}
    last_is_off = {"logps": lambda logps: [*logps[:-1], logps[-1] - 0.01]}
    for changes in (first_is_off, last_is_off):
        with pytest.raises(PolicyError, match=r"differs by 0\.01 nats"):
            probed(tiny_llama(1), **changes)
        assert probed(tiny_llama(1), tolerance=0.02, **changes) == pytest.approx(0.01, abs=1e-4)


def test_what_is_not_a_number_is_not_within_a_tolerance() -> None:
    with pytest.raises(PolicyError, match="differs by nan"):
        probed(tiny_llama(1), tolerance=math.inf, logps=lambda logps: [*logps[:-1], math.nan])


def test_another_version_is_told() -> None:
    with pytest.raises(PolicyError, match=r"After the sync of version 3 the sampler used version \[2, 3\]"):
        probed(tiny_llama(1), versions=lambda versions: [2, *versions[1:]])


def test_a_context_without_room_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="A context of 32 tokens has no room"):
        probed(tiny_llama(1), ids=[5] * CONTEXT)
