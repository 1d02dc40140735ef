"""Games in a user's files, identified by their content.

A task key names a path and a digest of all games there, so it means the same games everywhere. On another machine they are
looked for at their path, and under the same name in the folders of ``ENVHUB_DATASETS``::

    class Params(UserGamesParams):
        @classmethod
        def listing(cls, path):                   # the games of a path, each a tuple of texts with its digests
            return games_at(path)

    [story, about] = read_files(path, [("quest.z8", digest), ("quest.json", other)])
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Self, TypeVar

from pydantic import Field, model_validator

from envhub.authoring import BaseParams
from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.files import content_at

__all__ = ["Listing", "UserGamesParams", "digest_of_games", "kept_games", "place_of_games", "read_files"]

T = TypeVar("T", bound=tuple[str, ...])
Listing = Callable[[str], Sequence[tuple[str, ...]]]
"""The games of a file or folder; each is a tuple of its name and the digests of its files."""


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


def _places(path: str) -> list[str]:
    folders = [folder for folder in os.environ.get("ENVHUB_DATASETS", "").split(os.pathsep) if folder]
    return [path, *(os.path.join(folder, os.path.basename(path.rstrip("/"))) for folder in folders)]
