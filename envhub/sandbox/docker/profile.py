"""Configuration of the containers of the ``docker`` backend.

::

    profile = seccomp_profile("x86_64")
    config = host_config(Shape(), profile)

The daemon's seccomp filter is an additional one. It also applies to the trusted processes, which need more calls than programs,
so it only refuses calls that are known to be hostile (:mod:`envhub.sandbox.inside.syscalls`). The inner filter of every program
is the allow-list (:mod:`envhub.sandbox.inside.seccomp`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Self

from envhub.sandbox.inside import box, container, seccomp, syscalls
from envhub.sandbox.jobs import Limits
from envhub.sandbox.slots.slot import COMPILING

IDS: Final = range(30_000, 30_256)
"""User ids of programs, one per slot, so that per-user kernel state is not shared.

They are below 65,536, the number of ids of a daemon with user namespaces."""
OVERHEAD_MB: Final = 48
"""Memory of the trusted processes."""
_ARCHITECTURES: Final = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}
_NEEDED: Final = frozenset({"seccomp"})
"""Refused to programs by the inner filter, but needed to install it."""
_NEW_NAMESPACES: Final = (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_EPERM, _ENOSYS = 1, 38
_PROC: Final = (
    "acpi asound bus cmdline config.gz consoles cpuinfo crypto devices diskstats dma driver dynamic_debug execdomains fb "
    "filesystems fs interrupts iomem ioports irq kallsyms kcore key-users keys kmsg kpagecgroup kpagecount kpageflags "
    "latency_stats loadavg locks mdstat meminfo misc modules mtrr pagetypeinfo partitions pressure sched_debug schedstat "
    "scsi slabinfo softirqs stat swaps sys sysrq-trigger sysvipc timer_list timer_stats tty uptime version "
    "version_signature vmallocinfo vmcore vmstat zoneinfo"
)
_SYS: Final = "block bus class dev devices firmware hypervisor kernel module power"
_SYS_FS: Final = "bpf btrfs erofs ext4 f2fs fuse nfs orangefs pstore resctrl selinux smackfs xfs"
_DEV: Final = "mqueue pts"
MASKED: Final = (
    *(f"/proc/{name}" for name in _PROC.split()),
    *(f"/sys/{name}" for name in _SYS.split()),
    *(f"/sys/fs/{name}" for name in _SYS_FS.split()),
    *(f"/dev/{name}" for name in _DEV.split()),
)
"""Hidden paths. Processes in /proc and the container's own control groups in /sys remain visible."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Fixed limits of a container.

    A job that needs more needs a new container.

    Attributes:
        file_mb: Maximum MiB of files.
        files: Maximum number of files.
    """

    file_mb: int = max(COMPILING.file_mb, Limits().file_mb)
    files: int = max(COMPILING.files, Limits().files)

    def covers(self, limits: Limits) -> bool:
        """Whether a job with these limits fits."""
        return limits.file_mb <= self.file_mb and limits.files <= self.files

    def enlarged(self, limits: Limits) -> Self:
        """A shape in which the limits fit."""
        return type(self)(max(self.file_mb, limits.file_mb), max(self.files, limits.files))


def seccomp_profile(machine: str) -> dict[str, Any]:
    """The daemon's seccomp filter for a machine.

    Raises:
        KeyError: Unknown machine.
    """
    column = seccomp.ARCHITECTURES[machine][0]
    refused = sorted(name for name, row in syscalls.REFUSED.items() if row[column] is not None and name not in _NEEDED)
    rules = [
        _refuse(refused),
        _refuse(sorted(syscalls.MISSING), error=_ENOSYS),
        *(_refuse(["clone"], (0, flag, "SCMP_CMP_MASKED_EQ", flag)) for flag in _NEW_NAMESPACES),
        *(_refuse(["ioctl"], (1, 0xFFFFFFFF, "SCMP_CMP_MASKED_EQ", request)) for request in seccomp.REFUSED_IOCTLS),
        _refuse(["personality"], (0, 0, "SCMP_CMP_NE", 0)),
        _refuse(["prlimit64"], (0, 0, "SCMP_CMP_NE", 0)),
        _refuse(["socketpair"], (0, seccomp.AF_UNIX, "SCMP_CMP_NE", 0)),
    ]
    return {"defaultAction": "SCMP_ACT_ALLOW", "architectures": [_ARCHITECTURES[machine]], "syscalls": rules}


def _refuse(names: list[str], argument: tuple[int, int, str, int] | None = None, error: int = _EPERM) -> dict[str, Any]:
    rule: dict[str, Any] = {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": error}
    if argument:
        rule["args"] = [dict(zip(("index", "value", "op", "valueTwo"), argument, strict=True))]
    return rule


def host_config(shape: Shape, limits: Limits, profile: dict[str, Any], runtime: str = "") -> dict[str, Any]:
    """The ``HostConfig`` of a container.

    Args:
        shape: Fixed limits.
        limits: Limits of the first job; :func:`update` changes them.
        profile: Result of :func:`seccomp_profile`.
        runtime: Container runtime; the daemon's default if empty.
    """
    room = f"size={shape.file_mb}m,nr_inodes={shape.files + box.OWN}"
    return {
        **update(limits),
        **({"Runtime": runtime} if runtime else {}),
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "Tmpfs": {box.ROOT: f"rw,exec,nosuid,nodev,mode=0755,{room}"},
        "CapDrop": ["ALL"],
        "CapAdd": sorted(container.CAPABILITIES),
        "SecurityOpt": ["no-new-privileges", f"seccomp={json.dumps(profile)}"],
        "NanoCpus": 10**9,
        "IpcMode": "none",  # of its own, and without /dev/shm: it is in the box
        "CgroupnsMode": "private",
        "Privileged": False,
        "PublishAllPorts": False,
        "Devices": [],
        "DeviceRequests": [],
        "Binds": [],
        "MaskedPaths": list(MASKED),
        "ReadonlyPaths": [],
        "Ulimits": [
            {"Name": name, "Soft": most, "Hard": most}
            for name, most in {"core": 0, "nofile": 1024, "memlock": 0, "msgqueue": 0}.items()
        ],
        "LogConfig": {"Type": "none", "Config": {}},  # the daemon keeps nothing of what goes through it
        "RestartPolicy": {"Name": "no"},
        "AutoRemove": True,
        "Init": False,
    }


def update(limits: Limits) -> dict[str, Any]:
    """The limits of a job that the daemon enforces.

    It can change them at run time.
    """
    memory = (limits.memory_mb + OVERHEAD_MB) << 20
    return {
        "Memory": memory,
        "MemorySwap": memory,  # both together: there is no swap beside
        "PidsLimit": limits.pids + container.TRUSTED,
    }
