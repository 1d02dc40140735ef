"""Games of ALFWorld that a user supplies, as its download unpacks them.

A game is a folder with ``game.tw-pddl``, or with ``initial_state.pddl``, and ``traj_data.json``, which names its kind of
task. As in ALFWorld, trials with movable receptacles and sliced things are left out, and so are games that are
marked as unsolvable::

    [game] = games_at("json_2.1.1/valid_unseen")         # UserGames: names and digests of their files
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from envhub.adapters.shared.user_games import from_files, read_files
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON

GAME: Final = "game.tw-pddl"
PROBLEM: Final = "initial_state.pddl"
TRAJECTORY: Final = "traj_data.json"
TASKS: Final = (
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
)
_LEFT_OUT: Final = ("movable", "Sliced")
_MOST: Final = 20_000


class UserGame(NamedTuple):
    """A game in a user's folder.

    Attributes:
        name: Its folder, relative to the path and with ``/``; empty if the path is this folder.
        file: Name of the file with the problem: :data:`GAME` or :data:`PROBLEM`.
        digest: SHA-256 of this file.
        trajectory: SHA-256 of :data:`TRAJECTORY`.
        task: Kind of task, one of :data:`TASKS`.
    """

    name: str
    file: str
    digest: str
    trajectory: str
    task: str


def games_at(path: str) -> Sequence[UserGame]:
    """The games of a folder, ordered by name.

    Raises:
        InvalidParameters: No games, or one of them cannot be read.
    """
    if not os.path.isdir(path):
        raise InvalidParameters(f"{path!r} must be a folder with ALFWorld's games, such as json_2.1.1/train.")
    found = []
    for trajectory in sorted(Path(path).rglob(TRAJECTORY)):
        name = trajectory.parent.relative_to(path).as_posix()
        if not any(part in name for part in _LEFT_OUT) and (game := _game(trajectory, name)) is not None:
            found.append(game)
    if not found:
        raise InvalidParameters(
            f"The folder {path!r} holds no game of ALFWorld: a folder with {TRAJECTORY} and {GAME} (or {PROBLEM})."
        )
    if len(found) > _MOST:
        raise InvalidParameters(f"The folder {path!r} holds {len(found)} games; at most {_MOST} are read.")
    return tuple(found)


def read_game(problem: JSON) -> tuple[str, str]:
    """The file with the problem, and the trajectory.

    Raises:
        InvalidParameters: They are not there, have changed, or are not text.
    """
    inner = f"/{problem['name']}/" if problem["name"] else "/"
    wanted = [(inner + problem["file"], problem["digest"]), (inner + TRAJECTORY, problem["trajectory"])]
    try:
        game, trajectory = (content.decode() for content in read_files(problem["path"], wanted))
    except UnicodeDecodeError as error:
        raise InvalidParameters(f"The game {problem['name']!r} must be UTF-8: {error}.") from None
    return game, trajectory


def _game(trajectory: Path, name: str) -> UserGame | None:
    """The game beside a trajectory.

    None if its problem is missing, unsolvable, or of another kind.
    """
    files = [file for file in (GAME, PROBLEM) if (trajectory.parent / file).is_file()][:1]
    try:
        found = from_files([str(trajectory.parent / file) for file in (TRAJECTORY, *files)], _described)
    except ValueError as error:
        if isinstance(error, InvalidParameters):
            raise
        raise InvalidParameters(f"The game in {str(trajectory.parent)!r} cannot be read: {error}.") from None
    if not files or found is None:
        return None
    return UserGame("" if name == "." else name, files[0], *found)


def _described(contents: tuple[bytes, ...]) -> tuple[str, str, str] | None:
    """Digests of problem and trajectory, and the kind of task.

    None if the game is left out.

    Raises:
        ValueError: A file is not a JSON object.
    """
    trajectory, *problem = contents
    task = _object(TRAJECTORY, trajectory).get("task_type")
    if task not in TASKS or not problem:
        return None
    [content] = problem
    if content.lstrip().startswith(b"{") and _object(GAME, content).get("solvable") is False:
        return None
    return sha256(content).hexdigest(), sha256(trajectory).hexdigest(), str(task)


def _object(name: str, content: bytes) -> dict[str, JSON]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} cannot be read as JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{name} must hold a JSON object")
    return found
