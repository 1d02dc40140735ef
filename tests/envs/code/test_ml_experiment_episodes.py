"""Episodes of ml-experiment-v0: which rows and which submission decide, and what is no failure of the policy."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any, ClassVar

import pytest

import envhub
from envhub.core.effects import Resource
from envhub.core.tools import write_call
from envhub.core.types import EnvSpec
from envhub.envs.code.ml_experiment.environment import MlExperiment
from envhub.gymnasium.env import Env
from envhub.sandbox.resource import Sessions
from envhub.sandbox.sandbox import LocalSandbox
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from tests.sandbox.backends import Scripted
from tests.support.kernels import needed

pytestmark = pytest.mark.slow
SUBMIT, FINISH = write_call("submit"), write_call("finish")


def begun(task: str, level: int = 3) -> Any:
    """An episode of a kind of task."""
    needed("ml-experiment-v0")
    env = envhub.make("ml-experiment-v0", difficulty=level, task=task)
    env.reset(seed=1)
    return env


def writing(predictions: list[str]) -> str:
    """A call that writes a submission."""
    rows = "".join(f"{at},{each}\n" for at, each in enumerate(predictions, 1))
    return write_call("python", code=f"open('submission.csv', 'w').write({'id,prediction' + chr(10) + rows!r})")


def ended(env: Any, *actions: str) -> float:
    """The reward of the last action."""
    reward = 0.0
    for action in actions:
        _, reward, *_ = env.step(action)
    assert env.episode.over
    return float(reward)


@pytest.mark.parametrize("task", ["table-auc", "table-map", "image-accuracy"])
def test_the_hidden_rows_alone_decide(task: str) -> None:
    for part, expected in ((1, 1.0), (0, 0.0)):
        env = begun(task)
        key, constant = env.episode.instance.key, (env.task.problem["labels"] or ["0"])[0]
        mixed = [best if of == part else constant for best, of in zip(key["best"], key["hidden"], strict=True)]
        assert ended(env, writing(mixed), SUBMIT, FINISH) == expected


def test_the_last_valid_submission_counts_even_without_an_end() -> None:
    env = begun("text-f1")
    best, constant = env.episode.instance.key["best"], [env.task.problem["labels"][-1]] * env.task.problem["rows"][1]
    left = env.environment.messages(env.task.problem)
    assert ended(env.fork(), writing(best), SUBMIT, writing(constant), SUBMIT, FINISH) == 0.0
    assert ended(env.fork(), writing(constant), SUBMIT, writing(best), SUBMIT, writing(best[1:]), SUBMIT, FINISH) == 1.0
    long = "x" * (MlExperiment.max_action_chars + 1)
    assert ended(env.fork(), writing(best), SUBMIT, *[long] * (left - 2)) == 1.0
    assert ended(env, writing(best), SUBMIT, *[""] * (left - 2)) == 1.0


def test_the_same_actions_give_the_same_answers() -> None:
    code = "import random\nrandom.seed(1)\nrows = open('test.csv').read().split()[1:]\n"
    code += "text = ''.join(f'{n},{random.random()}\\n' for n, _ in enumerate(rows, 1))\n"
    code += "open('submission.csv', 'w').write('id,prediction\\n' + text)"
    actions = [write_call("python", code=code), SUBMIT, write_call("python", code="1 / 0"), FINISH]
    runs = []
    for _ in range(2):
        env = begun("table-rmse")
        runs.append([env.step(action)[:3] for action in actions])
    assert runs[0] == runs[1]
    assert "ZeroDivisionError" in str(runs[0][2][0])


@pytest.mark.parametrize("toolchain", ["", "science"])
def test_a_sandbox_that_fails_is_an_error_and_no_score(toolchain: str) -> None:
    """A slot that does not start, and packages that are missing."""
    backend = Scripted()
    backend.sick = "" if toolchain else "start"
    with LocalSandbox(backend) as sandbox:

        class Broken(MlExperiment):
            """The environment in a broken sandbox."""

            resources: ClassVar[Mapping[str, Resource]] = {"python": Sessions(sandbox=sandbox, toolchain=toolchain)}

        spec = EnvSpec("broken-v0", f"{__name__}:Broken")
        env = Env(TaskSource(spec, Broken(), 1, "train", Broken.Params.at(1).model_dump()), Options())
        env.reset(seed=0)
        _, reward, terminated, truncated, _ = env.step(write_call("python", code="1"))
        assert isnan(float(reward))
        assert truncated
        assert not terminated
