"""Our environments for verifiers over stand-ins of the few names that they use; nightly they run in verifiers itself."""

from __future__ import annotations

import asyncio
import importlib
import math
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar

import pytest
from pydantic import BaseModel

import envhub.adapters
from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra
from envhub.dataset import generate
from tests.dataset.workshop import Unjudged, config, known, read

A, B = TypeVar("A"), TypeVar("B")
WRONG = "<answer>4000000</answer>"


def row_of(folder: Path, id: str) -> Any:
    """A row with the oracle's actions."""
    generate(config(id, rows=1, format="verifiers", with_solutions=id != "toy-v0"), folder / f"{id}.jsonl", processes=1)
    return read(folder / f"{id}.jsonl")[0]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Our modules are imported anew over each stand-in."""
    names = ["envhub.adapters.verifiers.taskset", "envhub.adapters.verifiers.legacy", "envhub_verifiers"]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield
    for name in names:
        sys.modules.pop(name, None)
        vars(envhub.adapters).pop(name.rpartition(".")[2], None)
    sys.modules.update(before)


# -- since 0.4 ---------------------------------------------------------------------------------------------------------


class Base(BaseModel):
    """As its configurations and its data."""

    prompt: Any = None
    name: Any = None


class One(Generic[A]):
    """As ``Task`` and ``Env``."""


class Two(Generic[A, B]):
    """As ``Taskset``."""


class Interaction:
    """A policy that says what it is told to say, and an endpoint that may die."""

    def __init__(self, script: list[str], dies: bool) -> None:
        self.script, self.dies, self.heard = list(script), dies, list[str]()
        self.trace = SimpleNamespace(ok=False, info={}, rewards={}, record_reward=self.record)

    def record(self, name: str, value: float) -> None:
        self.trace.rewards[name] = value

    async def turn(self, message: str | None = None) -> Any:
        self.heard += [message] if message is not None else []
        if not self.script:
            return SimpleNamespace(terminated=True, last_reply="")
        return SimpleNamespace(terminated=False, last_reply=self.script.pop(0))

    @asynccontextmanager
    async def opened(self, task: Any) -> Any:
        yield self
        self.trace.ok = not self.dies  # verifiers decides when the exchange is closed


@pytest.fixture
def since(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The adapter over the names of version 0.4."""
    module = ModuleType("verifiers.v1")
    kinds: dict[str, Any] = dict.fromkeys(("TasksetConfig", "TaskData", "EnvConfig", "AgentConfig"), Base)
    vars(module).update(kinds, Task=One, Env=One, Taskset=Two)
    monkeypatch.setitem(sys.modules, "verifiers", ModuleType("verifiers"))
    monkeypatch.setitem(sys.modules, "verifiers.v1", module)
    vars(sys.modules["verifiers"])["v1"] = module
    return importlib.import_module("envhub.adapters.verifiers.taskset")


def exchanged(since: Any, row: Any, script: list[str], dies: bool = False) -> Interaction:
    """An episode, as verifiers has our environment run it."""
    task = SimpleNamespace(data=SimpleNamespace(url=None, ground_truth=row["answer"]))
    interaction = Interaction(script, dies)
    agents = SimpleNamespace(player=SimpleNamespace(interaction=interaction.opened))
    asyncio.run(since.EnvhubEnv().run(task, agents))
    return interaction


def test_an_episode_is_scored_once_it_is_over(since: Any, tmp_path: Path) -> None:
    row = row_of(tmp_path, "guess-number-v0")
    done = exchanged(since, row, [WRONG, *row["info"]["solution"]])
    assert done.trace.rewards == {"envhub": 1.0}
    assert done.trace.info == {"solved": True}
    assert len(done.heard) == len(row["info"]["solution"])


def test_an_episode_that_a_limit_cut_earns_what_it_has(since: Any, tmp_path: Path) -> None:
    cut = exchanged(since, row_of(tmp_path, "guess-number-v0"), [WRONG])
    assert cut.trace.rewards == {"envhub": 0.0}


def test_an_endpoint_that_dies_is_no_reward(since: Any, tmp_path: Path) -> None:
    row = row_of(tmp_path, "guess-number-v0")
    for script in ([], [WRONG], row["info"]["solution"]):
        assert exchanged(since, row, script, dies=True).trace.rewards == {}


def test_what_could_not_be_judged_raises(since: Any, tmp_path: Path) -> None:
    with known("toy-v0", Unjudged), pytest.raises(JudgementError, match="judge_lost"):
        exchanged(since, row_of(tmp_path, "toy-v0"), ["<answer>1</answer>"])


# -- before 0.4 --------------------------------------------------------------------------------------------------------


class Failure(Exception):
    """As ``vf.InfraError``."""


class MultiTurnEnv:
    """As verifiers': the loop of a rollout, and what it makes of its errors."""

    def __init__(self, **settings: Any) -> None:
        self.settings, self.rubric = settings, None

    async def rollout(self: Any, row: Any, script: list[str], dies: bool = False) -> Any:
        """A rollout of a scripted policy; its endpoint may die when the script ends."""
        state: Any = {"answer": row["answer"], "info": row["info"], "trajectory": [], "error": None}
        try:
            await self.setup_state(state)
            for said in script:
                if state["trajectory"]:
                    await self.env_response([], state)
                if "final_env_response" in state:
                    break
                state["trajectory"].append({"completion": [SimpleNamespace(role="assistant", content=said)]})
            if dies:
                raise Failure("connection refused")
        except Failure as error:
            state["error"] = error
        return state


class Rubric:
    """As verifiers'."""

    async def cleanup(self, state: Any) -> None:
        state["cleaned"] = True


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The adapter over the names of version 0.3."""
    module = ModuleType("verifiers")
    vars(module).update(MultiTurnEnv=MultiTurnEnv, Rubric=Rubric, Error=Exception, InfraError=Failure)
    monkeypatch.setitem(sys.modules, "verifiers", module)
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)  # there is none yet
    return importlib.import_module("envhub_verifiers")


def scored(before: Any, row: Any, *scripts: tuple[list[str], bool]) -> list[Any]:
    """The rollouts of a group, scored by our rubric."""

    async def group() -> list[Any]:
        env = before.load_environment("guess-number-v0", reward={"accuracy": 1.0, "format": 0.5})
        states = [await env.rollout(row, script, dies) for script, dies in scripts]
        await env.rubric.score_group(states)
        for state in states:
            await env.rubric.cleanup(state)
        return states

    return asyncio.run(group())


def test_a_group_is_scored_without_what_failed(before: Any, tmp_path: Path) -> None:
    row = row_of(tmp_path, "guess-number-v0")
    right = row["info"]["solution"]
    solved, wrong, died, judged = scored(
        before, row, (right, False), ([WRONG] * 60, False), ([WRONG, WRONG], True), (right[:-1], False)
    )
    assert [state["reward"] for state in (solved, wrong, judged)] == [1.5, 0.5, 0.0]
    assert math.isnan(died["reward"])
    assert died["metrics"] == {}
    mean = (1.5 + 0.5 + 0.0) / 3
    assert solved["advantage"] == pytest.approx(1.5 - mean)
    assert died["advantage"] == 0.0
    assert all(step["advantage"] == 0.0 and math.isnan(step["reward"]) for step in died["trajectory"])
    assert solved["metrics"] == {"envhub": 1.5, "solved": 1.0, "no_answer": 0.0, "num_turns": float(len(right))}
    assert all(state["cleaned"] for state in (solved, wrong, died, judged))


def test_the_last_message_is_judged_though_a_limit_was_reached_with_it(before: Any, tmp_path: Path) -> None:
    row = row_of(tmp_path, "arithmetic-v0")
    (done,) = scored(before, row, (row["info"]["solution"], False))  # the loop ends before the environment is asked
    assert (done["reward"], done["metrics"]["num_turns"]) == (1.5, 1.0)


def test_what_could_not_be_judged_is_an_error_and_nan(before: Any, tmp_path: Path) -> None:
    with known("toy-v0", Unjudged):
        row = row_of(tmp_path, "toy-v0")
        for script in (["<answer>1</answer>"], ["<answer>1</answer>", "more"]):
            (lost,) = scored(before, row, (script, False))
            assert isinstance(lost["error"], Failure)
            assert "judge_lost" in str(lost["error"])
            assert math.isnan(lost["reward"])


def test_a_row_of_another_problem_is_refused_and_tasks_come_from_seeds(before: Any, tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="verifiers' rows are a Dataset: pip install datasets")
    env = before.load_environment("arithmetic-v0", num_tasks=3, num_eval_tasks=2, max_turns=4)
    train, evaluation = env.settings["dataset"](), env.settings["eval_dataset"]()
    assert (len(train), len(evaluation), env.settings["max_turns"]) == (3, 2, 4)
    assert not set(train["answer"]) & set(evaluation["answer"])


def test_an_altered_row_is_refused(before: Any, tmp_path: Path) -> None:
    row = row_of(tmp_path, "arithmetic-v0")
    with pytest.raises(InvalidParameters, match="another problem"):
        scored(before, {**row, "info": {"fingerprint": "of another"}}, ([], False))


def test_each_version_finds_what_it_looks_for(before: Any) -> None:
    assert before.__all__ == ["load_environment"]
    with pytest.raises(AttributeError, match="load_environments"):
        before.load_environments


def test_a_version_since_has_no_load_environment(since: Any) -> None:
    module = importlib.import_module("envhub_verifiers")
    assert module.__all__ == ["EnvhubEnv", "EnvhubTaskset"]
    with pytest.raises(MissingExtra, match=r"before 0\.4"):
        module.load_environment
