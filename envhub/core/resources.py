"""The resources of one episode: opened when they are needed, remembered, and rebuilt when they are gone.

A live resource is opened when its first effect comes. After a replay, a fork or a move to another process it is rebuilt
only when its *next* effect comes, in the way it declares: ``replay`` (perform its ``Exec`` effects again), ``snapshot``
(open from the token taken after the last one) or ``none`` (it is lost: a fork refuses, a lost one is an ``error``). One that
is kept elsewhere (a session at a broker) can be found again by the ticket taken after its last change, if it still is as that
change left it; then nothing is rebuilt.

A resource that is lost is rebuilt and asked once more. If the same request costs it its life again, the request is the cause:
what the resource says of that is the outcome, and a rebuild leaves the request out. A resource that goes away between requests
(its keeper was killed, its room was needed) blames none, and is rebuilt a few times.
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
    """One resource of one episode: what was asked of it, and the live thing if there is one."""

    resource: Resource
    performed: list[Effect] = field(default_factory=list)
    token: JSON = None
    live: Live | None = None
    asked: int = 0  # how often the live thing was asked for anything


@dataclass(slots=True)
class _Losses:
    """How often a resource was lost over one effect."""

    all: int = 0
    to_it: int = 0  # while it performed this very effect

    def ruinous(self, lost: ResourceLost, *, asked: bool) -> bool:
        """Whether the effect is the cause.

        Raises:
            ResourceLost: It is not, and the resource was lost too often to go on.
        """
        self.all += 1
        self.to_it += asked and lost.during
        if self.to_it == 2:
            return True
        if self.all == _TRIES:
            raise lost
        return False


class _Patience:
    """Waits for room, for a while: whoever performs without an event loop has a thread to wait in."""

    def __init__(self) -> None:
        self._until = monotonic() + _PATIENCE_S

    def wait(self, busy: TooBusy) -> None:
        """Wait until asking again may help.

        Raises:
            TooBusy: There has been no room for long.
        """
        if monotonic() + busy.retry_after > self._until:
            raise busy
        sleep(busy.retry_after)


class Resources:
    """The resources of one episode: opens, performs, remembers, rebuilds.

    Args:
        declared: The environment's resources by name.
        problem: What they are opened for.
    """

    def __init__(self, declared: Mapping[str, Resource], problem: JSON) -> None:
        self._problem = problem
        self._slots = {name: _Slot(resource) for name, resource in declared.items()}

    def perform(self, effect: Effect) -> Performed:
        """Perform an effect now, opening or rebuilding its resource first. Failures become a record, never an exception."""
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
        except Exception as error:  # whatever it is, it is ours and not the policy's
            return self._failure(slot, effect, error)

    def _living(self, slot: _Slot) -> Live:
        if slot.live is None:
            slot.live, past = self._open(slot)
            for effect in past:
                slot.live.perform(effect)
        return slot.live

    async def aperform(self, effect: Effect) -> Performed:
        """:meth:`perform` without blocking the event loop.

        Raises:
            TooBusy: The resource has no room now. What was asked of it in this turn is to be rolled back, and the turn can be
                taken later.
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
        """Take note of an effect that was performed before, without performing it.

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

    def mark(self) -> dict[str, tuple[int, int, JSON]]:
        """Where every resource stands, for :meth:`roll_back`."""
        return {name: (slot.asked, len(slot.performed), slot.token) for name, slot in self._slots.items()}

    def roll_back(self, mark: Mapping[str, tuple[int, int, JSON]]) -> None:
        """Forget what was asked since ``mark``; a live thing that was asked meanwhile is closed."""
        for name, (asked, performed, token) in mark.items():
            slot = self._slots[name]
            if slot.asked != asked:
                del slot.performed[performed:]
                slot.token = token
                _close(slot)

    def fork(self) -> Resources:
        """The same past with nothing opened.

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
        """Close whatever is open; the past stays, so a later effect rebuilds."""
        for slot in self._slots.values():
            _close(slot)

    def _undeclared(self, effect: Effect) -> Performed:
        hint = nearest(effect.resource, self._slots)
        reason = f"The environment declares no resource {effect.resource!r}.{hint}"
        return Performed(effect.digest(), fault=Fault("unknown_resource", reason))

    def _open(self, slot: _Slot) -> tuple[Live, list[Effect]]:
        """The live thing, and the effects to perform again before it is as it was."""
        resource = slot.resource
        if resource.restore == "none" and slot.performed:
            raise _Lost("the live resource is gone and cannot be rebuilt")
        if resource.restore != "replay":
            return resource.open(self._problem, slot.token), []
        kept = resource.attach(slot.token) if slot.token is not None else None
        return (kept, []) if kept is not None else (resource.open(self._problem), slot.performed)

    @staticmethod
    def _lose(slot: _Slot, lost: ResourceLost) -> None:
        """Forget a live thing that is gone.

        Raises:
            ResourceLost: It cannot be rebuilt.
        """
        _close(slot)
        if slot.resource.restore == "none" and slot.performed:
            raise lost
        if slot.resource.restore == "replay":
            slot.token = None  # it would lead to what is gone

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
        # messages of ours say what to do; those of other exceptions may hold anything
        ours = isinstance(error, ResourceError | InvalidParameters | MissingExtra)
        reason = str(error) if ours else type(error).__name__
        return Performed(effect.digest(), fault=Fault(code, f"{effect.resource}: {reason}"))


def _close(slot: _Slot) -> None:
    """Close a live resource; one that fails to close is of no use to anybody, and no reason to fail a turn."""
    live, slot.live = slot.live, None
    if live is not None:
        try:
            live.close()
        except Exception as error:
            _log.error("%s failed to close: %s", type(live).__name__, type(error).__name__)


class _Lost(ResourceError):
    """A resource that cannot come back."""
