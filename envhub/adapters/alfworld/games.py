"""ALFWorld's games as resources of episodes.

Each is played in a process of its own. A process that is lost is replaced and the game rebuilt by its commands; if that fails,
the episode is an ``error``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from envhub.adapters.alfworld.files import PROBLEM, read_game
from envhub.adapters.shared.library_process import LibraryEpisode, LibraryProcesses
from envhub.core.effects import Live, Resource
from envhub.core.errors import InvalidParameters, MissingExtra, ResourceError
from envhub.core.types import JSON

RELEASE: Final = "0.4.2"
processes: Final = LibraryProcesses("envhub.adapters.alfworld.inside")

try:
    _found = version("alfworld")
except PackageNotFoundError as error:
    raise MissingExtra("ALFWorld is needed: pip install 'envhub[alfworld]'.") from error


def text_of(problem: JSON) -> str | None:
    """The content of a problem's ``game.tw-pddl``.

    It is completed by ALFWorld's rules if it is missing. None if the trajectory does not say what ALFWorld needs.

    Raises:
        InvalidParameters: The user's files are not there, or have changed.
        ResourceError: Another release is installed, or its process failed.
    """
    if _found != RELEASE:
        raise ResourceError(f"Expected alfworld {RELEASE}, found {_found}: pip install alfworld=={RELEASE}.")
    game, trajectory = read_game(problem)
    return game if problem["file"] != PROBLEM else _completed(game, trajectory)


@lru_cache(maxsize=64)
def _completed(game: str, trajectory: str) -> str | None:
    with processes.lent() as process:
        found: str | None = process.call("completed", game, trajectory)
        return found


def opening(text: str) -> dict[str, Any]:
    """The start of a game; ``refused`` says why it cannot be played.

    Raises:
        ResourceError: Its process failed.
    """
    with processes.lent() as process:
        found = dict(process.call("opened", text))
        if "refused" in found:
            process.end()  # the library may have stopped halfway
        return found


def solution(text: str) -> list[str] | None:
    """A plan that wins; None without one.

    Raises:
        ResourceError: Its process failed.
    """
    with processes.lent() as process:
        found: list[str] | None = process.call("solution", text)
        return found


class Games(Resource):
    """A game per episode; a lost one is rebuilt by its commands."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """The game of a problem, at its start."""
        text = text_of(problem)
        process = processes.take()
        try:
            found = {"refused": "it is incomplete"} if text is None else process.call("opened", text)
            if "refused" in found:
                raise InvalidParameters(f"The game cannot be played: {found['refused']}.")
        except BaseException:
            process.end()
            raise
        return LibraryEpisode(processes, process)
