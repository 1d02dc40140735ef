"""``envhub picture``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import envhub
from envhub.scenes.svg import svg
from tests.cli.commands import run


def test_the_picture_is_that_of_the_task(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    found = run("picture", "sokoban-v0", "-o", str(file), "--difficulty", "2", "--seed", "5")
    assert found.exit_code == 0, found.output
    env = envhub.make("sokoban-v0", difficulty=2)
    env.reset(seed=5)
    scene = env.scene()
    assert scene is not None
    assert file.read_text() == svg(scene)
    assert f"{scene.width} x {scene.height}" in found.output


def test_a_png_is_written_where_the_name_says_so(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    assert run("picture", "sudoku-v0", "-o", str(file), "--palette", "warm").exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_without_a_name_the_file_has_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("picture", "tic-tac-toe-v0").exit_code == 0
    assert ElementTree.parse(tmp_path / "tic-tac-toe-v0.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["arithmetic-v0"], 1, "the environment has none"),
        (["sudoku-v0", "-o", "x.jpg"], 2, "must end in .svg or .png"),
        (["sudoku-v0", "--palette", "worm"], 2, "Did you mean 'warm'"),
        (["sudoku-v0", "-o", "/nowhere/x.svg"], 2, "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_explained(arguments: list[str], code: int, said: str) -> None:
    found = run("picture", *arguments)
    assert (found.exit_code, said in " ".join(found.output.split())) == (code, True), found.output
