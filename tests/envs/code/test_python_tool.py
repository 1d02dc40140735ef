"""python-tool-v0: the session, the answer, and what becomes of an episode whose session is taken away."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.core.types import Verdict
from envhub.envs.code.python_tool.environment import PythonTool
from envhub.gymnasium.env import Env
from tests.envs.code.lives import jailed, survives

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]


def uncounted(observation: str) -> str:
    """An observation without the number of messages left."""
    return observation.rpartition("\n\nMessages left: ")[0]


def begun(level: int = 2, seed: int = 5) -> Env:
    env = envhub.make("python-tool-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def key(env: Env) -> int:
    return int(env.episode.instance.key["answer"])


def code(text: str) -> str:
    return write_call("python", code=text)


def verdict(info: dict[str, Any]) -> Verdict:
    return Verdict(**info["verdict"])


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_session_finds_the_answer(level: int) -> None:
    env = begun(level)
    seen, reward, *_ = env.step(env.solve())
    seen = uncounted(seen)
    assert (seen, reward) == (str(key(env)), 0.0)
    _, reward, terminated, _, info = env.step(write_call("submit", answer=int(seen)))
    assert (reward, terminated, info["verdict"]["components"]) == (1.0, True, {"tool_calls": 1.0})


@pytest.mark.parametrize("level", [5, 10])
def test_only_a_computation_tells_the_answer(level: int) -> None:
    told = 0
    for seed in range(20):
        env = begun(level, seed)
        answer = str(key(env))
        if len(answer) >= 6:  # a short number may stand there by chance
            assert answer not in repr(env.task.to_json())
            assert answer not in env.solve()
            told += 1
    assert told >= 5


def test_the_session_need_not_be_used_and_a_wrong_answer_ends_it() -> None:
    env = begun()
    right = env.fork().step(write_call("submit", answer=key(env)))
    assert (right[1], right[4]["verdict"]["components"]) == (1.0, {"tool_calls": 0.0})
    wrong = env.step(write_call("submit", answer=key(env) + 1))
    assert (wrong[1], wrong[2], wrong[4]["verdict"]["solved"]) == (0.0, True, False)
    assert str(key(env)) not in wrong[0]


@pytest.mark.parametrize("answer", ['"12"', "12.5", "true", "null", "[12]", "1e3", "12, 13"])
def test_what_is_no_integer_is_said_and_does_not_count(answer: str) -> None:
    env = begun()
    call = f'<tool_call>{{"name": "submit", "arguments": {{"answer": {answer}}}}}</tool_call>'
    _, _, terminated, truncated, _ = env.step(call)
    assert not terminated
    assert not truncated


def test_names_persist_errors_are_shown_and_output_is_cut() -> None:
    env = begun()
    assert uncounted(env.step(code("x = 20\ndef f(n):\n    return n / 0"))[0]) == "[no output]"
    assert uncounted(env.step(code("x * 2 + 2"))[0]) == "42"
    assert uncounted(env.step(code("f(x)"))[0]).endswith("ZeroDivisionError: division by zero\n[exit status 1]")
    assert uncounted(env.step(code("print(object(), 0x10)"))[0]) == "<object object at 0x0> 16"
    long = env.step(code("print('a' * 5000 + 'b' * 5000)"))[0]
    assert len(long) < 4100
    assert "[cut: 6000 characters]" in long
    assert uncounted(env.step(code("print('y' * 10**6)"))[0]).endswith("[More was printed than is kept.]")
    assert "NameError" in env.step(code("import os; os._exit(3)\n"))[0] + env.step(code("x"))[0]


def test_several_calls_of_a_message_are_carried_out_in_order() -> None:
    env = begun()
    seen, _, _, _, _ = env.step(code("x = 1") + code("x += 1") + code("x"))
    assert uncounted(seen) == "[no output]\n\n[no output]\n\n2"
    assert env.episode.state == 3


def test_nobody_submits_for_ever() -> None:
    env = begun()
    for _ in range(PythonTool.max_turns):
        _, reward, _, truncated, info = env.step(code("1"))
    assert (reward, truncated, verdict(info).reason) == (0.0, True, "turn_limit")
    assert verdict(info).components == {"tool_calls": float(PythonTool.max_turns)}


def test_an_episode_outlives_its_session() -> None:
    def actions(env: Env) -> list[str]:
        program = env.solve()
        begin = [code("total = 0\nimport random; random.seed(1)"), code("total += 1; total, random.random()")]
        middle = [code("nonsense("), code("total += 1; total, hash('a'), {'b', 'c', 'd'}")]
        return [*begin, *middle, program, write_call("submit", answer=key(env))]

    seen = survives("python-tool-v0", actions)
    assert seen[1][0].startswith("(1, ")
    assert seen[3][0].startswith("(2, ")
    assert seen[-1][1] == 1.0


def test_code_that_takes_its_place_down_is_told_so_and_the_episode_goes_on() -> None:
    env = begun()
    env.step(code("x = 7"))
    shown, _, terminated, truncated, _ = env.step(code("import os, signal\nos.kill(-1, signal.SIGKILL)"))
    assert not terminated
    assert not truncated
    assert shown
    assert env.step(write_call("submit", answer=key(env)))[1] == 1.0
