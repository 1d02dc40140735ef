"""Writing a dataset goes on where it was stopped, to the same bytes, and takes nothing of another for its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from envhub.core.errors import InvalidParameters, SplitExhausted
from envhub.dataset import DatasetConfig, OutputExists, generation
from tests.dataset.making import IDS, SEVERAL, contents, made
from tests.dataset.workshop import Few, config, failing, known, problems_of, stop_at
from tests.support.places import ROOT

# -- when problems run out ---------------------------------------------------------------------------------------------


def test_what_was_begun_goes_on_when_fewer_rows_are_allowed_then(tmp_path: Path) -> None:
    with known("few-v0", Few):
        of = config("few-v0", "arithmetic-v0", rows=100)
        fewer = DatasetConfig.from_json({**of.to_json(), "allow_fewer": True})
        made(tmp_path / "whole", fewer)
        with pytest.raises(SplitExhausted):
            made(tmp_path / "begun", of)
        assert made(tmp_path / "begun", fewer).resumed > problems_of("train")
        assert contents(tmp_path / "begun") == contents(tmp_path / "whole")
        with pytest.raises(SplitExhausted):
            made(tmp_path / "corrected", of)
        corrected = config("few-v0", "arithmetic-v0", rows=6)
        assert made(tmp_path / "corrected", corrected).resumed == 0
        made(tmp_path / "straight", corrected)
        assert contents(tmp_path / "corrected") == contents(tmp_path / "straight")
        with pytest.raises(KeyboardInterrupt):
            made(tmp_path / "other", fewer, on_row=stop_at(70))
        with pytest.raises(OutputExists, match="allow_fewer True"):
            made(tmp_path / "other", of)


# -- stopped and gone on -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """A dataset that nobody interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("t.jsonl", "t.parquet"):
        made(folder / name, config(*IDS, **SEVERAL), name)
    return {name: contents(folder / name) for name in ("t.jsonl", "t.parquet")}


@pytest.mark.parametrize(
    ("split", "row", "there"), [("train", 1, 1), ("train", 17, 17), ("validation", 3, 20), ("test", 6, 28)]
)
def test_stopped_at_a_row_it_goes_on_to_the_same_bytes(
    split: str, row: int, there: int, whole: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, config(*IDS, **SEVERAL), on_row=stop_at(row, split))
    assert "t.config.json" in contents(tmp_path)
    assert made(tmp_path, config(*IDS, **SEVERAL)).resumed == there
    assert contents(tmp_path) == whole["t.jsonl"]


def test_stopped_again_and_again(whole: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    for at in range(1, 18):
        with pytest.raises(KeyboardInterrupt):
            made(tmp_path, config(*IDS, **SEVERAL), on_row=stop_at(at))
    made(tmp_path, config(*IDS, **SEVERAL))
    assert contents(tmp_path) == whole["t.jsonl"]


@pytest.mark.parametrize("cut", [b"", b"\n", b'{"data_source":"envhub/ari', b"\xff\x00{"])
def test_a_line_that_was_cut_is_written_again(cut: bytes, whole: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, config(*IDS, **SEVERAL), on_row=stop_at(9))
    part = tmp_path / "t.train.jsonl.part"
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:-1]) + (lines[-1][:-1] if cut == b"\n" else cut))
    assert made(tmp_path, config(*IDS, **SEVERAL)).resumed == 8
    assert contents(tmp_path) == whole["t.jsonl"]


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("at", ["os.replace", "write_card", "Path.unlink"])
def test_stopped_while_finishing_it_finishes(
    name: str, after: int, at: str, whole: dict[str, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at the first and the second of what finishing does, right before it is done and right after."""
    targets: dict[str, tuple[Any, str]] = {
        "os.replace": (os, "replace"), "write_card": (generation, "write_card"), "Path.unlink": (Path, "unlink")
    }  # fmt: skip
    of, (where, what) = config(*IDS, **SEVERAL), targets[at]
    real: Callable[..., Any] = getattr(where, what)
    stops = 0
    for number in (1, 2):
        folder = tmp_path / str(number)
        calls = 0

        def stopping(*arguments: Any, wanted: int = number, **named: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == wanted and not after:
                raise KeyboardInterrupt
            real(*arguments, **named)
            if calls == wanted:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(where, what, stopping)
            try:
                made(folder, of, name)
            except KeyboardInterrupt:
                stops += 1
        if "t.config.json" in contents(folder):
            assert made(folder, of, name).resumed == 28
        assert contents(folder) == whole[name]
    assert stops


def test_stopped_in_the_middle_of_a_table(
    whole: dict[str, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet

    with monkeypatch.context() as patch:
        patch.setattr(pyarrow.parquet.ParquetWriter, "write_table", failing())
        with pytest.raises(KeyboardInterrupt):
            made(tmp_path, config(*IDS, **SEVERAL), "t.parquet")
    assert made(tmp_path, config(*IDS, **SEVERAL), "t.parquet").resumed == 28
    assert contents(tmp_path) == whole["t.parquet"]


_KILLED = """
import os
import signal
import sys
from pathlib import Path
from envhub.dataset import DatasetConfig, generate

def on_row(split, row, total):
    if (split, row) == ("validation", 3):
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    ids = ("arithmetic-v0", "countdown-v0", "guess-number-v0")
    config = DatasetConfig(ids, {"train": 17, "test": 6, "validation": 5}, (2, 4))
    generate(config, Path(sys.argv[1]), processes=int(sys.argv[2]), on_row=on_row)
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_killed_it_goes_on_to_the_same_bytes_and_its_workers_are_gone(
    processes: int, whole: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    script, folder = tmp_path / "killed.py", tmp_path / "out"
    script.write_text(_KILLED)
    folder.mkdir()
    command = [sys.executable, str(script), str(folder / "t.jsonl"), str(processes)]
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as writer:
        assert writer.stdout is not None
        said = writer.stdout.read()  # to its end: whoever holds it has ended, and the workers do
    assert writer.returncode == -signal.SIGKILL
    assert b"Traceback" not in said
    assert set(contents(folder)) == {"t.config.json", "t.train.jsonl.part", "t.validation.jsonl.part"}
    assert made(folder, config(*IDS, **SEVERAL)).resumed == 20
    assert contents(folder) == whole["t.jsonl"]


# -- what must not be taken for one's own ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 1}, "seed 0"),
        ({"splits": {"train": 17, "test": 6}}, "splits {'test': 6, 'train': 17, 'validation': 5}"),
        ({"levels": (2, 5)}, r"levels \[2, 4\]"),
        ({"format": "trl"}, "format 'verl'"),
        ({"environments": IDS[:2]}, "environments .*guess-number-v0"),
        ({"system": "Hi."}, "system None"),
        ({"version": "0.0"}, "version '"),
    ],
)
def test_what_is_unfinished_of_another_configuration_is_kept_and_named(
    change: dict[str, Any], named: str, tmp_path: Path
) -> None:
    of = config(*IDS, **SEVERAL)
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, of, on_row=stop_at(5))
    before = contents(tmp_path)
    other = DatasetConfig(**{**{name: getattr(of, name) for name in of.__dataclass_fields__}, **change})
    with pytest.raises(OutputExists, match=rf"t\.config\.json is of an unfinished dataset that differs \(.*{named}"):
        made(tmp_path, other)
    assert contents(tmp_path) == before
    assert made(tmp_path, other, overwrite=True).resumed == 0


def damaged(lines: list[bytes], how: str) -> list[bytes]:
    row = orjson.loads(lines[4])
    if how == "not JSON":
        return [*lines[:4], b'{"a":\n', *lines[5:]]
    if how == "not a row":
        return [*lines[:4], b"[5]\n", *lines[5:]]
    if how == "twice":
        return [*lines[:5], lines[4], *lines[5:]]
    if how == "removed":
        return [*lines[:4], *lines[5:]]
    if how == "swapped":
        return [*lines[:4], lines[5], lines[4], *lines[6:]]
    if how == "more":
        return lines * 3
    if how == "seed":
        key = orjson.loads(row["reward_model"]["ground_truth"])
        row["reward_model"]["ground_truth"] = orjson.dumps({**key, "seed": 5}).decode()
    if how == "environment":
        key = orjson.loads(row["reward_model"]["ground_truth"])
        row["reward_model"]["ground_truth"] = orjson.dumps({**key, "env_id": "sudoku-v0"}).decode()
    if how == "level":
        row["extra_info"]["difficulty"] = 9
    if how == "fingerprint":
        row["extra_info"]["fingerprint"] = "xyz"
    if how == "nothing":
        row = {}
    return [*lines[:4], orjson.dumps(row) + b"\n", *lines[5:]]


@pytest.mark.parametrize("one", [True, False])
@pytest.mark.parametrize(
    "how",
    ["not JSON", "not a row", "twice", "removed", "swapped", "seed", "environment", "level", "fingerprint", "nothing"],
)
def test_a_damaged_work_file_is_told_and_kept(how: str, one: bool, tmp_path: Path) -> None:
    of = config(*IDS[: 1 if one else 3], rows=20)
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, of, on_row=stop_at(8))
    part = tmp_path / "t.jsonl.part"
    part.write_bytes(b"".join(damaged(part.read_bytes().splitlines(keepends=True), how)))
    before = contents(tmp_path)
    with pytest.raises(InvalidParameters, match=r"t\.jsonl\.part is damaged at row [56]: .*--overwrite"):
        made(tmp_path, of)
    assert contents(tmp_path) == before
    assert made(tmp_path, of, overwrite=True).rows == 20


def test_more_rows_than_there_are_to_be_are_told(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, config(rows=5), on_row=stop_at(5))
    made(tmp_path, config(rows=6), "longer.jsonl")
    (tmp_path / "t.jsonl.part").write_bytes((tmp_path / "longer.jsonl").read_bytes())
    with pytest.raises(InvalidParameters, match="damaged at row 6"):
        made(tmp_path, config(rows=5))
