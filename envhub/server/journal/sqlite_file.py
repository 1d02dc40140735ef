"""A SQLite file that several processes write, each in batches; what the journal in a file rests on.

A batch is one transaction: what one turn of the event loop brings, committed on the loop itself (:mod:`.loop_batches`). All of
it is in the hands of the operating system before any of it is answered, and on the disk a second later. What cannot be done at
once is left to a thread: while another process has the lock, while a disk stalls, and jobs that take long. With
``fsync_always`` everything is; there one ``fdatasync`` for a batch comes before its answers, and nothing is answered that the
disk may not have (:mod:`.durability`).

Processes take turns by a lock file beside the database, because SQLite's own way is to try again after ever longer naps; the
disk is waited for outside the lock, so their waits overlap. Readers wait for nobody. The log is moved into the file by the
thread that brings it to the disk, so no commit waits for that::

    file = SqliteFile(path, application=..., version=1, layout="CREATE TABLE ...")
    result = await file.write(lambda connection: connection.execute(...).fetchall())
    rows = await file.read(lambda connection: connection.execute(...).fetchall())
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import sqlite3
import threading
import time
from asyncio import Future
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import JournalUnavailable
from envhub.server.journal.batches import BatchThread, resolve
from envhub.server.journal.durability import Durability, SyncFailed
from envhub.server.journal.loop_batches import LONG_S, LoopBatches
from envhub.server.journal.sqlite_opening import connect, create_or_check, sync_folder

Job = Callable[[sqlite3.Connection], Any]
"""What is done in a batch. An exception that it returns is raised where its result is awaited; one that it raises undoes it."""

_BUSY_S: Final = 10.0
_NAP_S: Final = 0.0001
_LONGEST_NAP_S: Final = 0.002
_SYNC_EVERY_S: Final = 1.0
_RETRY_AFTER_S: Final = 2
_LOG_BYTES: Final = 16 << 20
"""So long a log is moved into the file."""
_log = logging.getLogger(__name__)


class SqliteFile:
    """A database of ours.

    Args:
        path: Of the file; made if it is not there, for its owner's eyes alone.
        application: By which a file of ours is known.
        version: Of the layout; a file of another one is refused.
        layout: What makes the tables of a new file.
        fsync_always: Whether what is written has reached the disk when it is answered.
        sync: Waits until an open file is on the disk.

    Raises:
        JournalUnavailable: It cannot be opened, or is something else.
    """

    def __init__(
        self,
        path: Path,
        *,
        application: int,
        version: int,
        layout: str,
        fsync_always: bool = False,
        sync: Callable[[int], None] | None = None,
    ) -> None:
        self.path = path.absolute()
        self._sync = sync or os.fdatasync
        self._durability: Durability | None = None
        self._unsynced = self._lost = False
        self._closed = False
        self._closing = threading.Event()
        self._writing, self._reading = threading.Lock(), threading.Lock()
        self._read_quickly_from = 0.0
        try:
            self._open(application, version, layout, fsync_always)
        except (sqlite3.Error, OSError) as error:
            raise JournalUnavailable(f"The journal {self.path} cannot be opened: {error}.") from None
        self._writes: BatchThread[Job] = BatchThread(self._write, "journal")
        self._reads: BatchThread[Job] = BatchThread(self._read, "journal reader")
        self._turns: LoopBatches[Job] = LoopBatches(self._write_at_once, self._writes)
        self._syncing = threading.Thread(target=self._every_second, name="journal to disk", daemon=True)
        self._syncing.start()

    def write(self, job: Job, *, quick: bool = True) -> Future[Any]:
        """Do a job in a transaction; awaited, its result is durable.

        Args:
            job: What to do.
            quick: Whether it takes so little time that it may be done on the event loop.

        Raises:
            JournalUnavailable: The file cannot be written; the job has not been done, or is not known to be on the disk.
            TooBusy: Too much waits already.
        """
        if quick and self._durability is None:
            return self._turns.submit(job)
        return self._writes.submit(job)

    def read(self, job: Job, *, quick: bool = True) -> Future[Any]:
        """Do a job that changes nothing.

        Args:
            job: What to do.
            quick: Whether it takes so little time that it may be done on the event loop.

        Raises:
            JournalUnavailable: The file cannot be read, or what was read is not known to be on the disk.
            TooBusy: Too much waits already.
        """
        if quick and self._durability is None:
            begun = time.monotonic()
            if begun >= self._read_quickly_from and self._reading.acquire(blocking=False):
                try:
                    self._reads.admit()
                    future = asyncio.get_running_loop().create_future()
                    resolve([(future, self._result(job))])
                finally:
                    self._reading.release()
                if time.monotonic() - begun > LONG_S:  # the disk is slow: the loop waits for it once a second at most
                    self._read_quickly_from = begun + 1.0
                return future
        return self._reads.submit(job)

    def close(self) -> None:
        """Write what waits and close the file."""
        if self._closed:
            return
        self._closed = True
        self._turns.close()
        self._reads.close()
        self._writes.close()
        self._closing.set()
        self._syncing.join()
        try:
            with self._exclusive():  # the last to close moves the log into the file
                for connection in (self._reader, self._mover, self._writer):
                    connection.close()
        except OSError:
            pass  # somebody holds the lock for very long: the connections end with the process
        os.close(self._log)
        os.close(self._lock)

    # -- opening -----------------------------------------------------------------------------------------------------

    def _open(self, application: int, version: int, layout: str, fsync_always: bool) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        opened: list[sqlite3.Connection] = []
        try:
            with self._alone():
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
                opened += [connect(self.path, patience) for patience in (0.0, _BUSY_S, _BUSY_S)]
                self._writer, self._reader, self._mover = opened
                create_or_check(self._writer, application, version, layout)
                self._reader.execute("PRAGMA query_only = 1")
                for connection in (self._reader, self._mover):  # until it reads, one knows of no log, and moves none
                    connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
                self._log = os.open(f"{self.path}-wal", os.O_RDWR | os.O_CLOEXEC)
                sync_folder(self.path.parent)
                if fsync_always:
                    self._durability = Durability(self._lock, self._log, self._sync)
                    self._resync(self._durability)
            self._inode = os.stat(self.path).st_ino
        except BaseException:
            for connection in opened:
                connection.close()
            os.close(self._lock)
            raise

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Nobody else writes: no thread of this process, and no other process."""
        with self._writing, self._alone():
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process writes; one that dies lets go. Also no two of them ever move the log into the file at once."""
        deadline, nap = time.monotonic() + _BUSY_S, _NAP_S
        while not self._lock_now():
            if time.monotonic() > deadline:
                raise _Busy("another process has kept its lock for too long")
            time.sleep(nap)
            nap = min(2 * nap, _LONGEST_NAP_S)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def _lock_now(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    # -- on the loop -------------------------------------------------------------------------------------------------

    def _write_at_once(self, jobs: list[Job]) -> list[Any] | None:
        """The results of a turn's jobs; None where somebody else writes."""
        if not self._writing.acquire(blocking=False):
            return None
        try:
            if not self._lock_now():
                return None
            try:
                return self._commit(jobs, 0.0)
            finally:
                fcntl.flock(self._lock, fcntl.LOCK_UN)
        except Exception:
            return None  # the thread finds out whose doing it is, and how to say it
        finally:
            self._writing.release()

    # -- in the threads ----------------------------------------------------------------------------------------------

    def _write(self, jobs: list[Job]) -> list[Any]:
        """The results of a batch: all of it is done, or none."""
        durability, number, changed = self._durability, 0, False
        try:
            with self._exclusive():
                if durability is not None and durability.sync_failed:
                    self._resync(durability)
                before = self._writer.total_changes
                results = self._commit(jobs, _BUSY_S)
                if durability is not None:
                    number = durability.end_commit()
                    changed = self._writer.total_changes != before
        except Exception as error:
            if len(jobs) > 1 and not _is_busy(error):  # the one that is too large must not fail the others
                return [result for job in jobs for result in self._write([job])]
            return [_told(error, "written") if isinstance(error, (sqlite3.Error, OSError)) else error] * len(jobs)
        if durability is not None and changed:
            try:
                durability.sync_up_to(number)
            except OSError as error:  # it is done, and may be undone by a loss of power
                return [_told(error, "written")] * len(jobs)
        return results

    def _commit(self, jobs: list[Job], patience_s: float) -> list[Any]:
        """Do jobs in one transaction; called by whom nobody else of us writes beside."""
        if os.stat(self.path).st_ino != self._inode:
            raise _Replaced("its file was replaced; start the server again")
        writer = self._writer
        if self._durability is not None:
            self._durability.begin_commit()
        _begin(writer, patience_s)
        try:
            results = [job(writer) for job in jobs]
            writer.execute("COMMIT")
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
        self._unsynced = True
        return results

    def _read(self, jobs: list[Job]) -> list[Any]:
        with self._reading:
            results = list(map(self._result, jobs))
        if self._durability is not None:
            try:
                if self._durability.sync_failed:
                    with self._exclusive():
                        self._resync(self._durability)
                self._durability.ensure_synced(self._exclusive)
            except (sqlite3.Error, OSError) as error:
                return [_told(error, "read")] * len(jobs)
        return results

    def _result(self, job: Job) -> Any:
        try:
            return job(self._reader)
        except sqlite3.Error as error:
            return _told(error, "read")
        except Exception as error:
            return error

    def _resync(self, durability: Durability) -> None:
        """Have everything on the disk after a sync that failed, or when it is not known: write it all once more.

        The file is written from the log, which the operating system still has, and reaches the disk by a sync of its own. That
        also shows whether what it had was whole. Done under both locks.
        """
        if durability.sync_failed:
            found = self._mover.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if found[0] or self._mover.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                raise SyncFailed
        durability.record_synced()

    def _every_second(self) -> None:
        """Bring to the disk what was committed, and move the log into the file when it has grown long."""
        while True:
            closing = self._closing.wait(_SYNC_EVERY_S)
            try:
                if self._unsynced or self._lost:
                    self._unsynced = False
                    if self._durability is None:
                        self._sync_now()
                    self._move_log()
            except (sqlite3.Error, OSError) as error:
                self._unsynced = True
                _log.error("the journal may not have reached the disk: %s", error)
            if closing:
                return

    def _sync_now(self) -> None:
        lost, self._lost = self._lost, True
        self._sync(self._log)
        if lost:  # what the one that failed had to write is perhaps not tried again: it is written into the file
            with self._exclusive():
                if self._mover.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise SyncFailed
        self._lost = False

    def _move_log(self) -> None:
        """Move a long log into the file: most of it while others write, the rest, and its beginning anew, alone."""
        if os.fstat(self._log).st_size < _LOG_BYTES:
            return
        self._mover.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        with suppress(_Busy), self._exclusive():
            self._mover.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class _Replaced(OSError):
    """Another file has the name of ours."""


class _Busy(OSError):
    """The lock could not be had."""


def _is_busy(error: Exception) -> bool:
    return isinstance(error, _Busy) or getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _told(error: Exception, done: str) -> JournalUnavailable:
    """What clients are told of an error; the log has all of it, for it may name a file."""
    _log.error("the journal cannot be %s: %s", done, error)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return JournalUnavailable(f"The journal cannot be {done}: {reason}.", _RETRY_AFTER_S)


def _begin(connection: sqlite3.Connection, patience_s: float) -> None:
    """Begin a transaction that writes. Whoever has our lock waits for nobody but programs that know nothing of it."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
        time.sleep(_LONGEST_NAP_S)
