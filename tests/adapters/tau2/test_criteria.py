"""Reading tau2's tasks, and its criteria, without a process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.tau2 import environments
from envhub.adapters.tau2.criteria import is_made, is_told, verdict
from envhub.core.errors import InvalidParameters
from tests.adapters.tau2 import checkouts


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    environments.register()
    return checkouts.write(tmp_path_factory.mktemp("tau2") / "checkout")


def params(checkout: Path, **given: Any) -> environments.Params:
    return environments.Params(path=str(checkout), **{"domain": "library", **given})


def test_tasks_that_need_a_judge_are_left_out(checkout: Path, caplog: pytest.LogCaptureFixture) -> None:
    ids = {task.id for task in params(checkout).rows()}
    assert len(ids) == checkouts.COUNT + 3
    assert "judged" not in ids
    assert "need a model" in caplog.text


def test_levels_are_tenths_in_order_of_steps_and_subsets_are_those_of_the_file(checkout: Path) -> None:
    parts = [params(checkout, level=level).rows() for level in range(1, 11)]
    assert sum(map(len, parts)) == checkouts.COUNT + 3
    steps = [task.steps for part in parts for task in part]
    assert steps == sorted(steps)
    assert [task.id for task in params(checkout, subset="small").rows()] == ["lend_1"]
    with pytest.raises(InvalidParameters, match="there are base, small"):
        params(checkout, subset="big").rows()


def test_a_description_has_all_that_the_customer_is_told(checkout: Path) -> None:
    (task,) = params(checkout, task="lend_1").rows()
    assert task.description == "You want to borrow book 1 and to know your fee.\nYou are Ada 1."
    assert task.told == ("1001",)


def test_what_is_not_there_is_named(checkout: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'library'"):
        envhub.make(environments.ID, path=str(checkout), domain="librari")
    with pytest.raises(InvalidParameters, match="no task 'lend'"):
        params(checkout, task="lend").rows()
    with pytest.raises(InvalidParameters, match="None of the expected files"):
        envhub.make(environments.ID, path=str(tmp_path))


def test_changed_tools_are_other_data(checkout: Path, tmp_path: Path) -> None:
    other = checkouts.write(tmp_path / "checkout")
    assert params(other).digest == params(checkout).digest
    code = other / "src" / "tau2" / "domains" / "library" / "environment.py"
    code.write_text(code.read_text().replace("Book is lent already", "No"))
    assert params(other).digest != params(checkout).digest


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": 1}, "an object with an id"),
        ({"id": "a", "user_scenario": {}}, "expected instructions"),
        ({"id": "a", "user_scenario": {"instructions": {}}}, "are empty"),
        ({"id": "a", "evaluation_criteria": {"reward_basis": ["LUCK"]}}, "unknown .'LUCK'"),
        ({"id": "a", "evaluation_criteria": {"actions": [{"name": "f"}]}}, "a name and arguments"),
    ],
)
def test_a_task_of_another_form_is_refused(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    checkout = checkouts.write(tmp_path / "checkout")
    (checkout / "data" / "tau2" / "domains" / "library" / "tasks.json").write_text(json.dumps([row]))
    with pytest.raises(InvalidParameters, match=f"task 1: .*{said}"):
        params(checkout).rows()


@pytest.mark.parametrize(
    ("information", "message", "told"),
    [
        ("1234", "It costs $1,234.", True),
        ("Blue", "the BLUE one", True),
        ("1,234", "It costs 1,234.", False),
        ("12", "It costs 1 2.", False),
        ("12", "", False),
    ],
)
def test_information_is_found_in_a_message(information: str, message: str, told: bool) -> None:
    assert is_told(information, message) is told


@pytest.mark.parametrize(
    ("compared", "arguments", "made"),
    [
        (None, {"a": 1, "b": 2}, True),
        (None, {"a": 1}, True),
        (None, {"a": 2, "b": 2}, False),
        (None, {"a": 1, "c": 1}, False),
        (["a"], {"a": 1, "b": 9}, True),
        (["a"], {"b": 2}, False),
        ([], {"a": 9}, True),
    ],
)
def test_actions_are_compared_by_the_arguments_of_the_call(compared: Any, arguments: Any, made: bool) -> None:
    action = {"name": "f", "arguments": {"a": 1, "b": 2}, "compare_args": compared}
    assert is_made(action, "f", arguments) is made
    assert not is_made(action, "g", arguments)


@pytest.mark.parametrize(
    ("basis", "given", "solved"),
    [
        (("DB",), (True, [False], 0.0, 0.0), True),
        (("DB",), (False, [True], 1.0, 1.0), False),
        (("DB", "COMMUNICATE"), (True, [], 0.5, 0.0), False),
        (("ENV_ASSERTION",), (False, [True, False], 1.0, 1.0), False),
        (("ENV_ASSERTION",), (False, [True, True], 0.0, 0.0), True),
        (("ACTION",), (False, [], 1.0, 0.5), False),
        (("ACTION", "NL_ASSERTION"), (False, [], 0.0, 1.0), True),
    ],
)
def test_the_basis_decides(basis: Any, given: Any, solved: bool) -> None:
    assert verdict(basis, *given).solved is solved
