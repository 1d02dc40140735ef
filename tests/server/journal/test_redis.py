"""The journal in Redis: what it says when Redis is away or forgetful, and how it goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from envhub.core.errors import InvalidParameters, JournalUnavailable
from envhub.server.journal import Journal, open_journal
from tests.server.journal.kinds import TTL, Clock, RedisServer, entry, header, redis_server, run, stands
from tests.server.journal.writing import append

pytestmark = pytest.mark.slow


@pytest.fixture
def kept() -> Iterator[RedisServer]:
    """A Redis that writes down what it is told."""
    with redis_server("--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


def opened(server: RedisServer, clock: Clock) -> Journal:
    return open_journal(server.url, TTL, 100, clock)


def test_it_goes_on_when_redis_is_back(kept: RedisServer, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    journal, made = opened(kept, clock), header("a")
    assert run(journal.create(made, [])) is None
    assert run(append(journal, made, 0, entry("x"))) is None
    kept.kill()
    with pytest.raises(JournalUnavailable, match="Redis") as said:
        run(append(journal, made, 1, entry("y")))
    assert said.value.retry_after > 0
    assert str(kept.folder) not in str(said.value)  # where it is, is for the log
    assert str(kept.folder) in caplog.text
    with pytest.raises(JournalUnavailable):
        run(journal.load("a"))
    kept.start()
    assert stands(run(journal.load("a"))) == ["x"]
    assert run(append(journal, made, 1, entry("y"))) is None
    assert stands(run(journal.load("a"))) == ["x", "y"]
    journal.close()


def test_it_tells_its_scripts_again(redis: RedisServer, clock: Clock) -> None:
    journal, made = opened(redis, clock), header("a")
    run(journal.create(made, []))
    run(append(journal, made, 0, entry("x")))
    redis.client().script_flush()
    assert run(append(journal, made, 1, entry("y"))) is None
    assert stands(run(journal.load("a"))) == ["x", "y"]
    journal.close()
    redis.client().flushall()


def test_a_redis_that_is_not_there_is_said_at_once(kept: RedisServer, clock: Clock) -> None:
    kept.kill()
    with pytest.raises(JournalUnavailable, match="Redis"):
        opened(kept, clock)


def test_a_redis_that_is_full_is_said(redis: RedisServer, clock: Clock) -> None:
    journal, made, client = opened(redis, clock), header("a"), redis.client()
    run(journal.create(made, [entry("x")]))
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(JournalUnavailable, match="memory"):
            run(append(journal, made, 1, entry("y")))
    finally:
        client.config_set("maxmemory", 0)
    assert run(append(journal, made, 1, entry("y"))) is None
    assert stands(run(journal.load("a"))) == ["x", "y"]
    journal.close()
    client.flushall()


def test_one_that_forgets_is_warned_about(
    redis: RedisServer, kept: RedisServer, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    opened(kept, clock).close()
    assert not caplog.records
    opened(redis, clock).close()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "appendonly" in caplog.text


def test_everything_expires_when_no_worker_is_left(redis: RedisServer, clock: Clock) -> None:
    journal, client = opened(redis, clock), redis.client()
    made = header("k:a")
    run(journal.create(made, []))
    run(append(journal, made, 0, entry("x", terminated=True)))
    run(journal.create(header("k:b"), []))
    keys = client.keys("*")
    assert len(keys) == 6
    assert all(TTL <= client.ttl(key) <= TTL + 60 for key in keys)
    journal.close()
    client.flushall()


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="Redis"):
        open_journal("redis://localhost:port/0", TTL, 10)
