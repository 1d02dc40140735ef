"""Episodes in a browser go on after their browsers and their workers were killed, as though nothing had happened."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

import envhub
from tests.chaos.record import assert_whole
from tests.chaos.scripts import told
from tests.chaos.servers import Server
from tests.chaos.test_worlds import HELD, RETRIES, WORKERS, script
from tests.support.browsers import needed

SITES: Final = ("gui-v0", "gui-site-v0")
PARTS: Final = 3


def below(pid: int) -> Iterator[int]:
    """All processes below one."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from below(child)


def kill_browsers(server: Server, journal: Path) -> int:
    """Kill the browser of each worker; returns how many there were."""
    killed = 0
    for worker in server.workers(journal):
        for pid in below(worker):
            with suppress(OSError):
                line = Path(f"/proc/{pid}/cmdline").read_bytes()
                if b"--remote-debugging-pipe" in line and b"--type=" not in line:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
    return killed


def goes_on(env_id: str, episodes: int, folder: Path) -> None:
    """Play a third of every episode, kill the browsers, play another third, kill the workers, and play to the end."""
    needed()
    scripts = [script(env_id, seed) for seed in range(episodes)]
    file = folder / "journal.sqlite"
    with Server(folder, f"sqlite:///{file}", "--workers", str(WORKERS)) as server:
        with envhub.connect(server.url, retries=RETRIES) as hub:
            pairs = [(hub.make(env_id, **HELD), envhub.make(env_id, **HELD)) for _ in scripts]
            for seed, pair in enumerate(pairs):
                remote, local = (told(env.reset(seed=seed)[0]) for env in pair)
                assert remote == local
            for part in range(PARTS):
                for actions, (remote, local) in zip(scripts, pairs, strict=True):
                    for action in actions[len(actions) * part // PARTS : len(actions) * (part + 1) // PARTS]:
                        assert told(remote.step(action)) == told(local.step(action)), (env_id, action)
                if part == 0:
                    assert kill_browsers(server, file)
                if part == 1:
                    server.kill_workers(file)
            assert all(local.episode.over for _, local in pairs)
            assert [remote.messages for remote, _ in pairs] == [local.messages for _, local in pairs]
            for _, local in pairs:
                again = envhub.restore(local.snapshot())
                assert told(again.messages) == told(local.messages)
                local.close()
        server.stop()
    assert server.log().count("ended with signal 9") == WORKERS
    assert_whole(file)


@pytest.mark.parametrize("world", SITES)
def test_an_episode_goes_on_without_their_browsers_and_workers(world: str, tmp_path: Path) -> None:
    goes_on(world, 1, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("world", SITES)
def test_twenty_episodes_go_on_without_their_browsers_and_workers(world: str, tmp_path: Path) -> None:
    goes_on(world, 20, tmp_path)
