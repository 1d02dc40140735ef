"""The lock of an episode's turns: one at a time, first come, first served, and nobody who left keeps it."""

from __future__ import annotations

import asyncio

from envhub.server.episodes.turn_lock import TurnLock


def test_it_is_taken_now_only_if_it_is_free() -> None:
    lock = TurnLock()
    assert lock.take_now()
    assert not lock.take_now()
    lock.release()
    assert lock.take_now()


def test_who_waits_gets_it_in_turn() -> None:
    async def play() -> list[int]:
        lock, order = TurnLock(), list[int]()

        async def work(number: int) -> None:
            await lock.acquire()
            assert not lock.take_now()
            order.append(number)
            await asyncio.sleep(0)
            lock.release()

        await asyncio.gather(*map(work, range(5)))
        assert lock.take_now()
        return order

    assert asyncio.run(play()) == [0, 1, 2, 3, 4]


def test_who_is_cancelled_passes_it_on() -> None:
    """While waiting, and in the moment in which the lock was passed on."""

    async def play() -> None:
        lock = TurnLock()
        await lock.acquire()
        first, second, third = (asyncio.ensure_future(lock.acquire()) for _ in range(3))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        lock.release()  # to the second, which does not know yet
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        await third
        assert not lock.take_now()
        lock.release()
        assert lock.take_now()

    asyncio.run(play())
