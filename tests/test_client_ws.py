"""The client over WebSockets: what it says in docs/api.md, on good lines and bad ones."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

import envhub
from envhub import client_ws, registry
from envhub.author import Environment, write_call
from envhub.client import AsyncHub, AsyncRemoteEnv
from envhub.errors import Conflict, EnvhubError, InvalidParameters, RemoteError, TooBusy, UnknownEnvironment
from envhub.remote import Call
from envhub.seeding import TaskKey
from envhub.server.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.server.keys import KeyFile, Keyring
from envhub.server.protocol import options
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, patiently, serving
from tests.server.test_websocket import Stopping
from tests.toys import adder
from tests.wires import Forwarder, Odd, answer, problem

PARAMS = {"low": 1, "high": 200, "guesses": 10}
MISSES = ["<answer>201</answer>", "no idea", "<answer>300</answer>"]
Register = Callable[[str, type[Environment]], str]
TASKS: Call = ("POST", "/v1/tasks", {"env_id": GUESS, "seeds": []})


def key(seed: int) -> TaskKey:
    return TaskKey(GUESS, PARAMS, "train", seed)


def at_home(seed: int) -> list[Any]:
    env = envhub.begin(key(seed))
    return [env.step(action) for action in MISSES]


async def away(hub: AsyncHub, seed: int) -> list[Any]:
    env = await hub.begin(key(seed))
    return [await env.step(action) for action in MISSES]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 20_000))) as address:
        yield address.replace("http", "ws")


@pytest.fixture
def register() -> Iterator[Register]:
    added: list[str] = []

    def add(id: str, cls: type[Environment]) -> str:
        envhub.register(id, cls)
        added.append(id)
        return id

    yield add
    for id in added:
        del registry._registered[id], registry._classes[id]


class Waits(list[float]):
    """The sleeps of a client, which are noted and take no time."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def run(work: Any) -> Any:
    """What a coroutine returns; a client that leaves a task behind fails."""

    async def whole() -> Any:
        found = await work
        assert not [task for task in asyncio.all_tasks() if "envhub/client_ws" in repr(task)]
        return found

    return asyncio.run(patiently(whole()))


# -- the same as over HTTP -----------------------------------------------------------------------------------------------


def test_hundreds_of_episodes_share_a_few_connections(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, envhub.aconnect(line.url) as hub:
            assert await away(hub, 0) == at_home(0)
            assert line.connections == 1
            played = await asyncio.gather(*(away(hub, seed) for seed in range(300)))
            assert played == [at_home(seed) for seed in range(300)]
            return line.connections

    assert run(play()) == client_ws.MOST_LINES


def test_what_is_wrong_is_the_same_error_as_over_http(url: str) -> None:
    async def errors(address: str) -> list[tuple[type, str]]:
        found = []

        async def note(work: Any) -> None:
            with pytest.raises(EnvhubError) as caught:
                await work
            found.append((type(caught.value), re.sub("[0-9a-f]{32}", "...", str(caught.value))))

        async with envhub.aconnect(address) as hub:
            await note(hub.begin(TaskKey("gess-number-v0", {}, "train", 1)))
            await note(hub.begin(TaskKey(GUESS, {"hgih": 1}, "train", 1)))
            await note(hub.make(GUESS, low=float("nan")))
            await note(hub.verify([(TaskKey("gess-number-v0", {}, "train", 1), ["1"])]))
            await note(hub.info("sudko-v0"))
            env = await hub.begin(key(1))
            path = env.session.step("")[1]
            await hub.call(("POST", path, {"turn": 0, "action": "somebody else's"}))
            await note(env.step("1"))
            await env.close()
            await note(hub.call(("POST", path, {"turn": 1, "action": "1"})))
            await env.close()
            return found

    over_ws, over_http = run(errors(url)), run(errors(url.replace("ws", "http")))
    assert over_ws == over_http
    assert [
        UnknownEnvironment,
        InvalidParameters,
        InvalidParameters,
        UnknownEnvironment,
        UnknownEnvironment,
        Conflict,
    ] == [kind for kind, _ in over_ws[:6]]


def test_many_at_once_and_what_has_no_message_go_over_http(url: str) -> None:
    async def play() -> None:
        async with envhub.aconnect(url) as hub:
            envs = [
                env
                for env in await hub.begin_many([key(seed) for seed in range(40)])
                if isinstance(env, AsyncRemoteEnv)
            ]
            assert len(envs) == 40
            for action, *expected in zip(MISSES, *(at_home(seed) for seed in range(40)), strict=True):
                assert await hub.step_many(envs, [action] * 40) == expected
            assert await hub.list_envs() == envhub.list_envs()
            assert (await hub.info(GUESS))["id"] == GUESS

    run(play())


@pytest.mark.parametrize("address", ["ftp://x", "ws://", "x", "ws:/x"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(InvalidParameters, match=r"like http://127.0.0.1:8420 or ws://"):
        envhub.aconnect(address)


# -- lines that break ----------------------------------------------------------------------------------------------------


def test_no_turn_is_taken_twice_on_a_line_that_is_cut_again_and_again(url: str, register: Register) -> None:
    author, tally = adder()
    register("adder-v0", type(author))
    waits = Waits()

    async def play() -> int:
        async with Forwarder(url).listening() as line:
            packets = 0

            def cut(direction: str, data: bytes) -> bool:
                nonlocal packets
                packets += 1
                return packets % 7 == 0  # of requests that never arrive as well as of answers to those that did

            async with AsyncHub(line.url, sleep=waits, retries=10) as hub:
                envs = [await hub.make("adder-v0") for _ in range(6)]
                line.cut = cut
                for amount in (1, 2, 3):
                    for seed, env in enumerate(envs):
                        if amount == 1:
                            await env.reset(seed=seed)
                        told = await env.step(write_call("add", amount=amount))
                        assert told[0] == f"total {sum(range(amount + 1))}"
                line.cut = lambda direction, data: False
            return line.connections

    assert run(play()) > 5
    assert sorted(tally.performed) == [1] * 6 + [2] * 6 + [3] * 6
    assert set(waits) == {0.1, 0.2} or set(waits) == {0.1}


def test_all_who_wait_when_it_ends_ask_again(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, AsyncHub(line.url, sleep=Waits()) as hub:
            envs = [await hub.begin(key(seed)) for seed in range(20)]
            cuts = iter([True])
            line.cut = lambda direction, data: direction == "from" and next(cuts, False)
            for place, action in enumerate(MISSES):
                steps = await asyncio.gather(*(env.step(action) for env in envs))
                assert steps == [at_home(seed)[place] for seed in range(20)]
            return line.connections

    assert run(play()) == 2


def test_another_server_with_the_same_journal_goes_on() -> None:
    journal = MemoryJournal(3600, 100)
    waits = Waits()

    async def play() -> list[Any]:
        with serving(create_app(ServerSettings(), journal)) as first:
            line = Forwarder(first)
            async with line.listening(), AsyncHub(line.url, sleep=waits) as hub:
                env = await hub.begin(key(3))
                steps = [await env.step(MISSES[0])]
                with serving(create_app(ServerSettings(), journal)) as second:
                    line.server = second
                    line.cut_all()
                    steps += [await env.step(action) for action in MISSES[1:]]
                return steps

    assert run(play()) == at_home(3)
    assert waits in ([], [0.1])  # whether the end was seen before the next request


def test_nobody_is_there() -> None:
    waits = Waits()

    async def ask() -> None:
        async with Forwarder("http://127.0.0.1:1").listening() as line:
            gone = line.url
        async with AsyncHub(gone, sleep=waits) as hub:
            found = await asyncio.gather(*(hub.begin(key(seed)) for seed in range(3)), return_exceptions=True)
        assert {type(error) for error in found} == {RemoteError}
        assert all("cannot be reached" in str(error) and "Connect" in str(error) for error in found)

    run(ask())
    assert sorted(waits) == sorted([0.1, 0.2, 0.4, 0.8] * 3)


def test_connecting_tells_whether_there_is_a_hub(url: str) -> None:
    async def ask() -> None:
        async with Forwarder(url).listening() as line:
            for address in (line.url, line.url.replace("ws", "http")):
                async with AsyncHub(address) as hub:
                    await hub.connect()
            assert line.connections == 2
        for address in (line.url, line.url.replace("ws", "http")):
            async with AsyncHub(address, sleep=Waits()) as hub:
                with pytest.raises(RemoteError, match="cannot be reached"):
                    await hub.connect()

    run(ask())


def test_an_end_between_two_requests_costs_nothing() -> None:
    ended = asyncio.Event()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(answer(message, {}))
        await socket.close(1012)
        ended.set()

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, retries=0) as hub:
            for _ in range(3):
                assert await hub.call(TASKS) == {}
                await ended.wait()  # the client has said that it has seen it
                ended.clear()
            assert odd.connections == 3

    run(ask())


def test_an_end_says_why(url: str) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.close(1012, "restarting")

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=2) as hub:
            with pytest.raises(
                RemoteError, match=r"cannot be reached: ConnectionLost: the connection ended \(1012 restarting\)"
            ):
                await hub.call(TASKS)
            assert odd.connections == 3

    run(ask())


# -- who is busy, who is late ---------------------------------------------------------------------------------------------


def test_answers_come_in_any_order() -> None:
    held: list[dict[str, Any]] = []

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        held.append(message)
        if len(held) == 10:
            for one in reversed(held):
                await socket.send(answer(one, {"of": one["body"]}))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            found = await asyncio.gather(*(hub.call(("POST", "/v1/tasks", {"n": n})) for n in range(10)))
            assert found == [{"of": {"n": n}} for n in range(10)]

    run(ask())


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    waits = Waits()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        replies = [
            problem(message, 429, "TooBusy", retry_after=7),
            problem(message, 503, "JournalUnavailable", retry_after=2),
        ]
        await socket.send((replies + [answer(message, {"tasks": []})] * 9)[len(odd.seen) - 1])

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=waits) as hub:
            assert await hub.call(TASKS) == {"tasks": []}
            assert len({message["id"] for message in odd.seen}) == 3
            assert odd.connections == 1

    run(ask())
    assert waits == [7.0, 2.0]


def test_a_server_that_is_busy_for_ever() -> None:
    waits = Waits()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(problem(message, 429, "TooBusy", retry_after=3))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=waits, retries=2) as hub:
            with pytest.raises(TooBusy) as refused:
                await hub.call(TASKS)
            assert refused.value.retry_after == 3

    run(ask())
    assert waits == [3.0, 3.0]


class Clock:
    """The loop's time, which can be put forward."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        real, self.ahead = loop.time, 0.0
        loop.time = lambda: real() + self.ahead  # type: ignore[method-assign]


async def seen(odd: Odd, count: int) -> None:
    while len(odd.seen) < count:
        await asyncio.sleep(0)


def test_one_answer_that_does_not_come_costs_the_others_nothing() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        if len(odd.seen) > 1:
            await socket.send(answer(message, {"of": message["body"]}))

    async def ask() -> None:
        clock = Clock()
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            late = asyncio.create_task(hub.call(("POST", "/v1/tasks", "late")))
            await seen(odd, 1)
            assert await hub.call(("POST", "/v1/tasks", "other")) == {"of": "other"}
            clock.ahead += 61.0
            assert await late == {"of": "late"}
            assert odd.connections == 1

    asyncio.run(ask())


def test_a_line_that_is_silent_is_given_up() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        if odd.connections == 2:
            await socket.send(answer(message, {}))

    async def ask() -> None:
        clock = Clock()
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            both = asyncio.gather(hub.call(TASKS), hub.call(TASKS))
            await seen(odd, 2)
            clock.ahead += 61.0
            assert await both == [{}, {}]
            assert odd.connections == 2
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, timeout_s=30, retries=0) as hub:
            one = asyncio.create_task(hub.call(TASKS))
            await seen(odd, 1)
            clock.ahead += 31.0
            with pytest.raises(RemoteError, match=r"no answer within 30 s"):
                await one

    asyncio.run(ask())


def test_only_so_many_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_ws, "MOST_LINES", 1)
    held: list[tuple[dict[str, Any], ServerConnection]] = []

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        held.append((message, socket))

    async def answer_them() -> None:
        for message, socket in held:
            await socket.send(answer(message, {"of": message["body"]}))
        held.clear()

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            asking = [asyncio.create_task(hub.call(("POST", "/v1/tasks", {"n": n}))) for n in range(300)]
            while len(odd.seen) < 256:
                await asyncio.sleep(0)
            for _ in range(200):  # it has had every chance to send more
                await asyncio.sleep(0)
            assert len(odd.seen) == 256
            await answer_them()
            while len(odd.seen) < 300:
                await asyncio.sleep(0)
            await answer_them()
            assert await asyncio.gather(*asking) == [{"of": {"n": n}} for n in range(300)]

    run(ask())


# -- who goes away -------------------------------------------------------------------------------------------------------


def test_a_wait_that_is_cancelled_harms_nobody(url: str) -> None:
    journal = Stopping()

    async def play(address: str) -> None:
        async with envhub.aconnect(address.replace("http", "ws")) as hub:
            envs = [await hub.begin(key(seed)) for seed in range(3)]
            steps = [asyncio.create_task(env.step(MISSES[0])) for env in envs]
            while journal.waiting < 3:
                await asyncio.sleep(0)
            steps[1].cancel()
            await asyncio.gather(steps[1], return_exceptions=True)
            loop.call_soon_threadsafe(journal.go.set)
            assert [await steps[0], await steps[2]] == [at_home(seed)[0] for seed in (0, 2)]
            assert steps[1].cancelled()
            # it was taken, and is answered again; another action in its place would be a conflict
            assert [await envs[1].step(action) for action in MISSES] == at_home(1)

    app = create_app(ServerSettings(), journal)
    loops: list[asyncio.AbstractEventLoop] = []

    async def with_loop(scope: Any, receive: Any, send: Any) -> None:
        loops[:] = [asyncio.get_running_loop()]
        await app(scope, receive, send)

    class Later:
        def call_soon_threadsafe(self, act: Any) -> None:
            loops[0].call_soon_threadsafe(act)

    loop = Later()
    with serving(with_loop) as address:
        run(play(address))


def test_who_is_cancelled_while_it_connects_leaves_the_others_their_connection(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, AsyncHub(line.url) as hub:
            first, second = (asyncio.create_task(away(hub, seed)) for seed in (1, 2))
            while not line.connections:
                await asyncio.sleep(0)
            first.cancel()
            assert await second == at_home(2)
            assert first.cancelled()
            return line.connections

    assert run(play()) == 1


def test_closing_ends_what_is_under_way() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        pass

    async def ask() -> None:
        async with Odd(behave).listening() as odd:
            hub = AsyncHub(odd.url, sleep=Waits())
            asking = asyncio.create_task(hub.call(TASKS))
            while not odd.seen:
                await asyncio.sleep(0)
            await hub.close()
            await hub.close()
            for work in (asking, hub.call(TASKS)):
                with pytest.raises(RemoteError, match=r"This hub is closed\."):
                    await work
            unused = AsyncHub(odd.url)
            await unused.close()

    run(ask())


def test_closing_while_it_connects() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        knocked.set()
        await reader.read()
        writer.close()
        await reader.read()

    async def ask() -> None:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        hub = AsyncHub(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", sleep=Waits())
        asking = asyncio.create_task(hub.call(TASKS))
        await knocked.wait()
        await hub.close()
        with pytest.raises(RemoteError, match=r"This hub is closed\."):
            await asking
        server.close()
        await server.wait_closed()

    knocked = asyncio.Event()
    run(ask())


# -- odd servers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["hello", "[]", '{"status": 200}', '{"id": [], "status": 200, "body": {}}', "[" * 9999]
)
def test_a_server_that_is_none_of_ours(text: str) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(text)

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            with pytest.raises(RemoteError, match="cannot be reached: ConnectionLost: it sent what is no answer"):
                await hub.call(TASKS)
            assert odd.connections == 2

    run(ask())


@pytest.mark.parametrize("body", [None, 7, []])
def test_an_answer_that_is_none(body: Any) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(answer(message, body))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            with pytest.raises(RemoteError, match="Not an envhub server"):
                await hub.call(TASKS)

    run(ask())


def test_a_server_without_web_sockets() -> None:
    async def plain(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"<html>Welcome"})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})

    async def ask(address: str) -> None:
        waits = Waits()
        async with AsyncHub(address.replace("http", "ws"), sleep=waits) as hub:
            with pytest.raises(RemoteError, match="403"):
                await hub.call(TASKS)
        assert waits == []

    with serving(plain) as address:
        run(ask(address))


def test_what_is_too_long_for_the_server_goes_over_http_and_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.serving.options", lambda _: options(4096))
    upgrades = 0

    def count(direction: str, data: bytes) -> bool:
        nonlocal upgrades
        upgrades += data.startswith(b"GET /v1/ws")
        return False

    async def refused(hub: AsyncHub) -> tuple[type, str]:
        with pytest.raises(RemoteError, match="413") as caught:
            await hub.begin(key(6), system="x" * 5000)
        return type(caught.value), str(caught.value)

    async def play(address: str) -> None:
        line = Forwarder(address)
        line.cut = count
        async with line.listening(), AsyncHub(line.url, sleep=Waits()) as hub, AsyncHub(address) as over_http:
            envs = [await hub.begin(key(seed)) for seed in range(5)]
            *steps, too_long = await asyncio.gather(*(env.step(MISSES[0]) for env in envs), refused(hub))
            assert steps == [at_home(seed)[0] for seed in range(5)]
            assert too_long == await refused(over_http)
            assert upgrades == 2
            assert await refused(hub) == too_long  # and now it knows
            assert [await env.step(MISSES[1]) for env in envs] == [at_home(seed)[1] for seed in range(5)]
            assert upgrades == 2

    with serving(create_app(ServerSettings(max_body_bytes=4096))) as address:
        run(play(address))


def beside(app: Any, socket: Any) -> Any:
    """An application with another endpoint for WebSockets."""

    async def both(scope: Any, receive: Any, send: Any) -> None:
        await (socket if scope["type"] == "websocket" else app)(scope, receive, send)

    return both


def test_what_the_server_cannot_read_goes_over_http() -> None:
    """Its answer names no message: it could not read the number of the one that it answers."""
    read: list[str] = []

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            read.append(message["text"])
            body = {"code": "InvalidRequest", "detail": "Not JSON."}
            await send({"type": "websocket.send", "text": json.dumps({"id": None, "status": 422, "body": body})})

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), retries=0) as hub:
            (task,) = await hub.tasks(GUESS, [7])
            assert task.seed == 7
            assert len(read) == 1

    with serving(beside(create_app(ServerSettings()), socket)) as address:
        run(ask(address))


def test_a_server_that_is_too_busy_for_another_connection_is_asked_again_when_it_says() -> None:
    waits = Waits()

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        headers = [(b"retry-after", b"7"), (b"content-type", b"application/problem+json")]
        await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
        body = {"code": "TooBusy", "detail": "Later."}
        await send({"type": "websocket.http.response.body", "body": json.dumps(body).encode()})

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), retries=1, sleep=waits) as hub:
            with pytest.raises(TooBusy, match=r"Later\.") as refused:
                await hub.call(TASKS)
            assert refused.value.retry_after == 7

    with serving(beside(create_app(ServerSettings()), socket)) as address:
        run(ask(address))
    assert waits == [7.0]


def test_an_answer_that_comes_twice_is_one() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        for _ in range(2):
            await socket.send(answer(message, {"of": message["body"]}))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, retries=0) as hub:
            for n in range(10):
                assert await hub.call(("POST", "/v1/tasks", {"n": n})) == {"of": {"n": n}}
            assert odd.connections == 1

    run(ask())


# -- keys ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[tuple[str, KeyFile, str]]:
    file = KeyFile(tmp_path / "keys.json")
    text, _ = file.create("trainer", ["play"])
    keyring = Keyring(tmp_path / "keys.json", ticks=iter(range(10**9)).__next__)  # looks at the file each time
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 100), keyring)) as address:
        yield address.replace("http", "ws"), file, text


def test_the_key_is_sent_and_never_logged(keyed: tuple[str, KeyFile, str], caplog: pytest.LogCaptureFixture) -> None:
    address, _, text = keyed

    async def play() -> list[Any]:
        async with envhub.aconnect(address, api_key=text) as hub:
            return await away(hub, 1)

    with caplog.at_level(logging.DEBUG):
        assert run(play()) == at_home(1)
    said = [record for record in caplog.records if not record.name.startswith("uvicorn")]  # which is the server's
    assert said
    assert not [record for record in said if text.rpartition("_")[2] in record.getMessage()]


@pytest.mark.parametrize("key_sent", ["", "envhub_aaaaaaaaaa_nonsense"])
def test_without_the_right_key_nobody_is_let_in(keyed: tuple[str, KeyFile, str], key_sent: str) -> None:
    waits = Waits()

    async def errors(address: str) -> tuple[type, str, int | None]:
        async with AsyncHub(address, api_key=key_sent, sleep=waits) as hub:
            with pytest.raises(RemoteError) as refused:
                await hub.begin(key(1))
            return type(refused.value), str(refused.value), refused.value.status

    over_ws, over_http = run(errors(keyed[0])), run(errors(keyed[0].replace("ws", "http")))
    assert over_ws == over_http
    assert over_ws[2] == 401
    assert waits == []


def test_a_key_that_is_revoked_is_no_good_any_more(keyed: tuple[str, KeyFile, str]) -> None:
    address, file, text = keyed

    async def play() -> None:
        async with AsyncHub(address, api_key=text, sleep=Waits()) as hub:
            env = await hub.begin(key(1))
            file.revoke("trainer")
            for _ in range(2):
                with pytest.raises(RemoteError, match="401"):
                    await env.step("1")

    run(play())


def test_a_key_of_small_rate_connects_when_it_may(tmp_path: Path) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("slow", ["play"], rate=1.0)
    app = create_app(ServerSettings(), MemoryJournal(3600, 100), Keyring(tmp_path / "keys.json"))
    waits = Waits()

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), api_key=text, sleep=waits, retries=2) as hub:
            with pytest.raises(TooBusy):
                await hub.begin(key(1))  # to connect took all that it had

    with serving(app) as address:
        run(ask(address))
    assert waits == [1.0, 1.0]
