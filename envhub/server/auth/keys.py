"""API keys: created, revoked and stored as hashes in one file.

The command line writes the file; running servers reload it within a second. A key is ``envhub_<id>_<secret>``. The id
is public and appears in logs and in ``envhub keys list``. The secret has 256 random bits and is shown once; the file
holds its SHA-256. A slow hash such as scrypt makes guessing human passwords expensive; guessing 256 random bits is
hopeless anyway, and a slow hash would cost milliseconds per request. ::

    text, key = KeyFile(path).create("trainer", ["play"], rate=100.0)
    keyring = Keyring(path)
    keyring.find(text.encode()) == key

The file is replaced atomically, so readers never see half of it. If anything is wrong with it, every request is rejected.
"""

from __future__ import annotations

import fcntl
import json
import logging
import math
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final, Literal

from envhub.core.errors import EnvhubError, InvalidParameters, nearest

SCOPES: Final = ("play", "verify", "solutions", "admin")
TOKEN: Final = re.compile(rb"envhub_([a-z2-7]{10})_[A-Za-z0-9_-]{43}")
"""Pattern of a key; the group is its id."""
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_NO_DIGEST: Final = bytes(32)  # compared if no key has the id, so that a miss takes as long as a hit
_CHECK_S: Final = 1.0
_VERSION: Final = 1
_MAX_BYTES: Final = 16 * 2**20

_log = logging.getLogger(__name__)


class KeysUnavailable(EnvhubError, RuntimeError):
    """The key file cannot be read, or cannot be trusted."""


@dataclass(frozen=True, slots=True)
class Key:
    """The stored data of a key, without the key itself.

    Attributes:
        id: Public part of the key.
        name: Name, unique among active keys.
        scopes: What it may be used for, from :data:`SCOPES`.
        digest: SHA-256 of the whole key.
        rate: Maximum requests per second; None for no limit.
        episodes: Maximum number of open episodes; None for no limit.
        created: Time of creation, in seconds since the epoch.
        expires: Time from which it is rejected; None for never.
        revoked: Time of revocation; None if it is not revoked.
    """

    id: str
    name: str
    scopes: frozenset[str]
    digest: bytes
    rate: float | None
    episodes: int | None
    created: float
    expires: float | None = None
    revoked: float | None = None

    def state(self, now: float) -> Literal["active", "expired", "revoked"]:
        """Whether the key is active at a time."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and now >= self.expires else "active"


class KeyFile:
    """Reads and changes the key file.

    Args:
        path: Path of the file, which need not exist.
        clock: Current time in seconds since the epoch.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock

    def read(self) -> list[Key]:
        """All keys in order of creation; empty without a file.

        Raises:
            KeysUnavailable: The file cannot be read, or users besides its owner may write it.
        """
        return read_keys(self._path)

    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        rate: float | None = None,
        episodes: int | None = None,
        lifetime_s: float | None = None,
    ) -> tuple[str, Key]:
        """Create a key.

        Returns its text, which cannot be shown again, and its stored data.

        Raises:
            InvalidParameters: The name is taken or malformed, or a scope or limit is not valid.
            KeysUnavailable: The file cannot be read or written.
        """
        _check(name, scopes, rate, episodes, lifetime_s)
        id = "".join(secrets.choice(_ALPHABET) for _ in range(10))
        text = f"envhub_{id}_{secrets.token_urlsafe(32)}"
        now = self._clock()
        expires = None if lifetime_s is None else now + lifetime_s
        digest = sha256(text.encode()).digest()
        key = Key(id, name, frozenset(scopes), digest, rate, episodes, now, expires)
        with self._changing() as keys:
            if any(other.name == name and other.revoked is None for other in keys):
                raise InvalidParameters(
                    f"There is already a key {name!r}; choose another name, or revoke that key first."
                )
            keys.append(key)
        return text, key

    def revoke(self, which: str) -> Key:
        """Revoke a key by id or name.

        It stays in the file, so that a server without other keys does not become public.

        Raises:
            InvalidParameters: No active key has this id or name.
            KeysUnavailable: The file cannot be read or written.
        """
        with self._changing() as keys:
            for place, key in enumerate(keys):
                if which in (key.id, key.name) and key.revoked is None:
                    keys[place] = replace(key, revoked=self._clock())
                    return keys[place]
            known = [text for key in keys if key.revoked is None for text in (key.id, key.name)]
            raise InvalidParameters(f"No active key has the id or name {which!r}.{nearest(which, known)}")

    @contextmanager
    def _changing(self) -> Iterator[list[Key]]:
        """The keys, to change under a lock; written if the block succeeds."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(self._path.with_name(f"{self._path.name}.lock"), "a", opener=_private) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                keys = read_keys(self._path)
                yield keys
                self._write(keys)
        except OSError as error:
            raise KeysUnavailable(f"{self._path} cannot be written: {error.strerror or error}.") from None

    def _write(self, keys: Sequence[Key]) -> None:
        target = Path(os.path.realpath(self._path))
        partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
        partial.unlink(missing_ok=True)
        try:
            with open(partial, "x", opener=_private) as file:
                json.dump({"version": _VERSION, "keys": [_to_json(key) for key in keys]}, file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)


class Keyring:
    """The keys of a running server.

    Checks at most once a second whether the file has changed.

    Args:
        path: The key file; None for a server without keys.
        required: Whether requests need a key even before any exists; otherwise they need one once a key exists.
        clock: Current time in seconds since the epoch, for expiry.
        ticks: A monotonic clock in seconds, for reloading.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        required: bool = False,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._required = path, required
        self._clock, self._ticks = clock, ticks
        self._keys: dict[bytes, Key] = {}
        self._signature: object = None
        self._broken: str | None = None
        self._checked_at = -math.inf

    @property
    def required(self) -> bool:
        """Whether requests need a key.

        Once true it stays true: no change of the file makes a running server public.
        """
        self._reload_if_changed()
        return self._required

    def find(self, presented: bytes) -> Key | None:
        """The presented key, active or not; None if it is unknown.

        Raises:
            KeysUnavailable: The key file cannot be read.
        """
        self._reload_if_changed()
        if self._broken is not None:
            raise KeysUnavailable(self._broken)
        form = TOKEN.fullmatch(presented)
        key = self._keys.get(form[1]) if form is not None else None
        same = compare_digest(sha256(presented).digest(), _NO_DIGEST if key is None else key.digest)
        return key if same else None

    def state(self, key: Key) -> Literal["active", "expired", "revoked"]:
        """Whether a key is active now."""
        return key.state(self._clock())

    def holds(self, key: Key) -> bool:
        """Whether a key found earlier is still active."""
        self._reload_if_changed()
        now = self._keys.get(key.id.encode()) if self._broken is None else None
        return now is not None and now.digest == key.digest and self.state(now) == "active"

    def listed(self) -> list[Key]:
        """All keys, active or not; empty if the file cannot be read."""
        self._reload_if_changed()
        return [] if self._broken is not None else list(self._keys.values())

    def usable(self) -> int:
        """Number of active keys.

        Raises:
            KeysUnavailable: The key file cannot be read.
        """
        self._reload_if_changed()
        if self._broken is not None:
            raise KeysUnavailable(self._broken)
        now = self._clock()
        return sum(key.state(now) == "active" for key in self._keys.values())

    def _reload_if_changed(self) -> None:
        if self._path is None:
            return
        ticks = self._ticks()
        if ticks - self._checked_at < _CHECK_S:
            return
        self._checked_at = ticks
        signature = _signature(self._path)
        if signature != self._signature or self._broken is not None:
            self._read(self._path)
            self._signature = signature

    def _read(self, path: Path) -> None:
        try:
            keys = read_keys(path)
        except KeysUnavailable as error:
            if self._broken is None:
                _log.error("all requests are rejected: %s", error)
            self._broken, self._required = str(error), True
            return
        self._broken = None
        self._keys = {key.id.encode(): key for key in keys}
        self._required = self._required or bool(keys)


def read_keys(path: Path) -> list[Key]:
    """Read a key file; no keys without a file.

    Raises:
        KeysUnavailable: The file cannot be read, is not a key file, or users besides its owner may write it.
    """
    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise KeysUnavailable(
                    f"{path} is writable by users other than its owner: check who changed it, then run chmod 600."
                )
            if about.st_uid not in (0, os.geteuid()):
                raise KeysUnavailable(
                    f"{path} belongs to user {about.st_uid}; the server trusts only its own user and root."
                )
            text = file.read(_MAX_BYTES)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise KeysUnavailable(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        data = json.loads(text)
        if data["version"] != _VERSION:
            raise ValueError
        return [_from_json(line) for line in data["keys"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # not the text: it holds hashes
        raise KeysUnavailable(f"{path} is not a key file of this version of envhub.") from None


def _check(
    name: str, scopes: Sequence[str], rate: float | None, episodes: int | None, lifetime_s: float | None
) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidParameters(
            f"The name of a key must have 1 to 64 of the characters A-Z a-z 0-9 . _ -, got {name!r}."
        )
    if not scopes:
        raise InvalidParameters(f"A key needs at least one scope. Available: {', '.join(SCOPES)}.")
    for scope in scopes:
        if scope not in SCOPES:
            raise InvalidParameters(f"Unknown scope {scope!r}. Available: {', '.join(SCOPES)}.{nearest(scope, SCOPES)}")
    for what, limit in (("rate", rate), ("number of episodes", episodes), ("lifetime", lifetime_s)):
        if limit is not None and not 0 < limit < math.inf:
            raise InvalidParameters(f"The {what} of a key must be more than 0, got {limit}.")


def _to_json(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": [scope for scope in SCOPES if scope in key.scopes],
        "sha256": key.digest.hex(),
        "rate": key.rate,
        "episodes": key.episodes,
        "created": key.created,
        "expires": key.expires,
        "revoked": key.revoked,
    }


def _from_json(line: dict[str, Any]) -> Key:
    """A key from the file.

    Unknown fields are errors, because an unknown limit must not be ignored.
    """
    fields = dict(line)
    digest, scopes = bytes.fromhex(fields.pop("sha256")), frozenset(fields.pop("scopes"))
    key = Key(digest=digest, scopes=scopes, **fields)
    _check(key.name, sorted(scopes), key.rate, key.episodes, None)
    moments = (key.created, key.expires, key.revoked)
    if len(digest) != 32 or not all(moment is None or 0 <= moment < math.inf for moment in moments):
        raise ValueError
    return key


def _signature(path: Path) -> object:
    """A value that changes whenever the file does."""
    try:
        found = os.stat(path)
    except OSError as error:
        return error.errno
    return found.st_mtime_ns, found.st_ino, found.st_size, found.st_mode, found.st_uid


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
