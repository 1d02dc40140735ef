"""What an environment may ask of the world, and the driver that asks.

An environment is a function of (instance, state, action, rng). When it needs the world it *yields* an effect and is sent
an :class:`Outcome`; it never holds a live thing itself. The driver performs the effect, sync or async, and keeps a
:class:`Performed` record, so that folding the records again gives the same episode and touches nothing::

    def run(self, inst, state, code):
        outcome = yield Exec("py", code)
        return state, outcome.text

The live things of an episode, and how they come back when they are gone, are :mod:`envhub.core.resources`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
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
        token: From which a ``snapshot`` resource can be reopened after this effect, or the ticket of a ``replay`` one.
        undone: The effect took its resource's life twice; the outcome says so, and nothing of it remains.
        fault: Why there is no outcome: an infrastructure failure.
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
        """Read what :meth:`to_json` wrote."""
        return cls(
            digest=data["digest"],
            outcome=Outcome(*data["outcome"]) if "outcome" in data else None,
            token=data.get("token"),
            fault=Fault(**data["fault"]) if "fault" in data else None,
            undone=data.get("undone", False),
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
            ResourceLost: It is gone and can be rebuilt: the effect will be asked once more of the rebuilt one.
            ResourceError: The resource itself failed. What the *payload* causes is an outcome, not an error.
        """

    async def aperform(self, effect: Effect) -> Outcome:
        """The same for an event loop; by default in a thread."""
        return await asyncio.to_thread(self.perform, effect)

    def token(self) -> JSON:
        """From which the resource can be reopened as it is now; needed where ``restore`` is ``snapshot``."""
        raise ResourceError(f"{type(self).__name__} says restore='snapshot' but has no token().")

    def ticket(self) -> JSON:
        """By which :meth:`Resource.attach` finds this very thing, as it is now, from another process; None if it cannot."""
        return None

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

    async def soon(self, work: Callable[[], T]) -> T:
        """Do what :meth:`open` and :meth:`attach` do in a thread; by default one of the event loop's."""
        return await asyncio.to_thread(work)

    def attach(self, ticket: JSON) -> Live | None:
        """The live thing of this ticket, if it is kept somewhere and still as the ticket says; then nothing is rebuilt."""
        return None

    def absent(self) -> str | None:
        """What this machine lacks for it, and how to get it; None where nothing is known to be lacking."""
        return None

    def ruined(self, effect: Effect) -> Outcome | None:
        """What is said of an effect that took the resource's life twice; None makes it an infrastructure failure."""
        return None


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
