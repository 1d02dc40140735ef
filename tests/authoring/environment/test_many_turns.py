"""Worlds and tools: many turns, limits, calls and their schemas."""

from __future__ import annotations

import json
from typing import Any

import pytest

from envhub.authoring import tool, write_call
from envhub.core.errors import InvalidParameters
from envhub.core.types import Instance, Verdict
from tests.authoring.environment.variants import variant
from tests.support.toys import Adder, Dice, adder, env, episode, source

# -- many turns --------------------------------------------------------------------------------------------------------


def test_a_world_goes_on_after_an_action_it_cannot_read() -> None:
    e = episode(Dice())
    turn = e.step("roll!")
    assert turn.verdict is None
    assert turn.state == ()
    assert "one integer" in turn.observation
    assert e.step("x" * 101).observation == "The action is longer than 100 characters and was not read."
    assert len(e.step("<answer>1</answer>").state) == 1
    last = e.step("<answer>0</answer>")
    assert last.verdict is not None
    assert (last.verdict.answer, last.verdict.components) == ("0", {"format": 1.0})


def test_a_turn_says_whether_its_action_was_taken() -> None:
    e = episode(Dice())
    actions = ("roll!", "x" * 101, "<answer>1</answer>", "<answer>1</answer> or <answer>2</answer>")
    assert [e.step(action).info.get("rejected") for action in actions] == ["unreadable", "too_long", None, "ambiguous"]
    tools = episode(adder()[0])
    called = write_call("add", amount=1)
    texts = ("hm", called, f"{called}<tool_call>{{</tool_call>")  # one call that cannot be read is enough
    assert [tools.step(text).info.get("rejected") for text in texts] == ["malformed", None, "malformed"]


def test_turns_run_out_and_the_episode_is_truncated() -> None:
    e = episode(Dice())
    turns = [e.step(action) for action in ("1", "nonsense", "1", "x" * 200, "1")]
    assert [t.verdict is None for t in turns] == [True] * 4 + [False]
    last = turns[-1]
    assert last.verdict is not None
    assert (last.verdict.status, last.verdict.reason, last.verdict.score) == ("no_answer", "turn_limit", 0.0)
    assert (last.terminated, last.truncated) == (False, True)
    assert last.observation.startswith("rolls")


def test_ending_on_the_last_turn_is_an_end_and_no_cut() -> None:
    e = episode(Dice())
    last = [e.step(action) for action in ("1", "1", "1", "1", "0")][-1]
    assert last.verdict is not None
    assert last.verdict.solved
    assert (last.terminated, last.truncated) == (True, False)


def test_an_author_may_grade_an_episode_that_ran_out_of_turns() -> None:
    environment = variant(Dice, exhausted=lambda self, inst, state: Verdict(score=len(state) / 10, solved=False))
    e = episode(environment)
    for _ in range(5):
        turn = e.step("1")
    assert turn.verdict is not None
    assert turn.verdict.score == 0.5
    assert turn.truncated


def test_an_observation_that_is_too_long_is_cut_and_says_so() -> None:
    e = env(Dice())
    e.reset(seed=1)
    observation = e.step("201")[0]
    assert observation == "x" * 200 + "\n[cut: 201 characters in all]"
    assert e.observation_space.contains(observation)
    assert e.step("200")[0] == "x" * 200
    assert e.observation_space.contains(e.step("9999999")[0])


# -- tools -------------------------------------------------------------------------------------------------------------


def test_tools_are_carried_out_in_order_and_the_first_verdict_ends_the_episode() -> None:
    environment, tally = adder()
    e = episode(environment)
    calls = write_call("add", amount=4) + write_call("echo", text="and") + write_call("add", amount=6)
    assert e.step(calls).observation == "total 4\n\nand\n\ntotal 10"
    turn = e.step(write_call("submit", total=10) + write_call("add", amount=1))
    assert turn.verdict is not None
    assert turn.verdict.solved
    assert tally.performed == [4, 6]


def test_a_call_that_does_not_fit_is_answered_and_the_others_are_carried_out() -> None:
    environment, tally = adder()
    turn = episode(environment).step(
        write_call("ad", amount=1) + write_call("add", amount="many") + write_call("add", amount=2)
    )
    unknown, wrong, right = turn.observation.split("\n\n")
    assert "Did you mean 'add'" in unknown
    assert "amount" in wrong
    assert right == "total 2"
    assert tally.performed == [2]
    assert turn.verdict is None


def test_the_prompt_lists_the_tools_and_the_task_has_their_schemas() -> None:
    environment, _ = adder()
    task, _ = source(environment).draw(0)
    for name in environment.tools:
        assert f"- {name}(" in task.prompt
    assert [t["function"]["name"] for t in task.tools] == [
        "add",
        "twice",
        "look",
        "ask",
        "note",
        "echo",
        "explode",
        "submit",
    ]
    json.dumps(task.to_json())


def test_tools_take_no_answer_format() -> None:
    with pytest.raises(InvalidParameters, match="tool calls"):
        Adder("tag")


def test_tools_of_base_classes_are_inherited_and_may_be_overridden() -> None:
    class Loud(Adder):
        @tool
        def echo(self, inst: Instance, s: Any, text: str = "") -> Any:
            """Say it loudly."""
            return s, text.upper()

        @tool
        def extra(self, inst: Instance, s: Any) -> Any:
            """One more."""
            return s, "more"

    assert list(Loud.tools) == [*Adder.tools, "extra"]
    assert episode(Loud()).step(write_call("echo", text="hi") + write_call("extra")).observation == "HI\n\nmore"
    assert "extra" not in Adder.tools
