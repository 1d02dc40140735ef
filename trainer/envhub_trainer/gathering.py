"""Runs coroutines together."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_or_cancel(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Gather results; if one coroutine fails, cancel the others before raising."""
    running = [asyncio.ensure_future(each) for each in coroutines]
    try:
        return await asyncio.gather(*running)
    except BaseException:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        raise
