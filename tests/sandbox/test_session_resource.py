"""Sessions as a resource of environments: what is asked and answered, what is rebuilt, and what is found again."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from envhub.core.effects import Check, Exec, Outcome, Query, drive, pump
from envhub.core.resources import Resources
from envhub.sandbox import default
from envhub.sandbox.backend import Entry
from envhub.sandbox.default import default_sandbox
from envhub.sandbox.jobs import Limits, Result
from envhub.sandbox.resource import Jobs, Sessions, describe_result, list_files, read_files, run_command, write_files
from envhub.sandbox.sandbox import LocalSandbox
from tests.sandbox import jails
from tests.sandbox.backends import Scripted

LIMITS = Limits(wall_s=5, cpu_s=5, memory_mb=128, output_bytes=5000, file_mb=1, files=40)


@pytest.fixture(scope="module", autouse=True)
def jailed() -> None:
    jails.backend()


def of(language: str = "bash", **settings: Any) -> Resources:
    resource = Sessions(language, lambda problem: {"a/b.txt": problem.encode()}, LIMITS, **settings)
    return Resources({"it": resource}, "hello\n")


def done(resources: Resources, asking: Generator[Any, Outcome, Any]) -> Any:
    return drive(pump(asking, []), resources.perform)


def test_files_of_the_problem_commands_and_files_from_outside() -> None:
    it = of()
    assert done(it, run_command("it", "cat a/b.txt; x=5")).text == "hello\n"
    assert done(it, write_files("it", {"a/b.txt": b"\x00\xff", "c/d": b"echo $x"})) is None
    assert done(it, run_command("it", "od -An -tx1 a/b.txt; . c/d")).text == " 00 ff\n5\n"
    assert done(it, run_command("it", "ln -s a/b.txt l; mkfifo p; chmod 600 a/b.txt")).exit == 0
    assert done(it, read_files("it", ["a/b.txt", "l", "p", "none", "a"])) == {"a/b.txt": b"\x00\xff"}
    assert list(done(it, list_files("it")).entries) == [
        Entry("a", "directory", 0, 0o755),
        Entry("a/b.txt", "file", 2, 0o600),
        Entry("c", "directory", 0, 0o755),
        Entry("c/d", "file", 7, 0o644),
        Entry("l", "link", 0, 0o777, "a/b.txt"),
        Entry("p", "other", 0, 0o644),
    ]
    it.close()


def test_what_cannot_be_written_is_an_answer() -> None:
    it = of()
    done(it, run_command("it", "mkdir d; echo > f"))
    begun = it._slots["it"].live
    assert "something is in its way" in done(it, write_files("it", {"d": b"x"}))
    assert "something is in its way" in done(it, write_files("it", {"f/x": b"x"}))
    assert "no room" in done(it, write_files("it", {"big": b"x" * (2 << 20)}))
    assert done(it, run_command("it", "rm -f big; echo still here")).text == "still here\n"
    assert it._slots["it"].live is begun
    it.close()


@pytest.mark.parametrize("effect", [Exec("it", ["jump", 1]), Query("it", ["run", "x"]), Check("it", ["run", "x"])])
def test_what_a_session_does_not_do_is_our_failure(effect: Any) -> None:
    it = of()
    record = it.perform(effect)
    assert record.fault is not None
    assert record.fault.code == "resource_failed"
    it.close()


def test_a_session_is_found_again_as_long_as_nobody_has_gone_on_with_it() -> None:
    it = of("python")
    first, second = Exec("it", ["run", "x = object(); a = id(x)"]), Exec("it", ["run", "(id(x) == a, 1)"])
    records = [(effect, it.perform(effect)) for effect in (first, second)]
    taken, late = of("python"), of("python")
    for effect, record in records:
        taken.recall(effect, record)
        late.recall(effect, record)
    assert done(taken, run_command("it", "marked = True")).exit == 0
    assert done(taken, run_command("it", "marked")).text == "True\n"
    assert done(late, run_command("it", "x is not None")).text == "True\n"  # built again, by the same commands
    assert "NameError" in done(late, run_command("it", "marked")).stderr.decode()
    for resources in (it, taken, late):
        resources.close()


def test_a_session_whose_slot_is_lost_is_built_again() -> None:
    it = of()
    done(it, run_command("it", "x=1; echo more >> a/b.txt"))
    done(it, write_files("it", {"new": b"n"}))
    sandbox = default_sandbox()
    assert isinstance(sandbox, LocalSandbox)
    for held in sandbox._sessions._held.values():
        held.place.clear()
    assert done(it, run_command("it", "echo $x; cat a/b.txt new")).text == "1\nhello\nmore\nn"
    it.close()


def test_a_command_that_twice_takes_its_session_down_is_told_so_and_left_out() -> None:
    with LocalSandbox(Scripted()) as sandbox:
        it = of(sandbox=sandbox)
        assert done(it, run_command("it", "one")).text == "one"
        result = done(it, run_command("it", "die"))
        assert result.crashed
        assert describe_result(result, 100).startswith("[The command broke")
        assert done(it, run_command("it", "two")).text == "one two"
        it.close()


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (Result(exit=0), "[no output]"),
        (Result(exit=0, stdout=b"a\n", stderr=b"b\n"), "a\nb"),
        (Result(exit=2, stdout=b"\xff"), "\ufffd\n[exit status 2]"),
        (Result(exit=0, stdout=b"0123456789" * 3), "0123456789\n[cut: 10 characters]\n0123456789"),
        (Result(exit=0, stdout=b"<f at 0x7f00deadbeef> 0xff"), "<f at 0x0> 0xff"),
        (
            Result(limit="wall", cut=True),
            "[More was printed than is kept.]\n[It hit the limit of time on the clock.]\n"
            "[It had to be ended, and all it had started. The next command begins afresh; files are kept.]",
        ),
    ],
)
def test_what_a_policy_is_shown(result: Result, shown: str) -> None:
    most = 20 if b"0123" in result.stdout else 1000
    assert describe_result(result, most) == shown


@pytest.mark.parametrize("ask", [Exec("it", ["run", "1"]), Query("it", ["tree", None])])
def test_a_wrong_setting_is_named_in_the_verdict(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "_default", None)
    monkeypatch.setenv("ENVHUB_SANDBOX", "dokcer")
    for resource in (Sessions("bash"), Jobs()):
        fault = Resources({"it": resource}, {}).perform(ask).fault
        assert fault is not None
        assert fault.code == "resource_failed"
        assert "dokcer" in fault.reason
        assert "docker" in fault.reason  # the nearest
