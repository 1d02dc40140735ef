"""Attacks that the sandbox must stop, and the suite that checks it.

``docs/threat-model.md`` lists them.

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
    52: "timing side channels: slots share CPUs, caches and disks, so a neighbour's load is observable",
    53: "a vulnerability of the kernel or of CPython behind an allowed call",
}
"""Attacks that no layer of this package stops, by number."""


def attack(
    backend: Backend,
    attacks: Iterable[Attack] = ATTACKS,
    salt: str = "",
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> list[Verdict]:
    """Run attacks on a backend and return the verdicts.

    Args:
        backend: The backend. The caller closes it.
        attacks: The attacks to try. Defaults to all.
        salt: Salt of the correct answers. Random by default.
        on_verdict: Called with every verdict as it arrives.

    Raises:
        ResourceError: Honest programs are misjudged on this backend, so no verdict would be valid.
    """
    verdicts = []
    with AttackSuite(backend, salt) as suite:
        for each in attacks:
            verdict = suite.judge(each)
            on_verdict(verdict)
            verdicts.append(verdict)
    return verdicts
