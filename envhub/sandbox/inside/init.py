"""Runs one job.

Reads the request, prepares the files, starts the program and answers with its results. :class:`Init` is the trusted
first process of a job. In a jail it is process 1 of the job's own PID namespace: when it ends, everything the job has
started is killed. The program's input is read after the program was forked, so that it is not in its memory. Requests
are ``run`` (one process, one standard input), ``compile``, ``calls`` and ``session``. In a jail the runner
(:mod:`runner`) does most jobs itself, and this class is for sessions.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from envhub.sandbox.inside import container, linux, parcel, program, wire
from envhub.sandbox.inside.box import Box, Full, InTheWay, make_directories
from envhub.sandbox.inside.calls import Conversation
from envhub.sandbox.inside.counters import anonymous
from envhub.sandbox.inside.monitor import Monitor
from envhub.sandbox.inside.prepared import PreparedProcess
from envhub.sandbox.inside.session import SessionServer
from envhub.sandbox.inside.spawn import Resumed, Spawner, begin_with, execute, resume
from envhub.sandbox.inside.streams import Output

MAX_FETCH = 64 << 20
"""Maximum bytes of files in an answer, including a compiled program."""


class Init:
    """One job.

    Args:
        stream: Descriptors from and to the host.
        settings: Settings of the slot. ``cgroup``: whether the host limits memory and the number of processes. ``spare``: how
            many additional processes the user may have then.
        ids: User ids of trusted processes and of programs; None if they are the same.
    """

    def __init__(self, stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
        self.stream = stream
        self.settings = settings
        self.owner = ids[1] if ids else None
        self.waiting = PreparedProcess(self.owner)
        self.spawner = spawner(settings, ids)

    def serve(self, source: int) -> None:
        """Read a request from a descriptor, run it and answer."""
        waiting = self.waiting
        waiting.fork(self.spawner, program_from)
        head, blobs = parcel.unpack(wire.receive(source))
        limits, owner = head["limits"], self.owner
        if self.settings["isolation"] == "namespace":
            box = Box(make_directories(limits, owner), owner)
            monitor = Monitor(limits, box.used, anonymous if self.settings["cgroup"] else None, started=waiting.pid)
        else:
            box = container.Box(limits, owner)
            monitor = container.Monitor(limits, box, waiting.pid)
        if head["kind"] == "session":
            waiting.kill()
            if write_files(self, head, blobs, box):
                SessionServer(self, head, box, monitor).serve()
            return
        if write_files(self, head, blobs, box):
            assign_program(waiting, head, blobs[0])
            Run(self, head, box, monitor, waiting).serve()

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Send an answer."""
        wire.send(self.stream[1], parcel.pack(head, blobs))

    def sweep(self, monitor: Monitor) -> None:
        """Kill every process of the job and wait until it is gone."""
        kill_all()


class Owner(Protocol):
    """What :class:`Run` needs of its process."""

    stream: tuple[int, int]

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Answer the host."""

    def sweep(self, monitor: Monitor) -> None:
        """Kill every process of the job and wait until it is gone."""


def spawner(settings: dict[str, Any], ids: tuple[int, int] | None) -> Spawner:
    """The spawner of a slot's programs."""
    trusted = 0 if ids else _same_user()
    # one extra process is allowed, so that the monitor sees it; a control group must be the one to refuse
    return Spawner(ids, trusted + (settings.get("spare", 8) if settings["cgroup"] else 1))


def write_files(owner: Owner, head: dict[str, Any], blobs: list[bytes], box: Box) -> bool:
    """Write the files of a job.

    On failure, answer the request and return False.
    """
    try:
        for name, data in zip(head["names"], blobs):  # noqa: B905  Python 3.9 has no strict
            box.put(name, data, 0o755 if name in head["executable"] else 0o644)
    except (Full, InTheWay) as problem:
        if head["kind"] != "session":
            wire.receive(owner.stream[0])
        limit = "file" if isinstance(problem, Full) else None
        text = f"{problem} could not be written: {'no room' if limit else 'something is in its way'}\n"
        owner.answer({"exit": None, "limit": limit}, [b"", text.encode()])
        return False
    return True


def assign_program(waiting: PreparedProcess, head: dict[str, Any], source: bytes) -> None:
    """Send a prepared process the program to become."""
    begun = head["arguments"], head["variables"], head.get("warm", False)
    program = (head["kind"], source, head.get("function"), head["command"], *begun)
    waiting.send_program(program, head["limits"], space=head["space"], channel=head["kind"] == "calls")


def _same_user() -> int:
    """Other processes that count against the user's limit.

    They are beside those of the job, if all share one user.
    """
    version = [int(part) for part in os.uname().release.split(".")[:2] if part.isdigit()]
    if version < [5, 14]:  # counted over the whole machine: only the monitor can tell the job's processes
        return 1 << 16
    return 4  # supervisor, runner, zygote and the first of the job's namespace


class Run:
    """One process of a program, from its start to its end."""

    def __init__(
        self, owner: Owner, head: dict[str, Any], box: Box, monitor: Monitor, waiting: PreparedProcess
    ) -> None:
        self._owner = owner
        self._waiting = waiting
        self._head = head
        self._box = box
        self._monitor = monitor
        self._limits = head["limits"]
        self._outputs = [Output(self._limits["output_bytes"]) for _ in range(2)]

    def serve(self) -> None:
        """Start the program, wait for its end and answer."""
        monitor, waiting = self._monitor, self._waiting
        calls, pid = self._head["kind"] == "calls", waiting.pid
        waiting.release()
        started = time.monotonic()
        for descriptor, output in zip(waiting.outputs, self._outputs):  # noqa: B905
            monitor.listen(descriptor, partial(self._print, output))
        _, inputs = parcel.unpack(wire.receive(self._owner.stream[0]))
        talk = None
        if calls:
            os.close(waiting.stdin)
            talk = Conversation(monitor, waiting.channel, inputs, self._limits["value_bytes"])
        else:
            os.close(waiting.channel)
            monitor.feed(waiting.stdin, inputs[0])
        monitor.until(
            lambda: monitor.status(pid) is not None or (talk is not None and talk.over), self._limits["wall_s"]
        )
        wall = time.monotonic() - started
        status = monitor.status(pid)
        if status is not None:
            monitor.measure_leftovers()
        self._owner.sweep(monitor)
        monitor.drain()
        self._answer(status, wall, talk)

    def _answer(self, status: int | None, wall: float, talk: Conversation | None) -> None:
        monitor = self._monitor
        monitor.read_counters()
        processor = monitor.take_cpu_s(swept=True)
        if processor > self._limits["cpu_s"] or status == -signal.SIGXCPU:
            monitor.hit("cpu")
        if status == -signal.SIGXFSZ or self._box.full():
            monitor.hit("file")
        if talk is not None and talk.complete and monitor.limit is None:
            status = 0  # all calls are answered; how it would have ended does not matter
        files = self._fetch()
        head = {
            "exit": status,
            "limit": monitor.limit,
            "cut": any(output.cut for output in self._outputs),
            "wall": wall,
            "cpu": processor,
            "memory": monitor.peak,
            "replies": len(talk.replies) if talk else 0,
            "files": list(files),
        }
        texts = [output.take() for output in self._outputs]
        self._owner.answer(head, [*texts, *(talk.replies if talk else ()), *files.values()])

    def _print(self, output: Output, data: bytes) -> None:
        output.add(data)
        if output.cut:
            self._monitor.hit("output")

    def _fetch(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        room = min(self._limits["file_mb"] << 20, MAX_FETCH)
        for path in self._head["fetch"]:
            data = self._box.read(path, room)
            if data is not None and path not in found:
                found[path] = data
                room -= len(data)
        return found


def program_from(
    request: tuple[str, bytes, str, list[str] | None, list[str], dict[str, str], bool],
) -> Callable[[], object]:
    """Build the function that becomes the program, from what :func:`assign_program` sent."""
    kind, source, function, command, arguments, variables, warm = request
    if warm:
        return lambda: resume(arguments)
    if kind == "calls":
        return partial(begin_with, variables, lambda: program.answer(source, function, 3))
    if command is None:
        return partial(begin_with, variables, lambda: program.run(source, arguments))
    return partial(begin_with, variables, lambda: execute([*command, *arguments]))


def kill_all() -> None:
    """Kill and wait for every process of this namespace except ourselves."""
    linux.signal_all(signal.SIGKILL)
    _wait_for_all()


def _wait_for_all() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def run_single_job(job: Init, source: int) -> None:
    """Run one job and exit."""
    try:
        # not dumpable, like its parent; and it cannot outlive its namespace
        job.serve(source)
    except Resumed:  # in the program's process
        raise
    except BaseException as error:
        report_failure(job.stream, error)
    os._exit(0)


def report_failure(stream: tuple[int, int], error: BaseException) -> None:
    """Report an infrastructure failure to the host and exit.

    This ends the slot.
    """
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__)[-3:])
    try:
        wire.send(stream[1], parcel.pack({"fault": text[:4000]}))
    finally:
        os._exit(1)
