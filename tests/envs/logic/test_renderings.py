"""Renderings of puzzles and problems: formulas and JSON state what the sentences state."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import envhub
from envhub.envs.logic.sudoku.environment import Sudoku
from envhub.gymnasium.env import Env


def begun(id: str, level: int, seed: int) -> Env:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=seed)
    return env


def rendered(env: Env, name: str) -> str:
    stated = env.environment.prompt(env.task.problem)
    assert not isinstance(stated, str)
    return next(render(env.task.problem) for render in stated.data if render.__name__ == name)


@pytest.mark.parametrize("level", [1, 5, 8, 10])
def test_the_formulas_of_a_zebra_puzzle_hold_in_its_solution_alone(level: int) -> None:
    env = begun("zebra-v0", level, 4)
    houses = {
        word: int(row.partition(":")[0])
        for row in env.episode.instance.key.splitlines()
        for word in re.findall(r"[A-Za-z]+", row)
    }
    lines = rendered(env, "_formulas").partition("\n\n")[2].splitlines()
    assert len(lines) == len(env.task.problem["clues"])

    def true(line: str, houses: dict[str, int]) -> bool:
        text = re.sub(r"house\((\w+)\)", lambda found: str(houses[found[1]]), line)
        text = re.sub(r"\|(.*)\|", r"abs(\1)", text)
        return bool(eval(re.sub(r"(?<![!<>])=", "==", text).replace(">==", ">=")))

    assert all(true(line, houses) for line in lines)
    swapped = dict(houses)
    one, other = env.task.problem["attributes"][0][1][:2]
    swapped[one], swapped[other] = houses[other], houses[one]
    assert not all(true(line, swapped) for line in lines)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_clues_of_a_zebra_puzzle_are_the_same_in_every_notation(level: int) -> None:
    env = begun("zebra-v0", level, 6)
    words = {word for _, values in env.task.problem["attributes"] for word in values}
    shown = json.loads(rendered(env, "_as_json").partition("\n\n")[0])
    assert shown["attributes"] == dict(env.task.problem["attributes"])
    first = re.findall(r"^\d+\. (.*)", rendered(env, "_sentences"), re.MULTILINE)
    second = re.findall(r"^- (.*)", rendered(env, "_other_sentences"), re.MULTILINE)
    assert len(first) == len(second) == len(shown["clues"]) == len(env.task.problem["clues"])
    for one, other, clue in zip(first, second, shown["clues"], strict=True):
        [terms] = clue.values()
        named = {term for term in terms if term in words}
        for sentence in (one, other):
            assert named == {word for word in re.findall(r"[A-Za-z]+", sentence) if word in words}
        numbers = {str(term) for term in terms if isinstance(term, int)}
        assert numbers == set(re.findall(r"\d+", one)) == set(re.findall(r"\d+", other))


@pytest.mark.parametrize("level", [1, 4, 6, 8])
def test_the_formulas_of_knights_and_knaves_hold_in_the_solution(level: int) -> None:
    env = begun("knights-knaves-v0", level, 2)
    roles = {name: int(role == "knight") for name, role in re.findall(r"(\w+): (\w+)", env.episode.instance.key)}
    lines = rendered(env, "_as_formulas").partition("\n\n")[0].splitlines()
    assert len(lines) == len(roles)
    for line in lines:
        speaker, formula = line.split(": ", 1)
        text = re.sub(r"k\((\w+)\)", lambda found: str(roles[found[1]]), formula)
        for sign, meaning in ((" = ", " == "), ("<->", "=="), ("->", "<="), ("~", "not ")):
            text = text.replace(sign, meaning)
        assert eval(text) is bool(roles[speaker]), line


@pytest.mark.parametrize("level", [1, 3, 6, 10])
def test_a_sudoku_is_the_same_in_every_notation(level: int) -> None:
    env = begun("sudoku-v0", level, 1)
    size, grid = env.task.problem["size"], env.task.problem["grid"]
    rows = json.loads(rendered(env, "_as_json").partition("\n\n")[2])["rows"]
    assert [cell or 0 for row in rows for cell in row] == grid
    assert rendered(env, "_in_a_string").rpartition("= ")[2] == "".join(map(str, grid))
    boxed = [line for line in rendered(env, "_boxed").splitlines() if line.startswith("|")]
    assert "".join(re.findall(r"[0-9_]", "".join(boxed))) == "".join(str(cell or "_") for cell in grid)
    listed = re.findall(r"\((\d), (\d)\) = (\d)", rendered(env, "_as_list"))
    assert {(int(r) - 1) * size + int(c) - 1: int(d) for r, c, d in listed} == {i: d for i, d in enumerate(grid) if d}


@pytest.mark.parametrize("size", [4, 6, 9])
def test_the_example_of_a_sudoku_has_its_size_and_is_wrong(size: int) -> None:
    game = Sudoku()
    value = game.answer.parse(game.example({"size": size, "grid": [0] * size * size}))
    assert [len(row) for row in value] == [size] * size
    assert not game.grade(envhub.Instance({"size": size, "grid": [0] * size * size}), value).solved


@pytest.mark.parametrize("level", [1, 10])
def test_edges_are_the_same_in_every_notation(level: int) -> None:
    env = begun("shortest-path-v0", level, 5)
    edges = {tuple(edge) for edge in env.task.problem["edges"]}
    weights = re.findall(r"w\((\w+), (\w+)\) = (\d+)", rendered(env, "_as_weights"))
    found: list[Any] = [tuple(e) for e in json.loads(rendered(env, "_as_json").partition("\n\n")[2])]
    rows = re.findall(r"^(\w+): (.*)", rendered(env, "_by_node"), re.MULTILINE)
    nodes = {(node, other, int(cost)) for node, row in rows for other, cost in re.findall(r"(\w+) \((\d+)\)", row)}
    assert edges == set(found) == nodes == {(one, other, int(cost)) for one, other, cost in weights}
