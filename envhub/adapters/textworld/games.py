"""TextWorld's games as resources of episodes.

They are made and played in a process of their own, and compiled ones are kept on disk.

::

    source = made("quest", settings, brief=False, seed=7)     # a Source: its JSON text and its Z-machine file
    opening(source).view

A game that is made again is the same: its JSON text has a digest, which belongs to the problem. A process that is lost is
replaced and the game rebuilt by its commands; if that fails, the episode is an ``error``.
"""

from __future__ import annotations

import json
import zlib
from base64 import b85decode, b85encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from envhub.adapters.shared.library_process import LibraryEpisode, LibraryProcesses
from envhub.adapters.textworld.files import read_game
from envhub.adapters.textworld.tables import RELEASE
from envhub.core.effects import Live, Resource
from envhub.core.errors import MissingExtra, ResourceError
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON, Instance
from envhub.tasks import cache
from envhub.tasks.cache import Found

_KEPT: Final = 32
processes: Final = LibraryProcesses("envhub.adapters.textworld.inside")

try:
    _found = version("textworld")
except PackageNotFoundError as error:
    raise MissingExtra("TextWorld is needed: pip install 'envhub[textworld]'.") from error


class Source(NamedTuple):
    """A game.

    Attributes:
        story: The Z-machine file.
        text: The JSON text.
    """

    story: bytes
    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the JSON text."""
        return sha256(self.text.encode()).hexdigest()


class Opening(NamedTuple):
    """The start of a game.

    Attributes:
        view: The first room.
        objective: What is to be done; may be empty.
        most: The highest score; 0 if unlimited.
        verbs: The verbs of its commands.
        commands: The commands that are possible.
    """

    view: str
    objective: str
    most: int
    verbs: list[str]
    commands: list[str]


def check_release() -> None:
    """Make sure that the installed release is ours.

    Raises:
        ResourceError: It is another one.
    """
    if _found != RELEASE:
        raise ResourceError(f"Expected textworld {RELEASE}, found {_found}: pip install textworld=={RELEASE}.")


@lru_cache(maxsize=_KEPT)
def _made(kind: str, settings: bytes, brief: bool, seed: int) -> str:
    with processes.lent() as process:
        return str(process.call("generated", kind, json.loads(settings), brief, seed))


def made(kind: str, settings: Mapping[str, Any], brief: bool, seed: int) -> str:
    """The JSON text of a generated game.

    Raises:
        ResourceError: TextWorld failed.
    """
    check_release()
    return _made(kind, canonical_json(dict(settings)), brief, seed)


@lru_cache(maxsize=_KEPT)
def compiled(text: str) -> bytes:
    """The Z-machine file of a game.

    It is made once per machine if there is a cache.

    Raises:
        ResourceError: TextWorld failed.
    """
    check_release()
    name = b"textworld" + RELEASE.encode() + sha256(text.encode()).digest()
    kept = cache.default()
    found = kept.get(name) if kept is not None else None
    if found is not None:
        return zlib.decompress(b85decode(found.instance.problem["story"]))
    with processes.lent() as process:
        story = bytes(process.call("compiled", text))
    if kept is not None:
        kept.put(name, Found(0, None, Instance({"story": b85encode(zlib.compress(story)).decode()})))
    return story


def solution(text: str) -> list[str] | None:
    """TextWorld's own solution of a game.

    It is empty if TextWorld knows none. None if the text is not a game of TextWorld.

    Raises:
        ResourceError: The process failed.
    """
    check_release()
    with processes.lent() as process:
        found: list[str] | None = process.call("solution", text)
        return found


def opening(source: Source) -> Opening:
    """The start of a game.

    Raises:
        ResourceError: The game does not start.
    """
    check_release()
    with processes.lent() as process:
        return Opening(**process.call("opened", *source))


def source_of(problem: JSON) -> Source:
    """The game of a problem.

    Raises:
        InvalidParameters: The user's file is not there, or has changed.
        ResourceError: A generated game differs from the one that was drawn.
    """
    if "path" in problem:
        return Source(*read_game(problem))
    text = made(problem["kind"], problem["settings"], problem["brief"], problem["seed"])
    if sha256(text.encode()).hexdigest() != problem["game"]:
        raise ResourceError("The generated game differs from the drawn one: other releases of TextWorld's packages.")
    return Source(compiled(text), text)


class Games(Resource):
    """A game per episode; a lost one is rebuilt by its commands."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """The game of a problem, at its start."""
        check_release()
        source = source_of(problem)
        process = processes.take()
        try:
            process.call("opened", *source)
        except BaseException:
            process.end()
            raise
        return LibraryEpisode(processes, process)
