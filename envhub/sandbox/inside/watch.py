"""Looking on while programs run: their input and output, the clock, and what all of them use together.

A limit that is hit is noted by name, the first one for good. Times are of the monotonic clock. Processor time is that of the
processes there are, plus that of those that have ended and been waited for; memory is asked of /proc only where no control
group limits it.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_TICK_S = 0.05
_CHUNK = 1 << 16
_PAGE = resource.getpagesize()
_CLOCK = os.sysconf("SC_CLK_TCK")


class Output:
    """What came out of a program, up to a limit; the rest is thrown away."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = bytearray()
        self.cut = False

    def add(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = self._most - len(self._kept)
        self.cut = self.cut or len(data) > room
        self._kept += data[:room]

    def take(self) -> bytes:
        """What has come since it was last taken."""
        kept, self._kept = bytes(self._kept), bytearray()
        return kept


class Watch:
    """Looks on while the processes of a job run; made before the first of them is started.

    Args:
        limits: What they may use.
        files: Bytes of memory that their files take.
        memory: Whether memory has to be watched.

    Attributes:
        limit: The first limit that was hit.
        peak: Bytes of memory at most, as far as it was looked at.
        crowded: Whether there were seen as many processes and threads as there may be.
    """

    def __init__(self, limits: dict[str, Any], files: Callable[[], int], *, memory: bool) -> None:
        self._limits = limits
        self._files = files
        self._memory = memory
        self._poll = select.poll()
        self._takers: dict[int, Callable[[bytes], None]] = {}
        self._going: dict[int, tuple[memoryview, bool]] = {}
        self._statuses: dict[int, int] = {}
        self._spent = 0.0
        self.limit: str | None = None
        self.peak = 0
        self.crowded = False
        self._woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._poll.register(self._woken, select.POLLIN)

    def listen(self, descriptor: int, taker: Callable[[bytes], None]) -> None:
        """Hand over what comes out of a descriptor; an empty text at its end. The descriptor is closed then."""
        os.set_blocking(descriptor, False)
        self._takers[descriptor] = taker
        self._poll.register(descriptor, select.POLLIN)

    def feed(self, descriptor: int, data: bytes, *, close: bool = True) -> None:
        """Write data as fast as it is read, and then close the descriptor."""
        os.set_blocking(descriptor, False)
        self._going[descriptor] = (memoryview(data), close)
        self._write(descriptor)

    def hit(self, limit: str) -> None:
        """Note a limit, unless there is one already."""
        self.limit = self.limit or limit

    def status(self, pid: int) -> int | None:
        """How a process ended, negative for a signal; None if it has not."""
        status = self._statuses.get(pid)
        if status is None:
            return None
        return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)

    def until(self, done: Callable[[], bool], wall_s: float) -> bool:
        """Look on until it is done, or a limit is hit; whether it is done."""
        deadline = time.monotonic() + wall_s
        spent, tick = self._spent, time.monotonic() + _TICK_S
        self.reap()
        while not done() and self.limit is None:
            now = time.monotonic()
            if now >= deadline:
                self.hit("wall")
                break
            if now >= tick:
                self._measure(spent)
                tick = now + _TICK_S
            for descriptor, event in self._poll.poll(max(0, min(deadline, tick) - now) * 1000 + 1):
                self._serve(descriptor, event)
        return done() and self.limit is None

    def drain(self) -> None:
        """Take what has been written and not read."""
        while sum([self._serve(descriptor, event) for descriptor, event in self._poll.poll(0)]):
            pass

    def processor(self) -> float:
        """Seconds of processor of everything that has ended and been waited for."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime

    def settle(self) -> float:
        """Seconds of processor since it was last asked, of everything."""
        total = self.processor() + sum(row[0] for row in _processes())
        spent, self._spent = total - self._spent, total
        return spent

    def mute(self) -> None:
        """Stop listening to every descriptor, and close it."""
        for descriptor in {*self._takers, *self._going}:
            self._drop(descriptor)

    def _serve(self, descriptor: int, event: int) -> bool:
        """Do what there is to do; whether something was read from a program."""
        if descriptor == self._woken:
            os.read(descriptor, 4096)
            self.reap()
            return False
        if event & (select.POLLOUT | select.POLLERR) and descriptor in self._going:
            self._write(descriptor)
        taker = self._takers.get(descriptor)
        if taker is None or not event & ~select.POLLOUT:
            return False
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._drop(descriptor)
        taker(data)
        return True

    def _write(self, descriptor: int) -> None:
        rest, close = self._going[descriptor]
        try:
            while rest:
                rest = rest[os.write(descriptor, rest[:_CHUNK]) :]
        except BlockingIOError:
            self._going[descriptor] = (rest, close)
            self._poll.register(descriptor, select.POLLOUT | (select.POLLIN if descriptor in self._takers else 0))
            return
        except OSError:  # nobody reads it any more
            pass
        del self._going[descriptor]
        if descriptor in self._takers:
            self._poll.register(descriptor, select.POLLIN)
        elif close:
            self._drop(descriptor)

    def _drop(self, descriptor: int) -> None:
        self._takers.pop(descriptor, None)
        self._going.pop(descriptor, None)
        with suppress(KeyError):  # all was written at once
            self._poll.unregister(descriptor)
        os.close(descriptor)

    def reap(self) -> None:
        """Wait for every process that has ended, orphans too: they count until then."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self._statuses[pid] = status

    def forget(self) -> None:
        """Forget how processes ended whose numbers may be used again."""
        self._statuses.clear()

    def _measure(self, spent: float) -> None:
        processes = _processes()
        if self.processor() + sum(row[0] for row in processes) - spent > self._limits["cpu_s"]:
            self.hit("cpu")
        self.crowded = self.crowded or sum(row[3] for row in processes) >= self._limits["pids"]
        if not self._memory:
            return
        used = self._files() + sum(_resident(pid, pages) for _, pid, pages, _ in processes)
        self.peak = max(self.peak, used)
        if used > self._limits["memory_mb"] << 20:
            self.hit("memory")


def _processes() -> list[tuple[float, int, int, int]]:
    """Of every process but ourselves: seconds of processor, number, resident pages, threads."""
    found = []
    own = os.getpid()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == own:
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                row = file.read().rpartition(b")")[2].split()
        except OSError:  # it has just ended
            continue
        seconds = sum(map(int, row[11:15])) / _CLOCK
        found.append((seconds, int(name), int(row[21]), int(row[17])))
    return found


def stopped() -> bool:
    """Whether every process but ourselves has stopped or ended."""
    own = str(os.getpid())
    for name in os.listdir("/proc"):
        if name.isdigit() and name != own:
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state = file.read().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if state not in (b"T", b"t", b"Z", b"X"):
                return False
    return True


def _resident(pid: int, pages: int) -> int:
    """Bytes of memory of a process, what it shares with others in parts; whole where it hides that from us."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) << 10
    except OSError:
        pass
    return pages * _PAGE
