"""Processes that are forked before their request arrives.

So nothing of the request is in their memory before it is sent to them. Such a process receives its program as plain
values, drops its privileges (:mod:`envhub.sandbox.inside.spawn`) and runs it. It reports over a socket that every step
worked; if one failed, nothing of the program runs::

    waiting = PreparedProcess(owner)
    waiting.fork(spawner, become)
    waiting.send_program(told, limits, space=True, channel=False)
    waiting.release()
"""

from __future__ import annotations

import _socket
import marshal
import os
import signal
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import linux, wire
from envhub.sandbox.inside.spawn import NotStarted, Spawner, after_fork, arrange, begin, pipe, started


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
        started(gate)

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
        after_fork()
        arrange(streams)
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


def _end(descriptor: int) -> Any:
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, descriptor)


def _pair() -> tuple[int, int]:
    one, other = _socket.socketpair()
    return one.detach(), other.detach()
