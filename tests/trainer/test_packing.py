"""Packed rows give what the rows give by themselves, in less room."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, strategies as st
from torch import Tensor

from envhub_trainer import logprobs, packing
from envhub_trainer.group import Group
from envhub_trainer.packing import fit, micro_batches
from tests.trainer.models import tiny_gemma, tiny_llama
from tests.trainer.test_update import episode, learner

LENGTHS = [17, 12, 9, 5, 4, 3, 2]


def rows(lengths: list[int] = LENGTHS) -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(1)
    length = torch.tensor(lengths)
    real = torch.arange(max(lengths)) < length[:, None]
    ids = torch.randint(1, 300, real.shape) * real
    mask = (torch.rand(real.shape) < 0.6) & real
    mask[:, 1] = True
    return ids, mask[:, 1:].double(), length


@pytest.mark.parametrize(
    ("make", "attention", "rounding"),
    [(tiny_llama, "sdpa", 1e-10), (tiny_llama, "eager", 1e-10), (tiny_gemma, "eager", 1e-6)],  # Gemma norms in float32
)
def test_packed_rows_score_as_by_themselves_to_float64(make: Any, attention: str, rounding: float) -> None:
    model = make().double()
    model.set_attn_implementation(attention)
    critic = torch.nn.Linear(32, 1).double()
    ids, mask, length = rows()
    weights = torch.rand_like(mask)
    found = []
    for pack in (False, True):
        model.zero_grad()
        options: dict[str, Any] = {"temperature": 0.7, "critic": critic, "entropy_grad": True}
        score = (
            packing.score(model, ids, mask, length, **options) if pack else logprobs.score(model, ids, mask, **options)
        )
        assert score.value is not None
        ((score.logp + score.entropy + score.value) * weights).sum().backward()
        gradient = torch.cat([each.grad.flatten() for each in model.parameters() if each.grad is not None])
        found.append((score, gradient))
    (padded, slope), (packed, packed_slope) = found
    for one, other in zip(padded[:3], packed[:3], strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=rounding)
    torch.testing.assert_close(slope, packed_slope, rtol=0, atol=rounding)
    assert (padded.computed, packed.computed) == (7 * 17, 4 * 17)


def test_a_packed_update_is_the_padded_one_and_computes_fewer_tokens() -> None:
    updates = []
    for pack in (False, True):
        trained = learner(pack=pack, micro_tokens=16_384, clip_norm=0)
        trained.model.double()
        trained.optimizer = torch.optim.SGD(trained.parameters, lr=0.1)
        batch = trained.prepare([Group(0, None, [episode(0, r, n, n) for n, r in enumerate((1, 0, 1, 0, 0, 1), 1)])])  # type: ignore
        updates.append(trained.learn(batch, 0) | {"weights": torch.cat([w.flatten() for w in trained.parameters])})  # type: ignore
    padded, packed = updates
    assert packed["loss"] == pytest.approx(padded["loss"], abs=1e-9)
    assert (packed["weights"] - padded["weights"]).abs().max() < 1e-9
    assert packed["fed"] == padded["fed"]
    assert packed["fed"] <= packed["computed"] < padded["computed"]


@given(st.lists(st.integers(2, 40), min_size=1, max_size=40), st.integers(1, 200))
def test_micro_batches_hold_every_row_once_and_stay_within_their_tokens(lengths: list[int], tokens: int) -> None:
    parts = [index.tolist() for index in micro_batches(torch.tensor(lengths), tokens)]
    assert sorted(row for part in parts for row in part) == list(range(len(lengths)))
    for part in parts:
        sizes = [lengths[row] for row in part]
        assert sizes == sorted(sizes, reverse=True)
        places = fit(sizes, sizes[0])
        bins = 1 + max(place[0] for place in places if place is not None)
        assert bins * sizes[0] <= tokens or bins == 1
        taken = [
            (place[0], place[1] + i) for place, size in zip(places, sizes, strict=True) if place for i in range(size)
        ]
        assert len(set(taken)) == len(taken) == sum(sizes)
        assert all(offset < sizes[0] for _, offset in taken)
