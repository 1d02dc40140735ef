"""What reaches TextWorld's interpreter, its levels, and a user's files; without TextWorld."""

from __future__ import annotations

from pathlib import Path

import pytest

from envhub.adapters.shared.user_games import digest_of_games, place_of_games
from envhub.adapters.textworld.commands import GameCommand, fault
from envhub.adapters.textworld.files import games_at, read_game
from envhub.adapters.textworld.tables import KINDS, LEVELS
from envhub.core.errors import InvalidParameters

VERBS = ["take", "cook"]
CHEATS = [
    "print_state", "tw-extra-infos inventory", "tw-trace-actions", "tw-print max_score", "restrict commands", "purloin key",
    "gonear chest", "showme chest", "test quest0_0", "abstract key to me", "tree", "scope", "random", "save", "restore",
    "restart", "quit", "q", "script", "verify", "version", "undo", "again", "oops key", "score",
]  # fmt: skip


@pytest.mark.parametrize("command", ["take key", "cook egg with stove", "go north", "x me", "inventory"])
def test_a_command_that_begins_with_a_verb_is_passed_on(command: str) -> None:
    assert fault(GameCommand().parse(command.upper()), VERBS) is None


@pytest.mark.parametrize(
    "text", ['"take key"', "'Take  key'", "> take key", "\u201ctake key\u201d", "take key.", "`take key`"]
)
def test_a_command_is_read_without_what_stands_around_it(text: str) -> None:
    assert GameCommand().read(f"<answer>{text}</answer>").value == "take key"


@pytest.mark.parametrize("command", [*CHEATS, "take key then restart", "look again"])
def test_other_commands_are_not(command: str) -> None:
    reading = GameCommand().read(f"<answer>{command}</answer>")
    assert reading.value is None or fault(reading.value, VERBS) is not None


@pytest.mark.parametrize(
    "text", ["take key. restart", "take key, drop it", "look\nlook", "a" * 121, "<score>9</score>", "*** The End ***"]
)
def test_what_is_not_one_plain_command_is_unreadable(text: str) -> None:
    assert GameCommand().read(f"<answer>{text}</answer>").reason is not None


def test_every_kind_belongs_to_a_level() -> None:
    assert len(LEVELS) == 10
    assert {game.kind for level in LEVELS for game in level} == {*KINDS}


def game(folder: Path, name: str, story: bytes = b"\x08story", about: str = "{}") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(about)
    (folder / f"{name}.z8").write_bytes(story)
    return folder / f"{name}.z8"


def test_a_folder_is_the_games_in_it_and_its_digest_is_their_content(tmp_path: Path) -> None:
    one, folder = game(tmp_path / "games", "one"), str(tmp_path / "games")
    before = digest_of_games(folder, games_at)
    assert digest_of_games(str(one), games_at) != before  # the name in the folder counts
    assert before == digest_of_games(folder, games_at)
    game(tmp_path / "games", "two", about="{ }")
    assert [found.name for found in games_at(folder)] == ["one.z8", "two.z8"]
    assert digest_of_games(folder, games_at) != before
    with pytest.raises(InvalidParameters, match="have changed since"):
        place_of_games(folder, before, games_at)


def test_a_game_is_found_by_its_content_in_the_data_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(game(tmp_path / "here", "one"))
    [found] = games_at(path)
    problem = {"path": path, **found._asdict()}
    assert read_game(problem) == (b"\x08story", "{}")
    digest = digest_of_games(path, games_at)
    (tmp_path / "here").rename(tmp_path / "there")
    with pytest.raises(InvalidParameters, match="cannot be read"):
        read_game(problem)
    monkeypatch.setenv("ENVHUB_DATASETS", str(tmp_path / "there"))
    assert read_game(problem) == (b"\x08story", "{}")
    assert place_of_games(path, digest, games_at) == str(tmp_path / "there" / "one.z8")
    game(tmp_path / "there", "one", about="{ }")
    with pytest.raises(InvalidParameters):
        read_game(problem)


@pytest.mark.parametrize(
    ("name", "why"), [("old.ulx", "Make the game again"), ("game.txt", "must be a folder"), ("none.z8", "beside it")]
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(InvalidParameters, match=why):
        games_at(str(tmp_path / name))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="holds no game"):
        games_at(str(tmp_path))
