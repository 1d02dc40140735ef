"""A judge whose endpoint fails: an error and never a score, and neither key nor solution is told."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from envhub.core.errors import InvalidParameters, ResourceError
from envhub.verifiers.judge.judge import Endpoint, Judge, Judgement
from tests.verifiers.judge.asking import Decide, Waits, both, compare
from tests.verifiers.proofs.scripted import Glitched, Model, Says, Server, completion

KEY = "sk-nobody-may-see-this"
SOLUTION = "7919104729"


@both
@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_busy_endpoint_is_asked_again_and_then_an_error(
    decide: Decide, status: int, endpoint: Endpoint, server: Server
) -> None:
    clock = Waits()
    server.run(Says(Response(status_code=status), last=True))
    with pytest.raises(ResourceError, match=f"answered {status}, 4 times"):
        compare(clock.judge(endpoint), "forty-two", decide=decide)
    assert len(server.requests) == 4
    assert clock.waited == [0.5, 1.0, 2.0]


@both
def test_one_that_recovers_is_no_error(decide: Decide, endpoint: Endpoint, server: Server) -> None:
    clock = Waits()
    wait = Response(status_code=429, headers={"retry-after": "7"})
    never = Response(status_code=429, headers={"retry-after": "99999"})
    server.run(Says(wait, Response(status_code=502), never))
    assert compare(clock.judge(endpoint, control=False), "forty-two", decide=decide).decision is True
    assert clock.waited == [7.0, 1.0, 30.0]
    assert len(server.requests) == 4


@both
def test_a_refused_connection_is_an_error(decide: Decide, endpoint: Endpoint) -> None:
    clock = Waits()
    with socket.socket() as taken:  # bound and not listening: nobody else can, and nobody answers
        taken.bind(("127.0.0.1", 0))
        gone = replace(endpoint, base_url=f"http://127.0.0.1:{taken.getsockname()[1]}", retries=2)
        with pytest.raises(ResourceError, match=r"could not be reached \(ConnectError\), 3 times"):
            compare(clock.judge(gone), "forty-two", decide=decide)
    assert clock.waited == [0.5, 1.0]


@both
@pytest.mark.parametrize("how", ["silent", "dribbling"])
def test_a_slow_endpoint_is_an_error(decide: Decide, how: str, endpoint: Endpoint, server: Server) -> None:
    server.slow = how
    clock = Waits()
    with pytest.raises(ResourceError, match="too slow, 2 times"):
        compare(clock.judge(replace(endpoint, timeout_s=0.5, retries=1)), "forty-two", decide=decide)
    assert len(server.requests) == 2


@both
def test_an_answer_without_end_is_an_error(decide: Decide, endpoint: Endpoint, server: Server) -> None:
    server.slow = "endless"
    with pytest.raises(ResourceError, match="does not end"):
        compare(Judge(endpoint), "forty-two", decide=decide)


@pytest.mark.parametrize("status", [301, 401, 403, 404])
def test_what_will_not_change_is_not_tried_again(status: int, endpoint: Endpoint, server: Server) -> None:
    server.run(Says(Response(status_code=status, headers={"location": "/"}), last=True))
    with pytest.raises(ResourceError, match=f"answered {status}"):
        compare(Judge(endpoint), "forty-two")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"[]", b"{}", b'{"choices": []}', b'{"choices": [5]}', b"[" * 9999, b"\xff"]
)
def test_what_is_not_the_protocol_is_an_error(body: bytes, endpoint: Endpoint, server: Server) -> None:
    server.run(Says(Response(body), last=True))
    with pytest.raises(ResourceError, match="not a chat completion"):
        compare(Judge(endpoint), "forty-two")
    assert len(server.requests) == 1


GARBAGE: dict[str, Response | str | Callable[[str], Response | str]] = {
    "prose": "Yes, they are equivalent.",
    "bare": "true",
    "empty": "",
    "list": "[true]",
    "truncated": lambda honest: honest[:-1],
    "no id": '{"reason": "", "equivalent": true}',
    "wrong id": '{"id": "00", "reason": "", "equivalent": true}',
    "a text for a truth": lambda honest: honest.replace("true", '"true"'),
    "a number for a truth": lambda honest: honest.replace("true", "1"),
    "a field too many": lambda honest: honest.replace("{", '{"sure": true, '),
    "a field twice": lambda honest: honest.replace("}", ', "equivalent": true}'),
    "no reason": lambda honest: honest.replace('"as I see it, the reference is what it is"', "null"),
    "two objects": lambda honest: honest + honest,
    "words behind": lambda honest: honest + " Sure.",
    "words before": lambda honest: "Sure: " + honest,
    "deep": "[" * 100_000,
    "cut off": lambda honest: completion(honest, finish="length"),
    "filtered": lambda honest: completion(honest, finish="content_filter"),
    "refused": lambda honest: completion(honest, refusal="I would rather not."),
    "silent": completion(None),
    "denied": JSONResponse({}, 400),
}


@both
@pytest.mark.parametrize("name", GARBAGE)
def test_a_model_that_never_gives_a_verdict_is_an_error(
    decide: Decide, name: str, endpoint: Endpoint, server: Server
) -> None:
    server.run(Says(GARBAGE[name], last=True))
    with pytest.raises(ResourceError, match="cannot judge"):
        compare(Judge(replace(endpoint, structured=False)), "forty-two", decide=decide)
    assert len(server.requests) == 4  # twice about this answer, twice about an easy one


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_once_is_asked_again_with_other_codes(name: str, endpoint: Endpoint, server: Server) -> None:
    server.run(Says(GARBAGE[name]))
    judge = Judge(replace(endpoint, structured=False), control=False)
    assert compare(judge, "forty-two").decision is True
    first, second = (request["messages"][1]["content"] for request in server.requests)
    assert first != second


@pytest.mark.parametrize("answer", ["gibberish", completion("", finish="length"), JSONResponse({}, 400)])
def test_a_text_that_breaks_a_sound_judge_is_the_texts_failure(
    answer: Response | str, endpoint: Endpoint, server: Server
) -> None:
    server.run(Glitched(answer))
    judge = Judge(endpoint)
    assert compare(judge, "a glitch") == Judgement(abuse=True)
    assert judge.decide("pair", question="Which?", first="a glitch", second="b").abuse
    assert compare(judge, "forty-two").decision is True


@pytest.mark.parametrize(
    "shape", ["```json\n{}\n```", "```\n{}\n```", "<think>They are {{equal}}.</think>\n{}", "  {}\n"]
)
def test_an_object_may_be_fenced_or_thought_about(shape: str, endpoint: Endpoint, server: Server) -> None:
    server.run(Says(lambda honest: shape.replace("{}", honest), last=True))
    assert compare(Judge(endpoint, control=False), "forty-two").decision is True


@both
def test_a_server_that_knows_no_schema_is_asked_without(decide: Decide, endpoint: Endpoint, server: Server) -> None:
    server.refuses = ["response_format"]
    clock = Waits()
    assert compare(clock.judge(endpoint, control=False), "forty-two", decide=decide).decision is True
    assert ["response_format" in request for request in server.requests] == [True, False]
    assert not clock.waited


def test_a_missing_key_is_an_error_that_names_its_variable(
    endpoint: Endpoint, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Judge(replace(endpoint, api_key_env="TEST_JUDGE_KEY"), control=False)
    monkeypatch.delenv("TEST_JUDGE_KEY", raising=False)
    with pytest.raises(ResourceError, match="TEST_JUDGE_KEY"):
        compare(judge, "forty-two")
    monkeypatch.setenv("TEST_JUDGE_KEY", f"{KEY}\u00e9")
    with pytest.raises(ResourceError) as error:
        compare(judge, "forty-two")
    assert KEY not in str(error.value)
    monkeypatch.setenv("TEST_JUDGE_KEY", KEY)
    assert compare(judge, "forty-two").decision is True
    assert server.keys == [f"Bearer {KEY}"]


TELLING: list[Response | str] = [
    "gibberish",
    *(JSONResponse({"error": f"{KEY} {SOLUTION}"}, status) for status in (200, 400, 401, 500)),
]


@both
@pytest.mark.parametrize("model", [Model(), *(Says(said, last=True) for said in TELLING)])
def test_neither_key_nor_solution_is_told(
    decide: Decide,
    model: Model,
    endpoint: Endpoint,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.run(model)
    server.refuses = ["response_format"]  # it says what it was sent
    monkeypatch.setenv("TEST_JUDGE_KEY", KEY)
    judge = Waits().judge(replace(endpoint, api_key_env="TEST_JUDGE_KEY"))
    told = [repr(judge.endpoint)]
    with caplog.at_level(logging.DEBUG):
        try:
            told.append(repr(compare(judge, "forty-two", SOLUTION, decide)))
        except ResourceError as error:
            told.append(str(error))
    told += [record.getMessage() for record in caplog.records]
    assert SOLUTION in server.requests[0]["messages"][1]["content"]
    assert server.keys[0]
    assert not any(KEY in text or SOLUTION in text for text in told)


@pytest.mark.parametrize(
    "fields",
    [
        {"base_url": "ftp://host"},
        {"base_url": "host:80/v1"},
        {"base_url": "http://user:word@host/v1"},
        {"base_url": "http://host/v1?key=word"},
        {"base_url": "http://host:port"},
        {"timeout_s": 0},
        {"max_tokens": 0},
        {"retries": -1},
    ],
)
def test_an_endpoint_that_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters) as error:
        Endpoint(**{"base_url": "http://host", "model": "m", **fields})
    assert "word" not in str(error.value)


def test_where_requests_go() -> None:
    for base in ("http://host", "http://host/", "http://host/v1", "http://host/v1/"):
        assert Endpoint(base, "m").url == "http://host/v1/chat/completions"
    assert Endpoint("https://host/api/v3", "m").url == "https://host/api/v3/chat/completions"
