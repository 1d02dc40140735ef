"""Runs foreign code that evaluates policy text in a confined forked process.

``confined(work)`` forks, confines the child and runs ``work`` there; only one float comes back::

    score = confined(lambda: dataset.score_answer(answer, item))

Enforced, otherwise nothing runs: a system call filter (seccomp, Linux 5.0 and later on x86-64 and arm64) that allows
only memory, reading, and writing to the one open pipe. So the child cannot create, change or delete files, open
sockets, start processes or threads, send signals, execute programs or wait for other processes. In addition, limits on
CPU time, memory, file size, open files and processes, no new privileges, and the user ``nobody`` when started as root.

*Not* enforced: the child can read its user's files and the memory of the process it was forked from, which contains the
item with its answer and the environment variables. It can pass this on only through the float, which such code can set
freely. A caller that must trust the float admits no code (as :mod:`envhub.adapters.reasoning_gym.scoring` does). The
caller's pool limits wall time: it kills the process group, which the child cannot leave.
"""

from __future__ import annotations

import ctypes
import io
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from typing import Final, NoReturn

__all__ = ["Refused", "Unconfined", "confined"]

_DENY: Final = 0x00050000 | 1  # SECCOMP_RET_ERRNO with EPERM
_ALLOW: Final = 0x7FFF0000
_CHANGES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 1, 4, 22, 38
_NOBODY: Final = 65534
_SPARE_FILES: Final = 8  # scorers may import modules, which needs reading
_RESULT: Final = struct.Struct("<cd")

# By machine: the architecture's number, openat, and the calls that compute, read, or end the process.
_CALLS: Final = {
    "x86_64": (
        0xC000003E,
        257,
        (
            *(0, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 21, 24, 25, 28, 39, 60, 72, 79, 89, 96, 97, 131),
            *(186, 202, 217, 228, 231, 262, 267, 318, 332, 334, 439),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        56,
        (
            *(17, 25, 29, 48, 57, 61, 62, 63, 64, 67, 78, 79, 80, 93, 94, 98, 113, 124, 132, 134, 135, 139, 163, 169),
            *(172, 178, 214, 215, 216, 222, 226, 233, 278, 291, 293, 439),
        ),
    ),
}


class Unconfined(RuntimeError):
    """This machine cannot confine a process, so nothing was run."""


class Refused(RuntimeError):
    """The work raised an exception; its text stays in the child."""


def confined(work: Callable[[], float], cpu_s: int = 2, memory_mb: int = 512) -> float:
    """The result of ``work``, run in a confined child of this process.

    Args:
        work: Function to run; it sees a copy of this process's memory.
        cpu_s: CPU time limit of the child, in seconds.
        memory_mb: Memory limit of the child beyond this process's memory.

    Raises:
        Unconfined: The child could not be confined; ``work`` was not run.
        Refused: ``work`` raised an exception.
        ChildProcessError: The child was killed, by its limits or the filter, or returned nothing.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, writing, cpu_s, memory_mb)
    os.close(writing)
    said = b""
    try:
        while len(said) <= _RESULT.size and (part := os.read(reading, 64)):
            said += part
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(reading)
        _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != 0 or len(said) != _RESULT.size:
        raise ChildProcessError(f"the confined process ended with status {os.waitstatus_to_exitcode(status)}")
    kind, value = _RESULT.unpack(said)
    if kind == b"u":
        raise Unconfined("This machine offers no filter of system calls (seccomp), so foreign scorers do not run here.")
    if kind != b"v":
        raise Refused("the work raised an exception")
    return float(value)


def _child(work: Callable[[], float], writing: int, cpu_s: int, memory_mb: int) -> NoReturn:
    """Confine this process, run the work, report, exit.

    Skips all cleanup of the parent's.
    """
    kind, value = b"u", 0.0
    try:
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
        _confine(writing, cpu_s, memory_mb)
        kind = b"r"
        kind, value = b"v", float(work())
    except BaseException:  # any exception; ``kind`` distinguishes them
        value = 0.0
    finally:
        try:
            os.write(writing, _RESULT.pack(kind, value))
            os._exit(0)
        finally:
            os._exit(1)


def _confine(kept: int, cpu_s: int, memory_mb: int) -> None:
    """Drop all access but one file descriptor.

    Raises:
        OSError: The limits or the filter cannot be set.
        KeyError: This machine's architecture has no filter.
    """
    os.closerange(0, kept)
    os.closerange(kept + 1, 1 << 20)
    with open("/proc/self/statm") as counts:
        held = int(counts.read().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, kept + 1 + _SPARE_FILES),
        (resource.RLIMIT_AS, held + (memory_mb << 20)),
    ):
        hard = resource.getrlimit(what)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (limit, limit))
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    _prctl(libc, _SET_DUMPABLE, 0)
    _prctl(libc, _SET_DEATH_SIGNAL, signal.SIGKILL)
    _prctl(libc, _SET_NO_NEW_PRIVILEGES, 1)
    program = _filter(os.uname().machine)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    _prctl(libc, _SET_SECCOMP, 2, ctypes.create_string_buffer(header, len(header)))


def _prctl(libc: ctypes.CDLL, option: int, value: int, pointer: object = 0) -> None:
    if libc.prctl(option, ctypes.c_ulong(value), pointer or ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def _filter(machine: str) -> bytes:
    """The seccomp program of the confined process.

    Listed calls pass, ``openat`` only for reading; others get EPERM.
    """
    architecture, openat, calls = _CALLS[machine]
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    last = len(calls)
    program = [
        (load, 0, 0, 4),  # the architecture
        (equal, 0, last + 2, architecture),
        (load, 0, 0, 0),  # the system call number
        (equal, last + 1, 0, openat),
        *((equal, last - place + 2, 0, call) for place, call in enumerate(calls)),
        (give, 0, 0, _DENY),
        (load, 0, 0, 32),  # the flags of openat
        (any_bit, 1, 0, _CHANGES),
        (give, 0, 0, _ALLOW),
        (give, 0, 0, _DENY),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in program)
