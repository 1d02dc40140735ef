"""Several runs on one page, and their numbers as a table."""

from __future__ import annotations

import csv
import json
from math import nan
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envhub.reports.svg import PALETTE
from envhub_trainer.cli import app
from envhub_trainer.config import ConfigError, TrackConfig
from envhub_trainer.watch.compare import compare
from envhub_trainer.watch.curves import write
from envhub_trainer.watch.track import Track
from tests.trainer.watch.test_report import EVIL, Page


def run(folder: Path, rate: float, *rewards: float) -> Path:
    with Track(folder, TrackConfig(live=False), 0, clock=lambda: 86400.0) as track:
        for step, reward in enumerate(rewards, 1):
            track.log(step, {"reward": reward, "odd/name": 1.0, "test/sampled": reward, "test/episodes": 8})
    told = {"run": {"steps": 9, "folder": folder.name}, "optimizer": {"learning_rate": rate, "epochs": 1}, "tiny": None}
    (folder / "config.json").write_text(json.dumps(told))
    return folder


def test_each_number_is_one_chart_with_a_line_for_each_run(tmp_path: Path) -> None:
    folders = [
        run(tmp_path / "a", 1e-3, 0.25, 0.5),
        run(tmp_path / f"b{EVIL[:25]}".replace("/", ""), 1e-4, 0.5, nan, 0.75),
    ]
    text = compare(folders, tmp_path / "out.html").read_text()
    page = Page(text)
    told = " ".join(page.text)
    for words in (
        "2 runs",
        "2 of 9",
        "3 of 9",
        "optimizer.learning_rate",
        "0.001",
        "0.0001",
        "odd/name",
        "50.0% [21.5%, 78.5%]",
    ):
        assert words in told, words
    assert "optimizer.epochs" not in told, "only what differs"
    assert not page.tags("script")
    reward = next(part for part in text.split("<figure>") if "<strong>reward</strong>" in part)
    assert [colour for colour in PALETTE if f"<polyline stroke='{colour}'" in reward] == list(PALETTE[:2])
    assert text.count("<strong>test/sampled</strong>") == 1


def test_there_are_no_more_runs_than_colours(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at most 7 runs, got 8"):
        compare([run(tmp_path / str(number), 1.0, 0.5) for number in range(8)], tmp_path / "out.html")


def test_curves_are_a_table(tmp_path: Path) -> None:
    folders = [run(tmp_path / "a", 1e-3, 0.25), run(tmp_path / "b", 1e-4, 0.5, nan)]
    with open(write(folders, tmp_path / "out.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["run", "step", "time", "odd/name", "reward", "test/episodes", "test/sampled"]
    assert [(row["run"], row["step"], row["reward"]) for row in rows] == [
        ("a", "1", "0.25"),
        ("b", "1", "0.5"),
        ("b", "2", ""),
    ]
    lines = [json.loads(line) for line in write(folders, tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(line["run"], line["step"], line.get("reward")) for line in lines] == [
        ("a", 1, 0.25),
        ("b", 1, 0.5),
        ("b", 2, None),
    ]
    twins = [tmp_path / "a", run(tmp_path / "x" / "a", 1.0, 0.5)]
    names = [json.loads(line)["run"] for line in write(twins, tmp_path / "out.jsonl").read_text().splitlines()]
    assert names == [str(folder) for folder in twins]
    with pytest.raises(ConfigError, match=r"ends in \.csv or \.jsonl"):
        write(folders, tmp_path / "out.txt")


def test_the_commands_write_their_files(tmp_path: Path) -> None:
    folders = [str(run(tmp_path / name, 1e-3, 0.5)) for name in "ab"]
    for command, file in (("report", "c.html"), ("curves", "c.csv")):
        done = CliRunner().invoke(app, [command, *folders, "--out", str(tmp_path / file)])
        assert done.exit_code == 0, done.output
        assert (tmp_path / file).is_file()
    done = CliRunner().invoke(app, ["report", folders[0]])
    assert (tmp_path / "a" / "report.html").is_file()
    done = CliRunner().invoke(app, ["curves", str(tmp_path), "--out", str(tmp_path / "d.csv")])
    assert done.exit_code == 2
    assert "holds no run" in done.output
