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
from envhub.server.episodes.operations import Operations, validated
from envhub.server.http.json_text import dumps
from envhub.server.http.limits import Room
from envhub.server.http.problems import InvalidRequest, told
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
    if (count := sum(map(_weight, items))) > settings.max_batch:
        more = "" if count == len(items) else ", every seed of tasks and every response of verify being one"
        raise InvalidParameters(f"At most {settings.max_batch} items fit in one request{more}, got {count}.")
    places, room = iter(range(len(items))), Room(settings.max_answer_bytes)
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


def _weight(item: Any) -> int:
    """How much an item asks for; one that is none is refused in its place."""
    if type(item) is dict and type(item.get("body")) is dict:
        if item.get("op") == "tasks":
            return _at_least_one(item["body"].get("seeds"))
        if item.get("op") == "verify" and type(asked := item["body"].get("items")) is list:
            return max(1, sum(_at_least_one(each.get("responses")) if type(each) is dict else 1 for each in asked))
    return 1


def _at_least_one(value: Any) -> int:
    return max(1, len(value)) if type(value) is list else 1


def _repeatable(item: Any) -> bool:
    """Whether an item that was done has the same answer when it comes again; only then may its answer be left out."""
    if type(item) is not dict or item.get("op") == "delete":
        return False
    if item.get("op") not in ("create", "fork"):
        return True
    return type(item.get("body")) is dict and item["body"].get("episode_id") is not None


def _again(room: Room) -> JSON:
    """What an item is told that finds no room."""
    return _told(TooBusy(f"An answer has at most {room.max_bytes} bytes; send this item again.", retry_after=0))


def _told(error: Exception) -> JSON:
    problem = told(error)
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
