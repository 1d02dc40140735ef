"""Proofs per second on Lean's kernel: ``python -m benchmarks proofs``.

Compares live servers and forks of a started Lean with cold starts, and two servers with one, on four wrong proofs and a right
one of one statement; every verdict is checked. A live server, if any, rejects a wrong proof; a right one is also checked by
runs of two modules, each in a jail of its own, since nothing else accepts a proof. The sides alternate in one run.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from benchmarks.harness import Spread
from benchmarks.report import Section, number, ratio, table
from envhub.core.errors import EnvhubError
from envhub.sandbox import LocalSandbox
from envhub.verifiers.proofs.lean import LeanKernel
from envhub.verifiers.proofs.proof import Statement

SECONDS: Final = 2.0
_STATEMENT: Final = Statement("t", "∀ (p q r : Prop), p ∧ (q ∨ r) → (p ∧ q) ∨ (p ∧ r)")
_HEAD: Final = "theorem t (p q r : Prop) (h : p ∧ (q ∨ r)) : (p ∧ q) ∨ (p ∧ r) := by\n"
_RIGHT: Final = _HEAD + "  exact Or.elim h.2 (fun a => Or.inl ⟨h.1, a⟩) (fun a => Or.inr ⟨h.1, a⟩)"
_WRONG: Final = (
    _HEAD + "  exact Or.elim h.2 (fun a => Or.inl ⟨h.1, a⟩) (fun a => Or.inl ⟨h.1, a⟩)",
    _HEAD + "  left\n  constructor\n  exact h.1\n  assumption",
    _HEAD + "  cases h.2 with\n  | inl a => exact Or.inl ⟨h.1, a⟩",
    _HEAD + "  simp [h.2]",
)


@dataclass
class Way:
    """One way of checking, with its measurements.

    Attributes:
        name: Name in the table.
        kernel: The checker.
        right: Whether the right proof is checked, or wrong ones.
        parallel: Number of concurrent checks.
        beside: Name of the way it is compared with.
        aim: Target ratio of that comparison.
        rates: Checks per second of each round.
    """

    name: str
    kernel: LeanKernel
    right: bool = False
    parallel: int = 1
    beside: str = ""
    aim: str = "-"
    rates: list[float] = field(default_factory=list)


def proofs(repeats: int) -> Section:
    """Measure all ways alternately."""
    with ExitStack() as stack:
        try:
            ways = _ways(stack)
        except EnvhubError as error:
            return Section("Proofs", f"Not measured here: {error}", _NOTE)
        for way in ways:
            _check(way, 0)  # warm-up
        for turn in range(repeats):
            for way in ways[:: -1 if turn % 2 else 1]:
                way.rates.append(_rate(way))
    found = {way.name: way for way in ways}
    head = ["what", "concurrent", "checks per second", "ratio", "compared with", "aim"]
    return Section("Proofs", table(head, [_row(way, found) for way in ways]), _NOTE)


_NOTE: Final = (
    "Four wrong proofs of a small theorem of logic in rotation, and a right one, on Lean's kernel in the "
    "`namespace` sandbox. Cold starts `lean --json` in a fresh jail for each module; warm continues a fork of a Lean "
    "that has started, in a fresh jail as well; live is a `lean --server` that has already answered a request, with "
    "warm runs behind it. *ratio* is that of checks per second within each round. A right proof always costs two runs, "
    "cold or warm, because only they accept."
)


def _ways(stack: ExitStack) -> list[Way]:
    sandbox = stack.enter_context(LocalSandbox("namespace", slots=2))

    def kernel(servers: int, *, warm: bool = True) -> LeanKernel:
        made = LeanKernel(sandbox, servers=servers, warm=warm)
        stack.callback(made.close)
        return made

    cold, warm, one, two = kernel(0, warm=False), kernel(0), kernel(1), kernel(2)
    return [
        Way("wrong, cold", cold),
        Way("wrong, warm", warm, beside="wrong, cold"),
        Way("wrong, one live server", one, beside="wrong, cold", aim="5"),
        Way("wrong, one live server, two clients", one, parallel=2),
        Way(
            "wrong, two live servers, two clients",
            two,
            parallel=2,
            beside="wrong, one live server, two clients",
            aim="> 1",
        ),
        Way("right, cold", cold, right=True),
        Way("right, warm", warm, right=True, beside="right, cold", aim="4"),
        Way("right, one live server", one, right=True, beside="right, cold", aim="4"),
    ]


def _row(way: Way, found: dict[str, Way]) -> list[str]:
    beside = found.get(way.beside)
    against = "-"
    if beside is not None:
        against = ratio(Spread.of([ours / theirs for ours, theirs in zip(way.rates, beside.rates, strict=True)]))
    rate = number(Spread.of(way.rates))
    return [way.name, str(way.parallel), rate, against, way.beside or "-", way.aim]


def _check(way: Way, at: int) -> None:
    text = _RIGHT if way.right else _WRONG[at % len(_WRONG)]
    report = way.kernel.check(_STATEMENT, text)
    if report.outcome != ("proved" if way.right else "rejected"):
        raise RuntimeError(f"{way.name}: {report}")


def _rate(way: Way) -> float:
    """Checks per second over some seconds."""
    until, numbers, done = time.perf_counter() + SECONDS, count(), []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            while time.perf_counter() < until:
                _check(way, next(numbers))
                done.append(1)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(way.parallel)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return len(done) / (time.perf_counter() - begun)
