"""sudoku-v0: any grid that keeps the rules and the clues, and no other."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import fingerprint
from envhub.core.types import Instance, Verdict
from envhub.envs.logic.sudoku.environment import Sudoku

SOLUTION = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
OTHER = [1, 2, 4, 3, 4, 3, 1, 2, 2, 1, 3, 4, 3, 4, 2, 1]  # a valid grid as well
OPEN = [1, 2, 0, 0, 0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 2, 1]  # clues that both keep


def text(grid: Any, width: int = 4) -> str:
    return "\n".join(" ".join(map(str, grid[i : i + width])) for i in range(0, len(grid), width))


def verdict(action: str, clues: list[int] = OPEN) -> Verdict:
    turn: Any = Sudoku().advance(Instance({"size": 4, "grid": clues}, tuple(SOLUTION)), None, action, None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


def tag(grid: Any) -> str:
    return f"<answer>\n{text(grid)}\n</answer>"


def transposed(grid: list[int]) -> list[int]:
    return [grid[c * 4 + r] for r, c in product(range(4), repeat=2)]


def test_any_grid_that_keeps_rules_and_clues_solves() -> None:
    assert verdict(tag(SOLUTION)).solved
    assert verdict(tag(OTHER)).solved
    only = [n if i != 2 else 3 for i, n in enumerate(OPEN)]
    assert verdict(tag(SOLUTION), only).solved
    assert not verdict(tag(OTHER), only).solved


@pytest.mark.parametrize(
    "dress",
    [
        str([SOLUTION[i : i + 4] for i in range(0, 16, 4)]),
        "```\n" + text(SOLUTION) + "\n```",
        text(SOLUTION).replace(" ", ""),
        text(SOLUTION).replace(" ", " | "),
        "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1",
    ],
)
def test_the_solution_counts_in_every_dress(dress: str) -> None:
    assert verdict(f"<answer>{dress}</answer>").solved
    assert verdict(f"Here it is:\n\n{dress}").solved


CHANGED = {
    "one cell": [*SOLUTION[:-1], 2],
    "transposed": transposed(SOLUTION),
    "mirrored": [SOLUTION[r * 4 + 3 - c] for r, c in product(range(4), repeat=2)],
    "digits exchanged": [{1: 2, 2: 1}.get(n, n) for n in SOLUTION],
    "rows exchanged": SOLUTION[4:8] + SOLUTION[:4] + SOLUTION[8:],
    "all the same": [1] * 16,
    "rows right, columns wrong": [1, 2, 3, 4] * 4,
    "columns and rows right, boxes wrong": [1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2, 4, 1, 2, 3],
    "a zero": [*SOLUTION[:-1], 0],
    "a digit too high": [*SOLUTION[:-1], 5],
    "the clues alone": OPEN,
    "a row too few": SOLUTION[:12],
    "a row too many": [*SOLUTION, 1, 2, 3, 4],
    "nothing given is kept": [5 - n for n in SOLUTION],
}


@pytest.mark.parametrize("grid", CHANGED.values(), ids=CHANGED.keys())
def test_a_grid_that_breaks_a_rule_or_a_clue_does_not_solve(grid: list[int]) -> None:
    found = verdict(tag(grid))
    assert (found.solved, found.score, found.status) == (False, 0.0, "graded")


@pytest.mark.parametrize(
    "action",
    [
        "",
        "<answer>1 2 3 4</answer><answer>1 2</answer>",
        tag(SOLUTION) + tag(OTHER),
        f"<answer>{text(SOLUTION)}\nor so</answer>",
        f"<answer>{text(SOLUTION)[:-2]}</answer>",
        "<answer>" + text(SOLUTION).replace("4", ".") + "</answer>",
    ],
)
def test_what_is_no_grid_is_no_answer(action: str) -> None:
    found = verdict(action)
    assert (found.solved, found.score, found.status) == (False, 0.0, "no_answer")


def test_a_flat_line_of_cells_is_not_the_grid() -> None:
    assert not verdict("<answer>" + " ".join(map(str, SOLUTION)) + "</answer>").solved


def fingerprint_of(grid: list[int]) -> str:
    return fingerprint("sudoku", Sudoku().canonical({"size": 4, "grid": grid}))


def test_turned_mirrored_and_relabelled_grids_are_the_same_content() -> None:
    relabelled = [(0, 3, 1, 4, 2)[n] for n in OPEN]
    for same in (transposed(OPEN), OPEN[::-1], relabelled, transposed(relabelled)[::-1]):
        assert fingerprint_of(same) == fingerprint_of(OPEN)
    assert fingerprint_of(SOLUTION) != fingerprint_of(OPEN)
    assert fingerprint_of([*OPEN[:2], 3, *OPEN[3:]]) != fingerprint_of(OPEN)


@pytest.mark.parametrize("difficulty", [1, 3, 5, 6])
def test_puzzles_have_the_size_and_the_clues_of_the_parameters(difficulty: int) -> None:
    env = envhub.make("sudoku-v0", difficulty=difficulty)
    env.reset(seed=11)
    params, grid = env.task.params, env.task.problem["grid"]
    given = sum(1 for n in grid if n)
    assert len(grid) == params["size"] ** 2
    assert params["clues"] <= given <= params["clues"] + 1
    assert text(grid, params["size"]).replace("0", ".") in env.environment.worded(env.task.problem)
    assert text(env.episode.instance.key, params["size"]) not in env.task.prompt
    assert envhub.verify(env.task, env.solve()).solved
    assert not envhub.verify(env.task, f"<answer>{text(grid, params['size'])}</answer>").solved


@pytest.mark.parametrize(
    "bad", [{"size": 5}, {"size": 4, "clues": 3}, {"size": 4, "clues": 16}, {"clues": 21}, {"technique": "magic"}]
)
def test_parameters_that_allow_no_puzzle_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        envhub.make("sudoku-v0", difficulty=None, **bad)


def test_digits_in_groups_are_the_same_grid() -> None:
    env = envhub.make("sudoku-v0", difficulty=5)
    env.reset(seed=3)
    rows = [row.replace(" ", "") for row in env.environment.solve(env.episode.instance).splitlines()]
    grouped = "\n".join(f"{row[:3]} {row[3:6]} | {row[6:]}" for row in rows)
    assert env.fork().step(f"<answer>{grouped}</answer>")[1] == 1.0
    wrong = str(int(grouped[0]) % 9 + 1) + grouped[1:]
    assert env.fork().step(f"<answer>{wrong}</answer>")[1] == 0.0


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_smallest_splits_hold_many_problems(level: int) -> None:
    """One of these levels had some sixty problems in its test split, or fewer."""
    source = envhub.make("sudoku-v0", difficulty=level, split="test").source
    assert len({source.draw(seed)[0].fingerprint for seed in range(150)}) >= 115
