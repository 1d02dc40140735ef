"""How a process becomes a program: everything it could reach is closed, every right given up, then the program begins.

The process that starts it learns over a pipe that all of this has worked; if not, nothing of the program runs.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Sequence
from typing import Any

from envhub.sandbox.inside import linux, seccomp

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/box/work",
    "LANG": "C.UTF-8",
    "TMPDIR": "/tmp",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_FILTER = seccomp.program(linux.MACHINE) if linux.MACHINE in seccomp.ARCHITECTURES else b""
_OPEN_FILES = 256
_STACK = 8 << 20
_SLACK = 512 << 20
"""Of address space beyond the memory granted: it is reserved for stacks and by allocators, and mostly not used."""


class NotStarted(Exception):
    """The program could not be started; not its fault."""


class Spawner:
    """Starts programs.

    Args:
        ids: The id of what watches and of programs; None where there is one for both.
        extra: How many processes the user may have beyond those granted: the trusted ones of the same user, and some more
            where a control group does the counting.
    """

    def __init__(self, ids: tuple[int, int] | None, extra: int) -> None:
        self._ids = ids
        self._extra = extra

    def start(
        self, program: Callable[[], object], streams: Sequence[int], limits: dict[str, Any], *, space: bool = True
    ) -> int:
        """Fork, give up everything and call ``program``, which does not return.

        Args:
            program: What to do then.
            streams: The descriptors that it finds as 0, 1, 2 and so on; it has no others.
            limits: What it may use.
            space: Whether virtual memory is limited.

        Returns:
            The process id.

        Raises:
            NotStarted: Something could not be given up.
        """
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            gate = tell
            try:
                os.close(told)
                os.setsid()
                _arrange([*streams, tell])
                gate = len(streams)
                self._strip(limits, space)
                os.close(gate)
            except BaseException as error:
                os.write(gate, repr(error).encode()[:2000])
                os._exit(127)
            _begin(program)
        os.close(tell)
        problem = os.read(told, 2000)
        os.close(told)
        if problem:
            raise NotStarted(problem.decode("utf-8", "replace"))
        return pid

    def _strip(self, limits: dict[str, Any], space: bool) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        linux.prctl(linux.DUMPABLE, 1)  # else our own files in /proc are root's
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        _limit(limits, space, self._extra)
        if self._ids:
            own = self._ids[1]
            os.setresgid(own, own, own)
            os.setresuid(own, own, own)
        linux.drop_capabilities()
        linux.prctl(linux.DUMPABLE, 1)  # changing the user has reset it
        os.chdir("/box/work")
        linux.load_filter(_FILTER)


def _arrange(streams: Sequence[int]) -> None:
    """Put descriptors to 0, 1, 2 and so on, and close all others."""
    high = [os.dup2(descriptor, 100 + at) for at, descriptor in enumerate(streams)]
    for at, descriptor in enumerate(high):
        os.dup2(descriptor, at)
    os.closerange(len(streams), 1024)


def _limit(limits: dict[str, Any], space: bool, extra: int) -> None:
    seconds = int(limits["cpu_s"]) + 1
    wanted = [
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_FSIZE, limits["file_mb"] << 20, limits["file_mb"] << 20),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
        (resource.RLIMIT_NPROC, limits["pids"] + extra, limits["pids"] + extra),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_STACK, _STACK, _STACK),
    ]
    if space:
        most = (limits["memory_mb"] << 20) + _SLACK
        wanted.append((resource.RLIMIT_AS, most, most))
    for which, soft, hard in wanted:
        resource.setrlimit(which, (soft, hard))


def _begin(program: Callable[[], object]) -> None:
    try:
        program()
    finally:  # it has returned, or raised what only a program that reaches into us can make it raise
        os._exit(70)


def execute(arguments: Sequence[str]) -> None:
    """Become another program; say so on standard error if there is none."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        os.execvpe(arguments[0], list(arguments), ENVIRONMENT)
    except OSError as error:
        os.write(2, f"{arguments[0]}: {error.strerror}\n".encode())
    os._exit(127)
