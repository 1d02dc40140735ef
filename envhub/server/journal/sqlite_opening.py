"""Opens connections to a journal file, and creates or checks its schema.

::

connection = connect(path, patience_s=0.0)
create_or_check(connection, application=0x656E7668, version=3, layout="CREATE TABLE ...")
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

_PRAGMAS: Final = (
    "synchronous = NORMAL",  # never corrupts the file; SqliteFile syncs the log itself
    "wal_autocheckpoint = 0",
    f"journal_size_limit = {64 << 20}",
)
_PAGE_BYTES: Final = 2048
"""A commit writes whole pages; a single turn changes two."""


def connect(path: Path, patience_s: float) -> sqlite3.Connection:
    """Open a connection that never checkpoints the log by itself.

    Args:
        path: Path of the file.
        patience_s: Seconds to wait for locks of other connections.

    Raises:
        sqlite3.Error: The file is not a database.
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
    """Create the schema in a new file, or check an existing one.

    Raises:
        sqlite3.Error: The file is another kind of database, or has another version.
    """
    kind, found, tables = (
        connection.execute(f"SELECT * FROM {what}").fetchone()[0]
        for what in ("pragma_application_id", "pragma_user_version", "(SELECT count(*) FROM sqlite_master)")
    )
    new = (kind, found, tables) == (0, 0, 0)
    if not new and kind != application:
        raise sqlite3.DatabaseError("it is a database of another application")
    if not new and found != version:
        raise sqlite3.DatabaseError(
            f"its layout has version {found}, but this envhub needs version {version}: export its episodes with the envhub "
            "that wrote it, then move it away, or use another file"
        )
    if new:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only possible before the first table
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise sqlite3.DatabaseError(f"SQLite cannot use a write-ahead log there; it offers {mode!r}")
    if new:
        stamp = f"PRAGMA application_id = {application}; PRAGMA user_version = {version};"
        connection.executescript(f"BEGIN IMMEDIATE; {stamp} {layout} COMMIT;")


def sync_folder(folder: Path) -> None:
    """Sync a folder, which makes the names of new files durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
