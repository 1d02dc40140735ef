"""Exchanges with a server, written once for both clients.

An exchange yields requests and interprets their answers. An exchange is a generator. It yields requests, receives their
answers and returns a result, and does no I/O itself::

    def info(id: str) -> Exchange[JSON]:
        return (yield ("GET", f"/v1/environments/{id}", None))

    run(hub.call, info("sudoku-v0"))
    await run_async(async_hub.call, info("sudoku-v0"))
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from envhub.client.requests import Call
from envhub.core.errors import EnvhubError
from envhub.core.types import JSON

P = ParamSpec("P")
T = TypeVar("T")
Exchange: TypeAlias = Generator[Call, JSON, T]


class Sender(Protocol):
    """A blocking client: sends a request and returns its answer."""

    def call(self, call: Call, /) -> JSON:
        """Return the answer; raise the error that it reports."""
        ...


class AsyncSender(Protocol):
    """:class:`Sender` for an event loop."""

    async def call(self, call: Call, /) -> JSON:
        """Return the answer; raise the error that it reports."""
        ...


def run(call: Callable[[Call], JSON], exchange: Exchange[T]) -> T:
    """Perform an exchange and return its result.

    An error that a request raises is raised where it was yielded.
    """
    try:
        request = next(exchange)
        while True:
            try:
                answer = call(request)
            except EnvhubError as error:
                request = exchange.throw(error)
            else:
                request = exchange.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


async def run_async(call: Callable[[Call], Awaitable[JSON]], exchange: Exchange[T]) -> T:
    """:func:`run` for an event loop."""
    try:
        request = next(exchange)
        while True:
            try:
                answer = await call(request)
            except EnvhubError as error:
                request = exchange.throw(error)
            else:
                request = exchange.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


def blocking(exchange: Callable[P, Exchange[T]]) -> Callable[Concatenate[Sender, P], T]:
    """A method of a :class:`Sender` that performs an exchange.

    It has the exchange's signature and docstring.
    """

    def method(self: Sender, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return run(self.call, exchange(*args, **kwargs))

    return _described_by(exchange, method)


def awaiting(exchange: Callable[P, Exchange[T]]) -> Callable[Concatenate[AsyncSender, P], Coroutine[Any, Any, T]]:
    """:func:`blocking` for an :class:`AsyncSender`."""

    async def method(self: AsyncSender, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await run_async(self.call, exchange(*args, **kwargs))

    return _described_by(exchange, method)


M = TypeVar("M", bound=Callable[..., Any])


def _described_by(exchange: Callable[..., Any], method: M) -> M:
    signature = inspect.signature(exchange)
    self = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__, method.__doc__ = exchange.__name__, exchange.__doc__
    method.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[self, *signature.parameters.values()], return_annotation=inspect.Signature.empty
    )
    return method
