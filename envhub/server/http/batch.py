"""Many operations in one request, answered one by one in their order.

The items run concurrently, so an item that depends on another belongs in the next request. The whole request is bounded: each
seed and each response counts as an item. So is the answer: once it is full, the remaining items are answered 429, and those not
yet started are not performed. ::

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
"""Maximum number of items of a batch in flight."""
_FIELDS: Final = frozenset({"op", "episode_id", "body"})


async def answered(operations: Operations, caller: Caller, body: Any, settings: ServerSettings) -> JSON:
    """The answers to a batch, already serialized.

    Raises:
        InvalidRequest: The body is not a batch.
        InvalidParameters: It has too many items.
    """
    items = validated(Batch, body).items
    if (count := sum(map(_size, items))) > settings.max_batch:
        more = "" if count == len(items) else " (each seed of tasks and each response of verify counts as one)"
        raise InvalidParameters(f"At most {settings.max_batch} items fit in one request{more}, got {count}.")
    places, room = iter(range(len(items))), ByteBudget(settings.max_answer_bytes)
    results: list[orjson.Fragment | None] = [None] * len(items)

    async def work() -> None:
        for place in places:  # shared: each worker takes the next item
            if not room.full:
                data = dumps(await one(operations, caller, items[place], charge=place > 0))
                if room.takes(data) or not _repeatable(items[place]):
                    results[place] = orjson.Fragment(data)
                    continue
            results[place] = orjson.Fragment(dumps(_again(room)))

    await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(items)))))
    return {"results": results}


def _operation(item: Any) -> Operation | None:
    """The operation of an item.

    None for an invalid item, which gets an error.
    """
    name = item.get("op") if type(item) is dict else None
    return OPERATIONS.get(name) if type(name) is str else None


def _size(item: Any) -> int:
    """Number of items that an item counts as."""
    operation = _operation(item)
    if operation is None or operation.size is None:
        return 1
    body = item.get("body")
    return operation.size(body) if type(body) is dict else 1


def _repeatable(item: Any) -> bool:
    """Whether a repeated item has the same answer.

    Its answer may then be omitted.
    """
    if type(item) is not dict:
        return False
    operation = _operation(item)
    if operation is None or operation.repeatable == "always":
        return True
    body = item.get("body")
    return operation.repeatable == "named" and type(body) is dict and body.get("episode_id") is not None


def _again(room: ByteBudget) -> JSON:
    """The answer to an item that does not fit into the response."""
    return _answer_to(
        TooBusy(f"The answer is full: it has at most {room.max_bytes} bytes. Send this item again.", retry_after=0)
    )


def _answer_to(error: Exception) -> JSON:
    problem = problem_of(error)
    answer = {"status": problem.status, "body": problem.body()}
    return answer if problem.retry_after is None else {**answer, "retry_after": problem.retry_after}


async def one(operations: Operations, caller: Caller, item: Any, *, charge: bool = True) -> Any:
    """The answer to one item.

    ``status`` and ``body``, and ``retry_after`` if it should be sent again.

    Args:
        operations: Performs the item.
        caller: Sender of the request.
        item: ``op``, ``episode_id`` and ``body``.
        charge: Whether it counts against the rate limit of the caller's key; the request itself has counted once.
    """
    try:
        if type(item) is not dict:
            raise InvalidRequest("An item must be an object with op, episode_id and body.")
        if not item.keys() <= _FIELDS:
            unknown = next(name for name in item if name not in _FIELDS)
            raise InvalidRequest(f"Unknown field {str(unknown)[:60]!r}. Available: op, episode_id, body.")
        if charge:
            caller.charge()
        status, answer = await operations.perform(caller, item.get("op"), item.get("episode_id"), item.get("body"))
    except Exception as error:  # also if an environment fails: the other items must still be answered
        return _answer_to(error)
    return {"status": status, "body": answer}
