"""``envhub list`` and ``envhub info``: what there is."""

from __future__ import annotations

import json
from typing import Any

import pytest

import envhub
from envhub.cli.catalogue import values
from envhub.registry.registry import builtin_ids, list_envs, register, self_contained, unregister
from tests.cli.commands import run

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_list() -> None:
    shown = run("list")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    for id in builtin_ids():
        assert [line for line in lines if line.split()[:1] == [id]], id  # one line each, also when piped
    assert json.loads(run("list", "--json").stdout)[0].keys() == {
        "id",
        "category",
        "source",
        "extras",
        "description",
        "error",
    }
    assert [line["id"] for line in json.loads(run("list", "--json").stdout)] == list_envs()
    assert [line["id"] for line in json.loads(run("list", "--category", "logic", "--json").stdout)] == list_envs(
        "logic"
    )


def test_an_environment_that_cannot_be_loaded_hides_no_other() -> None:
    register("broken-v0", "envhub_has_no_such_module:Broken", extras=("docker",))
    try:
        shown, listed = run("list"), json.loads(run("list", "--json").stdout)
    finally:
        unregister("broken-v0")
    assert shown.exit_code == 0
    assert "cannot be used: broken-v0 needs more: pip install 'envhub[docker]'" in shown.stdout
    assert "sudoku-v0" in shown.stdout
    assert [line["id"] for line in listed if line["error"]] == ["broken-v0"]


@pytest.mark.parametrize("id", list(filter(self_contained, builtin_ids())))
def test_info(id: str) -> None:
    about = json.loads(run("info", id, "--difficulty", "7", "--seed", "5", "--json").stdout)
    env = envhub.make(id, difficulty=7)
    prompt, _ = env.reset(seed=5)
    assert about["sample"] == {"difficulty": 7, "split": "train", "seed": 5, "prompt": prompt}
    assert list(about["difficulties"]) == [str(level) for level in range(1, 11)]
    shown = run("info", id, "--difficulty", "7", "--seed", "5")
    assert shown.exit_code == 0
    assert prompt in shown.stdout
    assert about["rules"] in shown.stdout
    for param in about["params"]:
        assert param["description"] in shown.stdout
        assert all(param["name"] in level for level in about["difficulties"].values())
    for level in about["difficulties"]:
        assert [line for line in shown.stdout.splitlines() if line.split()[:1] == [level]]


def test_info_without_a_file_that_is_needed_has_no_sample_and_says_why() -> None:
    shown = run("info", "dataset-v0")
    assert shown.exit_code == 0
    assert 'make("dataset-v0", path="questions.jsonl")' in shown.stdout.partition("A prompt")[2]
    about = json.loads(run("info", "dataset-v0", "--json").stdout)
    assert about["sample"] is None
    assert "path=" in about["no_sample"]
    assert "no_sample" not in json.loads(run("info", "arithmetic-v0", "--json").stdout)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, "integer 1..9"),
        ({"type": "integer", "minimum": 1}, "integer 1.."),
        ({"type": "number", "exclusiveMinimum": 0}, "number above 0.."),
        ({"enum": [4, 6, 9], "type": "integer"}, "4, 6, 9"),
        ({"const": "any", "type": "string"}, "any"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"type": "string", "pattern": "^[ab]$"}, "string ^[ab]$"),
        ({"$ref": "#/$defs/Colour"}, "Colour"),
        ({}, "any"),
    ],
)
def test_values_of_a_parameter(schema: dict[str, Any], said: str) -> None:
    assert values(schema) == said
