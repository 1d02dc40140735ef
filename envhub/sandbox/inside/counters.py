"""Reads the kernel's counters.

Those of the own control group are read through descriptors, because a jail has no path to them.
"""

from __future__ import annotations

import os

STAT = 42
"""Descriptor of ``memory.stat`` in a jail."""
_ANONYMOUS = (b"anon", b"total_rss")  # of version 2 and of version 1


def read_whole(path: str) -> bytes:
    """The content of a short kernel file.

    A buffered reader would take seven system calls instead of three.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 1 << 14)
    finally:
        os.close(file)


def opened(path: str) -> int:
    """Open a counter; -1 if it does not exist."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def number(file: int, *names: bytes) -> int:
    """The number in a kernel file, or after a name in it.

    It follows the first of the names found; 0 if missing.
    """
    if file < 0:
        return 0
    words = os.pread(file, 4096, 0).split()
    at = next((words.index(name) + 1 for name in names if name in words), -1) if names else 0
    return int(words[at]) if at >= 0 and words[at : at + 1] and words[at].isdigit() else 0


def anonymous(stat: int = STAT) -> int:
    """Bytes of anonymous memory from ``memory.stat``; 0 if unreadable."""
    return number(stat, *_ANONYMOUS)
