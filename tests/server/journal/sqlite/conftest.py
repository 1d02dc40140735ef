"""A journal in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.server.journal import SqliteJournal
from tests.server.journal.kinds import TTL, Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "er" / "journal.sqlite"


@pytest.fixture
def journal(path: Path, clock: Clock) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(path, TTL, 10_000, clock)
    yield journal
    journal.close()
