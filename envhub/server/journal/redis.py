"""A journal in Redis, shared by workers on several machines.

Needs the extra ``redis``. Every operation is one script, so it is atomic. Operations that arrive while others are in
flight are sent together. Redis must be durable, or answered turns can be lost: set ``appendonly yes`` and
``maxmemory-policy noeviction``. With ``appendfsync always`` a power failure loses nothing; with ``everysec`` it loses
about a second. Use a single Redis, with or without replicas, not a cluster. All keys start with ``{envhub}:3:``. The
machines' clocks must agree closely compared with the idle time.

While Redis cannot be reached, requests fail with :class:`~envhub.core.errors.JournalUnavailable`; the connection is restored
automatically. Keys expire by themselves when no worker is left to sweep.
"""

from __future__ import annotations

import asyncio
import logging
import time
from asyncio import Future
from collections.abc import Callable, Sequence
from typing import Any, Final

import redis
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

from envhub.core.errors import InvalidParameters, JournalUnavailable
from envhub.server.journal.batches import BatchThread
from envhub.server.journal.codec import decode, encode_entry, encode_header
from envhub.server.journal.records import Entry, Header, StoredEpisode, journal_full, too_many_open, unknown_episode
from envhub.server.journal.scripts import (
    APPEND,
    COUNT,
    COUNT_OPEN,
    CREATE,
    DELETE,
    FINISHED,
    LOAD,
    POSITION,
    SWEEP,
    Script,
)

_TIMEOUT_S: Final = 5.0
_IDLE_AT_ONCE: Final = 500
_PREFIX: Final = "{envhub}:3:"
"""Includes the version of the layout, so keys of an older one are ignored and expire."""
_log = logging.getLogger(__name__)

Job = tuple[Script, Sequence[Any]]


class RedisJournal:
    """A journal in Redis.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``.
        ttl_s: Seconds after which an idle episode may be deleted.
        capacity: Maximum number of episodes.
        clock: Current time in seconds since the epoch.

    Raises:
        JournalUnavailable: Redis does not answer.
        InvalidParameters: The URL is not valid.
    """

    def __init__(self, url: str, ttl_s: float, capacity: int, clock: Callable[[], float] = time.time) -> None:
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._clock = clock
        self._held = 0
        self._gone: list[str] = []
        self._sweep_from = 0.0
        try:
            # retry once if the connection was lost; a script that runs twice finds its own record
            self._redis = redis.Redis.from_url(
                url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=Retry(NoBackoff(), 1)
            )
        except ValueError as error:
            raise InvalidParameters(f"The journal URL is not a valid Redis URL: {str(error).rstrip('.')}.") from None
        try:
            self._redis.ping()
            self._warn_about_settings()
        except RedisError as error:
            self._redis.close()
            # only the operator who starts the server sees this message, which may hold the address
            raise JournalUnavailable(
                f"The journal in Redis cannot be used: {str(error).rstrip('.')}.", retry_after=2
            ) from None
        self._jobs: BatchThread[Job] = BatchThread(self._perform, "journal")

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode, or return the one that has its id."""
        values = [encode_header(header), *map(encode_entry, entries)]
        over = int(bool(entries) and entries[-1].over)
        most = -1 if max_open is None else max_open
        head = _head(header, entries[-1].digest if entries else "")
        said, *more = await self._run(CREATE, header.episode_id, self._capacity, over, most, head, *values)
        if said == b"taken":
            return decode(more)
        self._held = int(more[0])
        self._gone += [forgotten.decode() for forgotten in more[1:]]
        if said == b"full":
            raise journal_full(self._capacity)
        if said == b"many":
            raise too_many_open(most)
        return None

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record the next turn, else return the stored episode.

        It is returned if the turn is not the next one.
        """
        return asyncio.ensure_future(self._append(header, turn, entry))

    async def _append(self, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
        before, then = _head(header, entry.previous), _head(header, entry.digest)
        found = await self._run(APPEND, header.episode_id, before, then, turn, encode_entry(entry), int(entry.over))
        if found is None:
            return None
        if not found:
            raise unknown_episode(header.episode_id)
        return decode(found)

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode and reset its idle time."""
        found = await self._run(LOAD, episode_id, int(use))
        return decode(found) if found else None

    async def position(self, header: Header) -> tuple[int, str] | None:
        """Number of turns of an episode, and the digest of the last."""
        found = await self._run(POSITION, header.episode_id)
        if found is None:
            return None
        incarnation, _, digest = found[1].decode().partition(" ")
        return (int(found[0]), digest) if incarnation == header.incarnation else None

    async def delete(self, episode_id: str) -> bool:
        """Delete an episode."""
        return bool(await self._run(DELETE, episode_id))

    async def sweep(self) -> list[str]:
        """Delete idle episodes. Returns the ids of all deleted episodes."""
        now = self._clock()
        if now >= self._sweep_from:
            self._sweep_from = now + self._ttl_s / 128
            held, *forgotten = await self._run(SWEEP, _IDLE_AT_ONCE)
            self._held = int(held)
            self._gone += [episode_id.decode() for episode_id in forgotten]
            if len(forgotten) == _IDLE_AT_ONCE:  # there may be more
                self._sweep_from = now
        ids, self._gone = self._gone, []
        return ids

    async def count(self) -> int:
        """Number of episodes."""
        self._held = int(await self._run(COUNT))
        return self._held

    async def count_open(self, owner: str) -> int:
        """Number of unfinished episodes of an owner."""
        return int(await self._run(COUNT_OPEN, owner))

    async def finished(self) -> list[str]:
        """Ids of finished episodes, in the order in which they finished."""
        return [episode_id.decode() for episode_id in await self._run(FINISHED)]

    def __len__(self) -> int:
        return self._held

    def close(self) -> None:
        """Send pending jobs and close the connection."""
        self._jobs.close()
        self._redis.close()

    async def _run(self, script: Script, *arguments: Any) -> Any:
        return await self._jobs.submit((script, (repr(self._clock()), repr(self._ttl_s), *arguments)))

    # -- in the thread -----------------------------------------------------------------------------------------------

    def _perform(self, jobs: list[Job]) -> list[Any]:
        try:
            results = self._send([("EVALSHA", script.digest, 1, _PREFIX, *arguments) for script, arguments in jobs])
            unknown = [n for n, result in enumerate(results) if isinstance(result, NoScriptError)]
            if unknown:  # Redis was restarted
                again = [("EVAL", jobs[n][0].source, 1, _PREFIX, *jobs[n][1]) for n in unknown]
                for n, result in zip(unknown, self._send(again), strict=True):
                    results[n] = result
        except RedisError as error:
            return [_unavailable(error)] * len(jobs)
        return [_unavailable(result) if isinstance(result, RedisError) else result for result in results]

    def _send(self, commands: list[tuple[Any, ...]]) -> list[Any]:
        if len(commands) == 1:
            try:
                return [self._redis.execute_command(*commands[0])]  # type: ignore[no-untyped-call]
            except redis.ResponseError as error:
                return [error]
        pipeline = self._redis.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)  # type: ignore[no-untyped-call]
        return pipeline.execute(raise_on_error=False)

    def _warn_about_settings(self) -> None:
        """Log a warning for each setting with which Redis could lose turns."""
        for setting, wanted in (("appendonly", "yes"), ("maxmemory-policy", "noeviction")):
            try:
                found = self._redis.config_get(setting).get(setting)
            except redis.ResponseError:  # not permitted to read settings
                return
            if found not in (wanted, None):
                _log.warning(
                    "Redis has %s %s: answered turns can be lost with it; set %s %s", setting, found, setting, wanted
                )


def _head(header: Header, digest: str) -> str:
    """Head of an episode, to compare with a new turn."""
    return f"{header.incarnation} {digest}"


def _unavailable(error: RedisError) -> JournalUnavailable:
    """The error for clients, without the library's message, which may hold addresses.

    That is logged.
    """
    _log.error("the journal in Redis cannot be used: %s: %s", type(error).__name__, error)
    if isinstance(error, redis.TimeoutError):
        reason = "it has not answered in time"
    elif isinstance(error, redis.AuthenticationError):
        reason = "it refuses the server's password"
    elif isinstance(error, redis.ConnectionError):
        reason = "it cannot be reached"
    elif isinstance(error, redis.OutOfMemoryError):
        reason = "its memory is full"
    elif isinstance(error, redis.ReadOnlyError):
        reason = "it is read-only"
    else:
        reason = f"it reports {type(error).__name__}"
    return JournalUnavailable(f"The journal in Redis cannot be used: {reason}.", retry_after=2)
