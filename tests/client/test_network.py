"""The client: what the network loses changes nothing, and a busy server is asked again."""

from __future__ import annotations

import httpx
import pytest

from envhub.client.hub import Hub
from envhub.core.errors import RemoteError, TooBusy
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.client.playing import ADD_3, ADD_4, GUESS, Register, answering, busy, raised
from tests.server.serving import serving
from tests.support.toys import adder


class Flaky(httpx.BaseTransport):
    """Loses answers after the server has acted (``lost``) or requests before it sees them (``unsent``)."""

    def __init__(self, lost: int = 0, unsent: int = 0) -> None:
        self.lost, self.unsent = lost, unsent
        self.sent: list[str] = []
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.unsent:
            self.unsent -= 1
            raise httpx.ConnectError("no route")
        response = self._inner.handle_request(request)
        response.read()
        self.sent.append(f"{request.method} {request.url.path.rpartition('/')[2]}")
        if self.lost:
            self.lost -= 1
            response.close()
            raise httpx.ReadError("the line is dead")
        return response

    def close(self) -> None:
        self._inner.close()


def flaky_hub(url: str, transport: httpx.BaseTransport, waits: list[float], retries: int = 4) -> Hub:
    return Hub(url, transport=transport, sleep=waits.append, retries=retries)


def test_a_lost_answer_advances_the_state_once(url: str, register: Register) -> None:
    environment, tally = adder()
    register("adder-v0", type(environment))
    waits: list[float] = []
    transport = Flaky()
    with flaky_hub(url, transport, waits) as hub:
        env = hub.make("adder-v0")
        transport.lost = 1
        env.reset(seed=1)
        transport.lost = 3
        assert env.step(ADD_3)[0] == "total 3"
        transport.lost, transport.unsent = 1, 2
        assert env.step(ADD_4)[0] == "total 7"
        assert tally.performed == [3, 4]
        transport.lost = 1
        twin = env.fork()
        transport.lost = 2
        assert twin.step(ADD_4)[0] == "total 11"
        assert env.step(ADD_4)[0] == "total 11"
        assert len(env.snapshot()["journal"]) == 3
        transport.lost = 1
        env.close()  # the second request finds nothing to delete, which is what was wanted
        assert transport.sent[-2:] == transport.sent[-1:] * 2
        twin.close()
    assert waits == [0.1, 0.1, 0.2, 0.4, 0.1, 0.2, 0.4, 0.1, 0.1, 0.2, 0.1]


def test_waits_grow_and_end(url: str) -> None:
    waits: list[float] = []
    transport = Flaky(lost=100)
    with flaky_hub(url, transport, waits, retries=8) as hub, pytest.raises(RemoteError, match="cannot be reached"):
        hub.list_envs()
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert len(transport.sent) == 9
    with flaky_hub(url, Flaky(lost=1), waits, retries=0) as hub, pytest.raises(RemoteError, match="the line is dead"):
        hub.list_envs()
    assert len(waits) == 8


def test_an_error_is_not_tried_again(url: str) -> None:
    waits: list[float] = []
    transport = Flaky()
    with flaky_hub(url, transport, waits) as hub:
        raised(lambda: hub.make("sudko-v0"))
        raised(lambda: hub.make(GUESS, hihg=11))
    assert (len(transport.sent), waits) == (2, [])


def test_after_it_gave_up_the_same_step_can_be_taken_again(url: str, register: Register) -> None:
    environment, tally = adder()
    register("adder-v0", type(environment))
    transport = Flaky()
    with flaky_hub(url, transport, [], retries=1) as hub:
        env = hub.make("adder-v0")
        env.reset(seed=1)
        transport.lost = 2
        with pytest.raises(RemoteError):
            env.step(ADD_3)
        assert env.step(ADD_3)[0] == "total 3"
        assert tally.performed == [3]


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    waits: list[float] = []
    transport = answering(busy(7), busy(2), httpx.Response(200, json={"environments": [{"id": "x-v0"}]}))
    with flaky_hub("http://hub", transport, waits) as hub:
        assert hub.list_envs() == ["x-v0"]
    assert waits == [7.0, 2.0]

    waits.clear()
    with flaky_hub("http://hub", answering(busy(3)), waits, retries=2) as hub, pytest.raises(TooBusy) as refused:
        hub.list_envs()
    assert (str(refused.value), refused.value.retry_after, waits) == ("Full.", 3, [3.0, 3.0])


def test_a_real_full_server() -> None:
    waits: list[float] = []
    with serving(create_app(ServerSettings(max_episodes=1))) as url, Hub(url, sleep=waits.append, retries=1) as hub:
        first, second = hub.make(GUESS), hub.make(GUESS)
        first.reset(seed=1)
        with pytest.raises(TooBusy, match="limit"):
            second.reset(seed=1)
        assert len(waits) == 1
        assert waits[0] > 0
        first.close()
        second.reset(seed=1)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>Welcome</html>"),
        httpx.Response(404, text="nothing here"),
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(502, text="Bad Gateway"),
        httpx.Response(500, json={"code": "InternalError", "detail": "The server failed."}),
        httpx.Response(400, json=["no", "problem"]),
        httpx.Response(400, json={"code": "nearest", "detail": "a function of the module, no error"}),
        httpx.Response(400, json={"code": ["x"], "detail": None}),
        httpx.Response(307, headers={"location": "http://elsewhere"}),
        httpx.Response(200, json={"hello": "world"}),
        httpx.Response(200, json=[1, 2]),
        httpx.Response(204),
        httpx.Response(429, text="slow down"),
    ],
    ids=lambda r: f"{r.status_code}-{r.text[:30]}",
)
def test_another_kind_of_server(response: httpx.Response) -> None:
    with flaky_hub("http://hub", answering(response), [], retries=0) as hub:
        for ask in (
            hub.list_envs,
            lambda: hub.make(GUESS).reset(seed=1),
            lambda: hub.tasks(GUESS, [1]),
            lambda: hub.verify([]),
        ):
            kind, message = raised(ask)  # type: ignore[arg-type]
            assert kind is RemoteError
            assert message


def test_nobody_is_there() -> None:
    with serving(create_app(ServerSettings())) as url:
        pass  # and now its port is free again
    waits: list[float] = []
    with Hub(url, sleep=waits.append) as hub, pytest.raises(RemoteError, match="cannot be reached: ConnectError"):
        hub.make(GUESS)
    assert waits == [0.1, 0.2, 0.4, 0.8]
