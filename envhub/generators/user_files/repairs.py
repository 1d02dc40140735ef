"""A user's tasks about repositories, as four public data sets write them.

Read are rows of SWE-bench and SWE-rebench (``FAIL_TO_PASS`` as a list or as JSON text, ``test_patch``, ``image_name`` or
``docker_image``, ``install_config.test_cmd``), of SWE-smith (``patch`` breaks the repository, and undoing it repairs it), and
of R2E-Gym (``execution_result_content`` with the test files, ``expected_output_json`` with their outcomes, read as
R2E-Gym's own ``ParsedCommit``, ``ExecutionResult`` and ``parse_log_pytest`` write them)::

    for task in repairs("instances.jsonl", digest, image="", command="", folder="").at(None): task.statement
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.user_files.files import MAX_CHARS, UserRows, each_of, place_of, rows_at
from envhub.generators.user_files.patches import FileChange, parse

COMMAND: Final = "python -m pytest"
FOLDER: Final = "/testbed"
_OFFICIAL: Final = "swebench/sweb.eval.x86_64.{}:latest"
"""Name of the image of an instance of SWE-bench that names none."""
_R2E_FOLDER: Final = "r2e_tests"
_R2E_COMMAND: Final = (
    "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' {}.venv/bin/python -W ignore -m pytest"
)
"""Images of R2E-Gym have a virtual environment in the repository."""
_R2E_DISPLAY: Final = {"orange3": "QT_QPA_PLATFORM=minimal xvfb-run --auto-servernum "}
_R2E_REVEALING: Final = (
    f"/{_R2E_FOLDER}",
    _R2E_FOLDER,
    "run_tests.sh",
    "expected_test_output.json",
    "execution_result.json",
    "parsed_commit.json",
    "modified_files.json",
    "modified_entities.json",
    "syn_issue.json",
    ".git",
)
"""What images of R2E-Gym have of the tests and the repair; the history goes beyond the commit of the task."""
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_PASSED: Final = "PASSED"


@dataclass(frozen=True, slots=True)
class RepairTask:
    """A task about a repository.

    Attributes:
        row: Its number in the file, from 1.
        name: Its id.
        statement: What the policy is told.
        image: The Docker image.
        folder: The repository in it.
        command: What runs pytest there.
        broken: A diff that is applied before the episode; empty if the image has the fault.
        gold: A diff that repairs the repository; empty if only whole files are known.
        gold_files: Repaired files by path, where there is no diff.
        test_patch: A diff of tests that is applied before the verdict.
        test_files: Files of tests that are written before the verdict, by path.
        must_pass: The tests that decide, as pytest names them.
        hidden: Paths in the image, relative ones in the folder, that the policy must not see.
        level: Its difficulty, or None.
    """

    row: int
    name: str
    statement: str
    image: str
    folder: str
    command: str
    broken: str
    gold: str
    gold_files: Mapping[str, str]
    test_patch: str
    test_files: Mapping[str, str]
    must_pass: tuple[str, ...]
    hidden: tuple[str, ...]
    level: int | None

    def to_json(self) -> dict[str, JSON]:
        """What the verdict and the oracle need."""
        names = ("gold", "gold_files", "test_patch", "test_files", "must_pass", "command")
        return {name: _plain(getattr(self, name)) for name in names}


def repairs(path: str, digest: str, image: str, command: str, folder: str) -> UserRows[RepairTask]:
    """The tasks of a file.

    Args:
        path: The file, JSON lines or parquet.
        digest: Its SHA-256.
        image: Image of rows that name none; ``{id}`` stands for the instance.
        command: Command of rows that have none; ``python -m pytest``, or that of R2E-Gym, if empty.
        folder: The repository in the images; ``/testbed`` if empty.

    Raises:
        InvalidParameters: The file does not exist or a row is no task.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    return _repairs(place_of(path, digest), digest, image, command, folder or FOLDER)


@lru_cache(maxsize=8)
def _repairs(place: str, digest: str, image: str, command: str, folder: str) -> UserRows[RepairTask]:
    rows = each_of(place, rows_at(place, digest), lambda number, row: _task(number, row, image, command, folder))
    return UserRows.of(place, "task", rows)


def _task(number: int, row: Mapping[str, Any], image: str, command: str, folder: str) -> RepairTask:
    statement = row.get("problem_statement")
    if not isinstance(statement, str) or not statement.strip():
        raise ValueError(f"problem_statement must be a text that is not empty; the row has {', '.join(row)}.")
    if len(statement) > MAX_CHARS:
        raise ValueError(f"problem_statement has more than {MAX_CHARS} characters.")
    r2e = "expected_output_json" in row
    name = str(row.get("instance_id") or f"{row.get('repo_name', 'row')}-{row.get('commit_hash', number)}")
    given = row.get("image_name") or row.get("docker_image") or (image.format(id=name) if image else _official(name))
    config = row.get("install_config")
    config = json.loads(config) if isinstance(config, str) else config or {}
    told = config.get("test_cmd") if isinstance(config, Mapping) else None
    common: dict[str, Any] = {
        "row": number,
        "name": name,
        "statement": statement,
        "image": str(given),
        "folder": folder,
        "command": _command(told or command or (_r2e_command(row) if r2e else COMMAND)),
        "level": _level(row.get("difficulty")),
    }
    return RepairTask(**common, **(_r2e(row) if r2e else _patched(row)))


def _patched(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row with a patch."""
    patch = row.get("patch")
    if not isinstance(patch, str) or not patch.strip():
        raise ValueError("patch must be a unified diff; without it nobody knows that the task can be solved.")
    changes = parse(patch)
    tests = row.get("test_patch") or ""
    if tests:
        parse(tests)
    names = [*_names(row, "FAIL_TO_PASS"), *_names(row, "PASS_TO_PASS")]
    if not _names(row, "FAIL_TO_PASS"):
        raise ValueError("FAIL_TO_PASS names no test.")
    breaks = "test_patch" not in row  # SWE-smith: the patch makes the fault, and the image has the tests
    return {
        "broken": patch if breaks else "",
        "gold": written([change.reversed() for change in changes]) if breaks else patch,
        "gold_files": {},
        "test_patch": tests,
        "test_files": {},
        "must_pass": tuple(dict.fromkeys(names)),
        "hidden": (),
    }


def _r2e(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row of R2E-Gym."""
    ran, content = _object(row, "execution_result_content"), _object(row, "parsed_commit_content")
    names, codes = ran.get("test_file_names") or [], ran.get("test_file_codes") or []
    expected = _object(row, "expected_output_json")
    gold = {
        diff["header"]["file"]["path"]: diff["new_file_content"]
        for diff in content.get("file_diffs") or []
        if diff.get("new_file_content") and not is_test(diff["header"]["file"]["path"])
    }
    if not names or len(names) != len(codes) or not gold:
        raise ValueError(
            "execution_result_content must have test_file_names and test_file_codes, and parsed_commit_content the "
            "new_file_content of its file_diffs."
        )
    outcomes = {_COLOUR.sub("", name).split(" - ")[0]: outcome for name, outcome in expected.items()}
    must = tuple(sorted(name for name, outcome in outcomes.items() if outcome == _PASSED and name))
    if not must:
        raise ValueError("expected_output_json has no test that passes.")
    files = {f"{_R2E_FOLDER}/{name.rpartition('/')[2]}": code for name, code in zip(names, codes, strict=True)}
    return {
        "broken": "",
        "gold": "",
        "gold_files": gold,
        "test_patch": "",
        "test_files": files,
        "must_pass": must,
        "hidden": _R2E_REVEALING,
    }


def _r2e_command(row: Mapping[str, Any]) -> str:
    """The command with which R2E-Gym tests a repository."""
    return _R2E_COMMAND.format(_R2E_DISPLAY.get(str(row.get("repo_name")), ""))


def is_test(path: str) -> bool:
    """Whether a path is, by the conventions of pytest, one of tests."""
    *folders, name = path.split("/")
    return (
        bool({"test", "tests", "testing"} & {folder.lower() for folder in folders})
        or name.startswith("test_")
        or name.endswith("_test.py")
    )


def written(changes: list[FileChange]) -> str:
    """A diff with these changes."""
    return "".join(change.written() for change in changes)


def _official(name: str) -> str:
    return _OFFICIAL.format(name.replace("__", "_1776_").lower())


def _command(given: Any) -> str:
    text = given[0] if isinstance(given, list) and len(given) == 1 else given  # SWE-rebench V2 writes lists
    if not isinstance(text, str) or "pytest" not in text or "\n" in text.strip():
        raise ValueError(f"the test command must be one line that calls pytest, got {str(text)[:120]!r}.")
    return text.strip()


def _level(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10 else None


def _names(row: Mapping[str, Any], column: str) -> list[str]:
    """The tests that a column names, also in JSON."""
    value = row.get(column)
    value = json.loads(value) if isinstance(value, str) and value.strip() else value
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{column} must be a list of names of tests, got {str(value)[:120]!r}.")
    return value


def _object(row: Mapping[str, Any], column: str) -> dict[str, Any]:
    value = row.get(column)
    value = json.loads(value) if isinstance(value, str) else value
    if not isinstance(value, dict):
        raise ValueError(f"{column} must be an object or its JSON, got {str(value)[:120]!r}.")
    return value


def _plain(value: Any) -> JSON:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
