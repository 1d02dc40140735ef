"""Client of the Docker daemon for the ``docker`` backend.

It also removes orphaned containers.

::

    daemon = Daemon()                          # MissingExtra: names what is missing and how to get it
    key = daemon.create({...}); stream = daemon.attach(key); daemon.start(key)
    daemon.remove(key)

``DOCKER_HOST`` selects the daemon (with ``DOCKER_TLS_VERIFY`` and ``DOCKER_CERT_PATH``), as for every Docker client. Containers
are labelled with the process that created them, so that those of dead processes can be found and removed.
"""

from __future__ import annotations

import os
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import MissingExtra

OWNER: Final = "envhub.sandbox.owner"
PLACE: Final = "envhub.sandbox.place"
_SOCKET: Final = "unix:///var/run/docker.sock"
_TIMEOUT_S: Final = 60
_PATIENCE_S: Final = 10.0
_FORGOTTEN_S: Final = 3600.0
_CHUNK: Final = 1 << 16
_HEAD: Final = struct.Struct(">B3xI")
_STDOUT, _STDERR = 1, 2
_MOST_SAID: Final = 4000
_AGAIN: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Daemon:
    """A Docker daemon. Thread-safe and fork-safe.

    Raises:
        MissingExtra: The Docker client is not installed, or no daemon answers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: Any = None
        self._pid = 0
        self.info: Mapping[str, Any] = self.api.info()
        """The daemon's information about itself and its machine."""

    @property
    def api(self) -> Any:
        """The client of this process. Connections are not shared with a parent.

        Raises:
            MissingExtra: See the class.
        """
        if self._pid != os.getpid():
            self._lock = threading.Lock()  # a thread of the parent may hold the old one
            self._client, self._pid = None, os.getpid()
        with self._lock:
            if self._client is None:
                self._client = _connect()
            return self._client

    def create(self, config: Mapping[str, Any]) -> str:
        """Create a container owned by this process and return its id.

        Raises:
            OSError: The daemon refused.
        """
        labels = {OWNER: _identity(os.getpid()), PLACE: _place()}
        return str(self._post("/containers/create", {**config, "Labels": labels})["Id"])

    def attach(self, key: str) -> AttachedStream:
        """Attach to the streams of a container before it is started.

        Raises:
            OSError: The daemon refused.
        """
        parameters = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        return AttachedStream(self.api.attach_socket(key, params=parameters))

    def start(self, key: str) -> None:
        """Start a container.

        Raises:
            OSError: The daemon refused.
        """
        self._post(f"/containers/{key}/start")

    def update(self, key: str, limits: Mapping[str, int]) -> None:
        """Change the limits of a container.

        Raises:
            OSError: The daemon refused.
        """
        self._post(f"/containers/{key}/update", limits)

    def remove(self, key: str) -> None:
        """Kill and remove a container and wait until it is gone.

        Never raises.
        """
        give_up = time.monotonic() + _PATIENCE_S
        with suppress(OSError):
            while time.monotonic() < give_up:
                answer = self.ask("DELETE", f"/containers/{key}", {404, 409}, params={"force": 1, "v": 1})
                if answer.status_code != 409:
                    return
                time.sleep(0.02)  # already being removed

    def clean(self) -> None:
        """Remove the containers of dead processes. Never raises."""
        with suppress(OSError):
            for row in self.api.containers(all=True, filters={"label": OWNER}):
                if _left_over(row["Labels"], row["State"], time.time() - row["Created"]):
                    self.remove(row["Id"])

    def close(self) -> None:
        """Close the connections. Never raises."""
        if self._client is not None and self._pid == os.getpid():
            self._client.close()

    def _post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        answer = self.ask("POST", path, json=body)
        return answer.json() if answer.content else None

    def ask(self, method: str, path: str, accepted: Collection[int] = (), **rest: Any) -> Any:
        """Send a request and return the response of ``requests``.

        Args:
            method: HTTP method.
            path: Path below the API version.
            accepted: Error statuses to return instead of raising.
            rest: Further arguments for ``requests``.

        Raises:
            OSError: The daemon refused or did not answer.
        """
        # not the client's methods: they lack some limits, and pass our user's proxies, with passwords, to containers
        api = self.api
        answer = api.request(method, f"{api.base_url}/v{api.api_version}{path}", timeout=_TIMEOUT_S, **rest)
        if answer.status_code >= 400 and answer.status_code not in accepted:
            raise OSError(_said(answer))
        return answer


class AttachedStream:
    """The standard streams of a container.

    The daemon multiplexes them over one connection. A slot writes to standard error only if it fails; that text becomes
    the error.

    Args:
        end: The client's socket, or a file object that wraps one.
    """

    def __init__(self, end: Any) -> None:
        self._kept = end  # keeps the connection open
        self._end: socket.socket = getattr(end, "_sock", end)
        self._end.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._end, 0)
        self._buffer = bytearray()
        self._rest = 0  # bytes left of the current frame
        self._kind = _STDOUT
        self._said = b""

    def send(self, data: bytes, deadline: float) -> None:
        """See :meth:`envhub.sandbox.slots.slot.Stream.send`."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._end.send(rest[:_CHUNK]) :]
            except _AGAIN:
                self._wait(select.POLLOUT, deadline)

    def receive(self, deadline: float) -> bytes:
        """See :meth:`envhub.sandbox.slots.slot.Stream.receive`."""
        while True:
            data = self._piece()
            if data:
                if self._kind == _STDOUT and not self._said:
                    return data
                self._said = (self._said + data)[:_MOST_SAID]
                deadline = min(deadline, time.monotonic() + 1)  # for the rest of the message
                continue
            try:
                part = self._end.recv(_CHUNK)
            except _AGAIN:
                try:
                    self._wait(select.POLLIN, deadline)
                except TimeoutError:
                    if self._said:
                        raise self._failure() from None
                    raise
                continue
            if not part and self._said:
                raise self._failure()
            if not part:
                return b""
            self._buffer += part

    def close(self) -> None:
        """See :meth:`envhub.sandbox.slots.slot.Stream.close`."""
        self._kept.close()
        self._end.close()

    def _piece(self) -> bytes:
        """The received bytes of the current frame.

        Raises:
            OSError: The data is not in the daemon's format.
        """
        while not self._rest:
            if len(self._buffer) < _HEAD.size:
                return b""
            self._kind, self._rest = _HEAD.unpack_from(self._buffer)
            if self._kind not in (_STDOUT, _STDERR) or any(self._buffer[1:4]):
                raise OSError("unexpected data from the Docker daemon, expected the streams of a container")
            del self._buffer[: _HEAD.size]
        data = bytes(self._buffer[: self._rest])
        del self._buffer[: len(data)]
        self._rest -= len(data)
        return data

    def _failure(self) -> OSError:
        return OSError(f"it wrote to standard error: {self._said.decode('utf-8', 'replace').strip()}")

    def _wait(self, event: int, deadline: float) -> None:
        self._poll.modify(self._end, event)
        while not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if time.monotonic() >= deadline:
                raise TimeoutError("it took too long")


def _connect() -> Any:
    try:
        import docker
    except ImportError as error:
        raise MissingExtra(
            f"The docker sandbox needs the Docker client for Python ({error}). Install it with: pip install 'envhub[docker]'"
        ) from None
    where = os.environ.get("DOCKER_HOST") or _SOCKET
    try:
        if where.startswith("unix://"):  # the client would leave its socket open
            with socket.socket(socket.AF_UNIX) as trial:
                trial.connect(where.removeprefix("unix://"))
        # asking for the version checks that it answers
        client = docker.DockerClient.from_env(version="auto", timeout=_TIMEOUT_S).api
    except (OSError, docker.errors.DockerException) as error:
        raise MissingExtra(
            f"No Docker daemon answers at {where}. Start one, or set DOCKER_HOST to its address, for example "
            f"DOCKER_HOST={_SOCKET}. The error was: {error}"
        ) from None
    return client


def _said(answer: Any) -> str:
    with suppress(ValueError):
        message = answer.json().get("message")
        if isinstance(message, str):
            return f"the Docker daemon refused: {message:.1000}"
    return f"the Docker daemon answered with status {answer.status_code}"


def _place() -> str:
    """The boot and the PID namespace, within which process ids are comparable."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"
    return ""


def _identity(pid: int) -> str:
    """A process's id and start time.

    The id alone may be reused.
    """
    with suppress(OSError):
        return f"{pid}-{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"
    return ""


def _left_over(labels: Mapping[str, str], state: str, age: float) -> bool:
    """Whether the process that created a container is known to be dead."""
    place = _place()
    if place and labels.get(PLACE) == place:
        owner = labels.get(OWNER, "")
        number = owner.partition("-")[0]
        return not number.isdigit() or _identity(int(number)) != owner
    return state != "running" and age > _FORGOTTEN_S  # created on another machine or before a reboot
