"""A real checkout, nightly: tau2's evaluator gives the same rewards to right, shortened and changed conversations.

``ENVHUB_TAU2`` names the checkout, ``ENVHUB_TAU2_PYTHON`` an interpreter; ``ENVHUB_TAU2_TASKS`` limits the tasks of a file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.tau2 import desk, environments
from envhub.adapters.tau2.criteria import verdict
from envhub.adapters.tau2.tasks import Task

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif("ENVHUB_TAU2" not in os.environ, reason="ENVHUB_TAU2 names no checkout of tau2-bench"),
]
CHECKOUT = os.environ.get("ENVHUB_TAU2", "")
MOST = int(os.environ.get("ENVHUB_TAU2_TASKS", "1000"))
FILES = [("mock", "tasks.json"), ("retail", "tasks.json"), ("telecom", "tasks_small.json"), ("airline", "tasks.json")]
Call = tuple[str, str, dict[str, Any]]


@pytest.fixture(scope="module")
def theirs() -> Iterator[subprocess.Popen[str]]:
    """tau2's evaluator."""
    program = Path(__file__).with_name("their_evaluator.py")
    command = [desk.interpreter(CHECKOUT), str(program), os.path.abspath(CHECKOUT)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
    yield process
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()
    desk.end_all()


def their_reward(theirs: subprocess.Popen[str], domain: str, row: Any, calls: list[Call]) -> float | None:
    assert theirs.stdin is not None
    assert theirs.stdout is not None
    theirs.stdin.write(json.dumps({"domain": domain, "task": row, "calls": calls}) + "\n")
    theirs.stdin.flush()
    return json.loads(theirs.stdout.readline()).get("reward")


def our_reward(process: desk.Process, domain: str, task: Task, calls: list[Call]) -> float:
    process.ask({"open": domain, "start": task.start})
    for by, name, arguments in calls:
        process.ask({"call": name, "by": by, "arguments": arguments})
    criteria = {"actions": list(task.actions), "assertions": list(task.assertions)}
    found = process.ask({"judge": criteria, "start": task.start})
    basis = [each for each in task.basis if each in ("DB", "ENV_ASSERTION")]  # what the environment's evaluator decides
    return float(bool(verdict(basis, found["db"], found["assertions"], 1.0, 1.0).solved))


def conversations(task: Task) -> Iterator[tuple[str, list[Call]]]:
    """The reference actions, and changes of them."""
    right = [(each.get("requestor") or "assistant", each["name"], each["arguments"]) for each in task.actions]
    yield "right", right
    yield "nothing", []
    yield "without the last", right[:-1]
    yield "without the first", right[1:]
    yield "reversed", right[::-1]
    yield "twice", right + right
    yield "an unknown tool", [*right, ("assistant", "no_such_tool", {})]
    for at, (by, name, arguments) in enumerate(right[-2:], max(0, len(right) - 2)):
        for key, value in arguments.items():
            other = f"{value}x" if isinstance(value, str) else [] if isinstance(value, list) else None
            yield f"another {key}", [*right[:at], (by, name, {**arguments, key: other}), *right[at + 1 :]]


@pytest.mark.parametrize(("domain", "file"), FILES)
def test_rewards_are_those_of_the_evaluator(theirs: subprocess.Popen[str], domain: str, file: str) -> None:
    params = environments.Params(path=CHECKOUT, domain=domain, file=file)
    data = Path(CHECKOUT, "data", "tau2", "domains", domain)
    if not any(data.glob("db.*")):
        pytest.skip(f"{domain} has no database in this checkout")
    rows = {row["id"]: row for row in json.loads((data / file).read_text())}
    compared, rewarded, undecided = Counter[str](), Counter[str](), 0
    with desk.lent(CHECKOUT) as process:
        for task in params.rows()[:MOST]:
            for kind, calls in conversations(task):
                wanted = their_reward(theirs, domain, rows[task.id], calls)
                if wanted is None:  # the evaluator raises an exception
                    undecided += 1
                    continue
                compared[kind] += 1
                rewarded[kind] += int(wanted)
                assert our_reward(process, domain, task, calls) == wanted, (task.id, kind)
    print(domain, compared.total(), "compared,", rewarded.total(), "rewarded,", undecided, "undecided")
    assert rewarded["right"] > 0
    assert rewarded["nothing"] < compared["nothing"]


def test_oracles_solve_and_blind_policies_do_not() -> None:
    environments.register()
    for domain, file in FILES[1:3]:
        with closing(envhub.make(environments.ID, path=CHECKOUT, domain=domain, file=file)) as env:
            for seed in range(min(10, MOST)):
                env.reset(seed=seed)
                for mistake in env.episode.environment.mistakes(env.episode.instance):
                    with closing(env.fork()) as twin:
                        rewards = [twin.step(message)[1] for message in mistake]
                        assert rewards[-1] == 0.0
                while not env.episode.over:
                    _, reward, *_ = env.step(env.solve())
                assert reward == 1.0
