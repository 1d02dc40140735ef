"""The process backend: refused unless allowed, loud, and otherwise a backend as any other."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.sandbox import LocalSandbox, SessionLost
from envhub.sandbox.backend import Setting, SlotFailed
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned
from envhub.sandbox.process.backend import PERMISSION, ProcessBackend, ProcessSlot
from envhub.sandbox.slots.pool import PROBE, PROBED

SHORT = Limits(wall_s=20, cpu_s=1, memory_mb=64, output_bytes=1000, file_mb=1, value_bytes=1000)


@pytest.fixture
def slot(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessSlot]:
    monkeypatch.setenv(PERMISSION, "1")
    made = ProcessBackend().slot(0)
    assert isinstance(made, ProcessSlot)
    made.start()
    yield made
    made.close()


def run(slot: ProcessSlot, source: str, language: str = "python", **rest: Any) -> Result:
    job = Job(Program(source, language, rest.pop("files", {}), rest.pop("args", ())), **{"limits": SHORT, **rest})
    return slot.run(job)[-1]


@pytest.mark.parametrize("value", [None, "", "0", "true"])
def test_it_is_refused_unless_allowed(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.delenv(PERMISSION, raising=False)
    if value is not None:
        monkeypatch.setenv(PERMISSION, value)
    with pytest.raises(InvalidParameters, match=f"isolates nothing.*{PERMISSION}=1"):
        LocalSandbox("process")


def test_it_says_at_every_start_what_it_is(slot: ProcessSlot, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        second = ProcessSlot()
        second.start()
        second.close()
    assert "isolates nothing" in caplog.text
    assert set(ProcessBackend().layers().values()).isdisjoint({"active"})


def test_programs_read_write_and_leave_nothing(slot: ProcessSlot) -> None:
    source = "import pack, sys\nprint(int(input()) * pack.x, sys.argv[1:])\nopen('out', 'w').write('done')\nexit(3)"
    result = run(slot, source, files={"pack.py": b"x = 2"}, args=("a b",), stdins=(b"21",), fetch=("out", "none"))
    assert result == replace(result, exit=1)  # -I: what lies beside the program is not on its path
    source = "import sys\nprint(int(input()) * 2, sys.argv[1:])\nopen('out', 'w').write('done')\nexit(3)"
    result = run(slot, source, args=("a b",), stdins=(b"21",), fetch=("out", "none"))
    assert (result.exit, result.text, result.files) == (3, "42 ['a b']\n", {"out": b"done"})
    assert slot._home is not None
    assert os.listdir(slot._home) == ["modules.json"]
    if "c" in ProcessBackend().languages():
        assert run(slot, '#include <stdio.h>\nint main(){puts("c");}', "c").text == "c\n"
        assert run(slot, "int main({", "c").stage == "compile"


def test_calls_are_typed(slot: ProcessSlot) -> None:
    assert slot.run(PROBE)[0].values == PROBED
    source = "def f(a):\n    if a: raise ValueError(a)\n    return {(1, 2.5): b'x'}"
    result = run(slot, source, function="f", calls=((0,), ("no",)))
    assert result.values == (Returned({(1, 2.5): b"x"}), Returned(raised="ValueError", message="no"))
    assert result.ok
    left = run(slot, "import os; os._exit(0)", function="f", calls=((0,),))
    assert (left.values, left.exit) == ((), None)


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("import time; time.sleep(100)", "wall"),
        ("while True: pass", "cpu"),
        ("print('x' * 5000)", "output"),
        ("import signal; signal.signal(signal.SIGXFSZ, 0)\nopen('f', 'wb').write(bytes(2 << 20))", "file"),
        ("def f(a): return 'x' * 5000", "value"),
    ],
)
def test_limits_are_named(slot: ProcessSlot, source: str, limit: str) -> None:
    limits = replace(SHORT, wall_s=0.5) if limit == "wall" else SHORT
    rest = {"function": "f", "calls": ((1,),)} if limit == "value" else {}
    result = run(slot, source, limits=limits, **rest)
    assert (result.limit, result.ok) == (limit, False)
    assert slot.run(PROBE)[0].values == PROBED


def test_memory_is_limited(slot: ProcessSlot) -> None:
    assert b"MemoryError" in run(slot, "bytearray(1 << 30)").stderr
    reserved = run(slot, "import mmap; mmap.mmap(-1, 1 << 30)", limits=replace(SHORT, reserve_mb=2 << 10))
    assert reserved.ok


@pytest.mark.parametrize("language", ["python", "bash"])
def test_sessions_persist_and_recover(slot: ProcessSlot, language: str) -> None:
    python = language == "python"
    with slot.open(Setting(language, {"a.txt": b"1"}, replace(SHORT, wall_s=1, cpu_s=30))) as session:
        session.run("x = 5" if python else "x=5")
        assert session.run("print(x, open('a.txt').read())" if python else "echo $x $(cat a.txt)").text == "5 1\n"
        assert session.run("input()" if python else "cat", b"in").text.strip("'\n") == "in"
        assert session.run("1/0" if python else "false").exit == 1
        session.write({"d/b": b"2"})
        assert session.read(["d/b", "no"]) == {"d/b": b"2"}
        assert [entry.path for entry in session.tree().entries] == ["a.txt", "d", "d/b"]
        stuck = (
            "import signal; signal.signal(2, signal.SIG_IGN)\nwhile True: pass" if python else "trap '' INT; sleep 9"
        )
        late = session.run(stuck)
        assert (late.exit, late.limit) == (None, "wall")
        assert session.run("print(open('d/b').read())" if python else "cat d/b; echo").text == "2\n"
        assert session.run("exit(7)" if python else "exit 7").exit == 7
        assert session.run("print(1)" if python else "echo 1").text == "1\n"


def test_a_link_is_not_followed_out_of_the_folder(slot: ProcessSlot, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    source = f"import os; os.symlink({str(tmp_path / 'secret')!r}, 'a'); os.symlink({str(tmp_path)!r}, 'd')"
    assert run(slot, source, fetch=("a", "d/secret")).files == {}


def test_a_closed_slot_is_lost(slot: ProcessSlot) -> None:
    slot.close()
    slot.close()
    with pytest.raises(SlotFailed, match="closed"):
        slot.run(PROBE)


def test_it_works_behind_the_face(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PERMISSION, "1")
    with LocalSandbox("process", slots=1, sessions=2) as sandbox:
        assert sandbox.run(Job(Program("print(1)")))[0].text == "1\n"
        with sandbox.open() as session:
            assert session.run("1 + 1").text == "2\n"
        with pytest.raises(SessionLost):
            session.run("1")
