"""rewrite-puzzle-v0, rewrite-plan-v0, rewrite-dataset-v0: moves, their count, undo, plans, and a user's games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.audit import CHECKS, Subject
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.rewrite_puzzle import tasks
from envhub.envs.games.rewrite_puzzle.environment import RewritePuzzle
from envhub.envs.games.rewrite_puzzle.plan import RewritePlan
from envhub.envs.games.rewrite_puzzle.playing import State
from envhub.generators.rewriting.exploring import shortest as search
from envhub.generators.rewriting.games import GAMES
from envhub.generators.rewriting.levels import machine_of
from envhub.generators.rewriting.twists import movable
from envhub.registry.registry import register, unregister
from tests.generators.rewriting.second import Slow, shortest
from tests.generators.rewriting.test_against_second import plain

GAME, PLAN, RNG = RewritePuzzle(), RewritePlan(), Stream(b"unused")
ROOM = ["p.c.", ".#..", "...."]


def game(name: str, rows: list[str], plan: str, goal: tuple[int, int], moves: int = 9) -> Instance:
    """A level with its goal, which is the first object of the game."""
    source = GAMES[name].source()
    machine = machine_of(source, len(rows[0]), len(rows))
    board = list(machine.read(rows))
    board[1] = 1 << goal[1] * len(rows) + goal[0]
    problem = tasks.problem_of(source, machine, tuple(board), 1, "words")
    return Instance({**problem, "moves": moves}, key={"plan": plan.split()})


def say(inst: Instance, state: State, text: str) -> Turn:
    turn = GAME.advance(inst, state, text, RNG)
    assert isinstance(turn, Turn)
    return turn


def boxes(moves: int = 9) -> Instance:
    return game("boxes", ROOM, "right right", (0, 3), moves)


def drawing(turn: Turn) -> list[str]:
    return [line for line in turn.observation.split("\n") if set(line) <= set("#.pco ")]


def test_moves_are_carried_out_in_order_until_the_game_is_won() -> None:
    inst = boxes()
    first = say(inst, GAME.begin(inst, RNG), "down right")
    assert drawing(first) == [". . c o", "p # . .", ". . . ."]
    assert "2 moves carried out; 1 changed nothing." in first.observation
    assert first.observation.endswith("Moves left: 7.")
    last = say(inst, first.state, "up right right left left").verdict
    assert last is not None
    assert (last.score, last.solved) == (1.0, True)


@pytest.mark.parametrize(
    ("text", "shown", "left"),
    [
        ("undo", ["p . c o", ". # . .", ". . . ."], 8),
        ("right undo", ["p . c o", ". # . .", ". . . ."], 7),
        ("right left undo", [". p c o", ". # . .", ". . . ."], 6),
        ("right up undo", ["p . c o", ". # . .", ". . . ."], 6),
        ("right restart", ["p . c o", ". # . .", ". . . ."], 7),
        ("right restart undo", [". p c o", ". # . .", ". . . ."], 6),
        ("action", ["p . c o", ". # . .", ". . . ."], 8),
    ],
)
def test_undo_and_restart_count_as_moves(text: str, shown: list[str], left: int) -> None:
    inst = boxes()
    turn = say(inst, GAME.begin(inst, RNG), text)
    assert drawing(turn) == shown
    assert turn.state.left == left


@pytest.mark.parametrize("text", ["", "jump", "up or right", "<answer>up</answer><answer>down</answer>", "up " * 21])
def test_what_is_no_list_of_moves_costs_a_move(text: str) -> None:
    inst = boxes(moves=2)
    first = say(inst, GAME.begin(inst, RNG), text)
    assert (first.state.board, first.state.left) == (GAME.begin(inst, RNG).board, 1)
    last = say(inst, first.state, text).verdict
    assert last is not None
    assert (last.score, last.solved) == (0.0, False)


@pytest.mark.parametrize("text", ["up or right", "up 2", "up " * 21])
def test_a_reply_to_an_unreadable_message_names_the_faults_and_repeats_nothing(text: str) -> None:
    inst = boxes()
    said = say(inst, GAME.begin(inst, RNG), f"<answer>{text}</answer>").observation.partition("\n")[0]
    assert "more than 20 moves" in said
    assert said.count("undo and restart") == 1


def test_every_wording_states_the_order_of_rules_without_a_direction() -> None:
    for wording in (*range(8), "held-out"):
        prompt, _ = envhub.make("rewrite-plan-v0", difficulty=1, wording=wording).reset(seed=9)
        assert re.search(r"column by column|by columns|order of columns", prompt)
        assert re.search(r"without neighbouring cells(\) or| go column by column)", prompt)


def test_no_move_is_played_beyond_the_limit_and_the_last_one_counts() -> None:
    short = boxes(moves=1)
    lost = say(short, GAME.begin(short, RNG), "right right").verdict
    assert lost is not None
    assert lost.score == 0.0
    enough = boxes(moves=2)
    won = say(enough, GAME.begin(enough, RNG), "right right").verdict
    assert won is not None
    assert won.score == 1.0


@pytest.mark.parametrize(
    ("plan", "score"),
    [
        ("right right", 1.0),
        ("right right left up", 1.0),
        ("right left right right", 1.0),
        ("right", 0.0),
        ("down down right right right up up left", 0.0),
        ("right " + "left " * 20 + "right right", 0.0),
        ("action right right", 1.0),
    ],
)
def test_a_plan_is_played(plan: str, score: float) -> None:
    assert PLAN.grade(boxes(), PLAN.answer.parse(plan)).score == score  # type: ignore[union-attr]


def test_plans_take_nothing_back() -> None:
    turn = PLAN.advance(boxes(), None, "<answer>right undo right right</answer>", RNG)
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.status) == (0.0, "no_answer")


def test_a_lost_position_is_restarted_by_the_oracle() -> None:
    inst = game("boxes", ["p.c.", "....", "...."], "right right", (0, 3), moves=20)
    lost = say(inst, GAME.begin(inst, RNG), "down right right up")  # the crate is at the upper edge, the goal beside it
    again = game("boxes", ["pc..", "....", "...."], "down", (2, 3), moves=20)
    stuck = say(again, GAME.begin(again, RNG), "right right right")
    assert GAME.solve(inst, lost.state) == "left up right"
    assert GAME.solve(again, stuck.state).startswith("restart")


@pytest.mark.parametrize("level", [1, 3, 5, 8, 10])
def test_tasks_are_as_the_parameters_say(level: int) -> None:
    p = tasks.Params.at(level)
    drawn = (tasks.draw_problem(Stream(b"task", level, at), p) for at in range(100))
    inst = next(inst for inst in drawn if inst is not None)
    machine, plan = tasks.machine_for(inst.problem), inst.key["plan"]
    assert len(plan) in (p.length, p.length + 1)
    assert inst.problem["moves"] == len(plan) * 3 // 2 + 4
    slow = Slow(machine.program.game, machine.width, machine.height)
    cells, won = plain(machine, tasks.start_of(inst.problem)), False
    for move in plan:
        assert not won
        cells, won = slow.turn(cells, move)
    assert won
    if level < 4:
        assert shortest(slow, plain(machine, tasks.start_of(inst.problem)), len(plan)) == len(plan)


def test_twists_change_rules_and_invented_names_hide_the_game() -> None:
    p = tasks.Params(game="boxes", twists=1, invented=True, length=5)
    drawn = (tasks.draw_problem(Stream(b"twist", at), p) for at in range(60))
    sources = [inst.problem["source"] for inst in drawn if inst is not None]
    assert len(set(sources)) == len(sources) > 5
    assert not any("crate" in source.lower() or "boxes" in source.lower() for source in sources)
    assert len(movable(GAMES["boxes"])) == 1


def test_the_names_of_the_games_are_parameters() -> None:
    assert set(tasks.Params.model_json_schema()["properties"]["game"]["enum"]) == {"any", *GAMES}


# -- a user's games ----------------------------------------------------------------------------------------------------


def written(tmp_path: Path, levels: str, name: str = "boxes") -> str:
    place = tmp_path / "mine.txt"
    place.write_text(f"{GAMES[name].source()}\nLEVELS\n\n{levels}\n")
    return str(place)


def test_a_game_of_ones_own_is_played(tmp_path: Path) -> None:
    path = written(tmp_path, "message one\n\npc.o\n....\n\npc..\n...o")
    env = envhub.make("rewrite-dataset-v0", game=path, number=1, split="train")
    for split in ("train", "validation", "test"):
        env = envhub.make("rewrite-dataset-v0", game=path, number=1, split=split)
        try:
            observation, _ = env.reset(seed=1)
        except envhub.core.errors.SplitExhausted:
            continue
        break
    assert "rule 1" in str(observation).lower()
    assert "LEVELS" not in str(observation)
    assert env.step("<answer>down</answer>")[1] == 0.0
    _, reward, *_ = env.step("<answer>up right right</answer>")
    assert reward == 1.0


@cache
def many_levels() -> str:
    """Levels of boxes that can be won."""
    source, levels = GAMES["boxes"].source(), list[str]()
    machine, rng = machine_of(source, 5, 4), Stream(b"many levels")
    while len(levels) < 400:
        rows = ["".join(rng.choice("......##") for _ in range(5)) for _ in range(4)]
        cells = rng.sample([(row, column) for row in range(4) for column in range(5)], 3)
        for (row, column), sign in zip(cells, "pco", strict=True):
            rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
        found = search(machine, machine.begin(rows), 2000)
        if found and len(found) > 3:
            levels.append("\n".join(rows))
    return "\n\n".join(levels)


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An environment about a file with many levels."""
    monkeypatch.chdir(tmp_path)  # the file has the same short name in every run: a task depends on it
    written(tmp_path, many_levels())
    register("my-boxes-v0", "envhub.envs.games.rewrite_puzzle.dataset:RewriteDataset", params={"game": "mine.txt"})
    yield "my-boxes-v0"
    unregister("my-boxes-v0")


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in CHECKS if name != "difficulty"])  # a file has none
def test_a_users_game_keeps_the_contract(registered: str, name: str) -> None:
    CHECKS[name](Subject(registered))


@pytest.mark.parametrize(
    ("levels", "settings", "said"),
    [
        ("pc.z", {}, r"Line \d+: the glyph 'z'"),
        ("", {}, "has no levels"),
        ("pc.o", {"number": 2}, "`number` must be 1 to 1, got 2"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, levels: str, settings: Any, said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        envhub.make("rewrite-dataset-v0", game=written(tmp_path, levels), **settings)


@pytest.mark.parametrize(("levels", "said"), [("pc#o", "it cannot be won"), ("pc....o", "found among 10 boards")])
def test_a_level_without_a_solution_is_refused(tmp_path: Path, levels: str, said: str) -> None:
    rows = "\n".join([levels, *["." * len(levels.split("\n")[0])] * 4]) if "10" in said else levels
    env = envhub.make("rewrite-dataset-v0", game=written(tmp_path, rows), boards=10)
    with pytest.raises(InvalidParameters, match=said):
        env.reset(seed=1)
