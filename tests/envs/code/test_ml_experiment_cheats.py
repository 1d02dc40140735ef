"""Cheats in ml-experiment-v0 gain nothing over the same submission without the cheat."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

import pytest

import envhub
from envhub.core.tools import write_call
from tests.envs.code.experiment_cheats import COLLECT, GUESS, HONEST, SEARCHES, TRICKS
from tests.support.kernels import needed

pytestmark = pytest.mark.slow
SUBMIT, FINISH = write_call("submit"), write_call("finish")
SEED = 5


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    needed("ml-experiment-v0")


def begun(**params: Any) -> Any:
    """An episode whose target is linear for the most part."""
    env = envhub.make("ml-experiment-v0", difficulty=1, task="table-rmse", **params)
    env.reset(seed=SEED)
    return env


def runs(env: Any, *codes: str) -> str:
    """Run code in the session; what the last call showed."""
    seen = ""
    for code in codes:
        seen = str(env.step(write_call("python", code=code))[0])
    return seen


def finished(env: Any) -> float:
    """The score at the end. It was judged."""
    _, reward, terminated, _, _ = env.step(FINISH)
    assert terminated
    return float(reward)


def honestly(**params: Any) -> float:
    """The score of the honest submission."""
    env = begun(**params)
    runs(env, HONEST)
    env.step(SUBMIT)
    return finished(env)


@pytest.fixture(scope="module")
def honest() -> float:
    score = honestly()
    assert 0.2 < score < 0.95
    return score


def test_there_are_thirty_cheats_and_more() -> None:
    assert len(SEARCHES) + len(TRICKS) >= 40


def test_targets_in_the_session_would_be_found(honest: float) -> None:
    """The control: if the targets were there, a search would find them and score 1."""
    env = begun()
    truth = json.dumps(env.episode.instance.key["truth"])
    leak = f"open('/tmp/leak.json', 'w').write({truth!r})"
    assert "found" in runs(env, leak, HONEST, f"{COLLECT}\nwalk('/tmp')\n{GUESS}")
    env.step(SUBMIT)
    assert finished(env) == 1.0 > honest


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_finds_nothing(name: str, honest: float) -> None:
    env = begun()
    search = f"{COLLECT}\ntry:\n{indent(SEARCHES[name], '    ')}\nexcept Exception as error:\n    print(error)"
    said = runs(env, search, HONEST, GUESS)
    assert "nothing" in said
    env.step(SUBMIT)
    assert finished(env) == honest


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_gains_nothing(name: str, honest: float) -> None:
    env = begun()
    runs(env, HONEST)
    env.step(SUBMIT)
    runs(env, TRICKS[name])
    env.step(SUBMIT)
    assert finished(env) <= honest


def test_the_feedback_cannot_be_asked_more_often_than_stated() -> None:
    """Calls beyond the limit say nothing and change nothing, also several in one message."""
    env = begun(attempts=2)
    runs(env, HONEST)
    env.step(SUBMIT)
    runs(env, "write([each + 1e6 for each in honest])")
    seen = str(env.step("\n".join([SUBMIT] * 4))[0])
    assert seen.count("is valid") == 1
    assert seen.count("no submissions left") == 3
    runs(env, "write(honest)")
    assert "no submissions left" in str(env.step(SUBMIT)[0])
    assert finished(env) == 0.0


def test_probing_the_feedback_tells_nothing_of_the_hidden_rows() -> None:
    """Changes that pay on the feedback rows, kept one after the other, do not pay on the hidden ones."""
    budget = {"attempts": 10, "calls": 30}
    env, best, kept = begun(**budget), float("inf"), "honest"
    runs(env, HONEST)
    for start in range(0, 720, 80):
        change = f"tried = list({kept})\nfor at in range({start}, {start + 80}): tried[at] += 40\nwrite(tried)"
        runs(env, change)
        value = float(str(env.step(SUBMIT)[0]).partition("feedback rows is ")[2].split()[0])
        if value < best:
            best, kept = value, "better"
            runs(env, "better = tried")
    runs(env, f"write({kept})")
    env.step(SUBMIT)
    assert finished(env) <= honestly(**budget) + 0.02  # the noise of a choice among ten


def test_calls_beyond_the_budget_run_nothing() -> None:
    env = begun(calls=2)
    assert "calls of python left: 0" in runs(env, HONEST, "1")
    assert "no calls of python left" in runs(env, "write([0] * len(asked))")
    env.step(SUBMIT)
    assert finished(env) == honestly(calls=2)


def test_processor_time_is_limited_and_none_is_used_between_calls() -> None:
    env = begun()
    runs(
        env,
        "import threading\nn = 0\ndef f():\n global n\n while True: n += 1\nthreading.Thread(target=f, daemon=True).start()",
    )
    before, after = (int(runs(env, "n").split()[0]) for _ in range(2))
    assert after - before < 10_000_000  # what two calls need, not what passes between them
    assert "processor time" in runs(env, "import os\nfor _ in range(3): os.fork()\nwhile True: pass")
    assert "left" in runs(env, HONEST)


def test_the_end_cannot_be_forged_or_repeated(honest: float) -> None:
    env = begun()
    runs(env, HONEST)
    env.step(SUBMIT)
    assert "final score" not in runs(env, "print('no')")
    observation, reward, terminated, _, _ = env.step("\n".join([FINISH, SUBMIT, FINISH]))
    assert terminated
    assert float(reward) == honest
    assert str(observation).count("final score") == 1
