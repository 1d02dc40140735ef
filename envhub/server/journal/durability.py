"""What of a write-ahead log is proven to be on the disk, for all processes that share it; needed where an answer promises that.

After a sync that failed Linux may take for clean what never reached the disk, so that the next one succeeds and proves nothing.
So a failure is written down, and from then on nothing counts as proven until all of it has been written once more. Three
numbers in the lock file, which its processes see at once, tell: how many commits were begun and ended, up to which the disk has
them, and whether a sync has failed::

    durability.begin_commit(); ...; number = durability.end_commit()      # around a commit, under the lock
    durability.sync_up_to(number)                           # waits for the disk, outside of it
    durability.ensure_synced(alone)                            # before anything that was read is answered
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

_NUMBER: Final = struct.Struct("=Q")
_COMMITS, _REACHED, _SYNC_FAILED = 0, 8, 16


class SyncFailed(OSError):
    """A sync has failed, and nothing has been rewritten since."""

    def __init__(self) -> None:
        super().__init__("what was written last may not have reached the disk")


class Durability:
    """The numbers.

    Args:
        lock: The open lock file.
        log: The open write-ahead log.
        sync: Waits until a file is on the disk.
    """

    def __init__(self, lock: int, log: int, sync: Callable[[int], None]) -> None:
        self._lock, self._log, self._sync = lock, log, sync
        if len(os.pread(lock, 24, 0)) < 24:
            os.pwrite(lock, bytes(24), 0)

    @property
    def sync_failed(self) -> bool:
        """Whether a sync has failed."""
        return self._read(_SYNC_FAILED) != 0

    def begin_commit(self) -> None:
        """A commit begins. The number is odd until it ends; also after a process died over it."""
        self._write(_COMMITS, self._read(_COMMITS) | 1)

    def end_commit(self) -> int:
        """What was begun has ended, and has this number."""
        number = self._read(_COMMITS)
        number += number % 2
        self._write(_COMMITS, number)
        return number

    def sync_up_to(self, number: int) -> None:
        """Wait until the commits up to this one are on the disk.

        Raises:
            OSError: That is not known, and is written down.
        """
        try:
            self._sync(self._log)
        except OSError:
            self._write(_SYNC_FAILED, 1)
            raise
        if self.sync_failed:  # by another process, whose failure ours may have been
            raise SyncFailed
        self._write(_REACHED, max(number, self._read(_REACHED)))

    def ensure_synced(self, alone: Callable[[], AbstractContextManager[None]]) -> None:
        """Make sure that all that could be read before is on the disk.

        Args:
            alone: The lock, for it may be just committed.

        Raises:
            OSError: That is not known.
        """
        if self.sync_failed:
            raise SyncFailed
        number = self._read(_COMMITS)
        if number % 2:
            with alone():
                number = self.end_commit()
        if self._read(_REACHED) < number:
            self.sync_up_to(number)

    def record_synced(self) -> None:
        """Everything has been written once more, under the lock: the last failure is history.

        Raises:
            OSError: It cannot be told after all.
        """
        self._sync(self._log)
        self._write(_REACHED, self.end_commit())
        self._write(_SYNC_FAILED, 0)

    def _read(self, place: int) -> int:
        found: int = _NUMBER.unpack(os.pread(self._lock, 8, place))[0]
        return found

    def _write(self, place: int, number: int) -> None:
        os.pwrite(self._lock, _NUMBER.pack(number), place)
