"""What the tests of the journal in a file share: statements on its connection, and whether the file is whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from envhub.server.journal import SqliteJournal
from tests.server.journal.kinds import run

LONG = "x" * 20_000


def on(journal: SqliteJournal, statement: str) -> Any:
    """What a statement gives on the connection that writes."""
    return run(_write(journal, statement))


async def _write(journal: SqliteJournal, statement: str) -> Any:
    return await journal._file.write(lambda connection: connection.execute(statement).fetchall())


def pages(journal: SqliteJournal) -> int:
    return int(on(journal, "PRAGMA page_count")[0][0])


def whole(path: Path) -> bool:
    connection = sqlite3.connect(path)
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
    finally:
        connection.close()
