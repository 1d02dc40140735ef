"""The columns of a dataset: those each trainer reads, the same for every environment, and without the answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from envhub.authoring import Environment
from envhub.core.types import EnvSpec, Task
from envhub.dataset import FORMATS, truth
from envhub.dataset.formats import Sample, read_row
from envhub.registry.registry import builtin_ids, category, load, self_contained, spec
from envhub.tasks.sampling import TaskSource
from envhub.tasks.sources import prepare
from tests.support.toys import Adder, Dice

SEED = 7_777_777_777_777_777_777
FACTS = ["index", "env_id", "split", "difficulty", "fingerprint", "multi_turn", "answer_format", "wording", "tools"]
COLUMNS = {
    "verl": ["data_source", "prompt", "ability", "reward_model", "extra_info"],
    "trl": ["prompt", "ground_truth", "data_source", *FACTS],
    "openrlhf": ["input", "label", "datasource", *FACTS],
    "nemo-gym": ["responses_create_params", "ground_truth", "data_source", *FACTS],
    "verifiers": ["idx", "name", "prompt", "answer", "task", "info"],
}


def sample(task: Task, **fields: Any) -> Sample:
    return Sample(task, **{"ability": "logic", "number": 7, "difficulty": 2, **fields})


def task_of(environment: Environment, level: int = 2, seed: int = SEED) -> Task:
    return TaskSource(EnvSpec("toy-v0", "tests.support.toys:?"), environment, level, "train", {}).draw(seed)[0]


def shape(value: Any) -> Any:
    """Names and types, in order; a nullable text is a text."""
    if isinstance(value, dict):
        return [(name, "text" if name in ("answer_format", "wording") else shape(item)) for name, item in value.items()]
    if isinstance(value, list):
        return ["list", *{json.dumps(shape(item)) for item in value}]
    return type(value).__name__


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    """A task of every environment there is, and of toys of the other kinds."""
    found = []
    for number, id in enumerate(filter(self_contained, builtin_ids())):
        source = prepare(id, 1, "train", {}, {})[0]
        multi = source.environment.max_turns > 1
        found.append(
            Sample(source.draw(SEED)[0], category(spec(id)), number, 1, multi, "boxed" if number % 2 else None)
        )
    toys = [sample(task_of(environment), multi_turn=True) for environment in (Adder(), Dice())]
    return [*found, *toys]


@pytest.mark.parametrize("name", FORMATS)
def test_the_columns_are_those_the_trainer_reads(name: str) -> None:
    row = FORMATS[name].row(sample(task_of(Dice())))
    assert list(row) == COLUMNS[name]
    asked = row.get("prompt") or row.get("input") or row["responses_create_params"]["input"]
    assert asked == [{"role": "user", "content": task_of(Dice()).prompt}]
    with_system = FORMATS[name].row(sample(task_of(Dice()), system="Be brief."))
    asked = with_system.get("prompt") or with_system.get("input") or with_system["responses_create_params"]["input"]
    assert [message["role"] for message in asked] == ["system", "user"]


def test_verl_finds_its_ground_truth_and_its_environment() -> None:
    task = task_of(Dice())
    row = FORMATS["verl"].row(sample(task, ability="games"))
    assert row["data_source"] == "envhub/toy-v0"
    assert row["ability"] == "games"
    assert row["reward_model"] == {"style": "rule", "ground_truth": truth.write(task.key)}
    assert {"index": 7, "split": "train"}.items() <= row["extra_info"].items()


@pytest.mark.parametrize("name", FORMATS)
def test_every_environment_has_the_same_columns_of_the_same_types(name: str, samples: list[Sample]) -> None:
    layout = FORMATS[name]
    shapes = {json.dumps(shape(layout.row(one))) for one in samples}
    assert (len(shapes) == 1) is layout.tabular


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_written_is_read_back_without_being_told_the_format(name: str, samples: list[Sample]) -> None:
    for one in samples:
        row = json.loads(json.dumps(FORMATS[name].row(one)))
        found = read_row(row)
        assert found is not None
        assert found.truth == truth.write(one.task.key)
        assert truth.read(found.truth) == one.task.key
        for fact, value in one.facts().items():
            assert found.facts[fact] == value
        assert found == FORMATS[name].read(row)


@pytest.mark.parametrize("name", FORMATS)
def test_the_prompt_holds_no_seed_and_the_row_no_answer(name: str, samples: list[Sample]) -> None:
    for one in samples:
        row = FORMATS[name].row(one)
        text = json.dumps(row)
        assert text.count(str(SEED)) == 1  # in the ground truth, which no trainer shows to a policy
        assert str(SEED) in json.dumps(json.dumps(FORMATS[name].read(row).truth))
        assert '"solution"' not in text
        solved = FORMATS[name].row(one._replace(solution=("one", "two")))
        assert '"solution": ["one", "two"]' in json.dumps(solved)


def test_nemo_gym_has_the_tools_as_the_responses_api_takes_them() -> None:
    task = task_of(Adder())
    asked = FORMATS["nemo-gym"].row(sample(task))["responses_create_params"]
    assert [tool["name"] for tool in asked["tools"]] == list(Adder.tools)
    for tool in asked["tools"]:
        assert tool["type"] == "function"
        assert {"name", "description", "parameters"} <= tool.keys()
    assert "tools" not in FORMATS["nemo-gym"].row(sample(task_of(Dice())))["responses_create_params"]
    assert [tool["function"]["name"] for tool in json.loads(FORMATS["trl"].row(sample(task))["tools"])] == list(
        Adder.tools
    )


@pytest.mark.parametrize(
    "row",
    [
        None,
        5,
        "text",
        [],
        {},
        {"prompt": "x", "answer": "42"},
        {"reward_model": "rule", "extra_info": {}},
        {"reward_model": {"style": "rule", "ground_truth": "42"}, "extra_info": {"index": 3}},
        {"reward_model": {"ground_truth": "42"}, "extra_info": None},
        {"reward_model": {"ground_truth": 42}, "extra_info": {"fingerprint": "ab", "env_id": "a-v0"}},
        {"ground_truth": "{}", "fingerprint": ["ab"], "env_id": "a-v0"},
        {"ground_truth": "{}", "fingerprint": "ab"},
        {"ground_truth": "{}", "fingerprint": "ab", "env_id": "a-v0", "difficulty": [3]},
        {"ground_truth": "{}", "fingerprint": "ab", "env_id": "a-v0", "answer_format": {}},
    ],
)
def test_a_row_of_others_is_none_of_ours(row: Any) -> None:
    assert read_row(row) is None


def test_a_row_that_lacks_what_is_not_needed_is_still_ours() -> None:
    assert read_row({"ground_truth": "{}", "fingerprint": "ab", "env_id": "a-v0"}) is not None


def test_whether_a_task_has_several_turns_is_said_of_every_environment(samples: list[Sample]) -> None:
    several = {one.task.env_id for one in samples if one.facts()["multi_turn"]}
    assert {"guess-number-v0", "mastermind-v0", "maze-v0"} <= several
    assert not {"arithmetic-v0", "countdown-v0", "sudoku-v0"} & several
    for id in several - {"toy-v0"}:
        assert load(spec(id)).max_turns > 1
