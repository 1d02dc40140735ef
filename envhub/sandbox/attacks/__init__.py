"""Attacks that the sandbox must stop, and the judge who says whether it does; the list is in ``docs/threat-model.md``.

::

    for verdict in attack(NamespaceBackend()):
        print(verdict.attack.number, verdict.attack.name, verdict.stopped, dict(verdict.breaches))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from envhub.sandbox.attacks.access import ACCESS
from envhub.sandbox.attacks.exhaustion import EXHAUSTION
from envhub.sandbox.attacks.grading import GRADING
from envhub.sandbox.attacks.kernel import KERNEL
from envhub.sandbox.attacks.kinds import MEANING, Attack, Verdict
from envhub.sandbox.attacks.persistence import PERSISTENCE
from envhub.sandbox.attacks.protocol import PROTOCOL
from envhub.sandbox.attacks.suite import AttackSuite
from envhub.sandbox.attacks.surface import SURFACE
from envhub.sandbox.backend import Backend

__all__ = ["ATTACKS", "MEANING", "RESIDUAL", "Attack", "AttackSuite", "Verdict", "attack"]

ATTACKS: Final[tuple[Attack, ...]] = tuple(
    sorted(
        (*GRADING, *ACCESS, *KERNEL, *SURFACE, *EXHAUSTION, *PERSISTENCE, *PROTOCOL), key=lambda attack: attack.number
    )
)
RESIDUAL: Final = {
    52: "timing: what a neighbour's load tells; slots share processors, caches and the disc",
    53: "a hole in the kernel, or in CPython, behind a call that programs may make",
}
"""What no layer of this package stops, by number."""


def attack(
    backend: Backend,
    attacks: Iterable[Attack] = ATTACKS,
    salt: str = "",
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> list[Verdict]:
    """Try attacks on a backend.

    Args:
        backend: It is not closed.
        attacks: Which ones; all by default.
        salt: What makes the right answers; drawn if not given.
        on_verdict: Is called with every verdict as it comes.

    Raises:
        ResourceError: Honest programs are not judged rightly on this backend, so nothing can be said.
    """
    verdicts = []
    with AttackSuite(backend, salt) as suite:
        for each in attacks:
            verdict = suite.judge(each)
            on_verdict(verdict)
            verdicts.append(verdict)
    return verdicts
