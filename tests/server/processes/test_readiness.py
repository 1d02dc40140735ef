"""``/health``, ``/ready`` and traces."""

from __future__ import annotations

import asyncio
import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.cli.configuration import read_settings
from envhub.core.errors import JournalUnavailable, MissingExtra
from envhub.registry.registry import register as register_entry, unregister
from envhub.server.auth.keys import KeyFile
from envhub.server.journal import MemoryJournal, StoredEpisode
from envhub.server.processes.readiness import Readiness
from envhub.server.processes.worker_status import WorkerStatus
from envhub.server.telemetry.request_log import RequestInfo, RequestLog
from envhub.server.telemetry.tracing import Spans, start_spans
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, Api


class Moody(MemoryJournal):
    """A journal that answers as it is told to."""

    error: Exception | None = None
    asked = 0

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return await super().load(episode_id, use=use)

    async def count(self) -> int:
        if self.error is not None:
            raise self.error
        return await super().count()


def moody(error: Exception | None = None) -> Moody:
    journal = Moody(60, 10)
    journal.error = error
    return journal


def test_what_can_be_played(make_api: Callable[..., Api]) -> None:
    api = make_api(moody())
    response = api.get("/ready")
    body = response.json()
    assert response.status_code == 200
    assert body["status"] == "ready"
    assert body["journal"] == {"ok": True, "reason": None}
    assert body["episodes"] == 0
    environments = body["environments"]
    assert {*environments["usable"], *environments["unusable"]} == set(envhub.list_envs())
    assert GUESS in environments["usable"]
    assert "reads files of the server's machine" in environments["unusable"]["dataset-v0"]
    assert "dataset-v0" in make_api(moody(), files=True).get("/ready").json()["environments"]["usable"]
    api.create(GUESS, seed=1)
    assert api.get("/ready").json()["episodes"] == 1


def test_why_an_environment_cannot_be_played(make_api: Callable[..., Api]) -> None:
    register_entry("lacking-v0", "no_such_module_here:Lacking", extras=("search",))
    register_entry("misplaced-v0", "no_such_module_here:Misplaced")
    try:
        response = make_api(moody()).get("/ready")
    finally:
        unregister("lacking-v0")
        unregister("misplaced-v0")
    assert response.status_code == 200  # what lacks something stops no other
    unusable = response.json()["environments"]["unusable"]
    assert "pip install 'envhub[search]'" in unusable["lacking-v0"]
    assert "cannot be loaded" in unusable["misplaced-v0"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (JournalUnavailable("The disk is full.", retry_after=2), "The disk is full."),
        (OSError("redis://user:password@host"), "It fails with OSError."),
        (TimeoutError(), "It has not answered for 5 s."),
    ],
)
def test_a_journal_that_does_not_answer(make_api: Callable[..., Api], error: Exception, said: str) -> None:
    api = make_api(moody(error))
    response = api.get("/ready")
    assert response.status_code == 503
    body = response.json()
    assert body["status"] == "not ready"
    assert body["journal"] == {"ok": False, "reason": said}
    assert body["episodes"] is None
    assert "password" not in response.text
    assert api.get("/health").json() == {"status": "ok", "version": envhub.__version__}  # the process lives


def test_workers_that_are_missing_are_told_and_stop_nothing(make_api: Callable[..., Api]) -> None:
    status = WorkerStatus(wanted=2, serving=1, ended=7, error=errno.ENOMEM)
    api = make_api(moody())
    assert "workers" not in api.get("/ready").json()  # one process is the whole server
    api = make_api(moody(), workers=lambda: status)
    response = api.get("/ready")
    assert response.status_code == 200
    assert response.json()["workers"] == {
        "wanted": 2,
        "serving": 1,
        "ended": 7,
        "reason": "1 of 2 workers do not serve: a process could not be started (Cannot allocate memory). "
        "The server's log says more.",
    }


def test_readiness_is_checked_at_most_once_a_second() -> None:
    journal, now = moody(), 100.0
    readiness = Readiness(journal, ticks=lambda: now)

    async def many() -> list[bool]:
        return [report.ready for report in await asyncio.gather(*(readiness.check() for _ in range(20)))]

    async def told() -> None:
        nonlocal now
        assert await many() == [True] * 20
        assert journal.asked == 1
        journal.error = OSError()
        now += 0.9
        assert await many() == [True] * 20
        now += 0.1
        assert await many() == [False] * 20
        assert journal.asked == 2
        journal.error = None
        now += 1.0
        assert (await readiness.check()).ready

    asyncio.run(told())


def test_details_are_for_those_who_have_a_key(make_api: Callable[..., Api], tmp_path: Path) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("k", ["verify"])
    api = make_api(moody(), keys=str(tmp_path / "keys.json"))
    assert api.get("/ready").json() == {"status": "ready"}
    whole = api.send("GET", "/ready", headers={"authorization": f"Bearer {text}"})
    assert GUESS in whole.json()["environments"]["usable"]
    broken = make_api(moody(OSError()), keys=str(tmp_path / "keys.json")).get("/ready")
    assert (broken.status_code, broken.json()) == (503, {"status": "not ready"})


# -- traces ------------------------------------------------------------------------------------------------------------


def test_a_span_for_every_request(make_api: Callable[..., Api]) -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    api = make_api(moody())
    api.app.user_middleware[0].kwargs["spans"] = Spans(provider)
    assert api.app.user_middleware[0].cls is RequestLog
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    api.create(GUESS, seed=8_675_309)
    api.send("GET", "/v1/episodes/secret-path", headers={"traceparent": trace})
    api.send("GET", "/health", headers=[(b"traceparent", b"\xff\x00nonsense")])
    create, get, health = exporter.get_finished_spans()
    assert create.name == "POST /v1/episodes"
    attributes: dict[str, Any] = dict(create.attributes or {})
    assert attributes["envhub.env"] == GUESS
    assert attributes["http.response.status_code"] == 201
    assert get.name == "GET /v1/episodes/{episode_id}"
    assert f"{get.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
    assert dict(get.attributes or {})["error.type"] == "UnknownEpisode"
    assert health.parent is None
    for span in (create, get, health):
        assert "secret-path" not in span.to_json()
        assert "8675309" not in span.to_json()


def test_a_failure_of_ours_marks_its_span() -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider

    spans = Spans(TracerProvider())
    for status, failed in ((500, True), (404, False)):
        span = spans.begin([])
        spans.end(span, "GET", "/r", status, RequestInfo("id"))
        assert (span.status.status_code.name == "ERROR") == failed


def in_a_fresh_process(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_nothing_is_loaded_unless_it_is_switched_on() -> None:
    """FastAPI loads OpenTelemetry's interface by itself, which does nothing; what would send is not there."""
    loaded = in_a_fresh_process(
        "import sys; from envhub.server.http.app import create_app; from envhub.settings import ServerSettings;"
        "create_app(ServerSettings(journal='memory:'));"
        "print([m for m in sys.modules if m.startswith(('opentelemetry.sdk', 'opentelemetry.exporter'))])"
    )
    assert loaded == "[]"
    assert not ServerSettings().otel


SWITCHED_ON = """
import asyncio, httpx
from opentelemetry import trace, _logs
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor, InMemoryLogRecordExporter
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
records, logging = InMemoryLogRecordExporter(), LoggerProvider()
logging.add_log_record_processor(SimpleLogRecordProcessor(records))
_logs.set_logger_provider(logging)
app = create_app(ServerSettings(journal="memory:", otel=True))
async def ask():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
        await http.post("/v1/episodes", json={"env_id": 5, "seed": "8675309"})
asyncio.run(ask())
for span in exporter.get_finished_spans():
    print(span.name, "8675309" in span.to_json())
print(len(records.get_finished_logs()))
"""


def test_a_provider_that_is_there_is_used_and_the_framework_sends_nothing_of_its_own() -> None:
    """FastAPI would: every value that it refused, and the message of every exception."""
    pytest.importorskip("opentelemetry.sdk")
    assert in_a_fresh_process(SWITCHED_ON) == "POST /v1/episodes False\n0"


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingExtra, match=r"pip install 'envhub\[otel\]'"):
        start_spans()


def test_settings_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_LOG_FORMAT", "json")
    monkeypatch.setenv("ENVHUB_ACCESS_LOG", "true")
    settings = read_settings({})
    assert (settings.log_format, settings.access_log) == ("json", True)
    with pytest.raises(envhub.EnvhubError, match="--log-format: Input should be 'text' or 'json'"):
        read_settings({"log_format": "xml"})
