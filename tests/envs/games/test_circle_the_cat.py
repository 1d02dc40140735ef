"""circle-the-cat-v0: neighbours, the cat's steps and the end by other code, lost turns, and cheats."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.circle_the_cat import wording
from envhub.envs.games.circle_the_cat.environment import CircleTheCat, State
from envhub.envs.games.circle_the_cat.hexes import DIRECTIONS, Board
from envhub.envs.games.circle_the_cat.picture import seen

GAME = CircleTheCat()
Cell = tuple[int, int]
AROUND = {"left": (-2, 0), "upper left": (-1, -1), "upper right": (1, -1), "right": (2, 0), "lower right": (1, 1)}
AROUND["lower left"] = (-1, 1)


def wide(board: Board, cell: int) -> Cell:
    """A cell in doubled columns, where shifted rows have odd ones."""
    row, column = divmod(cell, board.width)
    return 2 * column + row % 2, row


def neighbours(board: Board, cell: int) -> dict[str, int]:
    x, y = wide(board, cell)
    places = {wide(board, other): other for other in range(board.cells)}
    return {name: places[x + dx, y + dy] for name, (dx, dy) in AROUND.items() if (x + dx, y + dy) in places}


def steps_to_border(board: Board, walls: int, goal_of: int) -> tuple[int, int]:
    """The length and the number of shortest ways from a cell to the border, walked from the cell; -1 if there is none."""
    queue, far, ways = deque([goal_of]), {goal_of: 0}, {goal_of: 1}
    ends: dict[int, int] = {}
    while queue:
        cell = queue.popleft()
        row, column = divmod(cell, board.width)
        if row in (0, board.height - 1) or column in (0, board.width - 1):
            ends[cell] = far[cell]
            continue  # a shortest way ends at the first border cell
        for to in neighbours(board, cell).values():
            if not walls >> to & 1:
                if to not in far:
                    far[to], ways[to] = far[cell] + 1, 0
                    queue.append(to)
                if far[to] == far[cell] + 1:
                    ways[to] += ways[cell]
    nearest = min(ends.values(), default=-1)
    return nearest, sum(ways[cell] for cell, steps in ends.items() if steps == nearest)


def cats_step(board: Board, walls: int, cat: int, careful: bool) -> int | None:
    found = {}
    for name, to in neighbours(board, cat).items():
        if not walls >> to & 1:
            far, ways = steps_to_border(board, walls, to)
            if far >= 0:
                found[to] = (far, -ways if careful else 0, DIRECTIONS.index(name))
    return min(found, key=lambda to: found[to]) if found else None


def positions(count: int) -> Any:
    rng = Stream(b"positions")
    for _ in range(count):
        board = Board(rng.between(5, 9), rng.between(5, 9))
        inner = [r * board.width + c for r in range(1, board.height - 1) for c in range(1, board.width - 1)]
        cat = rng.choice(inner)
        others = [cell for cell in range(board.cells) if cell != cat]
        yield board, sum(1 << cell for cell in rng.sample(others, rng.below(len(others) * 9 // 10))), cat


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.nightly)])
def test_the_cat_steps_as_other_code_says(count: int) -> None:
    enclosed = 0
    for board, walls, cat in positions(count):
        assert board.near[cat] == list(neighbours(board, cat).values())
        for careful in (False, True):
            assert board.step(walls, cat, careful) == cats_step(board, walls, cat, careful)
        enclosed += board.step(walls, cat, False) is None
    assert 0 < enclosed < count


def game(*walls: str, cat: str = "c3", size: int = 5, careful: bool = False) -> Instance:
    def cell(name: str) -> int:
        return (int(name[1:]) - 1) * size + ord(name[0]) - 97

    problem = {"height": size, "width": size, "walls": sorted(map(cell, walls)), "cat": cell(cat), "careful": careful}
    return Instance(problem, key={"walls": []})


def say(inst: Instance, text: str, state: State | None = None) -> Turn:
    turn = GAME.advance(inst, state or GAME.begin(inst, Stream(b"x")), f"<answer>{text}</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    return turn


def test_the_last_gap_encloses_the_cat() -> None:
    inst = game("b3", "d3", "b2", "c2", "b4")
    turn = say(inst, "c4")
    assert turn.verdict is not None
    assert turn.verdict.solved
    missed = say(inst, "d4")
    assert missed.verdict is None
    assert wording.name(inst.problem, missed.state.cat) == "c4"
    escaped = say(inst, "e5", missed.state)
    assert escaped.verdict is not None
    assert not escaped.verdict.solved
    assert escaped.verdict.score == 0


@pytest.mark.parametrize(
    "text", ["c3", "b3", "f1", "a6", "z9", "3c", "", "c4 or d4", "win", "c4, d4", "C\u0664", "wall on c4 please"]
)
def test_a_message_without_a_free_cell_builds_nothing_and_the_cat_moves(text: str) -> None:
    turn = say(game("b3", "d3", "b2", "c2", "b4"), text)
    assert turn.info["rejected"]
    assert turn.verdict is None
    assert turn.state.built == ()
    assert wording.name(game().problem, turn.state.cat) == "c4"


def test_the_tie_is_decided_by_direction_or_by_the_number_of_ways() -> None:
    board = Board(7, 7)
    cat = 3 * 7 + 3
    assert board.step(0, cat, False) == cat - 1  # left is first
    wall = 1 << 3 * 7 + 1  # two cells to the left of the cat
    plain, careful = board.step(wall, cat, False), board.step(wall, cat, True)
    assert plain == cats_step(board, wall, cat, False)
    assert careful == cats_step(board, wall, cat, True)
    assert plain != careful


@pytest.mark.parametrize("level", [1, 6, 10])
def test_the_oracle_wins_also_after_lost_turns_or_says_a_legal_wall(level: int) -> None:
    env = envhub.make("circle-the-cat-v0", difficulty=level)
    env.reset(seed=3)
    done, reward = False, 0.0
    while not done:
        _, reward, terminated, truncated, _ = env.step(env.solve())
        done = terminated or truncated
    assert reward == 1
    env.reset(seed=4)
    env.step("<answer>nowhere</answer>")
    _, _, _, _, info = env.step(env.solve())
    assert "rejected" not in info


def test_the_picture_shows_walls_and_the_cat() -> None:
    inst = game("b3")
    walls, cat = wording.first(inst.problem)
    assert seen(inst.problem, walls, cat) != seen(inst.problem, 0, cat)
    assert seen(inst.problem, walls, cat) != seen(inst.problem, walls, cat + 1)


@pytest.mark.parametrize("cell", ["z9", "a27", "h1", "a8"])
def test_a_cell_beside_the_board_is_refused_with_the_last_cell_of_this_board(cell: str) -> None:
    env = envhub.make("circle-the-cat-v0", difficulty=1)
    env.reset(seed=1)
    observation, *_, info = env.step(f"<answer>{cell}</answer>")
    assert info["rejected"]
    assert f"{cell} is not on the board, whose last cell is g7." in observation
