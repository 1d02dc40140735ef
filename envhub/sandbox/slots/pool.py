"""Slots that run jobs: who gets which, and what happens when one fails.

Slots are started when they are needed and stay warm. Jobs wait in line for one, and no more than ``waiting`` of them: the
next is told to come again. A free slot goes to the payer who has the fewest, so nobody's jobs keep out those of others.
A slot that fails loses no job: the job is run again in a fresh slot that has just passed a probe. If that one fails too, the
program is the cause (:attr:`Result.crashed`); only when no slot passes the probe is it our fault::

    slots = Slots(backend, count=2)
    results = slots.run(job)        # never raises for what a program does
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from envhub.core.errors import TooBusy
from envhub.sandbox.backend import Backend, Slot, SlotFailed
from envhub.sandbox.jobs import Job, Program, Result, Returned

PROBE: Final = Job(Program("def probe(a, b):\n    return [a * b, 'ready']\n"), function="probe", calls=((6, 7),))
"""What a fresh slot is asked before it gets a job that took another one down."""
PROBED: Final = (Returned([42, "ready"]),)
_MAX_JOBS: Final = 5_000  # after which a slot is replaced, so that nothing can grow without end
_log = logging.getLogger(__name__)


class Place:
    """A place for one slot; whoever holds the place may use it."""

    def __init__(self, backend: Backend, number: int) -> None:
        self._backend = backend
        self._number = number
        self._jobs = 0
        self.slot: Slot | None = None

    def ready(self, *, fresh: bool = False) -> Slot:
        """The slot of this place, started; another one if it is used up or not ``fresh``.

        Raises:
            SlotFailed: It does not start.
        """
        if self.slot is not None and (fresh or self._jobs >= _MAX_JOBS):
            self.clear()
        if self.slot is None:
            slot = self._backend.slot(self._number)
            try:
                slot.start()
            except BaseException:
                slot.close()
                raise
            self.slot, self._jobs = slot, 0
        self._jobs += 1
        return self.slot

    def proven(self) -> Slot:
        """A fresh slot that has passed the probe.

        Raises:
            SlotFailed: It does not start, or does not pass.
        """
        slot = self.ready(fresh=True)
        (result,) = slot.run(PROBE)
        if result.values != PROBED:
            raise SlotFailed(f"a fresh slot did not pass the probe: exit {result.exit}, limit {result.limit}")
        return slot

    def clear(self) -> None:
        """End the slot."""
        slot, self.slot = self.slot, None
        if slot is not None:
            slot.close()

    def disown(self) -> None:
        """Forget the slot in a forked process."""
        slot, self.slot = self.slot, None
        if slot is not None:
            slot.disown()


class _Ticket:
    """A job that waits."""

    __slots__ = ("payer",)

    def __init__(self, payer: str) -> None:
        self.payer = payer


class Slots:
    """Warm slots for jobs.

    Args:
        backend: How programs are isolated.
        count: How many slots at most.
        waiting: How many jobs may wait for one.
        first: The number of the first slot.
    """

    def __init__(self, backend: Backend, count: int, waiting: int, first: int = 0) -> None:
        self._places = [Place(backend, first + number) for number in range(count)]
        self._waiting = waiting
        self._closed = False
        self.renew()

    def renew(self) -> None:
        """Locks that no other process or thread could hold."""
        self._idle = list(self._places)
        self._line: list[_Ticket] = []  # jobs that wait, in the order in which they came
        self._busy = Counter[str]()  # slots by payer
        self._changed = threading.Condition()

    def run(self, job: Job, payer: str = "") -> tuple[Result, ...]:
        """Run a job, waiting for a slot: a result for each text of standard input, or one for all calls.

        Args:
            job: What to run.
            payer: On whose behalf. Of those who wait, the one with the fewest slots is served first.

        Raises:
            TooBusy: Too many wait already.
        """
        with self._place(payer) as place:
            if place is None:
                return (Result.failed("the sandbox is closed"),) * job.results
            try:
                return place.ready().run(job)
            except SlotFailed as error:
                _log.warning("A slot failed and the job is run again in a fresh one: %s", error)
            return self._again(place, job)

    def _again(self, place: Place, job: Job) -> tuple[Result, ...]:
        try:
            slot = place.proven()
        except SlotFailed as error:
            place.clear()
            return (Result.failed(f"no slot to be had: {error}"),) * job.results
        try:
            return slot.run(job)
        except SlotFailed as error:
            place.clear()
            if self._closed:
                return (Result.failed("the sandbox is closed"),) * job.results
            _log.warning("A job took a second slot down: %s", error)
            return (Result(crashed=True),) * job.results

    @contextmanager
    def _place(self, payer: str) -> Iterator[Place | None]:
        """A place of one's own; None when closed."""
        with self._changed:
            if not self._idle and len(self._line) >= self._waiting:
                raise TooBusy(f"{len(self._line)} jobs wait for the {len(self._places)} slots of the sandbox already.")
            ticket = _Ticket(payer)
            self._line.append(ticket)
            try:
                self._changed.wait_for(lambda: self._closed or (self._idle and self._next() is ticket))
            finally:
                self._line.remove(ticket)
            place = self._idle.pop() if self._idle and not self._closed else None
            self._busy[payer] += place is not None
            self._changed.notify_all()  # there may be another idle place, and somebody else is next now
        if place is None:
            yield None
            return
        try:
            yield place
        except BaseException:  # interrupted: an answer may be on its way, and must not be taken for another's
            place.clear()
            raise
        finally:
            with self._changed:
                self._idle.append(place)  # the last one used comes first: it is warm
                self._busy[payer] -= 1
                self._busy += Counter()  # forgets those who have none
                self._changed.notify_all()

    def _next(self) -> _Ticket:
        """Who is served next: the payer with the fewest slots; of several the one who has waited longest."""
        return min(self._line, key=lambda ticket: self._busy[ticket.payer])

    def counts(self) -> dict[str, int]:
        """How many slots there are, are started and are busy, and how many jobs wait."""
        with self._changed:
            started = sum(place.slot is not None for place in self._places)
            busy = len(self._places) - len(self._idle)
            return {"slots": len(self._places), "started": started, "busy": busy, "waiting": len(self._line)}

    def close(self) -> None:
        """End every slot; jobs in progress and to come are answered that the sandbox is closed."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for place in self._places:
            place.clear()

    def forked(self) -> None:
        """Begin anew in a forked process: the slots are the parent's."""
        for place in self._places:
            place.disown()
        self.renew()
