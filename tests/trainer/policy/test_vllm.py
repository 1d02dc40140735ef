"""The policy on vLLM's server, over recorded conversations with a real one: what it samples, and its syncs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from envhub_trainer.logprobs import score
from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.policy.vllm import VllmPolicy
from tests.trainer import test_vision as seeing
from tests.trainer.policy import vllm_dialogues as dialogues
from tests.trainer.policy.vllm_answers import CONNECTING, SYNCING, URL, Answers
from tests.trainer.policy.vllm_dialogues import ENDS, PROMPT, connected
from tests.trainer.policy.vllm_models import CONTEXT, tiny
from tests.trainer.policy.vllm_wire_tap import WEIGHTS, Replay


async def replayed(name: str, dialogue: Callable[[str, Any], Awaitable[Any]]) -> tuple[Any, Replay]:
    replay = Replay(name)
    result = await dialogue(URL, replay)
    assert replay.over
    return result, replay


def logps(model: Any, completion: Completion) -> torch.Tensor:
    """What the model says of a completion of the prompt at temperature 1."""
    ids = torch.tensor([[*PROMPT, *completion.ids]])
    mask = torch.ones(1, ids.shape[1] - 1)
    with evaluating(model):
        return score(model, ids, mask).logp[0, len(PROMPT) - 1 :]


# -- sampling ----------------------------------------------------------------------------------------------------------


def test_completions_are_what_the_server_sampled() -> None:
    (completions, differences, policy), replay = asyncio.run(replayed("session", dialogues.session))
    ended, long, before, after = completions
    assert ended.finished
    assert ended.ids[-1] in ENDS
    assert not ENDS & set(ended.ids[:-1])
    assert not long.finished
    assert len(long.ids) == 40
    for each in completions:
        assert len(each.ids) == len(each.logps) == len(each.versions)
        assert max(each.logps) <= 0.0
    assert before.versions == [0, 0, 0]
    assert after.versions == [7, 7, 7]
    assert (policy.version, policy.context, policy.model) == (7, CONTEXT, "policy")
    assert torch.allclose(torch.tensor(before.logps), logps(tiny(1), before), atol=1e-4)
    assert max(differences) < 1e-4
    assert replay.requests[len(CONNECTING)]["body"] == {
        "model": "policy",
        "token_ids": PROMPT,
        "sampling_params": {
            "max_tokens": 40,
            "temperature": 0.8,
            "seed": 0,
            "logprobs": 0,
            "detokenize": False,
            "stop_token_ids": sorted(ENDS),
            "ignore_eos": True,
        },
    }


def test_a_context_leaves_what_room_it_leaves() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        await policy.generate([5] * (CONTEXT - 3), Sampling(10), seed=0)
        assert answers.bodies[-1]["sampling_params"]["max_tokens"] == 3
        sent = len(answers.bodies)
        assert await policy.generate([5] * CONTEXT, Sampling(10), seed=0) == Completion([], [], [], False)
        for wrong in ([], [5] * (CONTEXT + 1)):
            with pytest.raises(ValueError, match=f"1 to {CONTEXT} tokens, got {len(wrong)}"):
                await policy.generate(wrong, Sampling(10), seed=0)
        assert len(answers.bodies) == sent
        await policy.close()

    asyncio.run(run())


# -- syncs -------------------------------------------------------------------------------------------------------------


def test_a_sync_reads_the_weights_while_nothing_is_sampled() -> None:
    (_, _, _), replay = asyncio.run(replayed("session", dialogues.session))
    at = replay.paths.index("/pause")
    assert replay.paths[:at][: len(CONNECTING)] == CONNECTING
    assert replay.paths[at : at + len(SYNCING)] == SYNCING
    pause, unfinished, load, reset, label, _ = replay.requests[at : at + len(SYNCING)]
    assert pause["query"] == {"mode": "wait"}
    assert unfinished["body"] == {"new_version": "7, unfinished"}
    assert load["body"] == {"method": "reload_weights", "kwargs": {"weights_path": WEIGHTS}}
    assert reset["query"]["reset_running_requests"] == "true"
    assert label["body"] == {"new_version": "7"}
    expected = {
        name: weight for name, weight in tiny(2).state_dict().items() if name != "lm_head.weight"
    }  # which is tied
    (written,) = replay.weights
    assert written.keys() == expected.keys()
    assert all(torch.equal(written[name], expected[name]) for name in expected)


def test_completions_that_a_sync_overtakes_have_both_versions() -> None:
    completions, replay = asyncio.run(replayed("keep", dialogues.keep))
    assert next(each for each in replay.requests if each["path"] == "/pause")["query"] == {"mode": "keep"}
    for each in completions:
        first = each.versions.index(4)
        assert 0 < first < 180
        assert each.versions == [3] * first + [4] * (180 - first)
        sampled = torch.tensor(each.logps)
        old, new = logps(tiny(1), each), logps(tiny(2), each)
        assert torch.allclose(sampled[:first], old[:first], atol=1e-4)
        assert torch.allclose(sampled[first:], new[first:], atol=1e-4)
        assert (sampled[first:] - old[first:]).abs().max() > 0.1


def test_weights_that_the_server_cannot_read_are_an_error_and_it_goes_on() -> None:
    errors, replay = asyncio.run(replayed("unread", dialogues.unread))
    assert replay.paths[len(CONNECTING) :] == [*SYNCING[:3], "/resume", "/inference/v1/generate", "/health"]
    assert "Cannot find any model weights" in errors[0]
    assert "It must be able to read" in errors[0]
    assert "500" in errors[1]
    assert "503" in errors[2]


@pytest.mark.parametrize("path", SYNCING[:4])
def test_sampling_goes_on_after_a_failed_sync_and_its_tokens_are_nobodys(path: str, tmp_path: Path) -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers), folder=tmp_path)
        answers.fails = path
        with pytest.raises(PolicyError, match=f"{path} with 500: out of luck"):
            await policy.sync(tiny(2), version=1)
        assert answers.paths[-1] == "/resume"
        assert policy.version == 0
        answers.fails = None
        if path in SYNCING[2:4]:
            with pytest.raises(PolicyError, match="not from a finished sync: their version is '1, unfinished'"):
                await policy.generate(PROMPT, Sampling(1), seed=0)
            with pytest.raises(PolicyError, match="'1, unfinished', expected 0"):
                await policy.check()
        await policy.sync(tiny(2), version=2)
        assert (await policy.generate(PROMPT, Sampling(1), seed=0)).versions == [2]
        await policy.close()
        assert not list(tmp_path.iterdir())

    asyncio.run(run())


def test_keys_and_values_of_the_old_weights_that_stay_are_an_error() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        answers.resets = False
        with pytest.raises(PolicyError, match="still holds keys and values of the old weights"):
            await policy.sync(tiny(2), version=1)
        assert answers.paths[-1] == "/resume"
        assert answers.label == "1, unfinished"
        await policy.close()

    asyncio.run(run())


def test_a_sync_that_is_cancelled_leaves_the_server_sampling() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        answers.silent = "/collective_rpc"
        sync = asyncio.create_task(policy.sync(tiny(2), version=1))
        while answers.paths[-1] != answers.silent:
            await asyncio.sleep(0)
        sync.cancel()
        with suppress(asyncio.CancelledError):
            await sync
        assert answers.paths[-1] == "/resume"
        await policy.close()

    asyncio.run(run())


def test_syncs_come_one_after_the_other() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        await asyncio.gather(policy.sync(tiny(2), version=1), policy.sync(tiny(3), version=2))
        assert answers.paths[len(CONNECTING) :] == [*SYNCING, *SYNCING]
        assert policy.version == 2
        await policy.close()

    asyncio.run(run())


def test_a_sync_that_did_not_take_is_caught_by_the_probe() -> None:
    replay = Replay("packed")
    with pytest.raises(
        PolicyError, match=r"does not sample from the trainer's weights of version 1: a log-prob.* differs"
    ):
        asyncio.run(dialogues.packed(URL, replay))
    assert replay.over
    assert replay.paths[len(CONNECTING) : -1] == SYNCING  # none of which was an error


def test_only_models_of_transformers_are_synced() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        with pytest.raises(TypeError, match="got Linear"):
            await policy.sync(nn.Linear(2, 2), version=1)
        assert answers.paths == CONNECTING
        await policy.close()

    asyncio.run(run())


def test_after_its_weights_were_dropped_the_server_needs_a_sync() -> None:
    async def run() -> None:
        answers = Answers()
        policy = await connected(URL, httpx.MockTransport(answers))
        await policy.sleep(level=1)
        await policy.wake_up()
        await policy.generate(PROMPT, Sampling(1), seed=0)
        await policy.sleep(level=2)
        await policy.wake_up()
        with pytest.raises(PolicyError, match="dropped by sleep"):
            await policy.generate(PROMPT, Sampling(1), seed=0)
        await policy.sync(tiny(2), version=1)
        await policy.generate(PROMPT, Sampling(1), seed=0)
        await policy.close()

    asyncio.run(run())


@pytest.mark.parametrize("dtype", [None, torch.bfloat16])
def test_a_sync_sends_weights_in_the_server_s_data_type(dtype: torch.dtype | None) -> None:
    sent: list[torch.dtype] = []

    class Reading(Answers):
        async def __call__(self, request: httpx.Request) -> httpx.Response:
            if request.url.path == "/collective_rpc":
                folder = Path(json.loads(request.content)["kwargs"]["weights_path"])
                sent.extend({tensor.dtype for tensor in load_file(folder / "model.safetensors").values()})
            return await super().__call__(request)

    async def main() -> None:
        transport = httpx.MockTransport(Reading())
        policy = await VllmPolicy.connect(URL, end_ids=frozenset(), transport=transport, dtype=dtype)
        await policy.sync(tiny(1), version=1)
        await policy.close()

    asyncio.run(main())
    assert sent == [dtype or torch.float32]


# -- pictures: the protocol as vLLM's source has it; no server is run ------------------------------------------------------


def test_pictures_are_read_by_the_server_once_and_sent_as_features() -> None:
    vision, board = seeing.tokenizer().vision, seeing.BOARDS[0]
    seen, rendered = vision.read(board), []

    class Rendering(Answers):
        def _answer(self, path: str, body: Any) -> Any:
            if path != "/v1/chat/completions/render":
                return super()._answer(path, body)
            rendered.append(body)
            features = {
                "mm_hashes": {"image": ["digest"]},
                "mm_placeholders": {"image": [{"offset": 1, "length": len(seen)}]},
                "kwargs_data": {"image": ["tensors"]},
            }
            return {"token_ids": [1, *[vision.token] * (len(seen) - self.short), 2], "features": features}

        short = 0

    async def run() -> None:
        answers = Rendering()
        policy = await VllmPolicy.connect(
            URL, end_ids=frozenset(ENDS), transport=httpx.MockTransport(answers), image=vision.token
        )
        for _ in range(2):
            await policy.generate([3, *seen, 4, vision.token, *seen, 5], Sampling(2), seed=0)
        assert rendered == [{"model": "policy", "messages": [{"role": "user", "content": [board.part()]}]}]
        body, plain = answers.bodies[-1], [vision.token] * len(seen)
        assert body["token_ids"] == [3, *plain, 4, 0, *plain, 5]  # an image token without a picture is token 0
        places = [{"offset": 1, "length": len(seen)}, {"offset": 3 + len(seen), "length": len(seen)}]
        assert body["features"] == {
            "mm_placeholders": {"image": places},
            "mm_hashes": {"image": ["digest"] * 2},
            "kwargs_data": {"image": ["tensors"] * 2},
        }
        await policy.sync(tiny(2), 1)
        assert "/reset_encoder_cache" in answers.paths
        await policy.generate([3, 4], Sampling(2), seed=0)
        assert "features" not in answers.bodies[-1]
        answers.short = 1
        with pytest.raises(PolicyError, match="tokens, and the trainer as"):
            await policy.generate([3, *vision.read(seeing.BOARDS[1])], Sampling(2), seed=0)
        await policy.close()

    asyncio.run(run())
