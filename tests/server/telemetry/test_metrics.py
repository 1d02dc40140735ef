"""What the server counts: everything once, under labels that no client can choose."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from asyncio import Future
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Scope

import envhub
from envhub.authoring import write_call
from envhub.core.errors import JournalUnavailable
from envhub.server.journal import Entry, Header, MemoryJournal, StoredEpisode
from envhub.server.telemetry.metrics import Metrics
from envhub.server.telemetry.request_log import RequestLog, note_code, note_env, note_key, note_verdict
from tests.server.serving import GUESS, Api
from tests.support.toys import adder

ARITHMETIC = "arithmetic-v0"


def read(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every number of an exposition by its name and labels."""
    families = text_string_to_metric_families(text)
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


class Shown:
    """What ``/metrics`` says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.numbers = read(text)

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of all numbers of a name that have these labels."""
        wanted = labels.items()
        return sum(value for (found, has), value in self.numbers.items() if found == name and wanted <= set(has))


def shown(api: Api) -> Shown:
    response = api.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    return Shown(response.text)


def solve(api: Api, id: str, seed: int = 1) -> None:
    env = envhub.make(ARITHMETIC)
    env.reset(seed=seed)
    api.create(ARITHMETIC, id, seed=seed)
    api.step(0, env.solve(), id)


def test_requests_by_route_and_environment(api: Api) -> None:
    api.create(GUESS, seed=1)
    api.step(0, "<answer>1</answer>")
    api.step(1, "<answer>2</answer>")
    solve(api, "s")
    api.get("/v1/episodes/e")
    api.get(f"/v1/environments/{GUESS}")
    api.get("/nothing")
    found = shown(api)
    step = {"method": "POST", "route": "/v1/episodes/{episode_id}/step"}
    assert found("envhub_request_seconds_count", **step) == 3
    assert found("envhub_request_seconds_count", **step, env=GUESS) == 2
    assert found("envhub_request_seconds_count", **step, env=ARITHMETIC) == 1
    assert found("envhub_requests_total", **step, status="200") == 3
    assert found("envhub_requests_total", method="POST", route="/v1/episodes", status="201") == 2
    assert found("envhub_request_seconds_count", method="GET", route="/v1/episodes/{episode_id}", env=GUESS) == 1
    assert found("envhub_request_seconds_count", route="/v1/environments/{env_id:path}", env=GUESS) == 1
    assert found("envhub_requests_total", route="unmatched", status="404") == 1
    assert found("envhub_episodes") == 2


def test_time_is_measured() -> None:
    metrics = Metrics()
    for seconds in (0.002, 0.2, 20.0):
        metrics.record_request("GET", "/r", 200, seconds, "", "", ())
    found = Shown(metrics.exposition()[0].decode())
    assert found("envhub_request_seconds_sum") == pytest.approx(20.202)
    assert found("envhub_request_seconds_bucket", le="0.0025") == 1
    assert found("envhub_request_seconds_bucket", le="0.25") == 2
    assert found("envhub_request_seconds_bucket", le="+Inf") == 3


def test_errors_by_code(api: Api) -> None:
    api.create(GUESS, seed=1)
    api.post("/v1/episodes", {"env_id": GUESS, "episode_id": "e", "seed": 2})
    api.post("/v1/episodes", {"env_id": "gess-number-v0"})
    api.post("/v1/episodes", {"env_id": "gess-number-v0"})
    api.try_step(5, "x")
    api.get("/nothing")
    found = shown(api)
    assert found("envhub_errors_total", code="Conflict") == 2
    assert found("envhub_errors_total", code="UnknownEnvironment") == 2
    assert found("envhub_errors_total", code="UnknownPath") == 1
    assert found("envhub_errors_total") == 5


def test_a_verdict_is_counted_when_it_is_given_and_not_when_it_is_told_again(api: Api) -> None:
    solve(api, "a")
    solve(api, "b", seed=2)
    for _ in range(3):
        solve(api, "a")  # a repeat, answered from the record
    api.get("/v1/episodes/a")
    api.post("/v1/episodes/a/fork", {"episode_id": "f"})
    api.create(ARITHMETIC, "n", seed=3)
    api.step(0, "I do not know", "n")
    found = shown(api)
    assert found("envhub_verdicts_total", env=ARITHMETIC, status="graded") == 2
    assert found("envhub_verdicts_total", env=ARITHMETIC, status="no_answer") == 1
    assert found("envhub_verdicts_total") == 3


def test_verdicts_without_an_episode(api: Api) -> None:
    env = envhub.make(ARITHMETIC)
    env.reset(seed=1)
    key = env.task.key.to_json()
    items: list[Any] = [
        {"task": key, "responses": [env.solve(), "<answer>x</answer>", "no"]},
        {"gold": "1", "responses": ["<answer>1</answer>"]},
        {"task": {**key, "env_id": "evil-v0"}, "responses": ["1"]},
    ]
    api.post("/v1/verify", {"items": items})
    found = shown(api)
    assert found("envhub_verdicts_total", env=ARITHMETIC) == 3
    assert found("envhub_verdicts_total", env="") == 1
    assert found("envhub_verdicts_total") == 4
    assert "evil" not in found.text


def test_what_must_be_masked_shows(api: Api, register: Callable[..., str]) -> None:
    environment, _ = adder()
    register("adder-v0", type(environment))
    api.create("adder-v0", seed=1)
    assert api.step(0, write_call("ask", payload="fail"))["reward"] is None
    found = shown(api)
    assert found("envhub_verdicts_total", env="adder-v0", status="error") == 1
    assert found("envhub_verdicts_total") == 1


def test_no_client_makes_labels(api: Api) -> None:
    before = len(shown(api).numbers)
    for n in range(40):
        name = f"evil{n}"
        api.post("/v1/episodes", {"env_id": f"{name}-v0", "episode_id": name})
        api.post("/v1/episodes", {"env_id": GUESS, "episode_id": name, "seed": n, "split": name})
        api.try_step(0, name, name)
        api.get(f"/{name}")
        api.get(f"/v1/environments/{name}")
        api.get(f"/v1/{name}?{name}=1")
        api.send(name.upper(), "/v1/verify")
        api.send("GET", "/health", headers={"x-request-id": name, "user-agent": name})
        api.post("/v1/tasks", {"env_id": f"{name}-v0", "seeds": [1]})
        api.post("/v1/verify", {"items": [{"gold": name, "kind": name, "responses": [name]}]})
        if n == 0:
            first = len(shown(api).numbers)
    found = shown(api)
    assert "evil" not in found.text.lower()
    assert before < first
    assert len(found.numbers) == first  # the first of each has its series, and thirty-nine more of them add none
    assert found("envhub_requests_total", method="OTHER") == 40


def test_each_message_of_a_websocket_is_watched(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "envhub.access")
    metrics = Metrics()

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        note_key("k1")
        await send({"type": "websocket.accept"})
        with scope["envhub.request_log"].message("step") as seen:
            note_env(GUESS)
            note_verdict(GUESS, "graded")
        with scope["envhub.request_log"].message("step"):
            note_code("Conflict")
        assert seen.info.key_id == "k1"

    accepted: list[Message] = []

    async def send(message: Message) -> None:
        accepted.append(message)

    scope = {"type": "websocket", "path": "/v1/ws", "headers": [(b"x-request-id", b"mine")]}
    asyncio.run(RequestLog(app, metrics)(scope, None, send))  # type: ignore[arg-type]
    assert (b"x-request-id", b"mine") in accepted[0]["headers"]
    found = Shown(metrics.exposition()[0].decode())
    assert found("envhub_request_seconds_count", method="MESSAGE", route="step", env=GUESS) == 1
    assert found("envhub_requests_total", method="MESSAGE", route="step", status="400") == 1
    assert found("envhub_requests_total", method="WEBSOCKET", route="unmatched", status="101") == 1
    assert found("envhub_verdicts_total", env=GUESS) == 1
    assert found("envhub_errors_total", code="Conflict") == 1
    assert [record.fields["key"] for record in caplog.records] == ["k1"] * 3  # type: ignore[attr-defined]


# -- the journal -------------------------------------------------------------------------------------------------------


class Failing(MemoryJournal):
    """A journal whose disk is full, when it is told so."""

    full = False

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        if self.full:
            raise JournalUnavailable("The disk is full.", retry_after=2)
        return super().append(header, turn, entry)


def test_the_journal_is_timed_and_its_failures_are_counted(make_api: Callable[..., Api]) -> None:
    journal = Failing(3600, 100)
    api = make_api(journal)
    api.create(ARITHMETIC, seed=1)
    journal.full = True
    assert api.try_step(0, "x").status_code >= 429
    journal.full = False
    api.step(0, "x")
    found = shown(api)
    assert found("envhub_journal_seconds_count", operation="create") == 1
    assert found("envhub_journal_seconds_count", operation="append") == 2
    assert found("envhub_journal_failures_total", operation="append") == 1
    assert found("envhub_journal_failures_total") == 1
    assert found("envhub_verdicts_total") == 1  # what could not be recorded was not given


class Overtaken(MemoryJournal):
    """A journal in which another worker takes the turn first, with the same action."""

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        super().append(header, turn, entry)
        return super().append(header, turn, entry)


def test_a_turn_that_another_worker_took_first_is_its_to_count(make_api: Callable[..., Api]) -> None:
    api = make_api(Overtaken(3600, 100))
    solve(api, "a")
    assert shown(api)("envhub_verdicts_total") == 0


# -- gauges, and several workers ---------------------------------------------------------------------------------------


def test_a_gauge_tells_what_is_so_now() -> None:
    metrics, waiting = Metrics(), [1, 2, 3]
    metrics.gauge("queue_length", "Turns that wait", lambda: len(waiting))
    assert Shown(metrics.exposition()[0].decode())("envhub_queue_length") == 3
    waiting.clear()
    assert Shown(metrics.exposition()[0].decode())("envhub_queue_length") == 0


def test_a_gauge_is_read_once_a_second_at_most_and_its_failure_is_nobody_elses() -> None:
    now, reads = 100.0, []
    metrics = Metrics(clock=lambda: now)

    def fails() -> float:
        reads.append(now)
        raise OSError

    metrics.gauge("broken", "Fails", fails)
    for _ in range(20):
        metrics.record_request("GET", "/r", 200, 0.1, "", "", ())
        now += 0.25
    assert reads == [100.0, 101.0, 102.0, 103.0, 104.0]
    assert "envhub_broken NaN" in metrics.exposition()[0].decode()


WORKER = """
import os, sys
from envhub.server.telemetry.metrics import Metrics, forget_worker
metrics = Metrics()
metrics.gauge("queue_length", "Turns that wait", lambda: 2)
metrics.gauge("episodes", "Of one journal", lambda: 7, "livemax")
for _ in range(int(sys.argv[1])):
    metrics.record_request("POST", "/r", 200, 0.1, "sudoku-v0", "", [("sudoku-v0", "graded")])
metrics.exposition()
for pid in sys.argv[2:]:
    forget_worker(int(pid))
print(metrics.exposition()[0].decode() if sys.argv[2:] else os.getpid(), end="")
"""


@pytest.mark.slow
def test_several_workers_add_up(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def work(*arguments: str) -> str:
        command = [sys.executable, "-c", WORKER, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    one, _two = work("3"), work("4")
    found = Shown(work("5", one))  # of the first it is known that it has ended
    assert found("envhub_requests_total", route="/r") == 12
    assert found("envhub_request_seconds_count", env="sudoku-v0") == 12
    assert found("envhub_verdicts_total", status="graded") == 12
    assert found("envhub_queue_length") == 4
    assert found("envhub_episodes") == 7
