"""Runs that meet every misfortune: the trainer's lives, and what must hold of the folder that they leave.

A life is a process of its own that trains until its fault, and is then started again as a user would. Its faults come by
counting, not by the clock: CPU seconds until the kernel kills it, turns until it kills the hub, saves until the disk is full,
updates until a loss is NaN. ::

    end = live(config, disk, Faults(kill_cpu_s=3))      # -signal.SIGKILL
    assert_whole(config)
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from envhub_trainer.config import Config
from envhub_trainer.setup import task_stream
from envhub_trainer.watch.track import EPISODES, LOG, lines
from tests.chaos.disk import Disk
from tests.support.places import ROOT

_LIFE = """
import asyncio, json, os, resource, signal, sys, torch
from pathlib import Path
import envhub_trainer.loop, envhub_trainer.setup
from envhub_trainer import checkpoint
from envhub_trainer.config import read
from envhub_trainer.run import Run
from envhub_trainer.update import Learner

config, faults = read(json.loads(sys.argv[1])), json.loads(sys.argv[2])
filler = config.run.folder / "filler"

def at(owner, name, count, fault):
    real, calls = getattr(owner, name), iter(range(1, 1_000_000))
    def counted(*args, **more):
        return real(*(fault(args) if next(calls) == count else args), **more)
    setattr(owner, name, counted)

def fill(args):
    with open(filler, "wb", buffering=0) as file:
        for size in (65_536, 512):
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                continue
    return args

def free(args):
    filler.unlink(missing_ok=True)
    return args

def hub(args):
    os.killpg(faults["hub_pid"], signal.SIGKILL)
    return args

def nan(args):
    learner, batch, step = args
    return learner, batch.having(advantage=batch.advantage * float("nan")), step

free(None)
at(Learner, "learn", faults["nan_update"], nan)
at(Run, "_save", faults["full_save"], fill)
really_save = Run.save

def save(self, due):
    try:
        really_save(self, due)
    finally:
        free(None)

Run.save = save
from envhub_trainer.playing import Table
at(Table, "write", faults["hub_turn"], hub)
if faults["kill_cpu_s"]:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    until = int(spent.ru_utime + spent.ru_stime) + faults["kill_cpu_s"]
    resource.setrlimit(resource.RLIMIT_CPU, (until, until))
asyncio.run(envhub_trainer.loop.train(config))
"""


@dataclass(frozen=True)
class Faults:
    """What befalls a life, each counted within it; 0 is never.

    Attributes:
        kill_cpu_s: CPU seconds after its imports at which the kernel kills it.
        hub_turn: The turn at which the hub is killed.
        hub_pid: The process group to kill then.
        full_save: The checkpoint at which the disk is full, until it has failed.
        nan_update: The update whose loss is NaN.
    """

    kill_cpu_s: int = 0
    hub_turn: int = 0
    hub_pid: int = 0
    full_save: int = 0
    nan_update: int = 0


def live(config: Config, disk: Disk, faults: Faults) -> int:
    """Train until the end or the fault; the exit code."""
    told = json.dumps(config.model_dump(mode="json"))
    command = [*disk.inside, sys.executable, "-c", _LIFE, told, json.dumps(asdict(faults))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def assert_whole(config: Config, folder: Path) -> None:
    """Every step is there once, and every task that began was trained once or is still to come.

    Args:
        config: Of the run, which keeps all its episodes.
        folder: Its files.
    """
    log = list(lines(folder / LOG))
    assert [line["step"] for line in log if "seconds" in line] == list(range(1, config.run.steps + 1))
    assert all(line["staleness_max"] <= config.rollout.staleness for line in log if "staleness_max" in line)
    kept = list(lines(folder / EPISODES))
    steps_of: dict[int, set[int]] = {}
    for episode in kept:
        steps_of.setdefault(episode["group"], set()).add(episode["step"])
    assert all(len(steps) == 1 for steps in steps_of.values()), "a group was trained twice"
    per_step = Counter(min(steps) for steps in steps_of.values())
    assert set(per_step.values()) == {config.rollout.groups}
    last = folder / "checkpoints" / f"step-{config.run.steps:06d}" / "state.json"
    state: dict[str, Any] = json.loads(last.read_text())["rollouts"]
    pending = [each["number"] for each in state["pending"]]
    assert sorted([*steps_of, *pending]) == list(range(state["begun"])), "a task that began is lost"
    drawn = task_stream(config.tasks, config.tasks.split, config.run.seed)
    expected = [task.key.to_json() for task in islice(drawn, state["begun"])]
    assert all(episode["task"] == expected[episode["group"]] for episode in kept)
