"""The log: it tells what happened, and holds no secret, whoever tries to put one there; nor can a client forge a line."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.server.auth.keys import KeyFile
from envhub.server.journal import MemoryJournal
from envhub.server.telemetry.logs import Format, JsonLines, TextLines, configure, safe
from tests.server.serving import GUESS, Api
from tests.support.toys import SECRET, Sum

LOGGERS = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "envhub", "envhub.access", "httpx", "httpcore")


@pytest.fixture
def log() -> Iterator[Callable[..., io.StringIO]]:
    """Configures the log to be written into a text; everything is put back afterwards."""
    before = [
        (logger, logger.level, logger.propagate, list(logger.handlers)) for logger in map(logging.getLogger, LOGGERS)
    ]

    def into(form: Format = "json", level: int = logging.WARNING, access: bool = True) -> io.StringIO:
        stream = io.StringIO()
        configure(form, level, access=access, stream=stream)
        for client in ("httpx", "httpcore"):  # the tests' own
            logging.getLogger(client).setLevel(logging.CRITICAL)
        return stream

    yield into
    for logger, level, propagate, handlers in before:
        logger.setLevel(level)
        logger.propagate = propagate
        logger.handlers[:] = handlers


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# -- what it tells -----------------------------------------------------------------------------------------------------


def test_a_line_for_every_request(log: Callable[..., io.StringIO], api: Api) -> None:
    stream = log()
    api.create(GUESS, seed=1)
    api.send("POST", "/v1/episodes/e/step", {"turn": 3, "action": "x"}, headers={"x-request-id": "mine-1"})
    api.get("/nothing")
    one, two, three = lines(stream)
    assert (
        one.items() >= {"method": "POST", "route": "/v1/episodes", "status": 201, "env": GUESS, "level": "info"}.items()
    )
    assert one["message"] == '"POST /v1/episodes HTTP/1.1" 201'
    assert one["ms"] > 0
    assert "code" not in one
    assert two.items() >= {"request_id": "mine-1", "status": 409, "code": "Conflict", "env": GUESS}.items()
    assert two["route"] == "/v1/episodes/{episode_id}/step"
    assert three.items() >= {"route": "unmatched", "status": 404, "code": "UnknownPath"}.items()
    assert len({one["request_id"], two["request_id"], three["request_id"]}) == 3


def test_nothing_is_logged_of_a_request_unless_asked_for(log: Callable[..., io.StringIO], api: Api) -> None:
    stream = log(access=False)
    api.create(GUESS, seed=1)
    assert stream.getvalue() == ""


def test_a_line_of_text(log: Callable[..., io.StringIO], api: Api) -> None:
    stream = log("text")
    api.send("GET", "/health", headers={"x-request-id": "mine-1"})
    (line,) = stream.getvalue().splitlines()
    assert ' INFO envhub.access "GET /health HTTP/1.1" 200 request_id=mine-1 ' in line
    assert " ms=" in line


def test_the_key_stands_there_by_its_public_part(
    log: Callable[..., io.StringIO], make_api: Callable[..., Api], tmp_path: Path
) -> None:
    text, key = KeyFile(tmp_path / "keys.json").create("k", ["verify"])
    api = make_api(MemoryJournal(60, 10), keys=str(tmp_path / "keys.json"))
    stream = log()
    for authorization in (f"Bearer {text}", "Bearer nonsense"):
        api.send("GET", "/v1/environments", headers={"authorization": authorization})
    known, unknown = lines(stream)
    assert (known["key"], known["status"], known["code"]) == (key.id, 403, "Forbidden")
    assert (unknown.get("key"), unknown["status"], unknown["code"]) == (None, 401, "Unauthorized")


# -- request ids -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["a", "9f86d081-884c-4d63-9a1b-0c5f0e6d7a11", "run.7_step-3", "x" * 64])
def test_a_sane_request_id_is_taken_over(api: Api, id: str) -> None:
    assert api.send("GET", "/health", headers={"x-request-id": id}).headers["x-request-id"] == id
    assert api.send("GET", "/nothing", headers={"x-request-id": id}).headers["x-request-id"] == id


@pytest.mark.parametrize(
    "id",
    ["", "x" * 65, "a b", "a\tb", "a\x1b[2J", "é", "-x", "a;b", '"', "<script>", "envhub_abcdefghij_" + "x" * 43],
)
def test_another_is_replaced(api: Api, log: Callable[..., io.StringIO], id: str) -> None:
    stream = log()
    header = [(b"x-request-id", id.encode())]
    given = api.send("GET", "/health", headers=header).headers.get_list("x-request-id")
    assert len(given) == 1
    assert given[0] != id
    assert given[0].replace("-", "").isalnum()
    assert lines(stream)[0]["request_id"] == given[0]


def test_ids_of_ours_are_not_given_twice(make_api: Callable[..., Api]) -> None:
    workers = [make_api(MemoryJournal(60, 10)) for _ in range(2)]
    given = [api.get("/health").headers["x-request-id"] for api in workers for _ in range(10)]
    assert len(set(given)) == 20


# -- what it does not tell ---------------------------------------------------------------------------------------------

SEED = 8_675_309_123_456_789_012 % 2**63
SAID = "what the policy said in confidence"


class Broken(Sum):
    """Fails with its secret in the message, after another failure that holds it too."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        try:
            raise ValueError(f"inner {SECRET}")
        except ValueError as error:
            raise ZeroDivisionError(f"outer {SECRET}") from error


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_whole_session_leaves_no_secret(
    form: Format,
    log: Callable[..., io.StringIO],
    make_api: Callable[..., Api],
    register: Callable[..., str],
    tmp_path: Path,
) -> None:
    register("broken-v0", Broken)
    file = KeyFile(tmp_path / "keys.json")
    texts = [file.create(name, ["play", "verify", "admin"])[0] for name in ("one", "two")]
    api = make_api(MemoryJournal(60, 100), keys=str(tmp_path / "keys.json"))
    stream = log(form, logging.DEBUG)
    asked = 0

    def ask(method: str, path: str, body: Any = None, text: str = texts[0], **headers: str) -> Any:
        nonlocal asked
        asked += 1
        return api.send(method, path, body, headers={"authorization": f"Bearer {text}", **headers})

    env = envhub.make("countdown-v0", difficulty=5)
    env.reset(seed=SEED)
    solution = env.solve()
    ask("POST", "/v1/episodes", {"env_id": "countdown-v0", "episode_id": "e", "difficulty": 5, "seed": SEED})
    ask("POST", "/v1/episodes/e/fork", {"episode_id": "f"})
    ask("POST", "/v1/episodes/e/step", {"turn": 0, "action": SAID})
    ask("POST", "/v1/episodes/f/step", {"turn": 0, "action": solution})
    ask("GET", "/v1/episodes/f")
    ask("POST", "/v1/tasks", {"env_id": "countdown-v0", "seeds": [SEED]})
    ask("POST", "/v1/verify", {"items": [{"task": env.task.to_json(), "responses": [solution, SAID]}]})
    ask("POST", "/v1/episodes", {"env_id": "broken-v0", "seed": SEED})
    ask("POST", "/v1/tasks", {"env_id": "broken-v0", "seeds": [SEED]})
    ask("POST", "/v1/episodes/e/step", {"turn": 7, "action": SAID})
    ask("POST", "/v1/episodes", {"env_id": SAID, "sed": SEED})
    ask("GET", f"/v1/environments/{SAID}")
    ask("GET", f"/v1/environments?key={texts[0]}")
    ask("GET", f"/v1/environments/{texts[0]}")
    ask("GET", f"/{texts[0]}/{SEED}")
    ask("GET", "/v1/environments", text=f"{texts[1]}x")
    ask("GET", "/health", **{"x-request-id": texts[1], "referer": texts[1], "user-agent": texts[1]})
    ask("DELETE", "/v1/episodes/e")
    logged = stream.getvalue()
    assert (
        sum(" 200" in line or " 4" in line or " 500" in line or " 20" in line for line in logged.splitlines()) >= asked
    )
    assert "ZeroDivisionError" in logged  # what failed is told, but for its message
    numbers = " ".join(map(str, env.task.problem.values()))
    for secret in (str(SEED), f"{SEED:x}", SAID, solution, str(SECRET), env.task.prompt, numbers, "outer", "inner"):
        assert secret not in logged, secret
    for text in texts:
        assert text.split("_", 2)[2] not in logged
    for key in file.read():
        assert key.digest.hex() not in logged


def test_an_exception_of_somebody_else_is_told_without_its_message(log: Callable[..., io.StringIO]) -> None:
    stream = log()

    def fail() -> None:
        raise ZeroDivisionError(f"the secret is {SECRET}")

    try:
        fail()
    except ZeroDivisionError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")

    async def forgotten() -> None:
        asyncio.get_running_loop().call_exception_handler({"message": "a task failed\nfuture: secret " + str(SECRET)})

    asyncio.run(forgotten())
    told, task = lines(stream)
    assert told["message"] == "Exception in ASGI application"
    assert told["error"].startswith("ZeroDivisionError at ")
    assert "test_logs.py" in told["error"]
    assert task["message"] == "a task failed"
    assert str(SECRET) not in stream.getvalue()


FORGERIES = ["a\nb", "a\r\nb", "\x1b[2J", "a\x00b", "\u2028", "\u202etxt", "\x9b31m", "\ud800", "\x85", "\x7f"]


@pytest.mark.parametrize("text", FORGERIES, ids=ascii)
@pytest.mark.parametrize("form", [JsonLines(), TextLines()], ids=["json", "text"])
def test_no_line_is_forged(form: logging.Formatter, text: str) -> None:
    forged = f"{text} 2026-01-01T00:00:00Z INFO envhub.access forged"
    fields = {"msg": "path %s", "args": (forged,), "levelname": "WARNING", "name": "envhub.x", "fields": {"f": forged}}
    written = form.format(logging.makeLogRecord(fields))
    assert len(written.splitlines()) == 1
    written.encode()
    told = written if isinstance(form, TextLines) else "".join(map(str, json.loads(written).values()))
    assert all(ord(c) >= 32 and ord(c) not in range(127, 160) for c in told)
    for invisible in ("\u2028", "\u202e", "\ud800"):
        assert invisible not in told


def test_a_path_forges_nothing(log: Callable[..., io.StringIO], api: Api, register: Callable[..., str]) -> None:
    register("broken-v0", Broken)
    stream = log("text")
    api.get("/v1/environments/x%0A2026%20INFO%20forged%1b%5b2J")
    api.get("/%0aforged")
    api.send("GET", "/health", headers=[(b"x-request-id", b"a\x0b\x1b[2J")])
    assert len(stream.getvalue().splitlines()) == 3
    assert "forged" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_safe_text() -> None:
    assert safe("a\nb\x1b[2J") == r"a\nb\x1b[2J"
    assert safe("é ü 漢字") == "é ü 漢字"
    assert safe("see envhub_abcdefghij_SECRET-secret_1, ok") == "see envhub_abcdefghij_***, ok"
    assert len(safe("x" * 100_000)) < 5_000


def test_a_value_that_json_does_not_know(log: Callable[..., io.StringIO]) -> None:
    stream = log()
    logging.getLogger("envhub.x").warning("odd", extra={"fields": {"path": Path("/a\nb"), "n": 1}})
    (line,) = lines(stream)
    assert (line["path"], line["n"]) == (r"/a\nb", 1)


def test_configuring_twice_writes_once(log: Callable[..., io.StringIO]) -> None:
    first, second = log(), log()
    logging.getLogger("envhub.x").warning("once")
    assert (len(lines(first)), len(lines(second))) == (0, 1)
    assert sum(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers) == 1
