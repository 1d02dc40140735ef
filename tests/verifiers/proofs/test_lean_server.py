"""Live Lean servers say what a cold check says, and one that is lost is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from envhub.sandbox import Limits, default_sandbox
from envhub.sandbox.lean import INSIDE
from envhub.verifiers.proofs.lean import LeanKernel
from envhub.verifiers.proofs.lean_server import LIMITS, LeanServers
from envhub.verifiers.proofs.proof import Message
from tests.support.kernels import lean_kernel, toolchain
from tests.verifiers.proofs.test_proof import RIGHT, SWAP, WRONG

TRUE, FALSE = "theorem t : 2 + 2 = 4 := rfl\n", "theorem t : 2 + 2 = 5 := rfl\n"


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[LeanKernel, LeanKernel]]:
    cold = lean_kernel()
    live = LeanKernel(servers=1)
    yield cold, live
    live.close()


def servers(most: int = 1, limits: Limits = LIMITS, patience_s: float = 1.0) -> LeanServers:
    toolchain()
    return LeanServers(default_sandbox(), f"{INSIDE}/lib/lean", most, limits, patience_s)


@pytest.mark.parametrize(
    "name",
    [
        "swapped",
        "unfinished",
        "a hole",
        "prose",
        "numbers of its own",
        "another name",
        "another statement",
        "a further premise",
        "an example",
        "nothing",
        "error, then more",
    ],
)
def test_what_is_wrong_is_found_by_both_with_the_same_words(both: tuple[LeanKernel, LeanKernel], name: str) -> None:
    cold, live = (kernel.check(*WRONG[name]) for kernel in both)
    assert cold.outcome == live.outcome == "rejected"
    assert (cold.messages, cold.goals) == (live.messages, live.goals)


@pytest.mark.parametrize("name", ["a term", "induction", "definitions that are given"])
def test_what_is_right_is_accepted_by_both(both: tuple[LeanKernel, LeanKernel], name: str) -> None:
    cold, live = (kernel.check(*RIGHT[name]) for kernel in both)
    assert cold == live
    assert cold.accepted


@pytest.mark.parametrize("text", ["theorem t : 2 + 2 = 5 := by", "theorem t (p : Prop) : (p", "theorem", "open Nat in"])
def test_a_text_that_ends_in_the_middle_is_told_from_what_stands_behind_it(
    both: tuple[LeanKernel, LeanKernel], text: str
) -> None:
    cold, live = (kernel.check(SWAP, text) for kernel in both)
    assert cold.outcome == live.outcome == "rejected"
    assert cold.messages == live.messages
    assert "Submission" not in str(live.messages)


def test_goals_are_the_same(both: tuple[LeanKernel, LeanKernel]) -> None:
    cold, live = (kernel.goals(SWAP, RIGHT["bullets"][1], 3) for kernel in both)
    assert cold == live
    assert len(cold) == 2


def test_one_question_after_the_other() -> None:
    live = servers()
    for _ in range(5):
        assert live.messages(TRUE) == ()
        said = live.messages(FALSE)
        assert said is not None
        assert {message.severity for message in said} == {"error"}
    assert live.messages("theorem t : True := by\n  exact \U0001d54f") != ()
    live.close()


@pytest.mark.parametrize("end", ["process.kill()", "receive = __import__('threading').Event().wait"])
def test_a_server_that_ends_or_hangs_says_nothing_and_is_replaced(end: str) -> None:
    live = servers(limits=replace(LIMITS, wall_s=4))
    assert live.messages(TRUE) == ()
    live._idle[0].session.run(f"_servers[-1].{end}")
    assert live.messages(TRUE) is None
    assert live._idle == []
    assert live.messages(TRUE) == ()
    live.close()


def test_what_the_server_prints_is_read_with_care() -> None:
    live = servers()
    assert live.messages(TRUE) == ()
    for said in ("None", "[[]]", "[[1, 'x', 99, 0]]", "['x']", "[[7, 'x', 0, 0]]"):
        if not live._idle:
            assert live.messages(TRUE) == ()
        live._idle[0].session.run(f"def ask(text):\n    print(json.dumps({said}))")
        assert live.messages(TRUE) is None
    live.close()


def test_there_are_addresses_for_all_that_a_server_reserves() -> None:
    """Its allocator may take several gibibytes of them; a worker without any for its threads hung now and then."""
    live = servers()
    assert live.messages(TRUE) == ()
    held = live._idle[0].session.run(
        "import mmap\nheld = [mmap.mmap(-1, 1 << 30) for _ in range(16)]\nprint(len(held))"
    )
    assert held.text == "16\n"
    live.close()


def test_who_finds_all_busy_gets_no_answer() -> None:
    live = servers(most=1, patience_s=0.0)
    assert live._free.acquire(blocking=False)
    assert live.messages(TRUE) is None
    live._free.release()
    assert live.messages(TRUE) == ()
    live.close()


def test_without_an_answer_the_cold_check_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain()
    kernel = LeanKernel(servers=1)
    monkeypatch.setattr(LeanServers, "messages", lambda self, text: None)
    assert kernel.check(*RIGHT["a term"]).accepted
    assert kernel.check(*WRONG["swapped"]).outcome == "rejected"


def test_a_server_that_says_all_is_well_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain()
    kernel = LeanKernel(servers=1)
    monkeypatch.setattr(LeanServers, "messages", lambda self, text: (Message("information", "fine", 99),))
    assert kernel.check(*WRONG["swapped"]).outcome == "rejected"
    assert kernel.check(*WRONG["another statement"]).outcome == "rejected"
