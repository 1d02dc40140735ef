"""Tracks which commits of a write-ahead log are on disk.

Across processes; for ``fsync_always``. After a failed sync Linux may treat pages as clean that never reached the disk,
so the next sync succeeds and proves nothing. So a failure is recorded, and from then on nothing counts as synced until
everything has been written again. Three numbers in the lock file, visible to all its processes at once, hold the number
of commits begun and ended, the last commit known to be on disk, and whether a sync has failed::

    durability.begin_commit(); ...; number = durability.end_commit()      # around a commit, under the lock
    durability.sync_up_to(number)                                         # outside the lock
    durability.ensure_synced(lock)                                        # before the result of a read is returned
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
    """A sync failed, and the data has not been rewritten since."""

    def __init__(self) -> None:
        super().__init__("the last writes may not have reached the disk")


class Durability:
    """The three numbers in the lock file.

    Args:
        lock: The open lock file.
        log: The open write-ahead log.
        sync: Syncs a file to disk.
    """

    def __init__(self, lock: int, log: int, sync: Callable[[int], None]) -> None:
        self._lock, self._log, self._sync = lock, log, sync
        if len(os.pread(lock, 24, 0)) < 24:
            os.pwrite(lock, bytes(24), 0)

    @property
    def sync_failed(self) -> bool:
        """Whether a sync failed and nothing was rewritten since."""
        return self._read(_SYNC_FAILED) != 0

    def begin_commit(self) -> None:
        """Note the start of a commit.

        The number stays odd until the commit ends, also if its process dies.
        """
        self._write(_COMMITS, self._read(_COMMITS) | 1)

    def end_commit(self) -> int:
        """Note the end of the commit and return its number."""
        number = self._read(_COMMITS)
        number += number % 2
        self._write(_COMMITS, number)
        return number

    def sync_up_to(self, number: int) -> None:
        """Sync the commits up to this one.

        Raises:
            OSError: The sync failed, which is recorded.
        """
        try:
            self._sync(self._log)
        except OSError:
            self._write(_SYNC_FAILED, 1)
            raise
        if self.sync_failed:  # in another process, and our pages may be among the lost ones
            raise SyncFailed
        self._write(_REACHED, max(number, self._read(_REACHED)))

    def ensure_synced(self, lock: Callable[[], AbstractContextManager[None]]) -> None:
        """Make sure that every commit a reader can see is on disk.

        Args:
            lock: Acquires the lock, to wait for a commit in progress.

        Raises:
            OSError: It is not known to be.
        """
        if self.sync_failed:
            raise SyncFailed
        number = self._read(_COMMITS)
        if number % 2:
            with lock():
                number = self.end_commit()
        if self._read(_REACHED) < number:
            self.sync_up_to(number)

    def record_synced(self) -> None:
        """Sync once more after everything was rewritten, and clear the failure.

        Call it under the lock.

        Raises:
            OSError: The sync failed.
        """
        self._sync(self._log)
        self._write(_REACHED, self.end_commit())
        self._write(_SYNC_FAILED, 0)

    def _read(self, place: int) -> int:
        found: int = _NUMBER.unpack(os.pread(self._lock, 8, place))[0]
        return found

    def _write(self, place: int, number: int) -> None:
        os.pwrite(self._lock, _NUMBER.pack(number), place)
