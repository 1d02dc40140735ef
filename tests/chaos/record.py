"""What a journal must hold when everything is over: what was played, once, and nothing else."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from envhub.cli import app
from envhub.server.journal import open_journal
from tests.chaos.scripts import Line, told


def assert_recorded_once(journal: str, folder: Path, lines: Mapping[str, Line]) -> None:
    """Every episode is there, with every turn of it once, as ``envhub export`` tells it; and no other episode is."""
    assert _count(journal) == len(lines)
    records = _exported(journal, folder)
    assert sorted(record["episode_id"] for record in records) == sorted(lines)
    for record in records:
        line = lines[record["episode_id"]]
        answers = [json.loads(turn.answer) for turn in line.turns]
        assert told(record["messages"]) == line.messages
        assert record["rewards"] == [None if reward != reward else reward for _, reward, *_ in answers]
        assert [record["terminated"], record["truncated"]] == answers[-1][2:4]
        assert record["verdict"] == answers[-1][4]["verdict"]


def assert_whole(file: Path) -> None:
    """SQLite finds nothing wrong with a file."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _count(journal: str) -> int:
    """How many episodes there are, unfinished ones included."""
    opened = open_journal(journal, 1e9, 10_000)
    try:
        return asyncio.run(opened.count())
    finally:
        opened.close()


def _exported(journal: str, folder: Path) -> list[dict[str, Any]]:
    out = folder / "episodes.jsonl"
    result = CliRunner().invoke(app, ["export", "--journal", journal, "--out", str(out)])
    assert result.exit_code == 0, result.output
    return list(map(json.loads, out.read_bytes().splitlines()))
