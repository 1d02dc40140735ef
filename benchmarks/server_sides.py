"""The servers of :mod:`benchmarks.server`, each a process on loopback.

::

    with ours() as hub, openenv() as theirs: ...    # hub.url, hub.cpu()
"""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from benchmarks.harness import ROOT
from benchmarks.hub_process import HubProcess, serving
from benchmarks.venvs import peer

_PATIENCE_S: Final = 120.0


def ours(*options: str) -> AbstractContextManager[HubProcess]:
    """``envhub serve`` with ``echo-v0`` added, and by default a journal on disk."""
    return serving(*options, module="benchmarks.ours.serve")


def openenv() -> AbstractContextManager[HubProcess]:
    """OpenEnv's server with an echo environment."""
    return _peer("openenv", "openenv_echo")


def nemo_gym() -> AbstractContextManager[HubProcess]:
    """NeMo Gym's server with a verifier."""
    return _peer("nemo-gym", "nemo_gym_verify")


@contextmanager
def _peer(name: str, module: str) -> Iterator[HubProcess]:
    """Start a peer and wait until it accepts connections.

    Raises:
        RuntimeError: It does not start.
    """
    port = _free_port()
    command = [peer(name), "-m", f"benchmarks.peers.{module}", str(port)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            until = time.monotonic() + _PATIENCE_S
            while not _accepts(port):
                if process.poll() is not None or time.monotonic() > until:
                    said.seek(0)
                    raise RuntimeError(f"{name} did not start:\n{said.read()[-2000:].decode()}")
                time.sleep(0.1)
            yield HubProcess(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.terminate()
            try:
                process.wait(20.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
