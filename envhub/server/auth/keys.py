"""API keys: made and revoked on the command line, kept hashed in one file, noticed by running servers within a second.

A key is ``envhub_<id>_<secret>``. The id is public: it stands in logs and in ``envhub keys list``. The secret is 256 random
bits and is shown once; the file holds its SHA-256. A slow hash such as scrypt protects what people choose, by making each
guess dear; 2^256 guesses need no such help, and it would cost every request milliseconds. ::

    text, key = KeyFile(path).create("trainer", ["play"], rate=100.0)
    keyring = Keyring(path)
    keyring.find(text.encode()) == key

The file is replaced as a whole, so whoever reads it never sees half of it. Whatever is wrong with it lets nobody in.
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
"""What a key looks like; the group is its id."""
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_NOBODY: Final = bytes(32)  # compared with where no key has the id, so that a miss takes as long as a hit
_CHECK_S: Final = 1.0
_VERSION: Final = 1
_MAX_BYTES: Final = 16 * 2**20

_log = logging.getLogger(__name__)


class KeysUnavailable(EnvhubError, RuntimeError):
    """The file of keys cannot be read, or is not to be trusted: nobody can be let in."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key; not the key.

    Attributes:
        id: Its public part.
        name: What its maker calls it; unique among those in use.
        scopes: What it may be used for, of :data:`SCOPES`.
        digest: SHA-256 of the whole key.
        rate: Requests a second; None for any number.
        episodes: Most open episodes at once; None for any number.
        created: When it was made, in seconds of the epoch.
        expires: From when on it is refused; None for never.
        revoked: When it was revoked.
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
        """Whether it may be used."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and now >= self.expires else "active"


class KeyFile:
    """The file of keys, for those who change it.

    Args:
        path: Where it is, or is to be.
        clock: Seconds of the epoch.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock

    def read(self) -> list[Key]:
        """Every key, in the order of their making; none where there is no file.

        Raises:
            KeysUnavailable: The file cannot be read, or others than its owner may write it.
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
        """Make a key; its text, which nobody can show again, and what is kept of it.

        Raises:
            InvalidParameters: The name is taken or malformed, there is no such scope, or a limit is no limit.
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
                    f"There is a key {name!r} already; choose another name, or revoke that one first."
                )
            keys.append(key)
        return text, key

    def revoke(self, which: str) -> Key:
        """Revoke a key by id or name. Its line stays, so that a server with no other key does not open itself to all.

        Raises:
            InvalidParameters: There is no such key in use.
            KeysUnavailable: The file cannot be read or written.
        """
        with self._changing() as keys:
            for place, key in enumerate(keys):
                if which in (key.id, key.name) and key.revoked is None:
                    keys[place] = replace(key, revoked=self._clock())
                    return keys[place]
            known = [text for key in keys if key.revoked is None for text in (key.id, key.name)]
            raise InvalidParameters(f"No key in use has the id or name {which!r}.{nearest(which, known)}")

    @contextmanager
    def _changing(self) -> Iterator[list[Key]]:
        """The keys, to change; written when the block ends well. One change at a time."""
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
    """The keys as a server sees them: looks at the file's date once a second at most, and reads it when that has changed.

    Args:
        path: The file; None for a server that is not to have keys.
        required: Whether a key is needed even though there is none; else one is needed from the first key on.
        clock: Seconds of the epoch, by which keys expire.
        ticks: Seconds that only grow, by which the file is looked at.
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
        self._mark: object = None
        self._broken: str | None = None
        self._looked = -math.inf

    @property
    def required(self) -> bool:
        """Whether a request needs a key. Once it does it always will: no change of the file opens a running server."""
        self._look()
        return self._required

    def find(self, presented: bytes) -> Key | None:
        """The key that was presented, in use or not; None when it is none.

        Raises:
            KeysUnavailable: The file of keys cannot be read.
        """
        self._look()
        if self._broken is not None:
            raise KeysUnavailable(self._broken)
        form = TOKEN.fullmatch(presented)
        key = self._keys.get(form[1]) if form is not None else None
        same = compare_digest(sha256(presented).digest(), _NOBODY if key is None else key.digest)
        return key if same else None

    def state(self, key: Key) -> Literal["active", "expired", "revoked"]:
        """Whether a key may be used now."""
        return key.state(self._clock())

    def holds(self, key: Key) -> bool:
        """Whether a key that was found before may be used now."""
        self._look()
        now = self._keys.get(key.id.encode()) if self._broken is None else None
        return now is not None and now.digest == key.digest and self.state(now) == "active"

    def usable(self) -> int:
        """How many keys may be used now.

        Raises:
            KeysUnavailable: The file of keys cannot be read.
        """
        self._look()
        if self._broken is not None:
            raise KeysUnavailable(self._broken)
        now = self._clock()
        return sum(key.state(now) == "active" for key in self._keys.values())

    def _look(self) -> None:
        if self._path is None:
            return
        ticks = self._ticks()
        if ticks - self._looked < _CHECK_S:
            return
        self._looked = ticks
        mark = _mark(self._path)
        if mark != self._mark or self._broken is not None:
            self._read(self._path)
            self._mark = mark

    def _read(self, path: Path) -> None:
        try:
            keys = read_keys(path)
        except KeysUnavailable as error:
            if self._broken is None:
                _log.error("nobody is let in: %s", error)
            self._broken, self._required = str(error), True
            return
        self._broken = None
        self._keys = {key.id.encode(): key for key in keys}
        self._required = self._required or bool(keys)


def read_keys(path: Path) -> list[Key]:
    """The keys in a file; none where there is no file.

    Raises:
        KeysUnavailable: The file cannot be read, is none of ours, or others than its owner may write it.
    """
    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise KeysUnavailable(
                    f"{path} can be written by others than its owner: look who did, then chmod 600 it."
                )
            if about.st_uid not in (0, os.geteuid()):
                raise KeysUnavailable(
                    f"{path} belongs to user {about.st_uid}; the server trusts its own user's and root's."
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
        raise KeysUnavailable(f"{path} is not a file of keys written by this version of envhub.") from None


def _check(
    name: str, scopes: Sequence[str], rate: float | None, episodes: int | None, lifetime_s: float | None
) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidParameters(f"A key's name is 1 to 64 of A-Z a-z 0-9 . _ -, got {name!r}.")
    if not scopes:
        raise InvalidParameters(f"A key has at least one scope; there are {', '.join(SCOPES)}.")
    for scope in scopes:
        if scope not in SCOPES:
            raise InvalidParameters(f"No scope {scope!r}; there are {', '.join(SCOPES)}.{nearest(scope, SCOPES)}")
    for what, limit in (("rate", rate), ("number of episodes", episodes), ("lifetime", lifetime_s)):
        if limit is not None and not 0 < limit < math.inf:
            raise InvalidParameters(f"The {what} of a key is more than 0, got {limit}.")


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
    """A key of the file; anything unexpected is an error, for a limit that is not understood must not be lifted."""
    fields = dict(line)
    digest, scopes = bytes.fromhex(fields.pop("sha256")), frozenset(fields.pop("scopes"))
    key = Key(digest=digest, scopes=scopes, **fields)
    _check(key.name, sorted(scopes), key.rate, key.episodes, None)
    moments = (key.created, key.expires, key.revoked)
    if len(digest) != 32 or not all(moment is None or 0 <= moment < math.inf for moment in moments):
        raise ValueError
    return key


def _mark(path: Path) -> object:
    """Another one whenever the file has changed."""
    try:
        found = os.stat(path)
    except OSError as error:
        return error.errno
    return found.st_mtime_ns, found.st_ino, found.st_size, found.st_mode, found.st_uid


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
