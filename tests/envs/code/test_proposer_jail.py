"""proposer-v0 and proposed-v0 in the jail: attacks, self-play, models as solvers, failures, and the way of a proposal."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.effects import Effect, Live, Outcome
from envhub.core.errors import InvalidParameters, ResourceError, SplitExhausted
from envhub.core.types import JSON
from envhub.dataset.proposals import collect
from envhub.envs.code.proposer import judging
from envhub.envs.code.proposer.bench import measure
from envhub.envs.code.proposer.model_solver import ModelSolvers
from envhub.envs.code.proposer.questions import right_answer
from envhub.episodes.episode import Episode
from envhub.sandbox.jobs import Result
from envhub.sandbox.resource import Jobs
from tests.envs.code.proposer_cheats import CHEATS

pytestmark = pytest.mark.slow
URL = "http://127.0.0.1:9/v1#student"


def begun(seed: int = 0, **params: Any) -> Any:
    env = envhub.make("proposer-v0", **{"difficulty": 2, **params})
    env.reset(seed=seed)
    return env


def verdict(step: tuple[Any, ...]) -> Any:
    return step[4]["verdict"]


def test_no_cheat_earns_anything_in_the_jail() -> None:
    env = begun(kind="deduction")
    for seed in range(40):
        env.reset(seed=seed)
        if env.task.problem["argument"] == "int" and env.task.problem["returns"] == "int":
            break
    for name, text in CHEATS.items():
        step = env.fork().step(f"```python\n{text}\n```")
        assert step[1] == 0.0, name
        assert "error" not in step[4], name
    assert env.step(env.solve())[1] == 1.0


def test_the_reward_is_that_of_the_solvers_rate() -> None:
    for kind in ("deduction", "abduction", "induction"):
        env = begun(seed=3, kind=kind)
        _, reward, _, _, info = env.step(env.solve())
        parts = info["verdict"]["components"]
        assert reward == 1.0
        assert abs(parts["rate"] - env.task.problem["target"] / 100) <= env.task.problem["tolerance"] / 200
        assert info["proposal"]["rate"] == parts["rate"]
        assert "values" not in info["proposal"]


def test_self_play_pays_every_seat_for_its_own_answer() -> None:
    env = begun(seed=1, kind="deduction", opponent="self", attempts=4)
    source = env.solve()
    observation, _, over, _, info = env.step(source)
    assert not over
    assert info["player"] == 1
    assert "Call: f(" in observation
    assert "<answer>" in observation
    values = env.episode.state["values"]
    right = f"<answer>{right_answer(env.episode.state['challenge'], values)}</answer>"
    for answer in (right, "<answer>'no'</answer>", right, "nothing"):
        _, _, over, _, info = env.step(answer)
    assert over
    assert info["payoffs"][1:] == [1.0, 0.0, 1.0, 0.0]
    assert info["proposal"]["rate"] == 0.5
    assert info["payoffs"][0] == verdict((0, 0, 0, 0, info))["components"]["learnability"]


def test_an_invalid_proposal_ends_self_play_at_once() -> None:
    env = begun(opponent="self", attempts=4)
    _, reward, over, _, info = env.step("```python\nimport os\n```")
    assert (reward, over, info["payoffs"]) == (0.0, True, [0.0] * 5)


class Student(Live):
    """Replies in turn, and counts how often it was asked."""

    def __init__(self, replies: Iterator[str | Exception | None]) -> None:
        self.replies, self.asked = replies, list[str]()

    def perform(self, effect: Effect) -> Outcome:
        self.asked.append(effect.payload["question"])
        reply = next(self.replies)
        if isinstance(reply, Exception):
            raise reply
        return Outcome(reply or "", reply is not None)


def student(monkeypatch: pytest.MonkeyPatch, *replies: str | Exception | None) -> Student:
    asked = Student(iter(replies))

    def opened(self: ModelSolvers, problem: JSON, token: JSON = None) -> Live:
        return asked

    monkeypatch.setattr(ModelSolvers, "open", opened)
    return asked


def modelled(kind: str) -> Any:
    return begun(seed=2, kind=kind, opponent=URL, attempts=4)


def right_for(env: Any) -> str:
    """A right reply of the solver to the oracle's proposal."""
    problem, source = env.task.problem, env.episode.instance.key
    found = measure(judging.request(problem, source))
    challenge = {"kind": problem["kind"], "source": found["source"], "calls": found["arguments"]}
    answer = right_answer(challenge, found["values"], source)
    return answer if answer.startswith("```") else f"I think it is <answer>{answer}</answer>"


@pytest.mark.parametrize("kind", ["deduction", "abduction", "induction"])
def test_a_models_attempts_are_the_rate_and_a_replay_asks_nobody(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    env = modelled(kind)
    good = right_for(env)
    asked = student(monkeypatch, good, "<answer>'no idea'</answer>", None, good)
    proposal = env.solve()
    _, _, _, _, info = env.step(proposal)
    assert info["proposal"]["rate"] == 0.5
    assert len(asked.asked) == 4
    assert proposal not in asked.asked[0]
    e = env.episode
    again = Episode.replay(e.environment, e.task, e.instance, e.journal)
    assert again.turns[-1].verdict == e.turns[-1].verdict
    assert again.turns[-1].info == e.turns[-1].info
    assert len(asked.asked) == 4


def test_a_failing_endpoint_is_an_error_and_never_a_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    for replies in ((ResourceError("The endpoint answered 404."),), (None, None, None, None)):
        env = modelled("deduction")
        student(monkeypatch, *replies)
        _, reward, _, truncated, info = env.step(env.solve())
        assert reward != reward  # NaN
        assert truncated
        assert "error" in info


def test_a_failing_jail_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    outside = [Result(exit=-number) for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT)]
    for ending in (
        *outside,
        Result.failed("no slot"),
        Result(exit=1),
        Result(exit=0, stdout=b"x"),
        Result(limit="wall"),
    ):
        env = begun()

        def answer(resource: str, job: Any, ending: Result = ending) -> Any:
            return (ending,) * len(job.stdins)
            yield

        monkeypatch.setattr(judging, "run_job", answer)
        _, reward, _, _, info = env.step(env.solve())
        assert reward != reward
        assert info["error"]["code"] == "proposal_not_judged"


def test_the_largest_results_that_the_prompt_allows_are_judged() -> None:
    env = begun(kind="abduction", argument="int", returns="list", constructs=1)
    for seed in range(40):
        env.reset(seed=seed)
        if env.task.problem["constructs"] == ["comprehension"]:
            break
    for code in (0x4E20, 0xD800, 0x1F600):
        text = f"def f(n):\n    return [chr({code} + abs(n)) * 256 for i in range(256)]\n\nf(5)"
        observation, reward, _, _, info = env.fork().step(f"```python\n{text}\n```")
        assert "error" not in info
        assert reward == reward
        assert "valid" in observation


def test_results_that_differ_between_processes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env, real = begun(), judging.run_job

    def differing(resource: str, job: Any) -> Any:
        results = yield from real(resource, job)
        if len(results) == 2:
            other = json.loads(results[1].stdout) | {"texts": ["17"]}
            results = (results[0], Result(exit=0, stdout=json.dumps(other).encode()))
        return results

    monkeypatch.setattr(judging, "run_job", differing)
    observation, reward, *_ = env.step(env.solve())
    assert reward == 0.0
    assert "not deterministic" in observation


def test_proposals_become_tasks_that_can_be_solved(tmp_path: Path) -> None:
    infos = []
    for kind in ("deduction", "abduction", "induction"):
        for seed in range(2):
            env = begun(seed=seed, kind=kind)
            infos.append(env.step(env.solve())[4])
    infos.append(begun().step("nothing")[4])
    file = tmp_path / "proposed.jsonl"
    assert collect(infos, file) == 6
    assert collect(infos, file) == 0  # each once
    for kind in ("deduction", "abduction", "induction"):
        solved = 0
        for split in ("train", "validation", "test"):
            try:
                env = envhub.make("proposed-v0", path=str(file), kind=kind, split=split)
                env.reset(seed=0)
            except SplitExhausted:
                continue  # few rows: a split may have none
            assert env.fork().step("<answer>'no'</answer>")[1] == 0.0
            assert env.fork().step("```python\ndef f(*given):\n    return None\n```")[1] == 0.0
            if kind == "induction":
                row = next(json.loads(line) for line in file.read_text().splitlines() if '"induction"' in line)
                table = dict(zip(map(str, row["calls"][:4]), row["values"][:4], strict=True))
                text = f"def f(*given):\n    return {table!r}.get(str(list(given)))"
                assert env.fork().step(f"```python\n{text}\n```")[1] == 0.0  # a table of what is shown
            assert env.step(env.solve())[1] == 1.0
            solved += 1
        assert solved


def test_rows_that_are_no_proposals_are_named(tmp_path: Path) -> None:
    row = {"kind": "deduction", "argument": "int", "source": "def f(n): return n", "calls": [[3]], "values": [3]}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"kind": "other"}, "kind must be one of"),
        ({"argument": "float"}, "argument must be one of"),
        ({"source": ""}, "source must be a program"),
        ({"calls": []}, "lists of length 1"),
        ({"calls": [[3000]]}, "list of arguments of the domain"),
        ({"difficulty": 11}, "difficulty must be"),
    ]
    for number, (change, message) in enumerate(wrong):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(json.dumps({**row, **change}) + "\n")
        with pytest.raises(InvalidParameters, match=message):
            envhub.make("proposed-v0", path=str(file))
    file = tmp_path / "good.jsonl"
    file.write_text(json.dumps(row) + "\n")
    with pytest.raises(InvalidParameters, match="no abduction tasks"):
        envhub.make("proposed-v0", path=str(file), kind="abduction")


def test_jobs_are_declared() -> None:
    assert isinstance(begun().environment.resources["jobs"], Jobs)
