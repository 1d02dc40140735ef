"""What an environment may ask of the world, and the driver that asks.

An environment is a function of (instance, state, action, rng). When it needs the world it *yields* an effect and is sent
an :class:`Outcome`; it never holds a live thing itself. The driver performs the effect, sync or async, and keeps a
:class:`Performed` record, so that folding the records again gives the same episode and touches nothing::

    def run(self, inst, state, code):
        outcome = yield Exec("py", code)
        return state, outcome.text

A live resource is opened when its first effect comes. After a replay, a fork or a move to another process it is rebuilt
only when its *next* effect comes, in the way it declares: ``replay`` (perform its ``Exec`` effects again), ``snapshot``
(open from the token taken after the last one) or ``none`` (it is lost: a fork refuses, a lost one is an ``error``).
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar, Literal, TypeVar

from envhub.errors import ForkRefused, ResourceError, SnapshotMismatch, nearest
from envhub.seeding import canonical_json
from envhub.types import JSON, Fault

T = TypeVar("T")
Restore = Literal["replay", "snapshot", "none"]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Effect:
    """A request to a named resource of the environment.

    Attributes:
        resource: The name under which the environment declares it.
        payload: What is asked (JSON values).
    """

    resource: str
    payload: JSON
    changes: ClassVar[bool] = False

    def digest(self) -> str:
        """Identity of the request, to notice a journal that belongs to other code."""
        body = canonical_json([type(self).__name__, self.resource, self.payload])
        return blake2b(body, digest_size=8).hexdigest()


class Exec(Effect):
    """Run something that may change the resource; the only effect that a rebuild performs again."""

    __slots__ = ()
    changes: ClassVar[bool] = True


class Check(Effect):
    """Have an answer judged outside: code, a proof, an expression."""

    __slots__ = ()


class Ask(Effect):
    """Ask another mind: an opponent, a judge, a simulated user."""

    __slots__ = ()


class Query(Effect):
    """Look something up: a corpus, a table, an index."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back from an effect: text for people and policies, data for programs (JSON values)."""

    text: str = ""
    data: JSON = None


@dataclass(frozen=True, slots=True)
class Performed:
    """The journal's record of one effect.

    Attributes:
        digest: Of the effect it answers.
        outcome: What came back; None when it failed.
        token: From which a ``snapshot`` resource can be reopened after this effect.
        fault: Why there is no outcome: an infrastructure failure.
    """

    digest: str
    outcome: Outcome | None = None
    token: JSON = None
    fault: Fault | None = None

    def to_json(self) -> dict[str, JSON]:
        """The record as JSON values."""
        data: dict[str, JSON] = {"digest": self.digest}
        if self.outcome is not None:
            data["outcome"] = [self.outcome.text, self.outcome.data]
        if self.token is not None:
            data["token"] = self.token
        if self.fault is not None:
            data["fault"] = self.fault.to_json()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, JSON]) -> Performed:
        """Read what :meth:`to_json` wrote."""
        return cls(
            digest=data["digest"],
            outcome=Outcome(*data["outcome"]) if "outcome" in data else None,
            token=data.get("token"),
            fault=Fault(**data["fault"]) if "fault" in data else None,
        )


class EffectFailed(Exception):
    """Ends the turn: an effect brought no outcome. Internal to the driver."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


class Live(ABC):
    """An opened resource: a process, a container, a connection."""

    @abstractmethod
    def perform(self, effect: Effect) -> Outcome:
        """Carry out an effect.

        Raises:
            ResourceError: The resource itself failed. What the *payload* causes is an outcome, not an error.
        """

    async def aperform(self, effect: Effect) -> Outcome:
        """The same for an event loop; by default in a thread."""
        return await asyncio.to_thread(self.perform, effect)

    def token(self) -> JSON:
        """From which the resource can be reopened as it is now; needed where ``restore`` is ``snapshot``."""
        raise ResourceError(f"{type(self).__name__} says restore='snapshot' but has no token().")

    def close(self) -> None:
        """Give back what was taken. Called once; must not raise."""


class Resource(ABC):
    """How a resource is opened, and how it comes back. One object serves all episodes; it holds no episode's state.

    Args:
        restore: ``replay``, ``snapshot`` or ``none``.
    """

    def __init__(self, restore: Restore = "none") -> None:
        self.restore: Restore = restore

    @abstractmethod
    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Open it for a problem (never for an instance: the key stays home), from ``token`` if there is one.

        Raises:
            ResourceError: It cannot be opened.
        """


@dataclass(slots=True)
class _Slot:
    """One resource of one episode: what was asked of it, and the live thing if there is one."""

    resource: Resource
    performed: list[Effect] = field(default_factory=list)
    token: JSON = None
    live: Live | None = None
    asked: int = 0  # how often the live thing was asked for anything


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
        try:
            if slot.live is None:
                slot.live = self._open(slot)
                for past in self._to_replay(slot):
                    slot.live.perform(past)
            return self._record(slot, effect, slot.live.perform(effect))
        except Exception as error:  # whatever it is, it is ours and not the policy's
            return self._failure(slot, effect, error)

    async def aperform(self, effect: Effect) -> Performed:
        """:meth:`perform` without blocking the event loop."""
        slot = self._slots.get(effect.resource)
        if slot is None:
            return self._undeclared(effect)
        slot.asked += 1
        try:
            if slot.live is None:
                slot.live = await asyncio.to_thread(self._open, slot)
                for past in self._to_replay(slot):
                    await slot.live.aperform(past)
            return self._record(slot, effect, await slot.live.aperform(effect))
        except Exception as error:
            return self._failure(slot, effect, error)

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
        if record.fault is None:
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

    def _open(self, slot: _Slot) -> Live:
        if slot.performed and slot.resource.restore == "none":
            raise _Lost("the live resource is gone and cannot be rebuilt")
        return slot.resource.open(self._problem, slot.token)

    @staticmethod
    def _to_replay(slot: _Slot) -> list[Effect]:
        return slot.performed if slot.resource.restore == "replay" else []

    def _record(self, slot: _Slot, effect: Effect, outcome: Outcome) -> Performed:
        takes_token = effect.changes and slot.resource.restore == "snapshot" and slot.live is not None
        token = slot.live.token() if takes_token and slot.live is not None else None
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
        reason = str(error) if isinstance(error, ResourceError) else type(error).__name__
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


def pump(process: Generator[Effect, Outcome, T], records: list[Performed]) -> Generator[Effect, Performed, T]:
    """Run an environment's generator: yields each effect, takes its record, hands the outcome on.

    Args:
        process: What the environment returned.
        records: Grows by each record taken.

    Raises:
        EffectFailed: A record holds a fault; the process has been closed.
    """
    try:
        effect = next(process)
        while True:
            record = yield effect
            records.append(record)
            if record.outcome is None:
                process.close()
                raise EffectFailed(record.fault or Fault("resource_failed", effect.resource))
            effect = process.send(record.outcome)
    except StopIteration as stop:
        value: T = stop.value
        return value


def drive(pumped: Generator[Effect, Performed, T], perform: Callable[[Effect], Performed]) -> T:
    """Perform every effect of a pumped process, one after the other; return what the process returned."""
    try:
        effect = next(pumped)
        while True:
            effect = pumped.send(perform(effect))
    except StopIteration as stop:
        value: T = stop.value
        return value


async def adrive(pumped: Generator[Effect, Performed, T], perform: Callable[[Effect], Awaitable[Performed]]) -> T:
    """:func:`drive` on an event loop."""
    try:
        effect = next(pumped)
        while True:
            effect = pumped.send(await perform(effect))
    except StopIteration as stop:
        value: T = stop.value
        return value


def is_process(result: Any) -> bool:
    """Whether an environment returned a generator of effects rather than a plain result."""
    return isinstance(result, Generator)
