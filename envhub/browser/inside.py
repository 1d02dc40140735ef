"""Starts the browser in a jail, without the rest of envhub.

The jail is the sandbox's (:mod:`envhub.sandbox.inside.jail`): namespaces of its own without a network, a read-only root
that holds the system's programs, libraries and fonts, and an unprivileged user without capabilities. Only the browser's
own files, in memory and of limited size, can be written.
"""

from __future__ import annotations

import os
import resource
import socket  # noqa: F401 - the jail names its host, where no module can be found any more
from typing import Any

from envhub.sandbox.inside import jail, linux

_HOME = "/box"
_FILES = 1024
_CORE = (0, 0)


def main(settings: dict[str, Any]) -> None:
    """Enter the jail and become its first process; ends with the browser.

    Args:
        settings: Those of :func:`jail.enter`; ``control``, a descriptor whose other end is the host, which sends one byte
            once its limits hold; ``pipe``, the descriptors that the browser reads and writes; ``command``; ``files_mb``,
            the size of its files.
    """
    os.read(settings["control"], 1)
    jail.enter(settings, settings["control"])
    os.close(settings["control"])
    linux.mount("tmpfs", _HOME, "tmpfs", linux.NOSUID | linux.NODEV, f"size={settings['files_mb']}m,mode=755")
    user = jail.PROGRAMS
    for name in ("tmp", "shm", "profile"):
        os.mkdir(f"{_HOME}/{name}")
        if settings["ids"]:
            os.chown(f"{_HOME}/{name}", user, user)
    browser = os.fork()
    if not browser:
        _become(settings, user)
    for end in settings["pipe"]:
        os.close(end)
    while os.wait()[0] != browser:
        pass


def _become(settings: dict[str, Any], user: int) -> None:
    """Drop all privileges and become the browser."""
    linux.lock_privileges()
    if settings["ids"]:
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    linux.drop_capabilities()
    resource.setrlimit(resource.RLIMIT_CORE, _CORE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    high = [os.dup2(end, 100 + number) for number, end in enumerate(settings["pipe"])]
    for number, end in enumerate(high):  # by way of high numbers, so that neither overwrites the other
        os.dup2(end, 3 + number)
    os.closerange(5, _FILES)
    os.chdir(_HOME)
    environment = {
        "HOME": f"{_HOME}/profile",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PATH": "/usr/bin:/bin",
    }
    os.execve(settings["command"][0], settings["command"], environment)
