"""Instances of slow environments, kept on disk: what cost a second to find is not searched for again.

An environment says ``slow = True``. Its instances are then kept in one SQLite file for all processes of a user, under the root
of their task key, so a dataset that was generated here is verified at the price of a read. What is found there is what would
have been drawn: entries are of exactly the code that drew them (a digest of the sources of its package and of ours) and carry a
checksum; anything else is drawn anew. The answer key stands in it, so the folder is its owner's alone.

``ENVHUB_CACHE`` names another folder, or ``off``; ``ENVHUB_CACHE_MB`` is how large it may become (512). A cache that cannot
be used is said so once, in the log, and done without.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

from envhub.core.types import Instance

_FILE: Final = "instances.sqlite"
_DEFAULT_MB: Final = 512
_BUSY_S: Final = 5.0
_PRUNE_EVERY: Final = 256
_USED: Final = (
    "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
)
_DELETE_OLDEST: Final = (
    "DELETE FROM instances WHERE rowid IN "
    "(SELECT rowid FROM instances ORDER BY rowid LIMIT (SELECT 1 + count(*) / 4 FROM instances))"
)
_TABLE: Final = "CREATE TABLE IF NOT EXISTS instances (name BLOB PRIMARY KEY, value BLOB NOT NULL, sum BLOB NOT NULL)"

_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """What was drawn for a seed: the accepted attempt, the fingerprint, the instance."""

    draw: int
    mark: str | None
    instance: Instance


class InstanceCache:
    """A file of instances.

    Args:
        folder: Where it is, or is to be.
        max_bytes: How large the file may become; the oldest entries make room.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder, self._max_bytes = folder, max_bytes
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._process: int | None = None
        self._broken = False
        self._puts = 0

    def get(self, name: bytes) -> Found | None:
        """The entry of a name; None when there is none, or it is damaged."""
        row = self._run("SELECT value, sum FROM instances WHERE name = ?", name)
        if not row:
            return None
        value, checksum = row[0]
        if _sum(name, value) != checksum:
            return None
        draw, mark, problem, key = (_unpacked(part) for part in json.loads(value))
        return Found(draw, mark, Instance(problem, key))

    def put(self, name: bytes, found: Found) -> None:
        """Keep an entry; one that JSON has no form for is not kept."""
        try:
            parts = [found.draw, found.mark, _packed(found.instance.problem), _packed(found.instance.key)]
            value = json.dumps(parts, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError):
            return
        self._run("INSERT OR REPLACE INTO instances VALUES (?, ?, ?)", name, value, _sum(name, value))
        self._puts += 1
        if self._puts % _PRUNE_EVERY == 1:
            self._prune()

    def __len__(self) -> int:
        rows = self._run("SELECT count(*) FROM instances")
        return int(rows[0][0]) if rows else 0

    def _prune(self) -> None:
        """Delete the oldest quarter while there is too much; what is deleted is room for what comes."""
        while self._run(_USED)[:1] > [(self._max_bytes,)] and len(self):
            self._run(_DELETE_OLDEST)

    def _run(self, statement: str, *values: bytes) -> list[tuple[Any, ...]]:
        """The rows of a statement; none when the cache cannot be used."""
        if self._broken:
            return []
        with self._lock:
            try:
                return self._open().execute(statement, values).fetchall()
            except (sqlite3.Error, OSError) as error:
                self._broken = True
                if (
                    type(error) is sqlite3.DatabaseError
                ):  # not a database, or a damaged one: the next process begins anew
                    (self._folder / _FILE).unlink(missing_ok=True)
                _log.warning("the cache in %s is not used: %s: %s", self._folder, type(error).__name__, error)
                return []

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or self._process != os.getpid():  # a connection does not survive a fork
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._folder / _FILE
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = _connected(path)
            self._process = os.getpid()
        return self._connection

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is one of ours then.

    Raises:
        sqlite3.Error: It is none, or others keep it busy.
    """
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    deadline = monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # what a crash loses is drawn again
            connection.execute(_TABLE)
            return connection
        except sqlite3.Error as error:
            # two that make the file at once: SQLite does not wait there, for each holds what the other wants
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                connection.close()
                raise
            sleep(0.01)


def default() -> InstanceCache | None:
    """The cache of this user, as the environment variables say; None when it is off."""
    return _cache_in(os.environ.get("ENVHUB_CACHE", ""), os.environ.get("ENVHUB_CACHE_MB", ""))


@cache
def _cache_in(where: str, megabytes: str) -> InstanceCache | None:
    if where == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(where) if where else Path(home) / "envhub"
    limit = int(megabytes) if megabytes.isascii() and megabytes.isdigit() else _DEFAULT_MB
    return InstanceCache(folder, limit * 2**20)


@cache
def code_digest(module: str) -> bytes | None:
    """A digest of the sources that a module's instances come of: its whole package, and ours; None when they are not files.

    Args:
        module: The name of a loaded module.
    """
    whole = blake2b(sys.version.encode(), digest_size=8)
    for package in sorted({module.partition(".")[0], "envhub"}):
        files = _sources(package)
        if not files:
            return None
        for path in files:
            whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.digest()


def _sources(package: str) -> list[Path]:
    loaded = sys.modules.get(package)
    folders = [Path(folder) for folder in getattr(loaded, "__path__", ())]
    if folders:
        return sorted(path for folder in folders for path in folder.rglob("*.py"))
    file = getattr(loaded, "__file__", None)
    return [Path(file)] if file else []


def _sum(name: bytes, value: bytes) -> bytes:
    return blake2b(name + value, digest_size=16).digest()


def _packed(value: Any) -> Any:
    """A value in JSON such that :func:`_unpacked` gives exactly it again: tuples stay tuples.

    Raises:
        TypeError: It is none of None, bool, int, float, str, list, tuple and dict with text keys, all the way down.
    """
    if value is None or type(value) in (bool, int, float, str):  # of a float JSON keeps every bit
        return value
    if type(value) is list:
        return [_packed(item) for item in value]
    if type(value) is tuple:
        return {"t": [_packed(item) for item in value]}
    if type(value) is dict and all(type(name) is str for name in value):
        return {"d": {name: _packed(item) for name, item in value.items()}}
    raise TypeError(f"a {type(value).__name__} is not kept")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(item) for item in value]
    if isinstance(value, dict):
        [(kind, inner)] = value.items()
        if kind == "t":
            return tuple(_unpacked(item) for item in inner)
        return {name: _unpacked(item) for name, item in inner.items()}
    return value
