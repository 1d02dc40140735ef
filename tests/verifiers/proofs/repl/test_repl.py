"""What a REPL says is read with care, and its numbers are trusted only where they were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import MissingExtra
from envhub.verifiers.proofs import lean_repl
from envhub.verifiers.proofs.lean_repl import ReplKernel, ReplLost, Repls
from envhub.verifiers.proofs.proof import Statement

TRUE = Statement("t", "1 = 1")
PROOF = "theorem t : 1 = 1 := rfl"
Play = Callable[[str], Mapping[str, Any]]


class Scripted:
    """A REPL that takes the probe as it should, and of the rest says what it is told to; its numbers begin at 0."""

    def __init__(self, play: Play = lambda command: {}) -> None:
        self.play = play
        self.asked: list[tuple[str, int | None]] = []
        self.closed = False

    def ask(self, command: str, env: int | None) -> Mapping[str, Any]:
        assert not self.closed
        assert env is None or 0 <= env < len(self.asked)
        self.asked.append((command, env))
        said: Mapping[str, Any] = error(4) if "Eq.refl 5" in command else self.play(command)
        answer = {"messages": [silent(command)]} if "#print axioms" in command and not said else said
        return answer if "message" in answer else {"env": len(self.asked) - 1, **answer}

    def close(self) -> None:
        self.closed = True


def error(line: int, text: str = "type mismatch") -> dict[str, Any]:
    return {"messages": [{"severity": "error", "pos": {"line": line, "column": 2}, "data": text}]}


def silent(command: str, line: int = 4, severity: str = "info") -> dict[str, Any]:
    name = command.rsplit("#print axioms ", 1)[1].strip()
    text = f"'{name}' does not depend on any axioms"
    return {"severity": severity, "pos": {"line": line, "column": 0}, "data": text}


def kernel_of(*repls: Scripted, servers: int = 1) -> ReplKernel:
    left = iter(repls)
    return ReplKernel(lambda: next(left), servers=servers)


def asked_of(command: str) -> bool:
    """Whether it is the question of our statement, and not of the probe."""
    return "#print axioms" in command and "@_root_.Submission.t" in command


def test_three_commands_each_in_what_the_last_has_left() -> None:
    repl = Scripted()
    kernel = kernel_of(repl)
    assert kernel.check(TRUE, PROOF).outcome == "proved"
    (spec, theirs, check) = repl.asked[-3:]
    assert repl.asked[spec[1] or 0] == ("-- Lean's own library", None)
    assert theirs[1] == repl.asked.index(spec)
    assert check[1] == repl.asked.index(theirs)
    section = theirs[0].split("\n")[0].removeprefix("section ")
    assert theirs[0] == f"section {section}\nopen Spec\nnamespace Submission\n{PROOF}\n"
    assert check[0].startswith(f"end Submission\nend {section}\ntheorem verdict_")


def test_no_two_submissions_begin_alike_and_no_name_is_used_twice() -> None:
    repl = Scripted()
    kernel = kernel_of(repl)
    for _ in range(3):
        kernel.check(TRUE, PROOF)
    heads = [command.split("\n")[0] for command, _ in repl.asked if command.startswith("section")]
    names = [command.rsplit(" ", 1)[1] for command, _ in repl.asked if "#print axioms" in command]
    assert len(set(heads)) == len(heads)
    assert len(set(names)) == len(names)
    assert sum("def goal" in command and "1 = 1" in command for command, _ in repl.asked) == 1


def test_another_process_is_told_again_what_it_has_to_build_on() -> None:
    dying = Scripted(lambda command: lost() if asked_of(command) and PROOF in str(dying.asked) else {})
    fresh = Scripted()
    kernel = kernel_of(dying, fresh)
    assert kernel.check(TRUE, PROOF).outcome == "proved"
    assert dying.closed
    told = [command for command, _ in fresh.asked]
    assert told[0] == "-- Lean's own library"
    assert any("def goal" in command and "1 = 1" in command for command in told)


def lost() -> Mapping[str, Any]:
    raise ReplLost("it ended")


def test_what_it_says_beside_the_answer_is_no_proof() -> None:
    plays: dict[str, Play] = {
        "nothing": lambda command: {"messages": []} if asked_of(command) else {},
        "another line": lambda command: {"messages": [silent(command, line=3)]} if asked_of(command) else {},
        "a warning": lambda command: {"messages": [silent(command, severity="warning")]} if asked_of(command) else {},
        "twice": lambda command: {"messages": [silent(command)] * 2} if asked_of(command) else {},
        "a trace": lambda command: {"messages": [silent(command), *error(1)["messages"]]} if asked_of(command) else {},
    }
    for name, play in plays.items():
        repl = Scripted()
        kernel = kernel_of(repl)
        assert kernel.check(TRUE, PROOF).accepted
        repl.play = only_ours(repl, play)
        report = kernel.check(TRUE, f"{PROOF} -- again")
        assert report.outcome in ("abused", "rejected"), name
        assert not report.accepted


def only_ours(repl: Scripted, play: Play) -> Play:
    return lambda command: play(command) if ours(repl) else {}


def ours(repl: Scripted) -> bool:
    """Whether the last submission was not of the probe."""
    return "2 + 2" not in next(command for command, _ in reversed(repl.asked) if command.startswith("section"))


def test_an_axiom_beside_is_found_in_the_words_of_the_repl() -> None:
    def play(command: str) -> Mapping[str, Any]:
        if not asked_of(command) or not ours(repl):
            return {}
        name = command.rsplit("#print axioms ", 1)[1].strip()
        return {"messages": [silent(command) | {"data": f"'{name}' depends on axioms: [propext,\n cheat]"}]}

    repl = Scripted(play)
    report = kernel_of(repl).check(TRUE, PROOF)
    assert (report.outcome, report.axioms) == ("rejected", ("cheat", "propext"))


@pytest.mark.parametrize(
    "answer",
    [{"message": "Unknown environment."}, {"env": True}, {"env": "1"}, {"env": 1, "messages": {}}, {"env": None}],
)
def test_an_answer_that_is_none_ends_the_repl(answer: dict[str, Any]) -> None:
    repls = [Scripted(lambda command: answer) for _ in range(4)]
    with pytest.raises(MissingExtra, match="REPL does not work here"):
        kernel_of(*repls).check(TRUE, PROOF)
    assert all(repl.closed for repl in repls if repl.asked)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda part: (
            st.lists(part)
            | st.dictionaries(st.sampled_from(["env", "messages", "pos", "line", "column", "severity", "data"]), part)
        ),
    )
)
def test_whatever_it_says_is_read_or_it_is_lost(said: Any) -> None:
    answer = said if isinstance(said, dict) else {"env": 1, "messages": said}
    try:
        env, rows = lean_repl._read(answer)
    except ReplLost:
        return
    assert type(env) is int
    assert all(row["severity"] in ("error", "warning", "information") for row in rows)


def test_a_kernel_whose_repls_all_fail_later_is_an_error_and_no_rejection() -> None:
    repl = Scripted()
    kernel = kernel_of(repl, *[Scripted(lambda command: lost()) for _ in range(8)])
    assert kernel.check(TRUE, PROOF).accepted
    repl.play = lambda command: lost()
    assert kernel.check(TRUE, PROOF).outcome == "error"


def test_a_repl_is_ended_after_a_number_of_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_repl, "_COMMANDS", 12)
    repls = [Scripted() for _ in range(8)]
    kernel = kernel_of(*repls)
    for _ in range(4):
        assert kernel.check(TRUE, PROOF).accepted
    assert sum(repl.closed for repl in repls) >= 1
    assert all(len(repl.asked) <= 12 + 3 for repl in repls)
    kernel.close()
    assert all(repl.closed for repl in repls if repl.asked)


def test_the_one_that_has_the_environment_is_taken() -> None:
    repls = Repls(Scripted, most=2)
    with repls.one(()) as first, repls.one(()) as second:
        second.run(("a",), "b")
    assert first is not second
    for _ in range(3):
        with repls.one(("a", "b")) as live:
            assert live is second
            live.run(("a", "b"), "c")


def test_few_environments_are_remembered_and_the_rest_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_repl, "_KNOWN", 3)
    repls = Repls(Scripted)
    for text in "bcdebc":
        with repls.one(("a", text)) as live:
            assert live.run(("a", text), "x") == ()
