"""``/v1/ws``: the same operations as over HTTP, many on one connection, and nothing that is sent breaks it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from envhub.server.access import Caller
from envhub.server.app import create_app
from envhub.server.journal import Entry, Header, MemoryJournal, Stored
from envhub.server.keys import KeyFile, Keyring
from envhub.server.operations import NAMES
from envhub.server.watch import Watch
from envhub.server.websocket import IN_FLIGHT, WebSocket
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, Api, local, patiently, serving

CREATE = {"env_id": GUESS, "episode_id": "e", "difficulty": 1, "seed": 7}
GUESS_100 = "<answer>100</answer>"


def create(id: Any = 1, **fields: Any) -> dict[str, Any]:
    return {"id": id, "op": "create", "body": {**CREATE, **fields}}


def step(turn: int, action: str, id: Any = 1, episode_id: str = "e") -> dict[str, Any]:
    return {"id": id, "op": "step", "episode_id": episode_id, "body": {"turn": turn, "action": action}}


class Talk:
    """One connection to an application in this process."""

    def __init__(self, app: Any, **headers: str) -> None:
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._scope = {
            "type": "websocket",
            "path": "/v1/ws",
            "root_path": "",
            "query_string": b"",
            "headers": pairs,
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self._app = app
        self.taken = 0
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        self._inbox: asyncio.Queue[Any] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.stuck: asyncio.Event | None = None

    async def _receive(self) -> Any:
        message = await self._inbox.get()
        self.taken += message["type"] == "websocket.receive"
        return message

    async def _send(self, message: Any) -> None:
        if self.stuck is not None:
            await self.stuck.wait()
        self.said.put_nowait(message)

    async def begin(self) -> Any:
        self._task = asyncio.create_task(self._app(self._scope, self._receive, self._send))
        return await self.said.get()

    def put(self, message: Any) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self) -> Any:
        message = await self.said.get()
        return json.loads(message["text"]) if message["type"] == "websocket.send" else message

    async def ask(self, message: Any) -> Any:
        self.put(message)
        return await self.next()

    def leave(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def end(self) -> None:
        self.leave()
        await self._task


def directly(api: Api, endpoint: WebSocket) -> Talk:
    """A connection to an endpoint without the layers before it."""
    talk = Talk(endpoint)
    caller = Caller(None, frozenset({"play"}))
    talk._scope |= {"envhub.watch": Watch(api.app, api.app.state.metrics), "envhub.caller": caller}
    return talk


@asynccontextmanager
async def talking(app: Any, **headers: str) -> AsyncIterator[Talk]:
    talk = Talk(app, **headers)
    assert (await talk.begin())["type"] == "websocket.accept"
    yield talk
    await talk.end()


def test_every_operation_answers_as_its_route_does(api: Api, make_api: Callable[..., Api]) -> None:
    other = make_api()
    task = {"env_id": "arithmetic-v0", "params": {}, "split": "train", "seed": 7}
    asked: list[tuple[str, Any, Any, str, str]] = [
        ("create", None, CREATE, "POST", "/v1/episodes"),
        ("step", "e", {"turn": 0, "action": GUESS_100}, "POST", "/v1/episodes/e/step"),
        ("step", "e", {"turn": 5, "action": GUESS_100}, "POST", "/v1/episodes/e/step"),
        ("step", "nobody", {"turn": 0, "action": ""}, "POST", "/v1/episodes/nobody/step"),
        ("step", "e", {"turn": 1, "acton": ""}, "POST", "/v1/episodes/e/step"),
        ("fork", "e", {"episode_id": "f", "turn": 0}, "POST", "/v1/episodes/e/fork"),
        ("get", "f", None, "GET", "/v1/episodes/f"),
        ("delete", "f", None, "DELETE", "/v1/episodes/f"),
        ("delete", "f", None, "DELETE", "/v1/episodes/f"),
        ("tasks", None, {"env_id": GUESS, "seeds": [1, 2]}, "POST", "/v1/tasks"),
        ("verify", None, {"items": [{"task": task, "responses": ["1"]}]}, "POST", "/v1/verify"),
        ("create", None, {**CREATE, "env_id": "gess-number-v0"}, "POST", "/v1/episodes"),
    ]
    assert {name for name, *_ in asked} == set(NAMES)

    async def over_the_socket() -> list[Any]:
        async with talking(api.app) as talk:
            answers = []
            for place, (name, episode_id, body, _, _) in enumerate(asked):
                message = {"id": f"m{place}", "op": name, "episode_id": episode_id, "body": body}
                answers.append(await talk.ask({key: value for key, value in message.items() if value is not None}))
            return answers

    for place, ((*_, body, method, path), answer) in enumerate(zip(asked, api.run(over_the_socket()), strict=True)):
        response = other.send(method, path, body)
        wanted = response.json() if response.content else None
        assert answer == {"id": f"m{place}", "status": response.status_code, "body": wanted}


def test_numbers_are_read_exactly(api: Api) -> None:
    api.create(GUESS, "e", difficulty=1)

    async def ask(id: Any, turn: int, action: str) -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(step(turn, action, id))

    answer = api.run(ask(2**63 - 1, 2**70, ""))
    assert (answer["id"], answer["status"]) == (2**63 - 1, 409)
    assert f"not {2**70}." in answer["body"]["detail"]
    assert f"not {2**70}." in api.try_step(2**70, "").json()["detail"]
    assert api.run(ask("\ud800", 0, "<answer>\ud800</answer>"))["status"] == 200  # text that has no UTF-8 form


def test_many_episodes_on_one_connection(api: Api) -> None:
    async def play() -> dict[str, Any]:
        async with talking(api.app) as talk:
            for number in range(20):
                talk.put(create(number, episode_id=f"e{number}", seed=number))
            assert {(await talk.next())["status"] for _ in range(20)} == {201}
            for number in range(20):
                talk.put(step(0, GUESS_100, number, f"e{number}"))
            answers = [await talk.next() for _ in range(20)]
            return {answer["id"]: answer["body"] for answer in answers}

    for number, answer in api.run(play()).items():
        env = local(GUESS, int(number), difficulty=1)
        assert answer["episode_id"] == f"e{number}"
        assert answer["observation"] == env.step(GUESS_100)[0]


WRONG: list[tuple[Any, str]] = [
    ("{", "not JSON"),
    ("", "not JSON"),
    ("[" * 100_000, "nested"),
    ('{"id": 1, "op": ' + "1" * 5000 + "}", "JSON"),
    ("[]", "A message is an object"),
    ("7", "A message is an object"),
    ({"op": "step"}, "a message has an id"),
    ({"id": None, "op": "step"}, "a message has an id"),
    ({"id": 1.5, "op": "step"}, "a message has an id"),
    ({"id": True, "op": "step"}, "a message has an id"),
    ({"id": 2**63, "op": "step"}, "a message has an id"),
    ({"id": "x" * 129, "op": "step"}, "a message has an id"),
    ({"id": 1}, "no operation 'None'"),
    ({"id": 1, "op": "stepp"}, "Did you mean 'step'?"),
    ({"id": 1, "op": []}, "no operation '[]'"),
    ({"id": 1, "op": "step", "body": {"turn": 0, "action": ""}}, "step is about an episode"),
    ({"id": 1, "op": "step", "episode_id": 7, "body": {"turn": 0, "action": ""}}, "step is about an episode"),
    ({"id": 1, "op": "get"}, "get is about an episode"),
    ({"id": 1, "op": "get", "episode_id": "e", "body": {}}, "get takes none"),
    ({"id": 1, "op": "create", "episode_id": "e", "body": CREATE}, "create takes none beside its body"),
    ({"id": 1, "op": "create", "bdy": CREATE}, "no field 'bdy'"),
    ({"id": 1, "op": "create"}, "body: "),
    ({"id": 1, "op": "step", "episode_id": "e", "body": {"turn": True, "action": ""}}, "turn: "),
    ({"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": 2**64}}, "action: "),
    (create(seed=2**64), "seed: Input should be less"),  # and not that it is no integer
]


@pytest.mark.parametrize(("message", "part"), WRONG, ids=[ascii(message)[:50] for message, _ in WRONG])
def test_what_is_wrong_is_answered_and_the_connection_stays(api: Api, message: Any, part: str) -> None:
    async def ask() -> tuple[Any, Any]:
        async with talking(api.app) as talk:
            return await talk.ask(message), await talk.ask({"id": "still", "op": "get", "episode_id": "nobody"})

    answer, after = api.run(ask())
    assert set(answer) == {"id", "status", "body"}
    assert (answer["status"], answer["body"]["code"]) == (422, "InvalidRequest")
    assert part in answer["body"]["detail"]
    assert answer["id"] in (1, None)
    assert (after["id"], after["status"]) == ("still", 404)


@settings(max_examples=100)
@given(
    message=st.dictionaries(
        st.sampled_from(["id", "op", "episode_id", "body", "x"]),
        st.sampled_from([*NAMES, 1, "e", None, {}, CREATE, {"turn": 0, "action": "\ud800"}, [[]]])
        | st.text(max_size=5)
        | st.recursive(st.none() | st.integers() | st.floats(), lambda inner: st.lists(inner, max_size=3)),
    )
    | st.text(max_size=20)
)
def test_no_message_makes_the_server_fail(message: Any) -> None:
    api = Api()

    async def ask() -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(message)

    try:
        answer = api.run(ask())
    finally:
        api.close()
    assert answer["status"] < 500


def test_a_failure_of_an_environment_tells_nothing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("the secret is 4711")

    monkeypatch.setattr(api.app.state.episodes, "step", fails)

    async def ask() -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(step(0, ""))

    answer = api.run(ask())
    assert (answer["status"], answer["body"]["code"]) == (500, "InternalError")
    assert "4711" not in str(answer)


# -- limits ------------------------------------------------------------------------------------------------------------


class Stopping(MemoryJournal):
    """A journal whose turns wait."""

    def __init__(self) -> None:
        super().__init__(3600, 1000)
        self.go = asyncio.Event()
        self.waiting = 0

    async def append(self, header: Header, turn: int, entry: Entry) -> Stored | None:
        self.waiting += 1
        await self.go.wait()
        return await super().append(header, turn, entry)


def test_no_more_is_read_than_is_under_way(make_api: Callable[..., Api]) -> None:
    journal = Stopping()
    api = make_api(journal)
    few = WebSocket(api.app.state.operations, in_flight=3)

    async def flood() -> tuple[int, int, list[Any]]:
        for number in range(10):
            body = {**CREATE, "episode_id": f"e{number}"}
            assert (await api.asend("POST", "/v1/episodes", body)).status_code == 201
        talk = Talk(few)
        talk._scope |= {
            "envhub.watch": Watch(api.app, api.app.state.metrics),
            "envhub.caller": Caller(None, frozenset({"play"})),
        }
        await talk.begin()
        for number in range(10):
            talk.put(step(0, GUESS_100, number, f"e{number}"))
        while journal.waiting < 3:
            await asyncio.sleep(0)
        for _ in range(100):  # it has had every chance to read on
            await asyncio.sleep(0)
        taken, waiting = talk.taken, journal.waiting
        journal.go.set()
        answers = [await talk.next() for _ in range(10)]
        await talk.end()
        return taken, waiting, answers

    taken, waiting, answers = api.run(flood())
    assert (taken, waiting) == (3, 3)
    assert {answer["status"] for answer in answers} == {200}
    assert sorted(answer["id"] for answer in answers) == list(range(10))
    assert IN_FLIGHT >= 64


def test_who_reads_no_answers_is_not_read_on_either(make_api: Callable[..., Api]) -> None:
    api = make_api()
    few = WebSocket(api.app.state.operations, in_flight=3)

    async def flood() -> int:
        talk = Talk(few)
        talk._scope |= {
            "envhub.watch": Watch(api.app, api.app.state.metrics),
            "envhub.caller": Caller(None, frozenset({"play"})),
        }
        await talk.begin()
        talk.stuck = asyncio.Event()  # the connection takes no more
        for number in range(10):
            talk.put({"id": number, "op": "get", "episode_id": "nobody"})
        for _ in range(200):
            await asyncio.sleep(0)
        taken = talk.taken
        talk.stuck.set()
        for _ in range(10):
            await talk.next()
        await talk.end()
        return taken

    assert api.run(flood()) == 3


def test_what_was_under_way_when_the_client_left_is_recorded(make_api: Callable[..., Api]) -> None:
    journal = Stopping()
    api = make_api(journal)

    async def leave() -> Any:
        talk = Talk(api.app)
        await talk.begin()
        await talk.ask(create())
        talk.put(step(0, GUESS_100))
        while not journal.waiting:
            await asyncio.sleep(0)
        talk.leave()
        journal.go.set()
        await talk.end()
        return (await api.asend("GET", "/v1/episodes/e")).json()

    assert api.run(leave())["turn"] == 1


# -- who may ------------------------------------------------------------------------------------------------------------


class Keyed:
    def __init__(self, path: Path, make_api: Callable[..., Api]) -> None:
        self.file = KeyFile(path)
        self.now = 1000.0
        self.texts = {
            name: self.file.create(name, [name], rate=2.0 if name == "verify" else None)[0]
            for name in ("play", "verify", "solutions")
        }
        self.api = make_api(MemoryJournal(3600, 100), keyring=Keyring(path, ticks=lambda: self.now))

    def headers(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.texts[name]}"}


@pytest.fixture
def keyed(tmp_path: Path, make_api: Callable[..., Api]) -> Keyed:
    return Keyed(tmp_path / "keys.json", make_api)


def test_every_message_needs_its_scope(keyed: Keyed) -> None:
    verify = {"id": 1, "op": "verify", "body": {"items": []}}

    async def ask(name: str) -> list[int]:
        async with talking(keyed.api.app, **keyed.headers(name)) as talk:
            return [(await talk.ask(message))["status"] for message in (create(), step(0, ""), verify)]

    assert keyed.api.run(ask("play")) == [201, 200, 403]


def test_a_key_for_verdicts_alone_begins_no_episode(keyed: Keyed) -> None:
    async def ask() -> list[Any]:
        async with talking(keyed.api.app, **keyed.headers("verify")) as talk:
            return [await talk.ask(message) for message in (step(0, ""), create())]

    first, second = keyed.api.run(ask())
    assert (first["status"], first["body"]["code"]) == (403, "Forbidden")
    assert second["status"] == 429  # the connection and a message are two, which is its rate
    assert second["retry_after"] >= 1


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer nonsense"}, {"solutions": ""}], ids=str)
def test_who_may_nothing_does_not_connect(keyed: Keyed, headers: dict[str, str]) -> None:
    async def knock() -> Any:
        talk = Talk(keyed.api.app, **(keyed.headers("solutions") if "solutions" in headers else headers))
        answer = await talk.begin()
        await talk._task
        return answer

    answer = keyed.api.run(knock())
    assert answer["type"] == "websocket.http.response.start"
    assert answer["status"] in (401, 403)


def test_a_page_of_elsewhere_does_not_connect(api: Api) -> None:
    async def knock(origin: str) -> Any:
        talk = Talk(api.app, origin=origin)
        answer = await talk.begin()
        talk.leave()
        await talk._task
        return answer["type"]

    assert api.run(knock("https://evil.example")) == "websocket.http.response.start"
    assert api.run(knock("http://localhost:3000")) == "websocket.accept"


def test_a_key_that_is_revoked_ends_its_connections(keyed: Keyed) -> None:
    async def ask() -> tuple[Any, Any, Any]:
        talk = Talk(keyed.api.app, **keyed.headers("play"))
        await talk.begin()
        before = await talk.ask(create())
        keyed.file.revoke("play")
        keyed.now += 1.0
        after = await talk.ask(step(0, GUESS_100))
        closed = await talk.next()
        talk.put(step(0, GUESS_100))
        await talk.end()
        return before, after, closed

    before, after, closed = keyed.api.run(ask())
    assert before["status"] == 201
    assert (after["status"], after["body"]["code"]) == (401, "Unauthorized")
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


def test_a_first_key_ends_the_connections_that_had_none(tmp_path: Path, make_api: Callable[..., Api]) -> None:
    now = [1000.0]
    api = make_api(keyring=Keyring(tmp_path / "keys.json", ticks=lambda: now[0]))

    async def ask() -> list[int]:
        talk = Talk(api.app)
        await talk.begin()
        statuses = [(await talk.ask(create()))["status"]]
        KeyFile(tmp_path / "keys.json").create("first", ["play"])
        now[0] += 1.0
        statuses.append((await talk.ask(step(0, GUESS_100)))["status"])
        await talk.end()
        return statuses

    assert api.run(ask()) == [201, 401]


# -- over a real connection ---------------------------------------------------------------------------------------------


def test_over_a_real_connection() -> None:
    async def play(url: str) -> None:
        async with connect(f"{url.replace('http', 'ws', 1)}/v1/ws", compression=None) as socket:
            await socket.send(json.dumps(create()))
            assert json.loads(await socket.recv())["status"] == 201
            await socket.send(json.dumps(step(0, GUESS_100)).encode())  # bytes do as well
            answer = json.loads(await socket.recv())
            env = local(GUESS, 7, difficulty=1)
            assert answer["body"]["observation"] == env.step(GUESS_100)[0]
            assert "X-Request-ID" in socket.response.headers  # type: ignore[union-attr]
            with suppress(ConnectionClosed):  # perhaps while it is being sent
                await socket.send("x" * (16 * 2**20 + 1))
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 1009
        with pytest.raises(InvalidStatus, match="403"):
            await connect(f"{url.replace('http', 'ws', 1)}/v1/ws", origin="https://evil.example").__aenter__()  # type: ignore[arg-type]

    with serving(create_app(ServerSettings())) as url:
        asyncio.run(patiently(play(url)))
