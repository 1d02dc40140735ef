"""Games in a user's files, identified by their content.

A task key names a path and a digest of all games there, so it means the same games everywhere. On another machine they are
searched at their path, and under the same name in the folders of ``ENVHUB_DATASETS``::

    class Params(UserGamesParams):
        @classmethod
        def listing(cls, path):                   # the games of a path, each a tuple of texts with its digests
            return games_at(path)

    game = from_files((story, about), described)  # reads and hashes a file once, and again if it has changed
    [story, about] = read_files(path, [("quest.z8", digest), ("quest.json", other)])

A file that a process has hashed is recognised by its inode, size and times. The content that is played is compared with its
digest each time, so a changed file is an error and never another task.

Games that cannot be played are left out by name, and the others are drawn (:class:`Playable`).
"""

from __future__ import annotations

import logging
import os
import stat
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, Self, TypeVar

from pydantic import Field, model_validator

from envhub.authoring import BaseParams
from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.generators.user_files.files import content_at

__all__ = [
    "Listing",
    "Playable",
    "UserGamesParams",
    "digest_of_games",
    "from_files",
    "kept_games",
    "place_of_games",
    "read_files",
]

T = TypeVar("T", bound=tuple[str, ...])
Found = TypeVar("Found")
Listing = Callable[[str], Sequence[tuple[str, ...]]]
"""The games of a file or folder; each is a tuple of its name and the digests of its files."""
_MOST_REMEMBERED: Final = 1 << 16
_MOST_NAMED: Final = 3
_log = logging.getLogger(__name__)


class UserGamesParams(BaseParams):
    """Parameters with a path of games."""

    path: str = Field("", description="a folder of games, or one game")
    digest: str = Field("", description="SHA-256 of the games; what they are now, if not given")

    @classmethod
    @abstractmethod
    def listing(cls, path: str) -> Sequence[tuple[str, ...]]:
        """The games of a file or folder.

        Each is a tuple of its name and the digests of its files.

        Raises:
            InvalidParameters: No games, or they cannot be read.
        """

    @model_validator(mode="before")
    @classmethod
    def _fill_in_digest(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or given.get("digest") or not isinstance(given.get("path"), str):
            return given
        return {**given, "digest": digest_of_games(given["path"], cls.listing) if given["path"] else ""}

    @model_validator(mode="after")
    def _there(self) -> Self:
        if self.path:
            place_of_games(self.path, self.digest, self.listing)
        return self


def digest_of_games(path: str, listing: Listing) -> str:
    """The SHA-256 of all games of a path, with their names.

    Raises:
        InvalidParameters: They cannot be read.
    """
    whole = sha256()
    for game in listing(path):
        whole.update("\0".join(game).encode() + b"\n")
    return whole.hexdigest()


def place_of_games(path: str, digest: str, listing: Listing) -> str:
    """The place of the games with a digest.

    It is their path, or in ``ENVHUB_DATASETS``.

    Raises:
        InvalidParameters: Nowhere.
    """
    there = [place for place in _places(path) if os.path.exists(place)]
    for place in there:
        if digest_of_games(place, listing) == digest:
            return place
    if not there:
        listing(path)  # its error says more
    why = "they have changed since" if there else "they are missing"
    raise InvalidParameters(
        f"The task needs the games {path!r} with SHA-256 {digest[:16]}..., but {why}. Restore them, or name their "
        "folder in ENVHUB_DATASETS."
    )


def kept_games(path: str, digest: str, listing: Callable[[str], Sequence[T]]) -> Sequence[T]:
    """The games with a digest, found once per process.

    A file that changes afterwards is noticed when it is read.

    Raises:
        InvalidParameters: They are nowhere.
    """
    found: Sequence[T] = _found(path, digest, listing)
    return found


@lru_cache(maxsize=16)
def _found(path: str, digest: str, listing: Any) -> Any:
    return listing(place_of_games(path, digest, listing))


def read_files(path: str, wanted: Sequence[tuple[str, str]]) -> list[bytes]:
    """The contents of files, each given by name and digest.

    A name follows the path directly.

    Raises:
        InvalidParameters: They are not there, or have changed.
    """
    last: InvalidParameters | None = None
    for place in _places(path):
        try:
            return [content_at(place + name, digest) for name, digest in wanted]
        except InvalidParameters as error:
            last = last or error
    assert last is not None
    raise last


def from_files(paths: Sequence[str], read: Callable[[tuple[bytes, ...]], Found]) -> Found:
    """What ``read`` makes of the contents of files.

    They are read once per process, and again after a change.

    Raises:
        InvalidParameters: A file cannot be read.
    """
    try:
        found: Found = _from_files(tuple(paths), tuple(_state(path) for path in paths), read)
    except OSError as error:
        raise InvalidParameters(f"The file {error.filename!r} cannot be read: {error.strerror}.") from None
    return found


@lru_cache(maxsize=_MOST_REMEMBERED)
def _from_files(paths: tuple[str, ...], states: tuple[tuple[int, ...], ...], read: Any) -> Any:
    return read(tuple(Path(path).read_bytes() for path in paths))


def _state(path: str) -> tuple[int, ...]:
    """By what a change of a file is noticed.

    The last time is set by the system alone.
    """
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise InvalidParameters(f"The file {path!r} cannot be read: that is no file.")
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class Playable(Generic[T, Found]):
    """Which games can be played; the others are left out by name.

    Whether a game is left out must follow from its content and the parameters alone, so that a seed always draws the same
    task. A failure of ours is an exception, and leaves out nothing.

    Args:
        what: Name of the games, for messages.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._reasons: dict[tuple[T, Hashable], str | None] = {}  # None: it was prepared

    def prepared(
        self, path: str, game: T, games: Sequence[T], options: Hashable, prepare: Callable[[T], Found | str]
    ) -> Found | None:
        """A game that was drawn, prepared; None if it is left out.

        Args:
            path: Where the games are, for messages.
            game: The game that was drawn.
            games: All games that may be drawn.
            options: What else decides whether a game can be played.
            prepare: Prepares a game, or returns the reason why it cannot be played.

        Raises:
            InvalidParameters: None of the games can be played.
        """
        found = self._tried(path, game, options, prepare)
        if not isinstance(found, str):
            return found
        reasons = []
        for each in games:
            if self._reasons.get((each, options), "") is None:
                return None
            try:
                reason = self._tried(path, each, options, prepare)
            except EnvhubError:  # says nothing about that game; its own draw reports the failure
                return None
            if not isinstance(reason, str):
                return None
            reasons.append(f"{_named(path, each)}: {reason}")
        more = f" ({len(games) - _MOST_NAMED} more)" if len(games) > _MOST_NAMED else ""
        named = "; ".join(reasons[:_MOST_NAMED])
        raise InvalidParameters(f"No game of {self._what} in {path!r} can be played. {named}{more}.")

    def _tried(self, path: str, game: T, options: Hashable, prepare: Callable[[T], Found | str]) -> Found | str:
        known = self._reasons.get((game, options))
        if known is not None:
            return known
        found = prepare(game)
        if len(self._reasons) >= _MOST_REMEMBERED:
            self._reasons.clear()
        self._reasons[game, options] = found if isinstance(found, str) else None
        if isinstance(found, str):
            _log.warning("The game %s of %r is left out: %s.", _named(path, game), path, found)
        return found


def _named(path: str, game: tuple[str, ...]) -> str:
    return repr(game[0] or os.path.basename(path.rstrip("/")))


def _places(path: str) -> list[str]:
    folders = [folder for folder in os.environ.get("ENVHUB_DATASETS", "").split(os.pathsep) if folder]
    return [path, *(os.path.join(folder, os.path.basename(path.rstrip("/"))) for folder in folders)]
