"""What the tests of workers over one journal share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from envhub.core.effects import Effect, Live, Outcome, Resource
from envhub.core.errors import JournalUnavailable
from envhub.server.journal import Journal
from tests.server.journal.kinds import SHARED
from tests.server.serving import Api

MakeApi = Callable[..., Api]
Register = Callable[..., str]
shared = pytest.mark.parametrize("kind", SHARED, indirect=True)
in_a_file = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


class Watched:
    """A journal that counts what is asked of it, and fails when it is told to."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.asked: list[str] = []
        self.failing: set[str] = set()
        self.lost: set[str] = set()
        self.held: asyncio.Event | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._journal, name)
        if name not in ("create", "append", "load", "position", "delete"):
            return found

        async def watched(*arguments: Any, **more: Any) -> Any:
            self.asked.append(name)
            if name == "append" and self.held is not None:
                await self.held.wait()
            if name in self.failing:
                raise JournalUnavailable("The journal cannot be written: disk full.", 7)
            answer = await found(*arguments, **more)
            if name in self.lost:
                raise JournalUnavailable("The journal cannot be written: no answer.", 7)
            return answer

        if name == "append":  # gives a future
            return lambda *arguments: asyncio.ensure_future(watched(*arguments))
        return watched

    def __len__(self) -> int:
        return len(self._journal)


class Counting(Resource):
    """Counts how often it was asked to do what."""

    def __init__(self) -> None:
        super().__init__("replay")
        self.done: list[Any] = []

    def open(self, problem: Any, token: Any = None) -> Live:
        return _Counted(self)


class _Counted(Live):
    def __init__(self, counting: Counting) -> None:
        self._counting = counting

    def perform(self, effect: Effect) -> Outcome:
        self._counting.done.append(effect.payload)
        return Outcome(str(effect.payload))
