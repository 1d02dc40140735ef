"""The sampler as a service: when the model fails, when it is closed, when somebody leaves, and when nobody asks."""

import asyncio
from typing import Any

import pytest

from envhub_trainer.policy import Completion, PolicyError, Sampling
from tests.trainer.policy.hf.sampling import agrees, model_of, run, sampler, settle


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
