"""Rows of four data sets about repositories are read; what is missing in a row is named."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.patches import parse
from envhub.generators.user_files.repairs import RepairTask, is_test, repairs

PATCH = "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
TESTS = "--- a/tests/test_m.py\n+++ b/tests/test_m.py\n@@ -1 +1 @@\n-pass\n+assert x\n"
BENCH: dict[str, Any] = {
    "instance_id": "Owner__repo-7",
    "problem_statement": "x is wrong",
    "patch": PATCH,
    "test_patch": TESTS,
    "FAIL_TO_PASS": json.dumps(["tests/test_m.py::test_x"]),
    "PASS_TO_PASS": json.dumps(["tests/test_m.py::test_y", "tests/test_m.py::test_x"]),
}
REBENCH = {
    **BENCH,
    "docker_image": "swerebench/one",
    "FAIL_TO_PASS": ["tests/test_m.py::test_x"],
    "PASS_TO_PASS": [],
    "install_config": {"python": "3.9", "test_cmd": ["pytest -rA --color=no"]},
}
SMITH = {name: value for name, value in {**REBENCH, "image_name": "swesmith/one"}.items() if name != "test_patch"}


def diff_of(path: str, content: str) -> dict[str, Any]:
    """A ``FileDiff`` of R2E-Gym."""
    return {"old_file_content": "x = 1\n", "new_file_content": content, "header": {"file": {"path": path}}}


R2E: dict[str, Any] = {
    "repo_name": "orange3",
    "docker_image": "r2e/orange3:abc",
    "commit_hash": "abc",
    "problem_statement": "[ISSUE] x is wrong [/ISSUE]",
    "parsed_commit_content": json.dumps({"file_diffs": [diff_of("m.py", "x = 2\n"), diff_of("Tests/m.py", "pass\n")]}),
    "execution_result_content": json.dumps(
        {"test_file_names": ["test_1.py", "conftest.py"], "test_file_codes": ["def test_x(): pass", ""]}
    ),
    "expected_output_json": json.dumps(
        {"\x1b[1mTestM.test_x\x1b[0m": "PASSED", "test_y - assert 1": "FAILED", "test_z[a.b]": "PASSED", "": "ERROR"}
    ),
}


def read(tmp_path: Path, *rows: dict[str, Any], **given: str) -> list[RepairTask]:
    """The tasks of a file with these rows."""
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return list(repairs(str(file), digest, **{"image": "", "command": "", "folder": "", **given}).at(None))


def test_rows_of_swe_bench(tmp_path: Path) -> None:
    (task,) = read(tmp_path, BENCH)
    assert task.image == "swebench/sweb.eval.x86_64.owner_1776_repo-7:latest"
    assert (task.command, task.folder) == ("python -m pytest", "/testbed")
    assert task.must_pass == ("tests/test_m.py::test_x", "tests/test_m.py::test_y")
    assert (task.broken, task.gold, task.test_patch, task.hidden) == ("", PATCH, TESTS, ())


def test_rows_of_swe_rebench_name_image_and_command(tmp_path: Path) -> None:
    (task,) = read(tmp_path, REBENCH, image="ignored", command="also pytest")
    assert (task.image, task.command) == ("swerebench/one", "pytest -rA --color=no")


def test_the_patch_of_swe_smith_makes_the_fault(tmp_path: Path) -> None:
    (task,) = read(tmp_path, SMITH)
    assert task.image == "swesmith/one"
    assert task.broken == PATCH
    assert parse(task.gold)[0].applied("x = 2\n") == "x = 1\n"


def test_rows_of_r2e_gym(tmp_path: Path) -> None:
    (task,) = read(tmp_path, R2E)
    assert task.gold_files == {"m.py": "x = 2\n"}
    assert task.test_files == {"r2e_tests/test_1.py": "def test_x(): pass", "r2e_tests/conftest.py": ""}
    assert task.must_pass == ("TestM.test_x", "test_z[a.b]")
    assert task.command.endswith("xvfb-run --auto-servernum .venv/bin/python -W ignore -m pytest")
    assert {"/r2e_tests", "parsed_commit.json", ".git"} <= set(task.hidden)
    (other,) = read(tmp_path, {**R2E, "repo_name": "numpy"}, command="pytest -q")
    assert other.command == "pytest -q"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**BENCH, "problem_statement": " "}, "problem_statement must be a text"),
        ({**BENCH, "patch": ""}, "patch must be a unified diff"),
        ({**BENCH, "FAIL_TO_PASS": "[]"}, "FAIL_TO_PASS names no test"),
        ({**BENCH, "FAIL_TO_PASS": {"a": 1}}, "FAIL_TO_PASS must be a list"),
        ({**REBENCH, "install_config": {"test_cmd": "go test ./..."}}, "calls pytest"),
        ({**REBENCH, "install_config": {"test_cmd": ["pytest a", "pytest b"]}}, "calls pytest"),
        ({**R2E, "expected_output_json": "[]"}, "expected_output_json must be an object"),
        ({**R2E, "expected_output_json": '{"test_x": "FAILED"}'}, "no test that passes"),
        ({**R2E, "execution_result_content": "{}"}, "test_file_names"),
    ],
)
def test_what_is_missing_in_a_row_is_named(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameters, match=message):
        read(tmp_path, row)


def test_tests_are_told_by_their_paths() -> None:
    assert all(map(is_test, ("tests/a.py", "Tests/a.py", "pkg/testing/a.py", "test_a.py", "pkg/a_test.py")))
    assert not any(map(is_test, ("a.py", "latest/a.py", "contest.py", "pkg/tester.py")))
