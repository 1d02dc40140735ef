"""Programs that answer requests: interruption, forks and idle programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from envhub.adapters.shared.programs import Program, Programs
from envhub.core.errors import ResourceLost

pytestmark = pytest.mark.slow  # they start processes

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def start() -> Program:
    return Program([sys.executable, "-c", ECHO], "echo")


@pytest.fixture
def programs() -> Iterator[Programs[Program]]:
    found = Programs[Program]()
    yield found
    found.end_all()


def test_an_idle_program_is_used_again_for_its_key_only(programs: Programs[Program]) -> None:
    first = programs.take("a", start)
    programs.give_back("a", first)
    other = programs.take("b", start)
    assert other is not first
    other.end()
    assert programs.take("a", start) is first
    programs.give_back("a", first)


def test_an_idle_program_that_died_is_not_used(programs: Programs[Program]) -> None:
    first = programs.take("a", start)
    programs.give_back("a", first)
    first._process.kill()
    first._process.wait()
    second = programs.take("a", start)
    assert second.ask({"n": 1}) == {"n": 1}
    programs.give_back("a", second)


def test_an_interrupted_request_ends_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    program = start()

    def interrupted(request: bytes) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_exchanged", interrupted)
    with pytest.raises(KeyboardInterrupt):
        program.ask({"n": 1})
    assert not program.usable()


def test_another_process_neither_uses_nor_ends_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    program, own = start(), os.getpid()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: own + 1)  # as in a forked process
        assert not program.usable()
        with pytest.raises(ResourceLost, match="another process"):
            program.ask({"n": 1})
    assert program.ask({"n": 2}) == {"n": 2}
    program.end()
