"""HTTP requests from an event loop.

httpx with many small connection pools instead of a large one. httpx scans all connections of a pool several times per
request; with two hundred connections that is most of a client's CPU time. So each pool sends a few requests at once,
and pools are added as needed. ::

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
    """httpx clients for one server, each with a few requests in flight.

    Args:
        make: Makes another client.
        most: Maximum number of clients; beyond it each sends more requests at once.
    """

    def __init__(self, make: Callable[[], httpx.AsyncClient], most: int = MAX_POOLS) -> None:
        self._make, self._most = make, most
        self._pools = [make()]
        self._under_way = [0]

    async def request(self, method: str, path: str, content: bytes | None) -> httpx.Response:
        """Send a request and return its response.

        Raises:
            httpx.TransportError: There was no response.
        """
        place = self._free()
        self._under_way[place] += 1
        try:
            return await self._pools[place].request(method, path, content=content)
        finally:
            self._under_way[place] -= 1

    def _free(self) -> int:
        """The first pool with room, so that open connections are reused."""
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
