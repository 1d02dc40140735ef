"""Compares the trainer's losses with TRL's and verl's on one batch.

    PYTHONPATH=. .venvs/trl/bin/python -m benchmarks.algorithms_against_peers --verl verl-0.9.1-py3-none-any.whl

Prints a Markdown table and asserts nothing. Runs in any interpreter that has torch; TRL is used if installed there, verl if
its wheel is given (``pip download verl --no-deps``). A missing peer is named and skipped. A cell has a peer's loss and, after
``d``, the largest difference between the gradients' entries, relative to our largest entry; for an advantage, the largest
difference itself. "(formula)" is an expression copied manually, because the peer has it inside a function that needs a model;
"(read)" was not executed; the rest is the peer's own code.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from benchmarks.peer_losses import LONGEST, ActorConfig, Loss, beside, load_verl, slope, trl_loss, verl_loss
from envhub_trainer.algorithms import Algorithm, algorithm
from envhub_trainer.batch import Batch

Line = tuple[str, str, str, str]
EPS_TRL = 1e-4


def example(*, empty_row: bool = False) -> tuple[Batch, Tensor]:
    """Example batch: three groups of four single-row episodes, float64.

    Rows have 1 to 9 predictions, with gaps, and log-probabilities.
    """
    random = torch.Generator().manual_seed(7)

    def uniform(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(12, 9, generator=random, dtype=torch.float64)

    lengths = torch.tensor([9, 3, 6, 1, 7, 4, 8, 2, 5, 9, 3, 6])
    inside = torch.arange(9) < lengths[:, None]
    mask = (inside & ((uniform(0, 1) < 0.8) | (torch.arange(9) == lengths[:, None] - 1))).double()
    if empty_row:
        mask[4] = 0
    logp = uniform(-2.5, -0.05)
    score = torch.tensor([1.0, 0, 0, 1, 0.2, 0.7, 0.9, 0.4, 1, 1, 0, 1], dtype=torch.float64)
    last = torch.arange(9) == lengths[:, None] - 1
    old = logp + uniform(-0.6, 0.6)
    batch = Batch(
        ids=torch.zeros(12, 10, dtype=torch.long),
        length=lengths + 1,
        mask=mask,
        behaviour=(old + uniform(-0.9, 0.9)) * mask,
        version=mask.long() - 1,
        rewards=last * score[:, None],
        episode=torch.arange(12),
        score=score,
        group=torch.arange(12) // 4,
        included=torch.ones(12, dtype=torch.bool),
        greedy=torch.full((12,), 0.5, dtype=torch.float64),
        old=old,
        ref=logp + uniform(-0.5, 0.5),
        value=uniform(-1, 1),
    )
    return batch, logp


def prepared(row: Algorithm, batch: Batch, logp: Tensor) -> Batch:
    """The batch as the trainer passes it to the loss."""
    batch = row.advantage(batch)
    batch = batch.having(weight=row.weigh(batch.having(budget=torch.full_like(batch.score, LONGEST))))
    return batch if row.choose is None else batch.having(chosen=row.choose(logp, batch))


def losses(verl: Any) -> Iterator[Line]:
    """Compare losses on the same advantage, old log-probabilities and mask."""

    def line(
        what: str, row: Algorithm, trl: dict[str, Any] | None, their: tuple[Any, ...] | None, **case: bool
    ) -> Line:
        batch, logp = example(**case)
        batch = prepared(row, batch, logp)

        def ours(at: Tensor) -> Tensor:
            return row.loss(at, None, batch)

        theirs = None if trl is None else trl_loss(batch, **trl)
        of_verl = None if their is None else verl_loss(verl, batch, *their)
        return what, f"{slope(ours, logp)[0]:.6f}", beside(ours, theirs, logp), beside(ours, of_verl, logp)

    narrow = {"epsilon_low": 3e-4, "epsilon_high": 4e-4}
    wide = {"epsilon_low": 0.4, "epsilon_high": 0.4}
    sequences, tokens, normed = "seq-mean-token-mean", "token-mean", "seq-mean-token-sum-norm"
    batch, _ = example()
    cut = (batch.old - batch.behaviour).exp().clamp(max=2.0)  # type: ignore[operator]
    grpo = algorithm("grpo", kl=0.0)
    yield line("grpo without KL", grpo, {}, ("vanilla", sequences, ActorConfig()))
    yield line("grpo, one of 12 rows all masked", grpo, {}, ("vanilla", sequences, ActorConfig()), empty_row=True)
    yield line("grpo with k3, 0.04", algorithm("grpo"), {"beta": 0.04}, None)
    higher = {"loss_type": "dapo", "epsilon_high": 0.28}
    yield line("dapo, whole step at once", algorithm("dapo"), higher, ("vanilla", tokens, ActorConfig(high=0.28)))
    dr = algorithm("dr_grpo")
    constant = ActorConfig(loss_scale_factor=LONGEST)
    yield line("dr_grpo, L = 32", dr, {"loss_type": "dr_grpo"}, ("vanilla", normed, constant))
    yield line("dr_grpo, verl's default L", dr, None, ("vanilla", normed, ActorConfig()))
    yield line(
        "dr_grpo, one row all masked", dr, {"loss_type": "dr_grpo"}, ("vanilla", normed, constant), empty_row=True
    )
    same = {"loss_type": "cispo", "epsilon_high": 5.0}
    yield line("cispo, ratio cut to [0, 5]", algorithm("cispo"), same, ("cispo", tokens, ActorConfig(1.0, 4.0)))
    yield line(
        "cispo, the peers' defaults", algorithm("cispo"), {"loss_type": "cispo"}, ("cispo", tokens, ActorConfig())
    )
    gspo = {"importance_sampling_level": "sequence", **narrow}
    yield line("gspo", algorithm("gspo"), gspo, ("gspo", sequences, ActorConfig(3e-4, 4e-4)))
    wider = {"importance_sampling_level": "sequence"}
    yield line("gspo, the peers' default bounds", algorithm("gspo"), wider, ("gspo", sequences, ActorConfig()))
    yield line("gmpo", algorithm("gmpo"), {"trainer": "gmpo", **wide}, ("geo_mean", tokens, ActorConfig(0.4, 0.4)))
    masked = ("geo_mean", tokens, ActorConfig(0.4, 0.4))
    yield line("gmpo, one row all masked", algorithm("gmpo"), {"trainer": "gmpo", **wide}, masked, empty_row=True)
    yield line("kl_cov", algorithm("kl_cov"), None, ("kl_cov", tokens, ActorConfig()))
    tis = ("vanilla", tokens, ActorConfig(high=0.28), cut)
    yield line("flashrl, cap 2", algorithm("flashrl"), {**higher, "tis": cut}, tis)
    rloo = {"trainer": "rloo"}
    yield line("rloo", algorithm("rloo"), rloo, ("vanilla", tokens, ActorConfig()))


def of_group(scores: Tensor, eps: float) -> Tensor:
    """TRL's GRPO advantage, copied; each row is a group."""
    return (scores - scores.mean(1, keepdim=True)) / (scores.std(1, keepdim=True) + eps)


def advantages(verl: Any) -> Iterator[Line]:
    """The largest difference of an advantage to ours, or the advantages themselves."""
    batch, _ = example()
    groups = batch.score.view(3, 4)
    index = {"index": batch.group.numpy()}

    def ours(name: str, of: Batch) -> Tensor:
        settings = {"beta": 0.0} if name == "reinforce++" else {}
        advantage = algorithm(name, **settings).advantage(of).advantage
        assert advantage is not None
        return advantage

    def of_verl(how: str, of: Batch, **settings: Any) -> Tensor | None:
        if verl is None:
            return None
        given = {"response_mask": of.mask, "config": SimpleNamespace(gamma=1.0), **settings}
        made: Tensor = getattr(verl, f"compute_{how}_advantage")(of.rewards.clone(), **given)[0]
        return made

    def apart(made: Tensor | None, name: str, of: Batch) -> str:
        return "-" if made is None else f"d {((made - ours(name, of)) * of.mask).abs().max():.1e}"

    def largest(made: Tensor | None) -> str:
        return "-" if made is None else f"{made.abs().max():.4f}"

    def earning(scores: Tensor, group: Tensor) -> Batch:
        ends = torch.arange(9) == batch.length[:, None] - 2
        return batch.having(score=scores, rewards=ends * scores[:, None], mask=batch.mask.to(scores.dtype), group=group)

    grpo, rloo = "grpo_outcome", "rloo_outcome"
    spread = of_group(groups, EPS_TRL).view(12, 1) * batch.mask
    yield (
        "grpo: epsilon 1e-6, 1e-4, 1e-6",
        largest(ours("grpo", batch)),
        f"{apart(spread, 'grpo', batch)} (formula)",
        apart(of_verl(grpo, batch, **index), "grpo", batch),
    )
    near = torch.tensor([0.5, 0.5, 0.5, 0.501], dtype=torch.float64)
    close = earning(near.repeat(3), batch.group)
    yield (
        "grpo, rewards .5 .5 .5 .501",
        largest(ours("grpo", close)),
        f"{largest(of_group(near[None], EPS_TRL))} (formula)",
        largest(of_verl(grpo, close, **index)),
    )
    sixes = torch.arange(12) // 6
    equal = earning(torch.full((12,), 0.9), sixes)
    yield (
        "grpo, six rewards of 0.9 in float32",
        largest(ours("grpo", equal)),
        f"{largest(of_group(equal.score.view(2, 6), EPS_TRL))} (formula)",
        largest(of_verl(grpo, equal, index=sixes.numpy())),
    )
    alone = earning(torch.full((12,), 1.0, dtype=torch.float64), torch.arange(12))
    yield (
        "grpo, an episode alone in its group, reward 1",
        largest(ours("grpo", alone)),
        "refused (read)",
        largest(of_verl(grpo, alone, index=alone.group.numpy())),
    )
    others = groups - (groups.sum(1, keepdim=True) - groups) / 3
    yield (
        "rloo",
        largest(ours("rloo", batch)),
        f"{apart(others.view(12, 1) * batch.mask, 'rloo', batch)} (formula)",
        apart(of_verl(rloo, batch, **index), "rloo", batch),
    )
    baseline = of_verl("reinforce_plus_plus_baseline_outcome", batch, **index)
    yield "reinforce++-baseline: whitened", "", "-", apart(baseline, "reinforce++-baseline", batch)
    turn = (batch.mask.cumsum(1) == 1) & (batch.mask.sum(1, keepdim=True) > 1)
    turns = batch.having(rewards=batch.rewards + 0.5 * turn, score=batch.score + 0.5 * turn.any(1))
    for what, of in (("one reward at the end", batch), ("a reward of 0.5 at the first token too", turns)):
        plus = of_verl("reinforce_plus_plus_outcome", of)
        yield f"reinforce++, {what}", "", "-", apart(plus, "reinforce++", of)
        remax = of_verl("remax_outcome", of, reward_baselines=batch.greedy)
        yield f"remax, {what}", "", "-", apart(remax, "remax", of)
    if verl is not None:
        row = algorithm("ppo", gamma=0.97, lam=0.9).advantage(batch)
        made = verl.compute_gae_advantage_return(batch.rewards, batch.value, batch.mask, 0.97, 0.9)
        both = [((x - y) * batch.mask).abs().max() for x, y in zip(made, (row.advantage, row.returns), strict=True)]
        yield "ppo: GAE over holes, whitened; returns", "", "-", f"d {both[0]:.1e}, {both[1]:.1e}"


def part_of_a_generation(verl: Any) -> Line:
    """Compare DAPO's normaliser on two optimiser steps of unequal token counts."""
    row = algorithm("dapo")
    batch, logp = example()
    step = prepared(row, batch.rows(torch.arange(6)), logp)
    part = logp[:6, : step.mask.shape[1]]
    total, own = batch.mask.sum(), step.mask.sum()

    def ours(at: Tensor) -> Tensor:
        return row.loss(at, None, step)

    args = SimpleNamespace(use_bias_correction_kl=False, delta=None, steps_per_generation=2)
    training: dict[str, Any] = {
        "loss_type": "dapo",
        "model": SimpleNamespace(training=True),
        "args": args,
        "items": total,
    }
    trl = trl_loss(step, "grpo", epsilon_high=0.28, **training)
    of_verl = verl_loss(verl, step, "vanilla", "token-mean", ActorConfig(high=0.28, batch_num_tokens=own))
    what = f"dapo, a step with {own:.0f} of a generation's {total:.0f} tokens (two steps)"
    return what, f"{ours(part).item():.6f}", beside(ours, trl, part), beside(ours, of_verl, part)


def single_tokens(verl: Any) -> Iterator[Line]:
    """Compare loss and slope on one token.

    The cases: the clip of a bad token that became likelier, and k3 far from the reference.
    """
    one = torch.ones(1, 1, dtype=torch.float64)
    batch = example()[0].rows(torch.tensor([3]))
    batch = batch.having(mask=one, old=0 * one, advantage=-one, weight=one)

    def cell(loss: Loss | None, at: Tensor) -> str:
        if loss is None:
            return "-"
        value, change = slope(loss, at)
        return f"{value:.3f}, slope {change.item():.3f}"

    def clip(at: Tensor) -> Tensor:
        return algorithm("grpo", kl=0.0).loss(at, None, batch)

    of_verl = verl_loss(verl, batch, "vanilla", "token-mean", ActorConfig())
    at = (4 * one).log()
    yield "PPO's clip, A = -1, ratio 4", cell(clip, at), cell(trl_loss(batch), at), cell(of_verl, at)
    (kl,) = algorithm("grpo", kl=1.0).regularisers
    for d in (1, 5):
        away = batch.having(ref=d * one, advantage=0 * one)

        def ours(at: Tensor, away: Batch = away) -> Tensor:
            return kl(at, None, away).sum()

        def k3(at: Tensor, away: Batch = away) -> Tensor:
            return verl.kl_penalty_forward(at, away.ref, "k3").sum()  # type: ignore[no-any-return]

        there = cell(None if verl is None else k3, 0 * one)
        yield f"k3, log pi_ref - log pi = {d}", cell(ours, 0 * one), cell(trl_loss(away, beta=1.0), 0 * one), there


def main() -> None:
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--verl", metavar="WHEEL", help="the wheel of verl; without it verl is left out")
    verl = load_verl(parser.parse_args().verl)
    for name, there in (("trl", importlib.util.find_spec("trl") is not None), ("verl", verl is not None)):
        if not there:
            print(f"{name} is not here: left out.", file=sys.stderr)
    tables = {
        "Losses on the same advantages": [*losses(verl), part_of_a_generation(verl)],
        "Advantages": advantages(verl),
        "Single tokens": single_tokens(verl),
    }
    for title, lines in tables.items():
        print(f"| {title} | ours | TRL | verl |\n| --- | --- | --- | --- |")
        for line in lines:
            print(f"| {' | '.join(line)} |")
        print()


if __name__ == "__main__":
    main()
