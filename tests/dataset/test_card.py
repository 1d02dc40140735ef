"""The card beside a dataset: what it says is so, and the command on it makes the dataset again."""

from __future__ import annotations

import json
import re
import shlex
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import envhub
from envhub.cli import app
from envhub.dataset import DatasetConfig, Exclusion, generate
from envhub.dataset.card import command
from tests.dataset.workshop import Few, config, known, stop_at
from tests.scaffold.test_plugin import MODULE


def written(folder: Path, of: DatasetConfig, name: str = "t.jsonl", **settings: Any) -> str:
    folder.mkdir(exist_ok=True)
    return generate(of, folder / name, processes=1, **settings).card.read_text()


def front(card: str) -> Any:
    return yaml.safe_load(card.split("---\n")[1])


def test_it_says_what_there_is(tmp_path: Path) -> None:
    of = config("arithmetic-v0", "countdown-v0", splits={"train": 9, "test": 2}, levels=(1, 2))
    card = written(tmp_path, of)
    assert card.startswith("---\n")
    about = front(card)
    assert about["license"] == "apache-2.0"
    assert about["size_categories"] == ["n<1K"]
    assert about["configs"][0]["data_files"] == [
        {"split": "train", "path": "t.train.jsonl"},
        {"split": "test", "path": "t.test.jsonl"},
    ]
    for split, rows in of.splits.items():
        digest = sha256((tmp_path / f"t.{split}.jsonl").read_bytes()).hexdigest()
        assert f"| {split} | `t.{split}.jsonl` | {rows} | `{digest}` |" in card
    env = envhub.make("countdown-v0", difficulty=2)
    env.reset(seed=0)
    assert f"| countdown-v0 | 2 | 2 | 0 | `{json.dumps(dict(env.task.params))}` |" in card
    assert "| arithmetic-v0 | 1 | 3 | 1 |" in card
    assert f"pip install envhub=={envhub.__version__}" in card
    assert "envhub verify t.train.jsonl --responses responses.jsonl" in card
    assert "- arithmetic-v0: Apache-2.0" in card
    assert re.search(r"20[0-9][0-9]-[0-9][0-9]", card) is None
    assert str(tmp_path) not in card


def test_equal_configurations_have_equal_cards_however_they_were_written(tmp_path: Path) -> None:
    of = config("arithmetic-v0", "countdown-v0", rows=9)
    card = written(tmp_path / "one", of)
    (tmp_path / "two").mkdir()
    with pytest.raises(KeyboardInterrupt):
        written(tmp_path / "two", of, on_row=stop_at(4))
    assert written(tmp_path / "two", of) == card
    assert DatasetConfig.from_json(json.loads(re.findall(r"```json\n(.*?)```", card, re.DOTALL)[0])) == of


@pytest.mark.parametrize(
    "of",
    [
        config("arithmetic-v0", "countdown-v0", rows=7, levels=(2, 4), seed=2**63 - 1, format="trl"),
        config(
            "arithmetic-v0", splits={"validation": 3}, answer_format="boxed", system="-x 'quoted' ünï\n\u2028 `$(rm)`"
        ),
        config("arithmetic-v0", splits={"test": 2, "train": 3}, with_solutions=True, allow_fewer=True),
        config("browse-v0", rows=2, tool_format="harmony"),
        config("arithmetic-v0", rows=3, params={"operators": "+-", "terms": 3, "digits": 4}),
    ],
)
@pytest.mark.parametrize("name", ["t.jsonl", "a b's.parquet"])
def test_the_command_on_it_makes_the_same_bytes(
    of: DatasetConfig, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = written(tmp_path / "one", of, name)
    line = re.findall(r"```sh\n(envhub generate.*?)\n```", card, re.DOTALL)[0]
    assert line == command(of, name)
    (tmp_path / "two").mkdir()
    monkeypatch.chdir(tmp_path / "two")
    result = CliRunner().invoke(app, [*shlex.split(line)[1:], "--processes", "1"])
    assert result.exit_code == 0, result.output
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize("value", ["3", "true", '"x"', "null", "[1]", "NaN", "+-", "", "=", " 1"])
def test_a_text_that_reads_as_something_else_is_quoted(value: str) -> None:
    from envhub.episodes.transcript import read_params

    of = config("arithmetic-v0", rows=1)
    object.__setattr__(of, "params", {"operators": value})
    words = shlex.split(command(of, "t.jsonl"))
    assert read_params([words[words.index("--param") + 1]]) == {"operators": value}


def test_it_says_what_was_kept_out(tmp_path: Path) -> None:
    exclusion = Exclusion(frozenset({"ab" * 16}))
    card = written(tmp_path, config(exclude=exclusion.digest), exclusion=exclusion)
    assert f"has the digest `{exclusion.digest}`; give the same files with `--exclude`" in card


def test_a_bar_in_a_parameter_makes_no_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from envhub.dataset import card as module

    monkeypatch.setattr(module, "dump", lambda params: {"a": "x|y"})
    assert '`{"a": "x\\|y"}` |' in written(tmp_path, config())


@pytest.mark.parametrize(
    ("stated", "said", "in_front"),
    [
        ("License-Expression: MIT\n", "MIT", "mit"),
        ("License: Our own terms\n        of many lines\n", "Our own terms", "other"),
        ("License: BSD-3-Clause\nLicense-Expression: MIT\n", "MIT", "mit"),
        ("", "unknown", "unknown"),
    ],
)
def test_a_plugin_has_its_own_licence(
    stated: str, said: str, in_front: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from envhub.registry import registry

    site = tmp_path / "site"
    (site / "toy_envs_card").mkdir(parents=True)
    (site / "toy_envs_card" / "__init__.py").write_text(MODULE)
    info = site / "toy_envs_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: toy-envs-card\nVersion: 1.0\n{stated}")
    (info / "entry_points.txt").write_text("[envhub.environments]\ntoy-card-v0 = toy_envs_card:Sum\n")
    monkeypatch.syspath_prepend(site)
    registry._plugins.cache_clear()
    try:
        card = written(tmp_path, config("toy-card-v0", rows=2))
        assert f"- toy-card-v0: {said}\n" in card
        assert front(card)["license"] == in_front
        assert front(written(tmp_path, config("toy-card-v0", "arithmetic-v0"), "u.jsonl"))["license"] == (
            "other" if in_front != "apache-2.0" else "apache-2.0"
        )
    finally:
        registry._plugins.cache_clear()
        registry._classes.pop("toy-card-v0", None)
        sys.modules.pop("toy_envs_card", None)


def test_what_was_registered_by_hand_has_no_known_licence(tmp_path: Path) -> None:
    with known("few-v0", Few):
        assert "- few-v0: unknown\n" in written(tmp_path, config("few-v0", rows=2))
