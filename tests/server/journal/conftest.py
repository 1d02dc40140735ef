"""The journals under test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.server.journal import Journal
from tests.server.journal.kinds import KINDS, Clock, Open, RedisServer, opener, redis_server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """A Redis that forgets everything in the end."""
    with redis_server() as server:
        yield server


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_journal(kind: str, tmp_path: Path, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the journal under test; again and again, for several workers of one."""
    server = request.getfixturevalue("redis") if kind == "redis" else None
    made: list[Journal] = []
    yield opener(kind, tmp_path, server, clock, made)
    for journal in made:
        journal.close()
    if server is not None:
        server.client().flushall()


@pytest.fixture
def journal(open_journal: Open) -> Journal:
    """One with room for three episodes."""
    return open_journal(3)
