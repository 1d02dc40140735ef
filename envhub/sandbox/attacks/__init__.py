"""Attacks that the sandbox must stop, and the judge who says whether it does; the list is in ``docs/threat-model.md``.

::

    for verdict in attack(NamespaceBackend()):
        print(verdict.attack.number, verdict.attack.name, verdict.stopped, dict(verdict.breaches))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from envhub.sandbox.attacks.asking import ASKING
from envhub.sandbox.attacks.exhausting import EXHAUSTING
from envhub.sandbox.attacks.grading import GRADING
from envhub.sandbox.attacks.judge import Court
from envhub.sandbox.attacks.kernel import KERNEL
from envhub.sandbox.attacks.kinds import MEANING, Attack, Verdict
from envhub.sandbox.attacks.lasting import LASTING
from envhub.sandbox.attacks.reaching import REACHING
from envhub.sandbox.attacks.unneeded import UNNEEDED
from envhub.sandbox.backend import Backend

__all__ = ["ATTACKS", "MEANING", "RESIDUAL", "Attack", "Court", "Verdict", "attack"]

ATTACKS: Final[tuple[Attack, ...]] = tuple(
    sorted((*GRADING, *REACHING, *KERNEL, *UNNEEDED, *EXHAUSTING, *LASTING, *ASKING), key=lambda attack: attack.number)
)
RESIDUAL: Final = {
    52: "timing: what a neighbour's load tells; slots share processors, caches and the disc",
    53: "a hole in the kernel, or in CPython, behind a call that programs may make",
}
"""What no layer of this package stops, by number."""


def attack(
    backend: Backend,
    attacks: Iterable[Attack] = ATTACKS,
    pepper: str = "",
    told: Callable[[Verdict], None] = lambda verdict: None,
) -> list[Verdict]:
    """Try attacks on a backend.

    Args:
        backend: It is not closed.
        attacks: Which ones; all by default.
        pepper: What makes the right answers; drawn if not given.
        told: Is called with every verdict as it comes.

    Raises:
        ResourceError: Honest programs are not judged rightly on this backend, so nothing can be said.
    """
    verdicts = []
    with Court(backend, pepper) as court:
        for each in attacks:
            verdict = court.judge(each)
            told(verdict)
            verdicts.append(verdict)
    return verdicts
