"""The sampler against plain forward passes of the same model."""

import asyncio
import copy
import random
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
import torch
from torch import nn
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from trainer.policy import Completion, PolicyError, Sampling
from trainer.policy.forward import evaluating
from trainer.policy.hf import HfPolicy

T = TypeVar("T")

END = 2
TOKENS = 40
CONTEXT = 160
SIZES: dict[str, Any] = {
    "vocab_size": TOKENS,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
}
EAGER: dict[str, Any] = {**SIZES, "head_dim": 8, "attn_implementation": "eager"}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def model_of(kind: str = "llama", seed: int = 0, **config: Any) -> PreTrainedModel:
    """A tiny model with random weights, large enough that attention to the wrong token shows."""
    torch.manual_seed(seed)
    model: PreTrainedModel
    if kind == "gpt2":  # learned absolute positions: rotary ones do not notice when all of a row are shifted
        model = GPT2LMHeadModel(GPT2Config(vocab_size=TOKENS, n_positions=CONTEXT, n_embd=32, n_layer=2, n_head=4))
    elif kind == "qwen3":
        model = Qwen3ForCausalLM(Qwen3Config(**EAGER))
    elif kind == "gemma2":  # scales its logits after the head
        model = Gemma2ForCausalLM(Gemma2Config(**EAGER, sliding_window=CONTEXT, final_logit_softcapping=5.0))
    else:
        model = LlamaForCausalLM(LlamaConfig(**SIZES, **config))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(12)
    model.train(False)
    return model


def sampler(model: PreTrainedModel, **options: Any) -> HfPolicy:
    return HfPolicy(model, **{"end_ids": frozenset({END}), "context": CONTEXT, "slots": 16, **options})


def plain(model: PreTrainedModel, ids: list[int], completion: Completion, temperature: float = 1.0) -> torch.Tensor:
    """Log-probabilities of every token where a completion's tokens were sampled, by a plain forward pass."""
    with evaluating(model):
        logits: torch.Tensor = model(torch.tensor([ids + completion.ids])).logits[0].float() / (temperature or 1.0)
    return logits.log_softmax(-1)[len(ids) - 1 : -1]


def agrees(model: PreTrainedModel, ids: list[int], completion: Completion, temperature: float = 1.0) -> bool:
    expected = plain(model, ids, completion, temperature).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
    return torch.allclose(torch.tensor(completion.logps), expected, rtol=0, atol=1e-4)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it; a request that hangs fails the test instead of stopping all."""

    async def limited() -> T:
        return await asyncio.wait_for(work, 60)

    return asyncio.run(limited())


async def settle(policy: HfPolicy, sampled: int) -> None:
    """Let the sampler go on until it has sampled so many tokens."""
    while policy.stats.sampled < sampled:
        await asyncio.sleep(0)


async def episode(policy: HfPolicy, model: PreTrainedModel, seed: int) -> list[bool]:
    """Turns of random lengths on a growing context, sometimes cut back; whether each agrees with a plain forward pass."""
    chance = random.Random(seed)
    ids = [1, 5, 6, 7] if seed % 2 else [chance.randrange(3, TOKENS) for _ in range(chance.choice([1, 3, 40]))]
    temperature = (1.0, 0.7, 0.0)[seed % 3]
    agreed = []
    for _ in range(5):
        completion = await policy.generate(ids, Sampling(chance.randrange(1, 12), temperature), chance.randrange(2**63))
        agreed.append(agrees(model, ids, completion, temperature))
        ids = ids + completion.ids + [chance.randrange(3, TOKENS) for _ in range(chance.randrange(4))]
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        if chance.random() < 0.15:
            ids = ids[: 1 + len(ids) // 2]
    return agreed


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
    monkeypatch.setattr("trainer.policy.forward._FED", 50)
    model = model_of()
    policy = sampler(model)
    contexts = [[1, 3, *range(4, 4 + length)] for length in (30, 2, 11, 30, 7, 0, 25)]

    async def play() -> list[Completion]:
        return await asyncio.gather(*(policy.generate(ids, Sampling(5), i) for i, ids in enumerate(contexts)))

    assert all(agrees(model, ids, completion) for ids, completion in zip(contexts, run(play()), strict=True))


def test_a_seed_samples_the_same_alone_and_in_a_batch() -> None:
    model = model_of()
    chance = random.Random(3)
    requests = [
        ([chance.randrange(3, TOKENS) for _ in range(chance.randrange(1, 30))], chance.randrange(2**63))
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


def test_nothing_held_is_used_after_the_weights_have_changed() -> None:
    model = model_of()
    policy = sampler(model, end_ids=frozenset())

    async def play() -> None:
        flying = asyncio.create_task(policy.generate([1, 9], Sampling(30), 3))
        first = await policy.generate([1, 5, 6, 7], Sampling(6), 1)
        await settle(policy, 12)
        model.load_state_dict(model_of(seed=1).state_dict())
        await policy.sync(model, 1)
        await asyncio.sleep(0)
        for ids in ([1, 5, 6, 7, *first.ids, 8], [1, 9, 8]):  # a later turn; a prefix of the one in flight
            completion = await policy.generate(ids, Sampling(6), 2)
            assert agrees(model, ids, completion)
            assert completion.versions == [1] * 6
        across = await flying
        ids = [1, 9, *across.ids, 8]
        assert agrees(model, ids, await policy.generate(ids, Sampling(6), 4))

    run(play())


@pytest.mark.parametrize("thread", [False, True])
def test_requests_in_flight_go_on_with_the_new_weights(thread: bool) -> None:
    model = model_of()
    trained = copy.deepcopy(model)
    before = copy.deepcopy(model)

    async def play() -> tuple[Completion, Completion]:
        policy = sampler(trained, share=False, thread=thread, version=4, end_ids=frozenset())
        task = asyncio.create_task(policy.generate([1, 9], Sampling(150), 3))
        await settle(policy, 5)
        trained.load_state_dict(model_of(seed=1).state_dict())  # the trainer's business until it says so
        await settle(policy, policy.stats.sampled + 3)
        await policy.sync(trained, 5)
        assert policy.version == 5
        completion = await task
        after = await policy.generate([1, 9], Sampling(10), 3)
        await policy.close()
        return completion, after

    completion, after = run(play())
    old = completion.versions.count(4)
    assert completion.versions == [4] * old + [5] * (150 - old)
    assert 8 <= old < 150
    expected = plain(before, [1, 9], completion).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
    error = (torch.tensor(completion.logps) - expected).abs()
    assert error[:old].max() < 1e-4
    assert error[old:].max() > 1e-2
    assert agrees(trained, [1, 9], after)
    assert after.versions == [5] * 10


def test_weights_of_another_model_are_refused_and_nothing_changes() -> None:
    model = model_of()

    async def play() -> None:
        own = sampler(model, share=False)
        with pytest.raises(PolicyError, match=r"expected \(40, 32\)"):
            await own.sync(LlamaForCausalLM(LlamaConfig(**{**SIZES, "vocab_size": 41})), 1)
        with pytest.raises(PolicyError, match="missing"):
            await own.sync(nn.Linear(2, 2), 1)
        with pytest.raises(PolicyError, match="shares"):
            await sampler(model).sync(copy.deepcopy(model), 1)
        assert own.version == 0
        assert agrees(model, [1, 2], await own.generate([1, 2], Sampling(5), 0))

    run(play())


@pytest.mark.parametrize(
    ("thread", "at"), [(False, 1), (False, 4), (True, 1), (True, 4)]
)  # while feeding; while decoding
def test_when_the_model_fails_every_request_fails_and_later_ones_are_served(thread: bool, at: int) -> None:
    model = model_of()
    calls = 0

    def fail(*_: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            raise MemoryError("no room for the logits")

    async def play() -> None:
        policy = sampler(model, slots=3, thread=thread, end_ids=frozenset())
        hook = model.register_forward_pre_hook(fail)
        outcomes = await asyncio.gather(
            *(policy.generate([1, 3 + i], Sampling(9), i) for i in range(5)), return_exceptions=True
        )
        hook.remove()
        for outcome in outcomes:
            assert isinstance(outcome, PolicyError)
            assert "no room for the logits" in str(outcome)
            assert isinstance(outcome.__cause__, MemoryError)
        for ids in ([1, 3], [1, 4, 5], [1, 3]):
            assert agrees(model, ids, await policy.generate(ids, Sampling(9), 0))
        await policy.close()

    run(play())


def test_weights_that_are_not_finite_are_an_error() -> None:
    model = model_of()
    with torch.no_grad():
        next(model.parameters()).fill_(torch.nan)
    with pytest.raises(PolicyError, match="not finite with the weights of version 0"):
        run(sampler(model).generate([1], Sampling(3), 0))


@pytest.mark.parametrize("thread", [False, True])
def test_closing_fails_what_is_in_flight(thread: bool) -> None:
    async def play() -> None:
        policy = sampler(model_of(), slots=1, thread=thread, end_ids=frozenset())
        tasks = [asyncio.create_task(policy.generate([1, 3 + i], Sampling(100), i)) for i in range(3)]
        await settle(policy, 2)
        await policy.close()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["The sampler was closed."] * 3
        assert all(isinstance(outcome, PolicyError) for outcome in outcomes)
        with pytest.raises(PolicyError, match="closed"):
            await policy.generate([1], Sampling(1), 0)
        with pytest.raises(PolicyError, match="closed"):
            await policy.sync(model_of(), 1)
        await policy.close()
        assert len(asyncio.all_tasks()) == 2  # this one and the one that limits its time

    run(play())


def test_a_request_that_is_cancelled_gives_its_slot_back() -> None:
    model = model_of()

    async def play() -> None:
        policy = sampler(model, slots=1, end_ids=frozenset())
        first, waiting, third = [
            asyncio.create_task(policy.generate([1, 3 + i], Sampling(100 if i == 0 else 4), i)) for i in range(3)
        ]
        await settle(policy, 3)
        first.cancel()
        waiting.cancel()
        assert agrees(model, [1, 5], await third)
        assert policy.stats.sampled < 10

    run(play())


def test_it_stops_when_there_is_nothing_to_do_and_starts_again_in_another_loop() -> None:
    model = model_of()
    policy = sampler(model)

    async def play() -> Completion:
        completion = await policy.generate([1, 3], Sampling(9), 0)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 2
        return completion

    assert run(play()).ids == run(play()).ids


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
