"""A hub's requests over HTTP from an event loop: httpx, in many small pools instead of a large one.

httpx looks through all connections of a pool several times a request; with two hundred of them that is most of what a request
costs a client. So a pool takes a few requests at once, and there are as many pools as are needed. ::

    pools = Pools(lambda: httpx.AsyncClient(base_url=url))
    response = await pools.request("GET", "/health", None)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import httpx

_AT_ONCE: Final = 4
MAX_POOLS: Final = 256


class Pools:
    """Clients of httpx for the same server, each with few requests under way.

    Args:
        make: Makes one more.
        most: How many there are at most; beyond that each takes more at once.
    """

    def __init__(self, make: Callable[[], httpx.AsyncClient], most: int = MAX_POOLS) -> None:
        self._make, self._most = make, most
        self._pools = [make()]
        self._under_way = [0]

    async def request(self, method: str, path: str, content: bytes | None) -> httpx.Response:
        """The answer to a request.

        Raises:
            TransportError: httpx's; there is none.
        """
        place = self._free()
        self._under_way[place] += 1
        try:
            return await self._pools[place].request(method, path, content=content)
        finally:
            self._under_way[place] -= 1

    def _free(self) -> int:
        """The first pool with room, so that connections that are open are used again."""
        for place, count in enumerate(self._under_way):
            if count < _AT_ONCE:
                return place
        if len(self._pools) < self._most:
            self._pools.append(self._make())
            self._under_way.append(0)
            return len(self._pools) - 1
        return min(range(self._most), key=self._under_way.__getitem__)

    async def aclose(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(pool.aclose() for pool in self._pools))
