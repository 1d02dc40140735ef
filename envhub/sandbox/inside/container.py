"""A slot inside a container, isolated by the container runtime.

The isolation is shared by its jobs. There are no namespaces per job. Between two jobs all processes except the
container's first are killed, and the only writable directory, ``/box``, is emptied (:func:`clear`). :func:`enter` first
verifies the container: a slot that is not isolated does not start. The first process also ends the container when the
host is gone (:func:`wait`).
"""

from __future__ import annotations

import os
import select
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import box, linux, monitor
from envhub.sandbox.inside.counters import anonymous, number, opened

SUBREAPER = 36
CAPABILITIES = {"CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "KILL": 5, "SETGID": 6, "SETUID": 7, "SETPCAP": 8}
"""Capabilities of the trusted processes with their numbers: to change the owner of files, write into and clean up programs'
directories, kill programs, change to their user, and drop capabilities."""
_HELD = "/box/held"
TRUSTED = 2
"""Number of trusted processes: the first of the container and the first of the job."""
_TRUSTED_S = 0.25
_NOT_OURS = "the container is not isolated: {}; was the image built by `envhub sandbox image`?"


def enter(settings: dict[str, Any]) -> None:
    """Verify and prepare the container.

    Raises:
        PermissionError: The container is not isolated; the message says why.
    """
    linux.prctl(linux.DUMPABLE, 0)
    os.setgroups([])
    os.chdir("/")
    if not os.path.lexists("/dev/shm"):
        os.symlink("/box/shm", "/dev/shm")
    wrong = _wrong()
    if wrong:
        raise PermissionError(_NOT_OURS.format(wrong))
    linux.claim_processes()
    clear()


def _wrong() -> str:
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":", 1) for line in file if ":" in line)
    granted = sum(1 << number for number in CAPABILITIES.values())
    if os.getpid() != 1 or os.geteuid() != 0:
        return "the zygote is not its first process or not root"
    if any(int(status[name], 16) & ~granted for name in ("CapBnd", "CapPrm", "CapEff", "CapInh")):
        return "it has more capabilities than requested"
    if status["NoNewPrivs"].strip() != "1":
        return "programs can gain privileges"
    if status["Seccomp"].strip() != "2":
        return "system calls are not filtered"
    if not os.statvfs("/").f_flag & os.ST_RDONLY:
        return "its root file system is writable"
    if not os.path.ismount(box.ROOT):
        return f"{box.ROOT} is not a separate file system"
    for path, target in {"/tmp": "/box/tmp", "/dev/shm": "/box/shm"}.items():
        if os.path.realpath(path) != target:
            return f"{path} does not lead to {target}"
    with open("/proc/self/net/dev") as file:
        if [line.split(":")[0].strip() for line in file if ":" in line] not in ([], ["lo"]):
            return "it has a network"
    return ""


def wait(pid: int, control: int) -> int:
    """Wait for the first process of a job and return its status.

    Exits if the host goes away.
    """
    poll = select.poll()
    poll.register(control, 0)  # reports only that the other end is closed
    ended = os.pidfd_open(pid)
    poll.register(ended, select.POLLIN)
    try:
        if any(descriptor == control for descriptor, _ in poll.poll()):
            os._exit(0)  # which ends the container
    finally:
        os.close(ended)
    _, status = os.waitpid(pid, 0)
    return status


def clear() -> None:
    """Kill every process but the first, and remove every file.

    Raises:
        OSError: Something could not be removed.
    """
    linux.signal_all(9)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    root = os.open(box.ROOT, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _empty(root)
    finally:
        os.close(root)


def _empty(root: int) -> None:
    """Empty a directory of any depth.

    Subdirectories are moved up before they are removed.
    """
    moved = 0
    while True:
        with os.scandir(root) as entries:
            names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        if not names:
            return
        for name, folder in names:
            if not folder:
                os.unlink(name, dir_fd=root)
                continue
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=root)
            try:
                with os.scandir(below) as entries:
                    inner = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
                for child, deeper in inner:
                    if deeper:
                        moved += 1
                        # unique: programs cannot create names here
                        os.rename(child, f".moved-{moved}", src_dir_fd=below, dst_dir_fd=root)
                    else:
                        os.unlink(child, dir_fd=below)
            finally:
                os.close(below)
            os.rmdir(name, dir_fd=root)


class Box(box.Box):
    """The files of a job in a file system without its limits.

    The file system may be larger than the job's limits. Surplus inodes are taken up front; the bytes are monitored.

    Args:
        limits: ``file_mb`` and ``files``.
        owner: User id of programs.
    """

    def __init__(self, limits: dict[str, Any], owner: int | None) -> None:
        self._most = limits["file_mb"] << 20
        self._hold(os.statvfs(box.ROOT).f_files - limits["files"] - box.OWN)
        super().__init__(box.make_directories(limits, owner, mounted=False), owner)

    def _hold(self, number: int) -> None:
        """Take a number of inodes.

        In a tmpfs each hard link counts as one.
        """
        if number < 2:
            return
        os.mkdir(_HELD, 0o700)
        held = os.open(_HELD, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        os.close(os.open("0", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=held))
        for name in range(1, number - 1):
            os.link("0", str(name), src_dir_fd=held, dst_dir_fd=held)
        os.close(held)

    def put(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """See :meth:`box.Box.put`."""
        super().put(path, data, mode)
        if self.full():
            raise box.Full(path)

    def full(self) -> bool:
        """See :meth:`box.Box.full`."""
        room = os.statvfs(box.ROOT)
        used = (room.f_blocks - room.f_bfree) * room.f_frsize
        return used >= self._most or room.f_bavail == 0 or room.f_ffree == 0


class Monitor(monitor.Monitor):
    """Also reads the container's control group.

    The host limits it, and it is visible here.

    Args:
        limits: The limits of the job.
        files: The files of the job.
        started: See :class:`monitor.Monitor`.
    """

    def __init__(self, limits: dict[str, Any], files: Box, started: int) -> None:
        linux.prctl(SUBREAPER, 1)  # orphans become our children and are counted
        self._counters = _Counters()
        own = self._counters.anonymous if self._counters.known else None
        super().__init__(limits, files.used, own, started=started)
        self._box = files
        self._then = self._counters.read()

    def take_cpu_s(self, *, swept: bool = False) -> float:
        """See :meth:`monitor.Monitor.take_cpu_s`."""
        seen, before = super().take_cpu_s(swept=swept), self._then
        self._then = self._counters.read()
        spent = (self._then["cpu"] - before["cpu"]) / 1e9
        return spent if spent > seen + _TRUSTED_S else seen  # processes that nobody waited for

    def read_counters(self) -> None:
        """See :meth:`monitor.Monitor.read_counters`."""
        now, before = self._counters.read(), self._then
        highest = now["peak"] if now["peak"] > before["peak"] else now["used"]
        self.peak = max(self.peak, highest - before["used"])
        if now["killed"] > before["killed"] and self.limit in (None, "wall"):
            self.limit = "memory"
        elif now["refused"] > before["refused"]:
            self.hit("pids")

    def _measure(self) -> None:
        super()._measure()
        if self._counters.known:
            self.peak = max(self.peak, self._counters.used() - self._then["used"])
            if (self._counters.cpu() - self._then["cpu"]) / 1e9 > self._limits["cpu_s"] + _TRUSTED_S:
                self.hit("cpu")
        if self._box.full():
            self.hit("file")


class _Counters:
    """Counters of the control group, version 1 or 2.

    Zeros if they are not visible.
    """

    def __init__(self) -> None:
        root = "/sys/fs/cgroup"
        old = os.path.isdir(f"{root}/memory")
        memory, pids = (f"{root}/memory/memory.", f"{root}/pids/pids.") if old else (f"{root}/memory.", f"{root}/pids.")
        self._used = opened(memory + ("usage_in_bytes" if old else "current"))
        self._stat = opened(memory + "stat")
        self._peak = opened(memory + ("max_usage_in_bytes" if old else "peak"))
        self._killed = opened(memory + ("oom_control" if old else "events"))
        self._refused = opened(pids + "events")
        self._old = old
        self._cpu = opened(f"{root}/cpuacct/cpuacct.usage" if old else f"{root}/cpu.stat")
        self.known = self._used >= 0 and self._killed >= 0 and self._refused >= 0

    def used(self) -> int:
        """Bytes in use."""
        return number(self._used)

    def anonymous(self) -> int:
        """Bytes of anonymous memory in use."""
        return anonymous(self._stat)

    def cpu(self) -> int:
        """CPU nanoseconds."""
        return number(self._cpu) if self._old else 1000 * number(self._cpu, b"usage_usec")

    def read(self) -> dict[str, int]:
        """Read all counters.

        Bytes in use and at peak, processes killed for memory or refused, CPU nanoseconds.
        """
        return {
            "cpu": self.cpu(),
            "used": self.used(),
            "peak": number(self._peak),
            "killed": number(self._killed, b"oom_kill"),
            "refused": number(self._refused, b"max"),
        }
