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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NEEDED: Final[tuple[str, ...]] = ("memory", "pids")
_KNOWN: Final[tuple[str, ...]] = (*_NEEDED, "cpuacct")
_PREFIX: Final = "envhub-"
_OVERHEAD_MB: Final = 48
"""Beside the programs there are the keeper, the steward, the zygote and the first process of the job."""
TRUSTED: Final = 4
_PATIENCE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Counted:
    """What a group counted during a job.

    Attributes:
        memory_mb: MiB at most, without what the slot itself takes; 0 where the kernel does not tell.
        starved: Whether a process was killed for memory.
        crowded: Whether a process could not be started because there were too many.
        cpu_s: Seconds of processor, those of the slot itself included; 0 where the kernel does not tell.
    """

    memory_mb: float
    starved: bool
    crowded: bool
    cpu_s: float = 0.0


class Group:
    """The control group of one slot: a directory for each controller, or one for all of them.

    Args:
        places: The directories by controller: ``memory``, ``pids`` and, if there is one, ``cpuacct``.
        version: Of control groups.
    """

    def __init__(self, places: Mapping[str, Path], version: int) -> None:
        self._places = places
        self._memory, self._pids = (places[name] for name in _NEEDED)
        self._version = version
        self._now = f"{self._memory}/{_NOW[version]}"
        self._highest = f"{self._memory}/{_PEAK[version]}"
        self._kills = f"{self._memory}/{_KILLS[version]}"
        self._refusals = f"{self._pids}/pids.events"
        self._time = f"{self._memory}/cpu.stat" if version == 2 else f"{places.get('cpuacct', '')}/cpuacct.usage"
        self._peak = -1  # version 2 counts it anew for a descriptor that was written to, and for nobody else
        self._spent = 0.0
        self._limits = (0, 0)
        self._before = (0, 0)
        self._base = 0

    def add(self, pid: int) -> None:
        """Put a process, and all it will start, into the group.

        Raises:
            OSError: The kernel refuses.
        """
        for directory in self._directories():
            (directory / "cgroup.procs").write_text(str(pid))

    def stat(self) -> int:
        """A descriptor of what its memory is made of.

        Raises:
            OSError: The kernel refuses.
        """
        return os.open(self._memory / "memory.stat", os.O_RDONLY | os.O_CLOEXEC)

    def begin(self, memory_mb: int, pids: int) -> None:
        """Set the limits of a job and the counters to their start.

        Raises:
            OSError: The kernel refuses.
        """
        if self._limits != (memory_mb, pids):
            self._limit((memory_mb + _OVERHEAD_MB) << 20)
            (self._pids / "pids.max").write_text(str(pids + TRUSTED))
            self._limits = (memory_mb, pids)
        self.release()
        with suppress(OSError):  # version 2 has it only on newer kernels
            self._peak = os.open(self._highest, os.O_RDWR | os.O_CLOEXEC)
            os.write(self._peak, b"0")
        self._base = _number(self._now)
        self._before = (self._killed(), self._refused())
        self._spent = self._processor()

    def end(self) -> Counted:
        """What was counted since the job began."""
        peak = 0
        with suppress(OSError, ValueError):
            peak = max(0, int(os.pread(self._peak, 100, 0)) - self._base)
        self.release()
        killed, refused = self._before
        spent = max(0.0, self._processor() - self._spent)
        return Counted(peak / (1 << 20), self._killed() > killed, self._refused() > refused, spent)

    def release(self) -> None:
        """Give back what is open. Does not raise."""
        held, self._peak = self._peak, -1
        if held >= 0:
            os.close(held)

    def remove(self) -> None:
        """Kill what is in it and remove it. Does not raise."""
        self.release()
        for directory in self._directories():
            _clear(directory)

    def _directories(self) -> set[Path]:
        return set(self._places.values())

    def _processor(self) -> float:
        if self._version == 2:
            return _field(self._time, "usage_usec") / 1e6
        return _number(self._time) / 1e9

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
        return _field(self._kills, "oom_kill")

    def _refused(self) -> int:
        return _field(self._refusals, "max")


_PEAK: Final = {1: "memory.max_usage_in_bytes", 2: "memory.peak"}
_KILLS: Final = {1: "memory.oom_control", 2: "memory.events"}
_NOW: Final = {1: "memory.usage_in_bytes", 2: "memory.current"}


class Tree:
    """Where groups are made: the directories of the controllers by their names."""

    def __init__(self, places: Mapping[str, Path], version: int) -> None:
        self._places = places
        self.version = version

    def make(self, number: int) -> Group:
        """The group of a slot of this process.

        Raises:
            OSError: The kernel refuses.
        """
        name = f"{_PREFIX}{_identity(os.getpid())}-{number}"
        group = self._group(name)
        group.remove()
        for place in set(self._places.values()):
            (place / name).mkdir(exist_ok=True)
        return group

    def clean(self) -> None:
        """Remove the groups whose maker is gone, and what is in them; also those that it made beside our own group."""
        for directory in set(self._places.values()):
            for path in [*directory.glob(_PREFIX + "*"), *directory.parent.glob(f"*/{_PREFIX}*")]:
                if _left(path.name):
                    _clear(path)

    def _group(self, name: str) -> Group:
        return Group({controller: place / name for controller, place in self._places.items()}, self.version)


def find() -> Tree | str:
    """Where groups can be made, or a sentence saying why they cannot."""
    mounts = _mounts()
    own = _own()
    if all(name in mounts for name in _NEEDED):
        places = {name: _below(mounts[name], own.get(name, "/")) for name in _KNOWN if name in mounts}
        needed = {name: places[name] for name in _NEEDED}
        return _usable([Tree(places, version=1), Tree(needed, version=1)])
    if "" in mounts:
        mine = _below(mounts[""], own.get("", "/"))
        lending = [place for place in (mine, mine.parent) if _lends(place)]
        return _usable([Tree(dict.fromkeys(_NEEDED, place), version=2) for place in lending])
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
                found |= {name: Path(left.split()[4]) for name in options.strip().split(",") if name in _KNOWN}
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
    """A process's number and start, for the number alone may come again; and the namespace in which it has that number."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
        row = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{space}-{pid}-{row[19]}"


def _left(name: str) -> bool:
    """Whether the maker of a group is known to be gone."""
    maker = name[len(_PREFIX) :].rpartition("-")[0]
    space, _, rest = maker.partition("-")
    pid = rest.partition("-")[0]
    if not pid.isdigit() or space != _identity(os.getpid()).partition("-")[0]:
        return False
    return maker != _identity(int(pid))


def _clear(directory: Path) -> None:
    """Kill what is in a group and remove it."""
    give_up = time.monotonic() + _PATIENCE_S
    while directory.exists() and time.monotonic() < give_up:
        for pid in _pids(directory):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            directory.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # something in it has been killed and is not gone yet
            time.sleep(0.005)


def _pids(directory: Path) -> list[int]:
    with suppress(OSError):
        return [int(line) for line in (directory / "cgroup.procs").read_text().split()]
    return []


def _number(path: str | Path) -> int:
    with suppress(OSError, ValueError):
        return int(_read(path))
    return 0


def _field(path: str | Path, name: str) -> int:
    with suppress(OSError, ValueError):
        words = _read(path).split()
        return int(words[words.index(name.encode()) + 1])
    return 0


def _read(path: str | Path) -> bytes:
    """What a file of the kernel holds; for every job there are several, and opening them as text takes longer than they do."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)
