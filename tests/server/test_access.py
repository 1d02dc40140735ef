"""Who may do what over HTTP: keys, scopes, rates, and whose episodes are whose."""

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

from envhub.errors import EnvhubError, InvalidParameters
from envhub.server.access import NEEDS, OPEN, Access, Caller, caller_of, scope_needed
from envhub.server.app import create_app
from envhub.server.journal import Entry, Header, MemoryJournal, Stored
from envhub.server.keys import KeyFile, Keyring
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, Api, problem, serving

CREATE = {"env_id": GUESS, "episode_id": "e", "seed": 1}
STEP = {"turn": 0, "action": "<answer>1</answer>"}
VERIFY = {"items": [{"gold": "1", "responses": ["<answer>1</answer>"]}]}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Keyed:
    """A server with keys, and one who asks it."""

    def __init__(self, path: Path, make_api: Callable[..., Api], **settings: Any) -> None:
        self.file = KeyFile(path)
        self.clock = Clock()
        self.texts: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.key("admin", "admin")
        self.api = make_api(MemoryJournal(3600, 1000), keyring=Keyring(path, ticks=self.clock), **settings)

    def key(self, name: str, *scopes: str, **limits: Any) -> str:
        text, key = self.file.create(name, scopes, **limits)
        self.texts[name], self.ids[name] = text, key.id
        if hasattr(self, "api"):
            self.clock.now += 1.0
        return text

    def ask(self, who: str | None, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        if who is not None:
            headers["authorization"] = f"Bearer {self.texts[who]}"
        return self.api.send(method, path, body, headers=headers)

    def answer(self, who: str | None, method: str, path: str, body: Any = None) -> Any:
        response = self.ask(who, method, path, body)
        assert response.status_code < 300, response.text
        return response.json() if response.content else None


@pytest.fixture
def keyed(tmp_path: Path, make_api: Callable[..., Api]) -> Keyed:
    return Keyed(tmp_path / "keys.json", make_api)


# -- who comes in ------------------------------------------------------------------------------------------------------


def test_without_a_key_nothing_but_the_open_paths_answers(keyed: Keyed) -> None:
    for path in sorted(OPEN):
        assert keyed.ask(None, "GET", path).status_code in (200, 404), path
    for method, path in [
        ("GET", "/v1/environments"),
        ("POST", "/v1/episodes"),
        ("GET", "/metrics"),
        ("GET", "/nothing"),
        ("GET", "/v1/nothing"),
        ("GET", "//health"),
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


# -- scopes ------------------------------------------------------------------------------------------------------------

PLAY = {("POST", "/v1/episodes"), ("GET", f"/v1/environments/{GUESS}"), ("POST", "/v1/tasks")}
JUDGE = {("POST", "/v1/verify")}
ADMIN = {("GET", "/metrics")}
BODIES = {
    "/v1/episodes": CREATE,
    "/v1/tasks": {"env_id": GUESS, "seeds": [1]},
    "/v1/verify": VERIFY,
}


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (("play",), PLAY),
        (("verify",), JUDGE),
        (("solutions",), set()),
        (("play", "verify"), PLAY | JUDGE),
        (("admin",), PLAY | JUDGE | ADMIN),
    ],
)
def test_a_key_is_good_for_its_scopes_and_nothing_else(
    keyed: Keyed, scopes: tuple[str, ...], allowed: set[tuple[str, str]]
) -> None:
    keyed.key("k", *scopes)
    for method, path in PLAY | JUDGE | ADMIN:
        response = keyed.ask("k", method, path, BODIES.get(path))
        if (method, path) in allowed:
            assert response.status_code in (200, 201), path
        else:
            assert problem(response)[:2] == (403, "Forbidden"), path
            assert 'error="insufficient_scope"' in response.headers["www-authenticate"]


def test_the_answer_keys_are_for_those_who_are_named(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    seen: list[Caller] = []

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        seen.append(caller_of(scope))

    for name, scopes in (("a", ["admin"]), ("s", ["solutions", "play"])):
        text, _ = KeyFile(path).create(name, scopes)
        headers = [(b"authorization", f"Bearer {text}".encode())]
        scope = {"type": "http", "path": "/v1/episodes", "query_string": b"", "headers": headers}
        asyncio.run(Access(app, Keyring(path))(scope, None, None))  # type: ignore[arg-type]
    asyncio.run(Access(app, Keyring(None))({**scope, "headers": []}, None, None))  # type: ignore[arg-type]
    assert [caller.has("solutions") for caller in seen] == [False, True, False]
    assert not caller_of({}).scopes  # nobody, where the layer was not passed


def test_a_route_that_was_forgotten_is_closed(keyed: Keyed) -> None:
    """Every route of the application is either open or stands in the table; another needs an admin."""
    paths = keyed.api.app.openapi()["paths"]
    for path in paths:
        needed = scope_needed(path)
        assert (path in OPEN) == (needed is None)
        if path.startswith("/v1/"):
            assert needed == NEEDS[path.split("/")[2]]
    for path in ("/v1/new", "/v1", "/v1/", "/new", "/v1/episodesx", "/V1/episodes", "/v1//episodes", ""):
        assert scope_needed(path) == "admin"


# -- whose episodes ----------------------------------------------------------------------------------------------------


def test_an_episode_of_another_key_is_not_there(keyed: Keyed) -> None:
    keyed.key("one", "play")
    keyed.key("two", "play")
    mine = keyed.answer("one", "POST", "/v1/episodes", CREATE)
    keyed.answer("one", "POST", "/v1/episodes/e/step", STEP)
    qualified = f"{keyed.ids['one']}:e"
    for method, end, body in [
        ("GET", "", None),
        ("POST", "/step", {**STEP, "turn": 1}),
        ("POST", "/fork", {"episode_id": "f"}),
        ("DELETE", "", None),
    ]:
        _, _, nothing = problem(keyed.ask("two", method, f"/v1/episodes/never{end}", body))
        for id in ("e", qualified):
            theirs = problem(keyed.ask("two", method, f"/v1/episodes/{id}{end}", body))
            assert theirs == (404, "UnknownEpisode", nothing.replace("'never'", f"'{id}'"))
    assert keyed.answer("one", "GET", "/v1/episodes/e")["turn"] == 1  # none of it did anything
    # the id is free, and nothing tells that somebody else has taken it
    other = keyed.answer("two", "POST", "/v1/episodes", {**CREATE, "seed": 2})
    assert other["task"]["seed"] == 2
    assert keyed.answer("one", "POST", "/v1/episodes", CREATE) == mine
    assert keyed.answer("one", "GET", "/v1/episodes/e")["task"]["seed"] == 1


def test_ids_are_those_that_the_client_chose(keyed: Keyed) -> None:
    keyed.key("one", "play")
    answers = [
        keyed.answer("one", "POST", "/v1/episodes", CREATE),
        keyed.answer("one", "POST", "/v1/episodes/e/step", STEP),
        keyed.answer("one", "POST", "/v1/episodes/e/step", STEP),
        keyed.answer("one", "GET", "/v1/episodes/e"),
    ]
    assert {answer["episode_id"] for answer in answers} == {"e"}
    assert [step["episode_id"] for step in answers[-1]["steps"]] == ["e"]
    assert keyed.answer("one", "POST", "/v1/episodes/e/fork", {"episode_id": "f"})["episode_id"] == "f"
    drawn = keyed.answer("one", "POST", "/v1/episodes", {"env_id": GUESS, "seed": 1})["episode_id"]
    assert keyed.answer("one", "GET", f"/v1/episodes/{drawn}")["turn"] == 0
    for response in (
        keyed.ask("one", "POST", "/v1/episodes", {**CREATE, "seed": 3}),
        keyed.ask("one", "POST", "/v1/episodes/e/step", {"turn": 0, "action": "other"}),
        keyed.ask("one", "POST", "/v1/episodes/e/step", {"turn": 7, "action": "other"}),
        keyed.ask("one", "POST", "/v1/episodes/e/fork", {"turn": 7}),
        keyed.ask("one", "POST", "/v1/episodes/e/fork", {"episode_id": "f", "turn": 0}),
        keyed.ask("one", "DELETE", "/v1/episodes/gone"),
    ):
        assert response.status_code in (404, 409)
        assert keyed.ids["one"] not in response.text


def test_an_admin_reaches_every_episode(keyed: Keyed) -> None:
    keyed.key("one", "play")
    keyed.answer("one", "POST", "/v1/episodes", CREATE)
    id = f"{keyed.ids['one']}:e"
    assert keyed.answer("admin", "GET", f"/v1/episodes/{id}")["episode_id"] == id
    assert keyed.ask("admin", "GET", "/v1/episodes/e").status_code == 404  # which would be its own
    fork = keyed.answer("admin", "POST", f"/v1/episodes/{id}/fork", {"episode_id": "copy"})
    assert keyed.answer("admin", "GET", "/v1/episodes/copy")["task"] == fork["task"]
    keyed.answer("admin", "DELETE", f"/v1/episodes/{id}")
    assert keyed.ask("one", "GET", "/v1/episodes/e").status_code == 404


def test_what_was_begun_without_keys_is_nobodys(tmp_path: Path, make_api: Callable[..., Api]) -> None:
    journal = MemoryJournal(3600, 100)
    make_api(journal, keyring=Keyring(None)).create(GUESS, seed=1)
    file = KeyFile(tmp_path / "keys.json")
    admin, play = (file.create(scope, [scope])[0] for scope in ("admin", "play"))
    api = make_api(journal, keyring=Keyring(tmp_path / "keys.json"))

    def get(text: str, id: str) -> int:
        return api.send("GET", f"/v1/episodes/{id}", headers={"authorization": f"Bearer {text}"}).status_code

    assert [get(play, "e"), get(play, ":e"), get(admin, "e"), get(admin, ":e")] == [404, 404, 404, 200]


def test_no_client_chooses_an_id_of_another(keyed: Keyed) -> None:
    keyed.key("one", "play")
    for who in ("one", "admin"):
        response = keyed.ask(who, "POST", "/v1/episodes", {**CREATE, "episode_id": f"{keyed.ids['one']}:e"})
        assert problem(response)[:2] == (422, "InvalidRequest")


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def timed(tmp_path: Path) -> tuple[Callable[[str], list[Message]], KeyFile, Clock]:
    """A layer alone, with a clock: what it answers to a key."""
    path, clock = tmp_path / "keys.json", Clock()
    file = KeyFile(path)

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    access = Access(app, Keyring(path), ticks=clock)

    def ask(text: str) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"authorization", f"Bearer {text}".encode())]
        scope = {"type": "http", "path": "/v1/episodes", "query_string": b"", "headers": headers}
        asyncio.run(access(scope, None, send))  # type: ignore[arg-type]
        return sent

    return ask, file, clock


def test_a_rate_is_kept_and_refills(timed: tuple[Callable[[str], list[Message]], KeyFile, Clock]) -> None:
    ask, file, clock = timed
    limited, _ = file.create("limited", ["play"], rate=4)
    slow, _ = file.create("slow", ["play"], rate=0.1)
    free, _ = file.create("free", ["play"])

    def statuses(text: str, count: int) -> list[int]:
        return [ask(text)[0]["status"] for _ in range(count)]

    assert statuses(limited, 6) == [200] * 4 + [429] * 2
    assert statuses(free, 20) == [200] * 20  # one key's requests are not another's
    clock.now += 0.5
    assert statuses(limited, 3) == [200, 200, 429]
    clock.now += 3600
    assert statuses(limited, 6) == [200] * 4 + [429] * 2  # a second's worth is saved, not an hour's
    assert statuses(slow, 2) == [200, 429]
    assert dict(ask(slow)[0]["headers"])[b"retry-after"] == b"10"
    clock.now += 10
    assert statuses(slow, 2) == [200, 429]


def test_a_rate_is_answered_as_a_problem(keyed: Keyed) -> None:
    keyed.key("slow", "play", rate=0.001)
    assert keyed.ask("slow", "GET", f"/v1/environments/{GUESS}").status_code == 200
    response = keyed.ask("slow", "GET", f"/v1/environments/{GUESS}")
    assert problem(response)[:2] == (429, "TooBusy")
    assert int(response.headers["retry-after"]) > 900


def test_open_episodes_are_counted(keyed: Keyed) -> None:
    keyed.key("one", "play", episodes=2)
    keyed.key("two", "play", episodes=2)

    def create(id: str | None, who: str = "one") -> httpx.Response:
        return keyed.ask(who, "POST", "/v1/episodes", {**CREATE, "env_id": "arithmetic-v0", "episode_id": id})

    assert [create(id).status_code for id in "ab"] == [201, 201]
    response = create("c")
    assert problem(response)[:2] == (429, "TooBusy")
    assert "2 open episodes" in problem(response)[2]
    assert int(response.headers["retry-after"]) >= 1
    assert create("a").status_code == 201  # a repeat of what is there already
    assert keyed.ask("one", "POST", "/v1/episodes/a/fork", {"episode_id": "f"}).status_code == 429
    assert create("a", "two").status_code == 201  # another's are not counted
    keyed.answer("one", "POST", "/v1/episodes/a/step", {"turn": 0, "action": "<answer>1</answer>"})
    assert create("c").status_code == 201  # one has ended
    assert create("d").status_code == 429
    keyed.answer("one", "DELETE", "/v1/episodes/b")
    assert keyed.ask("one", "POST", "/v1/episodes/c/fork", {"episode_id": "f"}).status_code == 201
    assert create(None).status_code == 429


def test_a_request_that_fails_takes_no_place(keyed: Keyed) -> None:
    keyed.key("one", "play", episodes=1)
    for _ in range(3):
        assert keyed.ask("one", "POST", "/v1/episodes", {**CREATE, "difficulty": 99}).status_code == 422
    assert keyed.ask("one", "POST", "/v1/episodes", CREATE).status_code == 201


def test_those_that_come_at_once_are_counted_too(keyed: Keyed) -> None:
    text = keyed.key("one", "play", episodes=5)
    headers = {"authorization": f"Bearer {text}"}

    async def all_of_them() -> list[int]:
        bodies = [{**CREATE, "episode_id": f"e{n}"} for n in range(20)]
        asked = [keyed.api.asend("POST", "/v1/episodes", body, headers=headers) for body in bodies]
        return [response.status_code for response in await asyncio.gather(*asked)]

    statuses = keyed.api.run(all_of_them())
    assert (statuses.count(201), statuses.count(429)) == (5, 15)
    again = keyed.api.run(all_of_them())
    assert again == statuses  # a repeat needs no room
    assert keyed.api.run(keyed.api.app.state.episodes.journal.count_open(f"{keyed.ids['one']}:")) == 5


class Slow(MemoryJournal):
    """A journal in which what is recorded takes a while to be told of."""

    def __init__(self) -> None:
        super().__init__(3600, 100)
        self.recorded, self.told = asyncio.Event(), asyncio.Event()

    async def create(self, header: Header, entries: list[Entry], most_open: int | None = None) -> Stored | None:
        stands = await super().create(header, entries, most_open)
        self.recorded.set()
        if header.episode_id.endswith(":slow"):
            await self.told.wait()
        return stands


def test_one_that_is_recorded_but_not_told_of_yet_is_not_counted_twice(
    tmp_path: Path, make_api: Callable[..., Api]
) -> None:
    journal = Slow()
    text, _ = KeyFile(tmp_path / "keys.json").create("k", ["play"], episodes=2)
    api = make_api(journal, keyring=Keyring(tmp_path / "keys.json"))
    headers = {"authorization": f"Bearer {text}"}

    def create(id: str) -> Any:
        return api.asend("POST", "/v1/episodes", {**CREATE, "episode_id": id}, headers=headers)

    async def meanwhile() -> list[int]:
        slow = asyncio.create_task(create("slow"))
        await journal.recorded.wait()
        others = [(await create(id)).status_code for id in ("second", "third")]
        journal.told.set()
        return [(await slow).status_code, *others]

    assert api.run(meanwhile()) == [201, 201, 429]


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
    with pytest.raises(EnvhubError, match="not a file of keys"):
        create_app(ServerSettings(keys=str(tmp_path / "keys.json"), journal="memory:"))


# -- WebSockets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [True, False])
def test_a_websocket_needs_a_key_too(tmp_path: Path, extension: bool) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("k", ["play"], rate=2)
    come_in: list[Caller] = []

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        come_in.append(caller_of(scope))

    access = Access(app, Keyring(tmp_path / "keys.json"), ticks=Clock())

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
