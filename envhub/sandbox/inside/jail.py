"""Sets up the jail of a slot.

New namespaces, and a read-only root with only the system in it. :func:`enter` forks. The supervisor stays outside and
only waits, to end the slot when the host is gone; the other process becomes process 1 of the new namespaces and
returns. Root first becomes an unprivileged user with two ids, so that programs have another id than the trusted
processes. An unprivileged user has one id, which is not 0 inside, so that no program gains privileges.
"""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import linux

TRUSTED, PROGRAMS = 0, 1
"""The ids inside of trusted processes and of programs. If there is only one, both are 1."""
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "shm": "/box/shm"}
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_EMPTY = "/box"
_PASSWD = "root:x:0:0:root:/:/usr/sbin/nologin\nrunner:x:1:1:runner:/box/work:/bin/bash\n"
_GROUP = "root:x:0:\nrunner:x:1:\n"
_ZONE = "TZif2" + "\0" * 34 + "\x01\0\0\0\x04" + "\0" * 6 + "UTC\0"
"""UTC as a time zone file: six counts, one time type, its name."""


def enter(settings: dict[str, Any], control: int) -> None:
    """Enter a new jail; returns as its process 1.

    Args:
        settings: ``ids``: two ids outside, if the caller is root. ``visible``: the only directories of the machine to show.
            ``hidden``: directories below them to hide. ``lent``: further directories by their path inside, with their path
            outside.
        control: Descriptor whose other end is the host.

    Raises:
        OSError: The machine does not allow it; the message says what failed.
    """
    if settings["ids"]:
        _become(*settings["ids"])
    else:
        _become_single()
    linux.unshare(linux.NEWNS | linux.NEWPID | linux.NEWNET | linux.NEWIPC | linux.NEWUTS | linux.NEWCGROUP)
    child = os.fork()
    if child:
        _supervise(child, control)
    linux.prctl(linux.PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.DUMPABLE, 0)
    _build(settings)


def _become(outside: int, second: int) -> None:
    """As root: change to an unprivileged user.

    It has two ids in a new user namespace.
    """
    ready, go = os.pipe()
    parent = os.getpid()
    helper = os.fork()
    if not helper:  # the helper stays root: only root may map two ids
        os.close(go)
        status = 1
        if os.read(ready, 1):
            for kind in ("uid_map", "gid_map"):
                _write(f"/proc/{parent}/{kind}", f"{TRUSTED} {outside} 1\n{PROGRAMS} {second} 1\n")
            status = 0
        os._exit(status)
    os.close(ready)
    os.setgroups([])
    os.setresgid(outside, outside, outside)
    os.setresuid(outside, outside, outside)
    linux.unshare(linux.NEWUSER)
    os.write(go, b"x")
    os.close(go)
    _, status = os.waitpid(helper, 0)
    if status:
        raise PermissionError("user ids could not be mapped")
    os.setresgid(TRUSTED, TRUSTED, TRUSTED)
    os.setresuid(TRUSTED, TRUSTED, TRUSTED)


def _become_single() -> None:
    user, group = os.getuid(), os.getgid()
    with suppress(PermissionError):  # an unprivileged user keeps its groups, which are unmapped inside
        os.setgroups([])
    linux.unshare(linux.NEWUSER)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{PROGRAMS} {user} 1\n")
    _write("/proc/self/gid_map", f"{PROGRAMS} {group} 1\n")


def _supervise(child: int, control: int) -> None:
    """Wait until the jail's first process or the host ends.

    Then end the jail.
    """
    linux.prctl(linux.DUMPABLE, 0)
    poll = select.poll()
    poll.register(control, 0)  # reports only that the other end is closed
    poll.register(os.pidfd_open(child), select.POLLIN)
    poll.poll()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os._exit(0)


def _build(settings: dict[str, Any]) -> None:
    """Build a new root and detach the old one."""
    linux.mount(None, "/", None, linux.REC | linux.PRIVATE)
    linux.mount("tmpfs", "/tmp", "tmpfs", linux.NOSUID | linux.NODEV, "size=8m,nr_inodes=2000,mode=755")
    os.chdir("/tmp")
    os.mkdir("old")
    linux.pivot_root(".", "old")
    os.chdir("/")
    for name in ("usr", "proc", "dev", "etc", "box"):
        os.mkdir("/" + name)
    os.symlink("box/tmp", "/tmp")
    for name in _SYSTEM:
        if os.path.islink("/old/" + name):
            os.symlink(os.readlink("/old/" + name), "/" + name)
        elif os.path.isdir("/old/" + name):
            _show("/" + name)
    for path in settings["visible"]:
        if os.path.isdir("/old" + path):
            _show(path)
    for inside, outside in settings["lent"].items():
        with suppress(OSError):  # what its user may not enter is not there, and who needs it will say so
            _show(inside, outside)
    for name in _DEVICES:
        _write("/dev/" + name, "")
        linux.mount("/old/dev/" + name, "/dev/" + name, None, linux.BIND)
    for name, target in _LINKS.items():
        os.symlink(target, "/dev/" + name)
    _fill_etc()
    linux.mount("proc", "/proc", "proc", linux.NOSUID | linux.NODEV | linux.NOEXEC)
    linux.unmount("/old")
    os.rmdir("/old")
    for directory in settings["hidden"]:
        if os.path.isdir(directory):
            flags = linux.RDONLY | linux.NOSUID | linux.NODEV | linux.NOEXEC
            linux.mount("tmpfs", directory, "tmpfs", flags, "size=4k,nr_inodes=2,mode=755")
    linux.mount(None, "/", None, linux.REMOUNT | linux.BIND | linux.RDONLY | linux.NOSUID | linux.NODEV)
    _name_host()


def _show(path: str, outside: str = "") -> None:
    """Show a directory of the machine, read-only.

    An overlay gives the slot inodes of its own: locks, and what the table of mounts and ``statfs`` say, are then not those of
    the machine and of other slots. The empty directory is its first layer, whose file system ``statfs`` describes. Where it
    cannot be had (before Linux 5.11, or with mounts below the directory), the directory itself is bound.
    """
    os.makedirs(path, exist_ok=True)
    source = "/old" + (outside or path)
    os.chdir(source)  # the table of mounts shows the layers as they are named here
    try:
        linux.mount("overlay", path, "overlay", linux.RDONLY | linux.NOSUID | linux.NODEV, f"lowerdir={_EMPTY}:.")
    except OSError:
        linux.mount(".", path, None, linux.BIND | linux.REC)
        linux.read_only(path)
    finally:
        os.chdir("/")


def _fill_etc() -> None:
    """Fill /etc; only the library cache comes from this machine."""
    _write("/etc/passwd", _PASSWD)
    _write("/etc/group", _GROUP)
    _write("/etc/hosts", "127.0.0.1 localhost\n")
    _write("/etc/localtime", _ZONE + _ZONE + "\nUTC0\n")  # some programs do not start without it
    if os.path.isdir("/old/etc/alternatives"):
        _show("/etc/alternatives")
    try:
        with open("/old/etc/ld.so.cache", "rb") as source, open("/etc/ld.so.cache", "wb") as target:
            target.write(source.read())
    except OSError:  # libraries are still found in the usual places
        with suppress(FileNotFoundError):
            os.unlink("/etc/ld.so.cache")


def _name_host() -> None:
    import socket  # it is among what the zygote loads anyway

    socket.sethostname("jail")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
