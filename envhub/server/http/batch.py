"""Many operations in one request, answered one by one in their order.

The items run concurrently, so an item that depends on another belongs in the next request. The whole request is bounded: each
seed and each response counts as an item. So is the answer: once it is full, the remaining items are answered 429, and those not
yet started are not performed. ::

    {"items": [{"op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}]}
    {"results": [{"status": 200, "body": {...}}]}
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
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
    room = ByteBudget(settings.max_answer_bytes)
    results: list[orjson.Fragment | None] = [None] * len(items)

    def note(place: int, answer: Any) -> None:
        data = dumps(answer)
        fits = room.takes(data) or not _repeatable(items[place])
        results[place] = orjson.Fragment(data if fits else dumps(_again(room)))

    slow: list[int] = []
    for begin in range(0, len(items), AT_ONCE):
        chunk = range(begin, min(begin + AT_ONCE, len(items)))
        slow += chunk if room.full else await _quick(operations, caller, items, chunk, note)
    places = iter(slow)

    async def work() -> None:
        for place in places:  # shared: each worker takes the next item
            full = room.full
            note(place, _again(room) if full else await one(operations, caller, items[place]))

    await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(slow)))))
    return {"results": results}


async def _quick(
    operations: Operations, caller: Caller, items: list[Any], places: range, note: Callable[[int, Any], None]
) -> list[int]:
    """Answer the items that need no coroutine.

    Returns the places of the others, in order.
    """
    slow: list[int] = []
    done, waiting = asyncio.get_running_loop().create_future(), 1

    def answered(place: int, answer: Any) -> None:
        nonlocal waiting
        if answer is None:
            slow.append(place)
        else:
            note(place, answer)
        waiting -= 1
        if not waiting and not done.done():
            done.set_result(None)

    for place in places:
        waiting += 1
        try:
            if place:  # the request itself has counted once
                caller.charge()
        except TooBusy as error:
            answered(place, answer_to(error))
        else:
            if not one_now(operations, caller, items[place], partial(answered, place)):
                answered(place, None)
    waiting -= 1
    if waiting:
        await done
    return sorted(slow)


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
    return answer_to(
        TooBusy(f"The answer is full: it has at most {room.max_bytes} bytes. Send this item again.", retry_after=0)
    )


def answer_to(error: Exception) -> JSON:
    """The answer to an item that failed."""
    problem = problem_of(error)
    answer = {"status": problem.status, "body": problem.body()}
    return answer if problem.retry_after is None else {**answer, "retry_after": problem.retry_after}


def one_now(operations: Operations, caller: Caller, item: Any, answered: Callable[[Any], None]) -> bool:
    """:func:`one` for a turn that needs no coroutine.

    Args:
        operations: Performs the item.
        caller: Sender of the request.
        item: ``op``, ``episode_id`` and ``body``.
        answered: Receives the answer, maybe before this returns, or None if :func:`one` must answer.

    Returns:
        Whether ``answered`` is called. If not, nothing has happened.
    """
    if type(item) is not dict or item.get("op") != "step" or not item.keys() <= _FIELDS:
        return False

    def taken(result: JSON | BaseException) -> None:
        if isinstance(result, Exception):
            answered(answer_to(result))
        else:
            answered(None if result is None else {"status": 200, "body": result})

    return operations.step_now(caller, item.get("episode_id"), item.get("body"), taken)


async def one(operations: Operations, caller: Caller, item: Any) -> Any:
    """The answer to one item.

    ``status`` and ``body``, and ``retry_after`` if it should be sent again.

    Args:
        operations: Performs the item.
        caller: Sender of the request, whose rate it has been counted against.
        item: ``op``, ``episode_id`` and ``body``.
    """
    try:
        if type(item) is not dict:
            raise InvalidRequest("An item must be an object with op, episode_id and body.")
        if not item.keys() <= _FIELDS:
            unknown = next(name for name in item if name not in _FIELDS)
            raise InvalidRequest(f"Unknown field {str(unknown)[:60]!r}. Available: op, episode_id, body.")
        status, answer = await operations.perform(caller, item.get("op"), item.get("episode_id"), item.get("body"))
    except Exception as error:  # also if an environment fails: the other items must still be answered
        return answer_to(error)
    return {"status": status, "body": answer}
