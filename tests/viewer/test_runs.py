"""Training runs: which there are, and logs that grow, are cut and are cut off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters
from envhub.viewer.runs import Run, runs_in, tail
from envhub.viewer.sources import files_of
from tests.viewer.files import write


def test_runs_are_named_by_their_folders(tmp_path: Path) -> None:
    for name in ("b", "a/deep"):
        (tmp_path / name).mkdir(parents=True)
        write(tmp_path / name / "log.jsonl", {"step": 1})
    assert [run.name for run in runs_in([tmp_path])] == ["a/deep", "b"]
    assert [run.name for run in runs_in([tmp_path / "b", tmp_path / "b" / "log.jsonl"])] == ["b"]
    assert files_of([tmp_path], tmp_path) == []  # a log is no file of episodes


def test_a_log_is_followed(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", {"step": 1, "reward": 0.5})
    run = Run("r", log)
    lines, reached = tail(run, 0)
    assert lines == [{"step": 1, "reward": 0.5}]
    assert tail(run, reached) == ([], reached)
    with log.open("a") as file:
        file.write('{"step": 2}\n{"step": 3')
    assert tail(run, reached)[0] == [{"step": 2}]  # the last one is still being written


def test_a_log_that_was_cut_is_read_again(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", {"step": 1}, {"step": 2})
    _, reached = tail(Run("r", log), 0)
    write(log, {"step": 1})
    lines, again = tail(Run("r", log), reached)
    assert lines == [{"step": 1}]
    assert again < reached
    log.unlink()
    assert tail(Run("r", log), reached) == ([], 0)


@pytest.mark.parametrize("line", ["nonsense", "[1]", '"text"', "{", '{"text": "x", "flag": true, "list": [1]}'])
def test_only_numbers_are_kept(tmp_path: Path, line: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(f"{line}\n" + json.dumps({"loss": float("nan"), "step": 4, "text": "x"}) + "\n")
    assert tail(Run("r", log), 0)[0] == [{"step": 4}]


def test_a_folder_with_neither_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="holds neither a run nor episodes"):
        files_of([tmp_path], tmp_path)
