"""The sampler against plain forward passes of the same model."""

import asyncio
import random
from typing import Any

import pytest
import torch
from transformers import MistralConfig, MistralForCausalLM

from envhub_trainer.policy import Completion, Sampling
from tests.trainer.policy.hf.sampling import SIZES, TOKENS, agrees, episode, model_of, plain, run, sampler


@pytest.mark.parametrize(("kind", "slots", "thread"), [
    ("llama", 1, False), ("llama", 5, False), ("llama", 64, True), ("qwen3", 9, False), ("gpt2", 9, False),
    ("gemma2", 9, False),
])  # fmt: skip
def test_log_probabilities_are_those_of_a_plain_forward_pass(kind: str, slots: int, thread: bool) -> None:
    model = model_of(kind)

    async def play() -> list[list[bool]]:
        policy = sampler(model, slots=slots, thread=thread)
        try:
            return await asyncio.gather(*(episode(policy, model, seed) for seed in range(24)))
        finally:
            await policy.close()

    agreed = run(play())
    assert all(all(each) for each in agreed)
    assert sum(map(len, agreed)) == 24 * 5


def test_contexts_fed_in_several_parts_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub_trainer.policy.forward._FED", 50)
    model = model_of()
    policy = sampler(model)
    contexts = [[1, 3, *range(4, 4 + length)] for length in (30, 2, 11, 30, 7, 0, 25)]

    async def play() -> list[Completion]:
        return await asyncio.gather(*(policy.generate(ids, Sampling(5), i) for i, ids in enumerate(contexts)))

    assert all(agrees(model, ids, completion) for ids, completion in zip(contexts, run(play()), strict=True))


def test_a_seed_samples_the_same_alone_and_in_a_batch() -> None:
    model = model_of()
    turn_seed = random.Random(3)
    requests = [
        ([turn_seed.randrange(3, TOKENS) for _ in range(turn_seed.randrange(1, 30))], turn_seed.randrange(2**63))
        for _ in range(20)
    ]

    async def play(slots: int, together: bool) -> list[list[int]]:
        policy = sampler(model, slots=slots)
        calls = [policy.generate(ids, Sampling(10), seed) for ids, seed in requests]
        completions = await asyncio.gather(*calls) if together else [await call for call in calls]
        return [completion.ids for completion in completions]

    alone = run(play(1, together=False))
    assert run(play(32, together=True)) == alone
    assert run(play(3, together=True)) == alone
    assert len({tuple(ids) for ids in alone}) > 15


def test_seeds_sample_the_model_s_distribution() -> None:
    model = model_of()
    n = 4000

    async def play() -> list[Completion]:
        policy = sampler(model, slots=500)
        return await asyncio.gather(*(policy.generate([1, 7, 9], Sampling(1), seed) for seed in range(n)))

    completions = run(play())
    expected = plain(model, [1, 7, 9], completions[0])[0].double().exp() * n
    counted = torch.bincount(torch.tensor([completion.ids[0] for completion in completions]), minlength=TOKENS)
    often = expected >= 5
    freedom = int(often.sum()) - 1
    assert freedom > 5
    assert ((counted - expected) ** 2 / expected)[often].sum() < freedom + 5 * (2 * freedom) ** 0.5


def test_temperature_0_takes_the_likeliest_token() -> None:
    model = model_of()
    policy = sampler(model, end_ids=frozenset())

    async def play() -> tuple[Completion, Completion]:
        greedy, _ = await asyncio.gather(
            policy.generate([1, 8], Sampling(12, 0.0), 1), policy.generate([1, 8, 9], Sampling(12, 1.0), 1)
        )
        return greedy, await policy.generate([1, 8], Sampling(12, 0.0), 2)

    one, other = run(play())
    assert one.ids == other.ids == plain(model, [1, 8], one).argmax(-1).tolist()
    assert agrees(model, [1, 8], one)


def test_a_group_s_prompt_is_fed_once_and_a_turn_feeds_what_is_new() -> None:
    model = model_of()
    policy = sampler(model, end_ids=frozenset())
    prompt = list(range(3, 33))

    async def play() -> None:
        first = await asyncio.gather(*(policy.generate(prompt, Sampling(4), seed) for seed in range(16)))
        assert (policy.stats.prefilled, policy.stats.reused) == (30, 15 * 30)
        assert len({tuple(completion.ids) for completion in first}) == 16
        assert all(agrees(model, prompt, completion) for completion in first)
        contexts = [[*prompt, *completion.ids, 5, 6] for completion in first]
        second = await asyncio.gather(*(policy.generate(ids, Sampling(4), 99) for ids in contexts))
        # The two new tokens, and the last sampled one, which had not been fed.
        assert policy.stats.prefilled == 30 + 16 * 3
        assert all(agrees(model, ids, completion) for ids, completion in zip(contexts, second, strict=True))

    run(play())
    assert policy.stats.sampled == 2 * 16 * 4
    assert (policy.stats.steps, policy.stats.rows) == (6, 6 * 16)


def test_an_episode_that_comes_back_joins_the_batch_of_those_that_go_on() -> None:
    policy = sampler(model_of(), end_ids=frozenset())

    async def turns(seed: int) -> None:
        ids = [3 + seed]
        for _ in range(5):
            ids += (await policy.generate(ids, Sampling(4), seed)).ids
            for _ in range(3):  # an environment's step
                await asyncio.sleep(0)
            ids.append(7)

    async def play() -> None:
        await asyncio.gather(policy.generate([1], Sampling(20), 0), *(turns(seed) for seed in range(8)))

    run(play())
    # The first token of a turn comes from feeding its context, in the same step as the others' next tokens.
    assert policy.stats.steps == 19
    assert policy.stats.rows == 19 + 8 * 15


def test_more_requests_than_slots_are_served_in_the_order_in_which_they_came() -> None:
    policy = sampler(model_of(), slots=2, end_ids=frozenset())
    order: list[int] = []

    async def ask(i: int) -> None:
        await policy.generate([3 + i], Sampling(3), i)
        order.append(i)

    async def play() -> None:
        await asyncio.gather(*(ask(i) for i in range(9)))

    run(play())
    assert order == list(range(9))
    assert policy.stats.rows <= 2 * policy.stats.steps


def test_a_completion_ends_at_an_end_token_the_budget_or_the_context() -> None:
    model = model_of()

    async def play() -> None:
        free = await sampler(model, end_ids=frozenset()).generate([1, 4], Sampling(20), 5)
        end = next(token for i, token in enumerate(free.ids) if i > 1 and token not in free.ids[:i])
        at = free.ids.index(end) + 1
        ended = await sampler(model, end_ids=frozenset({end})).generate([1, 4], Sampling(20), 5)
        assert (ended.ids, ended.finished) == (free.ids[:at], True)
        assert len(ended.logps) == len(ended.versions) == at
        last = await sampler(model, end_ids=frozenset({end})).generate([1, 4], Sampling(at), 5)
        assert (last.ids, last.finished) == (free.ids[:at], True)
        cut = await sampler(model, end_ids=frozenset({end})).generate([1, 4], Sampling(at - 1), 5)
        assert (cut.ids, cut.finished) == (free.ids[: at - 1], False)
        short = sampler(model, end_ids=frozenset(), context=10)
        full = await short.generate([1, 4], Sampling(20), 5)
        assert (full.ids, full.finished) == (free.ids[:8], False)
        assert agrees(model, [1, 4], full)
        assert await short.generate([1, 4, *full.ids], Sampling(20), 5) == Completion([], [], [], finished=False)
        with pytest.raises(ValueError, match="1 to 10 tokens, got 11"):
            await short.generate([1] * 11, Sampling(1), 5)

    run(play())


@pytest.mark.parametrize(("ids", "sampling", "seed", "message"), [
    ([], Sampling(1), 0, "1 to 160 tokens, got 0"),
    ([1, TOKENS], Sampling(1), 0, "0 to 39, got 40"),
    ([1, -1], Sampling(1), 0, "0 to 39, got -1"),
    ([1], Sampling(0), 0, "max_tokens 0"),
    ([1], Sampling(1, -0.5), 0, "0 or more, got -0.5"),
    ([1], Sampling(1, float("nan")), 0, "0 or more, got nan"),
    ([1], Sampling(1), 2**63, "got 9223372036854775808"),
    ([1], Sampling(1), -1, "got -1"),
])  # fmt: skip
def test_a_wrong_request_fails_alone(ids: list[int], sampling: Sampling, seed: int, message: str) -> None:
    async def play() -> Any:
        policy = sampler(model_of())
        calls = policy.generate([1], Sampling(3), 0), policy.generate(ids, sampling, seed)
        return await asyncio.gather(*calls, return_exceptions=True)

    good, bad = run(play())
    assert len(good.ids) > 0
    assert isinstance(bad, ValueError)
    assert message in str(bad)


def test_ids_beyond_the_vocabulary_are_not_sampled() -> None:
    model = model_of()

    async def play() -> list[Completion]:
        policy = sampler(model, vocabulary=10, end_ids=frozenset())
        return await asyncio.gather(*(policy.generate([1, 30], Sampling(8), seed) for seed in range(8)))

    for completion in run(play()):
        assert max(completion.ids) < 10
        logps = plain(model, [1, 30], completion)[:, :10].log_softmax(-1)
        assert completion.logps == pytest.approx(
            logps.gather(1, torch.tensor(completion.ids)[:, None])[:, 0].tolist(), abs=1e-4
        )


def test_sampling_has_no_dropout_and_leaves_modes_as_they_were() -> None:
    model = model_of(attention_dropout=0.5).train()
    model.get_submodule("model.layers.1").train(False)
    modes = [module.training for module in model.modules()]
    completion = run(sampler(model).generate([1, 3, 4, 5], Sampling(20), 0))
    assert agrees(model, [1, 3, 4, 5], completion)
    assert [module.training for module in model.modules()] == modes
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())
    model(torch.tensor([[1, 2]]), labels=torch.tensor([[1, 2]])).loss.backward()  # the model is still one to train


def test_models_that_it_would_sample_wrongly_are_refused() -> None:
    with pytest.raises(ValueError, match="positions for 160 tokens, the context is 161"):
        sampler(model_of(), context=161)
    windowed = MistralForCausalLM(MistralConfig(**SIZES, sliding_window=64))
    with pytest.raises(ValueError, match="last 64 tokens only"):
        sampler(windowed)
    assert sampler(windowed, context=64).context == 64
    model = model_of()
    model.config._attn_implementation = "flash_attention_2"
    with pytest.raises(ValueError, match="flash_attention_2"):
        sampler(model)
    with pytest.raises(ValueError, match="1 to 40 tokens, got 41"):
        sampler(model_of(), vocabulary=41)
    with pytest.raises(ValueError, match="at least one slot"):
        sampler(model_of(), slots=0)
