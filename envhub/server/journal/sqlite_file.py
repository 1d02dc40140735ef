"""A SQLite file that several processes write, each in batches; what the journal in a file rests on.

A batch is one transaction. All of it is in the hands of the operating system before any of it is answered, and on the disk a
second later; with ``fsync_always`` that comes first as well, by one ``fdatasync`` for all. Processes take turns by a lock file
beside the database, because SQLite's own way is to try again after ever longer naps; the disk is waited for outside the lock,
so their waits overlap. One thread writes and another reads, each with a connection of its own; readers wait for nobody::

    file = SqliteFile(path, application=..., version=1, layout="CREATE TABLE ...")
    result = await file.write(lambda connection: connection.execute(...).fetchall())
    rows = await file.read(lambda connection: connection.execute(...).fetchall())
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
import time
from asyncio import Future
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from envhub.errors import JournalUnavailable
from envhub.server.journal.batches import Batches

Job = Callable[[sqlite3.Connection], Any]
"""What is done in a batch. An exception that it returns is raised where its result is awaited; one that it raises undoes it."""

_BUSY_S: Final = 10.0
_NAP_S: Final = 0.0001
_LONGEST_NAP_S: Final = 0.002
_SYNC_EVERY_S: Final = 1.0
_RETRY_AFTER_S: Final = 2
_log = logging.getLogger(__name__)
_PRAGMAS: Final = (
    "synchronous = NORMAL",  # the file stays whole; that the log reaches the disk in time is our business
    "wal_autocheckpoint = 4000",
    f"journal_size_limit = {64 << 20}",
)


class SqliteFile:
    """A database of ours.

    Args:
        path: Of the file; made if it is not there, for its owner's eyes alone.
        application: By which a file of ours is known.
        version: Of the layout; a file of another one is refused.
        layout: What makes the tables of a new file.
        fsync_always: Whether what is written has reached the disk when it is answered.

    Raises:
        JournalUnavailable: It cannot be opened, or is something else.
    """

    def __init__(self, path: Path, *, application: int, version: int, layout: str, fsync_always: bool = False) -> None:
        self.path = path.absolute()
        self._fsync_always = fsync_always
        self._unsynced = False
        self._closed = False
        self._closing = threading.Event()
        try:
            self._open(application, version, layout)
        except (sqlite3.Error, OSError) as error:
            raise JournalUnavailable(f"The journal {self.path} cannot be opened: {error}.") from None
        self._writes: Batches[Job] = Batches(self._write, "journal")
        self._reads: Batches[Job] = Batches(self._read, "journal reader")
        self._syncing = threading.Thread(target=self._sync_every_second, name="journal to disk", daemon=True)
        if not fsync_always:
            self._syncing.start()

    def write(self, job: Job) -> Future[Any]:
        """Do a job in a transaction; awaited, its result is durable.

        Raises:
            JournalUnavailable: The file cannot be written; the job has not been done.
            TooBusy: Too much waits already.
        """
        return self._writes.do(job)

    def read(self, job: Job) -> Future[Any]:
        """Do a job that changes nothing.

        Raises:
            JournalUnavailable: The file cannot be read.
            TooBusy: Too much waits already.
        """
        return self._reads.do(job)

    def close(self) -> None:
        """Write what waits and close the file."""
        if self._closed:
            return
        self._closed = True
        self._reads.close()
        self._writes.close()
        self._closing.set()
        if not self._fsync_always:
            self._syncing.join()
        try:
            with self._alone():  # the last to close moves the log into the file
                self._reader.close()
                self._writer.close()
        except OSError:
            pass  # somebody holds the lock for very long: the connections end with the process
        os.close(self._log)
        os.close(self._lock)

    # -- opening -----------------------------------------------------------------------------------------------------

    def _open(self, application: int, version: int, layout: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        opened: list[sqlite3.Connection] = []
        try:
            with self._alone():
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
                opened += [_connect(self.path), _connect(self.path)]
                self._writer, self._reader = opened
                _lay_out(self._writer, application, version, layout)
                self._reader.execute("PRAGMA query_only = 1")
                self._reader.execute("SELECT count(*) FROM sqlite_master").fetchall()  # makes the log, if there is none
                self._log = os.open(f"{self.path}-wal", os.O_RDWR | os.O_CLOEXEC)
                _sync_folder(self.path.parent)
            self._inode = os.stat(self.path).st_ino
        except BaseException:
            for connection in opened:
                connection.close()
            os.close(self._lock)
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process writes; one that dies lets go. Also no two of them ever move the log into the file at once."""
        deadline, nap = time.monotonic() + _BUSY_S, _NAP_S
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise _Busy("another process has kept its lock for too long") from None
            time.sleep(nap)
            nap = min(2 * nap, _LONGEST_NAP_S)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    # -- in the threads ----------------------------------------------------------------------------------------------

    def _write(self, jobs: list[Job]) -> list[Any]:
        """The results of a batch: all of it is on the disk, or none."""
        try:
            return self._commit(jobs)
        except Exception as error:
            if len(jobs) > 1 and not _is_busy(error):  # the one that is too large must not fail the others
                return [result for job in jobs for result in self._write([job])]
            if isinstance(error, (sqlite3.Error, OSError)):
                error = JournalUnavailable(f"The journal cannot be written: {error}.", _RETRY_AFTER_S)
            return [error] * len(jobs)

    def _commit(self, jobs: list[Job]) -> list[Any]:
        writer = self._writer
        with self._alone():
            if os.stat(self.path).st_ino != self._inode:
                raise OSError("its file was replaced; start the server again")
            before = writer.total_changes
            writer.execute("BEGIN IMMEDIATE")
            try:
                results = [job(writer) for job in jobs]
                writer.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                raise
        if writer.total_changes != before:
            if self._fsync_always:
                os.fdatasync(self._log)
            self._unsynced = True
        return results

    def _sync_every_second(self) -> None:
        while True:
            closing = self._closing.wait(_SYNC_EVERY_S)
            if self._unsynced:
                self._unsynced = False
                try:
                    os.fdatasync(self._log)
                except OSError as error:
                    _log.error("the journal may not have reached the disk: %s", error)
            if closing:
                return

    def _read(self, jobs: list[Job]) -> list[Any]:
        results: list[Any] = []
        for job in jobs:
            try:
                results.append(job(self._reader))
            except sqlite3.Error as error:
                results.append(JournalUnavailable(f"The journal cannot be read: {error}.", _RETRY_AFTER_S))
            except Exception as error:
                results.append(error)
        return results


class _Busy(OSError):
    """The lock could not be had."""


def _is_busy(error: Exception) -> bool:
    return isinstance(error, _Busy) or getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        for setting in _PRAGMAS:
            connection.execute(f"PRAGMA {setting}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection, application: int, version: int, layout: str) -> None:
    """Make a new file one of ours, and refuse what is something else."""
    kind, found, tables = (
        connection.execute(f"SELECT * FROM {what}").fetchone()[0]
        for what in ("pragma_application_id", "pragma_user_version", "(SELECT count(*) FROM sqlite_master)")
    )
    new = (kind, found, tables) == (0, 0, 0)
    if not new and kind != application:
        raise sqlite3.DatabaseError("it is a database of something else")
    if not new and found != version:
        raise sqlite3.DatabaseError(f"its layout is version {found}, and this envhub knows version {version}")
    if new:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before there is anything in it
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise sqlite3.DatabaseError(f"SQLite can keep no write-ahead log there, it offers {mode!r}")
    if new:
        mark = f"PRAGMA application_id = {application}; PRAGMA user_version = {version};"
        connection.executescript(f"BEGIN IMMEDIATE; {mark} {layout} COMMIT;")


def _sync_folder(folder: Path) -> None:
    """Make the names of new files durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
