"""The pictures of environments: there, within their frame, and without what is hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.authoring.game import Game
from envhub.core.seeding import Stream
from envhub.scenes import Line, Oval, Polygon, Rect, Scene, Text
from tests.golden.pixels import RECORD, digests, pictured

PICTURED = pictured()
GOLDEN: dict[str, dict[str, str]] = json.loads(Path(RECORD).read_text())


def seen(id: str, level: int, seed: int, turns: int = 0) -> Scene | None:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=seed)
    for _ in range(turns):
        if env.step(env.solve())[2]:
            break
    return env.scene()


def corners(shape: Any) -> list[tuple[int, int]]:
    if isinstance(shape, Rect):
        return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    if isinstance(shape, Oval):
        return [(shape.x - shape.rx, shape.y - shape.ry), (shape.x + shape.rx, shape.y + shape.ry)]
    if isinstance(shape, Line | Polygon):
        return list(shape.points)
    return [(shape.x, shape.y - shape.size // 2), (shape.x, shape.y + shape.size // 2)]


@pytest.mark.parametrize("id", PICTURED)
def test_a_picture_is_there_and_within_its_frame(id: str) -> None:
    for level in (1, 5):
        scene = seen(id, level, seed=11, turns=2)
        assert scene is not None
        places = [place for shape in scene.shapes for place in corners(shape)]
        assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in places)
        assert len(scene.shapes) > 2


@pytest.mark.parametrize("id", PICTURED)
def test_pixels_are_those_on_record(id: str) -> None:
    assert digests([id]) == {id: GOLDEN[id]}


@pytest.mark.slow
def test_the_oldest_supported_pillow_draws_the_same_pixels(tmp_path: Path) -> None:
    folder = Path(RECORD).parents[2] / ".venvs" / "pillow-10.4.0"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"{folder} is missing")
        pytest.skip("needs the oldest supported Pillow (make .venvs/pillow-10.4.0)")
    program = (
        "import json, PIL, sys; from tests.golden.pixels import digests; "
        "print(json.dumps([PIL.__version__, digests(sys.argv[1:])]))"
    )
    paths = os.pathsep.join([str(folder), *sys.path])
    ids = ["sudoku-v0", "graph-isomorphism-v0", "graph-maxflow-v0", "thermometers-v0", "chess-v0", "blackjack-v0"]
    run = [sys.executable, "-c", program, *ids]
    told = subprocess.run(run, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == ["10.4.0", {id: GOLDEN[id] for id in ids}]


def test_the_record_holds_the_environments_with_pictures() -> None:
    assert sorted(GOLDEN) == sorted(PICTURED)
    assert len(PICTURED) >= 40


def test_an_environment_without_pictures_shows_none() -> None:
    assert seen("arithmetic-v0", 3, 0) is None
    assert seen("math-path-v0", 3, 0) is None
    assert seen("tree-edit-v0", 3, 0) is None


@pytest.mark.parametrize("id", ["minesweeper-v0", "mastermind-v0", "2048-v0"])
def test_a_picture_does_not_depend_on_what_is_hidden(id: str) -> None:
    envs = [envhub.make(id, difficulty=2) for _ in range(2)]
    for seed, env in enumerate(envs):
        env.reset(seed=seed)
    one, other = (env.episode for env in envs)
    assert one.instance.key != other.instance.key
    mixed = replace(one.instance, key=other.instance.key)
    assert one.environment.scene(one.instance, one.state) == one.environment.scene(mixed, one.state)


@pytest.mark.parametrize("id", ["kuhn-poker-v0", "leduc-poker-v0", "kitchen-v0"])
def test_a_seat_sees_nothing_of_the_hand_of_another(id: str) -> None:
    env = envhub.make(id, difficulty=3)
    for seed in range(6):
        env.reset(seed=seed)
        game, state = env.environment, env.episode.state
        assert isinstance(game, Game)
        seat = env.episode.instance.problem["player"]
        others = {game.imagine(env.episode.instance, state.s, seat, Stream(bytes([n]), "test")) for n in range(8)}
        pictures = {game.picture(env.episode.instance, s, seat) for s in (state.s, *others)}
        assert len(pictures) == 1


def test_the_guess_after_a_found_word_is_not_marked_for_it() -> None:
    env = envhub.make("wordle-v0", difficulty=10)
    env.reset(seed=1)
    words = env.episode.instance.key
    assert len(words) > 1
    for _ in range(2):
        env.step(f"<answer>{words[0]}</answer>")
    scene = env.scene()
    assert scene is not None
    letters = "".join(shape.text for shape in scene.shapes if isinstance(shape, Text)).lower()
    assert letters.count(words[0]) == 1 + 2 * (len(words) - 1)
