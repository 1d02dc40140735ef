"""bfcl/turns-v0 over a small copy of the package: turns, states, results and what a policy may try."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.bfcl import interfaces, turns
from envhub.adapters.bfcl.conversations import CATEGORIES, _conversation
from envhub.adapters.bfcl.wording import next_turn
from envhub.authoring import write_call
from envhub.core.errors import InvalidParameters
from envhub.gymnasium.env import Env
from tests.adapters.bfcl import packages

pytestmark = pytest.mark.slow
DONE = "That is all."
COUNT = write_call("count")
Begin = Callable[..., Env]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    turns.register()
    yield packages.write(tmp_path_factory.mktemp("package"))
    interfaces.end_all()


@pytest.fixture
def begun(package: Path) -> Iterator[Begin]:
    """An episode; closed after the test."""
    with ExitStack() as stack:

        def begin(category: str = "multi_turn_base", seed: int = 1, **given: Any) -> Env:
            env = envhub.make(turns.ID, path=str(package), category=category, **{"level": None, **given})
            stack.callback(env.close)
            env.reset(seed=seed)
            return env

        yield begin


def opened(env: Env, **given: Any) -> str:
    """The right call of the first turn, or one with other arguments."""
    ((name, arguments),) = next(turn for turn in env.episode.instance.key["turns"] if turn)
    return write_call(name, **{**arguments, **given})


def score(env: Env, *messages: str) -> float:
    """The score after these messages, of which the last must end the episode."""
    with closing(env.fork()) as twin:
        for message in messages:
            _, reward, terminated, *_ = twin.step(message)
        assert terminated
        return float(reward)


@pytest.mark.parametrize("category", CATEGORIES)
def test_right_calls_solve_and_words_alone_do_not(begun: Begin, category: str) -> None:
    for seed in range(3):
        env = begun(category, seed)
        with closing(env.fork()) as silent:
            while not silent.episode.over:
                reward = silent.step(DONE)[1]
            assert reward == 0.0
        while not env.episode.over:
            reward = env.step(env.solve())[1]
        assert reward == 1.0


def test_the_state_and_the_results_of_each_turn_decide(begun: Begin) -> None:
    env = begun()
    right, close = opened(env), write_call("close_ticket", title="old")
    assert score(env, right, DONE, COUNT, DONE) == 1.0
    assert score(env, COUNT + right, DONE, COUNT, DONE) == 1.0
    assert score(env, right + COUNT, DONE, COUNT, DONE) == 1.0
    assert score(env, right, right, DONE, COUNT, DONE) == 1.0  # what is opened twice is open once
    for messages in (
        (DONE,),
        (COUNT, DONE),
        (opened(env, priority=3), DONE),
        (opened(env, title="another"), DONE),
        (right, close, DONE),
        (right, DONE, DONE),
        (right, DONE, close, DONE),
        (right, DONE, opened(env, title="more"), COUNT, DONE),
        (right + COUNT, DONE, DONE),
        (right, DONE, write_call("count", of="all"), DONE),
    ):
        assert score(env, *messages) == 0.0, messages


def test_a_result_that_was_seen_before_counts_if_the_turn_has_a_call(begun: Begin) -> None:
    env = begun()
    look = write_call("open_ticket", title="old", priority=1)
    assert score(env, opened(env) + COUNT, DONE, look, DONE) == 1.0  # as in the package


def test_functions_are_added_and_missing_values_follow(begun: Begin) -> None:
    env = begun("multi_turn_miss_func")
    assert "count" not in [each["name"] for each in env.task.problem["functions"]]
    assert "There is no tool 'count'" in env.step(COUNT)[0]
    env.step(opened(env))
    assert "How many tickets" in env.step(DONE)[0]
    assert '"name": "count"' in env.step("There is no function for it.")[0]
    env.step(COUNT)
    assert env.step(DONE)[1] == 1.0
    env = begun("multi_turn_miss_param")
    assert "Its name is T" in env.step("Which name?")[0]


def test_added_functions_are_in_the_observation_alone(begun: Begin) -> None:
    """The tools of a chat template are those of the first turn, or they would name what is missing."""
    env = begun("multi_turn_miss_func")
    told = [each["function"]["name"] for each in env.episode.task.tools]
    assert told == [each["name"] for each in env.task.problem["functions"]]
    assert "count" not in told
    env.step(opened(env))
    env.step(DONE)
    shown = env.step("There is no function for it.")[0]
    [listed] = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
    assert listed["name"] == "count"
    assert "Serve the last message" in shown
    assert "User:" not in shown


@pytest.mark.parametrize(
    ("question", "missed", "why"),
    [
        (["Open.", "Count.", ""], {}, "each turn must have a message"),
        (["", "Count.", "Close."], {}, "each turn must have a message"),
        (["Open.", "Count.", ""], {"2": []}, "add functions of the question"),
        (["Open.", "Count.", ""], {"2": ["hidden"]}, "add functions of the question"),
        (["Open.", "Count.", ""], {"2": ["no_such"]}, "add functions of the question"),
        (["", "Count.", "Close."], {"0": ["count"]}, "must be a later one"),
        (["Open.", "Count.", "Close."], {"9": ["count"]}, "must be a later one"),
        (["Open.", "Count.", ""], {"2": "count"}, "expected lists of functions"),
    ],
)
def test_a_turn_without_a_message_or_functions_is_refused(question: Any, missed: Any, why: str) -> None:
    row = {
        "id": "a",
        "involved_classes": ["TicketAPI"],
        "excluded_function": ["hidden"],
        "question": [[{"role": "user", "content": text}] if text else [] for text in question],
        "missed_function": missed,
    }
    with pytest.raises(ValueError, match=why):
        _conversation(row, {"a": [[], [], []]}, {"TicketAPI": packages.FUNCTIONS})


def test_a_turn_may_have_a_message_and_functions() -> None:
    assert next_turn("And now?", []) == "User: And now?"
    said = next_turn("And now?", [{"name": "count"}])
    assert said.startswith("You have more functions")
    assert said.endswith("User: And now?")


def test_messages_that_cannot_be_read_do_not_end_a_turn(begun: Begin) -> None:
    env = begun()
    for message in ("", " ", "<tool_call>{broken</tool_call>", write_call("hidden"), write_call("_load_scenario")):
        assert "User:" not in env.step(message)[0]
    assert "Error during execution" in env.step(write_call("close_ticket"))[0]
    assert "did not finish" in env.step(write_call("crash"))[0]
    env.step(opened(env))
    env.step(DONE)
    env.step(COUNT)
    assert env.step(DONE)[1] == 1.0


def test_a_killed_process_and_a_restored_episode_lose_nothing(begun: Begin) -> None:
    env = begun()
    env.step(opened(env))
    env.episode._resources._slots["api"].live._program._process.kill()
    env.step(DONE)
    with closing(envhub.restore(env.snapshot())) as again:
        again.step(COUNT)
        assert again.step(DONE)[1] == 1.0


def test_later_messages_and_right_calls_stay_where_they_are(begun: Begin) -> None:
    env = begun()
    seen = json.dumps([env.task.prompt, env.task.problem, env.snapshot()])
    assert "How many tickets" not in seen
    assert "ground_truth" not in seen


def test_data_without_the_code_is_refused(package: Path) -> None:
    with pytest.raises(InvalidParameters, match="None of the expected files"):
        envhub.make(turns.ID, path=str(package / "bfcl_eval" / "data"))
