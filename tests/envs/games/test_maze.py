"""maze-v0: steps, walls, what a move costs, and the exit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.maze import grid
from envhub.envs.games.maze.environment import Maze, Params, State

AUTHOR = Maze()
RNG = Stream(b"unused")


def drawn(level: int, seed: int = 0) -> Instance:
    for attempt in range(100):
        staged: Any = AUTHOR.sample(Stream(b"test", level, seed, attempt), Params.at(level))
        if next(staged, None) is not None:
            try:
                next(staged)
            except StopIteration as stop:
                if stop.value is not None:
                    return stop.value  # type: ignore[no-any-return]
    raise AssertionError("nothing drawn")


def tiny(moves: int = 3) -> Instance:
    """Two by two, an open ring but for the west: 0-1, 1-3, 3-2."""
    problem = {"size": 2, "start": 0, "exit": 2, "radius": 1, "moves": moves, "seen": ["", ""]}
    return Instance(problem, key="2c29")


def say(inst: Instance, state: State, text: str) -> Turn:
    turn = AUTHOR.advance(inst, state, text, RNG)
    assert isinstance(turn, Turn)
    return turn


def test_a_walk_to_the_exit() -> None:
    inst = drawn(1)
    state = AUTHOR.begin(inst, RNG)
    for _ in range(inst.problem["moves"]):
        turn = say(inst, state, AUTHOR.oracle(inst, state))
        state = turn.state
        if turn.verdict is not None:
            break
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.solved, turn.verdict.components["progress"]) == (1.0, True, 1.0)


@pytest.mark.parametrize("text", ["north", "west", "", "jump", "east or south", "<answer>e</answer><answer>s</answer>"])
def test_walls_and_what_is_no_move_cost_a_move_and_go_nowhere(text: str) -> None:
    before = State(0, 3)
    turn = say(tiny(), before, text)
    assert turn.state == State(0, 2)
    assert before == State(0, 3)
    assert "You are at column 1, row 1; the exit is at column 1, row 2. Open: east. Moves left: 2." in turn.observation


def test_the_moves_run_out_and_not_before() -> None:
    inst = tiny()
    last = say(inst, State(0, 1), "north")
    assert last.verdict is not None
    assert (last.verdict.score, last.verdict.status, last.verdict.components["progress"]) == (0.0, "graded", 0.0)
    assert say(inst, State(3, 1), "left").verdict.solved  # type: ignore[union-attr]


@pytest.mark.parametrize("level", LEVELS)
def test_mazes_are_as_the_parameters_say(level: int) -> None:
    p = Params.at(level)
    for seed in range(5):
        inst = drawn(level, seed)
        problem = inst.problem
        least = grid.distances(p.size, inst.key, problem["exit"])[problem["start"]]
        assert p.path <= least <= p.path + p.path // 4
        assert least <= problem["moves"] <= AUTHOR.max_turns
        assert inst.key not in repr(problem)
        assert problem["seen"][1] in AUTHOR.worded(problem)


@given(st.lists(st.sampled_from(["north", "south", "east", "west", "?"]), max_size=40), st.integers(0, 500))
@settings(max_examples=40)
def test_only_the_exit_wins_and_the_text_says_where_one_is(said: list[str], seed: int) -> None:
    inst = drawn(2, seed)
    size, state = inst.problem["size"], AUTHOR.begin(inst, RNG)
    for text in said:
        turn = say(inst, state, text)
        assert turn.state.left == state.left - 1
        state = turn.state
        if turn.verdict is not None:
            assert turn.verdict.solved == (state.cell == inst.problem["exit"])
            break
        assert state.cell != inst.problem["exit"]
        assert f"You are at column {state.cell % size + 1}, row {state.cell // size + 1};" in turn.observation


@pytest.mark.parametrize("bad", [{"path": 64}, {"path": 60, "slack": 500}, {"size": 2}, {"radius": 0}, {"slack": 99}])
def test_parameters_that_make_no_maze_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hold|must not|greater"):
        Params(**bad)


@pytest.mark.parametrize(
    "wrong", [{"size": 30, "path": 190}, {"size": 30, "loops": 100, "path": 60}, {"size": 5, "path": 24}]
)
def test_a_way_that_no_maze_has_is_refused_at_once(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameters, match=r"steps apart.*shorter path, fewer loops, or a larger size"):
        envhub.make("maze-v0", difficulty=None, slack=100, **wrong)


@pytest.mark.parametrize(
    "long",
    [
        {"size": 30, "loops": 10, "path": 120},
        {"size": 30, "loops": 0, "path": 200},
        {"size": 30, "loops": 50, "path": 58},
    ],
)
def test_a_long_way_is_drawn_soon(long: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """It took two minutes to find that there was none, most of them in walking from every cell of every maze."""
    env = envhub.make("maze-v0", difficulty=None, slack=100, **long)
    walked = []
    plain = grid.reaching

    def counted(*args: Any) -> Any:
        walked.append(args)
        return plain(*args)

    monkeypatch.setattr(grid, "reaching", counted)
    env.reset(seed=1)
    problem = env.task.problem
    assert long["path"] <= problem["moves"] <= long["path"] * 5 // 4
    assert len(walked) < 400


def test_every_level_passes_the_check() -> None:
    for level in LEVELS:
        AUTHOR.check(Params.at(level))


@pytest.mark.parametrize("level", [1, 7, 10])
def test_a_walker_who_sees_what_a_policy_sees_has_moves_enough(level: int) -> None:
    """At level 10 such a walker ran out of moves in one maze of four."""
    source = envhub.make("maze-v0", difficulty=level).source
    for seed in range(8):
        problem, cells = (drawn := source.draw(seed)[1]).problem, drawn.key
        walked = grid.explore(problem["size"], cells, problem["start"], problem["exit"], problem["radius"])
        assert walked * 5 // 4 <= problem["moves"] <= 256


def test_columns_of_two_digits_are_numbered_apart() -> None:
    """They ran into one another: ``8 910``."""
    header = grid.view(12, grid.carve(Stream(b"wide"), 12, 12, 0), 8, 0, 2).split("\n")[:2]
    assert header == ["          1 1", "    7 8 9 0 1"]
    assert grid.view(12, grid.carve(Stream(b"wide"), 12, 12, 0), 3, 0, 2).split("\n")[0] == "    2 3 4 5 6"


@pytest.mark.parametrize("text", ["Up!", "north.", "'East'"])
def test_a_direction_may_end_a_sentence(text: str) -> None:
    assert AUTHOR.answer.read(f"<answer>{text}</answer>").reason is None
