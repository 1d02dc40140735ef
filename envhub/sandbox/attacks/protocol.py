"""Attacks on the host's own parsers: file names and the broker's socket."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import InvalidParameters, ResourceError
from envhub.sandbox.attacks.kinds import Attack
from envhub.sandbox.attacks.suite import FIRST, AttackSuite, Skipped
from envhub.sandbox.backend import Backend, Setting, Slot
from envhub.sandbox.broker import plain, server as broker
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.broker.server import Broker, listen
from envhub.sandbox.inside.frames import HEAD, Reader, pack
from envhub.sandbox.inside.values import dumps, loads
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.sandbox import LocalSandbox
from envhub.sandbox.slots.pool import PROBE, PROBED

_STRANGER: Final = 54_321
_NAMES: Final = (
    "../x", "/etc/passwd", "a/../../x", "a//b", "./a", "", ".", "..", "a\0b", "x" * 5000, "\ud800", "a\nb", "\u202egnp.exe",
    "a/" * 150 + "b", "\x1b[2J", " \x7f", "é" * 150,
)  # fmt: skip


class _Lent(Backend):
    """A backend that the caller closes, with separate slot numbers."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.name = backend.name

    def slot(self, number: int) -> Slot:
        return self._backend.slot(FIRST + 0x40 + number)

    def languages(self) -> frozenset[str]:
        return self._backend.languages()

    def layers(self) -> Mapping[str, str]:
        return self._backend.layers()


@contextmanager
def _broker(suite: AttackSuite) -> Iterator[Path]:
    """Run a broker in this process; yields its socket path.

    At the end a legitimate client must still be served.
    """
    with tempfile.TemporaryDirectory(prefix="envhub-broker-") as folder:
        path = Path(folder) / "broker.sock"
        listening = listen(path)
        started = threading.Event()
        kept: list[Any] = []

        async def serve() -> None:
            made = Broker(sandbox, 0)
            kept.extend((asyncio.get_running_loop(), made))
            started.set()
            await made.serve(listening)

        log = logging.getLogger(broker.__name__)
        quiet, log.disabled = log.disabled, True
        with LocalSandbox(_Lent(suite.backend), slots=1, sessions=2) as sandbox:
            thread = threading.Thread(target=lambda: asyncio.run(serve()), name="envhub-attacked-broker")
            thread.start()
            try:
                started.wait()
                yield path
                with RemoteSandbox(path, start=False) as friend:
                    if friend.run(PROBE)[0].values != PROBED:
                        raise ResourceError("the broker does not serve its friends any more")
            finally:
                kept[0].call_soon_threadsafe(kept[1].stop)
                thread.join()
                log.disabled = quiet


def _connected(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.connect(str(path))  # waits while many others do, unlike a socket with a timeout
    made.settimeout(20)
    return made


def _say(path: Path, data: bytes) -> bytes:
    """The broker's response before it closes the connection."""
    with _connected(path) as made:
        with suppress(ConnectionError):
            made.sendall(data)
            made.shutdown(socket.SHUT_WR)
        answer = b""
        with suppress(ConnectionError):
            while part := made.recv(1 << 16):
                answer += part
        return answer


def _ask(path: Path, request: Any) -> Any:
    """The broker's answer to one request; None if it closes the connection."""
    reader = Reader(1 << 20)
    with _connected(path) as made:
        made.sendall(pack(dumps(request, plain.DEPTH)))
        while (body := reader.next()) is None:
            data = made.recv(1 << 16)
            if not data:
                return None
            reader.feed(data)
    return loads(body, 1 << 20, plain.DEPTH)


def _broker_attack(act: Callable[[Path], str]) -> Callable[[AttackSuite], str]:
    def whole(suite: AttackSuite) -> str:
        with _broker(suite) as path:
            return act(path)

    return whole


# -- the attacks -------------------------------------------------------------------------------------------------------


def _paths(suite: AttackSuite) -> str:
    for name in _NAMES:
        for make in (
            lambda name: Program("", files={name: b""}),
            lambda name: Job(Program(""), fetch=(name,)),
            lambda name: Setting(files={name: b""}),
        ):
            try:
                make(name)
            except InvalidParameters as error:
                str(error).encode()  # its description must be encodable
            else:
                return f"the name {name!r:.40} was taken"
    (result,) = suite.run(
        Job(Program("import os; print(len(os.listdir()))", files={"a b/é.txt": b"", "main.py/x": b""}))
    )
    return "" if not result.ok else "a file was put in the place of the program"


def _oversized(path: Path) -> str:
    for length in (plain.MAX_MESSAGE + 1, 0xFFFFFFFF):
        if _say(path, HEAD.pack(length) + b"x" * 1000):
            return "an oversized message was answered"
    return ""


def _slow(path: Path) -> str:
    kept = [_connected(path) for _ in range(40)]
    try:
        for made in kept:
            made.sendall(b"\0\0")
        return "" if _ask(path, {"id": 1, "op": "describe", "body": None}) else "nobody else was served meanwhile"
    finally:
        for made in kept:
            made.close()


def _verbs(path: Path) -> str:
    for operation in ("close", "_perform", "stop", "__class__", "", "RUN", None, 5, ["run"], {"run": 1}):
        answer = _ask(path, {"id": 1, "op": operation, "body": None})
        if not isinstance(answer, dict) or "error" not in answer:
            return f"the operation {operation!r} was answered {answer!r:.60}"
    for what in ("close_all", "forked", "_held", "__init__", "sweep", "renew", "open", ["run"], None):
        answer = _ask(path, {"id": 1, "op": "ask", "body": [what, "0" * 32, 0]})
        if not isinstance(answer, dict) or "error" not in answer:
            return f"a session was asked to {what!r}"
    return ""


def _malformed(path: Path) -> str:
    job = plain.from_job(PROBE)
    bodies: list[Any] = [
        None,
        1,
        [],
        {"x": 1},
        {**job, "limits": {"wall_s": float("nan")}},
        {**job, "limits": {"pids": 10**9}},
    ]
    bodies += [{**job, "calls": 5}, {**job, "fetch": [b"\0"]}, {**job, "program": {"source": b"\xff", "language": []}}]
    bodies += [
        {**job, "program": {**job["program"], "files": {"a": 5}}},
    ]
    for body in bodies:
        for operation in ("run", "open", "ask"):
            answer = _ask(path, {"id": 1, "op": operation, "body": body})
            results = answer.get("ok") if isinstance(answer, dict) else None
            if not isinstance(answer, dict) or (results and any(result["fault"] is None for result in results)):
                return f"{operation} of {body!r:.60} was answered {answer!r:.100}"
    requests: tuple[Any, ...] = (5, [], {"id": "1"}, {"id": True}, {"op": "run"})
    for request in requests:
        if _ask(path, request) is not None:
            return f"{request!r} was answered"
    for data in (b"\0\0\0\1x", pack(b"[" * 100_000), pack(b'{"set":[[]]}'), pack(b"9" * 100_000), os.urandom(5000)):
        _say(path, data)
    return ""


def _sessions(path: Path) -> str:
    opened = _ask(path, {"id": 1, "op": "open", "body": plain.from_setting(Setting(limits=Limits(wall_s=5)))})["ok"]
    for key in ("", "0" * 32, opened[:-1], opened.upper() + " ", opened + "\0", None, 0):
        for what in ("run", "read", "tree", "close", "holds"):
            answer = _ask(path, {"id": 1, "op": "ask", "body": [what, key, 0, "1"][: 3 + (what in ("run", "read"))]})
            if "error" not in answer and answer["ok"]["plain"]:
                return f"a session was reached with the id {key!r}"
    answer = _ask(path, {"id": 1, "op": "ask", "body": ["run", opened, 5, "1"]})
    if "error" not in answer:
        return "a session was used by somebody who did not know what it had run"
    left = _ask(path, {"id": 1, "op": "ask", "body": ["run", opened, 0, "6 * 7"]})
    return "" if left["ok"]["result"]["stdout"] == b"42\n" else "the session of another was harmed"


def _crowd(path: Path) -> str:
    kept = []
    try:
        for _ in range(300):
            with suppress(OSError):
                kept.append(_connected(path))
        return "" if _ask(path, {"id": 1, "op": "describe", "body": None}) else "nobody else was served meanwhile"
    finally:
        for made in kept:
            made.close()


def _stranger(path: Path) -> str:
    """Another user, with access to the folder and the socket."""
    if os.geteuid() != 0:
        raise Skipped("only root can be another user")
    python = next((each for each in ("/usr/bin/python3", "/usr/local/bin/python3") if os.access(each, os.X_OK)), None)
    if python is None:
        raise Skipped("there is no interpreter that another user may start")
    request = pack(dumps({"id": 1, "op": "describe", "body": None}))
    program = (
        "import socket\nmade = socket.socket(socket.AF_UNIX)\nmade.settimeout(20)\n"
        f"try:\n    made.connect({str(path)!r}); made.sendall({request!r}); print(len(made.recv(1000)))\n"
        "except (ConnectionError, PermissionError) as error: print(0, type(error).__name__)\n"
    )
    for mode in (0o600, 0o666):
        path.parent.chmod(0o755)
        path.chmod(mode)
        ran = subprocess.run(
            [python, "-I", "-S", "-c", program],
            user=_STRANGER,
            group=_STRANGER,
            extra_groups=[],
            capture_output=True,
            cwd="/",
        )
        if not ran.stdout.startswith(b"0"):
            return f"another user was answered (mode {mode:o}): {ran.stdout!r} {ran.stderr!r:.200}"
    return ""


def _torn(path: Path) -> str:
    whole = pack(dumps({"id": 1, "op": "run", "body": plain.from_job(PROBE)}, plain.DEPTH))
    for end in (1, 4, 5, len(whole) - 1, len(whole)):
        with _connected(path) as made:
            made.sendall(whole[:end])
    reader, answers = Reader(1 << 20), 0
    with _connected(path) as made:
        made.sendall(whole * 20)
        while answers < 20:
            data = made.recv(1 << 16)
            if not data:
                return f"of 20 requests sent at once {answers} were answered"
            reader.feed(data)
            while reader.next() is not None:
                answers += 1
    return ""


def _on_broker(number: int, name: str, tries: str, layer: str, act: Callable[[Path], str]) -> Attack:
    return Attack(number, name, tries, layer, how="host", act=_broker_attack(act))


_OWN = "the broker reads strictly: caps, types, known words; "

PROTOCOL: Final = (
    Attack(
        49,
        "names of files",
        "absolute, '..', NUL, 5 kB, surrogates, control and direction characters, the program's own name as a folder",
        "names are checked before anything is done with them",
        how="host",
        act=_paths,
    ),
    _on_broker(
        92,
        "messages of 4 GiB",
        "messages longer than any may be",
        _OWN + "lengths",
        _oversized,
    ),
    _on_broker(
        93,
        "a message that never comes",
        "connections that begin a message and wait",
        _OWN + "nobody waits for another",
        _slow,
    ),
    _on_broker(
        94,
        "other verbs",
        "operations and methods that are not for clients",
        _OWN + "a list of what may be asked",
        _verbs,
    ),
    _on_broker(
        95,
        "malformed requests",
        "wrong types, limits beyond all, what is no message",
        _OWN + "answered as an error",
        _malformed,
    ),
    _on_broker(
        96,
        "sessions of others",
        "guessed ids and counts",
        "ids of 128 random bits, and a count of commands",
        _sessions,
    ),
    _on_broker(
        97,
        "a crowd",
        "hundreds of connections",
        _OWN + "nobody waits for another",
        _crowd,
    ),
    _on_broker(
        98,
        "another user",
        "connecting as another user, also where file modes allow it",
        "modes, and the peer's user as the kernel tells it",
        _stranger,
    ),
    _on_broker(
        99,
        "torn and crowded messages",
        "messages cut anywhere, and twenty at once",
        _OWN + "framing",
        _torn,
    ),
)
