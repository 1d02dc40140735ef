"""Several processes with one journal, and a process that dies."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import envhub
from envhub.server.journal import open_journal
from tests.server.journal import player
from tests.server.journal.kinds import SHARED, entry, header, redis_server, run, stands, url_of
from tests.server.journal.writing import append

pytestmark = pytest.mark.slow

ROOT = Path(envhub.__file__).parents[1]


def playing(url: str, name: str, turns: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(player.__file__), url, name, str(turns)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def let_go(processes: Iterable[subprocess.Popen[str]]) -> None:
    """Have them begin at once, when all are ready."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


@pytest.mark.parametrize("kind", SHARED)
def test_every_turn_is_taken_by_one_process(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = url_of(kind, tmp_path, request.getfixturevalue("redis") if kind == "redis" else None)
    turns = 300
    journal = open_journal(url, 1e9, 100)
    run(journal.create(header("e"), []))
    processes = {name: playing(url, name, turns) for name in "ab"}
    let_go(processes.values())
    taken = {name: list(map(int, process.communicate(timeout=60)[0].split())) for name, process in processes.items()}
    assert all(process.returncode == 0 for process in processes.values())
    assert sorted(taken["a"] + taken["b"]) == list(range(turns))
    whose = {turn: name for name, turns in taken.items() for turn in turns}
    assert stands(run(journal.load("e"))) == [f"{whose[turn]} {turn}" for turn in range(turns)]
    run(journal.delete("e"))
    journal.close()


@pytest.mark.parametrize("kind", SHARED)
def test_what_was_acknowledged_outlives_a_kill(kind: str, tmp_path: Path) -> None:
    """Of the process that wrote it, and for Redis of that as well."""
    with redis_server("--appendonly", "yes", "--appendfsync", "always") as redis:
        url = url_of(kind, tmp_path, redis)
        journal = open_journal(url, 1e9, 100)
        made = header("e")
        run(journal.create(made, []))
        process = playing(url, "a", 10**6)
        let_go([process])
        assert process.stdout is not None
        assert process.stdin is not None
        said = [process.stdout.readline() for _ in range(200)]
        process.kill()
        if kind == "redis":
            redis.kill()
            redis.start()
        said += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        process.stdin.close()
        found = stands(run(journal.load("e")))
        assert found is not None
        assert len(found) >= int(said[-1]) + 1 >= 200
        assert found == [f"a {turn}" for turn in range(len(found))]
        assert run(append(journal, made, len(found), entry("on"))) is None
        journal.close()
