"""The process that does the jobs of a jail, one after the other: it reads what is asked, looks on, and answers.

It is process 1 of the slot. What is to become a program comes of its child, the zygote, and never of itself: the zygote reads
no request, so nothing of a job is in the memory that the next one is forked from. For each job the zygote makes two processes
in new namespaces, children of the steward: the first (:mod:`idle`) does nothing but wait for those whose parents have ended,
and with it everything in the namespace ends; the second waits to be told what it is to be. Of a job the steward keeps nothing.
A fork of it for each would cost as much as the program's.

A session has a first process that stays with it (:class:`envhub.sandbox.inside.init.Init`), forked by the zygote as well. So
has every job where the C library cannot be told in which process it is (:func:`linux.thread_id_address`).
"""

from __future__ import annotations

import _socket
import os
import signal
import struct
from functools import partial
from typing import Any

from envhub.sandbox.inside import init, linux, parcel, reaper, wire
from envhub.sandbox.inside.box import Box, make_directories
from envhub.sandbox.inside.counters import anonymous
from envhub.sandbox.inside.monitor import Monitor, private_bytes
from envhub.sandbox.inside.spawn import PreparedProcess, run_prepared

_JOB, _ALONE = b"j", b"a"
_PAIR = struct.Struct("ii")
_KEPT = 4 << 20
"""Bytes that may be left of what a job was fed; more would be missing where the next one has its memory."""


class Links:
    """What a steward and its zygote have between them: orders, the numbers of processes, and what those are handed."""

    def __init__(self) -> None:
        self.orders_in, self.orders_out = os.pipe()
        self.started_in, self.started_out = os.pipe()
        self.handoff_in, self.handoff_out = _socket.socketpair()


class JobRunner:
    """Does what is asked of a slot.

    Args:
        stream: Descriptors from and to the host.
        settings: Of the slot, as in :class:`envhub.sandbox.inside.init.Init`.
        ids: Of what watches and of programs; None where there is one for both.
        links: To the zygote.
        zygote: Its number.
    """

    def __init__(
        self, stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None, links: Links, zygote: int
    ) -> None:
        self.stream = stream
        self._settings = settings
        self._owner = ids[1] if ids else None
        self._links = links
        self._trusted = (os.getpid(), zygote)
        self._pair = (0, 0)
        self._before = private_bytes()
        os.close(links.orders_in)
        os.close(links.started_out)
        links.handoff_in.close()

    def serve(self) -> None:
        """Do jobs until there is a failure, which is raised."""
        if not linux.thread_id_address():
            while True:
                self._alone(wire.receive(self.stream[0]))
        while True:
            self._order(_JOB)  # they are made before there is a job for them, which then need not wait
            body = wire.receive(self.stream[0])
            head, blobs = parcel.unpack(body)
            self._pair = self._started_pair()
            if head["kind"] == "session":
                self._dismiss()
                self._alone(body)
            else:
                self._job(head, blobs)

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Send an answer."""
        wire.send(self.stream[1], parcel.pack(head, blobs))

    def sweep(self, monitor: Monitor) -> None:
        """End every process of the job and wait until it is gone."""
        first, second = self._pair
        os.kill(first, signal.SIGKILL)  # the kernel ends all of its namespace with it
        for pid in (second, first):
            if monitor.status(pid) is None:
                os.waitpid(pid, 0)

    def _job(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        waiting = PreparedProcess(self._owner)
        waiting.hand_over(self._links.handoff_out, self._pair[1])
        init.assign_program(waiting, head, blobs[0])
        box = Box(waiting.receive_directory(), self._owner)
        first, second = self._pair
        monitor = Monitor(
            head["limits"],
            box.used,
            anonymous if self._settings["cgroup"] else None,
            started=second,
            trusted=self._trusted,
            reaper=first,
        )
        if init.write_files(self, head, blobs, box):
            init.Run(self, head, box, monitor, waiting).serve()
        else:
            self.sweep(monitor)
            waiting.close_ours()
        monitor.close()
        box.close()
        if private_bytes() - self._before > _KEPT:
            linux.trim()

    def _dismiss(self) -> None:
        """End processes that were made for a job."""
        first, second = self._pair
        os.kill(first, signal.SIGKILL)
        os.waitpid(second, 0)
        os.waitpid(first, 0)

    def _alone(self, body: bytes) -> None:
        """Hand a request to a process that does it, and wait for its end."""
        self._order(_ALONE)
        pid, _ = self._started_pair()
        wire.send(self._links.handoff_out.fileno(), body)
        if os.waitpid(pid, 0)[1]:
            os._exit(1)  # it has said why

    def _order(self, what: bytes) -> None:
        os.write(self._links.orders_out, what)

    def _started_pair(self) -> tuple[int, int]:
        pair = os.read(self._links.started_in, _PAIR.size)
        if len(pair) < _PAIR.size:
            os._exit(1)  # the zygote has ended, and has said why if it could
        return _PAIR.unpack(pair)


def run_zygote(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None, links: Links) -> None:
    """Be the zygote: fork what the steward orders. Ends with it."""
    os.close(links.orders_out)
    os.close(links.started_in)
    links.handoff_out.close()
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    spawner = init.spawner(settings, ids)
    surroundings = partial(make_directories, owner=ids[1] if ids else None)
    while True:
        order = os.read(links.orders_in, 1)
        if not order:
            os._exit(0)
        linux.enter_namespace(own, linux.NEWPID)
        linux.unshare(linux.NEWPID)  # for those that are forked from here on
        if order == _JOB:
            first = reaper.start()
            second = linux.clone_sibling(linux.NEWNS | linux.NEWIPC)
            if second == 0:
                run_prepared(spawner, init.program_from, links.handoff_in, surroundings)
        else:
            job = init.Init(stream, settings, ids)
            first, second = linux.clone(linux.PARENT | linux.NEWNS | linux.NEWIPC), 0
            if first == 0:
                init.run_single_job(job, links.handoff_in.fileno())
            job.waiting.close_all()
        os.write(links.started_out, _PAIR.pack(first, second))
