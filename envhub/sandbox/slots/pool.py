"""Pool of warm slots.

Assigns them to jobs, and replaces slots that fail. Slots are started on demand and stay warm. At most ``waiting`` jobs
wait for one; further jobs raise :class:`TooBusy`. A free slot goes to the tenant with the fewest slots, so no tenant
can block the others. If a slot fails, the job runs again in a fresh slot that has just passed a probe. If that fails
too, the program is the cause (:attr:`Result.crashed`). Only if no slot passes the probe is it an infrastructure
failure::

    slots = SlotPool(backend, count=2)
    results = slots.run(job)        # no program can make it raise
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
"""Checks a fresh slot before it gets a job that crashed another slot."""
PROBED: Final = (Returned([42, "ready"]),)
_MAX_JOBS: Final = 5_000  # then the slot is replaced, so that leaks cannot accumulate
_log = logging.getLogger(__name__)


class ManagedSlot:
    """Holds one slot, and starts and replaces it as needed. Not thread-safe."""

    def __init__(self, backend: Backend, number: int, warm: str = "") -> None:
        self._backend = backend
        self._number = number
        self._warm = warm
        self._others: dict[str, ManagedSlot] = {}
        self._jobs = 0
        self.slot: Slot | None = None

    def of(self, warm: str) -> ManagedSlot:
        """The slot of this place that keeps a native program warm.

        The ordinary one for an empty name.
        """
        if not warm:
            return self
        return self._others.setdefault(warm, ManagedSlot(self._backend, self._number, warm))

    @property
    def started(self) -> bool:
        """Whether a slot is running."""
        return self.slot is not None or any(other.started for other in self._others.values())

    def ready(self, *, fresh: bool = False) -> Slot:
        """The started slot.

        Replaced first if it has run its maximum of jobs, or if ``fresh``.

        Raises:
            SlotFailed: The slot does not start.
        """
        if self.slot is not None and (fresh or self._jobs >= _MAX_JOBS):
            self.clear()
        if self.slot is None:
            slot = self._backend.warm_slot(self._number, self._warm) if self._warm else self._backend.slot(self._number)
            try:
                slot.start()
            except BaseException:
                slot.close()
                raise
            self.slot, self._jobs = slot, 0
        self._jobs += 1
        return self.slot

    def probed(self) -> Slot:
        """A fresh slot that has passed the probe.

        Raises:
            SlotFailed: The slot does not start or fails the probe.
        """
        slot = self.ready(fresh=True)
        (result,) = slot.run(PROBE)
        if result.values != PROBED:
            raise SlotFailed(f"a fresh slot did not pass the probe: exit {result.exit}, limit {result.limit}")
        return slot

    def clear(self) -> None:
        """Close the slot and those of :meth:`of`."""
        for other in self._others.values():
            other.clear()
        slot, self.slot = self.slot, None
        if slot is not None:
            slot.close()

    def disown(self) -> None:
        """Release the slot and those of :meth:`of` in a forked child."""
        for other in self._others.values():
            other.disown()
        slot, self.slot = self.slot, None
        if slot is not None:
            slot.disown()


class _Ticket:
    """A waiting job."""

    __slots__ = ("tenant",)

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant


class SlotPool:
    """Warm slots for jobs. Thread-safe.

    Args:
        backend: The backend of the slots.
        count: Maximum number of slots.
        waiting: Maximum number of waiting jobs.
        first: Number of the first slot.
    """

    def __init__(self, backend: Backend, count: int, waiting: int, first: int = 0) -> None:
        self._places = [ManagedSlot(backend, first + number) for number in range(count)]
        self._waiting = waiting
        self._closed = False
        self.reset()

    def reset(self) -> None:
        """Start with new locks and no waiting jobs."""
        self._idle = list(self._places)
        self._line: list[_Ticket] = []  # waiting jobs, oldest first
        self._busy = Counter[str]()  # slots by tenant
        self._changed = threading.Condition()

    def run(self, job: Job, tenant: str = "") -> tuple[Result, ...]:
        """Wait for a slot and run a job.

        Returns one result per standard input, or one for all calls.

        Args:
            job: The job.
            tenant: The tenant it is run for. Of all waiting tenants, the one with the fewest slots is served first.

        Raises:
            TooBusy: Too many jobs are waiting.
        """
        with self._place(tenant) as place:
            if place is None:
                return (Result.failed("the sandbox is closed"),) * job.results
            slot = place.of(job.warm)
            try:
                return slot.ready().run(job)
            except SlotFailed as error:
                _log.warning("A slot failed; running the job again in a fresh one: %s", error)
            return self._again(slot, job)

    def _again(self, place: ManagedSlot, job: Job) -> tuple[Result, ...]:
        try:
            slot = place.probed()
        except SlotFailed as error:
            place.clear()
            return (Result.failed(f"no slot could be started: {error}"),) * job.results
        try:
            return slot.run(job)
        except SlotFailed as error:
            place.clear()
            if self._closed:
                return (Result.failed("the sandbox is closed"),) * job.results
            _log.warning("A job crashed a second slot: %s", error)
            return (Result(crashed=True),) * job.results

    @contextmanager
    def _place(self, tenant: str) -> Iterator[ManagedSlot | None]:
        """A slot for exclusive use; None if the pool is closed."""
        with self._changed:
            if not self._idle and len(self._line) >= self._waiting:
                slots = len(self._places)
                raise TooBusy(f"{len(self._line)} jobs are already waiting for the {slots} slots. Try again later.")
            ticket = _Ticket(tenant)
            self._line.append(ticket)
            try:
                self._changed.wait_for(lambda: self._closed or (self._idle and self._next() is ticket))
            finally:
                self._line.remove(ticket)
            place = self._idle.pop() if self._idle and not self._closed else None
            self._busy[tenant] += place is not None
            self._changed.notify_all()  # another slot may be idle, and the next job has changed
        if place is None:
            yield None
            return
        try:
            yield place
        except BaseException:  # interrupted: a late answer must not be read as that of the next job
            place.clear()
            raise
        finally:
            with self._changed:
                self._idle.append(place)  # last in, first out: it is warm
                self._busy[tenant] -= 1
                self._busy += Counter()  # drops tenants without slots
                self._changed.notify_all()

    def _next(self) -> _Ticket:
        """The next job to serve.

        The oldest one of the tenant with the fewest slots.
        """
        return min(self._line, key=lambda ticket: self._busy[ticket.tenant])

    def counts(self) -> dict[str, int]:
        """The numbers of slots, started slots, busy slots and waiting jobs."""
        with self._changed:
            started = sum(place.started for place in self._places)
            busy = len(self._places) - len(self._idle)
            return {"slots": len(self._places), "started": started, "busy": busy, "waiting": len(self._line)}

    def close(self) -> None:
        """Close every slot.

        Running and later jobs fail with "the sandbox is closed".
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for place in self._places:
            place.clear()

    def after_fork(self) -> None:
        """Reset in a forked child: the slots belong to the parent."""
        for place in self._places:
            place.disown()
        self.reset()
