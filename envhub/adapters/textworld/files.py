"""TextWorld games of the user: a file, or a folder.

A game is a Z-machine file ``NAME.z8`` with ``NAME.json`` beside it, as ``tw-make`` writes both; each has its SHA-256::

    [game] = games_at("tw_games/quest.z8")        # a UserGame: its name and the digests of both files
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from envhub.adapters.shared.user_games import from_files, read_files
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON

_STORY: Final = ".z8"
_OLD: Final = (".ulx", ".gblorb", ".z5", ".z3")
_MOST: Final = 10_000


class UserGame(NamedTuple):
    """A game in a user's folder.

    Attributes:
        name: Its path in the folder, with ``/``; empty if the path is the game itself.
        story: SHA-256 of the Z-machine file.
        about: SHA-256 of the JSON file.
    """

    name: str
    story: str
    about: str


def games_at(path: str) -> Sequence[UserGame]:
    """The games of a file or folder, ordered by name.

    Raises:
        InvalidParameters: No games, or one of them has no JSON file.
    """
    if os.path.isdir(path):
        names = sorted(found.relative_to(path).as_posix() for found in Path(path).rglob(f"*{_STORY}"))
        if not names:
            raise InvalidParameters(f"The folder {path!r} holds no game, a file *{_STORY} with its *.json.")
        if len(names) > _MOST:
            raise InvalidParameters(f"The folder {path!r} holds {len(names)} games; at most {_MOST} are read.")
        return tuple(_game(path, name) for name in names)
    if path.endswith(_OLD):
        raise InvalidParameters(
            f"{path!r} cannot be played: TextWorld 1.7.0 plays {_STORY} files. Make the game again with tw-make, which "
            f"writes {_STORY} and .json."
        )
    if not path.endswith(_STORY):
        raise InvalidParameters(f"{path!r} must be a folder of games or a file *{_STORY} with its *.json beside it.")
    return (_game(path, ""),)


def read_game(problem: JSON) -> tuple[bytes, str]:
    """The Z-machine file and the JSON text of a problem's game.

    Raises:
        InvalidParameters: They are not there, have changed, or are not text.
    """
    name = f"/{problem['name']}" if problem["name"] else ""
    if not name:  # the path is the game, and its JSON file is beside it
        [story] = read_files(problem["path"], [("", problem["story"])])
        [about] = read_files(_beside(problem["path"]), [("", problem["about"])])
    else:
        story, about = read_files(problem["path"], [(name, problem["story"]), (_beside(name), problem["about"])])
    try:
        return story, about.decode()
    except UnicodeDecodeError as error:
        raise InvalidParameters(f"The JSON file of {problem['path'] + name!r} must be UTF-8: {error}.") from None


def _game(path: str, name: str) -> UserGame:
    story = os.path.join(path, name) if name else path
    if not os.path.isfile(_beside(story)):
        raise InvalidParameters(
            f"The game {story!r} has no {os.path.basename(_beside(story))!r} beside it, which holds its goal and its "
            "logic. Copy it from where tw-make wrote both."
        )
    return UserGame(name, *from_files((story, _beside(story)), _digests))


def _digests(contents: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(sha256(content).hexdigest() for content in contents)


def _beside(story: str) -> str:
    return story.removesuffix(_STORY) + ".json"
