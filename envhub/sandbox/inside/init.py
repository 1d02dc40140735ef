"""The first process of a job: it reads what is asked, starts the program in surroundings made for it, and answers.

Trusted, and told nothing but the request. It is process 1 of the job's own namespace: when it ends, everything the job has
started is gone. What the program is to be fed is read after the program was forked, so that it is not in its memory. Requests
are ``run`` (one process, one text of standard input), ``compile``, ``calls`` and ``session``.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from envhub.sandbox.inside import parcel, program, wire
from envhub.sandbox.inside.box import Box, Full, InTheWay
from envhub.sandbox.inside.calls import Conversation
from envhub.sandbox.inside.candidate import Spawner, execute
from envhub.sandbox.inside.watch import Output, Watch

MAX_PROGRAM = 128 << 20
"""How large a compiled program may be."""


class Init:
    """One job.

    Args:
        stream: Descriptors from and to the host.
        settings: Of the slot: ``cgroup`` says whether the host limits memory and counts processes.
        ids: Of what watches and of programs; None where there is one for both.
    """

    def __init__(self, stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
        self.stream = stream
        self.settings = settings
        self.ids = ids
        trusted = 0 if ids else 3  # keeper, zygote and ourselves
        self.spawner = Spawner(ids, trusted + (8 if settings["cgroup"] else 0))

    def serve(self) -> None:
        """Read the request, do it, answer."""
        head, blobs = parcel.unpack(wire.receive(self.stream[0]))
        limits = head["limits"]
        box = Box(limits, self.ids[1] if self.ids else None, mounted=self.settings["isolation"] == "namespace")
        try:
            for name, data in zip(head["names"], blobs):  # noqa: B905  Python 3.9 has no strict
                box.put(name, data, 0o755 if name in head["executable"] else 0o644)
        except (Full, InTheWay) as problem:
            wire.receive(self.stream[0])
            limit = "file" if isinstance(problem, Full) else None
            text = f"{problem} could not be written: {'no room' if limit else 'something is in its way'}\n"
            self.answer({"exit": None, "limit": limit}, [b"", text.encode()])
            return
        watch = Watch(limits, box.used, memory=not self.settings["cgroup"])
        if head["kind"] == "session":
            from envhub.sandbox.inside.session import Live  # with all it needs, only where it is needed

            Live(self, head, box, watch).serve()
            return
        Run(self, head, box, watch).serve(blobs[0])

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Send an answer."""
        wire.send(self.stream[1], parcel.pack(head, blobs))

    def sweep(self, watch: Watch) -> None:
        """End every process of the job and wait until it is gone."""
        if self.settings["isolation"] == "namespace":
            end_all()
        elif self.ids:
            _end_all_of(self.ids[1])


class Run:
    """One process of a program, from its start to its end."""

    def __init__(self, init: Init, head: dict[str, Any], box: Box, watch: Watch) -> None:
        self._init = init
        self._head = head
        self._box = box
        self._watch = watch
        self._limits = head["limits"]
        self._outputs = [Output(self._limits["output_bytes"]) for _ in range(2)]

    def serve(self, source: bytes) -> None:
        """Run it and answer."""
        watch, calls = self._watch, self._head["kind"] == "calls"
        feed, stdin = os.pipe()
        pipes = [os.pipe(), os.pipe()]
        ours, theirs = socket.socketpair() if calls else (None, None)
        given = [feed, *(write for _, write in pipes), *([theirs.fileno()] if theirs else [])]
        begin = self._beginning(source)
        pid = self._init.spawner.start(begin, given, self._limits, space=self._head["space"])
        started = time.monotonic()
        for descriptor in given[:3]:
            os.close(descriptor)
        for (read, _), output in zip(pipes, self._outputs):  # noqa: B905
            watch.listen(read, partial(self._print, output))
        _, inputs = parcel.unpack(wire.receive(self._init.stream[0]))
        talk = None
        if theirs and ours:
            theirs.close()
            os.close(stdin)
            talk = Conversation(watch, ours.detach(), inputs, self._limits["value_bytes"])
        else:
            watch.feed(stdin, inputs[0])
        watch.until(lambda: watch.status(pid) is not None or (talk is not None and talk.over), self._limits["wall_s"])
        wall = time.monotonic() - started
        status = watch.status(pid)
        self._init.sweep(watch)
        watch.drain()
        self._answer(status, wall, talk)

    def _answer(self, status: int | None, wall: float, talk: Conversation | None) -> None:
        watch = self._watch
        processor = watch.processor()
        if processor > self._limits["cpu_s"] or status == -signal.SIGXCPU:
            watch.hit("cpu")
        if status == -signal.SIGXFSZ or self._box.full():
            watch.hit("file")
        if watch.crowded and not self._init.settings["cgroup"]:
            watch.hit("pids")
        if talk is not None and talk.complete and watch.limit is None:
            status = 0  # it has done what it was for; how it would have ended does not matter
        files = self._fetch()
        head = {
            "exit": status,
            "limit": watch.limit,
            "cut": any(output.cut for output in self._outputs),
            "wall": wall,
            "cpu": processor,
            "memory": watch.peak,
            "replies": len(talk.replies) if talk else 0,
            "files": list(files),
        }
        texts = [output.take() for output in self._outputs]
        self._init.answer(head, [*texts, *(talk.replies if talk else ()), *files.values()])

    def _beginning(self, source: bytes) -> Callable[[], object]:
        head = self._head
        if head["kind"] == "calls":
            return lambda: program.answer(source, head["function"], 3)
        if head["command"] is None:
            return lambda: program.run(source, head["arguments"])
        return lambda: execute([*head["command"], *head["arguments"]])

    def _print(self, output: Output, data: bytes) -> None:
        output.add(data)
        if output.cut:
            self._watch.hit("output")

    def _fetch(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        room = min(self._limits["file_mb"] << 20, MAX_PROGRAM)
        for path in self._head["fetch"]:
            data = self._box.read(path, room)
            if data is not None and path not in found:
                found[path] = data
                room -= len(data)
        return found


def end_all() -> None:
    """End every process of this namespace but ourselves, its first; and wait for each, so that nothing of it is left."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    _wait_for_all()


def _end_all_of(user: int) -> None:
    pid = os.fork()
    if pid == 0:
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        os.kill(-1, signal.SIGKILL)  # ourselves too, or whatever that makes of it
        os._exit(0)
    _wait_for_all()


def _wait_for_all() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
