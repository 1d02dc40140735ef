"""The ``namespace`` backend: jails built from Linux namespaces. The default on Linux.

A slot is a process tree in its own namespaces with a warm interpreter (:mod:`envhub.sandbox.inside`). It works as root and as
any user who may create user namespaces. What can be enforced depends on the machine: :meth:`NamespaceBackend.layers` reports
each layer, and a slot that cannot be isolated does not start.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final

import envhub
from envhub.core.errors import MissingExtra
from envhub.sandbox import lean
from envhub.sandbox.backend import Backend, Slot, SlotFailed
from envhub.sandbox.inside import linux, seccomp
from envhub.sandbox.jobs import Limits
from envhub.sandbox.languages import DIRECTORIES, LANGUAGES
from envhub.sandbox.linux import cgroups, ids
from envhub.sandbox.linux.cgroups import JobCounters
from envhub.sandbox.slots import bundle
from envhub.sandbox.slots.slot import START_S, Stream, StreamSlot
from envhub.sandbox.toolchains import TOOLCHAINS, found_toolchains

_SERIAL: Final = count()
_CHUNK: Final = 1 << 16
_log = logging.getLogger(__name__)


class NamespaceBackend(Backend):
    """Slots in Linux namespaces.

    Raises:
        MissingExtra: Not Linux, or the machine forbids namespaces; the message says what to do.
    """

    name = "namespace"

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise MissingExtra(
                "The namespace sandbox needs Linux. On other systems use Docker: pip install 'envhub[docker]' and set "
                "ENVHUB_SANDBOX=docker."
            )
        self._python, prefix = jail_interpreter()
        self._visible = _visible(prefix)
        self._toolchains = found_toolchains(self._python)
        tree = cgroups.find()
        if isinstance(tree, cgroups.Tree):
            tree.clean()
        self._groups = tree
        self._reason = _forbidden()

    def slot(self, number: int) -> Slot:
        """See :meth:`Backend.slot`."""
        return NamespaceSlot(self._python, self._settings(), self._groups)

    def warm_slot(self, number: int, program: str) -> Slot:
        """See :meth:`Backend.warm_slot`. The only program is ``lean``."""
        toolchain = lean.find_toolchain() if program == lean.WARM else None
        warm = toolchain.warm if toolchain else None
        if warm is None:
            return self.slot(number)
        return NamespaceSlot(self._python, self._settings() | {"warm": warm}, self._groups, program)

    def jail_settings(self) -> dict[str, Any]:
        """Settings of :func:`envhub.sandbox.inside.jail.enter` for another program than a slot's.

        Raises:
            MissingExtra: The machine forbids namespaces; the message says what to do.
        """
        settings = self._settings()
        return {name: settings[name] for name in ("ids", "visible", "hidden")} | {"lent": {}}

    def _settings(self) -> dict[str, Any]:
        if self._reason:
            raise MissingExtra(f"The namespace sandbox does not work here: {self._reason}")
        lent = self._lent()
        return {
            "isolation": "namespace",
            "ids": ids.draw_ids() if os.geteuid() == 0 else None,
            "cgroup": isinstance(self._groups, cgroups.Tree),
            "visible": self._visible,
            "hidden": _hidden({path: path for path in self._visible} | lent, _own()),
            "lent": lent,
        }

    def languages(self) -> frozenset[str]:
        """See :meth:`Backend.languages`."""
        found = {name for name, language in LANGUAGES.items() if any(_has(d, language.needs) for d in DIRECTORIES)}
        return frozenset(found | {"python"})

    def toolchains(self) -> frozenset[str]:
        """See :meth:`Backend.toolchains`."""
        return frozenset(self._toolchains)

    def _lent(self) -> dict[str, str]:
        """Directories of toolchains inside, with their paths outside."""
        lent = dict(kernel.lent) if (kernel := lean.find_toolchain()) else {}
        return lent | {TOOLCHAINS[name].inside: str(path) for name, path in self._toolchains.items()}

    def layers(self) -> Mapping[str, str]:
        """See :meth:`Backend.layers`."""
        works = self._works
        known = linux.MACHINE in seccomp.ARCHITECTURES and linux.NUMBERS is not None
        user = (
            "active"
            if os.geteuid() == 0 and ids.draw_ids()
            else "programs run as the user of this process, without capabilities; only root can give them a separate user"
        )
        return {
            "namespaces": works or "active",
            "filesystem": works or "active",
            "network": works or "active",
            "seccomp": works or ("active" if known else f"no system call table for {linux.MACHINE}"),
            "capabilities": works or "active",
            "user": works or user,
            "cgroup": "active" if isinstance(self._groups, cgroups.Tree) else self._groups,
            "rlimits": works or "active",
        }

    @cached_property
    def _works(self) -> str:
        """Why slots do not start here; empty if they start."""
        if self._reason:
            return self._reason
        slot = self.slot(0xFFF)
        try:
            slot.start()
        except SlotFailed as error:
            return str(error)
        finally:
            slot.close()
        return ""


class NamespaceSlot(StreamSlot):
    """One jail."""

    def __init__(self, python: str, settings: dict[str, Any], groups: cgroups.Tree | str, warm: str = "") -> None:
        super().__init__(warm)
        self._serial = next(_SERIAL)  # slot numbers are unique within a backend only
        self._python = python
        self._settings = settings
        self._groups = groups
        self._group: cgroups.Group | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = threading.Lock()

    def start(self) -> None:
        """See :meth:`Slot.start`. Without the warm program if that does not start."""
        try:
            super().start()
        except SlotFailed as error:
            if not self.warm:
                raise
            _log.warning("%s cannot be kept warm here, and starts for every job: %s", self.warm, error)
            self.warm, self._settings = "", self._settings | {"warm": None}
            super().start()

    def launch(self) -> Stream:
        """See :meth:`StreamSlot.launch`."""
        ours, theirs = socket.socketpair()
        stat: int | None = None
        with theirs:
            stream = SocketStream(ours)
            try:
                if isinstance(self._groups, cgroups.Tree):
                    self._group = self._groups.make(self._serial)
                    stat = self._group.stat()
                self._process = subprocess.Popen(
                    [self._python, *bundle.FLAGS, "-c", bundle.BOOT],
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.DEVNULL,
                    env=bundle.ENVIRONMENT,
                    cwd="/",
                    start_new_session=True,
                    pass_fds=() if stat is None else (stat,),
                )
                if self._group is not None:
                    self._group.add(self._process.pid)
                stream.send(bundle.first_message(self._settings | {"stat": stat}), time.monotonic() + START_S)
            except BaseException:
                stream.close()
                raise
            finally:
                if stat is not None:
                    os.close(stat)
        return stream

    def kill(self) -> None:
        """See :meth:`StreamSlot.kill`."""
        with self._ending:
            process, self._process = self._process, None
            group, self._group = self._group, None
            if process is not None:
                process.kill()
                process.wait()
            if group is not None:
                group.remove()

    def abandon(self) -> None:
        """See :meth:`StreamSlot.abandon`."""
        if self._process is not None:
            self._process.returncode = 0  # the parent's child: do not wait for it, do not warn
        if self._group is not None:
            self._group.release()
        self._process = self._group = None

    def begin(self, limits: Limits) -> None:
        """See :meth:`StreamSlot.begin`."""
        if self._group is not None:
            self._group.begin(limits.memory_mb, limits.pids)

    def end(self) -> JobCounters | None:
        """See :meth:`StreamSlot.end`."""
        return self._group.end() if self._group is not None else None


class SocketStream:
    """One end of a socket pair."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._poll = select.poll()
        self._poll.register(end, 0)

    def send(self, data: bytes, deadline: float) -> None:
        """See :meth:`Stream.send`."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._end.send(rest[: 1 << 20], socket.MSG_NOSIGNAL) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)

    def receive(self, deadline: float) -> bytes:
        """See :meth:`Stream.receive`."""
        while True:
            self._wait(select.POLLIN, deadline)
            try:
                return self._end.recv(_CHUNK)
            except BlockingIOError:
                continue

    def close(self) -> None:
        """See :meth:`Stream.close`."""
        self._end.close()

    def _wait(self, event: int, deadline: float) -> None:
        self._poll.modify(self._end, event)
        while not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if time.monotonic() >= deadline:
                raise TimeoutError("timed out")


def jail_interpreter() -> tuple[str, str | None]:
    """The jail's interpreter, and its installation prefix.

    The prefix is named if it is not below /usr.
    """
    for directory in ("/usr/bin", "/usr/local/bin"):
        if _has(directory, "python3"):
            return f"{directory}/python3", None
    prefix = os.path.realpath(sys.base_prefix)
    return f"{prefix}/bin/python3", prefix


def _has(directory: str, name: str) -> bool:
    return os.access(f"{directory}/{name}", os.X_OK)


_SHOWN: Final = ("bin", "include", "lib", "lib32", "lib64", "libexec", "libx32", "sbin", "share")
_PACKAGES: Final = ("python*/*-packages", "python-wheels", "lib/python*/*-packages")


def _visible(prefix: str | None) -> list[str]:
    """The machine's directories that a jail sees.

    Those with programs and libraries.

    Args:
        prefix: Installation prefix of the interpreter, if not below /usr.
    """
    places = ["/usr", "/usr/local", *([prefix] if prefix and not prefix.startswith("/usr/") else [])]
    found = (f"{place}/{name}" for place in places for name in _SHOWN)
    return [path for path in found if os.path.isdir(path) and not os.path.islink(path)]


def _own() -> list[Path]:
    """Real paths of this package, its checkout and the installed packages."""
    package = Path(envhub.__file__).resolve().parent
    checkout = package.parent if (package.parent / "pyproject.toml").exists() else package
    installed = [Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")]
    return [checkout, package, *installed]


def _hidden(shown: Mapping[str, str], own: Sequence[Path]) -> list[str]:
    """Directories to hide inside the visible ones: installed packages, and envhub itself.

    Args:
        shown: Visible directories by their path inside, with their path outside.
        own: Directories that no program may see.
    """
    found = set()
    for inside, outside in shown.items():
        place = Path(os.path.realpath(outside))
        packages = [path.resolve() for pattern in _PACKAGES for path in place.glob(pattern) if path.is_dir()]
        for path in (*own, *packages):
            if path == place or path.is_relative_to(place):
                found.add(os.path.normpath(f"{inside}/{path.relative_to(place)}"))
            elif place.is_relative_to(path):
                found.add(inside)
    return sorted(found)


def _forbidden() -> str:
    """The setting of this machine that forbids jails.

    Empty if none is known.
    """
    if linux.NUMBERS is None or linux.MACHINE not in seccomp.ARCHITECTURES:
        return f"the machine is {linux.MACHINE}; supported are {' and '.join(seccomp.ARCHITECTURES)}"
    root = os.geteuid() == 0
    for name, wrong, who in (
        ("user/max_user_namespaces", "0", True),
        ("kernel/unprivileged_userns_clone", "0", not root),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", not root),
    ):
        try:
            value = Path("/proc/sys", name).read_text().strip()
        except OSError:
            continue
        if who and value == wrong:
            setting = name.replace("/", ".")
            return f"user namespaces are disabled by {setting}={wrong}. Enable them with: sysctl -w {setting}={_OTHER[wrong]}"
    return ""


_OTHER: Final = {"0": "10000", "1": "0"}
