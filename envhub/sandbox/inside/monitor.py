"""Looking on while programs run: their input and output, the clock, and what all of them use together.

A limit that is hit is noted by name, the first one for good. Times are of the monotonic clock. Processor time is that of the
processes there are, plus that of those that have ended and been waited for; of children whose end their parent has declared
to be of no interest only what was seen while they ran, so where there are control groups the host counts as well. Memory is
asked of /proc only where no control group counts it. A control group that is full does not always kill at once: as long as
there are pages of program files to throw out, and to read again the next moment, the kernel goes on doing that, for half a
minute and more, with everything in the group at a standstill. So what the programs have of their own is looked at here.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import linux

_TICK_S = 0.05
_CHUNK = 1 << 16
_LOOKS = 3
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
        own: Bytes of memory that are in no file, of a control group that limits memory and the number of processes; None
            where there is none, and both have to be watched.
        started: The number of a process of the job that is there already.
        trusted: Those that are not the job's; all others that are there now if not given.
        reaper: That of a trusted one that waits for processes of the job which are not below us; their time is its own then.

    Attributes:
        limit: The first limit that was hit.
        peak: Bytes of memory at most, as far as it was looked at.
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
        self._limits = limits
        self._files = files
        self._own = own
        # not less than nothing: on machines with many processors the kernel may lag behind by all that the trusted ones have
        self._others = max(0, own() - private()) if own else 0
        self._poll = select.poll()
        self._takers: dict[int, Callable[[bytes], None]] = {}
        self._going: dict[int, tuple[memoryview, bool]] = {}
        self._statuses: dict[int, int] = {}
        self._trusted = set(_numbers() if trusted is None else trusted) - {started, reaper}
        self._reaper = reaper
        self._total = _waited_for()  # seconds of processor when it was last looked at
        self._spent = 0.0  # and all of them ever seen
        self._before = 0.0  # of which up to when they were last settled
        self._ended = 0
        self.limit: str | None = None
        self.peak = 0
        self._woken, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        linux.handle(signal.SIGCHLD, _nothing)
        self._poll.register(self._woken, select.POLLIN)

    def listen(self, descriptor: int, taker: Callable[[bytes], None]) -> None:
        """Hand over what comes out of a descriptor; an empty text at its end. The descriptor is closed then."""
        os.set_blocking(descriptor, False)
        self._takers[descriptor] = taker
        self._poll.register(descriptor, select.POLLIN)

    def hears(self, descriptor: int) -> bool:
        """Whether a descriptor that was to be listened to has not come to its end."""
        return descriptor in self._takers

    def feed(self, descriptor: int, data: bytes, *, close: bool = True) -> None:
        """Write data as fast as it is read, and then close the descriptor."""
        if descriptor not in self._takers:
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
            for descriptor, event in self._poll.poll(max(0, min(deadline, tick) - now) * 1000 + 1):
                self._serve(descriptor, event)
        return done() and self.limit is None

    def drain(self) -> None:
        """Take what has been written and not read."""
        while sum([self._serve(descriptor, event) for descriptor, event in self._poll.poll(0)]):
            pass

    def _catch_up(self) -> None:
        """See what has come meanwhile: where we stood still, the program need not have."""
        for descriptor, event in self._poll.poll(0):
            self._serve(descriptor, event)
        self.reap()

    def settle(self, *, swept: bool = False) -> float:
        """Seconds of processor since it was last asked, of everything; ``swept`` says that nothing of it is left."""
        self._count([] if swept else self._processes())
        since, self._before = self._spent - self._before, self._spent
        return since

    def count(self) -> None:
        """Note what the kernel counted since things were last settled, where the host does not."""

    def stopped(self) -> bool:
        """Whether every process has stopped or ended."""
        return all(state in (b"T", b"t", b"Z", b"X") for _, _, _, _, state in self._processes())

    def mute(self) -> None:
        """Stop listening to every descriptor, and close it."""
        for descriptor in {*self._takers, *self._going}:
            self._drop(descriptor)

    def close(self) -> None:
        """Give back every descriptor, those that are listened to as well."""
        self.mute()
        signal.set_wakeup_fd(-1)
        os.close(self._woken)
        os.close(self._waker)

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

    def look_back(self) -> None:
        """Look once more when a program has just ended: what it has left was there beside it."""
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
            # what we hold ourselves is not the programs', above all what they are to be fed
            if self._files() + self._own() - self._others - private() > most:
                self.hit("memory")
            return
        programs = [row for row in processes if row[1] != self._reaper]
        if sum(row[3] for row in programs) + self._ended > self._limits["pids"]:
            self.hit("pids")
        used = self._used(programs)
        # one process is looked at after the other: what is shared counts twice if a fork or an end comes in between
        for _ in range(_LOOKS):
            if used > most:
                used = min(used, self._used(self._processes()))
        self.peak = max(self.peak, used)
        if used > most:
            self.hit("memory")

    def _used(self, processes: list[tuple[float, int, int, int, bytes]]) -> int:
        """Bytes of memory of programs and of their files."""
        return self._files() + sum(_resident(pid, pages) for _, pid, pages, _, _ in processes if pid != self._reaper)

    def _count(self, processes: list[tuple[float, int, int, int, bytes]]) -> None:
        total = _waited_for() + sum(row[0] for row in processes)
        # it is less than before when there was a process that nobody waits for: its time stays counted
        self._spent += max(0.0, total - self._total)
        self._total = total

    def _processes(self) -> list[tuple[float, int, int, int, bytes]]:
        """Of every process of the job: seconds of processor, number, resident pages, threads, state."""
        found = []
        for pid in _numbers():
            if pid in self._trusted:
                continue
            try:
                with open(f"/proc/{pid}/stat", "rb") as file:
                    row = file.read().rpartition(b")")[2].split()
            except OSError:  # it has just ended
                continue
            seconds = sum(map(int, row[11:15])) / _CLOCK
            found.append((seconds, pid, int(row[21]), int(row[17]), row[0]))
        return found


def _nothing(*_: object) -> None:
    """A signal has come, and has been written to where it wakes us."""


def _waited_for() -> float:
    """Seconds of processor of all processes that have ended and been waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def _numbers() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def private() -> int:
    """Bytes of memory of this process that are in no file; most of them are shared with those that it was forked from."""
    with open("/proc/self/statm", "rb") as file:
        _, resident, shared, *_ = map(int, file.read().split())
    return (resident - shared) * _PAGE


def _resident(pid: int, pages: int) -> int:
    """Bytes of memory of a process, what it shares with others in parts; whole where it hides that from us, 0 at its end."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) << 10
    except (FileNotFoundError, ProcessLookupError):  # it has ended since its pages were counted
        return 0
    except OSError:
        pass
    return pages * _PAGE
