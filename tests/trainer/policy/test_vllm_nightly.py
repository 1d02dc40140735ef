"""The policy on a real vLLM server: what it samples, syncs, and what goes wrong where linear layers are packed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.policy.vllm import InFlight, VllmPolicy
from envhub_trainer.policy.vllm_process import Server
from envhub_trainer.probe import probe
from tests.trainer.policy.vllm_dialogues import PROMPT
from tests.trainer.policy.vllm_models import CONTEXT, END, ENVIRONMENT, OPTIONS, checkpoint, python_with_vllm, tiny

pytestmark = pytest.mark.nightly
ENDS = frozenset({END})
SECOND, THIRD = 2, 3
"""Seeds of the models that are synced; the server starts with that of seed 1."""


def serve(folder: Path, **environment: str) -> Server:
    # Samples at the checkpoint's wish would always be its likeliest token.
    model = checkpoint(folder / "model", seed=1, do_sample=True, top_k=1, temperature=0.1)
    return Server(
        model, python=python_with_vllm(), context=CONTEXT, options=OPTIONS, environment={**ENVIRONMENT, **environment}
    )


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("vllm")) as server:
        yield server.url


async def connect(url: str, in_flight: InFlight = "wait") -> VllmPolicy:
    """A policy with the weights of seed 1, whatever an earlier test has synced."""
    policy = await VllmPolicy.connect(url, end_ids=ENDS, in_flight=in_flight)
    await policy.sync(tiny(1), version=1)
    return policy


def logps(seed: int, completion: Completion) -> torch.Tensor:
    ids = torch.tensor([[*PROMPT, *completion.ids]])
    model = tiny(seed)
    with evaluating(model):
        logits = model(input_ids=ids).logits[0, len(PROMPT) - 1 : -1]
    return logits.log_softmax(-1).gather(1, ids[0, len(PROMPT) :, None])[:, 0]


def test_log_probabilities_are_those_of_transformers(url: str) -> None:
    async def run() -> None:
        policy = await VllmPolicy.connect(url, end_ids=ENDS)
        for temperature in (1.0, 0.7, 1.5, 0.0):
            for seed in range(3):
                assert await probe(policy, tiny(1), PROMPT, Sampling(100, temperature), 1e-4, seed) < 1e-4
        with pytest.raises(PolicyError, match="does not sample from the trainer's weights"):
            await probe(policy, tiny(SECOND), PROMPT, Sampling(8), 1e-4)
        await policy.close()

    asyncio.run(run())


def test_a_completion_is_its_seeds_whoever_else_is_in_the_batch(url: str) -> None:
    async def run() -> None:
        policy = await connect(url)
        alone = [await policy.generate(PROMPT, Sampling(40), seed) for seed in range(4)]
        greedy = await policy.generate(PROMPT, Sampling(40, 0.0), 0)
        together = await asyncio.gather(
            *(policy.generate(PROMPT, Sampling(40), seed) for seed in range(64)),
            policy.generate(PROMPT, Sampling(40, 0.0), 5),
        )
        assert [each.ids for each in together[:4]] == [each.ids for each in alone]
        assert together[-1].ids == greedy.ids
        assert together[-1].logps == pytest.approx(greedy.logps, abs=1e-4)
        assert len({tuple(each.ids) for each in together[:64]}) > 32
        assert any(each.finished and each.ids[-1] == END for each in together)
        assert all(END not in each.ids[:-1] for each in together)
        assert (await policy.generate(PROMPT, Sampling(4), 2**63 - 1)).ids
        await policy.close()

    asyncio.run(run())


def test_a_sync_takes(url: str) -> None:
    async def run() -> None:
        policy = await connect(url)
        for version, seed in ((5, SECOND), (6, THIRD), (9, SECOND)):
            await policy.sync(tiny(seed), version)
            assert await probe(policy, tiny(seed), PROMPT, Sampling(16), 1e-4) < 1e-4
            await policy.check()
        assert policy.version == 9
        await policy.close()

    asyncio.run(run())


@pytest.mark.parametrize("in_flight", ["wait", "keep"])
def test_completions_that_a_sync_meets_say_which_weights_sampled_them(url: str, in_flight: InFlight) -> None:
    async def run() -> None:
        policy = await connect(url, in_flight)
        policy._end_ids = []  # as long as can be
        longest = CONTEXT - len(PROMPT)
        tasks = [asyncio.create_task(policy.generate(PROMPT, Sampling(longest), seed)) for seed in range(16)]
        await policy.generate(PROMPT, Sampling(2), seed=0)  # begun after them, and done: they are under way
        await policy.sync(tiny(SECOND), version=2)
        tasks += [asyncio.create_task(policy.generate(PROMPT, Sampling(8), seed)) for seed in range(4)]
        done = await asyncio.gather(*tasks)
        met = set()
        for each in done[:16]:
            old = each.versions.count(1)
            assert each.versions == [1] * old + [2] * (longest - old)
            met.add("old" if old == longest else "both" if old else "new")  # one may arrive after the sync
            expected = torch.cat([logps(1, each)[:old], logps(SECOND, each)[old:]])
            assert (torch.tensor(each.logps) - expected).abs().max() < 1e-4
        assert ("both" in met) == (in_flight == "keep"), met
        assert "old" in met or in_flight == "keep", met
        assert all(each.versions == [2] * 8 for each in done[16:])
        await policy.close()

    asyncio.run(run())


def test_it_sleeps_and_wakes(url: str) -> None:
    async def run() -> None:
        policy = await connect(url)
        await policy.sleep()
        waiting = asyncio.create_task(policy.generate(PROMPT, Sampling(4), seed=0))
        await policy.wake_up()
        assert len((await waiting).ids) == 4
        await policy.check()
        await policy.close()

    asyncio.run(run())


def test_a_trainer_that_died_while_the_server_was_paused_leaves_no_hang(url: str) -> None:
    async def run() -> None:
        first = await connect(url)
        await first._wire.call("POST", "/pause", params={"mode": "keep"})
        await first.close()
        second = await connect(url)
        assert (await second.generate(PROMPT, Sampling(4), seed=0)).ids
        await second.close()

    asyncio.run(run())


def test_where_linear_layers_are_packed_a_sync_does_not_take_and_the_probe_tells(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        policy = await VllmPolicy.connect(url, end_ids=ENDS)
        assert await probe(policy, tiny(1), PROMPT, Sampling(16), 1e-4) < 1e-4
        await policy.sync(tiny(SECOND), version=1)
        for seed in (1, SECOND):  # a mixture of both
            with pytest.raises(PolicyError, match="does not sample from the trainer's weights"):
                await probe(policy, tiny(seed), PROMPT, Sampling(16), 1e-4)
        await policy.close()

    with serve(tmp_path, ENVHUB_VLLM_PACK="1") as server:
        asyncio.run(run(server.url))
    with pytest.raises(PolicyError, match="No vLLM server answers"):  # it ended with its block
        asyncio.run(VllmPolicy.connect(server.url, end_ids=ENDS))
