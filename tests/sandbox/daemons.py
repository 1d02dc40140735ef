"""A Docker daemon for tests: the one that ``DOCKER_HOST`` names, or one started for the session on a socket of its own.

Its images are made of this machine's files, so no registry is needed. Where neither is to be had the tests are skipped and say
why; in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from envhub.core.errors import MissingExtra
from envhub.sandbox.languages import LANGUAGES
from tests.sandbox import jails

START_S = 60


@contextmanager
def daemon() -> Iterator[str]:
    """The address of a daemon."""
    given = os.environ.get("DOCKER_HOST")
    if given:
        yield given
        return
    program = shutil.which("dockerd", path="/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin")
    if program is None:
        jails.lacking("Docker is not installed (dockerd), and DOCKER_HOST names no daemon")
    if os.geteuid() != 0:
        jails.lacking("only root can start a Docker daemon; name one with DOCKER_HOST")
    with tempfile.TemporaryDirectory(prefix="dockerd-", dir="/tmp") as folder:  # a socket's path must be short
        address = f"unix://{folder}/docker.sock"
        command = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
        command += [str(program), "-H", address, "--iptables=false", "--ip6tables=false", "--bridge=none"]
        command += ["--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec", "--pidfile", f"{folder}/pid"]
        with open(f"{folder}/log", "wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait(process, address, Path(folder, "log"))
            yield address
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _unmount(folder)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    until = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as trial:
            trial.settimeout(5)
            trial.connect(address.removeprefix("unix://"))
            trial.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            if b" 200 " in trial.recv(100):
                return
        time.sleep(0.1)
    pytest.fail(f"dockerd did not start: {log.read_text()[-3000:]}")


def _unmount(folder: str) -> None:
    points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for point in sorted((point for point in points if point.startswith(folder + "/")), reverse=True):
        subprocess.run(["umount", "-l", point], check=False)


@pytest.fixture(scope="session")
def docker_host() -> Iterator[str]:
    """A daemon's address, which the whole session finds in ``DOCKER_HOST``."""
    try:
        import docker  # noqa: F401
    except ImportError:
        jails.lacking("the client of Docker is not installed: pip install 'envhub[docker]'")
    with daemon() as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", address)
        yield address


@pytest.fixture(scope="session")
def docker_image(docker_host: str) -> Iterator[str]:
    """The tag of an image with all languages that this machine has."""
    from envhub.sandbox.docker.daemon import Daemon
    from envhub.sandbox.docker.image import from_host

    hub = Daemon()
    yield from_host(hub, [name for name in LANGUAGES if _is_installed(name)]).tag
    hub.close()


def _is_installed(language: str) -> bool:
    """Whether this machine has the files that an image with this language needs."""
    return language == "python" or shutil.which(LANGUAGES[language].needs, path="/usr/bin:/usr/local/bin") is not None


@pytest.fixture(scope="session")
def docker_backend(docker_image: str) -> Iterator[object]:
    """A backend with that image."""
    from envhub.sandbox.docker.backend import DockerBackend

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENVHUB_SANDBOX_IMAGE", docker_image)
        try:
            made = DockerBackend()
        except MissingExtra as error:
            pytest.fail(str(error))
    yield made
    made.close()
