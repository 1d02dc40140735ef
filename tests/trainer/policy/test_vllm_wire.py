"""Servers that are not as needed, answers that are none, and connections: the client of vLLM's server."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import httpx
import pytest

from envhub_trainer.policy import PolicyError, Sampling
from envhub_trainer.policy.vllm import VllmPolicy
from envhub_trainer.policy.vllm_wire import completion
from tests.trainer.policy import vllm_dialogues as dialogues
from tests.trainer.policy.vllm_answers import CONNECTING, URL, listening
from tests.trainer.policy.vllm_dialogues import ENDS, PROMPT, connected
from tests.trainer.policy.vllm_wire_tap import CONVERSATIONS, Replay

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
    with pytest.raises(PolicyError, match=r"No vLLM server answers at http://127.0.0.1:1 .*python -m envhub_trainer"):
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
            "'default'. A sync has failed, or the server was restarted",
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
