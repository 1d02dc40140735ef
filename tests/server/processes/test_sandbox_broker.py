"""The keeper of the broker: lazy, patient with what dies, short with what cannot be started; and what is told of it."""

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
from envhub.server.processes.sandbox_broker import Keeper, Kept, KeptBoard, keeping
from envhub.server.processes.sandbox_status import Programs
from envhub.settings import ServerSettings
from tests.sandbox.jails import backend
from tests.server.families import brokers, gone, until

JOB = Job(Program("print(6 * 7)"))


@contextmanager
def kept(seen: list[Kept], **options: int) -> Iterator[tuple[Keeper, RemoteSandbox]]:
    backend()  # skips where there are no jails
    with (
        Keeper("namespace", **{"slots": 1, "sessions": 2, "waiting": 9, **options}, report=seen.append) as keeper,
        RemoteSandbox(keeper.where.removeprefix("unix:"), start=False) as sandbox,
    ):
        yield keeper, sandbox


def test_it_is_started_by_who_needs_it_and_anew_by_who_needs_it_then() -> None:
    seen: list[Kept] = []
    with kept(seen) as (keeper, sandbox):
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
    assert [one.state for one in seen] == ["asleep", *["starting", "running"], "asleep", *["starting", "running"]]
    assert seen[-1].ended == 1
    assert not Path(keeper.where.removeprefix("unix:")).parent.exists()


def test_one_that_cannot_be_started_keeps_nobody_waiting_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Kept] = []
    with kept(seen) as (keeper, sandbox), caplog.at_level(logging.ERROR):
        right = keeper._options
        keeper._options = [word.replace("namespace", "nonesuch") for word in right]
        assert sandbox.run(JOB)[0].blame == "ours"
        with pytest.raises(ResourceError, match="could not be reached in 5 attempts"):
            sandbox.open()
        assert seen[-1].state in ("failing", "starting")
        reason = next(one.reason for one in seen if one.state == "failing")
        assert "No sandbox backend 'nonesuch'" in reason
        assert "No sandbox backend 'nonesuch'" in caplog.text
        keeper._options = right
        assert until(lambda: sandbox.run(JOB)[0].ok)
    assert seen[-1] == Kept("running", seen[-1].ended)


def test_what_a_killed_one_has_left_is_removed_by_the_next() -> None:
    with kept([]) as (keeper, _):
        folder = Path(keeper.where.removeprefix("unix:")).parent
        other = folder.with_name("envhub-sandbox-of-a-killed-one")
        other.mkdir(exist_ok=True)
        (other / "lock").touch()
        with kept([]):
            assert not other.exists()
            assert folder.exists()


def test_a_backend_that_there_is_not_is_said_at_once() -> None:
    with pytest.raises(InvalidParameters, match=r"No sandbox 'dokcer'; expected one of namespace.*unix:/path"):
        Keeper("dokcer", slots=0, sessions=1, waiting=1)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A process that has asked for no sandbox yet."""
    monkeypatch.setattr(default, "_default", None)
    monkeypatch.delenv(default.SANDBOX_VARIABLE, raising=False)
    yield monkeypatch
    if default._default is not None:
        default._default.close()


def test_who_is_started_meanwhile_finds_it_in_its_environment(fresh: pytest.MonkeyPatch) -> None:
    backend()
    with keeping(ServerSettings()) as told:
        assert told is not None
        assert told() == Kept("asleep")
        where = os.environ[default.SANDBOX_VARIABLE]
        assert where.startswith("unix:")
        programs = Programs(told)
        assert asyncio.run(programs.look()) == {"broker": "asleep", "ended": 0, "reason": None}
        assert told().state == "asleep"  # looking starts nothing
        sandbox = default.default_sandbox()
        assert sandbox.run(JOB)[0].ok
        found = asyncio.run(programs.look())
        assert found is not None
        assert found["sessions"] == {"most": 64, "open": 0}
        assert b"envhub_sandbox_sessions_most 64.0" in asyncio.run(programs.exposition())
        sandbox.close()
    assert default.SANDBOX_VARIABLE not in os.environ
    assert asyncio.run(Programs().look()) is None
    assert asyncio.run(Programs().exposition()) == b""


def test_a_broker_of_ones_own_is_left_alone(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.setenv(default.SANDBOX_VARIABLE, f"unix:{tmp_path}/mine")
    with keeping(ServerSettings()) as told:
        assert told is None
        assert os.environ[default.SANDBOX_VARIABLE] == f"unix:{tmp_path}/mine"
        found = asyncio.run(Programs(told).look())
        assert found is not None
        assert "No broker is listening" in found["reason"]
    assert os.environ[default.SANDBOX_VARIABLE] == f"unix:{tmp_path}/mine"


def test_what_is_written_is_read() -> None:
    board = KeptBoard()
    for one in (Kept("failing", 3, "because"), Kept("running", 4), Kept("failing", 5, "ü" * 400)):
        board.write(one)
        assert board.read().state == one.state
        assert board.read().ended == one.ended
        assert one.reason.startswith(board.read().reason)
    assert len(board.read().reason) == 249
