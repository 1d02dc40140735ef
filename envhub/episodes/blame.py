"""Who made a turn raise: asked of a worker process, and only when something has been raised.

What takes the turn again is :func:`envhub.episodes.rerun.again`, which is named here and not imported: it stands above
the episodes
that ask. What it found is journaled as a record whose digest is :data:`AGAIN`, which the digest of no effect can be::

    entry = entry_of(type(environment))                      # None: no worker can find the class, so nothing is asked
    found = ask(Check(AGAIN, {"entry": entry, ...}))
    found.outcome == BLAMED                             # the answer, and nothing else, is to blame
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Final

from envhub.core.effects import Effect, Outcome, Performed
from envhub.core.types import Fault, Verdict

if TYPE_CHECKING:
    from envhub.workers.pool import Pool
    from envhub.workers.worker import CallResult

AGAIN: Final = "envhub:again"
"""In a journal the mark of what was found, in place of a digest."""
BLAMED: Final = Outcome("answer")
"""The control passed, and the answer made the turn raise once more."""
DEADLINE_S: Final = 60.0
"""How long rebuilding the task, the control and the answer may take together; what takes longer blames no answer."""
_FUNCTION: Final = "envhub.episodes.rerun:again"
_UNCHECKED: Final = "The answer could not be checked: it made the check itself fail."


def entry_of(cls: type) -> list[str] | None:
    """Module and name by which another process finds a class; None for a program's own, and for one made in a function."""
    module, name = cls.__module__, cls.__qualname__
    found = getattr(sys.modules.get(module), name, None)
    return [module, name] if found is cls and module != "__main__" else None


def ask(effect: Effect) -> Performed:
    """Have the turn taken again, and wait for what is found; where that fails, a fault."""
    try:
        return _found(_workers().call(_FUNCTION, effect.payload))
    except Exception as error:  # whatever it is, nobody has been found to blame
        return _unknown(type(error).__name__)


async def aask(effect: Effect) -> Performed:
    """:func:`ask` on an event loop."""
    try:
        return _found(await _workers().acall(_FUNCTION, effect.payload))
    except Exception as error:
        return _unknown(type(error).__name__)


def settled(record: Performed) -> Verdict:
    """The verdict on a turn that raised: a score of 0 where the answer is to blame, else an ``error`` and never a score."""
    if record.outcome == BLAMED:
        return Verdict(0.0, solved=False, components={"abuse": 1.0}, feedback=_UNCHECKED)
    fault = record.fault or Fault("environment_failed", "It is not recorded why.")
    return Verdict.failed(fault.code, fault.reason)


@cache
def _workers() -> Pool:
    """Every worker takes one turn: what another turn has left behind in a process is nobody's fault."""
    from envhub.workers.pool import Pool  # where nothing is raised it is not needed

    return Pool(deadline_s=DEADLINE_S, max_tasks=1)


def _found(ran: CallResult) -> Performed:
    return Performed(AGAIN, Outcome(ran.value)) if ran.ok else _unknown(ran.detail)


def _unknown(reason: str) -> Performed:
    return Performed(AGAIN, fault=Fault("pool", reason))
