"""The broker and those who ask it, over a real Unix socket; its slots run nothing."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters, MissingExtra, ResourceError, TooBusy
from envhub.sandbox.backend import Entry, Listing, Setting
from envhub.sandbox.broker import client as remote_module
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.broker.plain import MAX_MESSAGE
from envhub.sandbox.broker.server import Broker, listen
from envhub.sandbox.inside.frames import pack
from envhub.sandbox.inside.values import dumps
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned, Usage
from envhub.sandbox.sandbox import LocalSandbox
from envhub.sandbox.sessions import SessionCrashed, SessionLost
from tests.sandbox.backends import Scripted, ScriptedSlot
from tests.sandbox.jails import backend as jails, wait_for

JOB = Job(
    Program("def f(x): ...", files={"a/b.txt": b"\x00\xff"}, args=("-v",)),
    function="f",
    calls=((1, (2.5, {"k": {1, 2}})), (float("inf"), b"")),
    fetch=("out",),
    limits=Limits(wall_s=1.5, pids=7),
)
RESULT = Result(
    exit=-9,
    stdout=b"\xff",
    stderr=b"e",
    values=(Returned([(1, {2: "x"})]), Returned(None, "ValueError", "no")),
    files={"out": b"o"},
    usage=Usage(1.0, 0.5, 12.0),
    limit="memory",
    cut=True,
)


@contextmanager
def broker(sandbox: LocalSandbox, path: Path, idle_s: float = 0.0) -> Iterator[Broker]:
    """A broker in a thread, until the end of the block."""
    loop, serving = asyncio.new_event_loop(), Broker(sandbox, idle_s)
    listening = listen(path)

    def run() -> None:
        loop.run_until_complete(serving.serve(listening))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield serving
    finally:
        if not loop.is_closed():
            loop.call_soon_threadsafe(serving.stop)
        thread.join(30)  # the socket stays, as a broker leaves it that was killed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "b" / "s"


def test_a_job_and_its_result_go_there_and_back_whole(path: Path) -> None:
    seen: list[Job] = []

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        seen.append(job)
        return (RESULT,)

    with (
        LocalSandbox(Scripted(answer), slots=1) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as remote,
    ):
        assert remote.run(JOB) == (RESULT,)
        assert asyncio.run(remote.arun(JOB)) == (RESULT,)
        assert remote.describe()["backend"] == "scripted"
    assert seen == [JOB, JOB]


def test_many_ask_at_once_and_each_gets_its_own(path: Path) -> None:
    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        return (Result(exit=int(job.program.source)),)

    with (
        LocalSandbox(Scripted(answer), slots=3) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as remote,
        ThreadPoolExecutor(8) as threads,
    ):
        jobs = [Job(Program(str(number))) for number in range(200)]
        assert [result.exit for (result,) in threads.map(remote.run, jobs)] == list(range(200))


def test_a_session_is_found_again_from_another_process_and_only_as_it_is(path: Path) -> None:
    with (
        LocalSandbox(Scripted(), slots=1) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as first,
        RemoteSandbox(path, start=False) as second,
    ):
        session = first.open(Setting("bash", files={"f": b"1"}, limits=Limits(wall_s=2)))
        assert session.run("a").text == "a"
        session.write({"f": b"2"})
        taken = second.attach(session.key, 2)
        assert taken is not None
        assert taken.run("b").text == "a write b"
        assert taken.read(["f"]) == {"f": b"x"}
        assert taken.tree() == Listing((Entry("a", "file", 1),))
        assert second.attach(session.key, 2) is None
        with pytest.raises(SessionLost, match="has run 3 commands, not 2"):
            session.run("late")
        session.close()  # not its own any more
        assert taken.run("c").text == "a write b c"
        taken.close()
        with pytest.raises(SessionLost, match="has ended"):
            taken.run("d")


def test_errors_are_the_errors_of_a_sandbox_of_ones_own(path: Path) -> None:
    backend = Scripted()
    with (
        LocalSandbox(backend, slots=1, sessions=1) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as remote,
    ):
        with pytest.raises(MissingExtra, match="apt-get install g"):
            remote.run(Job(Program("", language="cpp")))
        session = remote.open()
        with pytest.raises(InvalidParameters, match="Unknown session operation"):
            remote.ask_session("forget", session.key, 0)
        busy, go = threading.Event(), threading.Event()

        def hold(source: str) -> None:
            busy.set()
            go.wait(30)

        backend.during = hold
        with ThreadPoolExecutor(1) as threads:
            under_way = threads.submit(session.run, "a")
            busy.wait(30)
            with pytest.raises(TooBusy) as refused:
                remote.open()
            assert refused.value.retry_after == 1
            go.set()
            assert under_way.result(30).ok
        with pytest.raises(InvalidParameters, match="cannot be sent"):
            remote.run(Job(Program("def f(x): ..."), function="f", calls=((object(),),)))
        assert remote.run(Job(Program("")))[0].ok


def test_a_broker_that_goes_away_in_the_middle_is_asked_again(path: Path) -> None:
    tried: list[str] = []
    began, go = threading.Event(), threading.Event()

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        tried.append(job.program.source)
        if len(tried) == 1:
            began.set()
            go.wait(30)
        return (Result(exit=0),)

    backend = Scripted(answer)
    with ThreadPoolExecutor(1) as threads, RemoteSandbox(path, start=False) as remote:
        with LocalSandbox(backend, slots=2) as sandbox:
            with broker(sandbox, path):
                session = remote.open()
                under_way = threads.submit(remote.run, Job(Program("x")))
                began.wait(30)
            go.set()
        with LocalSandbox(backend, slots=2) as sandbox, broker(sandbox, path):
            assert under_way.result(30)[0].ok
            with pytest.raises(SessionLost):
                session.run("a")
    assert tried == ["x", "x"]


def test_a_loss_in_the_middle_of_a_command_is_told_apart_from_others(path: Path) -> None:
    with (
        LocalSandbox(Scripted(), slots=1) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as remote,
    ):
        session = remote.open()
        with pytest.raises(SessionCrashed):
            session.run("die")
        with pytest.raises(SessionLost) as lost:
            session.run("a")
        assert not isinstance(lost.value, SessionCrashed)


def test_to_end_a_session_waits_for_nobody(path: Path) -> None:
    busy, go = threading.Event(), threading.Event()
    backend = Scripted()

    def hold(source: str) -> None:
        busy.set()
        go.wait(30)

    with LocalSandbox(backend, slots=1) as sandbox, RemoteSandbox(path, start=False) as remote:
        with broker(sandbox, path), ThreadPoolExecutor(1) as threads:
            idle, session = remote.open(), remote.open()
            backend.during = hold
            under_way = threads.submit(session.run, "a")
            busy.wait(30)
            remote.open().close()  # while nothing is answered
            go.set()
            assert under_way.result(30).ok
            session.close()
            wait_for(lambda: sandbox.describe()["sessions"]["open"] == 1)
        idle.close()  # there is no broker any more
        with pytest.raises(SessionLost, match="has ended"):
            idle.run("a")


def test_a_broker_that_is_about_to_come_back_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_module, "sleep", lambda seconds: waited.append(seconds))
    waited: list[float] = []
    listen(path).close()  # what one that was killed leaves
    with RemoteSandbox(path, start=False) as remote:
        with pytest.raises(ResourceError, match="could not be reached in 5 attempts"):
            remote.open()
        assert len(waited) == 5
        with LocalSandbox(Scripted(), slots=1) as sandbox, broker(sandbox, path):
            assert remote.run(Job(Program("")))[0].ok


def test_a_broker_started_with_a_socket_serves_it_and_ends_with_who_started_it(tmp_path: Path) -> None:
    jails()  # skips where there are no jails
    with listen(tmp_path / "s") as listening:
        number = str(listening.fileno())
        command = [
            sys.executable,
            "-m",
            "envhub.sandbox.broker.server",
            "--descriptor",
            number,
            "--stop-on-eof",
            "--slots",
            "1",
        ]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(int(number),)
        ) as process:
            with RemoteSandbox(tmp_path / "s", start=False) as remote:
                assert remote.run(Job(Program("print(1)")))[0].text == "1\n"
                assert asyncio.run(remote.adescribe())["backend"] == "namespace"
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(30) == 0
    assert (tmp_path / "s").is_socket()  # it belongs to who made it


def test_without_a_broker_a_job_is_our_fault_and_a_session_an_error(path: Path) -> None:
    with RemoteSandbox(path, start=False) as remote:
        (result,) = remote.run(Job(Program("")))
        assert result.blame == "ours"
        assert "envhub sandbox broker --socket" in (result.fault or "")
        with pytest.raises(ResourceError, match="No broker is listening"):
            remote.open()


@pytest.mark.parametrize(
    "message",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        (MAX_MESSAGE + 1).to_bytes(4, "big"),
        pack(b"not a value"),
        pack(b"[" * 100_000),
        pack(dumps([1, 2])),
        pack(dumps({"op": "run"})),
    ],
)
def test_who_does_not_speak_the_protocol_is_hung_up_on_and_nobody_else(path: Path, message: bytes) -> None:
    with (
        LocalSandbox(Scripted(), slots=1) as sandbox,
        broker(sandbox, path),
        RemoteSandbox(path, start=False) as remote,
    ):
        assert remote.run(Job(Program("")))[0].ok
        with socket.socket(socket.AF_UNIX) as rude:
            rude.settimeout(30)
            rude.connect(str(path))
            rude.sendall(message)
            assert rude.recv(10) == b""
        assert remote.run(Job(Program("")))[0].ok


@pytest.mark.parametrize(
    "body",
    [
        {"op": "explode"},
        {"op": "run", "body": {}},
        {"op": "run", "body": 3},
        {"op": "run", "body": {"program": {"source": 1, "language": "python"}}},
        {"op": "open", "body": {"language": "perl", "limits": {}}},
        {"op": "ask", "body": ["run"]},
        {"op": "ask", "body": "__init__"},
        {"op": "ask", "body": ["__class__", "k", 0]},
    ],
)
def test_a_wrong_request_is_answered_with_an_error(path: Path, body: dict[str, object]) -> None:
    with LocalSandbox(Scripted(), slots=1) as sandbox, broker(sandbox, path), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(30)
        asking.connect(str(path))
        asking.sendall(pack(dumps({"id": 5, **body})))
        answer = asking.recv(4096)
        assert b'"error"' in answer
        assert b"Traceback" not in answer


def test_the_socket_is_for_its_user_alone(path: Path) -> None:
    listening = listen(path)
    with listening:
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(path.parent).st_mode) == 0o700
        with pytest.raises(ResourceError, match=r"already listening at .*"):
            listen(path)
    with listen(path):  # what a dead one has left is in nobody's way
        pass


def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(ResourceError, match="Other users can write to"):
        listen(shared / "s")


def test_a_broker_that_nobody_needs_ends(path: Path) -> None:
    with LocalSandbox(Scripted(), slots=1) as sandbox:
        listening = listen(path)
        asyncio.run(asyncio.wait_for(Broker(sandbox, idle_s=0.01).serve(listening), 30))
