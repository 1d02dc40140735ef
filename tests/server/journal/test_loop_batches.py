"""Jobs at the end of a turn of the loop: together, in order, and left to the thread where they would keep the loop waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from envhub.core.errors import JournalUnavailable
from envhub.server.journal.batches import BatchThread
from envhub.server.journal.loop_batches import LoopBatches
from tests.server.journal.kinds import run


class Doing:
    """Does jobs on the loop and in a thread, and says where."""

    def __init__(self) -> None:
        self.now = 0.0
        self.takes = 0.0
        self.busy = False
        self.attempts: list[list[Any]] = []
        self.batches: BatchThread[Any] = BatchThread(lambda jobs: [("thread", job) for job in jobs], "test")
        self.turns = LoopBatches(self.attempt, self.batches, lambda: self.now)

    def attempt(self, jobs: list[Any]) -> list[Any] | None:
        if self.busy:
            return None
        self.attempts.append(jobs)
        self.now += self.takes
        if "bug" in jobs:
            raise KeyError("a bug")
        return [("loop", job) for job in jobs]

    async def submit(self, *jobs: Any) -> list[Any]:
        return await asyncio.gather(*map(self.turns.submit, jobs), return_exceptions=True)

    def where(self, *jobs: Any) -> list[str]:
        return [place for place, _ in run(self.submit(*jobs))]


@pytest.fixture
def doing() -> Iterator[Doing]:
    doing = Doing()
    yield doing
    doing.turns.close()
    doing.batches.close()


def test_what_a_turn_brings_is_done_together_and_in_order(doing: Doing) -> None:
    assert run(doing.submit(*range(32))) == [("loop", n) for n in range(32)]
    assert doing.attempts == [list(range(32))]


def test_very_much_is_done_in_portions(doing: Doing) -> None:
    assert run(doing.submit(*range(1000))) == [("loop", n) for n in range(1000)]
    assert list(chain.from_iterable(doing.attempts)) == list(range(1000))
    assert max(map(len, doing.attempts)) <= 128


def test_what_cannot_be_done_at_once_is_left_to_the_thread(doing: Doing) -> None:
    doing.busy = True
    assert run(doing.submit(1, 2)) == [("thread", 1), ("thread", 2)]
    doing.busy = False
    assert doing.where(3) == ["loop"]


def test_after_two_turns_that_took_long_the_loop_is_left_alone_for_a_second(doing: Doing) -> None:
    for takes in (0.5, 0.0, 0.5, 0.5):  # one that is short between them tells that it was not the disk
        doing.takes = takes
        assert doing.where(1) == ["loop"]
    doing.takes = 0.0
    doing.now += 0.9
    assert doing.where(2, 3) == ["thread", "thread"]
    doing.now += 0.2
    assert doing.where(4) == ["loop"]


def test_a_bug_is_told_to_those_that_wait(doing: Doing) -> None:
    assert [type(found) for found in run(doing.submit("bug", 2))] == [KeyError, KeyError]


def test_closing_leaves_what_waits_to_the_thread(doing: Doing) -> None:
    async def scenario() -> None:
        waiting = [doing.turns.submit(n) for n in range(3)]
        doing.turns.close()
        doing.batches.close()
        assert await asyncio.gather(*waiting) == [("thread", n) for n in range(3)]
        with pytest.raises(JournalUnavailable, match="closed"):
            doing.turns.submit(4)

    run(scenario())
    assert not doing.attempts


def test_one_that_nobody_awaits_any_more_is_done_all_the_same(doing: Doing) -> None:
    async def scenario() -> None:
        waiting = asyncio.ensure_future(doing.turns.submit(1))
        waiting.cancel()
        assert await doing.turns.submit(2) == ("loop", 2)

    run(scenario())
    assert doing.attempts == [[1, 2]]
