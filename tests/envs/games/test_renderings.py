"""Renderings of the first state: what they state is true of the state, whatever their notation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import Rendering
from envhub.envs.games.kitchen import wording as kitchen
from envhub.envs.games.maze import grid, wording as maze
from envhub.generators.chess import board as chess
from envhub.gymnasium.env import Env


def begun(id: str, level: int, seed: int = 3) -> Env:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=seed)
    return env


def renderings(env: Env) -> dict[str, Rendering]:
    stated = env.environment.prompt(env.task.problem)
    assert not isinstance(stated, str)
    return {rendering.__name__: rendering for rendering in stated.data}


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", text)]


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_cells_of_a_maze_have_the_ways_of_its_walls(level: int) -> None:
    env = begun("maze-v0", level)
    problem, walls = env.task.problem, env.episode.instance.key
    size, radius = problem["size"], problem["radius"]
    (row, column) = divmod(problem["start"], size)
    seen = maze._cells(problem)
    assert {(x, y) for x, y, _ in seen} == {
        (x + 1, y + 1) for x in range(size) for y in range(size) if abs(x - column) <= radius and abs(y - row) <= radius
    }
    for x, y, ways in seen:
        cell = (y - 1) * size + x - 1
        assert set(ways) == {way for way in grid.DIRECTIONS if grid.step(size, walls, cell, way) is not None}


@pytest.mark.parametrize("level", [1, 10])
def test_a_board_of_minesweeper_is_the_same_in_every_notation(level: int) -> None:
    env = begun("minesweeper-v0", level)
    problem, size = env.task.problem, env.task.problem["size"]
    made = {name: render(problem) for name, render in renderings(env).items()}
    rows = json.loads(made["_as_json"].partition("\n\n")[2])
    assert "".join("#" if cell is None else str(cell) for row in rows for cell in row) == problem["seen"]
    assert "".join(re.findall(r"Row \d+: (.*)", made["_in_lines"])).replace(" ", "") == problem["seen"]
    known = dict(re.findall(r"(\(\d+, \d+\)): (\d)", made["_as_cells"]))
    assert len(known) == size * size - problem["seen"].count("#")
    for at, label in known.items():
        row, column = numbers(at)
        assert problem["seen"][(row - 1) * size + column - 1] == label


@pytest.mark.parametrize("level", [1, 10])
def test_the_lists_of_a_sokoban_room_draw_the_same_room(level: int) -> None:
    env = begun("sokoban-v0", level)
    room = env.task.problem["room"]
    record = json.loads(renderings(env)["_as_record"](env.task.problem).partition("\n")[2])
    goals, boxes, you = ({tuple(cell) for cell in record[name]} for name in ("goals", "boxes", "you"))
    for at in {(r, c) for r in range(1, len(room) + 1) for c in range(1, len(room[0]) + 1)}:
        mark = room[at[0] - 1][at[1] - 1]
        assert (mark == "#") is (list(at) in record["walls"])
        assert (mark in ".*+", mark in "$*", mark in "@+") == (at in goals, at in boxes, at in you)


def test_a_board_of_2048_is_the_same_in_words_and_as_json() -> None:
    env = begun("2048-v0", 5)
    made = {name: render(env.task.problem) for name, render in renderings(env).items()}
    rows = json.loads(re.findall(r"\[\[.*\]\]", made["_as_json"])[0])
    told = re.findall(r"a (\d+) in row (\d+), column (\d+)", made["_in_words"])
    assert sorted((int(v), int(r), int(c)) for v, r, c in told) == sorted(
        (cell, r, c) for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1) if cell
    )


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_columns_of_connect_four_are_those_that_were_played(level: int) -> None:
    env = begun("connect-four-v0", level)
    columns: list[list[str]] = [[] for _ in range(7)]
    for at, move in enumerate(env.task.problem["moves"]):
        columns[int(move) - 1].append("XO"[at % 2])
    shown = renderings(env)["_as_json"](env.task.problem).split("\n")[1]
    assert list(json.loads(shown).values()) == columns


@pytest.mark.parametrize("id", ["chess-v0", "chess-mate-v0"])
def test_the_pieces_of_a_chess_position_are_those_of_the_board(id: str) -> None:
    env = begun(id, 10)
    men = chess.read_fen(env.task.problem["fen"]).board
    shown = json.loads(renderings(env)["_as_json"](env.task.problem))
    pieces = {
        f"{name[1:]}": name[0] if side == "White" else name[0].lower()
        for side in ("White", "Black")
        for name in shown[side]
    }
    assert pieces == {square: man for square, man in zip(chess.SQUARES, men, strict=True) if man != "."}
    assert shown["to_move"] == ("White", "Black")[env.task.problem["player"]]


@pytest.mark.parametrize(("id", "cells"), [("othello-v0", 64), ("tic-tac-toe-v0", 9)])
def test_boards_as_json_are_the_first_board(id: str, cells: int) -> None:
    env = begun(id, 10)
    shown = json.loads(renderings(env)["_as_json"](env.task.problem).split("\n")[-1])
    rows = list(shown.values()) if isinstance(shown, dict) else ["".join(row) for row in shown]
    board = str(env.task.problem["boards"][0])
    assert len("".join(rows)) == cells
    assert id == "tic-tac-toe-v0" or "".join(rows) == board


@pytest.mark.parametrize("level", [1, 10])
def test_the_places_of_a_kitchen_are_those_of_its_map(level: int) -> None:
    problem = begun("kitchen-v0", level).task.problem
    places = kitchen._places(problem)
    marks = {
        at: mark for r, row in enumerate(problem["rows"]) for at, mark in (((r, c), row[c]) for c in range(len(row)))
    }
    listed = {at for found in places.values() for at in found}
    assert {at for at, mark in marks.items() if mark != "#"} == listed
    assert all(marks[at] == "." for at in kitchen._cooks(problem))


def test_what_a_trader_knows_is_the_same_in_every_notation() -> None:
    env = begun("negotiation-v0", 10)
    problem, made = env.task.problem, renderings(env)
    shown = json.loads(made["_as_json"](problem).split("\n")[0])
    assert list(shown["you_have"].values()) == problem["stocks"][problem["player"]]
    assert list(shown["the_other_trader_has"].values()) == problem["stocks"][1 - problem["player"]]
    assert list(shown["your_values"].values()) == env.episode.instance.key["values"][problem["player"]]
    for render in made.values():
        assert sorted(numbers(render(problem))) == sorted(numbers(made["_as_shown"](problem)))


@pytest.mark.parametrize("id", ["kuhn-poker-v0", "leduc-poker-v0"])
def test_every_notation_states_every_frequency_of_the_opponents(id: str) -> None:
    env = begun(id, 8)
    stated = env.environment.prompt(env.task.problem)
    assert not isinstance(stated, str)
    shares: Callable[[str], Any] = lambda text: sorted({int(n) for n in re.findall(r"(\d+)%", text)})  # noqa: E731
    in_words, in_a_table, as_json = (render(env.task.problem) for render in stated.data.options)
    assert shares(in_words) == shares(in_a_table)
    assert {int(n) for n in re.findall(r'": (\d+)', as_json)} == set(shares(in_words))
    formulas = stated.data.held_out(env.task.problem)
    assert {round(float(n) * 100) for n in re.findall(r"\d\.\d\d", formulas)} == set(shares(in_words))
