"""The client of vLLM's server, over recorded conversations with a real one, and over sockets of its own."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import torch
from torch import nn

from tests.trainer.policy import vllm_dialogues as dialogues
from tests.trainer.policy.vllm_dialogues import ENDS, PROMPT, connected
from tests.trainer.policy.vllm_models import CONTEXT, tiny
from tests.trainer.policy.vllm_wire_tap import CONVERSATIONS, WEIGHTS, Replay
from trainer.logprobs import score
from trainer.policy import Completion, PolicyError, Sampling
from trainer.policy.forward import evaluating
from trainer.policy.vllm import VllmPolicy
from trainer.policy.vllm_wire import completion

URL = "http://127.0.0.1:1"  # where nothing listens
CONNECTING = ["/v1/models", "/resume", "/server_info", "/update_weight_version", "/inference/v1/generate"]
SYNCING = [
    "/pause",
    "/update_weight_version",
    "/collective_rpc",
    "/reset_prefix_cache",
    "/update_weight_version",
    "/resume",
]


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


class Answers:
    """A server that does as it is told, except that it answers the path ``fails`` with an error and ``silent`` never."""

    def __init__(self) -> None:
        self.fails: str | None = None
        self.silent: str | None = None
        self.paths: list[str] = []
        self.bodies: list[Any] = []
        self.label = "default"

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        path, body = request.url.path, json.loads(request.content) if request.content else None
        self.paths.append(path)
        self.bodies.append(body)
        if path == self.silent:
            await asyncio.Event().wait()
        if path == self.fails:
            return httpx.Response(500, json={"error": {"message": "out of luck"}})
        if path == "/update_weight_version":
            self.label = body["new_version"]
        return httpx.Response(200, json=self._answer(path, body))

    def _answer(self, path: str, body: Any) -> Any:
        return {
            "/v1/models": {"data": [{"id": "policy", "max_model_len": CONTEXT}]},
            "/server_info": {"vllm_config": {"model_config": {"logprobs_mode": "processed_logprobs"}}},
            "/reset_prefix_cache": {"success": True},
            "/weight_info": {"weight_version": self.label},
            "/is_sleeping": {"is_sleeping": False},
            "/inference/v1/generate": {
                "usage": {"prompt_tokens": len(body["token_ids"]) if body and "token_ids" in body else 0},
                "choices": [
                    {
                        "finish_reason": "length",
                        "token_ids": [5],
                        "logprobs": {"content": [{"token_id": 5, "logprob": -1.5}]},
                        "weight_versions": [{"version": self.label, "start": 0, "end": 1}],
                    }
                ],
            },
        }.get(path, {})


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
            with pytest.raises(PolicyError, match="of no finished sync: it calls them '1, unfinished'"):
                await policy.generate(PROMPT, Sampling(1), seed=0)
            with pytest.raises(PolicyError, match="'1, unfinished' and not 0"):
                await policy.check()
        await policy.sync(tiny(2), version=2)
        assert (await policy.generate(PROMPT, Sampling(1), seed=0)).versions == [2]
        await policy.close()
        assert not list(tmp_path.iterdir())

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


# -- servers that are not as needed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conversation", "message"),
    [
        (
            "no_development",
            "/resume with 404: Not Found It was started without what the trainer needs.*vllm_server MODEL",
        ),
        ("raw", "vLLM reports raw_logprobs.*--logprobs-mode processed_logprobs"),
        ("no_scale_out", "--enable-scale-out.*vllm_server MODEL"),
    ],
)
def test_a_server_without_what_the_trainer_needs_is_refused(conversation: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        asyncio.run(connected(URL, Replay(conversation)))


def test_a_server_of_another_model_is_refused() -> None:
    with pytest.raises(PolicyError, match="The server serves 'policy'; the model to use is 'nobody'"):
        asyncio.run(dialogues.wrong_name(URL, Replay("wrong_name")))


def test_where_nothing_listens_the_error_says_how_to_start_a_server() -> None:
    with pytest.raises(PolicyError, match=r"No vLLM server answers at http://127.0.0.1:1 .*python -m trainer"):
        asyncio.run(connected(URL, httpx.AsyncHTTPTransport()))


@pytest.mark.parametrize("text", ["<html>", '{"data": [{"id": "gpt"}]}', "[]"])
def test_something_else_that_answers_is_not_vllm(text: str) -> None:
    with pytest.raises(PolicyError, match="is not vLLM"):
        asyncio.run(connected(URL, httpx.MockTransport(lambda request: httpx.Response(200, text=text))))


def test_a_request_that_takes_too_long_is_an_error() -> None:
    def late(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    with pytest.raises(PolicyError, match="did not answer /v1/models in time"):
        asyncio.run(connected(URL, httpx.MockTransport(late)))


def test_in_flight_is_wait_or_keep() -> None:
    with pytest.raises(ValueError, match="'wait' or 'keep', got 'drop'"):
        asyncio.run(VllmPolicy.connect(URL, end_ids=ENDS, in_flight="drop"))  # type: ignore[arg-type]


def recorded_answer() -> Any:
    return json.loads(json.loads(CONVERSATIONS.read_text())["session"][len(CONNECTING)]["answered"])


def change(answer: Any, path: str, value: Any) -> Any:
    changed = copy.deepcopy(answer)
    *way, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    place = changed
    for part in way:
        place = place[part]
    place[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "choices.0.weight_versions.0.version",
            "default",
            "'default'. A sync has failed, or the server was started again",
        ),
        ("choices.0.weight_versions", None, "not as that of version 0.32"),
        ("choices.0.weight_versions.0.end", 2, "contradiction"),
        ("choices.0.token_ids.0", 3, "contradiction"),
        ("choices.0.token_ids", [], "contradiction"),
        ("choices.0.logprobs", None, "not as that of version 0.32"),
        ("choices.0.finish_reason", "abort", "gave a completion up; its reason: 'abort'"),
        ("usage.prompt_tokens", 5, "contradiction"),
        ("choices", [], "not as that of version 0.32"),
    ],
)
def test_an_answer_that_does_not_fit_together_is_never_a_completion(path: str, value: Any, message: str) -> None:
    answer = recorded_answer()
    assert completion(answer, len(PROMPT)).finished
    with pytest.raises(PolicyError, match=message):
        completion(change(answer, path, value), len(PROMPT))


# -- connections -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(crowd: int) -> AsyncIterator[tuple[str, asyncio.Queue[int]]]:
    """A server on loopback whose completions all come when ``crowd`` of them are under way; the queue tells of each."""
    answers, together, arrivals = Answers(), asyncio.Event(), asyncio.Queue[int]()
    connections: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *fields = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
        method, path, _ = first.split(" ")
        length = next((int(each.partition(":")[2]) for each in fields if each.startswith("content-length")), 0)
        content = await reader.readexactly(length)
        if path.startswith("/inference/") and len(json.loads(content)["token_ids"]) > 1:
            arrivals.put_nowait(0)
            if arrivals.qsize() == crowd:
                together.set()
            await together.wait()
        response = await answers(httpx.Request(method, f"http://x{path}", content=content))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(response.content) + response.content)
        await writer.drain()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections[writer] = asyncio.current_task()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await answer(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", arrivals
        together.set()
        for writer in connections:
            writer.transport.abort()
        await asyncio.gather(*filter(None, connections.values()))


def test_hundreds_of_completions_are_under_way_at_once() -> None:
    async def run() -> None:
        async with listening(crowd=200) as (url, _):
            policy = await VllmPolicy.connect(url, end_ids=ENDS)
            async with asyncio.timeout(60):  # with a pool of 100 connections they would wait for each other for ever
                done = await asyncio.gather(*(policy.generate(PROMPT, Sampling(1), seed) for seed in range(200)))
            assert [each.ids for each in done] == [[5]] * 200
            await policy.close()

    asyncio.run(run())


def test_completions_under_way_fail_when_the_policy_is_closed() -> None:
    async def run() -> None:
        async with listening(crowd=2) as (url, arrivals):
            policy = await VllmPolicy.connect(url, end_ids=ENDS)
            under_way = asyncio.create_task(policy.generate(PROMPT, Sampling(1), seed=0))
            await arrivals.get()
            await policy.close()
            with pytest.raises(PolicyError, match="was closed"):
                await under_way
            with pytest.raises(PolicyError, match="is closed"):
                await policy.generate(PROMPT, Sampling(1), seed=0)

    asyncio.run(run())
