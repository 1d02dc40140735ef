"""Datasets with pictures: the columns of verl and TRL, in parquet and beside JSON lines."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

import envhub
from envhub.core.errors import InvalidParameters
from envhub.dataset import DatasetConfig, generate, truth
from envhub.dataset.files import rows
from envhub.dataset.formats import FORMATS
from envhub.registry.registry import load, spec

Mines = load(spec("mines-v0"))


def config(layout: str, **settings: Any) -> DatasetConfig:
    return DatasetConfig(("mines-v0", "tic-tac-toe-v0"), {"train": 6}, (2, 2), format=layout, **settings)


def expected(row: Any, layout: str) -> tuple[str, bytes]:
    """The prompt and the pixels of a row's task."""
    env = envhub.begin(truth.read(FORMATS[layout].read(row).truth), observation="image")
    return env.task.prompt, pixels(env.episode.pictures()[0].png())


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).tobytes()


@pytest.mark.parametrize("layout", ["verl", "trl"])
def test_parquet_holds_the_bytes_of_each_picture(layout: str, tmp_path: Path) -> None:
    generate(config(layout, observation="image"), tmp_path / "seen.parquet", processes=1)
    metadata = pq.read_schema(tmp_path / "seen.parquet").metadata
    assert json.loads(metadata[b"huggingface"])["info"]["features"] == {"images": [{"_type": "Image"}]}
    found = list(rows(tmp_path / "seen.parquet"))
    assert len(found) == 6
    for row in found:
        prompt, seen = expected(row, layout)
        [picture] = row["images"]
        assert picture.keys() == {"bytes", "path"}
        assert pixels(picture["bytes"]) == seen
        places = "\n<image>" if layout == "verl" else ""
        assert row["prompt"][-1]["content"] == prompt + places


def test_json_lines_name_files_beside_them(tmp_path: Path) -> None:
    generate(config("verl", observation="both"), tmp_path / "seen.jsonl", processes=1)
    lines = (tmp_path / "seen.jsonl").read_text().splitlines()
    for row in map(json.loads, lines):
        [picture] = row["images"]
        assert picture["bytes"] is None
        assert pixels((tmp_path / picture["path"]).read_bytes()) == expected(row, "verl")[1]
    assert len(list((tmp_path / "seen.images").iterdir())) == len(lines) == 6
    assert "--observation both" in (tmp_path / "seen.card.md").read_text()


def test_a_first_row_without_a_picture_keeps_no_other_row_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mines, "scene", lambda self, inst, state: None)  # the first row is its task
    generate(config("verl", observation="both"), tmp_path / "seen.jsonl", processes=1)
    found = [json.loads(line)["images"] for line in (tmp_path / "seen.jsonl").read_text().splitlines()]
    assert found[0] == []
    assert any(found)
    assert all(picture["bytes"] is None for pictures in found for picture in pictures)


def test_text_has_no_column_of_pictures(tmp_path: Path) -> None:
    generate(config("trl"), tmp_path / "plain.jsonl", processes=1)
    assert all("images" not in row for row in rows(tmp_path / "plain.jsonl"))
    assert "observation" not in config("trl").to_json()


def test_a_format_without_pictures_refuses_them() -> None:
    with pytest.raises(InvalidParameters, match="verl or trl"):
        config("openrlhf", observation="image")
