"""envhub doctor, and envhub alone."""

from __future__ import annotations

import json
from importlib import metadata

import pytest

import envhub
from envhub.cli import doctor
from tests.cli.commands import run


def test_envhub_alone_says_what_to_try() -> None:
    found = run()
    assert found.exit_code == 0
    for command in ("envhub play", "envhub serve", "envhub generate", "envhub doctor"):
        assert command in found.stdout


def test_every_environment_is_counted() -> None:
    installed, own, programs, *broken = doctor.environments()
    ids = envhub.list_envs()
    assert f"of {len(ids)}" in installed.says
    assert "dataset-v0" in own.says
    assert {finding.name for finding in broken} <= set(ids)
    assert "shell-v0" in programs.says
    assert "sudoku-v0" not in programs.says


@pytest.mark.parametrize(
    ("id", "needs"),
    [("sql-v0", True), ("python-tool-v0", True), ("lean-proof-v0", True), ("chess-v0", False), ("dataset-v0", False)],
)
def test_which_environments_need_the_sandbox(id: str, needs: bool) -> None:
    assert doctor.runs_programs(id) == needs


def test_an_environment_that_cannot_be_loaded_names_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    error = "sudoku-v0 needs the package z3: pip install 'envhub[z3]'"
    line = {"id": "sudoku-v0", "error": error}
    monkeypatch.setattr("envhub.registry.describe.summaries", lambda: [line])
    assert doctor.environments()[-1] == doctor.Finding(
        "sudoku-v0", False, "sudoku-v0 needs the package z3", "pip install 'envhub[z3]'"
    )


def test_an_extra_lists_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == "redis":
            raise metadata.PackageNotFoundError(package)
        return "1"

    monkeypatch.setattr(metadata, "version", version)
    found = {finding.name: finding for finding in doctor.extras()}
    assert found["redis"] == doctor.Finding("redis", False, "lacks redis", "pip install 'envhub[redis]'")
    assert found["serve"].works
    assert not found.keys() & {"dev", "test", "all"}


@pytest.mark.slow
def test_the_sandbox_and_the_kernels_are_tried() -> None:
    found = run("doctor", "--json")
    assert found.exit_code == 0
    sections = json.loads(found.stdout)
    assert [row["name"] for row in sections["programs and proofs"]] == ["sandbox", "Lean", "Coq", "toolchain science"]
    for row in sections["programs and proofs"]:
        assert row["works"] == (row["remedy"] == "")
    assert "to make it work" in run("doctor").stdout
