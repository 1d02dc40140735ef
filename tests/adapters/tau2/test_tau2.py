"""tau2/service-v0 over a stand-in of tau2's code: calls, verdicts, lost processes and what a policy may try."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.tau2 import desk, environments
from envhub.authoring import write_call
from envhub.core.errors import ResourceError, SplitExhausted
from envhub.gymnasium.env import Env
from tests.adapters.splits import first_episode
from tests.adapters.tau2 import checkouts

pytestmark = pytest.mark.slow
END = write_call("end_conversation")
Begin = Callable[..., Env]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    environments.register()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(desk.INTERPRETER, sys.executable)
        yield checkouts.write(tmp_path_factory.mktemp("tau2") / "checkout")
        desk.end_all()


@pytest.fixture
def begun(checkout: Path) -> Iterator[Begin]:
    """An episode, in whichever split the task is; closed after the test."""
    stack = ExitStack()

    def begin(domain: str = "library", **given: Any) -> Env:
        env = first_episode(envhub.make, environments.ID, path=str(checkout), domain=domain, **given)
        stack.callback(env.close)
        return env

    with stack:
        yield begin


def played(env: Env, *messages: str) -> dict[str, Any]:
    """The verdict after these messages; the last must end the episode."""
    with closing(env.fork()) as twin:
        for message in messages:
            *_, terminated, _, info = twin.step(message)
        assert terminated
        verdict: dict[str, Any] = info["verdict"]
        return verdict


LEND = write_call("lend", book="book 1", member="m1")
TELL = write_call("say", text="Your fee is 1,001.")


def test_what_the_criteria_demand_solves_and_nothing_else_does(begun: Begin) -> None:
    env = begun(task="lend_1")
    assert played(env, LEND, TELL, END)["solved"]
    assert played(env, LEND + TELL + END)["solved"]
    for messages in (
        (END,),
        (LEND, END),
        (TELL, END),
        (LEND, write_call("say", text="Your fee is 1002."), END),
        (write_call("lend", book="book 2", member="m1"), TELL, END),
        (write_call("lend", book="book 1", member="m2"), TELL, END),
        (LEND, write_call("give_back", book="book 1"), TELL, END),
        (LEND, write_call("give_back", book="book 10"), TELL, END),
        (f"The fee is 1001.{LEND}", END),
    ):
        verdict = played(env, *messages)
        assert (verdict["score"], verdict["status"]) == (0.0, "graded"), messages


def test_other_ways_to_the_same_records_are_right(begun: Begin) -> None:
    env = begun(task="lend_1")
    back = write_call("give_back", book="book 1")
    assert played(env, write_call("lend", book="book 1", member="m9"), back + LEND, TELL, END)["solved"]


def test_actions_and_assertions_decide_where_the_task_says_so(begun: Begin) -> None:
    look = begun(task="look")
    assert played(look, write_call("find_member", name="Ada 3"), END)["solved"]
    assert not played(look, write_call("find_member", name="Ada 4"), END)["solved"]
    assert not played(look, END)["solved"]
    reach = begun(task="reach")
    assert played(reach, write_call("lend", book="book 2", member="m7"), END)["solved"]
    assert not played(reach, write_call("lend", book="book 3", member="m7"), END)["solved"]


def test_the_device_is_the_customers(begun: Begin) -> None:
    env = begun("phone", file="tasks_small.json", task="call_3")
    assert "[the customer's] Switch mobile data" in env.task.prompt
    toggle, roam = write_call("toggle_data"), write_call("enable_roaming", line="L3")
    assert played(env, toggle + roam, END)["solved"]
    assert played(env, roam, toggle, END)["solved"]
    assert not played(env, roam, END)["solved"]
    assert not played(env, toggle, END)["solved"]
    assert not played(env, toggle + toggle + roam, END)["solved"]


def test_tasks_that_idleness_solves_are_kept_on_request_only(checkout: Path, begun: Begin) -> None:
    with pytest.raises(SplitExhausted):
        envhub.make(environments.ID, path=str(checkout), domain="library", task="lend_10").reset(seed=1)
    assert played(begun(task="lend_10", idle=True), END)["solved"]
    with pytest.raises(SplitExhausted):  # its reference actions do not reach what it asserts
        envhub.make(environments.ID, path=str(checkout), domain="library", task="never", idle=True).reset(seed=1)


def test_the_oracle_solves_each_level(checkout: Path) -> None:
    for level in (2, 6, 10):
        with closing(envhub.make(environments.ID, path=str(checkout), domain="library", difficulty=level)) as env:
            env.reset(seed=level)
            while not env.episode.over:
                _, reward, *_ = env.step(env.solve())
            assert reward == 1.0


def test_bad_calls_are_answered(begun: Begin) -> None:
    env = begun(task="lend_1")
    for message, said in (
        (write_call("lend", book="book 1"), "Error: "),
        (write_call("lend", book="book 5", member="m1"), "Error: Book is lent already"),
        (write_call("find_member", name="Eve"), "Error: Member not found"),
        (write_call("find_member", name={"a": [1]}), "Error: Member not found"),
        (write_call("is_lent", book="book 1"), "There is no tool 'is_lent'"),
        (write_call("get_db_hash"), "There is no tool"),
        (write_call("say"), "missing argument"),
        (write_call("say", text="x" * 2001), "It was not sent"),
        (write_call("say", text="Hello"), "Customer: Yes, if that agrees"),
        ("I will look.", "No tool call was found"),
    ):
        assert said in env.step(message)[0], message


def test_a_call_that_ends_its_process_is_an_error_of_the_call(begun: Begin) -> None:
    env = begun(task="lend_1")
    env.step(LEND)
    assert "the tool did not finish" in env.step(write_call("crash", again=True))[0]
    assert "no fault" in env.step(write_call("crash", again=False))[0]
    env.step(TELL)
    assert env.step(END)[1] == 1.0


def test_a_killed_process_loses_nothing(begun: Begin) -> None:
    env = begun(task="lend_1")
    env.step(LEND)
    env.episode._resources._slots["desk"].live._process._process.kill()
    env.step(TELL)
    assert env.step(END)[1] == 1.0


def test_a_restored_episode_goes_on(begun: Begin) -> None:
    env = begun(task="lend_1")
    env.step(LEND)
    with closing(envhub.restore(env.snapshot())) as again:
        again.step(TELL)
        assert again.step(END)[1] == 1.0


def test_a_key_stays_where_it_is(begun: Begin) -> None:
    env = begun(task="lend_1")
    env.step(LEND)
    seen = json.dumps([env.task.prompt, env.task.problem, env.episode.task.tools, env.snapshot()])
    assert "1001" not in seen
    assert "reward_basis" not in seen


def test_a_missing_interpreter_is_named(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(desk.INTERPRETER)
    with pytest.raises(ResourceError, match="uv sync"):
        desk.Process(str(checkout))
