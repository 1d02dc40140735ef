"""Games of NetHack as resources of episodes.

Each game runs in a process of its own.

::

    opened(7, "mon-hum-neu-mal", "gold")["text"]         # the first screen

A game is a function of its three seeds and of the keys: time and moon are fixed, and NetHack draws no new seeds. A process that
is lost is replaced and the game rebuilt by its actions; if that fails, the episode is an ``error``.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from envhub.adapters.nle.tables import RELEASE
from envhub.adapters.shared.library_process import LibraryEpisode, LibraryProcess, LibraryProcesses
from envhub.core.effects import Live, Resource
from envhub.core.errors import MissingExtra, ResourceError
from envhub.core.seeding import Stream
from envhub.core.types import JSON

processes: Final = LibraryProcesses("envhub.adapters.nle.inside")
_SEED_BITS: Final = 31

try:
    _found = version("nle")
except PackageNotFoundError as error:
    raise MissingExtra("NetHack is needed: pip install 'envhub[nle]'.") from error


def seeds_of(number: int) -> list[int]:
    """NetHack's three seeds of a problem.

    They are for its rules, for what only decorates, and for its levels, and are drawn from a
    stream of ours, so that no screen tells them.
    """
    rng = Stream(b"nle", "seeds", number)
    return [rng.bits(_SEED_BITS) for _ in range(3)]


def opened(seed: int, character: str, task: str) -> dict[str, Any]:
    """The first screen of a game.

    Raises:
        ResourceError: NetHack does not start, or another release is installed.
    """
    with processes.lent() as process:
        return _begun(process, seed, character, task)


def solution(seed: int, character: str, task: str, target: int, most: int) -> Sequence[str] | None:
    """The actions of a script that explores the level.

    None if it does not reach the target in time.

    Raises:
        ResourceError: NetHack does not start, or another release is installed.
    """
    _check_release()
    with processes.lent() as process:
        found: Sequence[str] | None = process.call("solution", seeds_of(seed), character, task, target, most)
        return found


class Games(Resource):
    """A game per episode; a lost one is rebuilt by its actions."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """The game of a problem, at its start."""
        process = processes.take()
        try:
            _begun(process, problem["seed"], problem["character"], problem["task"])
        except BaseException:
            process.end()
            raise
        return LibraryEpisode(processes, process, "action")


def _begun(process: LibraryProcess, seed: int, character: str, task: str) -> dict[str, Any]:
    _check_release()
    return dict(process.call("opened", seeds_of(seed), character, task))


def _check_release() -> None:
    if _found != RELEASE:
        raise ResourceError(f"Expected nle {RELEASE}, found {_found}: pip install nle=={RELEASE}.")
