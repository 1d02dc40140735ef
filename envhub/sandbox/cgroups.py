"""Control groups: what all processes of a slot may use together, where this process may make such groups.

Version 1 (memory, pids, cpuacct) or 2, whichever can be written. A slot has one group for as long as it lives; limits are
written before each job and counters read after it. Groups are named after the process that made them, so those whose maker is
gone are found and removed::

    tree = find()                       # a Tree, or a sentence saying why there is none
    group = tree.make(number=0)
    group.add(pid); group.begin(memory_mb=256, pids=32); ...; group.end(); group.remove()
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NEEDED: Final = ("memory", "pids")
_PREFIX: Final = "envhub-"
_OVERHEAD_MB: Final = 48
"""Beside the programs there are the keeper, the zygote and the first process of the job."""
TRUSTED: Final = 3
_PATIENCE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Counted:
    """What a group counted during a job.

    Attributes:
        memory_mb: MiB at most, without what the slot itself takes; 0 where the kernel does not tell.
        starved: Whether a process was killed for memory.
        crowded: Whether a process could not be started because there were too many.
    """

    memory_mb: float
    starved: bool
    crowded: bool


class Group:
    """The control group of one slot: a directory for each controller, or one for all of them."""

    def __init__(self, memory: Path, pids: Path, version: int) -> None:
        self._memory = memory
        self._pids = pids
        self._version = version
        self._limits = (0, 0)
        self._before = (0, 0)
        self._base = 0

    def add(self, pid: int) -> None:
        """Put a process, and all it will start, into the group.

        Raises:
            OSError: The kernel refuses.
        """
        for directory in {self._memory, self._pids}:
            (directory / "cgroup.procs").write_text(str(pid))

    def begin(self, memory_mb: int, pids: int) -> None:
        """Set the limits of a job and the counters to their start.

        Raises:
            OSError: The kernel refuses.
        """
        if self._limits != (memory_mb, pids):
            self._limit((memory_mb + _OVERHEAD_MB) << 20)
            (self._pids / "pids.max").write_text(str(pids + TRUSTED))
            self._limits = (memory_mb, pids)
        with suppress(OSError):  # version 2 has it only on newer kernels
            _put(self._memory / _PEAK[self._version], "0")
        self._base = _number(self._memory / _NOW[self._version])
        self._before = (self._killed(), self._refused())

    def end(self) -> Counted:
        """What was counted since the job began."""
        peak = max(0, _number(self._memory / _PEAK[self._version]) - self._base)
        killed, refused = self._before
        return Counted(peak / (1 << 20), self._killed() > killed, self._refused() > refused)

    def remove(self) -> None:
        """Kill what is in it and remove it. Does not raise."""
        give_up = time.monotonic() + _PATIENCE_S
        for directory in {self._memory, self._pids}:
            while directory.exists() and time.monotonic() < give_up:
                for pid in _pids(directory):
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
                try:
                    directory.rmdir()
                except FileNotFoundError:
                    break
                except OSError:  # something in it has been killed and is not gone yet
                    time.sleep(0.005)

    def _limit(self, size: int) -> None:
        if self._version == 2:
            (self._memory / "memory.max").write_text(str(size))
            with suppress(OSError):  # a kernel without swap accounting
                (self._memory / "memory.swap.max").write_text("0")
            return
        plain, swap = self._memory / "memory.limit_in_bytes", self._memory / "memory.memsw.limit_in_bytes"
        # memory with swap may never be less than memory alone, not even between two writes
        order = [plain, swap] if size <= _number(plain) else [swap, plain]
        for path in order:
            if path.exists():
                path.write_text(str(size))

    def _killed(self) -> int:
        return _field(self._memory / ("memory.oom_control", "memory.events")[self._version - 1], "oom_kill")

    def _refused(self) -> int:
        return _field(self._pids / "pids.events", "max")


_PEAK: Final = {1: "memory.max_usage_in_bytes", 2: "memory.peak"}
_NOW: Final = {1: "memory.usage_in_bytes", 2: "memory.current"}


class Tree:
    """Where groups are made: the directories of the controllers."""

    def __init__(self, memory: Path, pids: Path, version: int) -> None:
        self._memory = memory
        self._pids = pids
        self.version = version

    def make(self, number: int) -> Group:
        """The group of a slot of this process.

        Raises:
            OSError: The kernel refuses.
        """
        name = f"{_PREFIX}{_identity(os.getpid())}-{number}"
        group = self._group(name)
        group.remove()
        for directory in {self._memory / name, self._pids / name}:
            directory.mkdir(exist_ok=True)
        return group

    def clean(self) -> None:
        """Remove the groups whose maker is gone, and what is in them."""
        for directory in {self._memory, self._pids}:
            for path in directory.glob(_PREFIX + "*"):
                maker = path.name[len(_PREFIX) :].rpartition("-")[0]
                if maker != _identity(int(maker.partition("-")[0] or 0)):
                    self._group(path.name).remove()

    def _group(self, name: str) -> Group:
        return Group(self._memory / name, self._pids / name, self.version)


def find() -> Tree | str:
    """Where groups can be made, or a sentence saying why they cannot."""
    mounts = _mounts()
    own = _own()
    if all(name in mounts for name in _NEEDED):
        memory, pids = (_below(mounts[name], own.get(name, "/")) for name in _NEEDED)
        return _usable([Tree(memory, pids, version=1)])
    if "" in mounts:
        mine = _below(mounts[""], own.get("", "/"))
        return _usable([Tree(place, place, version=2) for place in (mine, mine.parent) if _lends(place)])
    return "no control groups for memory and processes are mounted"


def _usable(trees: list[Tree]) -> Tree | str:
    reason = "the control groups of this process lend no controllers to groups below them (memory, pids)"
    for tree in trees:
        try:
            group = tree.make(0xFFFF)
            group.begin(64, 8)
        except OSError as error:
            reason = f"control groups cannot be made here: {error.strerror} ({error.filename})"
            continue
        group.remove()
        return tree
    return reason


def _lends(place: Path) -> bool:
    """Whether groups below a group of version 2 have the controllers; if not, they are asked for."""
    path = place / "cgroup.subtree_control"
    with suppress(OSError):
        if not set(_NEEDED) <= set(path.read_text().split()):
            path.write_text("+memory +pids")
        return set(_NEEDED) <= set(path.read_text().split())
    return False


def _mounts() -> dict[str, Path]:
    """Mount points of the controllers of version 1 by name, and of version 2 under the empty name."""
    found: dict[str, Path] = {}
    with suppress(OSError), open("/proc/self/mountinfo") as table:
        for line in table:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split(" ", 2)
            if kind == "cgroup2":
                found[""] = Path(left.split()[4])
            elif kind == "cgroup":
                found |= {name: Path(left.split()[4]) for name in options.strip().split(",") if name in _NEEDED}
    return found


def _own() -> dict[str, str]:
    found: dict[str, str] = {}
    with suppress(OSError), open("/proc/self/cgroup") as table:
        for line in table:
            _, names, path = line.rstrip("\n").split(":", 2)
            found |= dict.fromkeys(names.split(","), path)
    return found


def _below(mount: Path, own: str) -> Path:
    place = mount / own.lstrip("/")
    return place if ".." not in own and place.is_dir() else mount  # another namespace's path means nothing here


def _identity(pid: int) -> str:
    """A process's number and start: the number alone may come again."""
    try:
        row = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{pid}-{row[19]}"


def _pids(directory: Path) -> list[int]:
    with suppress(OSError):
        return [int(line) for line in (directory / "cgroup.procs").read_text().split()]
    return []


def _put(path: Path, text: str) -> None:
    path.write_text(text)


def _number(path: Path) -> int:
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return 0


def _field(path: Path, name: str) -> int:
    with suppress(OSError, ValueError):
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return 0
