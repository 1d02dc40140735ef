"""Control groups that limit and measure all processes of a slot together.

Uses version 1 (memory, pids, cpuacct) or 2, whichever is writable. A slot keeps one group for its lifetime: limits are written
before each job and counters read after it. Groups are named after the process that made them, so groups of dead processes are
found and removed::

    tree = find()                       # a Tree, or the reason why it is unavailable
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
"""Memory of the trusted processes: supervisor, runner, zygote and the first process of the job."""
TRUSTED: Final = 4
_PATIENCE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class JobCounters:
    """Counters of a control group over one job.

    Attributes:
        memory_mb: Peak memory in MiB without the slot's own; 0 if the kernel does not report it.
        out_of_memory: Whether a process was killed for memory.
        pids_exceeded: Whether a process could not start because there were too many.
        cpu_s: CPU seconds including the slot's own; 0 if the kernel does not report them.
    """

    memory_mb: float
    out_of_memory: bool
    pids_exceeded: bool
    cpu_s: float = 0.0


class Group:
    """The control group of one slot.

    A directory for each controller, or one for all of them.

    Args:
        places: Directories by controller: ``memory``, ``pids`` and, if available, ``cpuacct``.
        version: Version of control groups, 1 or 2.
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
        self._peak = -1  # version 2 resets the peak per descriptor that was written to
        self._spent = 0.0
        self._limits = (0, 0)
        self._before = (0, 0)
        self._base = 0

    def add(self, pid: int) -> None:
        """Move a process, and all it will start, into the group.

        Raises:
            OSError: The kernel refused.
        """
        for directory in self._directories():
            (directory / "cgroup.procs").write_text(str(pid))

    def stat(self) -> int:
        """Open the group's ``memory.stat`` and return the descriptor.

        Raises:
            OSError: The kernel refused.
        """
        return os.open(self._memory / "memory.stat", os.O_RDONLY | os.O_CLOEXEC)

    def begin(self, memory_mb: int, pids: int) -> None:
        """Set the limits of a job and reset the counters.

        Raises:
            OSError: The kernel refused.
        """
        if self._limits != (memory_mb, pids):
            self._limit((memory_mb + _OVERHEAD_MB) << 20)
            (self._pids / "pids.max").write_text(str(pids + TRUSTED))
            self._limits = (memory_mb, pids)
        self.release()
        with suppress(OSError):  # version 2 has it on newer kernels only
            self._peak = os.open(self._highest, os.O_RDWR | os.O_CLOEXEC)
            os.write(self._peak, b"0")
        self._base = _number(self._now)
        self._before = (self._killed(), self._refused())
        self._spent = self._processor()

    def end(self) -> JobCounters:
        """Return the counters since :meth:`begin`."""
        peak = 0
        with suppress(OSError, ValueError):
            peak = max(0, int(os.pread(self._peak, 100, 0)) - self._base)
        self.release()
        killed, refused = self._before
        spent = max(0.0, self._processor() - self._spent)
        return JobCounters(peak / (1 << 20), self._killed() > killed, self._refused() > refused, spent)

    def release(self) -> None:
        """Close open descriptors. Never raises."""
        held, self._peak = self._peak, -1
        if held >= 0:
            os.close(held)

    def remove(self) -> None:
        """Kill all processes of the group and remove it. Never raises."""
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
        # the limit with swap may never be below the limit without, not even between two writes
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
    """The parent directories of groups, by controller."""

    def __init__(self, places: Mapping[str, Path], version: int) -> None:
        self._places = places
        self.version = version

    def make(self, number: int) -> Group:
        """Create the group of a slot of this process.

        Raises:
            OSError: The kernel refused.
        """
        name = f"{_PREFIX}{_identity(os.getpid())}-{number}"
        group = self._group(name)
        group.remove()
        for place in set(self._places.values()):
            (place / name).mkdir(exist_ok=True)
        return group

    def clean(self) -> None:
        """Remove groups of dead processes and kill what is in them.

        Also beside our own group.
        """
        for directory in set(self._places.values()):
            for path in [*directory.glob(_PREFIX + "*"), *directory.parent.glob(f"*/{_PREFIX}*")]:
                if _left(path.name):
                    _clear(path)

    def _group(self, name: str) -> Group:
        return Group({controller: place / name for controller, place in self._places.items()}, self.version)


def find() -> Tree | str:
    """The tree for new groups, or why none can be created."""
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
    reason = "the control group of this process cannot delegate the controllers memory and pids to groups below it"
    for tree in trees:
        try:
            group = tree.make(0xFFFF)
            group.begin(64, 8)
        except OSError as error:
            reason = f"control groups cannot be created: {error.strerror} ({error.filename})"
            continue
        group.remove()
        return tree
    return reason


def _lends(place: Path) -> bool:
    """Whether groups below a version 2 group have the controllers.

    Enables them if possible.
    """
    path = place / "cgroup.subtree_control"
    with suppress(OSError):
        if not set(_NEEDED) <= set(path.read_text().split()):
            path.write_text("+memory +pids")
        return set(_NEEDED) <= set(path.read_text().split())
    return False


def _mounts() -> dict[str, Path]:
    """Mount points of the controllers.

    Of version 1 by name, and of version 2 under the empty name.
    """
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
    return place if ".." not in own and place.is_dir() else mount  # the path belongs to another namespace


def _identity(pid: int) -> str:
    """A process's PID namespace, id and start time.

    The id alone may be reused.
    """
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
        row = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{space}-{pid}-{row[19]}"


def _left(name: str) -> bool:
    """Whether the process that made a group is known to be dead."""
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
        except OSError:  # a killed process is not gone yet
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
    """The content of a kernel file.

    Read unbuffered: text mode would take longer than the read itself.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)
