"""The journal records episodes.

The request that created each, and every turn with its answer. The journal is the source of truth; workers keep copies
in memory. Every create, fork and turn, with the outcomes of its effects, is recorded before it is answered. There are
three journals with the same guarantees (:mod:`.records`)::

    journal = open_journal("sqlite:///var/lib/envhub/journal.sqlite", ttl_s=3600, capacity=20_000)
    open_journal("redis://127.0.0.1:6379/0", ...)     # shared by several machines; needs envhub[redis]
    open_journal("memory:", ...)                      # one process; lost when it ends
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from envhub.core.errors import InvalidParameters, MissingExtra, nearest
from envhub.server.journal.memory import MemoryJournal
from envhub.server.journal.records import Entry, Header, Journal, StoredEpisode
from envhub.server.journal.sqlite import SqliteJournal

__all__ = [
    "Entry",
    "Header",
    "Journal",
    "MemoryJournal",
    "SqliteJournal",
    "StoredEpisode",
    "parse_sqlite_url",
    "open_journal",
]

_KINDS = ("memory", "sqlite", "redis", "rediss", "unix")


def open_journal(url: str, ttl_s: float, capacity: int, clock: Callable[[], float] | None = None) -> Journal:
    """Open the journal that a URL names.

    Args:
        url: ``memory:``, ``sqlite:///folder/file`` or ``redis://host:port/db`` (``rediss://`` with TLS,
            ``unix:///path/of/socket``). The path of a file follows the third slash; it is relative unless it starts with ``/``
            or ``~``. ``?fsync=always`` loses nothing in a power failure; without it, about the last second.
        ttl_s: Seconds after which an idle episode may be deleted.
        capacity: Maximum number of episodes.
        clock: Current time in seconds: monotonic in memory, else since the epoch because processes share it.

    Raises:
        InvalidParameters: The URL is not valid.
        JournalUnavailable: The journal cannot be opened.
        MissingExtra: redis is not installed.
    """
    kind, colon, rest = url.partition(":")
    if not colon or kind not in _KINDS:
        raise InvalidParameters(
            f"A journal URL must be memory:, sqlite:///folder/file or redis://host:port/db, got one that begins with "
            f"{kind[:20]!r}.{nearest(kind, _KINDS)}"  # the rest may hold a password
        )
    if kind == "memory":
        if rest.strip("/"):
            raise InvalidParameters(f"A journal in memory must be just 'memory:', got {url!r}.")
        return MemoryJournal(ttl_s, capacity, clock or time.monotonic)
    if kind == "sqlite":
        path, always = parse_sqlite_url(url)
        return SqliteJournal(path, ttl_s, capacity, clock or time.time, fsync_always=always)
    try:
        from envhub.server.journal.redis import RedisJournal
    except ModuleNotFoundError as error:
        if error.name != "redis":
            raise
        raise MissingExtra("A journal in Redis needs the package redis: pip install 'envhub[redis]'") from None
    return RedisJournal(url, ttl_s, capacity, clock or time.time)


def parse_sqlite_url(url: str) -> tuple[Path, bool]:
    """The file of a SQLite URL, and whether commits are synced.

    If they are, every commit is on disk before it is answered.

    Raises:
        InvalidParameters: The URL is not valid.
    """
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    fsync = options.pop("fsync", "second")
    path = unquote(parts.path).removeprefix("/")
    if parts.netloc or not url.startswith("sqlite:///") or not path:
        raise InvalidParameters(
            f"A journal in a file must be sqlite:///relative/path or sqlite:////absolute/path, got {url!r}."
        )
    if options or parts.fragment or fsync not in ("second", "always"):
        raise InvalidParameters(
            f"The only option of a journal in a file is ?fsync=second or ?fsync=always, got {url!r}."
        )
    return Path(path).expanduser(), fsync == "always"
