"""Many checks at a time with a hung server in every fifty: none is lost or wrong, and no process is left.

A thousand by night, and a hundred otherwise; ``ENVHUB_SOAK_PROOFS`` says how many.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from envhub.sandbox import Limits, LocalSandbox, Session
from envhub.verifiers.proofs.lean import LIMITS, LeanKernel
from envhub.verifiers.proofs.lean_server import LeanServers
from envhub.verifiers.proofs.proof import Message, Statement
from tests.server.families import family
from tests.support.kernels import toolchain

MANY = int(os.environ.get("ENVHUB_SOAK_PROOFS", "1000"))
HUNG = 50
SHORT = Limits(wall_s=LIMITS.wall_s, cpu_s=8, memory_mb=LIMITS.memory_mb, pids=LIMITS.pids, output_bytes=1 << 20)


class Stopped:
    """Has the server hang over every fiftieth question."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._numbers = count(1)
        self.hung = self.unanswered = 0
        ask = LeanServers._ask

        def asked(servers: LeanServers, session: Session, text: str) -> tuple[Message, ...] | None:
            stops = next(self._numbers) % HUNG == 0
            if stops:
                self.hung += 1
                session.run("_servers[-1].receive = __import__('threading').Event().wait")
            said = ask(servers, session, text)
            self.unanswered += stops and said is None
            return said

        monkeypatch.setattr(LeanServers, "_ask", asked)


def question(number: int) -> tuple[Statement, str, str]:
    """A statement, a submission and what has to come of it."""
    kind, a = number % 4, number % 7
    statement = Statement("t", f"∀ (n : Nat), n = {a} → n + 0 = {a}")
    head = f"theorem t (n : Nat) (h : n = {a}) : n + 0 = {a} := "
    texts = (
        (f"{head}h", "proved"),
        (f"{head}rfl", "rejected"),
        (f"{head}sorry", "refused"),
        (f"{head}k{number}", "rejected"),
    )
    return statement, *texts[kind]


def soak(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain()
    before = set(family(os.getpid()))
    stopped = Stopped(monkeypatch)
    with LocalSandbox(slots=2) as sandbox:
        kernel = LeanKernel(sandbox, SHORT, servers=2)
        with ThreadPoolExecutor(4) as threads:
            asked = [question(number) for number in range(many)]
            reports = list(threads.map(lambda each: kernel.check(each[0], each[1]), asked))
        assert len(set(family(os.getpid())) - before) > 2
        kernel.close()
    assert [report.outcome for report in reports] == [outcome for _, _, outcome in asked]
    assert stopped.hung == stopped.unanswered >= many // 2 // HUNG
    assert set(family(os.getpid())) <= before


def test_a_hundred_checks_with_hung_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    soak(100, monkeypatch)


@pytest.mark.nightly
def test_a_thousand_checks_with_a_hung_one_in_every_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    soak(MANY, monkeypatch)
