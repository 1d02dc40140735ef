"""What the kernel counts of a control group, read inside of it: through descriptors, for there is no path to it everywhere."""

from __future__ import annotations

import os

STAT = 42
"""The descriptor of ``memory.stat`` in a jail, which sees no control groups."""
_ANONYMOUS = (b"anon", b"total_rss")  # of version 2 and of version 1


def opened(path: str) -> int:
    """A descriptor of a counter, or -1 where there is none."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def number(file: int, *names: bytes) -> int:
    """The number in a file of the kernel, or in the line with the first of the names that it has; 0 where there is none."""
    if file < 0:
        return 0
    words = os.pread(file, 4096, 0).split()
    at = next((words.index(name) + 1 for name in names if name in words), -1) if names else 0
    return int(words[at]) if at >= 0 and words[at : at + 1] and words[at].isdigit() else 0


def anonymous(stat: int = STAT) -> int:
    """Bytes of memory that are in no file, of ``memory.stat``; 0 where it is not to be seen."""
    return number(stat, *_ANONYMOUS)
