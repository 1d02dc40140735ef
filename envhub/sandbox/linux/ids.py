"""Which users programs are outside their jail, where root can give them some of their own: two for each slot.

They are drawn, far from those that people and services have. Slots of other processes do not share them, which matters because
older kernels count processes by user over the whole machine::

    first, second = draw()          # or None, where this root may not be other users
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

_FIRST: Final = 0x70000000  # up to twice as many nobody has: neither people, nor systemd, nor containers
_COUNT: Final = 1 << 27
_PEOPLE: Final = 10_000
_MAPS: Final = ("/proc/self/uid_map", "/proc/self/gid_map")


def draw(maps: tuple[str, ...] = _MAPS) -> list[int] | None:
    """Two ids that are a user and a group here; None in a user namespace that has too few.

    Args:
        maps: The files in which the kernel says which ids there are.
    """
    lowest, highest = _FIRST, _FIRST + _COUNT
    for path in maps:
        start, end = _largest(path)
        if end < highest:  # a container with users of its own: the upper ones
            lowest, highest = min(lowest, max(start, _PEOPLE)), end
        lowest = max(lowest, start)
    pairs = (highest - lowest) // 2
    if pairs < 1:
        return None
    first = lowest + 2 * secrets.randbelow(pairs)
    return [first, first + 1]


def _largest(path: str) -> tuple[int, int]:
    """The largest range of ids that there are, without its end."""
    try:
        rows = [[int(field) for field in line.split()] for line in Path(path).read_text().splitlines()]
        size, start = max((row[2], row[0]) for row in rows)
    except (OSError, ValueError, IndexError):
        return 0, 1 << 32
    return start, start + size
