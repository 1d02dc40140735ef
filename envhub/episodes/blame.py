"""Who is to blame for a turn that raised: what the journal records of it, and the verdict that follows.

An episode asks its :class:`FailureChecker`, and journals the finding as a record whose digest is :data:`AGAIN`, which is the
digest of no effect::

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
"""Marks a finding in the journal, in place of a digest."""
BLAMED: Final = Outcome("answer")
"""The control passed, and the answer made the turn raise again."""
_UNCHECKED: Final = "The answer could not be checked: it made the check itself fail."


class FailureChecker(Protocol):
    """Finds out whether the answer made a turn raise; :mod:`envhub.episodes.rerun` has the one in use."""

    def check(self, effect: Effect) -> Performed:
        """The finding about a turn; a fault if there is none. Never raises."""

    async def acheck(self, effect: Effect) -> Performed:
        """:meth:`check` on an event loop."""


def entry_of(cls: type) -> list[str] | None:
    """Module and name by which another process imports a class; None for one of ``__main__`` or made in a function."""
    module, name = cls.__module__, cls.__qualname__
    found = getattr(sys.modules.get(module), name, None)
    return [module, name] if found is cls and module != "__main__" else None


def settled(record: Performed) -> Verdict:
    """The verdict on a turn that raised: a score of 0 if the answer is to blame, otherwise an ``error`` without a score."""
    if record.outcome == BLAMED:
        return Verdict(0.0, solved=False, components={"abuse": 1.0}, feedback=_UNCHECKED)
    fault = record.fault or Fault("environment_failed", "It is not recorded why.")
    return Verdict.failed(fault.code, fault.reason)
