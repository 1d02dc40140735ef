"""Turns a process into an untrusted program.

Closes descriptors, drops privileges, then runs it. The process reports over a pipe that every step worked. If one
failed, nothing of the program runs.
"""

from __future__ import annotations

import _random
import os
import random
import resource
import signal
import sys
import threading
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
if _FILTER:
    linux.kernel_filter(_FILTER)  # once, before all forks
_OPEN_FILES = 256
_STACK = 8 << 20


_seed: Any = _random.Random.seed


class NotStarted(Exception):
    """The program could not be started, which is not its fault."""


class Resumed(BaseException):
    """A process continues as the native program it was forked from.

    See :mod:`envhub.sandbox.inside.warm`.

    Attributes:
        arguments: The command line after the program's name.
    """

    def __init__(self, arguments: list[str]) -> None:
        super().__init__()
        self.arguments = arguments


class Spawner:
    """Starts programs.

    Args:
        ids: User ids of trusted processes and of programs; None if they are the same.
        extra: Processes that the user may have beyond the job's limit: trusted ones of the same user, and some more if a
            control group enforces the limit.
    """

    def __init__(self, ids: tuple[int, int] | None, extra: int) -> None:
        self._ids = ids
        self._extra = extra

    def start(
        self, program: Callable[[], object], streams: Sequence[int], limits: dict[str, Any], *, space: bool = True
    ) -> int:
        """Fork, drop all privileges and call ``program``, which does not return.

        Args:
            program: The function that becomes the program.
            streams: Its only descriptors, as 0, 1, 2 and so on.
            limits: Resource limits.
            space: Whether to limit virtual memory.

        Returns:
            The process id.

        Raises:
            NotStarted: A step failed.
        """
        told, tell = os.pipe()
        pid = linux.fork()
        if pid == 0:
            gate = tell
            try:
                os.close(told)
                after_fork()
                arrange([*streams, tell])
                gate = len(streams)
                self.strip(limits, space)
                os.close(gate)
            except BaseException as error:
                os.write(gate, repr(error).encode()[:2000])
                os._exit(127)
            begin(program)
        os.close(tell)
        started(told)
        return pid

    def strip(self, limits: dict[str, Any], space: bool) -> None:
        """Drop all privileges, in the process that becomes the program."""
        signal.set_wakeup_fd(-1)
        linux.handle(signal.SIGCHLD, linux.DEFAULT)
        linux.prctl(linux.DUMPABLE, 1)  # else our files in /proc belong to root
        adjust = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(adjust, b"1000")
        os.close(adjust)
        _limit(limits, space, self._extra)
        if self._ids:
            own = self._ids[1]
            os.setresgid(own, own, own)
            os.setresuid(own, own, own)
        linux.drop_capabilities()
        linux.prctl(linux.DUMPABLE, 1)  # reset by changing the user
        os.chdir("/box/work")
        linux.load_filter(_FILTER)


def pipe(owner: int | None) -> tuple[int, int]:
    """Create a pipe that a program may reopen by name.

    The names are ``/dev/stdin`` and ``/dev/stdout``.

    Args:
        owner: User id of programs; None if it is our own.
    """
    ends = os.pipe()
    if owner is not None:
        os.fchown(ends[0], owner, owner)  # both ends are one inode of mode 0600
    return ends


def started(gate: int) -> None:
    """Wait until a process has dropped its privileges.

    Raises:
        NotStarted: It failed; the message says why.
    """
    problem = os.read(gate, 2000)
    os.close(gate)
    if problem:
        raise NotStarted(problem.decode("utf-8", "replace"))


def after_fork() -> None:
    """Do what modules do after a fork, and start a new session."""
    os.setsid()
    _seed(random._inst)  # same as random.seed()
    main: Any = threading.main_thread()
    main._set_native_id()


def arrange(streams: Sequence[int]) -> None:
    """Move descriptors to 0, 1, 2 and so on; close others."""
    high = [os.dup2(descriptor, 100 + at) for at, descriptor in enumerate(streams)]
    for at, descriptor in enumerate(high):
        os.dup2(descriptor, at)
    os.closerange(len(streams), 1024)


def _limit(limits: dict[str, Any], space: bool, extra: int) -> None:
    seconds = int(limits["cpu_s"]) + 1
    processes, most = limits["pids"] + extra, resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if most != resource.RLIM_INFINITY:
        processes = min(processes, most)
    wanted = [
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_FSIZE, limits["file_mb"] << 20, limits["file_mb"] << 20),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
        (resource.RLIMIT_NPROC, processes, processes),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_STACK, _STACK, _STACK),
    ]
    if space:
        most = (limits["memory_mb"] + limits["reserve_mb"]) << 20
        wanted.append((resource.RLIMIT_AS, most, most))
    for which, soft, hard in wanted:
        resource.setrlimit(which, (soft, hard))


def begin(program: Callable[[], object]) -> None:
    """Run a program, which does not return.

    Raises:
        Resumed: It goes on elsewhere.
    """
    try:
        program()
    except Resumed:
        raise
    except BaseException:  # programs exit by themselves; only one that tampers with us gets here
        os._exit(70)
    os._exit(70)


def begin_with(variables: dict[str, str], program: Callable[[], object]) -> None:
    """Run a program with further environment variables.

    The running interpreter also searches ``PYTHONPATH``, after its own modules.
    """
    ENVIRONMENT.update(variables)
    os.environ.update(variables)
    sys.path.extend(filter(None, variables.get("PYTHONPATH", "").split(":")))
    program()


def execute(arguments: Sequence[str]) -> None:
    """Execute another program; if that fails, report it on standard error."""
    _reset_signals()
    try:
        os.execvpe(arguments[0], list(arguments), ENVIRONMENT)
    except OSError as error:
        os.write(2, f"{arguments[0]}: {error.strerror}\n".encode())
    os._exit(127)


def resume(arguments: list[str]) -> None:
    """Continue as the native program this process was forked from.

    Raises:
        Resumed: Always.
    """
    _reset_signals()
    raise Resumed(arguments)


def _reset_signals() -> None:
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
