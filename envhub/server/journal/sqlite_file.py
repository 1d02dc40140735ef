"""A SQLite file that several processes write, each in batches.

The base of the journal in a file.

A batch is one transaction: all jobs of one event loop iteration, committed on the loop itself (:mod:`.loop_batches`). All of it
is written to the operating system before any of it is answered, and synced to disk within a second. A thread takes the jobs
that cannot run at once: while another process holds the lock, while a disk stalls, and jobs that take long. With
``fsync_always`` it takes all of them; each batch is then synced before it is answered, and nothing is returned that may not be
on disk (:mod:`.durability`).

Processes take turns by a lock file beside the database, because SQLite itself retries with ever longer sleeps. Syncs happen
outside the lock, so those of several processes overlap. Readers never wait for writers. The write-ahead log is checkpointed by
the thread that syncs, so no commit waits for that::

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
from envhub.server.journal.loop_batches import SLOW_S, LoopBatches
from envhub.server.journal.sqlite_opening import connect, create_or_check, sync_folder

Job = Callable[[sqlite3.Connection], Any]
"""One part of a batch. An exception it returns is raised where its result is awaited; one it raises rolls it back."""

_BUSY_S: Final = 10.0
_NAP_S: Final = 0.0001
_LONGEST_NAP_S: Final = 0.002
_SYNC_EVERY_S: Final = 1.0
_RETRY_AFTER_S: Final = 2
_LOG_BYTES: Final = 16 << 20
"""Size of the write-ahead log at which it is checkpointed."""
_log = logging.getLogger(__name__)


class SqliteFile:
    """A SQLite database for batched reads and writes.

    Args:
        path: Path of the file; created, readable by its owner alone, if it does not exist.
        application: SQLite application id of such files.
        version: Version of the schema; a file with another version is refused.
        layout: SQL that creates the tables of a new file.
        fsync_always: Whether to sync each batch to disk before it is answered.
        sync: Syncs an open file to disk.

    Raises:
        JournalUnavailable: The file cannot be opened, or is another kind of file.
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
        self._syncing = threading.Thread(target=self._sync_loop, name="journal to disk", daemon=True)
        self._syncing.start()

    def write(self, job: Job, *, quick: bool = True) -> Future[Any]:
        """Run a job in a transaction.

        Returns a future of its result, which is durable once resolved.

        Args:
            job: The job.
            quick: Whether it is fast enough to run on the event loop.

        Raises:
            JournalUnavailable: The file cannot be written; the job was rolled back, or may not be on disk.
            TooBusy: Too many jobs are waiting.
        """
        if quick and self._durability is None:
            return self._turns.submit(job)
        return self._writes.submit(job)

    def read(self, job: Job, *, quick: bool = True) -> Future[Any]:
        """Run a job that only reads. Returns a future of its result.

        Args:
            job: The job.
            quick: Whether it is fast enough to run on the event loop.

        Raises:
            JournalUnavailable: The file cannot be read, or the result may not be on disk.
            TooBusy: Too many jobs are waiting.
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
                if time.monotonic() - begun > SLOW_S:  # slow disk: read on the loop at most once a second
                    self._read_quickly_from = begun + 1.0
                return future
        return self._reads.submit(job)

    def close(self) -> None:
        """Write pending jobs and close the file."""
        if self._closed:
            return
        self._closed = True
        self._turns.close()
        self._reads.close()
        self._writes.close()
        self._closing.set()
        self._syncing.join()
        try:
            with self._exclusive():  # the last connection to close checkpoints the log
                for connection in (self._reader, self._checkpointer, self._writer):
                    connection.close()
        except OSError:
            pass  # the lock is held for very long: the connections end with the process
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
                self._writer, self._reader, self._checkpointer = opened
                create_or_check(self._writer, application, version, layout)
                self._reader.execute("PRAGMA query_only = 1")
                for connection in (
                    self._reader,
                    self._checkpointer,
                ):  # before its first read, a connection does not open the log
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
        """Hold off every other writer: threads of this process and other processes."""
        with self._writing, self._alone():
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold off writers and checkpoints of other processes.

        The lock of a dead process is released.
        """
        deadline, nap = time.monotonic() + _BUSY_S, _NAP_S
        while not self._lock_now():
            if time.monotonic() > deadline:
                raise _Busy("another process has held the lock for too long")
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
        """The results of the jobs of a loop iteration.

        None if another writer is active.
        """
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
            return None  # the thread runs the jobs again and reports the error
        finally:
            self._writing.release()

    # -- in the threads ----------------------------------------------------------------------------------------------

    def _write(self, jobs: list[Job]) -> list[Any]:
        """The results of a batch.

        It is committed as a whole or not at all.
        """
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
            if len(jobs) > 1 and not _is_busy(error):  # one failing job must not fail the others
                return [result for job in jobs for result in self._write([job])]
            return [_unavailable(error, "written") if isinstance(error, (sqlite3.Error, OSError)) else error] * len(
                jobs
            )
        if durability is not None and changed:
            try:
                durability.sync_up_to(number)
            except OSError as error:  # committed, but a power failure may undo it
                return [_unavailable(error, "written")] * len(jobs)
        return results

    def _commit(self, jobs: list[Job], patience_s: float) -> list[Any]:
        """Run jobs in one transaction; the caller holds both locks."""
        if os.stat(self.path).st_ino != self._inode:
            raise _Replaced("its file was replaced; restart the server")
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
                return [_unavailable(error, "read")] * len(jobs)
        return results

    def _result(self, job: Job) -> Any:
        try:
            return job(self._reader)
        except sqlite3.Error as error:
            return _unavailable(error, "read")
        except Exception as error:
            return error

    def _resync(self, durability: Durability) -> None:
        """Write everything to disk again.

        After a failed sync or when it is unknown what was synced. Checkpoints the log, which the operating system still
        has, into the file, which is synced separately. The check after that shows whether the log was intact. The
        caller holds both locks.
        """
        if durability.sync_failed:
            found = self._checkpointer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if found[0] or self._checkpointer.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                raise SyncFailed
        durability.record_synced()

    def _sync_loop(self) -> None:
        """Every second, sync commits to disk.

        Checkpoint the log once it has grown long.
        """
        while True:
            closing = self._closing.wait(_SYNC_EVERY_S)
            try:
                if self._unsynced or self._lost:
                    self._unsynced = False
                    if self._durability is None:
                        self._sync_now()
                    self._checkpoint_log()
            except (sqlite3.Error, OSError) as error:
                self._unsynced = True
                _log.error("the journal may not have reached the disk: %s", error)
            if closing:
                return

    def _sync_now(self) -> None:
        lost, self._lost = self._lost, True
        self._sync(self._log)
        if lost:  # the kernel may not retry the pages of a failed sync: write them into the file instead
            with self._exclusive():
                if self._checkpointer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise SyncFailed
        self._lost = False

    def _checkpoint_log(self) -> None:
        """Checkpoint a long log.

        Most of it while others write, then the rest under the lock, truncating it.
        """
        if os.fstat(self._log).st_size < _LOG_BYTES:
            return
        self._checkpointer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        with suppress(_Busy), self._exclusive():
            self._checkpointer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class _Replaced(OSError):
    """Another file has replaced ours."""


class _Busy(OSError):
    """The lock could not be acquired in time."""


def _is_busy(error: Exception) -> bool:
    return isinstance(error, _Busy) or getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _unavailable(error: Exception, done: str) -> JournalUnavailable:
    """The error for clients, without file names; the whole error is logged."""
    _log.error("the journal cannot be %s: %s", done, error)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return JournalUnavailable(f"The journal cannot be {done}: {reason}.", _RETRY_AFTER_S)


def _begin(connection: sqlite3.Connection, patience_s: float) -> None:
    """Begin a write transaction.

    With our lock held, only programs that ignore the lock can delay it.
    """
    deadline = time.monotonic() + patience_s
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
        time.sleep(_LONGEST_NAP_S)
