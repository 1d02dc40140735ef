"""Containers of images that users have, with repositories in them.

Unlike a slot of the ``docker`` backend, such a container runs the image's own programs as its root, on a writable copy of
the image, and lives as long as an episode. It has no network, no capabilities besides those that root needs for its own files,
and limits on memory and processes. What happened in it is read from outside, through the daemon::

    shop = Workshop(Daemon(), "sweb.eval.x86_64.astropy__astropy-12907:latest", "/testbed")
    shop.run("pytest -q", seconds=60); shop.changed(); shop.read("/testbed/setup.py")

Images are never pulled unless ``pull`` is set.
"""

from __future__ import annotations

import tarfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, Final

from envhub.core.errors import ResourceError, ResourceLost
from envhub.sandbox.docker.daemon import Daemon

_ASLEEP: Final = ["/bin/sh", "-c", "while :; do sleep 3600; done"]
_CAPABILITIES: Final = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID")
_POLL_S: Final = 0.05
_GRACE_S: Final = 5.0
_MOST_BYTES: Final = 16 << 20
_CPUS: Final = 1
_KILLED: Final = 137
_DELETED: Final = 2


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended.

    Attributes:
        output: The end of what it wrote to standard output and standard error.
        status: Its exit status.
        timed_out: It ran out of time and was killed.
    """

    output: bytes
    status: int
    timed_out: bool


class Workshop:
    """A running container.

    Args:
        daemon: The daemon.
        image: The image, as the daemon names it.
        folder: The working directory.
        memory_mb: Memory of all processes and of files in memory.
        pids: Maximum number of processes and threads.
        pull: Whether an image that the daemon lacks is pulled.

    Raises:
        ResourceError: The daemon lacks the image or refused it.
    """

    def __init__(
        self, daemon: Daemon, image: str, folder: str, memory_mb: int = 4096, pids: int = 512, pull: bool = False
    ) -> None:
        self.folder = folder
        self._daemon = daemon
        self._number = 0
        _check(daemon, image, pull)
        try:
            self.key = daemon.create(_config(image, folder, memory_mb, pids))
            daemon.start(self.key)
        except OSError as error:
            raise ResourceError(f"No container of the image {image!r} could be started: {error}") from None

    def run(self, command: str, seconds: float, most: int = 1 << 16) -> Ended:
        """Run a command with bash in the working directory.

        Args:
            command: One or more lines.
            seconds: Time on the clock after which it is killed.
            most: Most bytes of its output that are returned, from the end.

        Raises:
            ResourceLost: The container does not answer.
        """
        self._number += 1
        place = f"/tmp/.output{self._number}"
        inner = f'bash -c "$1" > {place} 2>&1 < /dev/null'
        words = ["timeout", "-k", "1", "-s", "KILL", f"{seconds:g}", "/bin/sh", "-c", inner, "sh", command]
        started = self._ask("POST", f"/containers/{self.key}/exec", json={"Cmd": words, "WorkingDir": self.folder})
        key = started.json()["Id"]
        self._ask("POST", f"/exec/{key}/start", json={"Detach": True})
        until = time.monotonic() + seconds + _GRACE_S
        while (state := self._ask("GET", f"/exec/{key}/json").json())["Running"]:
            if time.monotonic() > until:
                raise ResourceLost("a command did not end within its time")
            time.sleep(_POLL_S)
        status = int(state["ExitCode"])
        return Ended((self.read(place) or b"")[-most:], status, status in (124, _KILLED))

    def read(self, path: str) -> bytes | None:
        """The content of a regular file.

        None if it is missing or too large.

        Raises:
            ResourceLost: The container does not answer.
        """
        answer = self._ask("GET", f"/containers/{self.key}/archive", {404}, params={"path": path})
        if answer.status_code == 404 or len(answer.content) > _MOST_BYTES:
            return None
        with tarfile.open(fileobj=BytesIO(answer.content)) as archive:
            members = archive.getmembers()
            file = archive.extractfile(members[0]) if len(members) == 1 and members[0].isreg() else None
            return None if file is None else file.read()

    def write(self, files: Mapping[str, bytes | None]) -> None:
        """Write files by absolute path, and remove those that are None.

        Raises:
            OSError: The daemon refused: there is a folder in the place of a file, or the reverse.
        """
        gone = [path for path, content in files.items() if content is None]
        if gone:
            words = ["rm", "-f", "--", *gone]
            key = self._ask("POST", f"/containers/{self.key}/exec", json={"Cmd": words}).json()["Id"]
            self._ask("POST", f"/exec/{key}/start", json={"Detach": False})
        data = BytesIO()
        with tarfile.open(fileobj=data, mode="w") as archive:
            for path, content in files.items():
                if content is not None:
                    member = tarfile.TarInfo(path.lstrip("/"))
                    member.size, member.mode, member.mtime = len(content), 0o644, int(time.time())
                    archive.addfile(member, BytesIO(content))
        self._daemon.ask("PUT", f"/containers/{self.key}/archive", params={"path": "/"}, data=data.getvalue())

    def changed(self) -> dict[str, bool]:
        """The paths in the working directory that differ from the image.

        True marks a deleted one.

        The daemon compares, so no program in the container can hide a change.

        Raises:
            ResourceLost: The container does not answer.
        """
        rows = self._ask("GET", f"/containers/{self.key}/changes").json() or []
        folder = PurePosixPath(self.folder)
        return {row["Path"]: row["Kind"] == _DELETED for row in rows if folder in PurePosixPath(row["Path"]).parents}

    def close(self) -> None:
        """Remove the container. Never raises."""
        self._daemon.remove(self.key)

    def _ask(self, method: str, path: str, accepted: set[int] | None = None, **rest: Any) -> Any:
        try:
            return self._daemon.ask(method, path, accepted or (), **rest)
        except OSError as error:
            raise ResourceLost(f"the container of the episode failed: {error}") from None


def _check(daemon: Daemon, image: str, pull: bool) -> None:
    """Make sure that the daemon has an image."""
    if daemon.ask("GET", f"/images/{image}/json", {404}).status_code != 404:
        return
    if not pull:
        raise ResourceError(
            f"The Docker daemon has no image {image!r}. Get it with: docker pull {image} (or set pull=true)."
        )
    try:
        daemon.api.pull(image, stream=False)
    except Exception as error:
        raise ResourceError(f"The image {image!r} could not be pulled: {error}") from None


def _config(image: str, folder: str, memory_mb: int, pids: int) -> dict[str, Any]:
    """The configuration of a container."""
    return {
        "Image": image,
        "Entrypoint": _ASLEEP,
        "Cmd": [],
        "User": "0:0",
        "WorkingDir": folder,
        "Hostname": "repository",
        "StopSignal": "SIGKILL",
        "Healthcheck": {"Test": ["NONE"]},
        "NetworkDisabled": True,
        "HostConfig": {
            "NetworkMode": "none",
            "Memory": memory_mb << 20,
            "MemorySwap": memory_mb << 20,
            "PidsLimit": pids,
            "NanoCpus": _CPUS * 10**9,
            "CapDrop": ["ALL"],
            "CapAdd": list(_CAPABILITIES),
            "SecurityOpt": ["no-new-privileges"],
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
            "Privileged": False,
        },
    }
