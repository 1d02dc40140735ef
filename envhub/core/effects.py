"""Effects that environments request, and the driver that performs them.

An environment is a function of (instance, state, action, rng). To act on the outside world, it *yields* an effect and
is sent an :class:`Outcome`; it never holds a live resource. The driver performs the effect, sync or async, and keeps a
:class:`Performed` record; replaying the records gives the same episode without performing anything::

    def run(self, inst, state, code):
        outcome = yield Exec("py", code)
        return state, outcome.text

:mod:`envhub.core.resources` manages the live resources of an episode and rebuilds lost ones.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar, Literal, TypeVar

from envhub.core.errors import ResourceError
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON, Fault

T = TypeVar("T")
Restore = Literal["replay", "snapshot", "none"]


@dataclass(frozen=True, slots=True)
class Effect:
    """A request to a named resource of the environment.

    Attributes:
        resource: Name under which the environment declares it.
        payload: The request (JSON values).
    """

    resource: str
    payload: JSON
    changes: ClassVar[bool] = False

    def digest(self) -> str:
        """Digest of the request, to detect a journal from other code."""
        body = canonical_json([type(self).__name__, self.resource, self.payload])
        return blake2b(body, digest_size=8).hexdigest()


class Exec(Effect):
    """Run something that may change the resource; a rebuild repeats only these."""

    __slots__ = ()
    changes: ClassVar[bool] = True


class Check(Effect):
    """Have an answer judged outside: code, a proof, an expression."""

    __slots__ = ()


class Ask(Effect):
    """Query another agent: an opponent, a judge, a simulated user."""

    __slots__ = ()


class Query(Effect):
    """Look something up in a corpus, a table or an index."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an effect.

    Text for people and policies, data for programs (JSON values). Pictures are PNG files; they are not journaled, so an
    outcome from a journal has none.
    """

    text: str = ""
    data: JSON = None
    pictures: tuple[bytes, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Performed:
    """Journal record of one effect.

    Attributes:
        digest: Digest of the effect.
        outcome: The outcome; None if the effect failed.
        token: Token to reopen a ``snapshot`` resource after this effect, or the ticket of a ``replay`` one.
        undone: The effect crashed its resource twice. The outcome reports it, and its changes are discarded.
        fault: Infrastructure failure that prevented an outcome.
    """

    digest: str
    outcome: Outcome | None = None
    token: JSON = None
    fault: Fault | None = None
    undone: bool = False

    def to_json(self) -> dict[str, JSON]:
        """The record as JSON values."""
        data: dict[str, JSON] = {"digest": self.digest}
        if self.outcome is not None:
            data["outcome"] = [self.outcome.text, self.outcome.data]
        if self.token is not None:
            data["token"] = self.token
        if self.fault is not None:
            data["fault"] = self.fault.to_json()
        if self.undone:
            data["undone"] = True
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, JSON]) -> Performed:
        """Restore a record from :meth:`to_json`."""
        return cls(
            digest=data["digest"],
            outcome=Outcome(*data["outcome"]) if "outcome" in data else None,
            token=data.get("token"),
            fault=Fault(**data["fault"]) if "fault" in data else None,
            undone=data.get("undone", False),
        )


class EffectFailed(Exception):
    """Ends the turn: an effect has no outcome. Internal to the driver."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


class Live(ABC):
    """An opened resource: a process, a container, a connection."""

    @abstractmethod
    def perform(self, effect: Effect) -> Outcome:
        """Carry out an effect.

        Raises:
            ResourceLost: It is gone and can be rebuilt; the effect will be retried once.
            ResourceError: The resource itself failed. A failure caused by the *payload* is an outcome, not an error.
        """

    async def aperform(self, effect: Effect) -> Outcome:
        """Async version of ``perform``; by default in a thread."""
        return await asyncio.to_thread(self.perform, effect)

    def token(self) -> JSON:
        """Token to reopen the resource in its current state; required for ``restore="snapshot"``."""
        raise ResourceError(f"{type(self).__name__} says restore='snapshot' but has no token().")

    def ticket(self) -> JSON:
        """Ticket for :meth:`Resource.attach` from another process; None if not supported."""
        return None

    def close(self) -> None:
        """Release the resource. Called once; must not raise."""


class Resource(ABC):
    """How a resource is opened and restored. Shared by episodes, so stateless.

    Args:
        restore: ``replay``, ``snapshot`` or ``none``.

    Attributes:
        optional: Episodes use it only if a parameter asks for it.
    """

    optional: ClassVar[bool] = False

    def __init__(self, restore: Restore = "none") -> None:
        self.restore: Restore = restore

    @abstractmethod
    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Open it for a problem, from ``token`` if given.

        Never for an instance, which contains the answer key.

        Raises:
            ResourceError: It cannot be opened.
        """

    async def soon(self, work: Callable[[], T]) -> T:
        """Run :meth:`open` or :meth:`attach` in a thread, by default the event loop's."""
        return await asyncio.to_thread(work)

    def attach(self, ticket: JSON) -> Live | None:
        """The live resource of this ticket if it still exists unchanged.

        It avoids a rebuild.
        """
        return None

    def absent(self) -> str | None:
        """What this machine lacks to run it, with install instructions.

        None if nothing known.
        """
        return None

    def ruined(self, effect: Effect) -> Outcome | None:
        """Outcome for an effect that crashed it twice; None means infrastructure failure."""
        return None


def pump(process: Generator[Effect, Outcome, T], records: list[Performed]) -> Generator[Effect, Performed, T]:
    """Run an environment's generator: yields effects, receives records, sends outcomes on.

    Args:
        process: The environment's return value.
        records: Extended by each record received.

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
    """Perform all effects of a pumped process in order.

    Returns its return value.
    """
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
    """Whether an environment returned a generator of effects.

    Otherwise it returned a plain result.
    """
    return isinstance(result, Generator)
