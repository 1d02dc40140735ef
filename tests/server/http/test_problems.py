"""Errors on the wire: always a problem, always with what was wrong and the nearest valid thing, never more than that."""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from envhub.core import errors
from envhub.core.errors import EnvhubError, TooBusy
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.server.http.app import create_app
from envhub.server.http.problems import STATUS
from envhub.settings import ServerSettings
from tests.server.serving import Api, problem, serving
from tests.support.toys import SECRET, Sum

JSON_HEADERS = {"content-type": "application/json"}
GUESS = "guess-number-v0"


class Broken(Sum):
    """Fails where nobody expects it, with the secret in its message."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        raise ZeroDivisionError(f"the secret is {SECRET}")


WRONG: list[tuple[str, str, Any, int, str, str]] = [
    # an unknown path
    ("POST", "/v1/episode", {}, 404, "UnknownPath", "Did you mean '/v1/episodes'?"),
    ("POST", "/v1/verfy", {}, 404, "UnknownPath", "Did you mean '/v1/verify'?"),
    ("POST", "/v1/episodes/e/stepp", {}, 404, "UnknownPath", "Did you mean '/v1/episodes/{episode_id}/step'?"),
    ("GET", "/helth", None, 404, "UnknownPath", "Did you mean '/health'?"),
    ("GET", "/v1/episodes/a/b/c", None, 404, "UnknownPath", "Unknown path /v1/episodes/a/b/c."),
    # an unknown field
    ("POST", "/v1/episodes", {"env": GUESS}, 422, "InvalidRequest", "Did you mean 'env_id'?"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "sed": 1}, 422, "InvalidRequest", "Did you mean 'seed'?"),
    (
        "POST",
        "/v1/episodes",
        {"env_id": GUESS, "options": {"sytem": ""}},
        422,
        "InvalidRequest",
        "Did you mean 'system'?",
    ),
    ("POST", "/v1/episodes/e/step", {"turn": 0, "acton": ""}, 422, "InvalidRequest", "Did you mean 'action'?"),
    ("POST", "/v1/episodes/e/fork", {"trun": 0}, 422, "InvalidRequest", "Did you mean 'turn'?"),
    ("POST", "/v1/verify", {"itmes": []}, 422, "InvalidRequest", "Did you mean 'items'?"),
    ("POST", "/v1/verify", {"items": [{"tsak": {}}]}, 422, "InvalidRequest", "Did you mean 'task'?"),
    ("POST", "/v1/tasks", {"env_id": GUESS, "seed": [1]}, 422, "InvalidRequest", "Did you mean 'seeds'?"),
    # a field that is missing
    ("POST", "/v1/episodes", {}, 422, "InvalidRequest", "env_id: Field required"),
    ("POST", "/v1/episodes/e/step", {"turn": 0}, 422, "InvalidRequest", "action: Field required"),
    ("POST", "/v1/verify", {"items": [{"responses": []}]}, 422, "InvalidRequest", "has either a task or a gold answer"),
    # a wrong type or value
    ("POST", "/v1/episodes", [], 422, "InvalidRequest", "body: "),
    ("POST", "/v1/episodes", {"env_id": 7}, 422, "InvalidRequest", "env_id: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "seed": "1"}, 422, "InvalidRequest", "seed: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "seed": 1.5}, 422, "InvalidRequest", "seed: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "seed": -1}, 422, "InvalidRequest", "seed: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "seed": 2**63}, 422, "InvalidRequest", "seed: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "episode_id": ""}, 422, "InvalidRequest", "episode_id: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "episode_id": "a/b"}, 422, "InvalidRequest", "episode_id: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "episode_id": "a\n"}, 422, "InvalidRequest", "episode_id: "),
    ("POST", "/v1/episodes", {"env_id": GUESS, "episode_id": "x" * 129}, 422, "InvalidRequest", "episode_id: "),
    (
        "POST",
        "/v1/episodes",
        {"env_id": GUESS, "options": {"answer_format": "bxed"}},
        422,
        "InvalidParameters",
        "'boxed'",
    ),
    ("POST", "/v1/episodes/e/step", {"turn": True, "action": ""}, 422, "InvalidRequest", "turn: "),
    ("POST", "/v1/episodes/e/step", {"turn": -1, "action": ""}, 422, "InvalidRequest", "turn: "),
    ("POST", "/v1/episodes/e/step", {"turn": 0, "action": 5}, 422, "InvalidRequest", "action: "),
    ("POST", "/v1/episodes/e/step", {"turn": 0, "action": None}, 422, "InvalidRequest", "action: "),
    ("POST", "/v1/verify", {"items": [{"task": {}, "responses": [7]}]}, 422, "InvalidRequest", "items.0.responses.0"),
    ("POST", "/v1/verify", {"items": [{"task": "x", "responses": []}]}, 422, "InvalidRequest", "items.0.task: "),
    ("POST", "/v1/tasks", {"env_id": GUESS, "seeds": 1}, 422, "InvalidRequest", "seeds: "),
    # what does not fit an environment
    ("POST", "/v1/episodes", {"env_id": "gess-number-v0"}, 404, "UnknownEnvironment", f"Did you mean '{GUESS}'?"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "difficulty": 11}, 422, "InvalidParameters", "from 1 to 10"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "difficulty": [6, 2]}, 422, "InvalidParameters", "from 1 to 10"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "split": "tran"}, 422, "InvalidParameters", "Did you mean 'train'?"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "params": {"hgh": 1}}, 422, "InvalidParameters", "Did you mean 'high'?"),
    ("POST", "/v1/episodes", {"env_id": GUESS, "params": {"low": "1"}}, 422, "InvalidParameters", "low: "),
    ("POST", "/v1/tasks", {"env_id": GUESS, "seeds": [], "split": 7}, 422, "InvalidRequest", "split: "),
    # the wrong method
    ("GET", "/v1/verify", None, 405, "MethodNotAllowed", "GET"),
    ("PUT", "/v1/episodes/e", {}, 405, "MethodNotAllowed", "PUT"),
]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code", "part"), WRONG, ids=[f"{w[1]} {ascii(w[2])[:50]}" for w in WRONG]
)
def test_every_error_is_a_problem(
    api: Api, method: str, path: str, body: Any, status: int, code: str, part: str
) -> None:
    got_status, got_code, detail = problem(api.send(method, path, body))
    assert (got_status, got_code) == (status, code)
    assert part in detail
    assert not detail.endswith(("?.", "..", ".?"))


@pytest.mark.parametrize("odd", ["a%20b", "%0A", "e%0A", "%C3%A9", "e" * 201, "a%5Cb"])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/episodes/{}", None),
        ("DELETE", "/v1/episodes/{}", None),
        ("POST", "/v1/episodes/{}/step", {"turn": 0, "action": ""}),
        ("POST", "/v1/episodes/{}/fork", {}),
        ("GET", "/openenv/guess-number-v0/state?episode_id={}", None),
    ],
)
def test_a_malformed_episode_id_is_the_same_error_on_every_route(
    api: Api, method: str, path: str, body: Any, odd: str
) -> None:
    item = {"op": "get", "episode_id": unquote(odd)}
    expected = api.post("/v1/batch", {"items": [item]}).json()["results"][0]["body"]
    assert "An episode id has 1 to 200 characters" in expected["detail"]
    assert problem(api.send(method, path.format(odd), body)) == (404, "UnknownEpisode", expected["detail"])


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"nonsense", b"\xff\xfe", b'{"turn": 0, "action": "x"} more', b'{"turn": 0, "action": '],
    ids=repr,
)
def test_what_is_not_json_is_told_so(api: Api, body: bytes) -> None:
    status, code, detail = problem(api.post("/v1/episodes/e/step", content=body, headers=JSON_HEADERS))
    assert (status, code) == (422, "InvalidRequest")
    assert "body" in detail
    if body:
        assert "JSON" in detail


@pytest.mark.parametrize("depth", [300, 900, 5_000, 200_000])
@pytest.mark.parametrize("path", ["/v1/episodes", "/v1/tasks", "/v1/verify"])
def test_deep_nesting_is_refused_and_no_failure_of_ours(api: Api, path: str, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    key = f'"env_id": "{GUESS}", "split": "train", "seed": 1'
    body = {
        "/v1/episodes": f'{{"env_id": "{GUESS}", "seed": 1, "params": {{"low": {deep}}}}}',
        "/v1/tasks": f'{{"env_id": "{GUESS}", "seeds": [1], "params": {{"low": {deep}}}}}',
        "/v1/verify": f'{{"items": [{{"task": {{{key}, "params": {{"low": {deep}}}}}, "responses": []}}]}}',
    }[path]
    response = api.post(path, content=body, headers=JSON_HEADERS)
    assert response.status_code in (200, 400, 422), response.text[:500]
    if response.status_code == 200:
        assert response.json()["results"][0]["verdicts"] is None


@pytest.mark.parametrize("depth", [40, 300, 900])
@pytest.mark.parametrize("field", ["difficulty", "split", "seed", "options", "turn_seed", "episode_id"])
def test_deep_nesting_is_refused_in_every_field(api: Api, field: str, depth: int) -> None:
    body = f'{{"env_id": "{GUESS}", "{field}": {"[" * depth + "]" * depth}}}'
    response = api.post("/v1/episodes", content=body, headers=JSON_HEADERS)
    assert problem(response)[0] == 422, response.text
    assert len(response.content) < 10_000


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/episodes/e/step", b'{"turn": 0, "action": "<answer>1</answer>", "action": "<answer>2</answer>"}'),
        ("/v1/episodes/e/step", b'{"turn": 0, "\\u0061ction": "1", "action": "2"}'),
        ("/v1/episodes", b'{"env_id": "guess-number-v0", "seed": 1, "seed": 2}'),
        ("/v1/episodes", b'{"env_id": "guess-number-v0", "options": {"reward": {"accuracy": 0, "accuracy": 1}}}'),
        ("/v1/batch", b'{"items": [{"op": "step", "op": "create"}]}'),
        ("/v1/verify", b'{"items": [{"gold": "1", "gold": "2", "responses": []}]}'),
        ("/v1/tasks", b'{"env_id": "guess-number-v0", "seeds": [1], "seeds": [2]}'),
        ("/v1/episodes/e/fork", b'{"turn": 0, "turn": 1}'),
        ("/openenv/guess-number-v0/mcp", b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}'),
    ],
)
def test_a_key_that_occurs_twice_is_refused_on_every_route(api: Api, path: str, body: bytes) -> None:
    status, code, detail = problem(api.post(path, content=body, headers=JSON_HEADERS))
    assert (status, code) == (422, "InvalidRequest")
    assert "occurs more than once in one object" in detail


def test_a_wrong_content_type_is_told_so(api: Api) -> None:
    """What curl sends without a header."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = api.post("/v1/episodes", content=b'{"env_id": "guess-number-v0"}', headers=headers)
    _, code, detail = problem(response)
    assert code == "InvalidRequest"
    assert "application/json" in detail


def test_an_error_does_not_give_back_all_that_was_sent(api: Api) -> None:
    long = "x" * 1_000_000
    for path, body in [
        ("/v1/episodes", {"env_id": long}),
        ("/v1/episodes", {long: 1}),
        ("/v1/episodes", {"env_id": GUESS, "split": long}),
        ("/v1/episodes", {"env_id": GUESS, "params": {"low": long}}),
        ("/v1/episodes", {"env_id": GUESS, "params": {long: 1}}),
        ("/v1/episodes/e/step", {"turn": long, "action": ""}),
    ]:
        response = api.post(path, body)
        problem(response)
        assert len(response.content) < 10_000


# -- bodies that are too long ------------------------------------------------------------------------------------------


def test_a_body_has_a_limit(make_api: Callable[..., Api]) -> None:
    api = make_api(max_body_bytes=1024)
    path = "/v1/episodes/e/step"

    def body(length: int) -> bytes:
        start = b'{"turn": 0, "action": "'
        return start + b"x" * (length - len(start) - 2) + b'"}'

    assert problem(api.post(path, content=body(1024), headers=JSON_HEADERS))[1] == "UnknownEpisode"
    status, code, detail = problem(api.post(path, content=body(1025), headers=JSON_HEADERS))
    assert (status, code) == (413, "BodyTooLong")
    assert "1024 bytes" in detail


@pytest.mark.parametrize("length", [1_000, 1_000_000])
def test_a_body_that_does_not_tell_its_length_has_the_same_limit(make_api: Callable[..., Api], length: int) -> None:
    api = make_api(max_body_bytes=1024)
    taken = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal taken
        yield b'{"turn": 0, "action": "'
        for _ in range(length // 100):
            taken += 1
            yield b"x" * 100
        yield b'"}'

    response = api.post("/v1/episodes/e/step", content=chunks(), headers=JSON_HEADERS)
    assert "content-length" not in response.request.headers
    if length == 1_000:
        assert problem(response)[1] == "UnknownEpisode" if taken * 100 + 25 <= 1024 else "BodyTooLong"
    else:
        assert problem(response)[:2] == (413, "BodyTooLong")
        assert taken <= 12  # the rest was never asked for


def test_a_real_server_refuses_a_long_body_in_words(real_server: str) -> None:
    with httpx.Client(base_url=real_server) as http:
        for content in (b"x" * 5_000, b"x" * 2_000_000, iter([b"x" * 1_000] * 10)):
            response = http.post("/v1/episodes", content=content, headers=JSON_HEADERS)
            assert problem(response)[:2] == (413, "BodyTooLong")
        assert http.get("/health").status_code == 200


# -- errors of ours ----------------------------------------------------------------------------------------------------


@pytest.fixture
def broken_server(register: Callable[..., str]) -> Iterator[str]:
    register("broken-v0", Broken)
    with serving(create_app(ServerSettings())) as url:
        yield url


def test_a_failure_tells_nothing_but_that_it_happened(broken_server: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with httpx.Client(base_url=broken_server) as http:
        for path, body in [
            ("/v1/episodes", {"env_id": "broken-v0", "seed": 1}),
            ("/v1/tasks", {"env_id": "broken-v0", "seeds": [1]}),
        ]:
            response = http.post(path, json=body)
            status, code, detail = problem(response)
            assert (status, code, detail) == (500, "InternalError", "Internal server error; see the log of the server.")
            assert str(SECRET) not in response.text
            assert "Traceback" not in response.text
        assert http.get("/ready").json()["episodes"] == 0
    assert "ZeroDivisionError" in caplog.text
    assert str(SECRET) not in caplog.text


def test_every_error_has_a_status() -> None:
    """One that is missing here would be answered 500, as if the server had failed."""
    internal = {EnvhubError, errors.ResourceError, errors.ResourceLost, errors.JudgementError, errors.RemoteError}
    raised = {cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, EnvhubError)}
    assert raised - internal == set(STATUS)


@pytest.mark.parametrize("error", STATUS, ids=lambda cls: cls.__name__)
def test_every_error_is_answered_with_its_name(api: Api, error: type[EnvhubError]) -> None:
    class Subclass(error):  # type: ignore[misc, valid-type]
        pass

    for cls in (error, Subclass):

        @api.app.get(f"/raise-{cls.__name__}")
        def fail(cls: type[EnvhubError] = cls) -> None:
            raise cls("It is so.")

    response = api.get(f"/raise-{error.__name__}")
    assert problem(response) == (STATUS[error], error.__name__, "It is so.")
    assert api.get("/raise-Subclass").status_code == STATUS[error]


def test_when_to_come_again(api: Api) -> None:
    @api.app.get("/busy")
    def busy() -> None:
        raise TooBusy("Later.", retry_after=17)

    response = api.get("/busy")
    assert problem(response) == (429, "TooBusy", "Later.")
    assert response.headers["retry-after"] == "17"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([GUESS, "train"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["env_id", "episode_id", "seed", "seeds", "split", "params", "options", "turn", "action", "items", "task", "x"]


@settings(max_examples=150)
@given(
    path=st.sampled_from(["/v1/episodes", "/v1/episodes/e/step", "/v1/episodes/e/fork", "/v1/verify", "/v1/tasks"]),
    body=st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4) | ANYTHING,
    valid=st.booleans(),
)
def test_no_request_makes_the_server_fail(path: str, body: Any, valid: bool) -> None:
    if valid and isinstance(body, dict):
        body = {"env_id": GUESS, "seeds": [1], **body} if path == "/v1/tasks" else body
        body = {"env_id": GUESS, **body} if path == "/v1/episodes" else body
    api = Api()
    try:
        response = api.post(path, body)
    finally:
        api.close()
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        problem(response)


@settings(max_examples=60)
@given(
    params=st.dictionaries(
        st.sampled_from(["low", "high", "guesses", "id", "difficulty", "split", "reward", "x"]), ANYTHING, max_size=3
    )
)
def test_no_parameters_make_the_server_fail(params: dict[str, Any]) -> None:
    api = Api()
    try:
        codes = {
            api.post("/v1/tasks", {"env_id": GUESS, "seeds": [1], "params": params}).status_code,
            api.post("/v1/episodes", {"env_id": GUESS, "seed": 1, "params": params}).status_code,
        }
    finally:
        api.close()
    assert codes in ({200, 201}, {422})
