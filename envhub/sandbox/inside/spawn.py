"""Turns a process into an untrusted program.

Closes descriptors, drops privileges, then runs it. The process reports over a pipe that every step worked. If one
failed, nothing of the program runs.
"""

from __future__ import annotations

import _random
import _socket
import marshal
import os
import random
import resource
import signal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import linux, seccomp, wire

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
                _forked()
                _arrange([*streams, tell])
                gate = len(streams)
                self.strip(limits, space)
                os.close(gate)
            except BaseException as error:
                os.write(gate, repr(error).encode()[:2000])
                os._exit(127)
            begin(program)
        os.close(tell)
        _started(told)
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


class PreparedProcess:
    """A process that was forked before the request arrived.

    So nothing of the request is in its memory. Its descriptors are created first, before the fork, so that little
    happens in between: every change to shared memory is copied, and copied again after the next fork.

    Args:
        owner: User id of programs; None if it is our own.

    Attributes:
        pid: Its process id once forked.
        stdin: Write end of its standard input.
        outputs: Read ends of its standard output and standard error.
        channel: Our end of its descriptor 3.
    """

    def __init__(self, owner: int | None) -> None:
        feed, self.stdin = pipe(owner)
        (out, out_end), (err, err_end) = pipe(owner), pipe(owner)
        self.outputs = (out, err)
        self.channel, channel_end = _pair()
        self._gate, gate_end = _pair()
        self._theirs = (feed, out_end, err_end, channel_end, gate_end)
        self.pid = 0

    def fork(self, spawner: Spawner, become: Callable[[Any], Callable[[], object]]) -> None:
        """Fork the process.

        Args:
            spawner: Drops its privileges.
            become: Builds the program from what is sent to it.
        """
        pid = linux.fork()
        if pid == 0:
            _wait(spawner, become, self._theirs, None)
        self.pid = pid
        for descriptor in self._theirs:
            os.close(descriptor)

    def hand_over(self, handoff: Any, pid: int) -> None:
        """Send its descriptors to a waiting process that was forked elsewhere (:func:`run_prepared`)."""
        handoff.sendmsg([b"d"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("5i", *self._theirs))])
        self.pid = pid
        for descriptor in self._theirs:
            os.close(descriptor)

    def close_all(self) -> None:
        """Close every descriptor, if another process uses them."""
        for descriptor in (*self._theirs, self._gate, self.stdin, *self.outputs, self.channel):
            os.close(descriptor)

    def send_program(self, told: Any, limits: dict[str, Any], *, space: bool, channel: bool) -> None:
        """Send the program.

        The process then drops its privileges and waits for :meth:`release`.

        Args:
            told: Description of the program, as plain values.
            limits: Resource limits.
            space: Whether to limit virtual memory.
            channel: Whether the program keeps descriptor 3.
        """
        wire.send(self._gate, marshal.dumps((told, limits, space, channel)))

    def receive_directory(self) -> int:
        """Receive the descriptor of the working directory that the process created.

        Raises:
            NotStarted: It could not create one.
        """
        gate = _end(self._gate)
        text, given, _, _ = gate.recvmsg(2000, _socket.CMSG_SPACE(4))
        gate.detach()
        if not given:
            raise NotStarted(text.decode("utf-8", "replace"))
        return int(struct.unpack("i", given[0][2])[0])

    def release(self) -> None:
        """Let the process run the program.

        Raises:
            NotStarted: A step failed.
        """
        gate, self._gate = self._gate, -1
        with suppress(BrokenPipeError):  # it has reported why
            os.write(gate, b"g")
        _started(gate)

    def close_ours(self) -> None:
        """Close our ends of its descriptors."""
        for descriptor in (self._gate, self.stdin, *self.outputs, self.channel):
            os.close(descriptor)

    def kill(self) -> None:
        """Kill the process, which is not needed."""
        self.close_ours()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def run_prepared(
    spawner: Spawner,
    become: Callable[[Any], Callable[[], object]],
    handoff: Any,
    furnish: Callable[[dict[str, Any]], int],
) -> None:
    """Run as the process that receives :meth:`PreparedProcess.hand_over`. Does not return.

    Args:
        spawner: Drops its privileges.
        become: Builds the program from what is sent to it.
        handoff: Socket from which it receives its descriptors.
        furnish: Creates its directories for given limits and returns a descriptor of the working directory.
    """
    _, given, _, _ = handoff.recvmsg(1, _socket.CMSG_SPACE(20))
    _wait(spawner, become, struct.unpack("5i", given[0][2]), furnish)


def _wait(
    spawner: Spawner,
    become: Callable[[Any], Callable[[], object]],
    streams: Sequence[int],
    furnish: Callable[[dict[str, Any]], int] | None,
) -> None:
    gate = streams[-1]
    try:
        _forked()
        _arrange(streams)
        gate = len(streams) - 1
        told, limits, space, channel = marshal.loads(wire.receive(gate))  # from our own parent
        if not channel:
            os.close(gate - 1)
        program = become(told)
        if furnish:
            _show(gate, furnish(limits))
        spawner.strip(limits, space)
        if os.read(gate, 1):
            os.close(gate)
        else:
            os._exit(127)
    except BaseException as error:
        os.write(gate, repr(error).encode()[:2000])
        os._exit(127)
    begin(program)


def _show(gate: int, directory: int) -> None:
    end = _end(gate)
    end.sendmsg([b"d"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", directory))])
    end.detach()
    os.close(directory)


def _started(gate: int) -> None:
    """Wait until a process has dropped its privileges.

    Raises:
        NotStarted: It failed; the message says why.
    """
    problem = os.read(gate, 2000)
    os.close(gate)
    if problem:
        raise NotStarted(problem.decode("utf-8", "replace"))


def _end(descriptor: int) -> Any:
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, descriptor)


def _pair() -> tuple[int, int]:
    one, other = _socket.socketpair()
    return one.detach(), other.detach()


def _forked() -> None:
    """Do what modules do after a fork, and start a new session."""
    os.setsid()
    _seed(random._inst)  # same as random.seed()
    main: Any = threading.main_thread()
    main._set_native_id()


def _arrange(streams: Sequence[int]) -> None:
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
