"""Observations with pictures: what a picture replaces in the text, it shows."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import envhub
from envhub.authoring import SingleTurn
from envhub.authoring.wording import HELD_OUT, PLAIN, Wording
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.making import environment_of
from envhub.registry.registry import load, spec
from tests.golden.pixels import pictured

PICTURED = pictured()
SEPARABLE = [id for id in PICTURED if load(spec(id)).separable]
STATED = [id for id in SEPARABLE if issubclass(load(spec(id)), SingleTurn)]
PLAYED = [id for id in SEPARABLE if id not in STATED]
QUICK = {
    "sudoku-v0",
    "futoshiki-v0",
    "heyawake-v0",
    "nonogram-v0",
    "slant-v0",
    "tapa-v0",
    "thermometers-v0",
    "graph-mst-v0",
    "graph-isomorphism-v0",
    "tree-lca-v0",
    "grid-path-v0",
    "maze-v0",
    "chess-v0",
}
"""One environment of each way to draw a problem; the nightly tests take all."""


def some(ids: list[str], quick: set[str]) -> list[Any]:
    """Parameters of a test, of which all but some are left to the nightly tests."""
    return [id if id in quick else pytest.param(id, marks=pytest.mark.nightly) for id in ids]


def changed(value: Any, rng: Stream) -> Any:
    """A value with one leaf changed, or two entries of one list exchanged."""
    if isinstance(value, dict):
        name = rng.choice(sorted(value))
        if name == "regions":
            return {**value, name: redrawn(value[name], value["width"], rng)}
        if name == "edges" and rng.below(2):
            return {**value, name: moved(value[name], value["nodes"], rng)}
        return {**value, name: changed(value[name], rng)}
    if isinstance(value, list) and value:
        made = copy.copy(value)
        at = rng.below(len(value))
        if rng.below(3):
            made[at] = changed(value[at], rng)
        else:
            other = rng.below(len(value))
            made[at], made[other] = made[other], made[at]
        return made
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, str) and value in (".", "#"):
        return ".#".replace(value, "")
    return value


def moved(edges: list[list[Any]], nodes: list[str], rng: Stream) -> list[list[Any]]:
    """Edges of which one is missing, or ends at another node."""
    at = rng.below(len(edges))
    one, other, *rest = edges[at]
    new = rng.choice(nodes)
    taken = new in (one, other) or any({one, new} == {*edge[:2]} for edge in edges)
    return [*edges[:at], *([] if taken else [[one, new, *rest]]), *edges[at + 1 :]]


def redrawn(regions: list[int], width: int, rng: Stream) -> list[int]:
    """Regions of which one has won a cell from another; all of them stay connected."""
    near = {
        cell: [
            c
            for c in (cell - width, cell + width, cell - 1, cell + 1)
            if 0 <= c < len(regions) and touch(cell, c, width)
        ]
        for cell in range(len(regions))
    }
    for _ in range(50):
        cell = rng.below(len(regions))
        made = [*regions]
        made[cell] = regions[rng.choice(near[cell])]
        if made != regions and all(connected({c for c in near if made[c] == label}, near) for label in set(regions)):
            return made
    return regions


def touch(one: int, other: int, width: int) -> bool:
    """Whether two cells share a side."""
    (r, c), (row, column) = divmod(one, width), divmod(other, width)
    return abs(r - row) + abs(c - column) == 1


def connected(cells: set[int], near: dict[int, list[int]]) -> bool:
    """Whether cells are connected; no cells are not."""
    found = [*cells][:1]
    for cell in found:
        found += [other for other in near[cell] if other in cells and other not in found]
    return 0 < len(found) == len(cells)


def neighbours(problem: Any, count: int) -> Iterator[Any]:
    """Problems that differ from this one in a detail."""
    rng = Stream(b"neighbours", "test")
    for _ in range(count):
        made = ordered(changed(problem, rng))
        if plausible(made):
            yield made


def plausible(problem: Any) -> bool:
    """Whether no fact is stated twice, and a tree with named pairs is still a tree."""
    clues = [clue for clue in problem.get("clues", ()) if isinstance(clue, list) and len(clue) == 2]
    tree = "other" not in problem or rooted(problem["nodes"], problem["edges"])
    ends = {end for edge in problem.get("edges", ()) for end in edge[:2]}
    known = ends <= set(problem.get("nodes", ()))
    return known and len({str(clue[0]) for clue in clues}) == len(clues) and tree


def rooted(nodes: list[str], edges: list[list[str]]) -> bool:
    """Whether edges from parent to child are a tree."""
    below: dict[str, list[str]] = {node: [child for parent, child in edges if parent == node] for node in nodes}
    found = [node for node in nodes if all(child != node for _, child in edges)]
    if len(found) != 1 or len(edges) != len(nodes) - 1:
        return False
    for node in found:
        found += below[node]
    return sorted(found) == sorted(nodes)


def ordered(problem: Any) -> Any:
    """A problem with nodes, edges and numbers of regions in one order, which carries no information."""
    if not isinstance(problem, dict):
        return problem
    made = {name: ordered(value) for name, value in problem.items()}
    if "edges" in made:
        edges = [edge if made["directed"] else [*sorted(edge[:2], key=str), *edge[2:]] for edge in made["edges"]]
        made["edges"] = sorted(edges, key=str)
        made["nodes"] = sorted(made["nodes"])
    if "regions" in made and "clues" in made:
        made["clues"] = sorted(made["clues"])
    return made


@pytest.mark.parametrize("id", some(STATED, QUICK))
def test_what_the_text_leaves_out_is_in_the_picture(id: str) -> None:
    """Problems with different texts differ in the remaining text or in the picture."""
    text, image = (environment_of(id, None, None, shown) for shown in ("text", "image"))
    seen: dict[Any, tuple[str, str]] = {}
    for seed in range(3):
        env = envhub.make(id, difficulty=3)
        env.reset(seed=seed)
        problem = env.task.problem
        for each in (ordered(problem), *neighbours(problem, 150)):
            try:
                stated = text.opening(each), text.opening(each, HELD_OUT)
                shown = image.opening(each), image.scene(Instance(each), None)
            except Exception:
                continue  # not a problem any more
            assert shown[1] is not None
            assert seen.setdefault(shown, stated) == stated, each
    assert len(seen) > 8


@pytest.mark.parametrize("id", PLAYED)
def test_what_a_turn_leaves_out_is_in_the_picture(id: str) -> None:
    """States with different texts differ in the remaining text or in the picture."""
    seen: dict[Any, str] = {}
    for seed in range(4):
        text, image = (envhub.make(id, difficulty=2, observation=shown) for shown in ("text", "image"))
        told, shown = text.reset(seed=seed)[0], image.reset(seed=seed)[0]
        told, shown = text.environment.worded(text.task.problem), image.environment.worded(image.task.problem)
        rng = Stream(bytes([seed]), "test")
        over = False
        for _ in range(25):
            assert seen.setdefault((shown, image.scene()), told) == told
            if over:
                break
            action = text.solve() if rng.below(2) else text.random_action(rng)
            told, _, over = text.step(action)[:3]
            shown = image.step(action)[0]
    assert len(seen) > 4


@pytest.mark.parametrize("id", some(STATED, QUICK))
def test_a_picture_shows_nothing_of_the_solution(id: str) -> None:
    env = envhub.make(id, difficulty=4)
    env.reset(seed=2)
    instance = env.episode.instance
    assert env.environment.scene(replace(instance, key=None), None) == env.scene()


@pytest.mark.parametrize("id", some(SEPARABLE, QUICK))
def test_the_text_beside_a_picture_refers_to_it_and_has_the_rules_and_the_format(id: str) -> None:
    env = envhub.make(id, difficulty=3, observation="image")
    prompt, info = env.reset(seed=5)
    stated = envhub.make(id, difficulty=3)
    whole, _ = stated.reset(seed=5)
    assert "picture" in prompt.lower()
    assert prompt != whole
    assert (stated.task.fingerprint, stated.task.problem) == (env.task.fingerprint, env.task.problem)
    assert env.environment.directions(env.task.problem) in prompt
    assert [picture.scene for picture in info["images"]] == [env.scene()]
    held_out = env.environment.opening(env.task.problem, HELD_OUT)
    assert "figure" in held_out or "picture" in held_out.lower()
    texts = {env.environment.opening(env.task.problem, Wording(number)) for number in range(40)}
    assert len(texts) > 5
    assert all("picture" in text.lower() for text in texts)
    assert held_out not in texts


@pytest.mark.parametrize("id", sorted({*PICTURED} - {*SEPARABLE}))
def test_text_that_cannot_be_separated_is_refused(id: str) -> None:
    with pytest.raises(InvalidParameters, match=rf"{id}.*'both' or 'text'"):
        envhub.make(id, observation="image")
    env, plain = envhub.make(id, difficulty=2, observation="both"), envhub.make(id, difficulty=2)
    prompt, info = env.reset(seed=1)
    assert prompt == plain.reset(seed=1)[0]
    assert len(info["images"]) == 1


def test_an_observation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="has no pictures: `observation` must be 'text'"):
        envhub.make("arithmetic-v0", observation="both")
    with pytest.raises(InvalidParameters, match="Did you mean 'image'"):
        envhub.make("sudoku-v0", observation="imag")
    with pytest.raises(InvalidParameters, match="must be 'both' or 'text'"):
        envhub.make("tic-tac-toe-v0", observation="image", opponent="self")


def test_the_space_says_how_many_pictures_there_are() -> None:
    assert envhub.make("sudoku-v0").observation_space.pictures == 0
    assert envhub.make("sudoku-v0", observation="both").observation_space.pictures == 1


def test_a_graph_that_is_too_large_to_be_drawn_is_stated_in_full() -> None:
    env = envhub.make("graph-mst-v0", difficulty=10, observation="image")
    plain = envhub.make("graph-mst-v0", difficulty=10)
    for seed in range(3):
        prompt, info = env.reset(seed=seed)
        if not info["images"]:
            assert prompt == plain.reset(seed=seed)[0]


def test_messages_have_parts_and_the_last_one_has_no_picture() -> None:
    env = envhub.make("tic-tac-toe-v0", difficulty=1, observation="both")
    env.reset(seed=0)
    while not env.step(env.solve())[2]:
        pass
    said = [message["content"] for message in env.messages if message["role"] == "user"]
    assert isinstance(said[-1], str)
    for parts in said[:-1]:
        assert [part["type"] for part in parts] == ["text", "image_url"]
        assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_a_snapshot_keeps_the_observation() -> None:
    env = envhub.make("2048-v0", difficulty=2, observation="image")
    env.reset(seed=3)
    env.step(env.solve())
    again = envhub.restore(env.snapshot())
    assert again.messages == env.messages
    assert again.episode.pictures() == env.episode.pictures() != ()
    assert "observation" not in envhub.begin(env.task).snapshot()
    with pytest.raises(SnapshotMismatch, match="observation"):
        envhub.make("2048-v0", difficulty=2).restore(env.snapshot())


def test_the_plain_wording_of_a_prompt_is_unchanged_by_pictures() -> None:
    env = envhub.make("masyu-v0", difficulty=2)
    env.reset(seed=0)
    both = environment_of("masyu-v0", None, None, "both")
    assert both.opening(env.task.problem, PLAIN) == env.environment.opening(env.task.problem, PLAIN)
