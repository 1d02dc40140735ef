"""Files of a user's own: the one that is meant or none, and what is wrong with it told."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.files import UserRows, digest_of, each_of, place_of, rows_at

GOOD = {"n": 42}


def write(path: Path, *rows: Any) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def rows_of(path: str, digest: str | None = None) -> list[Mapping[str, Any]]:
    digest = digest or digest_of(path)
    return rows_at(place_of(path, digest), digest)


@pytest.mark.parametrize("path", ["nothing.jsonl", "/dev/zero", ".", "a\0b", "x" * 5000])
def test_what_cannot_be_read_is_told(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidParameters, match=r"^The file .* cannot be read: "):
        digest_of(path)


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidParameters, match="that is no file"):
        digest_of(str(tmp_path / "pipe"))


def test_the_digest_is_that_of_the_bytes_and_follows_them(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "q.jsonl", GOOD))
    before = digest_of(str(path))
    assert before == sha256(path.read_bytes()).hexdigest()
    write(path, GOOD, GOOD)
    assert digest_of(str(path)) == sha256(path.read_bytes()).hexdigest() != before
    with pytest.raises(InvalidParameters, match="it has changed since"):
        rows_of(str(path), before)


def test_it_is_found_in_the_named_folders_by_its_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
    write(folders[1] / "q.jsonl", {"n": "of another file"})
    digest = digest_of(write(folders[2] / "q.jsonl", GOOD))
    gone = str(tmp_path / "gone" / "q.jsonl")
    with pytest.raises(InvalidParameters, match="it is not there"):
        rows_of(gone, digest)
    monkeypatch.setenv("ENVHUB_DATASETS", os.pathsep.join(map(str, folders[:2])))
    with pytest.raises(InvalidParameters, match="it has changed since"):
        rows_of(gone, digest)
    monkeypatch.setenv("ENVHUB_DATASETS", os.pathsep.join(["", *map(str, folders)]))
    assert rows_of(gone, digest) == [GOOD]


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "q.jsonl", GOOD)
    before = digest_of(path)
    write(Path(path), {"n": 43})
    monkeypatch.setattr("envhub.generators.user_files.files.digest_of", lambda path: before)
    with pytest.raises(InvalidParameters, match="it has changed since"):
        rows_of(path, before)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"n": 1}\n{"n"', "line 2, is not JSON"),
        (b"[1]\n", "line 1, is not an object with columns"),
        (b"7\n", "line 1, is not an object with columns"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[" * 100_000, "line 1, is not JSON"),
    ],
)
def test_what_is_no_file_of_rows_is_told(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(content)
    with pytest.raises(InvalidParameters, match=said):
        rows_of(str(tmp_path / "q.jsonl"))


def test_what_is_no_parquet_is_told(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "q.parquet").write_bytes(b"no parquet")
    with pytest.raises(InvalidParameters, match="is no parquet file"):
        rows_of(str(tmp_path / "q.parquet"))


def test_a_byte_order_mark_and_blank_lines_are_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(f"\ufeff{json.dumps(GOOD)}\r\n\r\n{json.dumps(GOOD)}", encoding="utf-8")
    assert rows_of(str(tmp_path / "q.jsonl")) == [GOOD, GOOD]


@dataclass(frozen=True)
class Row:
    number: int
    level: int | None = None


def test_what_is_wrong_with_a_row_is_told_with_its_number() -> None:
    def read(number: int, row: Mapping[str, Any]) -> Row:
        if row["n"] < 0:
            raise ValueError("n is no count.")
        return Row(number)

    assert list(each_of("q", [{"n": 3}, {"n": 0}], read)) == [Row(1), Row(2)]
    with pytest.raises(InvalidParameters, match=r"^q, row 2: n is no count\.$"):
        list(each_of("q", [{"n": 3}, {"n": -1}], read))


def test_rows_are_those_of_their_level() -> None:
    rows = UserRows.of("q", "question", [Row(1), Row(2, 7), Row(3, 2), Row(4, 7)])
    assert rows.at(7) == [Row(2, 7), Row(4, 7)]
    assert rows.at(None) == rows.rows
    with pytest.raises(InvalidParameters, match=r"^No question in 'q' has the difficulty 3; there are 2, 7\.$"):
        rows.at(3)


def test_without_difficulties_every_level_has_all() -> None:
    rows = UserRows.of("q", "question", [Row(1), Row(2)])
    assert [len(rows.at(level)) for level in (None, 1, 10)] == [2, 2, 2]


def test_no_rows_are_no_file_of_anything() -> None:
    with pytest.raises(InvalidParameters, match=r"^There are no questions in 'q'\.$"):
        UserRows.of("q", "question", [])
