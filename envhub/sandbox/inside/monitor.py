"""Resource monitor of a job.

CPU time, memory, number of processes, wall clock. The first limit that is hit is recorded by name and kept. Times are
of the monotonic clock. CPU time is that of the running processes plus that of those that have ended and been waited
for. A child whose parent ignores its end counts only for as long as it was seen running, so with control groups the
host counts as well.

Memory is read from /proc only where no control group counts it. A full control group does not always kill at once: as long as
there are pages of program files to evict and read again, the kernel does that for half a minute or more, and everything in the
group stands still. So anonymous memory is checked here too.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from envhub.sandbox.inside import linux
from envhub.sandbox.inside.counters import read_whole
from envhub.sandbox.inside.streams import Streams

_TICK_S = 0.05
_ATTEMPTS = 3
_PAGE = resource.getpagesize()
_CLOCK = os.sysconf("SC_CLK_TCK")


class Monitor(Streams):
    """Monitors the processes of a job.

    Create it before the first of them starts.

    Args:
        limits: The limits of the job.
        files: Returns the bytes of memory that the job's files use.
        own: Returns the bytes of anonymous memory of the control group that limits memory and the number of processes. None
            without such a group; both are then measured here.
        started: The id of a process of the job that is already running.
        trusted: Ids of processes that are not part of the job. Defaults to all that are running now.
        reaper: The id of a trusted process that waits for processes of the job which are not our descendants. Its CPU time
            counts as the job's.

    Attributes:
        limit: The first limit that was hit, or None.
        peak: The highest memory use that was measured, in bytes.
    """

    def __init__(
        self,
        limits: dict[str, Any],
        files: Callable[[], int],
        own: Callable[[], int] | None,
        *,
        started: int = 0,
        trusted: Sequence[int] | None = None,
        reaper: int = 0,
    ) -> None:
        super().__init__()
        self._limits = limits
        self._files = files
        self._own = own
        # may not be negative: with many processors the kernel's count may lag behind by all that the trusted ones use
        self._others = max(0, own() - private_bytes()) if own else 0
        self._statuses: dict[int, int] = {}
        self._trusted = set(_process_ids() if trusted is None else trusted) - {started, reaper}
        self._reaper = reaper
        self._total = _waited_for()  # CPU seconds at the last measurement
        self._spent = 0.0  # CPU seconds of all processes ever seen
        self._before = 0.0  # the part of them returned by take_cpu_s()
        self._ended = 0
        self.peak = 0
        self._woken, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        linux.handle(signal.SIGCHLD, _ignore)
        self._poll.register(self._woken, select.POLLIN)

    def status(self, pid: int) -> int | None:
        """The exit status of a process, negative for a signal.

        None while it runs.
        """
        status = self._statuses.get(pid)
        if status is None:
            return None
        return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)

    def until(self, done: Callable[[], bool], wall_s: float) -> bool:
        """Serve streams and measure until ``done()`` or a limit is hit.

        Whether it is done.
        """
        deadline = time.monotonic() + wall_s
        tick = time.monotonic() + _TICK_S
        self.reap()
        while not done() and self.limit is None:
            now = time.monotonic()
            if now >= deadline:
                self._catch_up()
                if not done():
                    self.hit("wall")
                break
            if now >= tick:
                self._measure()
                tick = now + _TICK_S
            self._serve_all(max(0, min(deadline, tick) - now) + 0.001)
        return done() and self.limit is None

    def _catch_up(self) -> None:
        """Serve what is ready.

        This process may have been suspended while the program was not.
        """
        self._serve_all(0)
        self.reap()

    def take_cpu_s(self, *, swept: bool = False) -> float:
        """Return the CPU seconds of the whole job since the last call.

        ``swept`` means that none of its processes is left.
        """
        self._count([] if swept else self._processes())
        since, self._before = self._spent - self._before, self._spent
        return since

    def read_counters(self) -> None:
        """Record what the kernel counted since the last :meth:`take_cpu_s`.

        Only where the host does not.
        """

    def all_stopped(self) -> bool:
        """Whether every process is stopped or has ended."""
        return all(state in (b"T", b"t", b"Z", b"X") for _, _, _, _, state in self._processes())

    def close(self) -> None:
        """Close all streams and the wake-up pipe."""
        self.close_streams()
        signal.set_wakeup_fd(-1)
        os.close(self._woken)
        os.close(self._waker)

    def _serve(self, descriptor: int, event: int) -> bool:
        """Also reap on SIGCHLD, which writes to the wake-up pipe."""
        if descriptor == self._woken:
            os.read(descriptor, 4096)
            self.reap()
            return False
        return super()._serve(descriptor, event)

    def reap(self) -> None:
        """Wait for every process that has ended.

        Including orphans, which count as processes until then.
        """
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self._statuses[pid] = status

    def forget_statuses(self) -> None:
        """Forget all exit statuses: their process ids may be reused."""
        self._statuses.clear()

    def measure_leftovers(self) -> None:
        """Measure right after the program ended.

        What it left behind ran beside it.
        """
        if self._own is None:
            self._ended = 1
            self._measure()

    def _measure(self) -> None:
        processes = self._processes()
        self._count(processes)
        if self._spent - self._before > self._limits["cpu_s"]:
            self.hit("cpu")
        most = self._limits["memory_mb"] << 20
        if self._own is not None:
            # our own memory does not count, above all the input that the programs have not read yet
            if self._files() + self._own() - self._others - private_bytes() > most:
                self.hit("memory")
            return
        programs = [row for row in processes if row[1] != self._reaper]
        if sum(row[3] for row in programs) + self._ended > self._limits["pids"]:
            self.hit("pids")
        used = self._used(programs)
        # processes are measured one by one: shared memory counts twice if one forks or ends in between
        for _ in range(_ATTEMPTS):
            if used > most:
                used = min(used, self._used(self._processes()))
        self.peak = max(self.peak, used)
        if used > most:
            self.hit("memory")

    def _used(self, processes: list[tuple[float, int, int, int, bytes]]) -> int:
        """Bytes of memory that programs and their files use."""
        return self._files() + sum(_resident(pid, pages) for _, pid, pages, _, _ in processes if pid != self._reaper)

    def _count(self, processes: list[tuple[float, int, int, int, bytes]]) -> None:
        total = _waited_for() + sum(row[0] for row in processes)
        # the total shrinks when a process ended that nobody waited for: its time stays counted
        self._spent += max(0.0, total - self._total)
        self._total = total

    def _processes(self) -> list[tuple[float, int, int, int, bytes]]:
        """For each process of the job, its usage and state.

        CPU seconds, id, resident pages, threads, state.
        """
        found = []
        for pid in _process_ids():
            if pid in self._trusted:
                continue
            try:
                row = read_whole(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            except OSError:  # it has just ended
                continue
            seconds = sum(map(int, row[11:15])) / _CLOCK
            found.append((seconds, pid, int(row[21]), int(row[17]), row[0]))
        return found


def _ignore(*_: object) -> None:
    """Signal handler that does nothing; the wake-up pipe reports the signal."""


def _waited_for() -> float:
    """CPU seconds of all processes that have ended and been waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def _process_ids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def private_bytes() -> int:
    """Bytes of anonymous memory of this process.

    Most of it is shared with the processes it was forked from.
    """
    _, resident, shared, *_ = map(int, read_whole("/proc/self/statm").split())
    return (resident - shared) * _PAGE


def _resident(pid: int, pages: int) -> int:
    """Bytes of memory of a process.

    Its proportional share, or all resident pages if that is unreadable; 0 once it ended.
    """
    try:
        for line in read_whole(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    except (FileNotFoundError, ProcessLookupError):  # it ended since its pages were counted
        return 0
    except OSError:
        pass
    return pages * _PAGE
