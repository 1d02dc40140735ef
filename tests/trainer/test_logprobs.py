"""Log-probabilities, entropies and values of given tokens: as a plain forward pass, whatever the chunks."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from envhub_trainer.logprobs import score
from tests.trainer.models import tiny_gemma, tiny_llama


def ragged(seed: int = 1) -> tuple[Tensor, Tensor]:
    """Three rows of 9, 6 and 4 tokens with holes in the mask."""
    torch.manual_seed(seed)
    ids = torch.randint(0, 300, (3, 9))
    mask = torch.zeros(3, 8)
    for row, places in enumerate(([2, 3, 6, 7], [1, 4], [0, 2])):
        mask[row, places] = 1.0
    return ids, mask


def plainly(model: Any, ids: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
    logps = (model(ids[:, :-1]).logits.double() / temperature).log_softmax(-1)
    return logps.gather(-1, ids[:, 1:, None])[..., 0], -(logps.exp() * logps).sum(-1)


@pytest.mark.parametrize("make", [tiny_llama, tiny_gemma])
@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("chunk", [1, 3, 4096])
def test_they_are_those_of_a_plain_pass(make: Any, temperature: float, chunk: int) -> None:
    model = make().eval()
    ids, mask = ragged()
    found = score(model, ids, mask, temperature=temperature, chunk=chunk)
    logp, entropy = plainly(model, ids, temperature)
    torch.testing.assert_close(found.logp.double(), logp * mask, atol=1e-5, rtol=0)
    torch.testing.assert_close(found.entropy.double(), entropy * mask, atol=1e-5, rtol=0)
    assert found.value is None


@pytest.mark.parametrize("chunk", [2, 4096])
def test_so_is_the_gradient(chunk: int) -> None:
    ids, mask = ragged()
    model = tiny_llama().double()
    weights = torch.rand(mask.shape, dtype=torch.float64)

    def gradient(loss: Tensor) -> list[Tensor]:
        return list(torch.autograd.grad(loss, list(model.parameters())))

    ours = gradient((score(model, ids, mask, chunk=chunk).logp * weights).sum())
    theirs = gradient((plainly(model, ids, 1.0)[0] * mask * weights).sum())
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=1e-5)


def test_the_entropy_has_a_gradient_only_if_asked() -> None:
    ids, mask = ragged()
    model = tiny_llama()
    assert not score(model, ids, mask).entropy.requires_grad
    ours = score(model, ids, mask, entropy_grad=True).entropy.sum()
    one = torch.autograd.grad(ours, model.get_input_embeddings().weight)[0]
    other = torch.autograd.grad((plainly(model, ids, 1.0)[1] * mask).sum(), model.get_input_embeddings().weight)[0]
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-3)


def test_what_is_padded_changes_nothing() -> None:
    ids, mask = ragged()
    model = tiny_llama().eval()
    other = ids.clone()
    other[2, 4:] = 7  # the last row's mask ends before
    torch.testing.assert_close(score(model, ids, mask).logp, score(model, other, mask).logp)


def test_values_are_the_critics_of_the_context_before_the_token() -> None:
    ids, mask = ragged()
    model = tiny_llama().eval()
    critic = nn.Linear(32, 1)
    found = score(model, ids, mask, critic=critic).value
    states = model.model(ids[:, :-1]).last_hidden_state
    torch.testing.assert_close(found, critic(states)[..., 0] * mask)
