"""Determines whether the answer caused a turn to raise, and the verdict.

An episode calls its :class:`FailureChecker` and journals the finding as a record with the digest :data:`AGAIN`, which
no effect has::

    entry = entry_of(type(environment))                      # None: another process cannot import the class
    found = checker.check(Check(AGAIN, {"entry": entry, ...}))
    settled(found)                                           # the verdict: score 0 with abuse, or an error
"""

from __future__ import annotations

import sys
from typing import Final, Protocol

from envhub.core.effects import Effect, Outcome, Performed
from envhub.core.types import Fault, Verdict

AGAIN: Final = "envhub:again"
"""Digest that marks a finding in the journal."""
BLAMED: Final = Outcome("answer")
"""The control passed, and the answer raised again."""
_UNCHECKED: Final = "The answer could not be checked: it made the check itself fail."


class FailureChecker(Protocol):
    """Determines whether the answer made a turn raise; implemented in :mod:`envhub.episodes.rerun`."""

    def check(self, effect: Effect) -> Performed:
        """The finding about a turn; a fault if it cannot be determined.

        Never raises.
        """

    async def acheck(self, effect: Effect) -> Performed:
        """:meth:`check` on an event loop."""


def entry_of(cls: type) -> list[str] | None:
    """Module and name for importing a class elsewhere.

    None for ``__main__`` or local classes.
    """
    module, name = cls.__module__, cls.__qualname__
    found = getattr(sys.modules.get(module), name, None)
    return [module, name] if found is cls and module != "__main__" else None


def settled(record: Performed) -> Verdict:
    """Verdict on a turn that raised.

    Score 0 if the answer is to blame, otherwise an ``error`` without a score.
    """
    if record.outcome == BLAMED:
        return Verdict(0.0, solved=False, components={"abuse": 1.0}, feedback=_UNCHECKED)
    fault = record.fault or Fault("environment_failed", "It is not recorded why.")
    return Verdict.failed(fault.code, fault.reason)
