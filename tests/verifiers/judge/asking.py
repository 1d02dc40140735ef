"""What the tests of a judge share: how it is asked, waits that take no time, and texts that attack it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from envhub.verifiers.judge.judge import Endpoint, Judge, Judgement

QUESTION = "What is six times seven?"


class Waits:
    """Stands in for the clock: how long was waited, without waiting."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def judge(self, endpoint: Endpoint, **settings: Any) -> Judge:
        async def asleep(seconds: float) -> None:
            self.waited.append(seconds)

        return Judge(endpoint, sleep=self.waited.append, asleep=asleep, **settings)


def sync_decide(judge: Judge, kind: str, **fields: Any) -> Judgement:
    return judge.decide(kind, **fields)


def async_decide(judge: Judge, kind: str, **fields: Any) -> Judgement:
    return asyncio.run(judge.adecide(kind, **fields))


Decide = Callable[..., Judgement]
both = pytest.mark.parametrize("decide", [sync_decide, async_decide])


def compare(judge: Judge, candidate: str, reference: str = "42", decide: Decide = sync_decide) -> Judgement:
    return decide(judge, "equivalence", question=QUESTION, reference=reference, candidate=candidate)
