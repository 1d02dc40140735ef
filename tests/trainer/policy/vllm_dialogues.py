"""What is said to the server: by the recorder to the real one, and by the tests to its recorded answers."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.policy.vllm import VllmPolicy
from envhub_trainer.probe import probe
from tests.trainer.policy.vllm_models import END, tiny

PROMPT = [1, 22, 23, 40]
ENDS = frozenset({END, 50})


async def connected(url: str, transport: httpx.AsyncBaseTransport, **settings: Any) -> VllmPolicy:
    return await VllmPolicy.connect(url, end_ids=ENDS, transport=transport, timeout_s=60.0, **settings)


async def session(url: str, transport: httpx.AsyncBaseTransport) -> tuple[list[Completion], list[float], VllmPolicy]:
    """Completions and probes before and after a sync, then everything else there is."""
    policy = await connected(url, transport)
    completions = [await policy.generate(PROMPT, Sampling(40, 0.8), seed=seed) for seed in (0, 1)]
    completions.append(await policy.generate(PROMPT, Sampling(3), seed=2))
    differences = [await probe(policy, tiny(1), PROMPT, Sampling(8, 0.7), 1e-4)]
    await policy.sync(tiny(2), version=7)
    completions.append(await policy.generate(PROMPT, Sampling(3), seed=2))
    differences.append(await probe(policy, tiny(2), PROMPT, Sampling(8, 0.7), 1e-4))
    await policy.check()
    await policy.sleep()
    await policy.wake_up()
    for wrong in ([1, 96], [1, -1]):
        with pytest.raises(ValueError, match=r"[Tt]oken"):
            await policy.generate(wrong, Sampling(3), seed=0)
    await policy.close()
    return completions, differences, policy


async def keep(url: str, transport: httpx.AsyncBaseTransport) -> list[Completion]:
    """Completions that a sync overtakes."""
    policy = await VllmPolicy.connect(url, end_ids=frozenset(), in_flight="keep", transport=transport)
    await policy.sync(tiny(1), version=3)
    running = [asyncio.create_task(policy.generate(PROMPT, Sampling(180), seed=seed)) for seed in range(2)]
    await asyncio.sleep(0)
    await policy.sync(tiny(2), version=4)
    completions = [await each for each in running]
    await policy.close()
    return completions


async def unread(url: str, transport: httpx.AsyncBaseTransport) -> list[str]:
    """A sync whose weights the server cannot read, and what comes after it: the errors."""
    policy = await connected(url, transport)
    errors = []
    for attempt in (policy.sync(tiny(2), version=1), policy.generate(PROMPT, Sampling(3), seed=0), policy.check()):
        try:
            await attempt
        except PolicyError as error:
            errors.append(str(error))
    assert policy.version == 0
    await policy.close()
    return errors


async def packed(url: str, transport: httpx.AsyncBaseTransport) -> float:
    """A sync that the server takes without an error, and does not sample from."""
    policy = await connected(url, transport)
    try:
        await policy.sync(tiny(2), version=1)
        return await probe(policy, tiny(2), PROMPT, Sampling(8), 1e-4)
    finally:
        await policy.close()


async def wrong_name(url: str, transport: httpx.AsyncBaseTransport) -> VllmPolicy:
    return await connected(url, transport, model="nobody")
