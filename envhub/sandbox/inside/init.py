"""A job: what is asked is read, the program is started in surroundings made for it, and its results are the answer.

:class:`Init` is the first process of a job, trusted, and told nothing but the request. In a jail it is process 1 of the job's
own namespace: when it ends, everything the job has started is gone. What the program is to be fed is read after the program
was forked, so that it is not in its memory. Requests are ``run`` (one process, one text of standard input), ``compile``,
``calls`` and ``session``. Where the steward of a slot (:mod:`steward`) does what is asked itself, this is for sessions.
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
from envhub.sandbox.inside.session import SessionServer
from envhub.sandbox.inside.spawn import PreparedProcess, Spawner, execute
from envhub.sandbox.inside.streams import Output

MAX_FETCH = 64 << 20
"""How many bytes of files an answer holds; a compiled program is one."""


class Init:
    """One job.

    Args:
        stream: Descriptors from and to the host.
        settings: Of the slot: ``cgroup`` says whether the host limits memory and counts processes, ``spare`` how many more
            the user of programs may have then.
        ids: Of what watches and of programs; None where there is one for both.
    """

    def __init__(self, stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
        self.stream = stream
        self.settings = settings
        self.owner = ids[1] if ids else None
        self.waiting = PreparedProcess(self.owner)
        self.spawner = spawner(settings, ids)

    def serve(self, source: int) -> None:
        """Read the request from a descriptor, do it, answer."""
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
        """End every process of the job and wait until it is gone."""
        kill_all()


class Owner(Protocol):
    """What a run needs of the process that does it."""

    stream: tuple[int, int]

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Answer the host."""

    def sweep(self, monitor: Monitor) -> None:
        """End every process of the job and wait until it is gone."""


def spawner(settings: dict[str, Any], ids: tuple[int, int] | None) -> Spawner:
    """What starts the programs of a slot."""
    trusted = 0 if ids else _same_user()
    # one too many is let in and then seen; where a control group refuses it, it shall be the one that does
    return Spawner(ids, trusted + (settings.get("spare", 8) if settings["cgroup"] else 1))


def write_files(owner: Owner, head: dict[str, Any], blobs: list[bytes], box: Box) -> bool:
    """Write the files of a job; whether that worked. If not, the request has been answered."""
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
    """Tell a process that waits what it is to be."""
    program = (head["kind"], source, head.get("function"), head["command"], head["arguments"])
    waiting.send_program(program, head["limits"], space=head["space"], channel=head["kind"] == "calls")


def _same_user() -> int:
    """How many processes beside those of the job count against the limit of its user, where that is everybody's."""
    version = [int(part) for part in os.uname().release.split(".")[:2] if part.isdigit()]
    if version < [5, 14]:  # it is counted over the whole machine: only what looks on can tell whose processes they are
        return 1 << 16
    return 4  # keeper, steward, zygote and the first of the job's namespace


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
        """Let it begin, see it to its end and answer."""
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
            status = 0  # it has done what it was for; how it would have ended does not matter
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


def program_from(request: tuple[str, bytes, str, list[str] | None, list[str]]) -> Callable[[], object]:
    """What a process is to do, made of what :meth:`Run.serve` tells it."""
    kind, source, function, command, arguments = request
    if kind == "calls":
        return lambda: program.answer(source, function, 3)
    if command is None:
        return lambda: program.run(source, arguments)
    return lambda: execute([*command, *arguments])


def kill_all() -> None:
    """End every process of this namespace but ourselves, its first; and wait for each, so that nothing of it is left."""
    linux.signal_all(signal.SIGKILL)
    _wait_for_all()


def _wait_for_all() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def run_single_job(job: Init, source: int) -> None:
    """Do one job and end."""
    try:
        # it cannot be looked into, as its parent cannot; and as that is the first of a namespace, it does not outlive it
        job.serve(source)
    except BaseException as error:
        report_failure(job.stream, error)
    os._exit(0)


def report_failure(stream: tuple[int, int], error: BaseException) -> None:
    """Tell the host of a failure, which is ours whatever it is, and end; the slot ends with it."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__)[-3:])
    try:
        wire.send(stream[1], parcel.pack({"fault": text[:4000]}))
    finally:
        os._exit(1)
