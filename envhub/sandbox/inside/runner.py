"""The process that runs a jail's jobs one after another.

It reads requests, monitors and answers. It is process 1 of the slot. Programs are forked from its child, the zygote,
never from the runner itself: the zygote reads no requests, so nothing of a job is in the memory that the next one is
forked from. For each job the zygote forks two processes in new namespaces, as children of the runner: the first
(:mod:`reaper`) only waits for orphans, and the kernel kills everything in the namespace with it; the second waits for
the program it is to run. The runner keeps nothing of a job. Forking a runner per job would cost as much as forking the
program.

A session has its own first process (:class:`envhub.sandbox.inside.init.Init`), forked by the zygote as well. So
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
from envhub.sandbox.inside.prepared import PreparedProcess, run_prepared

_JOB, _ALONE = b"j", b"a"
_PAIR = struct.Struct("ii")
_KEPT = 4 << 20
"""Bytes of a job's input that may remain allocated; more would be missing for the next job."""


class Links:
    """Pipes between the runner and its zygote.

    Orders, process ids, and handed over descriptors.
    """

    def __init__(self) -> None:
        self.orders_in, self.orders_out = os.pipe()
        self.started_in, self.started_out = os.pipe()
        self.handoff_in, self.handoff_out = _socket.socketpair()


class JobRunner:
    """Runs the jobs of a slot.

    Args:
        stream: Descriptors from and to the host.
        settings: Settings of the slot, as in :class:`envhub.sandbox.inside.init.Init`.
        ids: User ids of trusted processes and of programs; None if they are the same.
        links: Pipes to the zygote.
        zygote: Process id of the zygote.
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
        """Run jobs until a failure, which is raised."""
        if not linux.thread_id_address():
            while True:
                self._alone(wire.receive(self.stream[0]))
        while True:
            self._order(_JOB)  # forked before the job arrives, so that it need not wait
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
        """Kill every process of the job and wait until it is gone."""
        first, second = self._pair
        os.kill(first, signal.SIGKILL)  # the kernel kills its whole namespace with it
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
        """Kill the processes that were forked for a job."""
        first, second = self._pair
        os.kill(first, signal.SIGKILL)
        os.waitpid(second, 0)
        os.waitpid(first, 0)

    def _alone(self, body: bytes) -> None:
        """Pass a request to a separate process and wait for its end."""
        self._order(_ALONE)
        pid, _ = self._started_pair()
        wire.send(self._links.handoff_out.fileno(), body)
        if os.waitpid(pid, 0)[1]:
            os._exit(1)  # it has reported why

    def _order(self, what: bytes) -> None:
        os.write(self._links.orders_out, what)

    def _started_pair(self) -> tuple[int, int]:
        pair = os.read(self._links.started_in, _PAIR.size)
        if len(pair) < _PAIR.size:
            os._exit(1)  # the zygote has ended, and has reported why if it could
        return _PAIR.unpack(pair)


def run_zygote(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None, links: Links) -> None:
    """Run the zygote: fork what the runner orders. Ends with the runner."""
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
        linux.unshare(linux.NEWPID)  # applies to processes forked from here on
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
