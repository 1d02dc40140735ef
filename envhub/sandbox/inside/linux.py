"""System calls that the standard library lacks, through ctypes.

Each raises OSError with the name of the call. Supports x86-64 and aarch64. On other machines :data:`NUMBERS` is None
and nothing here can be used.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import ctypes
import mmap
import os
import platform
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
DETACH = 2
_VM, PARENT, _SETTID = 0x100, 0x8000, 0x1000000
_GET_TID_ADDRESS = 40
PDEATHSIG, DUMPABLE, CAPBSET_DROP, SECUREBITS, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 24, 28, 38, 47

MACHINE = platform.machine()
NUMBERS = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155, "seccomp": 317, "openat2": 437, "mount_setattr": 442},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41, "seccomp": 277, "openat2": 437, "mount_setattr": 442},
}.get(MACHINE)

# PyDLL keeps the interpreter lock, so that a forked child has it
_libc = ctypes.PyDLL(None, use_errno=True)
_fork = _libc.fork  # looked up once, which takes longer than a call
if sys.platform == "linux":
    _prctl = _libc.prctl
    _prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    _mount = _libc.mount
    _mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
    _clone = _libc.clone
    _clone.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    _plain = _libc["syscall"]  # another object than the attribute, for calls whose arguments are all numbers
    _plain.argtypes = [ctypes.c_long] * 7
DEFAULT = _signal.SIG_DFL
handle: Callable[[int, Any], object] = _signal.signal
"""The core of :func:`signal.signal`, without its slow conversion of numbers to names."""
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_LAST_CAPABILITY = 63
_kept: list[object] = []


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
    if _mount(texts[0], texts[1], texts[2], flags, texts[3]) < 0:
        _checked(-1, f"mount {source or kind or ''} on {target}")


def unmount(target: str) -> None:
    """Detach a mount."""
    _checked(_libc.umount2(target.encode(), DETACH), f"umount {target}")


def read_only(target: str) -> None:
    """Make a mount and those below it read-only.

    Without set-user-id programs and devices.
    """
    attributes = struct.pack("QQQQ", RDONLY | NOSUID | NODEV, 0, 0, 0)
    try:
        _call("mount_setattr", _AT_FDCWD, target.encode(), _AT_RECURSIVE, attributes, len(attributes))
    except OSError:
        # before Linux 5.12: one by one, keeping the flags that a user namespace may not clear
        for point in _mounts_below(target):
            held = os.statvfs(point).f_flag & 0x40F  # ST_* are the same bits as MS_*
            mount(None, point, None, REMOUNT | BIND | RDONLY | NOSUID | NODEV | held)


def _mounts_below(target: str) -> list[str]:
    with open("/proc/self/mountinfo") as table:
        points = [line.split()[4].replace("\\040", " ") for line in table]
    return [point for point in points if point == target or point.startswith(target + "/")]


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root directory and move the old one to ``old``."""
    _call("pivot_root", new.encode(), old.encode())


def unshare(flags: int) -> None:
    """Move to new namespaces."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def prctl(option: int, *args: int) -> int:
    """Change an attribute of this process."""
    done: int = _prctl(option, *(*args, 0, 0, 0, 0)[:4])
    return done if done >= 0 else _checked(done, f"prctl {option}")


def clone(flags: int) -> int:
    """Fork into new namespaces.

    Returns 0 in the child. Only for single-threaded processes. Skips what the interpreter and the C library do around a
    fork. A process that is to run programs must be created by :func:`fork`.
    """
    assert NUMBERS is not None, MACHINE
    # the arguments after the flags are all zero, so their order, which differs between machines, does not matter
    return _checked(_plain(NUMBERS["clone"], flags | 17, 0, 0, 0, 0, 0), "clone")


def clone_sibling(flags: int) -> int:
    """Fork a sibling, a child of our parent.

    Returns 0 in the sibling, which may run programs as after :func:`fork`. Needs :func:`thread_id_address`, where the C
    library stores its thread id. Its other actions around a fork concern other threads, which do not exist here.

    Args:
        flags: Namespaces to create.
    """
    assert NUMBERS is not None, MACHINE
    at = thread_id_address()
    # its position among the arguments depends on the machine; the other position is unused
    return _checked(_plain(NUMBERS["clone"], flags | PARENT | _SETTID | 17, 0, 0, at, at, 0), "clone")


@cache
def thread_id_address() -> int:
    """Address of the C library's thread id of the main thread.

    0 if unknown.
    """
    at = ctypes.c_void_p(0)
    try:
        prctl(_GET_TID_ADDRESS, ctypes.addressof(at))
    except OSError:  # a kernel without it
        return 0
    if not at.value:
        return 0
    return at.value if ctypes.c_int.from_address(at.value).value == os.getpid() else 0


def clone_shared_memory(entry: int, stack: int) -> int:
    """Run machine code in a sibling process that shares our memory.

    Returns its process id.

    Args:
        entry: Address of the code, which never returns.
        stack: Top of its stack.
    """
    return _checked(_clone(entry, stack, PARENT | _VM | 17, 0), "clone")


def make_executable(memory: mmap.mmap, size: int) -> int:
    """Make the first ``size`` bytes of memory executable and read-only.

    Returns their address. Never freed.
    """
    held = ctypes.c_char.from_buffer(memory)
    _kept.append(held)
    at = ctypes.addressof(held)
    _checked(_libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC), "mprotect")
    return at


def enter_namespace(namespace: int, flags: int) -> None:
    """Enter a namespace, given by a descriptor."""
    _checked(_libc.setns(namespace, flags), f"setns {flags:#x}")


def fork() -> int:
    """Fork. Returns 0 in the child. Only for single-threaded processes.

    Skips what the interpreter does for other threads, and the hooks of modules, which take longer than the fork. The caller
    must replace those of :mod:`threading` and :mod:`random`.
    """
    return _checked(_fork(), "fork")


def _at(*texts: bytes) -> tuple[list[int], object]:
    """Addresses of copies of bytes, and an object that keeps them alive."""
    held = [ctypes.create_string_buffer(text, len(text)) for text in texts]
    return [ctypes.addressof(each) for each in held], held


_NO_CAPABILITIES = _at(struct.pack("Ii", 0x20080522, 0), bytes(24))


def trim() -> None:
    """Return unused memory to the system, so that forks copy less."""
    with suppress(AttributeError):  # another C library
        _libc.malloc_trim(0)


def lock_privileges() -> None:
    """Prevent this process and its children from ever gaining privileges."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(CAPBSET_DROP, capability)
        except OSError:  # beyond the last one this kernel knows
            break
    prctl(SECUREBITS, 0b11000011)  # root has no privileges, no ambient capabilities; both locked
    prctl(NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Drop all capabilities."""
    assert NUMBERS is not None, MACHINE
    _checked(_plain(NUMBERS["capset"], *_NO_CAPABILITIES[0], 0, 0, 0, 0), "capset")


def load_filter(program: bytes) -> None:
    """Install a seccomp filter for this process and its children."""
    assert NUMBERS is not None, MACHINE
    _checked(_plain(NUMBERS["seccomp"], 1, 0, kernel_filter(program)[0], 0, 0, 0), "seccomp")


@cache
def kernel_filter(program: bytes) -> tuple[int, object]:
    """Address of a filter in the kernel's format, kept alive.

    The second value is the object that keeps it alive.
    """
    (text,), kept = _at(program)
    (head,), also = _at(struct.pack("@HP", len(program) // 8, text))
    return head, (kept, also)


def open_beneath(directory: int, path: str, flags: int) -> int:
    """Open a path below a directory without following links.

    Raises:
        OSError: The path does not exist or contains a link.
    """
    how = struct.pack("QQQ", flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0, 0x08 | 0x04 | 0x02)  # beneath, no links, no magic
    try:
        return _call("openat2", directory, path.encode(), how, len(how))
    except OSError as error:
        if error.errno not in (38, 1):  # before Linux 5.6, or blocked by a filter
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


if sys.byteorder != "little":  # the filter and the structures assume little-endian machines
    NUMBERS = None


_ours = False


def claim_processes() -> None:
    """Declare that all processes of this namespace belong to us.

    Inherited by forks.

    Raises:
        PermissionError: This is not the first process of a namespace.
    """
    global _ours
    if os.getpid() != 1:
        raise PermissionError("only the first process of a namespace may claim all others")
    _ours = True


def signal_all(number: int) -> None:
    """Signal every process that we may signal.

    As root, only if all of them are ours.

    Raises:
        PermissionError: As root among foreign processes, where it would kill the whole machine.
    """
    if os.geteuid() == 0 and os.getpid() != 1 and not _ours:
        raise PermissionError("root may signal everything only as the first process of a namespace")
    with suppress(ProcessLookupError):
        os.kill(-1, number)
