"""The system calls that the standard library lacks, through ctypes; each raises OSError with the name of what failed.

Only x86-64 and aarch64 are known: :data:`NUMBERS` is None on other machines, and nothing here can be used there.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
DETACH = 2
PDEATHSIG, DUMPABLE, CAPBSET_DROP, SECUREBITS, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 24, 28, 38, 47

MACHINE = platform.machine()
NUMBERS = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155, "seccomp": 317, "openat2": 437, "mount_setattr": 442},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41, "seccomp": 277, "openat2": 437, "mount_setattr": 442},
}.get(MACHINE)

# PyDLL keeps the interpreter lock, so that a forked child has it
_libc = ctypes.PyDLL(None, use_errno=True)
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_LAST_CAPABILITY = 63


def _checked(value: int, what: str) -> int:
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return value


def _call(name: str, *args: object) -> int:
    assert NUMBERS is not None, MACHINE
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in args]
    return _checked(_libc.syscall(ctypes.c_long(NUMBERS[name]), *plain), name)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount, bind or remount."""
    texts = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    done = _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    _checked(done, f"mount {source or kind or ''} on {target}")


def unmount(target: str) -> None:
    """Take a mount away, at once from sight."""
    _checked(_libc.umount2(target.encode(), DETACH), f"umount {target}")


def read_only(target: str) -> None:
    """Make a mount and those below it read-only, without set-user-id programs and devices."""
    attributes = struct.pack("QQQQ", RDONLY | NOSUID | NODEV, 0, 0, 0)
    try:
        _call("mount_setattr", _AT_FDCWD, target.encode(), _AT_RECURSIVE, attributes, len(attributes))
    except OSError:
        # before Linux 5.12: one by one, keeping the flags that a user namespace may not take away
        for point in _mounts_below(target):
            held = os.statvfs(point).f_flag & 0x40F  # ST_* are the same bits as MS_*
            mount(None, point, None, REMOUNT | BIND | RDONLY | NOSUID | NODEV | held)


def _mounts_below(target: str) -> list[str]:
    with open("/proc/self/mountinfo") as table:
        points = [line.split()[4].replace("\\040", " ") for line in table]
    return [point for point in points if point == target or point.startswith(target + "/")]


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root and put the old one at ``old``."""
    _call("pivot_root", new.encode(), old.encode())


def unshare(flags: int) -> None:
    """Leave namespaces for new ones."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def prctl(option: int, *args: int) -> int:
    """Change something about this process."""
    padded = [ctypes.c_ulong(each) for each in (*args, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(ctypes.c_int(option), *padded), f"prctl {option}")


def clone(flags: int) -> int:
    """Fork into new namespaces; 0 in the child, as :func:`os.fork`."""
    ctypes.pythonapi.PyOS_BeforeFork()
    try:
        # the arguments after the flags are all zero, so their order, which differs between machines, does not matter
        pid = _call("clone", flags | 17, 0, 0, 0, 0)
    except OSError:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        raise
    if pid:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    return pid


def no_new_rights() -> None:
    """See to it that no program started from here on has more rights than this one leaves it."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(CAPBSET_DROP, capability)
        except OSError:  # beyond the last one this kernel knows
            break
    prctl(SECUREBITS, 0b11000011)  # root is nobody, no ambient capabilities; both for good
    prctl(NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up every capability there is."""
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    _call("capset", header, nothing)


def load_filter(program: bytes) -> None:
    """Install a seccomp filter, for all processes that come of this one."""
    text = ctypes.create_string_buffer(program, len(program))
    pointer = ctypes.cast(text, ctypes.c_void_p).value or 0
    _call("seccomp", 1, 0, struct.pack("@HP", len(program) // 8, pointer))


def open_beneath(directory: int, path: str, flags: int) -> int:
    """Open a path below a directory, through no link of any kind.

    Raises:
        OSError: It is not there, or a link is on the way.
    """
    how = struct.pack("QQQ", flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0, 0x08 | 0x04 | 0x02)  # beneath, no links, no magic
    try:
        return _call("openat2", directory, path.encode(), how, len(how))
    except OSError as error:
        if error.errno not in (38, 1):  # before Linux 5.6, or a filter that does not know it
            raise
    held = os.dup(directory)
    try:
        *parents, name = path.split("/")
        for parent in parents:
            below = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
            os.close(held)
            held = below
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
    finally:
        os.close(held)


if sys.byteorder != "little":  # the filter and the structures above are written for the two machines we know
    NUMBERS = None
