"""Random user ids for the processes of a jail.

Two per slot, if root starts it. They are far from the ids of people and services, and not shared with slots of other
processes: older kernels count processes per user over the whole machine::

    first, second = draw_ids()          # or None if this root may not change to other users
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

_FIRST: Final = 0x70000000  # the range up to twice this is unused by people, systemd and containers
_COUNT: Final = 1 << 27
_PEOPLE: Final = 10_000
_MAPS: Final = ("/proc/self/uid_map", "/proc/self/gid_map")


def draw_ids(maps: tuple[str, ...] = _MAPS) -> list[int] | None:
    """Draw two ids that are valid for users and groups.

    None in a user namespace with too few.

    Args:
        maps: The kernel's id maps.
    """
    lowest, highest = _FIRST, _FIRST + _COUNT
    for path in maps:
        start, end = _largest(path)
        if end < highest:  # a container with a user namespace: use the upper ids
            lowest, highest = min(lowest, max(start, _PEOPLE)), end
        lowest = max(lowest, start)
    pairs = (highest - lowest) // 2
    if pairs < 1:
        return None
    first = lowest + 2 * secrets.randbelow(pairs)
    return [first, first + 1]


def _largest(path: str) -> tuple[int, int]:
    """The largest range of ids as (start, end), end excluded."""
    try:
        rows = [[int(field) for field in line.split()] for line in Path(path).read_text().splitlines()]
        size, start = max((row[2], row[0]) for row in rows)
    except (OSError, ValueError, IndexError):
        return 0, 1 << 32
    return start, start + size
