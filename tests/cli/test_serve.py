"""``envhub serve --workers``: any of them may be killed, and nobody who plays notices."""

from __future__ import annotations

import os
import re
import select
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

import envhub
from tests.cli.commands import process, refused, run
from tests.server.families import until

pytestmark = pytest.mark.slow

GUESS = "guess-number-v0"


def workers_of(pid: int) -> set[int]:
    """The processes that a server has started to serve."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == pid and b"spawn_main" in command:
            found.add(int(folder.name))
    return found


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/journal.sqlite"


def test_workers_may_be_killed_and_the_episode_goes_on(journal: str) -> None:
    env = envhub.make(GUESS, difficulty=1)
    env.reset(seed=7)
    with process("serve", "--port", "0", "--workers", "2", "--journal", journal) as server:
        url = server.url()
        first = workers_of(server.pid)
        assert len(first) == 2
        with envhub.connect(url, retries=8) as hub:
            far = hub.make(GUESS, difficulty=1)
            assert far.reset(seed=7)[0] == env.task.prompt
            assert far.step("<answer>100</answer>") == env.step("<answer>100</answer>")
            for pid in first:  # all of them: whoever answers next has never seen the episode
                os.kill(pid, signal.SIGKILL)
            while not env.episode.over:
                answer = env.solve()
                assert far.step(answer) == env.step(answer)
        pattern = r'envhub_verdicts_total{env="guess-number-v0",status="graded"} ([0-9.]+)'
        # a worker counts when it has answered, and the other one may be asked first
        counted = until(lambda: re.search(pattern, httpx.get(f"{url}/metrics").text))
        assert float(counted[1]) == 1.0
        last = workers_of(server.pid)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        code, _, err = server.end()
    assert code == 0
    assert "ended with signal 9; restarting" in err
    assert not any(Path(f"/proc/{pid}").exists() for pid in first | last)


def test_workers_are_renewed_while_somebody_plays(journal: str) -> None:
    """SIGHUP: new processes, one after another, and no connection is refused."""
    with process("serve", "--port", "0", "--workers", "2", "--journal", journal) as server:
        url = server.url()
        first = workers_of(server.pid)
        server.signal(signal.SIGHUP)
        left = set(first)
        while left:  # each request on a connection of its own, so that every one of them has to be taken
            with suppress(
                httpx.ReadError, httpx.RemoteProtocolError
            ):  # taken by one that was about to leave: ask again
                assert httpx.get(f"{url}/health", timeout=60.0).status_code == 200
            left &= workers_of(server.pid)
        told = httpx.get(f"{url}/ready", timeout=60.0).json()["workers"]
        last = workers_of(server.pid)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        _, _, err = server.end()
    assert (told["wanted"], told["ended"], len(last)) == (2, 0, 2)
    assert not first & last
    assert "ended with" not in err


def test_no_worker_outlives_the_one_that_started_them(journal: str) -> None:
    with process("serve", "--port", "0", "--workers", "2", "--journal", journal) as server:
        server.url()
        pids = workers_of(server.pid)
        server.kill()
        handles = []
        for pid in pids:
            try:
                handles.append(os.pidfd_open(pid))
            except ProcessLookupError:
                continue
        for handle in handles:
            with os.fdopen(handle):
                assert select.select([handle], [], [], 10.0)[0], "a worker is left over"


def test_workers_end_with_the_program_that_started_the_server(journal: str) -> None:
    with process("serve", "--port", "0", "--workers", "2", "--journal", journal, "--stop-on-eof") as server:
        server.url()
        assert server.end()[::2] == (0, "")


def test_workers_need_a_journal_that_they_share() -> None:
    result = run("serve", "--workers", "2", "--journal", "memory:")
    assert "2 workers need a shared journal, but memory: is in the memory of one" in refused(result)


def test_what_no_worker_can_do_ends_the_server(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no journal")
    with process("serve", "--port", "0", "--workers", "2", "--journal", f"sqlite:///{tmp_path}/file") as server:
        code, _, err = server.end()
    assert code != 0
    assert "file" in err
    assert "Traceback" not in err


def test_a_ready_file_that_cannot_be_written_is_said_before_anything_is_served(tmp_path: Path) -> None:
    result = run("serve", "--port", "0", "--ready-file", str(tmp_path / "nowhere" / "ready"))
    assert "nowhere/ready cannot be written: its folder does not exist or is not writable." in refused(result)
