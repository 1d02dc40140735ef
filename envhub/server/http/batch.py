"""Many operations in one request, each answered by itself, in their order.

They are done at the same time, so what depends on another item belongs into the next request. What a request may ask for is
bounded whole: every seed and every response of its items counts. So is the answer: where it becomes too long, items are told to
come again, and those that were not begun are not done. ::

    {"items": [{"op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}]}
    {"results": [{"status": 200, "body": {...}}]}
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import orjson

from envhub.core.errors import InvalidParameters, TooBusy
from envhub.core.types import JSON
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import OPERATIONS, Operation, Operations, validated
from envhub.server.http.json_text import dumps
from envhub.server.http.limits import ByteBudget
from envhub.server.http.problems import InvalidRequest, problem_of
from envhub.server.http.requests import Batch
from envhub.settings import ServerSettings

AT_ONCE: Final = 256
"""How many items of a batch are under way at once."""
_FIELDS: Final = frozenset({"op", "episode_id", "body"})


async def answered(operations: Operations, caller: Caller, body: Any, settings: ServerSettings) -> JSON:
    """The answers to a batch, each already as the bytes it is sent as.

    Raises:
        InvalidRequest: It is none.
        InvalidParameters: It asks for too much.
    """
    items = validated(Batch, body).items
    if (count := sum(map(_size, items))) > settings.max_batch:
        more = "" if count == len(items) else ", every seed of tasks and every response of verify being one"
        raise InvalidParameters(f"At most {settings.max_batch} items fit in one request{more}, got {count}.")
    places, room = iter(range(len(items))), ByteBudget(settings.max_answer_bytes)
    results: list[orjson.Fragment | None] = [None] * len(items)

    async def work() -> None:
        for place in places:  # shared: whoever is free takes the next
            if not room.full:
                data = dumps(await one(operations, caller, items[place], charge=place > 0))
                if room.takes(data) or not _repeatable(items[place]):
                    results[place] = orjson.Fragment(data)
                    continue
            results[place] = orjson.Fragment(dumps(_again(room)))

    await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(items)))))
    return {"results": results}


def _operation(item: Any) -> Operation | None:
    """The operation that an item names; None for an invalid item, which is refused in its place."""
    name = item.get("op") if type(item) is dict else None
    return OPERATIONS.get(name) if type(name) is str else None


def _size(item: Any) -> int:
    """How many items an item counts as."""
    operation = _operation(item)
    if operation is None or operation.size is None:
        return 1
    body = item.get("body")
    return operation.size(body) if type(body) is dict else 1


def _repeatable(item: Any) -> bool:
    """Whether an item that was performed has the same answer when sent again; only then may its answer be left out."""
    if type(item) is not dict:
        return False
    operation = _operation(item)
    if operation is None or operation.repeatable == "always":
        return True
    body = item.get("body")
    return operation.repeatable == "named" and type(body) is dict and body.get("episode_id") is not None


def _again(room: ByteBudget) -> JSON:
    """What an item is told that finds no room."""
    return _told(TooBusy(f"An answer has at most {room.max_bytes} bytes; send this item again.", retry_after=0))


def _told(error: Exception) -> JSON:
    problem = problem_of(error)
    told_of = {"status": problem.status, "body": problem.body()}
    return told_of if problem.retry_after is None else {**told_of, "retry_after": problem.retry_after}


async def one(operations: Operations, caller: Caller, item: Any, *, charge: bool = True) -> Any:
    """The answer to one item: ``status`` and ``body``, and ``retry_after`` where the same should be sent again later.

    Args:
        operations: What can be asked for.
        caller: Who asks.
        item: ``op``, ``episode_id`` and ``body``.
        charge: Whether it counts against the rate of the caller's key; the first of a request was counted as that.
    """
    try:
        if type(item) is not dict:
            raise InvalidRequest("An item is an object with op, episode_id and body.")
        if not item.keys() <= _FIELDS:
            unknown = next(name for name in item if name not in _FIELDS)
            raise InvalidRequest(f"no field {str(unknown)[:60]!r}; there are op, episode_id and body.")
        if charge:
            caller.charge()
        status, answer = await operations.perform(caller, item.get("op"), item.get("episode_id"), item.get("body"))
    except Exception as error:  # also of an environment that fails: the other items are innocent
        return _told(error)
    return {"status": status, "body": answer}
