"""A multi-turn asynchronous run with a hub over HTTP and a live sandbox, killed at random moments, loses nothing."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, Self

import pytest

from envhub.authoring import write_call
from envhub_trainer.config import Config
from tests.chaos.disk import Disk
from tests.chaos.servers import Server
from tests.trainer import runs
from tests.trainer.drill import Faults, assert_whole, live

pytestmark = pytest.mark.nightly

MOMENTS = int(os.environ.get("ENVHUB_DRILL_MOMENTS", "20"))
SEED = 20_261_123
STEPS = 4
SAID = (*"12", write_call("python", code="print(6 * 7)"), write_call("submit", answer=42))
ENVIRONMENTS: dict[str, Any] = {
    "guess-number-v0": {"weight": 2, "low": 1, "high": 2, "guesses": 2},
    "python-tool-v0": {"weight": 1, "difficulty": 1},
}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with Disk(tmp_path) as disk:
        yield disk


def settings(folder: Path, disk: Disk, url: str, steps: int) -> Config:
    runs.model(folder, tokens=runs.speaking(*SAID))
    return runs.config(
        folder,
        run={"folder": str(disk.folder / "run"), "steps": steps, "save_every": 2, "max_skipped": 0},
        tasks={"environments": ENVIRONMENTS, "answer_format": None, "reward": None, "hub": url, "websocket": False},
        rollout={"groups": 3, "size": 3, "max_tokens": 2, "context": 2000, "staleness": 2},
        optimizer={"learning_rate": 1e-4, "minibatches": 1},
        track={"samples": 1000},
    )


class Restarted:
    """A server that is started again, on its port, whenever it has been killed.

    Attributes:
        times: How often it was.
    """

    def __init__(self, server: Server) -> None:
        self._server, self._over = server, False
        self.times = 0
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *told: object) -> None:
        self._over = True
        os.killpg(self._server.pid, signal.SIGKILL)
        self._thread.join()

    def _watch(self) -> None:
        while True:
            process = self._server._process
            assert process is not None
            process.wait()
            if self._over:
                return
            self._server.kill()  # it is dead; this takes the rest of its group and closes its pipes
            self._server.start()
            self.times += 1


def test_a_run_that_meets_everything_loses_nothing_and_says_what_happened(tmp_path: Path, disk: Disk) -> None:
    random = Random(SEED)
    ends: list[int] = []
    journal = f"sqlite:///{tmp_path / 'journal.sqlite'}"
    with Server(tmp_path, journal) as server, Restarted(server) as restarted:
        for moment in range(MOMENTS):
            config = settings(tmp_path, disk, server.url, STEPS * (MOMENTS + 1))
            faults = Faults(
                kill_cpu_s=random.randint(4, 9),
                hub_turn=random.randint(1, 40) if moment % 3 == 1 else 0,
                hub_pid=server.pid,
                full_save=1 if moment % 4 == 2 else 0,
                nan_update=random.randint(1, 3) if moment % 4 == 0 else 0,
            )
            ends.append(live(config, disk, faults))
        calm = Faults(hub_turn=20, hub_pid=server.pid, full_save=2, nan_update=3)
        assert live(config, disk, calm) == 0
    assert ends.count(-signal.SIGKILL) >= MOMENTS * 3 // 4, ends
    folder = Path(f"/proc/{disk._keeper.pid}/root{config.run.folder}")
    assert_whole(config, folder)
    events = (folder / "events.log").read_text()
    print(f"{ends.count(-signal.SIGKILL)} kills, {restarted.times} restarts of the hub\n{events}")
    assert restarted.times >= 1
    assert "skipped: nonfinite" in events
    assert "checkpoint failed: " in events
    assert "resumed from step-" in events
