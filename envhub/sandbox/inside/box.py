"""The files of a job: a tmpfs of limited size.

The number of files is limited as well; the working directory is ``/box/work``. This code runs in trusted processes,
possibly while programs run. So paths are resolved below the working directory only, without following links, and only
regular files are opened.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import Any

from envhub.sandbox.inside import linux

ROOT = "/box"
WORK = "/box/work"
STDIN = "/box/stdin"
_DIRECTORIES = ("work", "tmp", "shm")
OWN = 8  # inodes used by the sandbox itself
MAX_DEPTH = 32
_TREE, _ENTRY = 1 << 20, 64  # bytes of a listing, and of an entry beside its path


class InTheWay(Exception):
    """The path of a file is blocked by another file.

    The message is the path.
    """


class Full(Exception):
    """No room is left for the files."""


class Box:
    """The files of a job.

    Args:
        work: Descriptor of the working directory; closed with the box.
        owner: User id of programs, if it differs from ours.
    """

    def __init__(self, work: int, owner: int | None) -> None:
        self._work = work
        self._owner = owner

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._work)

    def put(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Write a file, creating its directories and replacing an existing file.

        Raises:
            InTheWay: A parent is not a directory, or the path itself is one.
            Full: No room is left.
        """
        *parents, name = path.split("/")
        held = os.dup(self._work)
        try:
            for parent in parents:
                below = self._down(held, parent)
                os.close(held)
                held = below
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=held)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            file = os.open(name, flags, mode, dir_fd=held)
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file, rest) :]
                if self._owner is not None:
                    os.fchown(file, self._owner, self._owner)
            finally:
                os.close(file)
        except OSError as error:
            if error.errno in (28, 27, 122):  # no space, too big, quota
                raise Full(path) from None
            raise InTheWay(path) from None
        finally:
            os.close(held)

    def _down(self, held: int, name: str) -> int:
        """Open the directory ``name`` in ``held``, creating it if needed."""
        made = False
        with suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=held)
            made = True
        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
        if made and self._owner is not None:
            os.fchown(below, self._owner, self._owner)
        return below

    def read(self, path: str, most: int) -> bytes | None:
        """Contents of a regular file of at most ``most`` bytes.

        None for anything else.
        """
        try:
            file = linux.open_beneath(self._work, path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except (OSError, ValueError):
            return None
        try:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_size > most:
                return None
            parts = bytearray()
            while len(parts) <= most:
                part = os.read(file, min(1 << 20, most + 1 - len(parts)))
                if not part:
                    return bytes(parts)
                parts += part
            return None
        except OSError:
            return None
        finally:
            os.close(file)

    def stdin(self, data: bytes) -> None:
        """Set the standard input of the next command of a session.

        Raises:
            Full: No room is left.
        """
        try:
            file = os.open(STDIN, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(file, "wb") as stream:
                stream.write(data)
        except OSError:
            raise Full(STDIN) from None

    def tree(self, most: int) -> tuple[list[dict[str, Any]], bool]:
        """List entries sorted by path, and whether the listing is complete.

        At most ``most`` entries.
        """
        found: list[dict[str, Any]] = []
        self._room = _TREE
        self._complete = True
        self._walk(os.dup(self._work), "", found, most, MAX_DEPTH)
        return sorted(found, key=lambda entry: str(entry["path"])), self._complete

    def _walk(self, held: int, prefix: str, found: list[dict[str, Any]], most: int, depth: int) -> None:
        try:
            with os.scandir(held) as entries:
                names = sorted(entry.name for entry in entries)
            for name in names:
                self._room -= len(prefix) + len(name) + _ENTRY
                if len(found) >= most or self._room < 0:
                    self._complete = False
                    return
                self._look(held, prefix, name, found, most, depth)
        except OSError:
            self._complete = False
        finally:
            os.close(held)

    def _look(self, held: int, prefix: str, name: str, found: list[dict[str, Any]], most: int, depth: int) -> None:
        try:
            about = os.stat(name, dir_fd=held, follow_symlinks=False)
            target = os.readlink(name, dir_fd=held) if stat.S_ISLNK(about.st_mode) else ""
        except OSError:
            self._complete = False
            return
        entry = {"path": prefix + name, "kind": _kind(about.st_mode), "size": 0, "mode": about.st_mode & 0o7777}
        if entry["kind"] == "file":
            entry["size"] = about.st_size
        found.append({**entry, "target": target[:1000]})
        if entry["kind"] == "directory":
            try:
                below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
            except OSError:
                self._complete = False
                return
            if not depth:  # too deep to enter, unless it is empty
                with os.scandir(below) as entries:
                    self._complete = self._complete and next(entries, None) is None
                os.close(below)
                return
            self._walk(below, f"{prefix}{name}/", found, most, depth - 1)

    def full(self) -> bool:
        """Whether no room is left for another byte or another file."""
        room = os.statvfs(self._work)
        return room.f_bavail == 0 or room.f_ffree == 0

    def used(self) -> int:
        """Bytes of memory used by the files."""
        room = os.statvfs(self._work)
        return (room.f_blocks - room.f_bfree) * room.f_frsize


def make_directories(limits: dict[str, Any], owner: int | None, *, mounted: bool = True) -> int:
    """Create the directories of a job in its namespaces.

    Returns a descriptor of the working directory.

    Args:
        limits: ``file_mb`` and ``files``.
        owner: User id of programs, if it differs from ours.
        mounted: Whether to mount file systems; else the directory exists and is empty.

    Raises:
        OSError: They cannot be created.
    """
    if mounted:
        options = f"size={limits['file_mb']}m,nr_inodes={limits['files'] + OWN},mode=755"
        linux.mount("tmpfs", ROOT, "tmpfs", linux.NOSUID | linux.NODEV, options)
        _mount_proc()
    for name in _DIRECTORIES:
        os.mkdir(f"{ROOT}/{name}", 0o755)
        if owner is not None:
            os.chown(f"{ROOT}/{name}", owner, owner)
    os.close(os.open(STDIN, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
    if mounted and owner is None:
        _fix_root()
    return os.open(WORK, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _fix_root() -> None:
    """Make the entries of the box's root unchangeable.

    Needed if programs run as our user, because they then own the root too.
    """
    for name in (*_DIRECTORIES, os.path.basename(STDIN)):
        linux.mount(f"{ROOT}/{name}", f"{ROOT}/{name}", None, linux.BIND)
    flags = linux.REMOUNT | linux.BIND | linux.RDONLY | linux.NOSUID | linux.NODEV
    linux.mount(None, ROOT, None, flags)


def _mount_proc() -> None:
    flags = linux.NOSUID | linux.NODEV | linux.NOEXEC
    try:
        linux.mount("proc", "/proc", "proc", flags, "subset=pid")  # nothing but processes
    except OSError:  # before Linux 5.8
        linux.mount("proc", "/proc", "proc", flags)
        for name in ("cmdline", "kallsyms", "keys", "key-users", "sysrq-trigger", "timer_list", "kcore", "config.gz"):
            if os.path.exists("/proc/" + name):
                linux.mount("/dev/null", "/proc/" + name, None, linux.BIND)
        for name in ("sys", "irq", "bus", "fs", "scsi", "acpi", "driver"):
            if os.path.isdir("/proc/" + name):
                linux.mount("tmpfs", "/proc/" + name, "tmpfs", flags | linux.RDONLY, "size=4k,nr_inodes=2,mode=755")


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "other"
