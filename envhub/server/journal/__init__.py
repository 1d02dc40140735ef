"""Where episodes are recorded: what was asked, and every turn with its answer.

The journal is the truth, and what a worker holds in memory a copy of it. Create, fork and every turn with the results of its
effects are recorded before they are answered. Three journals keep the same promises (:mod:`.records`)::

    journal = open_journal("sqlite:///var/lib/envhub/journal.sqlite", ttl_s=3600, capacity=20_000)
    open_journal("redis://127.0.0.1:6379/0", ...)     # several machines; needs envhub[redis]
    open_journal("memory:", ...)                      # one process, and gone with it
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from envhub.core.errors import InvalidParameters, MissingExtra, nearest
from envhub.server.journal.memory import MemoryJournal
from envhub.server.journal.records import Entry, Header, Journal, Stored
from envhub.server.journal.sqlite import SqliteJournal

__all__ = ["Entry", "Header", "Journal", "MemoryJournal", "SqliteJournal", "Stored", "file_of", "open_journal"]

_KINDS = ("memory", "sqlite", "redis", "rediss", "unix")


def open_journal(url: str, ttl_s: float, capacity: int, clock: Callable[[], float] | None = None) -> Journal:
    """The journal of a URL.

    Args:
        url: ``memory:``, ``sqlite:///folder/file`` (a path as it is written after the third slash: absolute when that is one
            itself, or begins with ``~``; ``?fsync=always`` to lose nothing when the power fails, instead of a second), or
            ``redis://host:port/db`` (``rediss://`` with TLS, ``unix:///path/of/socket``).
        ttl_s: Seconds after which an idle episode may be forgotten.
        capacity: Most episodes at once.
        clock: Seconds that only grow in memory, and those of the epoch elsewhere, for processes share them.

    Raises:
        InvalidParameters: It is not such a URL.
        JournalUnavailable: It cannot be opened.
        MissingExtra: redis is not installed.
    """
    kind, colon, rest = url.partition(":")
    if not colon or kind not in _KINDS:
        raise InvalidParameters(
            f"A journal is memory:, sqlite:///folder/file or redis://host:port/db, got one that begins with "
            f"{kind[:20]!r}.{nearest(kind, _KINDS)}"  # the rest may hold a password
        )
    if kind == "memory":
        if rest.strip("/"):
            raise InvalidParameters(f"The journal in memory is memory: and nothing more, got {url!r}.")
        return MemoryJournal(ttl_s, capacity, clock or time.monotonic)
    if kind == "sqlite":
        path, always = file_of(url)
        return SqliteJournal(path, ttl_s, capacity, clock or time.time, fsync_always=always)
    try:
        from envhub.server.journal.redis import RedisJournal
    except ModuleNotFoundError as error:
        if error.name != "redis":
            raise
        raise MissingExtra("A journal in Redis needs redis: pip install 'envhub[redis]'") from None
    return RedisJournal(url, ttl_s, capacity, clock or time.time)


def file_of(url: str) -> tuple[Path, bool]:
    """Where the file of a SQLite URL is, and whether every commit reaches the disk before it is answered.

    Raises:
        InvalidParameters: It is not such a URL.
    """
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    fsync = options.pop("fsync", "second")
    path = unquote(parts.path).removeprefix("/")
    if parts.netloc or not url.startswith("sqlite:///") or not path:
        raise InvalidParameters(
            f"A journal in a file is sqlite:///relative/path or sqlite:////absolute/path, got {url!r}."
        )
    if options or parts.fragment or fsync not in ("second", "always"):
        raise InvalidParameters(f"A journal in a file takes ?fsync=second or ?fsync=always, got {url!r}.")
    return Path(path).expanduser(), fsync == "always"
