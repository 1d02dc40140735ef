"""Episodes of ehr-v0 go on after all workers were killed in the middle, with the names of their sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

import envhub
from envhub.core.tools import write_call
from tests.chaos.test_worlds import HELD, replays_after_a_kill
from tests.envs.code.lives import jailed

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]

COUNTS = (
    "import sqlite3\nn = [sqlite3.connect('hospital.db').execute('SELECT COUNT(*) FROM notes').fetchone()[0], {number}]"
)


def script(env_id: str, number: int) -> list[str]:
    """An episode whose second half needs the names of the first; every other one ends with a right answer."""
    env = envhub.make(env_id, **HELD)
    env.reset(seed=number)
    key = env.episode.instance.key
    look, query = "SELECT COUNT(*) FROM encounters WHERE ended_at IS NULL", (key["query"], key["wrong"][0])[number % 2]
    first = [write_call("python", code=COUNTS.format(number=number)), write_call("sql", query=look), "no call"]
    return [
        *first,
        write_call("python", code="print(n)"),
        write_call("sql", query="x"),
        write_call("submit_sql", query=query),
    ]


def test_a_few_analyses_go_on(tmp_path: Path) -> None:
    replays_after_a_kill("ehr-v0", 3, tmp_path, script)


@pytest.mark.nightly
def test_twenty_analyses_go_on(tmp_path: Path) -> None:
    replays_after_a_kill("ehr-v0", 20, tmp_path, script)
