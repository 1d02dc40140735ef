"""Targets that the suite places on the host.

Secrets in files, environments and processes, and servers.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Final, Self

_VARIABLE: Final = "ENVHUB_CANARY"
LOCKED: Final = "/usr/bin/env"
"""A system file that the host holds locks on."""


class Arena:
    """Secrets and servers within a ``with`` block.

    Attributes:
        secrets: The secrets that must not leak, with their places.
        neighbour: A secret for another session to hold.
    """

    def __init__(self) -> None:
        places = ("environment", "private", "public", "bystander")
        self.secrets = {f"canary-{place}-{token_hex(8)}": place for place in places}
        self.neighbour = f"neighbour-{token_hex(8)}"
        self._tokens = {place: token for token, place in self.secrets.items()}
        self.secrets[self.neighbour] = "a neighbour"

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="envhub-attacks-"))
        self._folder.chmod(0o755)
        (self._folder / "private").mkdir(mode=0o700)
        self.private = self._folder / "private" / "secret.txt"
        self.public = self._folder / "public.txt"
        self.public.write_text(self._tokens["public"])
        self.expect({})
        self._before = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = self._tokens["environment"]
        token = self._tokens["bystander"]
        # ends with us, when its standard input closes
        self._bystander = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()", token],
            stdin=subprocess.PIPE,
            env={_VARIABLE: token},
        )
        self._lock = open(LOCKED, "rb")
        fcntl.flock(self._lock, fcntl.LOCK_SH)  # others may run the suite concurrently
        fcntl.lockf(self._lock, fcntl.LOCK_SH)
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = self._before
        assert self._bystander.stdin is not None
        self._bystander.stdin.close()
        self._bystander.wait()
        self._lock.close()
        for server in self._servers.values():
            server.close()
        shutil.rmtree(self._folder)

    def expect(self, answers: Mapping[str, str]) -> None:
        """Write the correct answers to a file only this user reads."""
        self.private.touch(mode=0o600)
        self.private.write_text(json.dumps({self._tokens["private"]: "", **answers}))

    def fill(self, text: str, marker: str) -> str:
        """Fill in the ``@NAME@`` placeholders of a program."""
        names = {
            "MARKER": marker,
            "PRIVATE": str(self.private),
            "PUBLIC": str(self.public),
            "LOCKED": LOCKED,
            "PROJECT": str(Path(__file__).resolve().parents[2]),
            "SOCKET": str(self._folder / "socket"),
            "ABSTRACT": self._abstract,
            "PORT": str(self._servers["TCP"].getsockname()[1]),
        }
        for name, value in names.items():
            text = text.replace(f"@{name}@", value)
        return text

    def visited(self) -> str:
        """The servers that were reached since the last call."""
        found: list[str] = []
        for name, server in self._servers.items():
            count = len(found)
            with suppress(BlockingIOError):
                while True:
                    if server.type == socket.SOCK_DGRAM:
                        server.recv(100)
                    else:
                        server.accept()[0].close()
                    found[count:] = [name]
        return ", ".join(found)

    @property
    def unharmed(self) -> bool:
        """Whether the bystander process is still running."""
        return self._bystander.poll() is None

    def _open(self) -> None:
        self._abstract = f"envhub-{token_hex(8)}"
        tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        tcp.bind(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(tcp.getsockname())
        path = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path.bind(str(self._folder / "socket"))
        (self._folder / "socket").chmod(0o666)
        abstract = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        abstract.bind("\0" + self._abstract)
        self._servers = {"TCP": tcp, "UDP": udp, "a Unix socket": path, "an abstract socket": abstract}
        for server in self._servers.values():
            server.setblocking(False)
            if server.type == socket.SOCK_STREAM:
                server.listen(16)
