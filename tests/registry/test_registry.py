"""The registry: what is there, what is not, and what is near."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters, MissingExtra, UnknownEnvironment
from envhub.core.types import EnvSpec
from envhub.registry.registry import builtin_ids, load, read_registry, unregister
from tests.support.places import ROOT
from tests.support.toys import Sum

LINE = {"id": "sum-v0", "class": "tests.support.toys:Sum"}


@pytest.fixture
def registered() -> Iterator[list[str]]:
    ids: list[str] = []
    yield ids
    for id in ids:
        unregister(id)


def test_the_builtin_environments_are_listed_and_found() -> None:
    assert {"arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0"} <= set(envhub.list_envs())
    assert envhub.list_envs() == sorted(envhub.list_envs())
    assert builtin_ids() == sorted(builtin_ids())
    spec = envhub.spec("sudoku-v0")
    assert (spec.id, spec.name, spec.version, spec.category, spec.source) == (
        "sudoku-v0",
        "sudoku",
        0,
        "logic",
        "envhub",
    )
    assert load(spec).__name__ == "Sudoku"
    assert load(spec) is load(spec)


def test_environments_are_listed_by_category() -> None:
    assert "sudoku-v0" in envhub.list_envs("logic")
    assert "sudoku-v0" not in envhub.list_envs("games")
    with pytest.raises(InvalidParameters, match=r"No category 'game'; there are .*games.*Did you mean 'games'"):
        envhub.list_envs("game")


@pytest.mark.parametrize(
    ("id", "near"),
    [
        ("sudko-v0", "sudoku-v0"),
        ("sudoku", "sudoku-v0"),
        ("sudoku-v9", "sudoku-v0"),
        ("guess-numbers-v0", "guess-number-v0"),
    ],
)
def test_an_unknown_environment_is_named_with_the_nearest(id: str, near: str) -> None:
    with pytest.raises(UnknownEnvironment, match=f"No environment '{id}'. Did you mean '{near}'.*list_envs"):
        envhub.make(id)


@pytest.mark.parametrize("id", ["", "qqqq", "\ud800", "../etc", "x" * 1000])
def test_an_environment_near_nothing_is_just_unknown(id: str) -> None:
    with pytest.raises(UnknownEnvironment) as caught:
        envhub.spec(id)
    assert "Did you mean" not in str(caught.value)


def test_a_class_is_registered_made_and_listed(registered: list[str]) -> None:
    spec = envhub.register("my-sum-v0", Sum, covers=("x",))
    registered.append("my-sum-v0")
    assert (spec.source, spec.category, spec.covers, spec.entry) == (
        "registered",
        "other",
        ("x",),
        "tests.support.toys:Sum",
    )
    assert "my-sum-v0" in envhub.list_envs()
    env = envhub.make("my-sum-v0", difficulty=4)
    env.reset(seed=1)
    assert env.step(env.solve())[1] == 1.0
    assert envhub.restore(env.snapshot()).task == env.task
    with pytest.raises(UnknownEnvironment, match="Did you mean 'my-sum-v0'"):
        envhub.spec("my-sums-v0")


def test_an_entry_is_registered_by_name_with_parameters_of_its_own(registered: list[str]) -> None:
    envhub.register("long-sum-v0", "tests.support.toys:Sum", params={"terms": 9}, category="toys")
    registered.append("long-sum-v0")
    env = envhub.make("long-sum-v0", difficulty=1)
    env.reset(seed=1)
    assert len(env.task.problem["xs"]) == 9
    assert envhub.list_envs("toys") == ["long-sum-v0"]


def test_what_was_registered_can_be_taken_back_and_nothing_else() -> None:
    envhub.register("gone-v0", Sum)
    unregister("gone-v0")
    for id in ("gone-v0", "sudoku-v0"):
        with pytest.raises(UnknownEnvironment, match="was not registered here"):
            unregister(id)
    with pytest.raises(UnknownEnvironment):
        envhub.make("gone-v0")
    assert "sudoku-v0" in envhub.list_envs()


def test_an_id_is_taken_once(registered: list[str]) -> None:
    envhub.register("twice-v3", Sum)
    registered.append("twice-v3")
    for id, following in (("twice-v3", "-v4"), ("sudoku-v0", "-v1")):
        with pytest.raises(InvalidParameters, match=f"'{id}' is taken; a new version is {following}"):
            envhub.register(id, Sum)
    assert load(envhub.spec("sudoku-v0")).__name__ == "Sudoku"


@pytest.mark.parametrize(
    "id", ["Sum-v0", "sum", "sum-v", "sum-v0 ", "-v0", "sum--a-v0", "sum-v0.1", "s\u00fcm-v0", "", "sum_-v0"]
)
def test_a_malformed_id_is_refused(id: str) -> None:
    with pytest.raises(InvalidParameters, match="such as 'my-task-v0'"):
        envhub.register(id, Sum)
    with pytest.raises(InvalidParameters, match="malformed"):
        read_registry([{**LINE, "id": id}])


def test_lines_of_the_registry_are_read() -> None:
    found = read_registry([{**LINE, "extras": ["lean"], "covers": ["A", "B"], "category": "c", "params": {"terms": 3}}])
    assert found == {"sum-v0": EnvSpec("sum-v0", "tests.support.toys:Sum", "c", ("lean",), ("A", "B"), {"terms": 3})}
    assert read_registry([]) == {}
    assert read_registry([LINE])["sum-v0"].source == "envhub"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([LINE, LINE], "'sum-v0' is malformed or duplicate"),
        ([{**LINE, "colour": "red"}], "line of sum-v0: .*colour"),
    ],
)
def test_a_bad_line_of_the_registry_is_named(lines: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        read_registry(lines)


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(
        MissingExtra, match=r"proof-v0 needs more: pip install 'envhub\[lean,judge\]' \(No module named"
    ):
        load(EnvSpec("proof-v0", "no_such_module:Proof", extras=("lean", "judge")))


def test_an_entry_that_points_nowhere_says_where() -> None:
    with pytest.raises(UnknownEnvironment, match=r"a-v0 cannot be loaded from 'no_such_module:A'"):
        load(EnvSpec("a-v0", "no_such_module:A"))
    with pytest.raises(
        UnknownEnvironment, match=r"b-v0 cannot be loaded from 'tests\.support\.toys:Nothing': AttributeError"
    ):
        load(EnvSpec("b-v0", "tests.support.toys:Nothing"))


PLUGIN = """
import sys, envhub
from envhub.registry import registry
envhub.make("sudoku-v0", difficulty=1)
assert registry._plugins.cache_info().misses == 0, "looked for plug-ins without need"
assert "plug-sum-v0" in envhub.list_envs() and "Bad_Id" not in envhub.list_envs()
assert "plug-sum-v0" in envhub.list_envs("plugin")
assert registry.load(envhub.spec("sudoku-v0")).__name__ == "Sudoku"
print(envhub.spec("plug-sum-v0").source)
env = envhub.make("plug-sum-v0", difficulty=2)
env.reset(seed=1)
print(env.step(env.solve())[1])
try:
    envhub.make("plug-sun-v0")
except envhub.EnvhubError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_plugin_is_found_by_its_entry_point_on_a_miss_and_hides_nothing(tmp_path: Path) -> None:
    info = tmp_path / "plug-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[envhub.environments]\n"
        + "".join(f"{id} = tests.support.toys:Sum\n" for id in ("plug-sum-v0", "sudoku-v0", "Bad_Id"))
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-c", PLUGIN],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    source, reward, error = run.stdout.splitlines()
    assert (source, reward) == ("plug", "1.0")
    assert "Did you mean 'plug-sum-v0'" in error
