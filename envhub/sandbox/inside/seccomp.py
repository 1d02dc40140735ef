"""The seccomp filter of every program in a jail, assembled by hand.

It is an allow-list (:mod:`envhub.sandbox.inside.syscalls`). Calls outside the list fail with ``ENOSYS``, so a program or
its C library falls back to others. Known hostile calls fail with ``EPERM``. Calls of other architectures, 32-bit and x32, fail
with ``ENOSYS`` too. No call kills the program::

    linux.load_filter(program("x86_64"))

Some calls are allowed for some arguments only:

- ``clone`` creates threads and child processes, but no namespaces, and no siblings (``CLONE_PARENT``): the sibling of a job's
  first process would be outside of the job's process namespace.
- ``fcntl`` sets no leases and no notifications.
- ``fadvise64`` and ``madvise`` do not change what the machine keeps in memory for others.
- ``ioctl`` is for terminals, pipes and sockets.
- ``prctl`` and ``setsockopt`` install no filters.
"""

from __future__ import annotations

import struct

from envhub.sandbox.inside.syscalls import ALLOWED, CHECKED, REFUSED

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine: the column of the tables, and the kernel's number of the architecture."""

_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD, _FOURTH = 0, 4, 16, 24, 32, 40
_ALLOW = 0x7FFF0000
_EPERM, _ENOTTY, _ENOSYS = 1, 25, 38
REFUSED_IOCTLS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: keystrokes into a terminal, refused to the trusted processes of a container, too."""
AF_UNIX = 1
_IOCTLS = (
    *(0x5401, 0x5402, 0x5403, 0x5404),  # TCGETS, TCSETS, TCSETSW, TCSETSF
    *(0x5405, 0x5406, 0x5407, 0x5408, 0x5409, 0x540A, 0x540B),  # TCGETA, TCSETA*, TCSBRK, TCXONC, TCFLSH
    *(
        0x540E,
        0x540F,
        0x5410,
        0x5411,
        0x5413,
        0x5414,
        0x5422,
        0x5425,
        0x5429,
    ),  # TIOC: SCTTY, [GS]PGRP, OUTQ, [GS]WINSZ, ...
    *(0x541B, 0x5421, 0x5450, 0x5451, 0x5452),  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FIOASYNC
)
_FCNTLS = (
    *range(12),  # descriptors, flags, locks, and who is signalled
    *(15, 16, 36, 37, 38),  # F_SETOWN_EX, F_GETOWN_EX, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW
    *(1030, 1031, 1032, 1033, 1034),  # F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS
)
_FADVICE = (0, 1, 2, 3, 5)  # not POSIX_FADV_DONTNEED: the pages of a system file are everybody's
_MADVICE = (*range(5), 8, 10, 11, 13, 14, 15, 16, 17, 18, 19, 22, 23, 25)  # not MERGEABLE, COLD, PAGEOUT, HWPOISON
_PRCTLS = (
    *(
        1,
        2,
        3,
        4,
        7,
        8,
        15,
        16,
        21,
        23,
        27,
        29,
        30,
    ),  # PDEATHSIG, DUMPABLE, KEEPCAPS, NAME, SECCOMP (get), CAPBSET (read), ...
    *(
        36,
        37,
        38,
        39,
        40,
        41,
        42,
        47,
        0x53564D41,
    ),  # CHILD_SUBREAPER, NO_NEW_PRIVS, TID_ADDRESS, THP, CAP_AMBIENT, VMA names
)
_SOCKET_FILTERS = (26, 50, 51, 52)  # SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_[CE]BPF
# VM, FS, FILES, SIGHAND, PIDFD, VFORK, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID, DETACHED, CHILD_SETTID; a signal
_CLONE = 0x100 | 0x200 | 0x400 | 0x800 | 0x1000 | 0x4000 | 0x10000 | 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000
_CLONE |= 0x1000000 | 0x7F
_Line = tuple[int, int, int, int]


def program(machine: str) -> bytes:
    """The filter for a machine, in the kernel's format.

    Raises:
        KeyError: Unknown machine.
    """
    column, architecture = ARCHITECTURES[machine]
    lines = [_load(_ARCHITECTURE), (0x15, 1, 0, architecture), _NONE, _load(_NUMBER), *_search(_runs(column))]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _runs(column: int) -> list[tuple[int, list[_Line]]]:
    """Ranges of calls with equal treatment.

    The first number of each range, and its instructions.
    """
    rules: dict[int | None, list[_Line]] = {numbers[column]: [_PASS] for numbers in ALLOWED.values()}
    rules |= {numbers[column]: [_DENY] for numbers in REFUSED.values()}
    rules |= {numbers[column]: _RULES[name] for name, numbers in CHECKED.items()}
    newest = max(number for number in rules if number is not None)
    runs: list[tuple[int, list[_Line]]] = []
    for number in range(newest + 2):  # the last run holds all later numbers, the x32 ones among them
        rule = rules.get(number, [_NONE])
        if not runs or runs[-1][1] != rule:
            runs.append((number, rule))
    return runs


def _search(runs: list[tuple[int, list[_Line]]]) -> list[_Line]:
    """Find the run of a call by halves.

    The kernel tries every call when it takes the filter, which is for every program.
    """
    if len(runs) == 1:
        return runs[0][1]
    half = len(runs) // 2
    below, above = _search(runs[:half]), _search(runs[half:])
    if len(below) > _FAR:
        return [(0x35, 0, 1, runs[half][0]), (0x05, 0, 0, len(below)), *below, *above]
    return [(0x35, len(below), 0, runs[half][0]), *below, *above]


_FAR = 255
"""How far a comparison can jump."""


def _load(offset: int) -> _Line:
    return (0x20, 0, 0, offset)


def _error(number: int) -> _Line:
    return (0x06, 0, 0, 0x00050000 | number)


_PASS, _DENY, _NONE = (0x06, 0, 0, _ALLOW), _error(_EPERM), _error(_ENOSYS)


def _one_of(argument: int, values: tuple[int, ...], yes: _Line, no: _Line) -> list[_Line]:
    """Compare the low half of an argument.

    The kernel looks at no more of it in these calls.
    """
    rest = len(values)
    return [_load(argument), *((0x15, rest - at, 0, value) for at, value in enumerate(values)), no, yes]


_RULES = {
    "clone": [_load(_FIRST), (0x45, 0, 1, 0xFFFFFFFF & ~_CLONE), _DENY, _PASS],
    "fadvise64": _one_of(_FOURTH, _FADVICE, _PASS, _DENY),
    "fcntl": _one_of(_SECOND, _FCNTLS, _PASS, _DENY),
    "ioctl": [
        _load(_SECOND),
        *(line for request in REFUSED_IOCTLS for line in ((0x15, 0, 1, request), _DENY)),
        *_one_of(_SECOND, _IOCTLS, _PASS, _error(_ENOTTY)),
    ],
    "madvise": _one_of(_THIRD, _MADVICE, _PASS, _DENY),
    # only to be left as it is, or to be asked for
    "personality": _one_of(_FIRST, (0, 0xFFFFFFFF), _PASS, _DENY),
    "prctl": _one_of(_FIRST, _PRCTLS, _PASS, _DENY),
    # only one's own limits: the first process of the job may have the same user
    "prlimit64": _one_of(_FIRST, (0,), _PASS, _DENY),
    "setsockopt": _one_of(_THIRD, _SOCKET_FILTERS, _DENY, _PASS),
    # an event loop and node's child processes need one; it leads nowhere else
    "socketpair": _one_of(_FIRST, (AF_UNIX,), _PASS, _DENY),
}
