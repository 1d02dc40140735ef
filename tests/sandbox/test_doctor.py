"""What the doctor says of a backend: what stands, what is missing, and never nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.sandbox import LocalSandbox
from envhub.sandbox.broker.server import Broker, listen
from envhub.sandbox.doctor import FALLBACKS, REQUIRED, configured_backend, examine
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.process.backend import PERMISSION, ProcessBackend
from tests.sandbox import jails, weak
from tests.sandbox.backends import Scripted

WHOLE = dict.fromkeys((*REQUIRED, *FALLBACKS), "active")


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Has the doctor look at a backend with these layers."""
    monkeypatch.setenv(PERMISSION, "1")

    def use(**layers: str) -> None:
        backend = weak.Lacking(ProcessBackend(), **{**WHOLE, **layers})
        monkeypatch.setattr("envhub.sandbox.doctor.backend_named", lambda name: backend)

    return use


def test_a_machine_with_jails_is_well() -> None:
    health = examine(jails.backend().name)
    assert health.healthy
    assert health.problem == ""
    assert health.missing == []
    assert set(health.layers) >= {*REQUIRED, *FALLBACKS}
    assert set(health.languages) == set(LANGUAGES)
    assert health.languages["python"] == "installed"
    assert set(health.milliseconds) == {"start", "job"}
    assert set(health.system) == {"kernel", "machine", "user", "control groups"}


@pytest.mark.parametrize("name", REQUIRED)
def test_a_layer_that_is_needed_and_missing_is_not_well(lacking: Any, name: str) -> None:
    lacking(**{name: "this kernel has none"})
    health = examine("any")
    assert not health.healthy
    assert not health.complete
    assert health.missing == [name]
    assert health.to_json()["layers"][name] == "this kernel has none"


@pytest.mark.parametrize("name", FALLBACKS)
def test_a_layer_that_one_can_do_without_is_not_silent(lacking: Any, name: str) -> None:
    lacking(**{name: "only root can"})
    health = examine("any")
    assert health.healthy
    assert not health.complete
    assert health.layers[name] == "only root can"


def test_with_all_layers_it_is_whole(lacking: Any) -> None:
    lacking()
    health = examine("any")
    assert health.complete
    assert health.languages["c"] == "no gcc in /usr/local/bin, /usr/bin, /bin; install it with: apt-get install gcc"


def test_a_layer_that_is_not_named_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.sandbox.doctor.backend_named", lambda name: Scripted())
    assert examine("any").missing == list(REQUIRED)


@pytest.mark.parametrize(("sick", "said"), [("start", "no room"), ("probe", "multiplies")])
def test_a_backend_that_does_not_run_a_program_is_not_well(
    monkeypatch: pytest.MonkeyPatch, sick: str, said: str
) -> None:
    backend = Scripted()
    backend.sick = sick
    if sick == "probe":
        backend.answer = lambda slot, job: ()
    monkeypatch.setattr(Scripted, "layers", lambda self: WHOLE)
    monkeypatch.setattr("envhub.sandbox.doctor.backend_named", lambda name: backend)
    health = examine("any")
    assert said in health.problem
    assert not health.healthy
    assert backend.made[0].log[-1] == "close"


def test_a_backend_that_cannot_work_here_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(name: str) -> Any:
        raise MissingExtra("there is no daemon")

    monkeypatch.setattr("envhub.sandbox.doctor.backend_named", named)
    health = examine("docker")
    assert (health.problem, health.healthy, health.missing) == ("there is no daemon", False, list(REQUIRED))


def test_a_backend_that_is_not_or_not_allowed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PERMISSION, raising=False)
    with pytest.raises(InvalidParameters, match="namespace"):
        examine("namespce")
    with pytest.raises(InvalidParameters, match=PERMISSION):
        examine("process")


def test_what_the_variable_names_is_chosen() -> None:
    assert configured_backend({}) == ("namespace", "")
    assert configured_backend({"ENVHUB_SANDBOX": "docker"}) == ("docker", "")
    assert configured_backend({"ENVHUB_SANDBOX": "unix:/run/x.sock"}) == ("namespace", "/run/x.sock")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Path]:
    path, kept = tmp_path / "broker.sock", []
    listening, started = listen(path), threading.Event()

    async def serve() -> None:
        made = Broker(sandbox, 0)
        kept.extend((asyncio.get_running_loop(), made))
        started.set()
        await made.serve(listening)

    with LocalSandbox(Scripted(), slots=3) as sandbox:
        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        started.wait()
        yield path
        kept[0].call_soon_threadsafe(kept[1].stop)
        thread.join()


def test_a_broker_runs_or_does_not(lacking: Any, broker: Path, tmp_path: Path) -> None:
    lacking()
    assert examine("any").broker.startswith("not configured")
    assert examine("any", str(broker)).broker == f"running at {broker}: scripted, 3 slots, 0 sessions"
    assert "no socket at" in examine("any", str(tmp_path / "none")).broker
    (tmp_path / "file").touch()
    assert examine("any", str(tmp_path / "file")).broker.startswith("not running: ")
