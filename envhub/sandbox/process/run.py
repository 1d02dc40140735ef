"""A process of the ``process`` backend.

Its folder, its limits and its streams.
"""

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

from envhub.sandbox.inside.box import Box
from envhub.sandbox.inside.calls import Conversation
from envhub.sandbox.inside.streams import Output, Streams
from envhub.sandbox.jobs import LimitName, Limits, Result
from envhub.sandbox.slots.replies import limit_of, result_of


class ProcessStreams(Streams):
    """The streams of one process, until it ends or times out.

    Attributes:
        limit: The first limit that was hit, or None.
        ended: Whether the process has ended.
    """

    def __init__(self, pid: int) -> None:
        super().__init__()
        self.ended = False
        self._end = os.pidfd_open(pid)
        self._poll.register(self._end, select.POLLIN)

    @property
    def limit_name(self) -> LimitName | None:
        """The limit as results name it."""
        return limit_of(self.limit)

    def until(self, done: Callable[[], bool], wall_s: float) -> bool:
        """Serve the streams until ``done()`` or a limit is hit.

        Whether it is done.
        """
        deadline = time.monotonic() + wall_s
        while not done() and self.limit is None:
            left = deadline - time.monotonic()
            if left <= 0:
                self._serve_all(0)  # this process may have been suspended while the program was not
                if not done():
                    self.hit("wall")
                break
            self._serve_all(left)
        return done() and self.limit is None

    def close_streams(self) -> None:
        """Close every descriptor."""
        super().close_streams()
        if self._end >= 0:
            os.close(self._end)
            self._end = -1

    def _serve(self, descriptor: int, event: int) -> bool:
        if descriptor == self._end:
            self.ended = True
            self._poll.unregister(descriptor)
            return False
        return super()._serve(descriptor, event)


class Folder(Box):
    """The working directory of a job, a plain folder."""

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700)
        self._owner = None
        self._work = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._work)


class Running:
    """A started process with its streams."""

    def __init__(
        self, process: subprocess.Popen[bytes], channel: int | None, limits: Limits, forget: Callable[[int], None]
    ) -> None:
        self._forget = forget
        self._process = process
        self._limits = limits
        self._started = time.monotonic()
        self.channel = channel
        self.streams = ProcessStreams(process.pid)
        self.outputs = [Output(limits.output_bytes), Output(limits.output_bytes)]
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdin = os.dup(process.stdin.fileno())
        for stream, at in ((process.stdout, 0), (process.stderr, 1)):
            self.streams.listen(os.dup(stream.fileno()), lambda data, at=at: self._print(at, data))  # type: ignore[misc]
        for each in (process.stdin, process.stdout, process.stderr):
            each.close()

    @property
    def pid(self) -> int:
        """The process id, which is also that of its group."""
        return self._process.pid

    def finish(self, inputs: list[bytes], folder: Folder, fetch: tuple[str, ...], room: int) -> Result:
        """Write the inputs, wait for the end and return the result."""
        look, talk = self.streams, None
        if self.channel is not None:
            os.close(self.stdin)
            talk = Conversation(look, self.channel, inputs, self._limits.value_bytes)
        else:
            look.feed(self.stdin, inputs[0])
        look.until(lambda: look.ended or (talk is not None and talk.over), self._limits.wall_s)
        wall = time.monotonic() - self._started
        ended = look.ended
        status, used = self.end()
        look.drain()
        look.close_streams()
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
        """Kill the process and its group.

        Return its exit status and resource usage.
        """
        end(self.pid)
        _, status, used = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._forget(self.pid)
        return self._process.returncode, used

    def _print(self, at: int, data: bytes) -> None:
        self.outputs[at].add(data)
        if self.outputs[at].cut:
            self.streams.hit("output")


def rlimits(limits: Limits, *, space: bool) -> list[tuple[int, int]]:
    """Resource limits that a process sets on itself.

    Without RLIMIT_NPROC, which counts all processes of the user.
    """
    found = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(limits.cpu_s) + 1),
        (resource.RLIMIT_FSIZE, limits.file_mb << 20),
        (resource.RLIMIT_NOFILE, 256),
    ]
    return [*found, (resource.RLIMIT_AS, (limits.memory_mb + limits.reserve_mb) << 20)] if space else found


def end(pid: int) -> None:
    """Kill a process that has not been waited for, and its group.

    Processes that left the group survive.
    """
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
