"""Many operations in one request, each answered by itself, in their order.

They are done at the same time, so what depends on another item belongs into the next request. ::

    {"items": [{"op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}]}
    {"results": [{"status": 200, "body": {...}}]}
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from envhub.errors import InvalidParameters
from envhub.server.access import Caller
from envhub.server.operations import Operations, validated
from envhub.server.problems import InvalidRequest, told
from envhub.server.wire import Batch
from envhub.types import JSON

AT_ONCE: Final = 256
"""How many items of a batch are under way at once."""
_FIELDS: Final = frozenset({"op", "episode_id", "body"})


async def answered(operations: Operations, caller: Caller, body: Any, most: int) -> JSON:
    """The answers to a batch.

    Raises:
        InvalidRequest: It is none.
        InvalidParameters: It has too many items.
    """
    items = validated(Batch, body).items
    if len(items) > most:
        raise InvalidParameters(f"At most {most} items fit in one request, got {len(items)}.")
    places, results = iter(range(len(items))), [None] * len(items)

    async def work() -> None:
        for place in places:  # shared: whoever is free takes the next
            results[place] = await one(operations, caller, items[place], charge=place > 0)

    await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(items)))))
    return {"results": results}


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
        problem = told(error)
        told_of = {"status": problem.status, "body": problem.body()}
        return told_of if problem.retry_after is None else {**told_of, "retry_after": problem.retry_after}
    return {"status": status, "body": answer}
