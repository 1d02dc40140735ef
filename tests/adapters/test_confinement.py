"""What a confined child may do: compute, read, and say one number."""

from __future__ import annotations

import ctypes
import fcntl
import math
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from envhub.adapters.shared import confinement
from envhub.adapters.shared.confinement import Refused, Unconfined, confined

pytestmark = pytest.mark.slow


def test_a_number_comes_back() -> None:
    assert confined(lambda: 0.25) == 0.25
    assert confined(lambda: True) == 1.0
    assert math.isnan(confined(lambda: math.nan))
    assert confined(lambda: len(Path(__file__).read_text())) > 1000


def test_what_it_changes_stays_in_the_child() -> None:
    seen: list[int] = []
    assert confined(lambda: float(seen.append(1) is None)) == 1.0
    assert not seen


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that anybody may enter and change: of the confinement, not only the other user stands in the way."""
    tmp_path.chmod(0o777)
    for place in tmp_path.parents[:2]:
        place.chmod(0o711)
    (tmp_path / "there").write_text("before")
    (tmp_path / "there").chmod(0o666)
    return tmp_path


def attempts(folder: Path) -> dict[str, Callable[[], object]]:
    there = folder / "there"
    return {
        "create": lambda: (folder / "new").write_text("x"),
        "create empty": lambda: (folder / "new").touch(),
        "append": lambda: there.open("a").write("x"),
        "truncate": lambda: os.truncate(there, 0),
        "remove": there.unlink,
        "rename": lambda: there.rename(folder / "new"),
        "link": lambda: os.symlink(there, folder / "new"),
        "folder": (folder / "new").mkdir,
        "mode": lambda: there.chmod(0o600),
        "socket": socket.socket,
        "pair": socket.socketpair,
        "fork": os.fork,
        "thread": lambda: threading.Thread(target=int).start(),
        "program": lambda: subprocess.run(["true"]),
        "exec": lambda: os.execv("/bin/true", ["true"]),
        "signal": lambda: os.kill(os.getppid(), signal.SIGUSR1),
        "leave the group": os.setsid,
        "memory": lambda: bytearray(1 << 30),
    }


@pytest.mark.parametrize("what", attempts(Path()))
def test_nothing_else_works(folder: Path, what: str) -> None:
    attempt = attempts(folder)[what]

    def tried() -> float:
        try:
            attempt()
        except (OSError, RuntimeError, MemoryError):
            return 0.0
        return 1.0

    assert confined(tried) == 0.0
    assert [path.name for path in folder.iterdir()] == ["there"]
    assert (folder / "there").read_text() == "before"


@pytest.mark.parametrize("what", ["create", "remove", "socket", "pair", "leave the group"])
def test_without_confinement_they_do(folder: Path, what: str) -> None:
    attempt = attempts(folder)[what]
    child = os.fork()
    if child == 0:
        try:
            attempt()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_open_files_of_the_parent_are_out_of_reach() -> None:
    reading, writing = os.pipe()
    above = fcntl.fcntl(writing, fcntl.F_DUPFD, 100)
    for number in (writing, above):
        with pytest.raises(Refused):
            confined(lambda number=number: os.write(number, b"x"))
        os.close(number)
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_who_computes_for_ever_is_killed() -> None:
    def spin() -> float:
        while True:
            pass

    with pytest.raises(ChildProcessError):
        confined(spin, cpu_s=1)


def test_who_ends_early_or_fails_has_said_nothing() -> None:
    with pytest.raises(ChildProcessError):
        confined(lambda: os._exit(0))
    with pytest.raises(ChildProcessError):
        confined(lambda: float(bool(ctypes.string_at(0))))
    with pytest.raises(Refused) as refused:
        confined(lambda: float("secret"))
    assert "secret" not in str(refused.value)
    with pytest.raises(Refused):
        confined(lambda: float(exit()))


def test_where_nothing_can_be_confined_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(confinement, "_CALLS", {})
    with pytest.raises(Unconfined):
        confined(lambda: float((tmp_path / "new").write_text("x")))
    assert not (tmp_path / "new").exists()
