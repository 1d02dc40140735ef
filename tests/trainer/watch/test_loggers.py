"""The real packages of other projects get the numbers of a run, without a network."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from math import nan
from pathlib import Path

import pytest

from envhub_trainer.config import TrackConfig
from envhub_trainer.watch.track import Track

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("default")]  # warnings of other projects are theirs


def logged(folder: Path, config: TrackConfig) -> None:
    """Two steps, and a third by a resumed run."""
    for done, steps in ((0, (1, 2)), (2, (3,))):
        with Track(folder / "first", config, done, settings={"run": {"seed": 3}}) as track:
            for step in steps:
                track.log(step, {"reward": step / 8, "kl": nan})


def test_trackio_has_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "trackio"))  # read when it is imported
    pytest.importorskip("trackio", reason="trackio is not installed")
    logged(tmp_path, TrackConfig(trackio="project"))
    from trackio.sqlite_storage import SQLiteStorage

    rows = SQLiteStorage.get_logs("project", "first")
    assert [(row["step"], row["reward"]) for row in rows if "reward" in row] == [(1, 0.125), (2, 0.25), (3, 0.375)]
    assert all("kl" not in row for row in rows)


def test_wandb_has_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb", reason="wandb is not installed")
    monkeypatch.setenv("WANDB_MODE", "offline")
    logged(tmp_path, TrackConfig(wandb="project"))
    wandb.teardown()  # waits for its process, as the end of ours does
    files = sorted((tmp_path / "first" / "wandb").glob("offline-run-*/run-*.wandb"))
    assert len(files) == 2, "one for each process"
    assert len({path.stem for path in files}) == 1, "with the same id"
    found = [number for path in files for number in numbers(path)]
    assert found == [(1, 0.125), (2, 0.25), (3, 0.375)]


def numbers(path: Path) -> list[tuple[int, float]]:
    """Step and reward of every record of history."""
    from wandb.proto import wandb_internal_pb2

    found = []
    for data in records(path.read_bytes()):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        items = {item.key or ".".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
        if "reward" in items:
            assert "kl" not in items
            found.append((int(items["_step"]), items["reward"]))
    return found


def records(data: bytes) -> Iterator[bytes]:
    """The records of a log of LevelDB after a head of 7 bytes; a record may be cut at the end of a block of 32 KiB."""
    at, parts = 7, b""
    while at + 7 <= len(data):
        room = 32768 - at % 32768
        if room < 7:
            at += room
            continue
        length, kind = struct.unpack("<HB", data[at + 4 : at + 7])
        parts += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last part
            yield parts
            parts = b""
