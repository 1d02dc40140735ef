"""The broker's supervisor: starts it on demand, restarts it, rejects clients if it cannot start; and its status."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters, ResourceError
from envhub.sandbox import default
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.jobs import Job, Program
from envhub.server.processes.sandbox_broker import BrokerStatus, BrokerSupervisor, SharedBrokerStatus, running_broker
from envhub.server.processes.sandbox_status import SandboxStatus
from envhub.settings import ServerSettings
from tests.sandbox.jails import backend
from tests.server.families import brokers, gone, until

JOB = Job(Program("print(6 * 7)"))


@contextmanager
def kept(seen: list[BrokerStatus], **options: int) -> Iterator[tuple[BrokerSupervisor, RemoteSandbox]]:
    backend()  # skips where there are no jails
    limits = {"slots": 1, "sessions": 2, "waiting": 9, **options}
    with (
        BrokerSupervisor("namespace", **limits, on_status=seen.append) as supervisor,
        RemoteSandbox(supervisor.address.removeprefix("unix:"), start=False) as sandbox,
    ):
        yield supervisor, sandbox


def test_the_broker_is_started_and_restarted_on_demand() -> None:
    seen: list[BrokerStatus] = []
    with kept(seen) as (supervisor, sandbox):
        assert brokers(os.getpid()) == []
        assert sandbox.run(JOB)[0].text == "42\n"
        (first,) = brokers(os.getpid())
        os.kill(first, signal.SIGKILL)
        until(lambda: seen[-1].state == "asleep")
        assert brokers(os.getpid()) == []
        assert sandbox.run(JOB)[0].text == "42\n"
        (second,) = brokers(os.getpid())
        assert sandbox.describe()["jobs"]["slots"] == 1
    assert gone(second)
    assert [status.state for status in seen] == ["asleep", *["starting", "running"], "asleep", *["starting", "running"]]
    assert seen[-1].ended == 1
    assert not Path(supervisor.address.removeprefix("unix:")).parent.exists()


def test_clients_of_a_broker_that_cannot_start_are_rejected_with_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[BrokerStatus] = []
    with kept(seen) as (supervisor, sandbox), caplog.at_level(logging.ERROR):
        right = supervisor._options
        supervisor._options = [word.replace("namespace", "nonesuch") for word in right]
        assert sandbox.run(JOB)[0].blame == "ours"
        with pytest.raises(ResourceError, match="could not be reached in 5 attempts"):
            sandbox.open()
        assert seen[-1].state in ("failing", "starting")
        reason = next(status.reason for status in seen if status.state == "failing")
        assert "No sandbox backend 'nonesuch'" in reason
        assert "No sandbox backend 'nonesuch'" in caplog.text
        supervisor._options = right
        assert until(lambda: sandbox.run(JOB)[0].ok)
    assert seen[-1] == BrokerStatus("running", seen[-1].ended)


def test_the_folder_of_a_killed_server_is_removed() -> None:
    with kept([]) as (supervisor, _):
        folder = Path(supervisor.address.removeprefix("unix:")).parent
        other = folder.with_name("envhub-sandbox-of-a-killed-server")
        other.mkdir(exist_ok=True)
        (other / "lock").touch()
        with kept([]):
            assert not other.exists()
            assert folder.exists()


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(InvalidParameters, match=r"Unknown sandbox 'dokcer'; expected one of namespace.*unix:/path"):
        BrokerSupervisor("dokcer", slots=0, sessions=1, waiting=1)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A process that has not used a sandbox yet."""
    monkeypatch.setattr(default, "_default", None)
    monkeypatch.delenv(default.SANDBOX_VARIABLE, raising=False)
    yield monkeypatch
    if default._default is not None:
        default._default.close()


def test_child_processes_find_the_broker_in_their_environment(fresh: pytest.MonkeyPatch) -> None:
    backend()
    with running_broker(ServerSettings()) as read_broker:
        assert read_broker is not None
        assert read_broker() == BrokerStatus("asleep")
        where = os.environ[default.SANDBOX_VARIABLE]
        assert where.startswith("unix:")
        status = SandboxStatus(read_broker)
        assert asyncio.run(status.read()) == {"broker": "asleep", "ended": 0, "reason": None}
        assert read_broker().state == "asleep"  # reading the status starts nothing
        sandbox = default.default_sandbox()
        assert sandbox.run(JOB)[0].ok
        found = asyncio.run(status.read())
        assert found is not None
        assert found["sessions"] == {"most": 64, "open": 0}
        assert b"envhub_sandbox_sessions_most 64.0" in asyncio.run(status.exposition())
        sandbox.close()
    assert default.SANDBOX_VARIABLE not in os.environ
    assert asyncio.run(SandboxStatus().read()) is None
    assert asyncio.run(SandboxStatus().exposition()) == b""


def test_a_broker_named_in_the_environment_is_left_alone(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.setenv(default.SANDBOX_VARIABLE, f"unix:{tmp_path}/mine")
    with running_broker(ServerSettings()) as read_broker:
        assert read_broker is None
        assert os.environ[default.SANDBOX_VARIABLE] == f"unix:{tmp_path}/mine"
        found = asyncio.run(SandboxStatus(read_broker).read())
        assert found is not None
        assert "No broker is listening" in found["reason"]
    assert os.environ[default.SANDBOX_VARIABLE] == f"unix:{tmp_path}/mine"


def test_a_shared_status_is_read_as_it_was_written() -> None:
    shared = SharedBrokerStatus()
    for status in (
        BrokerStatus("failing", 3, "because"),
        BrokerStatus("running", 4),
        BrokerStatus("failing", 5, "ü" * 400),
    ):
        shared.write(status)
        assert shared.read().state == status.state
        assert shared.read().ended == status.ended
        assert status.reason.startswith(shared.read().reason)
    assert len(shared.read().reason) == 249
