"""One process of the ``process`` backend: its folder, its limits, and looking on while it runs."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from envhub.sandbox.inside.box import Box
from envhub.sandbox.inside.calls import Conversation
from envhub.sandbox.inside.monitor import Output, Watch
from envhub.sandbox.jobs import LimitName, Limits, Result
from envhub.sandbox.slots.replies import limit_of, result_of

_CHUNK = 1 << 16


class Lookout:
    """What comes out of a process and goes into it, until its end or that of its time.

    Attributes:
        limit: The first limit that was hit.
        ended: Whether the process has come to its end.
    """

    def __init__(self, pid: int) -> None:
        self.limit: str | None = None
        self.ended = False
        self._end = os.pidfd_open(pid)
        self._poll = select.poll()
        self._poll.register(self._end, select.POLLIN)
        self._takers: dict[int, Callable[[bytes], None]] = {}
        self._going: dict[int, tuple[memoryview, bool]] = {}

    @property
    def named(self) -> LimitName | None:
        """The limit, as results name it."""
        return limit_of(self.limit)

    def hit(self, limit: str) -> None:
        """Note a limit, unless there is one already."""
        self.limit = self.limit or limit

    def listen(self, descriptor: int, taker: Callable[[bytes], None]) -> None:
        """Hand over what comes out of a descriptor, which is closed at its end."""
        os.set_blocking(descriptor, False)
        self._takers[descriptor] = taker
        self._watch(descriptor)

    def feed(self, descriptor: int, data: bytes, *, close: bool = True) -> None:
        """Write data as fast as it is read, and then close the descriptor."""
        os.set_blocking(descriptor, False)
        self._going[descriptor] = (memoryview(data), close)
        self._watch(descriptor)

    def until(self, done: Callable[[], bool], wall_s: float) -> bool:
        """Look on until it is done or a limit is hit; whether it is done."""
        deadline = time.monotonic() + wall_s
        while not done() and self.limit is None:
            left = deadline - time.monotonic()
            if left <= 0:
                self._turn(0)  # where we stood still, the program need not have
                if not done():
                    self.hit("wall")
                break
            self._turn(left)
        return done() and self.limit is None

    def drain(self) -> None:
        """Take what has been written and not read."""
        while self._turn(0):
            pass

    def mute(self) -> None:
        """Close every descriptor."""
        for descriptor in {*self._takers, *self._going}:
            self._drop(descriptor)
        if self._end >= 0:
            os.close(self._end)
            self._end = -1

    def _turn(self, seconds: float) -> bool:
        read = [self._serve(descriptor, event) for descriptor, event in self._poll.poll(seconds * 1000)]
        return any(read)

    def _serve(self, descriptor: int, event: int) -> bool:
        """Do what there is to do; whether something was read."""
        if descriptor == self._end:
            self.ended = True
            self._poll.unregister(descriptor)
            return False
        if descriptor in self._going and event & ~select.POLLIN:
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
        return bool(data)

    def _write(self, descriptor: int) -> None:
        rest, close = self._going[descriptor]
        try:
            while rest:
                rest = rest[os.write(descriptor, rest[:_CHUNK]) :]
        except BlockingIOError:
            self._going[descriptor] = (rest, close)
            return
        except OSError:  # nobody reads it any more
            pass
        del self._going[descriptor]
        if descriptor in self._takers or not close:
            self._watch(descriptor)
        else:
            self._drop(descriptor)

    def _watch(self, descriptor: int) -> None:
        out = select.POLLOUT if descriptor in self._going else 0
        self._poll.register(descriptor, out | (select.POLLIN if descriptor in self._takers else 0))

    def _drop(self, descriptor: int) -> None:
        self._takers.pop(descriptor, None)
        self._going.pop(descriptor, None)
        self._poll.unregister(descriptor)
        os.close(descriptor)


class Folder(Box):
    """The working directory of a job, an ordinary folder."""

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700)
        self._owner = None
        self._work = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        """Give back the descriptor."""
        os.close(self._work)


class Running:
    """A process that has been started, and what comes out of it."""

    def __init__(
        self, process: subprocess.Popen[bytes], channel: int | None, limits: Limits, forget: Callable[[int], None]
    ) -> None:
        self._forget = forget
        self._process = process
        self._limits = limits
        self._started = time.monotonic()
        self.channel = channel
        self.lookout = Lookout(process.pid)
        self.outputs = [Output(limits.output_bytes), Output(limits.output_bytes)]
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdin = os.dup(process.stdin.fileno())
        for stream, at in ((process.stdout, 0), (process.stderr, 1)):
            self.lookout.listen(os.dup(stream.fileno()), lambda data, at=at: self._print(at, data))  # type: ignore[misc]
        for each in (process.stdin, process.stdout, process.stderr):
            each.close()

    @property
    def pid(self) -> int:
        """Its number, which is that of its group."""
        return self._process.pid

    def finish(self, inputs: list[bytes], folder: Folder, fetch: tuple[str, ...], room: int) -> Result:
        """Feed it, wait for its end and say what it did."""
        look, talk = self.lookout, None
        if self.channel is not None:
            os.close(self.stdin)
            talk = Conversation(cast(Watch, look), self.channel, inputs, self._limits.value_bytes)
        else:
            look.feed(self.stdin, inputs[0])
        look.until(lambda: look.ended or (talk is not None and talk.over), self._limits.wall_s)
        wall = time.monotonic() - self._started
        ended = look.ended
        status, used = self.end()
        look.drain()
        look.mute()
        if status == -signal.SIGXCPU or used.ru_utime + used.ru_stime > self._limits.cpu_s:
            look.hit("cpu")
        elif status == -signal.SIGXFSZ:
            look.hit("file")
        files: dict[str, bytes] = {}
        for path in fetch:
            data = folder.read(path, room)
            if data is not None:
                files[path] = data
                room -= len(data)
        head = {
            "exit": status if ended else (0 if talk and talk.complete and look.limit is None else None),
            "limit": look.limit,
            "cut": any(output.cut for output in self.outputs),
            "wall": wall,
            "cpu": used.ru_utime + used.ru_stime,
            "memory": used.ru_maxrss << 10,
            "replies": len(talk.replies) if talk else 0,
            "files": list(files),
        }
        texts = [output.take() for output in self.outputs]
        return result_of(head, [*texts, *(talk.replies if talk else ()), *files.values()], self._limits, fetch)

    def end(self) -> tuple[int, resource.struct_rusage]:
        """End it and its group; its status and what it used."""
        end(self.pid)
        _, status, used = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._forget(self.pid)
        return self._process.returncode, used

    def _print(self, at: int, data: bytes) -> None:
        self.outputs[at].add(data)
        if self.outputs[at].cut:
            self.lookout.hit("output")


def rlimits(limits: Limits, *, space: bool) -> list[tuple[int, int]]:
    """The limits that a process takes upon itself. That on processes counts all of the user's, and is left out."""
    found = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(limits.cpu_s) + 1),
        (resource.RLIMIT_FSIZE, limits.file_mb << 20),
        (resource.RLIMIT_NOFILE, 256),
    ]
    return [*found, (resource.RLIMIT_AS, (limits.memory_mb + limits.reserve_mb) << 20)] if space else found


def end(pid: int) -> None:
    """End a process that has not been waited for, and its group; what has left the group goes on."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
