"""NetHack itself, nightly: the script's actions solve, episodes replay, and no screen tells a seed."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from tests.adapters.libraries import adapter_over, games_of, solved

pytestmark = pytest.mark.nightly
ID = "nle/tasks-v0"


@pytest.fixture(scope="module")
def adapter() -> Iterator[Any]:
    """The adapter over the library, without a cache."""
    with adapter_over("nle") as found:
        yield found


def games() -> Any:
    """The module that plays games."""
    return games_of("nle")


@pytest.fixture
def make(adapter: Any) -> Iterator[Callable[..., envhub.Env]]:
    """Makes environments, and closes them."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(closing(envhub.make(ID, **options)))


def played(env: envhub.Env, seed: int = 1) -> list[str]:
    """The observations of an episode that the script plays to its end and solves."""
    env.reset(seed=seed)
    return solved(env)


@pytest.mark.parametrize("level", range(1, 11))
def test_the_script_solves_and_a_new_process_shows_the_same(make: Any, level: int) -> None:
    env = make(difficulty=level)
    seen = [played(env, seed) for seed in range(2)]
    games().processes.end_all()
    again = make(difficulty=level)
    assert [played(again, seed) for seed in range(2)] == seen


@pytest.mark.parametrize("character", ["val-dwa-law-fem", "sam-hum-law-fem", "wiz-elf-cha-mal"])
def test_other_characters_play(make: Any, character: str) -> None:
    assert "Agent the" in played(make(difficulty=2, character=character))[0]


def test_random_actions_lead_to_the_same_screens_in_two_processes(make: Any) -> None:
    """With deaths, menus and questions on the way; no screen and no info tells a seed."""
    from envhub.adapters.nle.actions import ACTIONS

    def acted(seed: int) -> list[str]:
        env = make(difficulty=9)
        env.reset(seed=seed)
        rng, seen = Stream(b"", "nle", seed), list[str]()
        secrets = [
            str(number) for number in (env.episode.task.problem["seed"], *games().seeds_of(env.task.problem["seed"]))
        ]
        while not env.episode.over:
            action = rng.choice([*ACTIONS, "a", "y", "n", "$", "*", "-"])
            observation, _, _, _, info = env.step(f"<answer>{action}</answer>")
            seen.append(str(observation))
            assert not any(secret in f"{observation} {info}" for secret in secrets)
        return seen

    first = [acted(seed) for seed in range(4)]
    games().processes.end_all()
    assert [acted(seed) for seed in range(4)] == first


def test_blind_policies_seldom_solve(make: Any) -> None:
    """Random walks, long walks, and a fixed round, which see no screen."""
    from envhub.adapters.nle.actions import MOVES

    solved = played_out = 0
    for level in range(1, 11):
        env = make(difficulty=level)
        for seed in range(2):
            for policy in range(3):
                env.reset(seed=seed)
                rng, turn = Stream(b"", "blind", level, seed, policy), 0
                while not env.episode.over:
                    walk = rng.choice(MOVES)
                    fixed = MOVES[turn % 8]
                    action = (walk, f"far {walk}", f"far {fixed}")[policy]
                    _, reward, *_ = env.step(f"<answer>{'more' if turn % 9 == 8 else action}</answer>")
                    turn += 1
                solved, played_out = solved + (reward == 1.0), played_out + 1
    assert solved <= 0.05 * played_out, (solved, played_out)


def test_eating_is_played_by_name_and_belongs_to_no_level(make: Any) -> None:
    env = make(task="eat")
    played(env)
    env.reset(seed=2)
    for letter in "abcdefghijkl" * 2:
        for action in ("eat", letter, "more"):
            if not env.episode.over:
                env.step(f"<answer>{action}</answer>")
    assert env.task.problem["task"] == "eat"
    for seed in range(4):
        other = make(difficulty=1 + seed)
        other.reset(seed=seed)
        assert other.task.problem["task"] != "eat"


def test_a_death_scores_0_and_a_character_is_refused_where_nothing_is_asked(make: Any) -> None:
    env = make(task="score", level=10)
    env.reset(seed=2)
    assert "asks nothing now" in env.step("<answer>S</answer>")[0]
    rng = Stream(b"", "pray")
    while not env.episode.over:
        _, reward, _, _, info = env.step(
            f"<answer>{rng.choice(['pray', 'y', 'more', 'search 10', 'kick', 'north'])}</answer>"
        )
    assert reward == 0.0
    assert info["verdict"]["status"] == "graded"


def test_other_messages_cost_a_step_and_the_last_step_ends_the_episode(make: Any) -> None:
    env = make(task="staircase", level=1)
    env.reset(seed=1)
    steps = env.task.problem["steps"]
    assert f"Steps left: {steps - 1}." in env.step("<answer>save the game</answer>")[0]
    while not env.episode.over:
        observation, reward, *_ = env.step("<answer>wait</answer>")
    assert "No steps are left." in observation
    assert reward == 0.0


def test_a_process_that_is_killed_loses_nothing_and_one_that_always_dies_is_an_error(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make(difficulty=3)
    whole = played(env)
    env.reset(seed=1)
    for turn in range(4):
        if turn == 2:
            os.kill(env.episode._resources._slots["nle"].live.process.pid, signal.SIGKILL)
        assert env.step(env.solve())[0] == whole[turn + 1]
    perform = games()._Episode.perform

    def dying(self: Any, effect: Any) -> Any:
        os.kill(self.process.pid, signal.SIGKILL)
        return perform(self, effect)

    monkeypatch.setattr(games()._Episode, "perform", dying)
    _, reward, terminated, truncated, info = env.step(env.solve())
    assert terminated or truncated
    assert math.isnan(reward)
    assert info["verdict"]["status"] == "error"


def test_an_episode_restored_elsewhere_and_a_fork_continue(make: Any) -> None:
    env = make(difficulty=4)
    whole = played(env)
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.solve())
    with closing(envhub.restore(env.snapshot())) as again:
        assert again.step(again.solve())[0] == whole[4]
    with closing(env.fork()) as twin:
        assert twin.step(twin.solve())[0] == whole[4]
