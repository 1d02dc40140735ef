"""Calls that come together are one, and nobody is told of another's mistake."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from envhub.adapters.shared.batching import Batcher
from envhub.core.errors import InvalidParameters


class Doubling:
    """Doubles, remembers its batches, and refuses negative numbers."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.batches.append(list(numbers))
        if min(numbers) < 0:
            raise InvalidParameters("A number is negative.")
        return [2 * number for number in numbers]


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), max_size=4))
def test_what_comes_together_is_one_call_and_answered_in_order(batches: list[list[int]]) -> None:
    doubling = Doubling()

    async def all_of() -> list[list[int]]:
        ask = Batcher(doubling)
        return [await asyncio.gather(*map(ask, batch)) for batch in batches]

    assert asyncio.run(all_of()) == [[2 * number for number in batch] for batch in batches]
    assert doubling.batches == batches


def test_only_who_caused_an_error_is_told() -> None:
    doubling = Doubling()

    async def asked(*alone: type[Exception]) -> list[int | BaseException]:
        ask = Batcher(doubling, alone=alone)
        return await asyncio.gather(ask(1), ask(-1), ask(2), return_exceptions=True)

    first, second, third = asyncio.run(asked(InvalidParameters))
    assert (first, third) == (2, 4)
    assert isinstance(second, InvalidParameters)
    assert doubling.batches == [[1, -1, 2], [1], [-1], [2]]
    assert all(isinstance(each, InvalidParameters) for each in asyncio.run(asked()))
    assert len(doubling.batches) == 5  # an error of the whole is not asked for again


def test_who_gives_up_disturbs_nobody() -> None:
    async def asked() -> int:
        ask = Batcher(Doubling())
        lost = asyncio.ensure_future(ask(1))
        kept = asyncio.ensure_future(ask(2))
        await asyncio.sleep(0)
        lost.cancel()
        return await kept

    assert asyncio.run(asked()) == 4


def test_too_few_answers_are_an_error_of_all() -> None:
    async def asked() -> list[int | BaseException]:
        ask: Batcher[int, int] = Batcher(lambda numbers: list(numbers)[1:])
        return await asyncio.gather(ask(1), ask(2), return_exceptions=True)

    with pytest.raises(ValueError, match="shorter"):
        raise next(each for each in asyncio.run(asked()) if isinstance(each, BaseException))
