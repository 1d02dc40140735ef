"""Connections to a SQLite file of ours, and what makes a new file one.

::

connection = connect(path, patience_s=0.0)
create_or_check(connection, application=0x656E7668, version=2, layout="CREATE TABLE ...")
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

_PRAGMAS: Final = (
    "synchronous = NORMAL",  # the file stays whole; that the log reaches the disk in time is our business
    "wal_autocheckpoint = 0",
    f"journal_size_limit = {64 << 20}",
)


def connect(path: Path, patience_s: float) -> sqlite3.Connection:
    """A connection that waits so long for others, and leaves the log alone when it grows.

    Raises:
        sqlite3.Error: It is no database.
    """
    connection = sqlite3.connect(path, timeout=patience_s, isolation_level=None, check_same_thread=False)
    try:
        for setting in _PRAGMAS:
            connection.execute(f"PRAGMA {setting}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def create_or_check(connection: sqlite3.Connection, application: int, version: int, layout: str) -> None:
    """Make a new file one of ours, and refuse what is something else.

    Raises:
        sqlite3.Error: It is, or is of another version.
    """
    kind, found, tables = (
        connection.execute(f"SELECT * FROM {what}").fetchone()[0]
        for what in ("pragma_application_id", "pragma_user_version", "(SELECT count(*) FROM sqlite_master)")
    )
    new = (kind, found, tables) == (0, 0, 0)
    if not new and kind != application:
        raise sqlite3.DatabaseError("it is a database of something else")
    if not new and found != version:
        raise sqlite3.DatabaseError(
            f"its layout is version {found}, and this envhub knows version {version}: the envhub that wrote it can export "
            "its episodes; move it away, or name another file"
        )
    if new:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before there is anything in it
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise sqlite3.DatabaseError(f"SQLite can keep no write-ahead log there, it offers {mode!r}")
    if new:
        mark = f"PRAGMA application_id = {application}; PRAGMA user_version = {version};"
        connection.executescript(f"BEGIN IMMEDIATE; {mark} {layout} COMMIT;")


def sync_folder(folder: Path) -> None:
    """Make the names of new files durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
