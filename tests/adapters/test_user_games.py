"""A user's games: files are hashed once, changes are noticed, and games that cannot be played are left out by name."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.adapters.alfworld import files as alfworld
from envhub.adapters.shared import user_games
from envhub.adapters.shared.user_games import Playable, UserGamesParams, from_files
from envhub.adapters.textworld import files as textworld
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.seeding import Stream
from tests.adapters.alfworld.instances import write

COUNT = 80  # more than the digests that are kept of other files
ALL = ("a", "b", "c")


class Params(UserGamesParams):
    @classmethod
    def listing(cls, path: str) -> Any:
        return textworld.games_at(path)

    @classmethod
    def at(cls, difficulty: int) -> Any:
        return cls()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the files whose content was read."""
    names: list[str] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: (names.append(self.name), read(self))[1])
    user_games._from_files.cache_clear()
    yield names
    user_games._from_files.cache_clear()


def folder_of_games(folder: Path) -> Path:
    for number in range(COUNT):
        (folder / f"{number:02}.z8").write_bytes(b"\x08" + bytes([number]))
        (folder / f"{number:02}.json").write_text("{}")
    return folder


def test_each_file_is_hashed_once_however_often_the_folder_is_named(tmp_path: Path, opened: list[str]) -> None:
    folder = folder_of_games(tmp_path)
    first = Params(path=str(folder))
    assert sorted(opened) == sorted(path.name for path in folder.iterdir())
    for _ in range(3):
        assert Params(path=str(folder)).digest == first.digest
        assert Params(path=str(folder), digest=first.digest) == first
    assert len(opened) == 2 * COUNT


def test_a_change_of_the_same_size_and_time_is_noticed(tmp_path: Path, opened: list[str]) -> None:
    folder, changed = folder_of_games(tmp_path), tmp_path / "07.z8"
    first = Params(path=str(folder))
    times = changed.stat().st_atime_ns, changed.stat().st_mtime_ns
    game = textworld.games_at(str(folder))[7]
    beside = tmp_path / "beside"
    beside.write_bytes(b"\x08?")
    os.utime(beside, ns=times)
    beside.replace(changed)
    with pytest.raises(ValueError, match="have changed since"):
        Params(path=str(folder), digest=first.digest)
    assert Params(path=str(folder)).digest != first.digest
    assert opened.count("07.z8") == 2
    assert len(opened) == 2 * COUNT + 2  # the game that has changed is read again, and no other
    with pytest.raises(InvalidParameters, match="changed"):
        textworld.read_game({"path": str(folder), **game._asdict()})


def test_alfworlds_files_are_read_once(tmp_path: Path, opened: list[str]) -> None:
    folder = str(write(tmp_path))
    games = alfworld.games_at(folder)
    assert alfworld.games_at(folder) == games
    assert sorted(opened) == ["initial_state.pddl"] * 2 + ["traj_data.json"] * 2


def test_what_cannot_be_read_is_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(InvalidParameters, match="cannot be read"):
        from_files([str(path)], len)
    path.write_bytes(b"x")
    assert from_files([str(path)], len) == 1
    with pytest.raises(InvalidParameters, match="is no file"):
        from_files([str(tmp_path)], len)


# -- games that cannot be played ---------------------------------------------------------------------------------------------


def draws(playable: Playable[Any, str], prepare: Any, count: int = 30) -> list[tuple[str] | None]:
    """What the draws of these seeds find, in a process that knows nothing yet."""
    games = [(name,) for name in ALL]
    found = []
    for seed in range(count):
        game = Stream(b"", "games", seed).choice(games)
        prepared = playable.prepared("folder", game, games, 50, prepare)
        found.append(None if prepared is None else prepared)
    return found


def prepare(game: tuple[str]) -> Any:
    return "no plan for it is known" if game == ("b",) else [game]


def test_a_game_that_cannot_be_played_is_named_once_and_the_others_are_drawn(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        found = draws(Playable("Stand-in"), prepare)
    assert [None if each is None else each[0] for each in found].count(None) > 0
    assert {each[0] for each in found if each} == {("a",), ("c",)}
    assert [record.getMessage() for record in caplog.records] == [
        "The game 'b' of 'folder' is left out: no plan for it is known."
    ]
    again = Playable[Any, Any]("Stand-in")
    assert again.prepared("folder", ("c",), [("c",)], 50, prepare) == [("c",)]
    assert draws(again, prepare) == found  # whatever was drawn before


def test_a_game_is_not_prepared_again_to_leave_out_another() -> None:
    tried: list[str] = []

    def counted(game: tuple[str]) -> Any:
        tried.append(game[0])
        return prepare(game)

    playable, games = Playable[Any, Any]("Stand-in"), [("a",), ("b",)]
    for _ in range(9):
        assert playable.prepared("folder", ("b",), games, 50, counted) is None
    assert tried == ["b", "a"]


def test_other_options_are_tried_again() -> None:
    playable = Playable[Any, Any]("Stand-in")
    games = [("a",), ("b",)]
    assert playable.prepared("folder", ("b",), games, 50, prepare) is None
    assert playable.prepared("folder", ("b",), games, 90, lambda game: [game]) == [("b",)]


def test_no_game_that_can_be_played_is_an_error_with_the_reasons() -> None:
    with pytest.raises(InvalidParameters, match=r"No game of Stand-in in 'folder' .*'a': too long; .*'b': too long"):
        draws(Playable("Stand-in"), lambda game: "too long")


def test_a_failure_of_ours_leaves_out_nothing() -> None:
    failing = [True]

    def failed(game: tuple[str]) -> Any:
        if failing[0] and game != ("b",):
            raise ResourceError("the process ended")
        return prepare(game)

    playable, games = Playable[Any, Any]("Stand-in"), [("a",), ("b",)]
    with pytest.raises(ResourceError):
        playable.prepared("folder", ("a",), games, 50, failed)
    assert playable.prepared("folder", ("b",), games, 50, failed) is None  # the other one may be playable
    failing[0] = False
    assert playable.prepared("folder", ("a",), games, 50, failed) == [("a",)]
