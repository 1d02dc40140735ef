"""The application behind ``envhub view``: pages and the data they show.

The application listens on loopback alone and refuses other host names, so no page of another site reaches it by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

import envhub
from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.core.types import JSON
from envhub.server.http.json_text import dumps
from envhub.viewer.index import Index
from envhub.viewer.runs import Run, tail
from envhub.viewer.search import Filter, containing, counts, peers, selected
from envhub.viewer.trajectories import OUTCOMES
from envhub.web.assets import INDEX, respond

HOSTS: Final = ["127.0.0.1", "localhost", "[::1]"]
MOST_ROWS: Final = 500
LOOK_EVERY_S: Final = 1.0
"""Seconds between two looks at a log that may grow."""


def create_app(index: Index | None, runs: Sequence[Run] = ()) -> Starlette:
    """The application that shows recorded episodes and training runs.

    Args:
        index: The episodes; None without any.
        runs: The runs.
    """
    views = _Views(Index.empty() if index is None else index, runs)
    routes = [
        Route("/", _file(INDEX)),
        Route("/web/session", _answer(views.session)),
        Route("/data/overview", _answer(views.overview)),
        Route("/data/rows", _answer(views.rows)),
        Route("/data/search", _answer(views.search)),
        Route("/data/trajectories/{number:int}", _answer(views.trajectory)),
        Route("/data/runs", _answer(views.runs)),
        Route("/data/runs/{number:int}", views.log),
        Route("/web/{name:path}", _file()),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
        exception_handlers={EnvhubError: _explained},
    )


class _Views:
    """The JSON answers; each takes the request."""

    def __init__(self, index: Index, runs: Sequence[Run]) -> None:
        self._index, self._runs = index, runs

    def session(self, request: Request) -> JSON:
        """What these pages can show."""
        pages = [name for name, held in (("trajectories", self._index), ("runs", self._runs)) if len(held)]
        return {"version": envhub.__version__, "pages": pages, "scopes": []}

    def overview(self, request: Request) -> JSON:
        """The files, and counts by environment, level, outcome and reason."""
        index = self._index
        return {
            "sources": [source.path for source in index.sources],
            "total": len(index),
            "envs": {index.envs[at]: number for at, number in counts(index, "env")},
            "levels": {str(level): number for level, number in counts(index, "level")},
            "reasons": {index.reasons[at]: number for at, number in counts(index, "why") if index.reasons[at]},
            "outcomes": {OUTCOMES[at]: number for at, number in counts(index, "outcome")},
        }

    def rows(self, request: Request) -> JSON:
        """Facts of a part of the selection."""
        start = _whole(request, "from", 0)
        numbers = selected(self._index, _filter(request))
        part = numbers[start : start + min(_whole(request, "count", 100), MOST_ROWS)]
        return {"total": len(numbers), "rows": [self._index.facts(int(number)) for number in part]}

    def search(self, request: Request) -> JSON:
        """Facts of the episodes that contain a text, and where to resume."""
        text = request.query_params.get("text", "")
        if not text:
            raise InvalidParameters("text must not be empty.")
        hits = containing(self._index, selected(self._index, _filter(request)), text, _whole(request, "from", 0))
        return {"rows": [self._index.facts(number) for number in hits.numbers], "next": hits.next}

    def trajectory(self, request: Request) -> JSON:
        """An episode with its group."""
        number = request.path_params["number"]
        if not 0 <= number < len(self._index):
            raise InvalidParameters(f"Episodes have the numbers 0 to {len(self._index) - 1}, got {number}.")
        found = self._index.trajectory(number)
        group = peers(self._index, number)
        return {
            "number": number,
            "kind": found.kind,
            "facts": found.facts.to_json(),
            "messages": list(found.messages),
            "rows": list(found.rows),
            "group": [self._index.facts(peer) for peer in group[:MOST_ROWS]],
        }

    def runs(self, request: Request) -> JSON:
        """The names of the runs."""
        return {"runs": [run.name for run in self._runs]}

    async def log(self, request: Request) -> Response:
        """The log of a run as server-sent events.

        Each is a list of lines; they end when the page is closed. The id of an event is the offset at which a
        reconnecting browser resumes.
        """
        number = request.path_params["number"]
        if not 0 <= number < len(self._runs):
            raise InvalidParameters(f"There are {len(self._runs)} runs, numbered from 0, got {number}.")
        last = request.headers.get("last-event-id", "0")
        start = int(last) if last.isascii() and last.isdecimal() and len(last) < 16 else 0
        return StreamingResponse(_events(request, self._runs[number], start), media_type="text/event-stream")


async def _events(request: Request, run: Run, start: int) -> AsyncIterator[bytes]:
    while not await request.is_disconnected():
        lines, reached = await run_in_threadpool(tail, run, start)
        if lines or reached < start:
            kind = b"event: again\n" if reached < start else b""  # the log was cut
            yield b"%sid: %d\ndata: %s\n\n" % (kind, reached, dumps(lines))
            start = reached
        else:
            await asyncio.sleep(LOOK_EVERY_S)


def _filter(request: Request) -> Filter:
    given = request.query_params
    return Filter(
        env=given.get("env", ""),
        outcome=given.get("outcome", ""),
        reason=given.get("reason", ""),
        level=_whole(request, "level", 0) if "level" in given else None,
        shortest=_whole(request, "shortest", 0) if "shortest" in given else None,
        longest=_whole(request, "longest", 0) if "longest" in given else None,
        least=_number(request, "least"),
        most=_number(request, "most"),
        abuse=given.get("abuse") == "1",
        order=given.get("order", "file"),
    )


def _whole(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 12:
        raise InvalidParameters(f"{name} must be a whole number, got {text[:40]!r}.")
    return int(text)


def _number(request: Request, name: str) -> float | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidParameters(f"{name} must be a number, got {text[:40]!r}.") from None


def _answer(view: Callable[[Request], JSON]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return _json(await run_in_threadpool(view, request))

    return endpoint


def _file(name: str | None = None) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return respond(name or request.path_params["name"], request.headers)

    return endpoint


async def _explained(request: Request, error: Exception) -> Response:
    return _json({"detail": str(error)}, 400)


def _json(body: JSON, status: int = 200) -> Response:
    return Response(dumps(body), status, media_type="application/json")
