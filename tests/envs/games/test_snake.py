"""snake-v0: steps, growth, death, the apples that appear, what a move costs, and the score."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.snake import board
from envhub.envs.games.snake.environment import SnakeGame, State, Steps

GAME = SnakeGame()


def game(*rows: str, snake: list[int], target: int = 3, moves: int = 20, key: int = 0) -> Instance:
    """A game from a drawing with walls and apples."""
    cells = "".join(rows)
    find = [[at for at, sign in enumerate(cells) if sign == wanted] for wanted in "#A"]
    problem = {"size": len(rows), "walls": find[0], "apples": find[1], "snake": snake, "target": target, "moves": moves}
    return Instance(problem, key=key)


def say(inst: Instance, text: str, state: State | None = None) -> Turn:
    turn = GAME.advance(inst, state or GAME.begin(inst, Stream(b"unused")), text, Stream(b"unused"))
    assert isinstance(turn, Turn)
    return turn


OPEN = game(".....", ".....", "..A..", ".....", ".....", snake=[10, 15, 20])


def test_a_step_moves_the_snake_and_an_apple_makes_it_longer() -> None:
    assert say(OPEN, "right").state.snake == (11, 10, 15)
    ate = say(OPEN, "right right right right").state
    assert (ate.snake, ate.eaten, ate.left) == ((12, 11, 10, 15), 1, 18)  # the rest of the message is dropped
    assert ate.apples != (12,)
    assert len(ate.apples) == 1


@pytest.mark.parametrize("text", ["left", "down", "up up up", "right up left down up up up up"])
def test_walls_edges_and_the_body_kill(text: str) -> None:
    dead = say(OPEN, text)
    assert dead.verdict is not None
    assert (dead.verdict.score, dead.verdict.solved) == (0.0, False)


def test_the_head_may_enter_the_cell_that_the_tail_leaves_unless_the_snake_grows() -> None:
    ring = game("....", "....", "....", "....", snake=[0, 1, 5, 4])
    assert say(ring, "down").state.snake == (4, 0, 1, 5)
    assert board.stepped(4, (), (0, 1, 5, 4), {4}, "down") is None  # an apple there would make the tail stay


def test_the_score_is_the_share_of_apples() -> None:
    lost = say(game(*["....."] * 5, snake=[10, 15, 20], target=4), "left", State((10, 15, 20), (1,), 3, 5))
    assert lost.verdict is not None
    assert lost.verdict.score == 0.75
    won = say(game(".....", ".....", ".A...", ".....", ".....", snake=[10, 15, 20], target=1), "right")
    assert won.verdict is not None
    assert won.verdict.solved


def test_steps_and_unreadable_messages_use_up_moves() -> None:
    assert say(OPEN, "right").state.left == 19
    assert say(OPEN, "nothing").state.left == 19
    ended = say(game(*["....."] * 5, snake=[10, 15, 20], moves=2), "right right right right")
    assert ended.verdict is not None
    assert "No moves" in ended.verdict.feedback


def second(problem: Any, state: dict[str, Any], text: str) -> str:
    """The rules again, on coordinates: changes the state and returns what became of the snake."""
    size = problem["size"]
    walls = {divmod(cell, size) for cell in problem["walls"]}
    for word in text.split():
        if not state["left"]:
            return "out"
        state["left"] -= 1
        down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[word]
        row, column = state["body"][0][0] + down, state["body"][0][1] + right
        if (row, column) in state["apples"]:
            if (row, column) in state["body"]:
                return "dead"
            state["body"].insert(0, (row, column))
            state["eaten"] += 1
            return "ate"
        state["body"].pop()
        if not (0 <= row < size and 0 <= column < size) or (row, column) in walls or (row, column) in state["body"]:
            return "dead"
        state["body"].insert(0, (row, column))
    return "out" if not state["left"] else "alive"


@pytest.mark.parametrize("level", [1, 5, 10])
def test_random_play_agrees_with_the_rules_written_again(level: int) -> None:
    """Random steps with a bias to the oracle's, so that snakes grow."""
    ends = set()
    for seed in range(12):
        env = envhub.make("snake-v0", difficulty=level)
        env.reset(seed=seed)
        problem, size = env.task.problem, env.task.problem["size"]
        rng = Stream(bytes([seed, level]), "test")
        state: dict[str, Any] = {"left": problem["moves"], "eaten": 0}
        while not env.episode.over:
            now = env.episode.state
            state |= {
                "body": [divmod(cell, size) for cell in now.snake],
                "apples": [divmod(c, size) for c in now.apples],
            }
            text = env.environment.solve(env.episode.instance, now)  # type: ignore[attr-defined]
            if not rng.below(12):
                text = env.environment.answer.random(rng)
            became = second(problem, state, text)
            ends.add(became)
            env.step(text)
            over = became in ("dead", "out") or state["eaten"] == problem["target"]
            assert env.episode.over == over
            if not over:
                after = env.episode.state
                assert [divmod(cell, size) for cell in after.snake] == state["body"]
                assert (after.eaten, after.left) == (state["eaten"], state["left"])
                assert len(set(after.snake) | set(after.apples) | set(problem["walls"])) == len(after.snake) + len(
                    after.apples
                ) + len(problem["walls"])
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        assert verdict.score == state["eaten"] / problem["target"]
    assert {"ate", "dead"} <= ends


def test_hidden_apples_follow_from_the_key_alone() -> None:
    states = [
        say(game(".....", ".....", ".A...", ".....", ".....", snake=[10, 15, 20], key=key), "right") for key in range(9)
    ]
    assert len({turn.state.apples for turn in states}) > 1
    assert (
        states[3].state
        == say(game(".....", ".....", ".A...", ".....", ".....", snake=[10, 15, 20], key=3), "right").state
    )


@pytest.mark.parametrize("text", ["up " * 11, "", "north", "up or left"])
def test_what_is_no_list_of_directions_is_refused(text: str) -> None:
    assert Steps().read(f"<answer>{text}</answer>").reason is not None


def test_walls_leave_no_dead_ends() -> None:
    for seed in range(20):
        walls = board.walled(Stream(bytes([seed]), "test"), 8, 8)
        assert walls is not None
        for cell in set(range(64)) - walls:
            ways = [board.neighbour(8, cell, step) for step in board.STEPS]
            assert sum(way is not None and way not in walls for way in ways) >= 2
