"""The Docker daemon as the ``docker`` backend needs it: found, asked, and rid of containers whose owner is gone.

::

    daemon = Daemon()                          # MissingExtra: what is missing, and what to do
    key = daemon.create({...}); stream = daemon.attach(key); daemon.start(key)
    daemon.remove(key)

Which daemon it is says ``DOCKER_HOST`` (with ``DOCKER_TLS_VERIFY`` and ``DOCKER_CERT_PATH``), as for every client of Docker.
Containers are labelled with who made them, so that those of a process that was killed can be told from those of one that lives.
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
    """A Docker daemon. Safe to use from any thread, and in forked processes.

    Raises:
        MissingExtra: The client is not installed, or no daemon answers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: Any = None
        self._pid = 0
        self.info: Mapping[str, Any] = self.api.info()
        """What the daemon says of itself and of its machine."""

    @property
    def api(self) -> Any:
        """The client of this process: connections are not shared with a parent.

        Raises:
            MissingExtra: See the class.
        """
        if self._pid != os.getpid():
            self._lock = threading.Lock()  # another thread of the parent may have held it
            self._client, self._pid = None, os.getpid()
        with self._lock:
            if self._client is None:
                self._client = _connect()
            return self._client

    def create(self, config: Mapping[str, Any]) -> str:
        """Create a container that is ours; its id.

        Raises:
            OSError: The daemon refuses.
        """
        labels = {OWNER: _identity(os.getpid()), PLACE: _place()}
        return str(self._post("/containers/create", {**config, "Labels": labels})["Id"])

    def attach(self, key: str) -> AttachedStream:
        """The streams of a container, before it is started.

        Raises:
            OSError: The daemon refuses.
        """
        parameters = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        return AttachedStream(self.api.attach_socket(key, params=parameters))

    def start(self, key: str) -> None:
        """Start a container.

        Raises:
            OSError: The daemon refuses.
        """
        self._post(f"/containers/{key}/start")

    def update(self, key: str, limits: Mapping[str, int]) -> None:
        """Change the limits of a container.

        Raises:
            OSError: The daemon refuses.
        """
        self._post(f"/containers/{key}/update", limits)

    def remove(self, key: str) -> None:
        """Kill a container, remove it and wait until it is gone. Does not raise."""
        give_up = time.monotonic() + _PATIENCE_S
        with suppress(OSError):
            while time.monotonic() < give_up:
                answer = self.ask("DELETE", f"/containers/{key}", {404, 409}, params={"force": 1, "v": 1})
                if answer.status_code != 409:
                    return
                time.sleep(0.02)  # being removed already

    def clean(self) -> None:
        """Remove the containers whose owner is gone. Does not raise."""
        with suppress(OSError):
            for row in self.api.containers(all=True, filters={"label": OWNER}):
                if _left_over(row["Labels"], row["State"], time.time() - row["Created"]):
                    self.remove(row["Id"])

    def close(self) -> None:
        """Give back the connections. Does not raise."""
        if self._client is not None and self._pid == os.getpid():
            self._client.close()

    def _post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        answer = self.ask("POST", path, json=body)
        return answer.json() if answer.content else None

    def ask(self, method: str, path: str, well: Collection[int] = (), **rest: Any) -> Any:
        """Make a request; the answer, as ``requests`` gives it.

        Args:
            method: Of HTTP.
            path: Below the version of the interface.
            well: Statuses of failure that are answers, too.
            rest: As ``requests`` takes it.

        Raises:
            OSError: The daemon refuses, or does not answer.
        """
        # not the client's own methods: they know fewer limits, and hand the proxies of our user, with passwords, to containers
        api = self.api
        answer = api.request(method, f"{api.base_url}/v{api.api_version}{path}", timeout=_TIMEOUT_S, **rest)
        if answer.status_code >= 400 and answer.status_code not in well:
            raise OSError(_said(answer))
        return answer


class AttachedStream:
    """The standard streams of a container, which the daemon sends over one connection, a head before each piece.

    A slot says nothing on standard error unless it fails; what it says there then is the error.

    Args:
        end: What the client gives: a socket, or a file that has one.
    """

    def __init__(self, end: Any) -> None:
        self._kept = end  # with it the connection is closed
        self._end: socket.socket = getattr(end, "_sock", end)
        self._end.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._end, 0)
        self._buffer = bytearray()
        self._rest = 0  # of the piece that is being received
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
                deadline = min(deadline, time.monotonic() + 1)  # for the rest of what it has to say
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
        """What has been received of the present piece.

        Raises:
            OSError: This is not how a daemon sends it.
        """
        while not self._rest:
            if len(self._buffer) < _HEAD.size:
                return b""
            self._kind, self._rest = _HEAD.unpack_from(self._buffer)
            if self._kind not in (_STDOUT, _STDERR) or any(self._buffer[1:4]):
                raise OSError("the daemon sends something else than the streams of a container")
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
            f"The docker sandbox needs the client of Docker ({error}). Install it with: pip install 'envhub[docker]'"
        ) from None
    where = os.environ.get("DOCKER_HOST") or _SOCKET
    try:
        if where.startswith("unix://"):  # the client would leave its socket open
            with socket.socket(socket.AF_UNIX) as trial:
                trial.connect(where.removeprefix("unix://"))
        # what cannot be asked for its version does not answer at all
        client = docker.DockerClient.from_env(version="auto", timeout=_TIMEOUT_S).api
    except (OSError, docker.errors.DockerException) as error:
        raise MissingExtra(
            f"No Docker daemon answers at {where}: start one, or say where it is with the variable DOCKER_HOST, such as "
            f"DOCKER_HOST={_SOCKET}. The error was: {error}"
        ) from None
    return client


def _said(answer: Any) -> str:
    with suppress(ValueError):
        message = answer.json().get("message")
        if isinstance(message, str):
            return f"the Docker daemon refuses: {message:.1000}"
    return f"the Docker daemon answers with status {answer.status_code}"


def _place() -> str:
    """What tells apart places where process numbers mean different things: the start of a machine, a process namespace."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"
    return ""


def _identity(pid: int) -> str:
    """A process's number and start: the number alone may come again."""
    with suppress(OSError):
        return f"{pid}-{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"
    return ""


def _left_over(labels: Mapping[str, str], state: str, age: float) -> bool:
    """Whether the owner of a container is gone, as far as that can be known here."""
    place = _place()
    if place and labels.get(PLACE) == place:
        owner = labels.get(OWNER, "")
        number = owner.partition("-")[0]
        return not number.isdigit() or _identity(int(number)) != owner
    return state != "running" and age > _FORGOTTEN_S  # of another machine, or of before it was started anew
