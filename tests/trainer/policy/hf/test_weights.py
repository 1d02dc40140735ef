"""The sampler when its weights change: nothing held is used any more, and wrong weights change nothing."""

import asyncio
import copy

import pytest
import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from envhub_trainer.policy import Completion, PolicyError, Sampling
from tests.trainer.policy.hf.sampling import SIZES, agrees, model_of, plain, run, sampler, settle


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
def test_what_is_forgotten_is_fed_again_and_what_is_in_flight_goes_on(thread: bool) -> None:
    model = model_of()
    policy = sampler(model, end_ids=frozenset(), thread=thread)

    async def play() -> None:
        flying = asyncio.create_task(policy.generate([1, 9], Sampling(30), 3))
        first = await policy.generate([1, 5, 6, 7], Sampling(6), 1)
        await policy.forget()
        assert (await policy.generate([1, 5, 6, 7], Sampling(6), 1)).ids == first.ids
        assert agrees(model, [1, 9], await flying)
        fed = policy.stats.prefilled
        await policy.forget()
        await policy.generate([1, 5, 6, 7], Sampling(6), 1)
        assert policy.stats.prefilled == fed + 4

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


def test_weights_that_are_not_finite_are_an_error() -> None:
    model = model_of()
    with torch.no_grad():
        next(model.parameters()).fill_(torch.nan)
    with pytest.raises(PolicyError, match="not finite with the weights of version 0"):
        run(sampler(model).generate([1], Sampling(3), 0))
