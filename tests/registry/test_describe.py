"""What is said about an environment is true of it."""

from __future__ import annotations

import importlib.util
import json

import pytest

import envhub
from envhub.core.difficulty import rebuild
from envhub.core.errors import UnknownEnvironment
from envhub.core.seeding import SPLITS
from envhub.registry import registry
from envhub.registry.describe import describe, rules, summary
from tests.support.places import ROOT
from tests.support.toys import Adder, Dice, adder

pytestmark = pytest.mark.usefixtures("drawn_once")


def test_the_summary_is_one_line(env_id: str) -> None:
    line = summary(env_id)
    assert line.items() <= describe(env_id).items()
    assert line["id"] == env_id
    assert line["category"] == registry.spec(env_id).category
    assert "\n" not in line["description"]
    assert line["description"].strip()


def test_the_description_is_json_and_true(env_id: str) -> None:
    about = describe(env_id)
    assert json.loads(json.dumps(about)) == about
    environment = envhub.make(env_id).environment
    assert (about["max_turns"], about["max_action_chars"]) == (environment.max_turns, environment.max_action_chars)
    assert about["split_by"] == environment.split_by
    assert about["description"] in about["rules"]
    assert [param["name"] for param in about["params"]] == list(environment.Params.model_fields)
    assert all(param.get("description") for param in about["params"])
    for level in range(1, 11):
        env = envhub.make(env_id, difficulty=level)
        env.reset(seed=1)
        whole = rebuild(environment.Params, env.task.params)  # a key leaves out later parameters
        assert whole.model_dump(mode="json") == about["difficulties"][str(level)]


def test_no_key_and_no_problem_stand_in_it(env_id: str) -> None:
    env = envhub.make(env_id, difficulty=10)
    env.reset(seed=1)
    text = json.dumps(describe(env_id))
    assert env.task.fingerprint not in text
    assert len(env.solve()) < 5 or env.solve() not in text


def test_tools_and_parameters_that_are_not_there() -> None:
    environment, _ = adder()
    envhub.register("adder-v0", type(environment))
    try:
        about = describe("adder-v0")
        assert [tool["function"]["name"] for tool in about["tools"]] == list(Adder.tools)
        assert about["params"] == []
        assert about["difficulties"] == {str(level): {} for level in range(1, 11)}
        assert about["source"] == "registered"
    finally:
        del registry._registered["adder-v0"], registry._classes["adder-v0"]


def test_rules_come_from_the_class_where_the_module_is_about_something_else() -> None:
    assert rules(Dice) == "Every turn shows a die; say 0 to stop. All chance is turn chance."
    assert rules(registry.load(registry.spec("sudoku-v0"))).startswith("sudoku-v0:")


def test_of_what_is_not_there_nothing_can_be_said() -> None:
    for ask in (summary, describe):
        with pytest.raises(UnknownEnvironment, match="Did you mean 'sudoku-v0'"):
            ask("sudko-v0")


def test_it_says_how_many_problems_differ_at_each_level_of_each_split() -> None:
    counted = describe("tic-tac-toe-v0")["problems"]
    assert list(counted) == ["drawn", *SPLITS]
    assert all(len(counted[split]) == 10 and max(counted[split]) <= counted["drawn"] for split in SPLITS)
    assert 0 < min(counted["test"]) < counted["drawn"]  # some matches are drawn twice


def test_what_is_counted_is_counted_again() -> None:
    path = ROOT / "docs" / "problems.py"
    spec = importlib.util.spec_from_file_location("problems", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    counted = describe("tic-tac-toe-v0")["problems"]
    assert module.differ("tic-tac-toe-v0", 4, "test", counted["drawn"]) == counted["test"][3]
