"""The tasks of seeing: solved from their texts and from their shapes by other means, and attacked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.envs.pictures import polyominoes, shapes
from envhub.gymnasium.env import Env
from envhub.scenes import Oval, Polygon, Rect, Text
from envhub.scenes.figures import FIGURES, figure

IDS = ["circle-click-v0", "circle-count-v0", "jigsaw-v0", "rotation-v0", "spot-difference-v0"]


def begun(id: str, level: int, seed: int = 3) -> Env:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=seed)
    return env


def solves(env: Env, text: str) -> bool:
    return bool(env.fork().step(f"<answer>{text}</answer>")[4]["verdict"]["solved"])


def texts(env: Env) -> list[str]:
    """The problem in each of its renderings, the held-out one last."""
    stated = env.environment.prompt(env.task.problem)
    assert isinstance(stated, Statement)
    return [render(stated.problem) for render in stated.data]


# -- solvers that read only a text -------------------------------------------------------------------------------------


def count_circles(text: str, problem: Any) -> str:
    if "{" in text:
        found = [row["colour"] for row in json.loads(text.partition("\n\n")[2])["shapes"] if row["shape"] == "circle"]
    elif "colour,shape" in text:
        found = [line.split(",")[0] for line in text.splitlines() if ",circle," in line]
    else:
        found = re.findall(r"^(\w+) circle at", text, re.M)
    return ", ".join(str(found.count(colour)) for colour in problem["colours"])


def click_circle(text: str, problem: Any) -> str:
    if "{" in text or "[" in text:
        rows = [tuple(row.values()) for row in json.loads(text.partition("\n\n")[2])]
    elif "shape,colour" in text:
        rows = [tuple(line.split(",")) for line in text.partition("bottom\n")[2].splitlines()]
    else:
        pattern = r"^(\w+) (\w+): x from (\d+) to (\d+), y from (\d+) to (\d+)"
        rows = [(name, colour, x, y, u, v) for colour, name, x, u, y, v in re.findall(pattern, text, re.M)]
    ask = problem["ask"]
    at = [
        (kind, colour, *((int(a) + int(b)) / 2 for a, b in ((x, u), (y, v))), int(u) - int(x))
        for kind, colour, x, y, u, v in rows
    ]
    [(_, _, sx, sy, _)] = [row for row in at if row[0] == "square"]
    measure: dict[str, Callable[[Any], float]] = {
        "largest": lambda row: -row[4],
        "smallest": lambda row: row[4],
        "left": lambda row: row[2],
        "right": lambda row: -row[2],
        "top": lambda row: row[3],
        "bottom": lambda row: -row[3],
        "nearest": lambda row: abs(complex(row[2] - sx, row[3] - sy)),
        "farthest": lambda row: -abs(complex(row[2] - sx, row[3] - sy)),
    }
    row = sorted((row for row in at if row[:2] == ("circle", ask["colour"])), key=measure[ask["way"]])[ask["rank"]]
    return f"{row[2]}, {row[3]}"


def compare_pictures(text: str, problem: Any) -> str:
    width = len(problem["left"][0])
    if "{" in text:
        sides = list(json.loads(text.partition("\n\n")[2]).values())
        left, right = ([cell for row in side for cell in row] for side in sides)
    elif "Row 1" in text:
        cells = [row.split("; ") for row in re.findall(r"^Row \d+: (.*)$", text, re.M)]
        every = [cell for row in cells for cell in row]
        left, right = every[: len(every) // 2], every[len(every) // 2 :]
    else:
        every = re.findall(r"^[A-Z]\d+: (.*)$", text, re.M)
        left, right = every[: len(every) // 2], every[len(every) // 2 :]
    return ", ".join(
        f"{'ABCDEFGHI'[at % width]}{at // width + 1}"
        for at, (a, b) in enumerate(zip(left, right, strict=True))
        if a != b
    )


def turn_shapes(text: str, problem: Any) -> str:
    if "{" in text:
        drawn = list(json.loads(text.partition("\n\n")[2]).values())
    elif "(1," in text:
        drawn = []
        for line in text.splitlines()[2:]:
            cells = {(int(a), int(b)) for a, b in re.findall(r"\((\d+),(\d+)\)", line)}
            high, wide = max(a for a, _ in cells), max(b for _, b in cells)
            drawn.append(["".join(".#"[(a, b) in cells] for b in range(1, wide + 1)) for a in range(1, high + 1)])
    else:
        drawn = [part.splitlines()[1:] for part in text.split("\n\n")[1:]]
    names = {}
    for form, flipped in ((drawn[0], False), ([row[::-1] for row in drawn[0]], True)):
        for degrees in (0, 90, 180, 270):
            names[tuple(form)] = "mirror" if flipped else str(degrees)
            form = ["".join(column) for column in zip(*form[::-1], strict=True)]
    return ", ".join(names.get(tuple(shape), "other") for shape in drawn[1:])


def join_tiles(text: str, problem: Any) -> str:
    """Tries tiles place by place, on the words of their edges."""
    if "{" in text:
        tiles = [tuple(tile.values()) for tile in json.loads(text.partition("\n\n")[2]).values()]
    elif "tile,top" in text:
        tiles = [tuple(line.split(",")[1:]) for line in text.partition("left\n")[2].splitlines()]
    else:
        sides = re.findall(r"Tile \d+: top (.*); right (.*); bottom (.*); left (.*)", text)
        tiles = [tuple(tile) for tile in sides]
    height, width, turned = problem["height"], problem["width"], problem["turned"]
    words = [[[*side.split()] for side in tile] for tile in tiles]

    def turn(tile: Any) -> Any:
        top, right, bottom, left = tile
        return [left[::-1], top, right[::-1], bottom]

    forms = []
    for number, tile in enumerate(words):
        for degrees in (0, 90, 180, 270) if turned and number else (0,):
            forms.append((number, degrees, tile))
            tile = turn(tile)

    def search(done: list[Any]) -> list[Any] | None:
        at = len(done)
        if at == height * width:
            return done
        used = {number for number, _, _ in done}
        for number, degrees, tile in forms:
            top, right, bottom, left = tile
            black = (at < width, (at + 1) % width == 0, at >= width * (height - 1), at % width == 0)
            if number in used or tuple(side == ["black"] for side in (top, right, bottom, left)) != black:
                continue
            if (at >= width and done[at - width][2][2] != top) or (at % width and done[at - 1][2][1] != left):
                continue
            found = search([*done, (number, degrees, tile)])
            if found:
                return found
        return None

    found = search([])
    assert found is not None
    named = [f"{number + 1}@{degrees}" if turned else str(number + 1) for number, degrees, _ in found]
    return "\n".join(" ".join(named[row * width : (row + 1) * width]) for row in range(height))


SOLVERS = dict(zip(IDS, (click_circle, count_circles, join_tiles, turn_shapes, compare_pictures), strict=True))


@pytest.mark.parametrize("id", IDS)
def test_every_rendering_is_enough_to_solve_the_task(id: str) -> None:
    for level in range(1, 11):
        env = begun(id, level, seed=40 + level)
        for text in texts(env):
            assert solves(env, SOLVERS[id](text, env.task.problem)), (level, text)


@pytest.mark.parametrize("id", IDS)
def test_answers_of_other_tasks_do_not_count(id: str) -> None:
    for level in (1, 5, 10):
        envs = [begun(id, level, seed) for seed in range(9)]
        answers = [env.solve() for env in envs]
        for at, env in enumerate(envs):
            for other, answer in enumerate(answers):
                right = env.fork().step(answer)[4]["verdict"]["solved"]
                same = at == other or answer == answers[at]
                assert right == same or (right and id == "circle-click-v0")


# -- what is seen ------------------------------------------------------------------------------------------------------


def test_the_circles_of_the_picture_are_those_that_count() -> None:
    for level in (1, 6, 10):
        env = begun("circle-count-v0", level)
        scene = env.scene()
        assert scene is not None
        seen = [shape.fill for shape in scene.shapes if isinstance(shape, Oval)]
        assert solves(env, ", ".join(str(seen.count(colour)) for colour in env.task.problem["colours"]))


def test_the_middle_of_the_drawn_circle_is_inside_and_the_tolerance_is_two_pixels() -> None:
    for level in (1, 5, 10):
        env = begun("circle-click-v0", level, seed=6)
        problem, scene = env.task.problem, env.scene()
        assert scene is not None
        hit = [shape for shape in scene.shapes if isinstance(shape, Oval) and solves(env, f"{shape.x}, {shape.y}")]
        assert len(hit) == 1
        [circle] = hit
        assert circle.fill == problem["ask"]["colour"]
        assert solves(env, f"{circle.x + circle.rx + 2}, {circle.y}")
        assert not solves(env, f"{circle.x + circle.rx + 2}.01, {circle.y}")
        assert not solves(env, f"{circle.x}, {circle.y - circle.ry - 3}")
        assert not solves(env, f"{scene.width}, {scene.height}")


def test_no_fixed_point_is_inside_more_than_one_target_in_twenty() -> None:
    for level in (1, 5, 10):
        envs = [begun("circle-click-v0", level, seed) for seed in range(60)]
        for x, y in product((130, 260, 390), (105, 210, 315)):
            assert sum(solves(env, f"{x}, {y}") for env in envs) <= 6


def test_every_shape_that_may_be_covered_is_half_visible() -> None:
    rng = Stream(b"placed", "test")
    made = shapes.placed(rng, 260, 260, [("circle", "red", rng.between(9, 18)) for _ in range(30)], -12)
    assert made is not None
    for at, (_, _, x, y, r) in enumerate(made):
        points = [(x + a, y + b) for a in range(-r, r + 1) for b in range(-r, r + 1) if a * a + b * b <= r * r]
        later = made[at + 1 :]
        seen = [p for p in points if all((p[0] - u) ** 2 + (p[1] - v) ** 2 > s * s for _, _, u, v, s in later)]
        assert len(seen) > 0.6 * len(points)
    pairs = [(a, b) for at, a in enumerate(made) for b in made[:at]]
    assert any((a[2] - b[2]) ** 2 + (a[3] - b[3]) ** 2 < (a[4] + b[4]) ** 2 for a, b in pairs)


def test_the_squares_of_the_picture_are_those_of_the_shapes() -> None:
    env = begun("rotation-v0", 7)
    scene = env.scene()
    assert scene is not None
    squares = [shape for shape in scene.shapes if isinstance(shape, Rect)]
    problem = env.task.problem
    assert len(squares) == len(problem["shape"]) + sum(map(len, problem["shapes"]))
    labels = {shape.text: (shape.x, shape.y) for shape in scene.shapes if isinstance(shape, Text)}
    for at, cells in enumerate(problem["shapes"], 1):
        x, y = labels[str(at)]
        mine = {((s.y - y - 14) // 20, (s.x - x) // 20) for s in squares if 0 <= s.x - x < 110 and 0 <= s.y - y < 120}
        assert mine == {tuple(cell) for cell in cells}


def test_figures_have_their_size_and_turn() -> None:
    for name in FIGURES:
        shape = figure(name, 50, 50, 20, "red")
        assert not isinstance(shape, Text)
        if isinstance(shape, Polygon):
            assert all(abs(x - 50) <= 20 and abs(y - 50) <= 20 for x, y in shape.points)
    up, right = figure("triangle", 0, 0, 100, "red"), figure("triangle", 0, 0, 100, "red", 1)
    assert isinstance(up, Polygon)
    assert isinstance(right, Polygon)
    assert (up.points[0], right.points[0]) == ((0, -95), (95, 0))


# -- engines -----------------------------------------------------------------------------------------------------------


def test_shapes_differ_from_all_their_images_and_other_shapes_from_the_reference() -> None:
    rng = Stream(b"shapes", "test")
    for count in (5, 8, 12):
        drawn = [shape for shape in (polyominoes.drawn(rng, count) for _ in range(60)) if shape]
        assert drawn
        for shape in drawn[:8]:
            assert len({*polyominoes.images(shape)}) == 8
            other = polyominoes.altered(rng, shape)
            if other:
                assert len(other) == count
                assert other not in polyominoes.images(shape)
    assert polyominoes.turned(((0, 0), (1, 0), (1, 1)), 1) == ((0, 0), (0, 1), (1, 0))
    assert polyominoes.mirrored(((0, 0), (1, 0), (1, 1))) == ((0, 1), (1, 0), (1, 1))


CHEATS = [
    *("", "0", "all", "mirror", "[]", "{}", "None", "A1", "1", "0, 0", "260, 210", "-1, -1", "1e9, 1e9", "nan, nan"),
    *(
        "A1, A2, A3, A4, B1, B2, B3, B4, C1, C2, C3, C4, D1, D2, D3, D4",
        "1 2 3\n4 5 6",
        "1 1 1\n1 1 1",
        "\u221e, \u221e",
    ),
    *(
        "90, 90, 90",
        "0 0 0",
        "7, 7, 7",
        "1, 1, 1",
        "1@0 2@0 3@0\n4@0 5@0 6@0",
        "x" * 5000,
        "1, " * 3000,
        "(((((",
        "\x00",
    ),
]


@pytest.mark.parametrize("id", IDS)
def test_cheats_do_not_solve(id: str) -> None:
    for seed in range(3):
        env = begun(id, 1, seed)
        right = env.environment.solve(env.episode.instance)  # type: ignore[attr-defined]
        assert solves(env, right)
        twice = [] if id == "spot-difference-v0" else [f"{right}, {right}"]
        for cheat in (*CHEATS, *twice, f"not {right}", f"{right} or {right}x", env.task.prompt):
            assert not solves(env, cheat), cheat


def test_the_right_cells_twice_are_the_right_cells_and_one_more_is_not() -> None:
    env = begun("spot-difference-v0", 3)
    right = env.episode.instance.key
    assert solves(env, ", ".join([*right, right[0]]))
    assert solves(env, " ".join(name.lower() for name in reversed(right)))
    for wrong in (right[1:], [*right, "A1" if "A1" not in right else "B1"]):
        assert not solves(env, ", ".join(wrong))
