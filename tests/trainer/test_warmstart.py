"""A warm start learns what was demonstrated, looks when it should, stops when it may, and leaves a model to begin with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer import supervised
from envhub_trainer.config import Config, ConfigError, WarmStartConfig
from envhub_trainer.episode import Row
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.render import Renderer
from envhub_trainer.supervised import Course, learn
from envhub_trainer.tiny import build_tokenizer
from envhub_trainer.warmstart import conversations, demonstrations, warm_start
from envhub_trainer.watch.track import read
from tests.trainer.models import tiny_llama
from tests.trainer.recipes import addition, guess


def row(given: Sequence[int], said: Sequence[int]) -> Row:
    one = Row()
    one.give(given)
    one.take(said, [0.0] * len(said), [0] * len(said))
    return one


def always(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    while True:
        yield rows


class Looks:
    """Answers looks with given shares and notes after how many steps they came."""

    def __init__(self, rows: Sequence[Row], *shares: float) -> None:
        self.shares = list(shares)
        self.at: list[int] = []
        self.steps = 0
        self._rows = rows

    def batches(self) -> Iterator[Sequence[Row]]:
        while True:
            self.steps += 1
            yield self._rows

    async def __call__(self, model: Any) -> float:
        self.at.append(self.steps)
        return self.shares[len(self.at) - 1]


ROWS = [row([1, 2], [3, 4]), row([5, 6, 7], [8, 9, 10]), row([1], [2])]


def run(looks: Looks, model: Any = None, micro_tokens: int = 1000, **settings: Any) -> Course:
    chosen = WarmStartConfig(**{"learning_rate": 0.01, "warmup": 0, "batch": 3, **settings})
    return asyncio.run(learn(model or tiny_llama(), looks.batches(), chosen, looks, micro_tokens=micro_tokens))


def test_what_is_demonstrated_is_learned_and_what_was_given_is_not() -> None:
    model = tiny_llama()
    learned = run(Looks(ROWS, 0.0), model, steps=60)
    assert learned.loss < 0.05
    with torch.no_grad():
        after = model(torch.tensor([[5, 6, 7, 8, 9]])).logits.log_softmax(-1)[0]
    assert [int(i) for i in after[2:].argmax(-1)] == [8, 9, 10]
    assert float(after[0, 6]) < -2  # that 6 follows 5 was not taught


def test_the_loss_is_the_mean_over_the_demonstrators_tokens() -> None:
    model = tiny_llama()
    with torch.no_grad():
        nats = [
            -float(model(torch.tensor([one.ids])).logits.log_softmax(-1)[0, t - 1, one.ids[t]])
            for one in ROWS
            for t in range(len(one.ids))
            if one.mask[t]
        ]
    assert len(nats) == 6
    assert run(Looks(ROWS, 0.0), model, steps=1).loss == pytest.approx(sum(nats) / 6, abs=1e-5)


def test_cutting_a_batch_into_parts_changes_nothing() -> None:
    whole, parts = tiny_llama(), tiny_llama()
    run(Looks(ROWS, 0.0), whole, steps=3)
    run(Looks(ROWS, 0.0), parts, steps=3, micro_tokens=6)
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


def test_looks_are_rare_while_next_to_nothing_is_solved() -> None:
    looks = Looks(ROWS, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
    learned = run(looks, steps=100, every=2, stop=0.4)
    assert looks.at == [2, 10, 18, 20, 22, 24]
    assert (learned.step, learned.solved) == (24, 0.5)


def test_without_a_share_to_stop_at_only_the_end_is_looked_at() -> None:
    looks = Looks(ROWS, 0.7)
    learned = run(looks, steps=7, every=2)
    assert (learned.step, learned.looks, learned.solved) == (7, 1, 0.7)
    assert looks.at == [7]


def test_the_end_is_looked_at_where_the_share_was_never_reached() -> None:
    looks = Looks(ROWS, 0.3, 0.3, 0.35)
    assert run(looks, steps=5, every=2, stop=0.4).solved == 0.35
    assert looks.at == [2, 4, 5]


def test_the_learning_rate_warms_up() -> None:
    slow, fast = tiny_llama(), tiny_llama()
    begun = [weight.detach().clone() for weight in slow.parameters()]
    run(Looks(ROWS, 0.0), slow, steps=1, warmup=10)
    run(Looks(ROWS, 0.0), fast, steps=1, warmup=0)
    moved = [
        max(float((now.detach() - then).abs().max()) for now, then in zip(model.parameters(), begun, strict=True))
        for model in (slow, fast)
    ]
    assert moved[0] == pytest.approx(moved[1] / 10, rel=0.1)


def batches(config: Config, count: int, pool: int) -> list[list[list[int]]]:
    tokenizer = build_tokenizer(conversations(config, 20), config.tiny)  # type: ignore[arg-type]
    return [[one.ids for one in rows] for rows in islice(demonstrations(config, tokenizer, pool), count)]


def test_demonstrations_are_new_until_there_are_enough_and_then_come_again_in_another_order() -> None:
    first, second, *again = batches(addition(), 6, pool=32)
    made = sorted(first + second)
    assert len({tuple(ids) for ids in made}) == 32
    assert sorted(again[0] + again[1]) == made
    assert sorted(again[2] + again[3]) == made
    assert again[:2] != [first, second]
    assert again[:2] != again[2:]


def test_another_seed_demonstrates_other_tasks() -> None:
    assert batches(addition(), 1, 64) == batches(addition(), 1, 64)
    one, other = (batches(addition(run={"seed": seed}), 1, 64)[0] for seed in (0, 1))
    assert not {tuple(ids) for ids in one} & {tuple(ids) for ids in other}


def test_a_whole_warm_start_leaves_a_model_that_does_better_and_is_the_same_every_time(tmp_path: Path) -> None:
    settings = {"steps": 30, "batch": 32, "learning_rate": 0.01, "stop": 0.1, "every": 10, "episodes": 64}
    solved, weights = [], []
    for name in ("one", "other"):
        config = guess(tmp_path / name, warmstart=settings, rollout={"max_tokens": 2})
        solved.append(asyncio.run(warm_start(config)))
        weights.append(load_model(config.model.path, config.model).state_dict())
        Renderer(load_tokenizer(config.model.path))
    assert solved[0] >= 0.1
    assert solved[0] == solved[1]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_a_model_that_is_there_can_be_begun_with(tmp_path: Path) -> None:
    made = guess(tmp_path, warmstart={"steps": 1})
    asyncio.run(warm_start(made))
    onward = guess(tmp_path / "onward", tiny=None, warmstart={"steps": 1, "base": made.model.path})
    asyncio.run(warm_start(onward))
    one, other = (load_model(config.model.path, config.model).state_dict() for config in (made, onward))
    name = "model.layers.0.mlp.up_proj.weight"
    assert one[name].shape == other[name].shape
    assert not torch.equal(one[name], other[name])


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"tiny": None}, "a section \\[tiny\\], or with another, warmstart.base"),
        ({"warmstart": {"demonstrator": "orakle"}}, "warmstart.demonstrator: No demonstrator 'orakle'"),
        ({"rollout": {"context": 11}}, "rollout.context: a demonstration has 1[45] tokens, got 11"),
        ({"tiny": {"width": 30, "heads": 4}}, "tiny: The width is a multiple of twice the heads"),
        ({"tiny": None, "warmstart": {"base": "./missing"}}, "There is no model in ./missing"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, sections: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        asyncio.run(warm_start(addition(tmp_path, **sections)))
    assert not (tmp_path / "model" / "config.json").exists()


class Stopped(Exception):
    """Raised in the middle of a warm start."""


def test_a_warm_start_that_was_stopped_is_resumed_to_the_same_weights_and_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"steps": 7, "batch": 8, "every": 2, "stop": 0.99, "episodes": 8, "save_every": 2}
    whole, parts = (guess(tmp_path / name, warmstart=settings) for name in ("whole", "parts"))
    expected = asyncio.run(warm_start(whole))
    taken = supervised._step
    calls = iter(range(100))

    def stopping(*given: Any) -> dict[str, float]:
        if next(calls) == 5:
            raise Stopped
        return taken(*given)

    monkeypatch.setattr(supervised, "_step", stopping)
    with pytest.raises(Stopped):
        asyncio.run(warm_start(parts))
    other = guess(tmp_path / "parts", warmstart={**settings, "batch": 9})
    with pytest.raises(ConfigError, match="stopped after step 4, with other settings of warmstart"):
        asyncio.run(warm_start(other))
    lines: list[str] = []
    assert asyncio.run(warm_start(parts, lines.append)) == expected
    assert "Resumed after step 4." in lines
    one, again = (load_model(config.model.path, config.model).state_dict() for config in (whole, parts))
    assert all(torch.equal(tensor, again[name]) for name, tensor in one.items())
    logs = [
        [{name: value for name, value in line.items() if name not in ("time", "seconds")} for line in read(folder)]
        for folder in (Path(config.model.path) / "warmstart" for config in (whole, parts))
    ]
    assert logs[0] == logs[1]
    assert [line["step"] for line in logs[0]] == [1, 2, 3, 4, 5, 6, 7]
    assert {"loss", "learning_rate", "tokens"} <= logs[0][0].keys()
    assert not (Path(parts.model.path) / "warmstart" / "checkpoints").exists()
