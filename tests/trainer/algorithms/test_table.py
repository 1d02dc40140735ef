"""What holds for every row of the table, whatever its formulas: finite, cut as one likes, silent off the mask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from envhub_trainer.algorithms import ALGORITHMS, algorithm
from envhub_trainer.algorithms.corrections import Masked, Tis
from envhub_trainer.algorithms.focus import HighEntropy
from tests.trainer.algorithms.toys import an_episode, batch_of, episodes, loss_and_slope, with_weights

each_algorithm = pytest.mark.parametrize("name", ALGORITHMS)
OF_THEIR_OWN = ("ppo", "vapo", "prime", "steps", "spo", "spiral", "kl_cov")
"""Algorithms with a gradient where all returns are equal."""
with_everything = pytest.mark.parametrize(
    "extra", [{}, {"kl": 0.1, "kl_kind": "k2", "entropy": 0.01, "tis": 1.5}, {"mask": "sequence", "positives": 0.1}]
)


@each_algorithm
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_loss_and_gradient_are_finite_and_off_the_mask_there_is_nothing(name: str, dtype: torch.dtype) -> None:
    row = algorithm(name)
    batch, logp = batch_of(episodes(), dtype)
    prepared = with_weights(row, batch, logp)
    assert prepared.advantage is not None
    assert prepared.advantage.dtype == dtype
    loss, slope = loss_and_slope(row, prepared, logp)
    off = batch.mask == 0
    assert loss.dtype == dtype
    assert torch.isfinite(loss)
    assert torch.isfinite(slope).all()
    assert slope[~off].abs().max() > 0
    assert not slope[off].any()
    assert not prepared.advantage[off].any()


@each_algorithm
def test_what_stands_off_the_mask_changes_nothing(name: str) -> None:
    row = algorithm(name, entropy=0.01)
    batch, logp = batch_of(episodes())
    wanted = loss_and_slope(row, with_weights(row, batch, logp), logp)
    off = batch.mask == 0
    junk = {
        n: getattr(batch, n).masked_fill(off, v)
        for n, v in {"old": torch.inf, "ref": torch.nan, "value": 7, "gain": 7}.items()
    }
    spoilt, other = batch.having(**junk), logp.masked_fill(off, -torch.inf)
    made = loss_and_slope(row, with_weights(row, spoilt, other), other)
    assert torch.equal(made[0], wanted[0])
    assert torch.equal(made[1], wanted[1])


@each_algorithm
@with_everything
def test_micro_batches_add_up_to_the_step(name: str, extra: dict[str, Any]) -> None:
    row = algorithm(name, **extra)
    batch, logp = batch_of(episodes(1))
    batch = with_weights(row, batch, logp)
    whole = loss_and_slope(row, batch, logp)
    for parts in (1, 4, len(batch.mask)):
        order = torch.randperm(len(batch.mask), generator=torch.Generator().manual_seed(parts))
        pieces = [loss_and_slope(row, batch, logp, rows) for rows in order.chunk(parts)]
        torch.testing.assert_close(torch.stack([loss for loss, _ in pieces]).sum(), whole[0], rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(torch.stack([slope for _, slope in pieces]).sum(0), whole[1], rtol=1e-12, atol=1e-14)


@each_algorithm
def test_cutting_an_episode_into_rows_changes_no_advantage(name: str) -> None:
    row = algorithm(name)
    turns = [0.25, 0.5, 0.0]
    found = []
    for rows in (1, 3):
        made = [an_episode(turns, rows=rows, seed=5), *(an_episode([r], seed=6 + i) for i, r in enumerate((1.0, 0.0)))]
        batch, _ = batch_of(made)
        at = (batch.mask > 0).nonzero(as_tuple=True)
        ramp = torch.zeros_like(batch.mask)
        ramp[at] = torch.linspace(-1, 1, len(at[0]), dtype=torch.float64)
        given = {"old": ramp, "ref": ramp * 0.5, "value": -ramp, "process": ramp * 0.3, "gain": ramp}
        advantage = row.advantage(batch.having(**given)).advantage
        assert advantage is not None
        found.append(advantage[at])
    torch.testing.assert_close(found[0], found[1])
    assert found[0].abs().max() > 0


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in OF_THEIR_OWN])  # see the next test
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_episodes_that_all_earned_the_same_have_no_gradient(name: str, dtype: torch.dtype) -> None:
    none = {"grpo": {"kl": 0}, "reinforce++": {"beta": 0}}
    row = algorithm(name, **none.get(name, {}))
    made = [an_episode([0.1], group=i // 10, seed=i) for i in range(20)]  # the mean of ten 0.1 is not 0.1
    batch, logp = batch_of(made, dtype)
    batch = batch.having(greedy=batch.score.clone(), gain=torch.zeros_like(batch.mask))
    assert batch.score[0] != 0
    prepared = with_weights(row, batch, logp)
    assert prepared.advantage is not None
    assert not prepared.advantage.any()
    assert not loss_and_slope(row, prepared, logp)[1].any()


def test_what_is_left_there_is_a_model_s_a_tracker_s_and_the_divergence() -> None:
    made = [an_episode([0.3], group=i // 3, seed=i) for i in range(9)]
    for name in OF_THEIR_OWN:
        batch, logp = batch_of(made)
        assert loss_and_slope(algorithm(name), with_weights(algorithm(name), batch, logp), logp)[1].any()


def test_one_uniform_group_among_others_has_no_gradient() -> None:
    made = [*episodes(), *(an_episode([0.3], group=9, seed=i) for i in range(3))]
    batch, logp = batch_of(made)
    uniform = batch.group[batch.episode] == 9
    for name in ("dr_grpo", "dapo", "rloo", "liteppo", "gspo", "gmpo", "gepo", "cispo"):
        slope = loss_and_slope(algorithm(name), with_weights(algorithm(name), batch, logp), logp)[1]
        assert not slope[uniform].any()
        assert slope[~uniform].any()


@each_algorithm
def test_a_batch_without_sampled_tokens_is_no_loss_and_no_nan(name: str) -> None:
    row = algorithm(name)
    batch, logp = batch_of(episodes())
    batch = batch.having(mask=torch.zeros_like(batch.mask))
    loss, slope = loss_and_slope(row, with_weights(row, batch, logp), logp)
    assert loss == 0
    assert not slope.any()


@each_algorithm
def test_far_from_the_old_policy_it_is_still_finite(name: str) -> None:
    row = algorithm(name, tis=2.0)
    batch, logp = batch_of(episodes(), torch.float32)
    for shift in (300.0, -300.0):
        prepared = with_weights(row, batch, logp + shift)
        loss, slope = loss_and_slope(row, prepared, logp + shift)
        assert torch.isfinite(loss)
        assert torch.isfinite(slope).all()


@each_algorithm
def test_the_batch_is_left_as_it_was(name: str) -> None:
    row = algorithm(name)
    batch, logp = batch_of(episodes())
    before = {key: tensor.clone() for key, tensor in vars(batch).items() if isinstance(tensor, Tensor)}
    loss_and_slope(row, with_weights(row, batch, logp), logp)
    assert all(torch.equal(getattr(batch, key), tensor) for key, tensor in before.items())


def test_an_episode_that_is_not_included_has_no_advantage_and_moves_no_one_s() -> None:
    made = episodes()
    for name in set(ALGORITHMS) - {"ppo", "vapo"}:
        batch, _ = batch_of(made)
        without = batch.having(included=torch.arange(len(made)) % 4 != 0)
        other = without.having(score=batch.score + 5 * ~without.included)
        first, second = (algorithm(name).advantage(each).advantage for each in (without, other))
        assert first is not None
        assert second is not None
        assert torch.equal(first, second)
        assert not first[~without.included[batch.episode]].any()


def test_time_goes_from_an_episode_s_row_to_its_next_wherever_that_stands() -> None:
    batch, _ = batch_of([an_episode([0.0, 1.0], rows=2, seed=1), an_episode([1.0, 0.5], rows=2, seed=2)])
    order = torch.tensor([0, 2, 1, 3])
    apart = batch.rows(order)
    for name in ("ppo", "reinforce++"):
        together, found = (algorithm(name).advantage(each).advantage for each in (batch, apart))
        assert together is not None
        assert found is not None
        torch.testing.assert_close(found, together[order])


def test_the_tokens_of_highest_entropy_by_hand() -> None:
    batch, _ = batch_of([an_episode([0.0], seed=i) for i in range(3)])
    on = batch.mask > 0
    number = int(on.sum())
    entropy = torch.full_like(batch.mask, 9.0)  # larger off the mask, where it does not count
    entropy[on] = torch.arange(number, dtype=entropy.dtype)
    for share, used in ((0.0, 0), (0.2, -(-number // 5)), (1.0, number)):
        focus = HighEntropy(share)(batch.having(entropy=entropy))
        assert focus[on].tolist() == [0.0] * (number - used) + [1.0] * used
        assert not focus[~on].any()
    tied = HighEntropy(0.2)(batch.having(entropy=torch.ones_like(entropy)))
    assert torch.equal(tied, batch.mask), "tokens as uncertain as the last one are used too"


def test_corrections_by_hand() -> None:
    batch, _ = batch_of([an_episode([0.0], seed=i) for i in range(2)])
    first = torch.zeros_like(batch.mask)
    first[0, :2] = first[1, 2] = 1
    apart = torch.tensor([[0.5, 1.0], [0.0, 0.0]], dtype=torch.float64)
    old = batch.behaviour.clone() + 30 * (1 - first)  # what stands off the mask is ignored
    old[:, :2] += apart
    batch = batch.having(mask=first, old=old)
    e = torch.tensor([0.5, 1.0, 1.5], dtype=torch.float64).exp().tolist()
    for made, wanted in (
        (Tis(2.0), [e[0], 2.0, 1.0]),
        (Tis(5.0, "sequence"), [e[2], e[2], 1.0]),
        (Tis(2.0, "sequence"), [2.0, 2.0, 1.0]),
        (Masked("token", 0.5, 2.0), [e[0], 0.0, 1.0]),
        (Masked("sequence", 0.5, 5.0), [e[2], e[2], 1.0]),
        (Masked("sequence", 0.5, 4.0), [0.0, 0.0, 1.0]),
    ):
        factors = made(batch)
        assert factors[first > 0].tolist() == pytest.approx(wanted), made
        assert torch.isfinite(factors).all()


def test_weights_by_hand() -> None:
    batch, _ = batch_of([an_episode([0.0], seed=i) for i in range(3)])
    batch = batch.having(mask=torch.tensor([[1.0, 0, 0, 0], [1, 0, 1, 1], [0, 0, 0, 0]]))
    wanted = {"token_mean": (1 / 4, 1 / 4), "sequence_mean": (1 / 2, 1 / 6), "constant": (1 / 30,) * 2}
    for aggregate, (first, second) in {**wanted, "sequence_sum": (1 / 3, 1 / 3)}.items():
        made = algorithm("grpo", aggregate=aggregate).weigh(batch.having(budget=torch.full_like(batch.score, 10)))
        torch.testing.assert_close(made, batch.mask * torch.tensor([[first], [second], [0.0]]))


def test_gepo_s_expectation_leaves_out_what_is_not_included() -> None:
    batch, logp = batch_of(episodes())
    assert batch.old is not None
    batch = batch.having(included=torch.arange(len(batch.score)) % 4 != 0)
    out = ~batch.included[batch.episode]
    row = algorithm("gepo")
    other = batch.having(old=torch.where(out.unsqueeze(1), batch.old - 1, batch.old))
    assert torch.equal(*(row.ratio(logp, row.advantage(each)) for each in (batch, other)))


def test_gepo_s_expectation_is_of_the_whole_group_even_in_a_micro_batch_of_one_row() -> None:
    row = algorithm("gepo")
    batch, logp = batch_of(episodes())
    whole = row.ratio(logp, row.advantage(batch))
    one = row.advantage(batch).rows(torch.tensor([2]))
    alone = row.ratio(logp[2:3, : one.mask.shape[1]], one)
    torch.testing.assert_close(alone, whole[2:3, : one.mask.shape[1]])


def test_clip_cov_draws_the_same_tokens_again_and_others_from_another_batch() -> None:
    row = algorithm("clip_cov")
    surrogate = replace(row.surrogate, minimum=-9.0, maximum=9.0)  # type: ignore[type-var]
    drawn = []
    for seed in (0, 0, 1, 2):
        batch, logp = batch_of(episodes(seed))
        drawn.append(surrogate.choose(logp, row.advantage(batch)))  # type: ignore[attr-defined]
    assert torch.equal(drawn[0], drawn[1])
    assert all(int(each.sum()) == 1 for each in drawn)
    places = {tuple(each.nonzero()[0].tolist()) for each in drawn}
    assert len(places) > 1


def test_clip_cov_takes_no_token_off_the_mask_and_none_that_the_clip_has_cut() -> None:
    row = algorithm("clip_cov")
    surrogate = replace(row.surrogate, share=1.0, minimum=-9.0, maximum=9.0)  # type: ignore[type-var]
    batch, logp = batch_of(episodes())
    batch = row.advantage(batch)
    chosen = surrogate.choose(logp, batch)  # type: ignore[attr-defined]
    free = logp.clone().requires_grad_()
    surrogate(row.ratio(free, batch), free, batch.having(chosen=chosen & False)).sum().backward()  # type: ignore[operator]
    assert free.grad is not None
    learns = (free.grad != 0) | (batch.advantage == 0)
    assert torch.equal(chosen, (batch.mask > 0) & learns)
    assert not learns.all()


def test_kl_cov_never_takes_a_token_off_the_mask() -> None:
    row = algorithm("kl_cov")
    surrogate = replace(row.surrogate, share=1.0)  # type: ignore[type-var]
    batch, logp = batch_of(episodes())
    assert torch.equal(surrogate.choose(logp, row.advantage(batch)), batch.mask > 0)  # type: ignore[attr-defined]


def test_reinforce_with_old_samples_has_the_gradient_of_its_truncated_ratio() -> None:
    batch, logp = batch_of(episodes())
    plain, corrected = algorithm("rloo"), algorithm("rloo", importance=1.5)
    assert (plain.on_policy, corrected.on_policy) == (True, False)
    batch = with_weights(plain, batch, logp)
    assert batch.old is not None
    ratio = ((logp - batch.old).exp() * batch.mask).clamp(max=1.5)
    assert (ratio == 1.5).any()
    on_policy = loss_and_slope(plain, batch, logp)[1]
    torch.testing.assert_close(loss_and_slope(corrected, batch, logp)[1], on_policy * ratio)
    torch.testing.assert_close(
        loss_and_slope(corrected, batch, batch.old)[1], loss_and_slope(plain, batch, batch.old)[1]
    )
