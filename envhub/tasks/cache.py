"""On-disk cache for instances of slow environments.

Environments opt in with ``slow = True``. Their instances are kept in one SQLite file for all processes of a user, under
the root of their task key, so verifying a dataset generated here costs only reads. An entry equals what would be drawn:
it belongs to exactly the code that drew it (a digest of the sources of its package and of envhub) and has a checksum;
anything else is drawn again. Entries contain answer keys, so only the owner can access the folder.

``ENVHUB_CACHE`` sets the folder, or ``off``; ``ENVHUB_CACHE_MB`` is the maximum size (512). An unusable cache is logged
once and not used.
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
    """Result for a seed: the accepted attempt, the fingerprint, the instance."""

    draw: int
    fingerprint: str | None
    instance: Instance


class InstanceCache:
    """A file of instances.

    Args:
        folder: Its folder, created if missing.
        max_bytes: Maximum file size; the oldest entries are deleted first.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder, self._max_bytes = folder, max_bytes
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._process: int | None = None
        self._broken = False
        self._puts = 0

    def get(self, name: bytes) -> Found | None:
        """The entry of a name; None if it is missing or damaged."""
        row = self._run("SELECT value, sum FROM instances WHERE name = ?", name)
        if not row:
            return None
        value, checksum = row[0]
        if checksum_of(name, value) != checksum:
            return None
        return decoded(value)

    def put(self, name: bytes, found: Found) -> None:
        """Keep an entry, unless JSON cannot represent it."""
        try:
            value = encoded(found)
        except (TypeError, ValueError):
            return
        self._run("INSERT OR REPLACE INTO instances VALUES (?, ?, ?)", name, value, checksum_of(name, value))
        self._puts += 1
        if self._puts % _PRUNE_EVERY == 1:
            self._prune()

    def __len__(self) -> int:
        rows = self._run("SELECT count(*) FROM instances")
        return int(rows[0][0]) if rows else 0

    def _prune(self) -> None:
        """Delete the oldest quarter while the file is too large."""
        while self._run(_USED)[:1] > [(self._max_bytes,)] and len(self):
            self._run(_DELETE_OLDEST)

    def _run(self, statement: str, *values: bytes) -> list[tuple[Any, ...]]:
        """The rows of a statement; empty if the cache cannot be used."""
        if self._broken:
            return []
        with self._lock:
            try:
                return self._open().execute(statement, values).fetchall()
            except (sqlite3.Error, OSError) as error:
                self._broken = True
                if (
                    type(error) is sqlite3.DatabaseError
                ):  # not a database, or a damaged one: the next process creates a new one
                    (self._folder / _FILE).unlink(missing_ok=True)
                _log.warning("the cache in %s is not used: %s: %s", self._folder, type(error).__name__, error)
                return []

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or self._process != os.getpid():  # connections do not survive a fork
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._folder / _FILE
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = _connected(path)
            self._process = os.getpid()
        return self._connection

    def close(self) -> None:
        """Close the file; it is reopened on the next use."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None


def _connected(path: Path) -> sqlite3.Connection:
    """An open connection to the file, checked to be a cache.

    Raises:
        sqlite3.Error: It is not a cache, or other processes keep it locked.
    """
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    deadline = monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # entries lost in a crash are drawn again
            connection.execute(_TABLE)
            return connection
        except sqlite3.Error as error:
            # two processes create the file at once: SQLite does not wait there, since each holds the other's lock
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                connection.close()
                raise
            sleep(0.01)


def default() -> InstanceCache | None:
    """The user's cache, set by environment variables; None if off."""
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
    """Digest of the sources that determine a module's instances; None without files.

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


def checksum_of(name: bytes, value: bytes) -> bytes:
    """Checksum of an entry and its name, 16 bytes."""
    return blake2b(name + value, digest_size=16).digest()


def encoded(found: Found) -> bytes:
    """An entry as JSON; :func:`decoded` restores it exactly.

    Raises:
        TypeError: JSON cannot represent the instance.
        ValueError: It contains NaN or an infinity.
    """
    parts = [found.draw, found.fingerprint, _packed(found.instance.problem), _packed(found.instance.key)]
    return json.dumps(parts, separators=(",", ":"), allow_nan=False).encode()


def decoded(value: bytes) -> Found:
    """The entry of :func:`encoded`."""
    draw, fingerprint, problem, key = (_unpacked(part) for part in json.loads(value))
    return Found(draw, fingerprint, Instance(problem, key))


def _packed(value: Any) -> Any:
    """JSON text from which :func:`_unpacked` restores exactly this value, tuples included.

    Raises:
        TypeError: It contains anything but None, bool, int, float, str, list, tuple and dict.
    """
    if value is None or type(value) in (bool, int, float, str):  # JSON keeps every bit of a float
        return value
    if type(value) is list:
        return [_packed(item) for item in value]
    if type(value) is tuple:
        return {"t": [_packed(item) for item in value]}
    if type(value) is dict and all(type(name) is str for name in value):
        return {"d": {name: _packed(item) for name, item in value.items()}}
    if type(value) is dict:
        return {"m": [[_packed(name), _packed(item)] for name, item in value.items()]}
    raise TypeError(f"a {type(value).__name__} is not kept")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(item) for item in value]
    if isinstance(value, dict):
        [(kind, inner)] = value.items()
        if kind == "t":
            return tuple(_unpacked(item) for item in inner)
        if kind == "m":
            return {_unpacked(name): _unpacked(item) for name, item in inner}
        return {name: _unpacked(item) for name, item in inner.items()}
    return value
