"""The journals under test, what is put into them, and a Redis of our own."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from envhub.episodes.record import Record
from envhub.server.journal import Entry, Header, Journal, MemoryJournal, SqliteJournal, StoredEpisode, open_journal
from envhub.server.journal.codec import decode_entry

T = TypeVar("T")
TTL = 1000.0
REDIS = pytest.param("redis", marks=pytest.mark.slow)
KINDS = ["memory", "sqlite", REDIS]
SHARED = ["sqlite", REDIS]
EPOCH = 1_700_000_000.0

Open = Callable[..., Journal]


class Clock:
    def __init__(self) -> None:
        self.now = EPOCH

    def __call__(self) -> float:
        return self.now


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


def header(id: str, request: Any = None, **more: Any) -> Header:
    return Header(id, request, {"env_id": "x-v0"}, {}, **more)


def entry(action: str, *, terminated: bool = False, truncated: bool = False) -> Entry:
    return Entry(Record(action), {"said": action, "terminated": terminated, "truncated": truncated})


def chain(*actions: str) -> list[Entry]:
    """The entries of turns that follow each other."""
    made: list[Entry] = []
    for action in actions:
        answer = {"said": action, "terminated": False, "truncated": False}
        made.append(Entry.chained(made[-1].digest if made else "", Record(action), answer))
    return made


def lose_last(journal: Journal, id: str) -> None:
    """Have a journal forget the last turn of an episode, as after a loss of power, or of the Redis that had it."""
    if isinstance(journal, MemoryJournal):
        journal._stored[id][1].entries.pop()
    elif isinstance(journal, SqliteJournal):
        kept = run(journal.load(id)).entries[:-1]
        digest = kept[-1].digest if kept else ""
        before = "(SELECT previous FROM records WHERE place = last)"
        lost = f"UPDATE episodes SET turns = turns - 1, digest = '{digest}', last = {before} WHERE id = '{id}'"
        run(_write(journal, lost))
    else:
        client: Any = journal._redis  # type: ignore[attr-defined]
        key = "{envhub}:3:e:" + id
        client.rpop(key)
        last = client.lindex(key, -1)
        digest = decode_entry(last).digest if client.llen(key) > 2 else ""
        client.lset(key, 0, client.lindex(key, 0).split(b" ")[0] + b" " + digest.encode())


async def _write(journal: SqliteJournal, statement: str) -> None:
    await journal._file.write(lambda connection: connection.execute(statement).rowcount)


def stands(stored: StoredEpisode | None) -> list[str] | None:
    return None if stored is None else [e.record.action for e in stored.entries]


class RedisServer:
    """A Redis on a socket file, in memory or with a log."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/redis.sock"
        self._options = options
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            if os.environ.get("CI"):
                pytest.fail("redis-server is not installed: CI needs it")
            pytest.skip("redis-server is not installed")
        settings = ["--port", "0", "--unixsocket", f"{self.folder}/redis.sock", "--save", "", "--dir", str(self.folder)]
        self._process = subprocess.Popen(
            [program, *settings, *self._options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if "accept connections" in line:
                break
        else:
            pytest.fail(f"redis-server did not start: {said}")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def client(self) -> Any:
        import redis

        return redis.Redis.from_url(self.url)


@contextmanager
def redis_server(*options: str) -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:  # a socket's path must be short
        server = RedisServer(Path(folder), *options)
        try:
            yield server
        finally:
            server.kill()


def url_of(kind: str, folder: Path, redis: RedisServer | None) -> str:
    if kind == "redis":
        assert redis is not None
        return redis.url
    return f"sqlite:///{folder}/journal.sqlite" if kind == "sqlite" else "memory:"


def opener(kind: str, folder: Path, redis: RedisServer | None, clock: Clock, made: list[Journal]) -> Open:
    """What opens the same journal again and again; those in memory are all different."""

    def open_(capacity: int = 100, ttl: float = TTL, options: str = "") -> Journal:
        journal = open_journal(url_of(kind, folder, redis) + options, ttl, capacity, clock)
        made.append(journal)
        return journal

    return open_
