"""Who comes in over HTTP: keys, pages of elsewhere, WebSockets, and a server without keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError
from starlette.types import Message, Scope

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.server.auth.access import PUBLIC_PATHS, AccessControl, Caller, caller_of
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.auth.access.asking import CREATE, VERIFY, Clock, Keyed
from tests.server.serving import GUESS, Api, problem, serving

# -- who comes in ------------------------------------------------------------------------------------------------------


def test_without_a_key_nothing_but_the_open_paths_answers(keyed: Keyed) -> None:
    for path in sorted(PUBLIC_PATHS):
        assert keyed.ask(None, "GET", path).status_code in (200, 404), path
    for method, path in [
        ("GET", "/v1/environments"),
        ("POST", "/v1/episodes"),
        ("GET", "/metrics"),
        ("GET", "/nothing"),
        ("GET", "/v1/nothing"),
        ("GET", "/health/"),
        ("GET", "/docs/../v1/environments"),
        ("OPTIONS", "/v1/episodes"),
    ]:
        response = keyed.ask(None, method, path)
        assert problem(response)[:2] == (401, "Unauthorized"), path
        assert response.headers["www-authenticate"] == 'Bearer realm="envhub"'
    assert "application/json" in keyed.ask(None, "GET", "/health").headers["content-type"]


def test_a_key_comes_in(keyed: Keyed) -> None:
    keyed.key("trainer", "play")
    assert keyed.answer("trainer", "POST", "/v1/episodes", CREATE)["episode_id"] == "e"
    for scheme in ("bearer", "BEARER", "Bearer "):
        headers = {"authorization": f"{scheme} {keyed.texts['trainer']}"}
        assert keyed.api.send("GET", f"/v1/environments/{GUESS}", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer nonsense",
        "Bearer {0}x",
        "Bearer {0} {0}",
        "Bearer {0},Bearer {0}",
        "Bearer\t{0}",
        "Basic {0}",
        "{0}",
        "Token {0}",
        "Bearer \xff\xfe",
        "Bearer " + "x" * 100_000,
        "Bearer {0}" + " " * 1_000,
    ],
)
def test_what_is_no_key_does_not(keyed: Keyed, wrong: str) -> None:
    value = wrong.replace("{0}", keyed.texts["admin"])
    response = keyed.api.send("GET", "/v1/environments", headers=[(b"authorization", value.encode("latin-1"))])
    assert problem(response)[:2] == (401, "Unauthorized")
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert keyed.texts["admin"] not in response.text


def test_two_headers_are_not_one(keyed: Keyed) -> None:
    good = f"Bearer {keyed.texts['admin']}".encode()
    for headers in ([good, b"Bearer x"], [b"Bearer x", good], [good, good]):
        response = keyed.api.send("GET", "/v1/environments", headers=[(b"authorization", value) for value in headers])
        assert problem(response)[:2] == (400, "InvalidRequest")


def test_other_headers_hold_no_key(keyed: Keyed) -> None:
    text = f"Bearer {keyed.texts['admin']}"
    for name in ("x-api-key", "proxy-authorization", "x-authorization", "cookie", "authorization_"):
        assert keyed.api.send("GET", "/v1/environments", headers={name: text}).status_code == 401


@pytest.mark.parametrize("name", ["key", "api_key", "access_token", "TOKEN", "authorization"])
def test_a_key_in_the_url_is_refused(keyed: Keyed, name: str) -> None:
    for query in (f"?{name}={keyed.texts['admin']}", f"?x=1&{name}=guess", f"?x={keyed.texts['admin']}"):
        for who in ("admin", None):
            status, code, detail = problem(keyed.ask(who, "GET", f"/v1/environments{query}"))
            assert (status, code) == (400, "InvalidRequest")
            assert "header Authorization" in detail
            assert keyed.texts["admin"] not in detail


def test_a_key_that_was_revoked_or_has_expired_is_told_so_to_whoever_has_it(
    tmp_path: Path, make_api: Callable[..., Api]
) -> None:
    file, wall, ticks = KeyFile(tmp_path / "keys.json"), Clock(), Clock()
    revoked, key = file.create("old", ["play"])
    expired, _ = KeyFile(tmp_path / "keys.json", wall).create("older", ["play"], lifetime_s=10)
    api = make_api(keyring=Keyring(tmp_path / "keys.json", clock=wall, ticks=ticks))

    def get(text: str) -> httpx.Response:
        return api.send("GET", f"/v1/environments/{GUESS}", headers={"authorization": f"Bearer {text}"})

    assert get(revoked).status_code == get(expired).status_code == 200
    file.revoke("old")
    ticks.now += 1
    wall.now += 10
    assert problem(get(revoked)) == (401, "Unauthorized", f"The API key 'old' ({key.id}) has been revoked.")
    assert "has expired" in problem(get(expired))[2]
    nearly = revoked[:-1] + ("a" if revoked[-1] != "a" else "b")
    assert problem(get(nearly))[2] == "No such API key."


def test_a_damaged_file_of_keys_lets_nobody_in_and_names_no_path(keyed: Keyed, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    keyed.clock.now += 1
    response = keyed.ask("admin", "GET", "/v1/environments")
    assert problem(response)[:2] == (503, "KeysUnavailable")
    assert str(tmp_path) not in response.text
    assert keyed.ask(None, "GET", "/health").status_code == 200


def test_who_may_not_come_in_sends_no_body(keyed: Keyed) -> None:
    read = 0

    async def body() -> Any:
        nonlocal read
        read += 1
        yield b"x" * 1000

    assert keyed.api.send("POST", "/v1/episodes", content=body()).status_code == 401
    assert read == 0


# -- without keys ------------------------------------------------------------------------------------------------------


def test_without_keys_everything_is_as_it_was(api: Api) -> None:
    assert api.create(GUESS, seed=1)["episode_id"] == "e"
    assert api.get("/metrics").status_code == 200
    headers = {"authorization": "Bearer nonsense"}
    assert api.send("GET", "/v1/environments", headers=headers).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "", "http://[::1"])
def test_a_page_of_elsewhere_may_not_use_a_server_without_keys(api: Api, origin: str) -> None:
    """A browser sends such a request whoever asks for it; also one that believes this machine to be evil.example."""
    response = api.send("POST", "/v1/episodes", CREATE, headers={"origin": origin})
    assert problem(response)[:2] == (403, "Forbidden")
    assert api.send("POST", "/v1/verify", VERIFY, headers={"origin": "http://localhost:3000"}).status_code == 200
    assert api.send("POST", "/v1/verify", VERIFY, headers={"origin": "http://[::1]:8420"}).status_code == 200


def test_pages_are_let_in_by_name(make_api: Callable[..., Api]) -> None:
    closed, opened = make_api(), make_api(cors_origins="https://lab.example, https://two.example/")
    headers = {"origin": "https://lab.example", "access-control-request-method": "POST"}
    assert "access-control-allow-origin" not in closed.send("OPTIONS", "/v1/verify", headers=headers).headers
    asked = opened.send("OPTIONS", "/v1/verify", headers=headers)
    assert asked.headers["access-control-allow-origin"] == "https://lab.example"
    assert "access-control-allow-credentials" not in asked.headers
    answer = opened.send("POST", "/v1/verify", VERIFY, headers={"origin": "https://two.example"})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://two.example")
    refused = opened.send("POST", "/v1/verify", VERIFY, headers={"origin": "https://evil.example"})
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


def test_a_browser_asks_before_it_has_a_key(tmp_path: Path, make_api: Callable[..., Api]) -> None:
    keyed = Keyed(tmp_path / "keys.json", make_api, cors_origins="https://lab.example")
    headers = {"origin": "https://lab.example", "access-control-request-method": "POST"}
    assert keyed.api.send("OPTIONS", "/v1/verify", headers=headers).status_code == 200
    response = keyed.api.send("POST", "/v1/verify", VERIFY, headers={"origin": "https://lab.example"})
    assert problem(response)[0] == 401
    assert response.headers["access-control-allow-origin"] == "https://lab.example"  # so that the page can read why


@pytest.mark.parametrize("made", [(), ("revoked",), ("expired",), ("good",)])
def test_beyond_loopback_only_with_a_key_that_can_be_used(tmp_path: Path, made: tuple[str, ...]) -> None:
    path, clock = tmp_path / "keys.json", Clock()
    for name in made:
        KeyFile(path, clock).create(name, ["play"], lifetime_s=60 if name == "expired" else None)
    if made == ("revoked",):
        KeyFile(path).revoke("revoked")
    clock.now += 60
    settings: dict[str, Any] = {"host": "0.0.0.0", "keys": str(path), "journal": "memory:"}
    if made == ("good",):
        create_app(ServerSettings(**settings), keyring=Keyring(path, clock=clock)).state.episodes.close()
    elif made:
        with pytest.raises(InvalidParameters, match=r"host '0\.0\.0\.0' is beyond loopback.*envhub keys create"):
            create_app(ServerSettings(**settings), keyring=Keyring(path, clock=clock))
    else:
        with pytest.raises(ValidationError, match="beyond loopback"):
            ServerSettings(**settings)


def test_a_damaged_file_of_keys_is_no_server(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    with pytest.raises(EnvhubError, match="not a key file"):
        create_app(ServerSettings(keys=str(tmp_path / "keys.json"), journal="memory:"))


# -- WebSockets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [True, False])
def test_a_websocket_needs_a_key_too(tmp_path: Path, extension: bool) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("k", ["play"], rate=2)
    come_in: list[Caller] = []

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        come_in.append(caller_of(scope))

    access = AccessControl(app, Keyring(tmp_path / "keys.json"), ticks=Clock())

    def connect(*headers: tuple[bytes, bytes], query: bytes = b"") -> list[Message]:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            sent.append(message)

        extensions: Any = {"websocket.http.response": {}} if extension else {}
        scope = {"type": "websocket", "path": "/v1/episodes/ws", "headers": headers, "query_string": query}
        asyncio.run(access({**scope, "extensions": extensions}, receive, send))
        return sent

    for refused in (connect(), connect(query=f"token={text}".encode())):
        if extension:
            assert refused[0]["type"] == "websocket.http.response.start"
            assert refused[0]["status"] in (400, 401)
            assert json.loads(refused[1]["body"])["code"] in ("InvalidRequest", "Unauthorized")
        else:
            assert refused == [{"type": "websocket.close", "code": 1008, "reason": refused[0]["reason"]}]
    assert not come_in
    assert connect((b"authorization", f"Bearer {text}".encode())) == []
    (caller,) = come_in
    caller.charge()  # every message on it counts
    with pytest.raises(EnvhubError, match="2 requests a second"):
        caller.charge()


# -- a real server -----------------------------------------------------------------------------------------------------


def test_a_real_server_with_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    text, _ = KeyFile(path).create("k", ["play"])
    with ExitStack() as stack:
        url = stack.enter_context(serving(create_app(ServerSettings(keys=str(path), journal="memory:"))))
        http = stack.enter_context(httpx.Client(base_url=url))
        headers = {"authorization": f"Bearer {text}"}
        for _ in range(2):  # on one connection: an answer that leaves a body unread must not confuse the next
            refused = http.post("/v1/episodes", content=b"x" * 200_000)
            assert problem(refused)[:2] == (401, "Unauthorized")
            assert http.post("/v1/episodes", json=CREATE, headers=headers).status_code == 201
        huge = http.get("/health", headers={"x-filler": "x" * 300_000})
        assert huge.status_code in (400, 431)
        assert http.get("/health").status_code == 200
