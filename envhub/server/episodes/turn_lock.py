"""A lock that can also be taken without a coroutine.

It orders the turns of an episode, first come, first served; a free lock is taken without waiting::

    if lock.take_now():             # or: await lock.acquire()
        try: ...
        finally: lock.release()
"""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections import deque


class TurnLock:
    """A fair lock of one event loop."""

    __slots__ = ("_taken", "_waiting")

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[Future[None]] = deque()

    def take_now(self) -> bool:
        """Take the lock if it is free, and return whether it was."""
        free, self._taken = not self._taken, True
        return free

    async def acquire(self) -> None:
        """Take the lock, after all who wait for it."""
        if self.take_now():
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except BaseException:
            if place.done() and not place.cancelled():  # cancelled after the lock was passed on to us
                self.release()
            raise

    def release(self) -> None:
        """Pass the lock on to the first who waits, or free it."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._taken = False
