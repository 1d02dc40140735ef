"""Logs of Inspect in the viewer."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters
from envhub.viewer.index import Index
from envhub.viewer.sources import files_of
from tests.viewer.files import inspect_eval, inspect_json


def opened(path: Path, scratch: Path) -> Index:
    scratch.mkdir()
    return Index.of(files_of([path], scratch), scratch)


@pytest.mark.parametrize("form", ["json", "deflate", "zstandard", "folder"])
def test_samples_are_read_from_every_form_of_log(tmp_path: Path, form: str) -> None:
    if form == "json":
        path = inspect_json(tmp_path / "log.json")
    else:
        path = inspect_eval(tmp_path / "log.eval", zstandard=form != "deflate")
    index = opened(tmp_path if form == "folder" else path, tmp_path / "scratch")
    found = [index.trajectory(number) for number in range(len(index))]
    assert [(one.facts.env, one.facts.level, one.facts.outcome) for one in found] == [
        ("sums", 4, "solved"),
        ("sums", 0, "failed"),
        ("sums", 0, "error"),
    ]
    assert [one.facts.reward for one in found[:2]] == [1.0, 0.0]
    assert math.isnan(found[2].facts.reward)
    assert [message["content"] for message in found[0].messages] == ["1 + 1?", "<think>Add.</think>\n2"]
    assert found[2].facts.why == "connection lost"


def test_a_damaged_log_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"eval": {}, "samples": [{}]}')
    with pytest.raises(InvalidParameters, match=r"log\.json is not a log of Inspect"):
        opened(path, tmp_path / "scratch")
