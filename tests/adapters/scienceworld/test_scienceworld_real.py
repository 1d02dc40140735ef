"""ScienceWorld itself, nightly: its solutions solve, its failures fail, and its processes may be lost."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from tests.support.peers import folder_of, on_path

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(
        shutil.which("java") is None, reason="ScienceWorld needs Java: apt install default-jre-headless"
    ),
]
HOME = "envhub.adapters.scienceworld"
OURS = (f"{HOME}.environments", f"{HOME}.simulator")
ID = "scienceworld/tasks-v0"


@pytest.fixture(scope="module")
def adapter() -> Iterator[Any]:
    """The adapter over the library."""
    with on_path(folder_of("scienceworld", "scienceworld"), *OURS, prefix="scienceworld/", library="scienceworld"):
        found = importlib.import_module(OURS[0])
        found.register()
        yield found
        importlib.import_module(OURS[1])._end_all()


@pytest.fixture(scope="module")
def simulator(adapter: Any) -> Any:
    """The module that runs its processes."""
    return importlib.import_module(OURS[1])


@pytest.fixture
def make(adapter: Any) -> Iterator[Callable[..., envhub.Env]]:
    """Makes environments, and closes them."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(closing(envhub.make(ID, **options)))


def played(env: envhub.Env) -> list[str]:
    """The observations of an episode that the oracle plays to its end and solves."""
    env.reset(seed=1)
    seen = [env.episode.task.prompt]
    while not env.episode.over:
        observation, reward, *_ = env.step(env.solve())
        seen.append(str(observation))
    assert reward == 1.0
    return seen


@pytest.mark.parametrize("level", range(1, 11))
def test_its_own_solutions_solve_and_are_the_same_in_another_process(make: Any, simulator: Any, level: int) -> None:
    env = make(difficulty=level)
    seen = played(env)
    env.close()
    simulator._end_all()  # the next episode is played by a process that has loaded nothing else
    assert played(make(difficulty=level)) == seen


def test_its_variations_are_those_of_the_tables(adapter: Any, simulator: Any) -> None:
    from envhub.adapters.scienceworld.tables import VARIATIONS

    with simulator.lent() as lent:
        counts = {name: lent._game.get_max_variations(name) for name in lent._game.get_task_names()}
    assert counts == VARIATIONS


def test_a_wrong_focus_fails_with_score_0(make: Any) -> None:
    env = make(task="find-animal")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step("<answer>focus on the agent</answer>")
    assert terminated
    assert reward == 0
    assert not info["verdict"]["solved"]


def test_other_messages_cost_a_step_and_the_last_step_ends_the_episode(make: Any) -> None:
    env = make(task="boil", steps=3)
    env.reset(seed=1)
    assert "Steps left: 2." in env.step("<answer>dance\nlook around</answer>")[0]
    assert "Steps left: 1." in env.step("<answer>fly to the moon</answer>")[0]
    observation, reward, terminated, _, _ = env.step("<answer>look around</answer>")
    assert "No steps are left." in observation
    assert (reward, terminated) == (0, True)


def test_a_process_that_is_killed_loses_nothing(make: Any, simulator: Any) -> None:
    env = make(difficulty=2)
    whole = played(env)
    env.reset(seed=1)
    for turn in range(len(whole) - 1):
        if turn == 3:
            live = env.episode._resources._slots["scienceworld"].live
            live._simulator._game._gateway.java_process.kill()
        assert env.step(env.solve())[0] == whole[turn + 1]
    assert env.episode.over


def test_an_episode_restored_elsewhere_continues(make: Any) -> None:
    env = make(difficulty=2)
    whole = played(env)
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.solve())
    with closing(envhub.restore(env.snapshot())) as again:
        assert again.step(again.solve())[0] == whole[4]


def test_an_unknown_task_is_refused_with_the_nearest(make: Any) -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'boil'"):
        make(task="boyl")
