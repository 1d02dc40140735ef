"""Live resources of one episode.

Opened on first use and rebuilt when lost. A resource is opened for its first effect. After a replay, a fork or a move
to another process it is rebuilt only for its *next* effect, as it declares: ``replay`` (perform its ``Exec`` effects
again), ``snapshot`` (open from the token taken after the last one) or ``none`` (not rebuilt: a fork is refused, a lost
resource is an ``error``). A resource kept elsewhere (a session at a broker) can be found again by the ticket taken
after its last change, if it is unchanged since; then nothing is rebuilt.

A lost resource is rebuilt and the request retried once. If the same request crashes it again, the request is the cause:
the resource's report is the outcome, and rebuilds leave the request out. A resource lost between requests (its process
was killed, its memory needed) is rebuilt a few times, with no request blamed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, sleep
from typing import Final

from envhub.core.effects import Effect, Live, Outcome, Performed, Resource
from envhub.core.errors import (
    ForkRefused,
    InvalidParameters,
    MissingExtra,
    ResourceError,
    ResourceLost,
    SnapshotMismatch,
    TooBusy,
    nearest,
)
from envhub.core.types import JSON, Fault

_TRIES: Final = 5
_PATIENCE_S: Final = 60.0
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Slot:
    """One resource of an episode: its effects, and its open session.

    The session is None if it is not open.
    """

    resource: Resource
    performed: list[Effect] = field(default_factory=list)
    token: JSON = None
    live: Live | None = None
    asked: int = 0  # number of requests to the live session


@dataclass(slots=True)
class _Losses:
    """Number of times one effect lost its resource."""

    all: int = 0
    to_it: int = 0  # while performing this very effect

    def ruinous(self, lost: ResourceLost, *, asked: bool) -> bool:
        """Whether the effect is the cause.

        Raises:
            ResourceLost: It is not, and the resource was lost too often.
        """
        self.all += 1
        self.to_it += asked and lost.during
        if self.to_it == 2:
            return True
        if self.all == _TRIES:
            raise lost
        return False


class _Patience:
    """Waits a limited time for room.

    Performing without an event loop has a thread.
    """

    def __init__(self) -> None:
        self._until = monotonic() + _PATIENCE_S

    def wait(self, busy: TooBusy) -> None:
        """Wait until a retry may succeed.

        Raises:
            TooBusy: There was no room for too long.
        """
        if monotonic() + busy.retry_after > self._until:
            raise busy
        sleep(busy.retry_after)


class Resources:
    """The resources of one episode: opens, performs, records, rebuilds.

    Args:
        declared: The environment's resources by name.
        problem: Problem they are opened for.
    """

    def __init__(self, declared: Mapping[str, Resource], problem: JSON) -> None:
        self._problem = problem
        self._slots = {name: _Slot(resource) for name, resource in declared.items()}

    def perform(self, effect: Effect) -> Performed:
        """Perform an effect, opening or rebuilding its resource first.

        Failures are recorded, never raised.
        """
        slot = self._slots.get(effect.resource)
        if slot is None:
            return self._undeclared(effect)
        slot.asked += 1
        losses, patience = _Losses(), _Patience()
        try:
            while True:
                live = None
                try:
                    live = self._living(slot)
                    return self._record(slot, effect, live.perform(effect))
                except TooBusy as busy:
                    patience.wait(busy)
                except ResourceLost as lost:
                    self._lose(slot, lost)
                    if losses.ruinous(lost, asked=live is not None):
                        return self._ruin(slot, effect, lost)
        except Exception as error:  # whatever it is, the policy did not cause it
            return self._failure(slot, effect, error)

    def _living(self, slot: _Slot) -> Live:
        if slot.live is None:
            slot.live, past = self._open(slot)
            for effect in past:
                slot.live.perform(effect)
        return slot.live

    async def aperform(self, effect: Effect) -> Performed:
        """Async version of :meth:`perform`.

        Raises:
            TooBusy: The resource has no room now. Roll back this turn's requests and retry the turn later.
        """
        slot = self._slots.get(effect.resource)
        if slot is None:
            return self._undeclared(effect)
        slot.asked += 1
        losses = _Losses()
        try:
            while True:
                live = None
                try:
                    live = await self._aliving(slot)
                    return self._record(slot, effect, await live.aperform(effect))
                except ResourceLost as lost:
                    self._lose(slot, lost)
                    if losses.ruinous(lost, asked=live is not None):
                        return self._ruin(slot, effect, lost)
        except TooBusy:
            raise
        except Exception as error:
            return self._failure(slot, effect, error)

    async def _aliving(self, slot: _Slot) -> Live:
        if slot.live is not None:
            return slot.live
        slot.live, past = live, _ = await slot.resource.soon(partial(self._open, slot))
        for effect in past:
            await live.aperform(effect)
        return live

    def recall(self, effect: Effect, record: Performed) -> Performed:
        """Record an effect that was performed before, without performing it.

        Raises:
            SnapshotMismatch: The record belongs to another effect.
        """
        if record.digest != effect.digest():
            raise SnapshotMismatch(
                f"The journal does not fit: it recorded another effect than {type(effect).__name__} on "
                f"{effect.resource!r}. It was written by another version of the environment."
            )
        slot = self._slots.get(effect.resource)
        if slot is None:
            return self._undeclared(effect)
        if record.fault is None and not record.undone:
            self._note(slot, effect, record.token)
        return record

    def savepoint(self) -> dict[str, tuple[int, int, JSON]]:
        """Current position of every resource, for :meth:`roll_back`."""
        return {name: (slot.asked, len(slot.performed), slot.token) for name, slot in self._slots.items()}

    def roll_back(self, savepoint: Mapping[str, tuple[int, int, JSON]]) -> None:
        """Discard requests made since ``savepoint``, and close the live resources they used."""
        for name, (asked, performed, token) in savepoint.items():
            slot = self._slots[name]
            if slot.asked != asked:
                del slot.performed[performed:]
                slot.token = token
                _close(slot)

    def fork(self) -> Resources:
        """A copy with the same history and nothing opened.

        Raises:
            ForkRefused: A resource with ``restore="none"`` has been changed.
        """
        twin = Resources({name: slot.resource for name, slot in self._slots.items()}, self._problem)
        for name, slot in self._slots.items():
            if slot.performed and slot.resource.restore == "none":
                raise ForkRefused(f"The resource {name!r} holds state that can be neither replayed nor copied.")
            twin._slots[name].performed = list(slot.performed)
            twin._slots[name].token = slot.token
        return twin

    def close(self) -> None:
        """Close all open resources; the history stays, so a later effect rebuilds."""
        for slot in self._slots.values():
            _close(slot)

    def _undeclared(self, effect: Effect) -> Performed:
        hint = nearest(effect.resource, self._slots)
        reason = f"The environment declares no resource {effect.resource!r}.{hint}"
        return Performed(effect.digest(), fault=Fault("unknown_resource", reason))

    def _open(self, slot: _Slot) -> tuple[Live, list[Effect]]:
        """The live resource, and the effects to replay before using it."""
        resource = slot.resource
        if resource.restore == "none" and slot.performed:
            raise _Lost("the live resource is gone and cannot be rebuilt")
        if resource.restore != "replay":
            return resource.open(self._problem, slot.token), []
        kept = resource.attach(slot.token) if slot.token is not None else None
        return (kept, []) if kept is not None else (resource.open(self._problem), slot.performed)

    @staticmethod
    def _lose(slot: _Slot, lost: ResourceLost) -> None:
        """Drop a live resource that is gone.

        Raises:
            ResourceLost: It cannot be rebuilt.
        """
        _close(slot)
        if slot.resource.restore == "none" and slot.performed:
            raise lost
        if slot.resource.restore == "replay":
            slot.token = None  # this ticket would lead to the lost resource

    @staticmethod
    def _ruin(slot: _Slot, effect: Effect, lost: ResourceLost) -> Performed:
        _close(slot)
        outcome = slot.resource.ruined(effect)
        if outcome is None:
            raise lost
        return Performed(effect.digest(), outcome, undone=True)

    def _record(self, slot: _Slot, effect: Effect, outcome: Outcome) -> Performed:
        token = None
        if effect.changes and slot.live is not None:
            if slot.resource.restore == "snapshot":
                token = slot.live.token()
            elif slot.resource.restore == "replay":
                token = slot.live.ticket()
        self._note(slot, effect, token)
        return Performed(effect.digest(), outcome, token)

    @staticmethod
    def _note(slot: _Slot, effect: Effect, token: JSON) -> None:
        if effect.changes:
            slot.performed.append(effect)
            slot.token = token

    @staticmethod
    def _failure(slot: _Slot, effect: Effect, error: Exception) -> Performed:
        _close(slot)
        code = "resource_lost" if isinstance(error, _Lost) else "resource_failed"
        # our messages say what to do; those of other exceptions may contain anything
        ours = isinstance(error, ResourceError | InvalidParameters | MissingExtra)
        reason = str(error) if ours else type(error).__name__
        return Performed(effect.digest(), fault=Fault(code, f"{effect.resource}: {reason}"))


def _close(slot: _Slot) -> None:
    """Close a live resource, ignoring errors.

    A failed close must not fail a turn.
    """
    live, slot.live = slot.live, None
    if live is not None:
        try:
            live.close()
        except Exception as error:
            _log.error("%s failed to close: %s", type(live).__name__, type(error).__name__)


class _Lost(ResourceError):
    """A resource cannot be restored."""
