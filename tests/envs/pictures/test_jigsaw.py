"""jigsaw-v0: drawn edges, the number of solutions, and verdicts."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from envhub.core.types import Instance
from envhub.envs.pictures import edges
from envhub.scenes import Polygon, Rect
from tests.envs.pictures.test_pictures import begun


def test_touching_edges_of_the_solved_jigsaw_have_the_same_colours_at_the_same_places() -> None:
    """Read from the strips of the drawn tiles, not from their codes."""
    env = begun("jigsaw-v0", 5)
    problem, scene = env.task.problem, env.scene()
    assert scene is not None
    corners = [(shape.x, shape.y) for shape in scene.shapes if isinstance(shape, Rect)]
    strips: list[dict[str, list[Any]]] = []
    for x, y in corners:
        sides: dict[str, list[Any]] = {"top": [], "bottom": [], "left": [], "right": []}
        for shape in scene.shapes:
            if not isinstance(shape, Polygon) or shape.fill == "deep":
                continue
            (ax, ay), (bx, by) = ((px - x, py - y) for px, py in shape.points[:2])
            if not all(0 <= value <= 96 for value in (ax, ay, bx, by)):
                continue
            side = {(0, 0): "top", (96, 96): "bottom"}.get((ay, by)) or {(0, 0): "left", (96, 96): "right"}.get(
                (ax, bx)
            )
            if side:
                sides[side].append((min(ax, bx) if ay == by else min(ay, by), shape.fill))
        strips.append({side: sorted(found) for side, found in sides.items()})
    order = [int(word) - 1 for word in env.environment.solve(env.episode.instance).split()]  # type: ignore[attr-defined]
    width = problem["width"]
    for at, number in enumerate(order):
        if (at + 1) % width:
            assert strips[number]["right"] == strips[order[at + 1]]["left"] != []
        if at + width < len(order):
            assert strips[number]["bottom"] == strips[order[at + width]]["top"] != []


def test_a_jigsaw_has_one_solution_among_all_arrangements() -> None:
    """Every order of the tiles is tried."""
    for seed in range(4):
        env = begun("jigsaw-v0", 1, seed)
        tiles = [tuple(tile) for tile in env.task.problem["tiles"]]
        good = []
        for order in permutations(range(6)):
            laid = [tiles[number] for number in order]
            beside = all(laid[at][1] == laid[at + 1][3] != "" for at in (0, 1, 3, 4))
            under = all(laid[at][2] == laid[at + 3][0] != "" for at in (0, 1, 2))
            outside = [laid[at][side] for at, side in ((0, 3), (3, 3), (2, 1), (5, 1), *((k, 0) for k in (0, 1, 2)))]
            if beside and under and not any(outside):
                good.append(order)
        assert [[number, 0] for number in good[0]] == env.episode.instance.key
        assert len(good) == 1


def test_turned_jigsaws_have_one_solution_by_another_search() -> None:
    for level in (6, 9, 10):
        env = begun("jigsaw-v0", level, seed=level)
        problem = env.task.problem
        tiles = [tuple(tile) for tile in problem["tiles"]]
        places = [(number, turns) for number, turns in env.episode.instance.key]
        assert edges.matches(problem["height"], problem["width"], tiles, places)
        backwards = [tiles[0], *tiles[:0:-1]]  # the same tiles in another order: the search goes other ways
        found = list(edges.arrangements(problem["height"], problem["width"], backwards, 0))
        assert len(found) == 1
        back = [(number and len(tiles) - number, turns) for number, turns in found[0]]
        assert back == places


def test_four_turns_of_a_tile_change_nothing_and_one_is_clockwise() -> None:
    tile = ("rgb", "", "yyy", "rby")
    assert edges.turned(tile, 4) == tile
    assert edges.turned(tile, 1) == ("ybr", "rgb", "", "yyy")
    assert edges.turned(edges.turned(tile, 1), 3) == tile


def test_tiles_that_could_be_exchanged_make_no_puzzle() -> None:
    twin = [("", "rrr", "ggg", ""), ("", "", "bbb", "rrr"), ("ggg", "rrr", "", ""), ("bbb", "", "", "rrr")]
    assert len(list(edges.arrangements(2, 2, twin, None))) == 1
    same = [("", "rrr", "", ""), ("", "rrr", "", "rrr"), ("", "rrr", "", "rrr"), ("", "", "", "rrr")]
    assert len(list(edges.arrangements(1, 4, same, None))) == 2


def test_the_verdict_of_a_jigsaw_does_not_trust_the_key() -> None:
    env = begun("jigsaw-v0", 3)
    problem = env.task.problem
    wrong = Instance(problem, key=[[number, 0] for number in range(9)])
    value = env.environment.answer.read(env.solve()).value
    assert env.environment.grade(wrong, value).solved  # type: ignore[attr-defined]
    assert "tile" in env.environment.grade(wrong, value[:2]).feedback  # type: ignore[attr-defined]
    assert not env.environment.grade(wrong, (value[0], value[0], value[2])).solved  # type: ignore[attr-defined]
    turned = (((value[0][0][0], 1), *value[0][1:]), *value[1:])
    assert "turned" in env.environment.grade(wrong, turned).feedback  # type: ignore[attr-defined]
