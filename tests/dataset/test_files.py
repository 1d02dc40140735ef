"""The files of a dataset: their names, who may write them, and that nobody's file is lost."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.dataset import OutputExists, files as module, generate
from envhub.dataset.files import Files, json_lines, rows, whole_lines
from tests.dataset.workshop import config, read, stop_at

MINE = b'{"name": "my-project", "splits": 3}\n'


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# -- names -------------------------------------------------------------------------------------------------------------


def test_one_split_has_the_name_asked_for_and_several_have_their_own(tmp_path: Path) -> None:
    generate(config(rows=2), tmp_path / "a.v1.jsonl", processes=1)
    generate(config(splits={"train": 2, "test": 2}), tmp_path / "b.parquet", processes=1)
    assert names(tmp_path) == {"a.v1.jsonl", "a.v1.card.md", "b.train.parquet", "b.test.parquet", "b.card.md"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("t.json", r"\.jsonl or \.parquet, got 't\.json'\. Did you mean '\.jsonl'"),
        ("t.JSONL", "got 't.JSONL'"),
        ("t", "got 't'"),
        (".jsonl", "got '.jsonl'"),
        ("nowhere/t.jsonl", "There is no folder .*nowhere"),
    ],
)
def test_a_name_that_says_nothing_is_refused(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=says):
        generate(config(rows=2), tmp_path / name, processes=1)
    assert names(tmp_path) == set()


def test_a_name_of_any_bytes_will_do(tmp_path: Path) -> None:
    out = tmp_path / os.fsdecode(b"caf\xe9 \xe2\x80\xa8.jsonl")
    written = generate(config(rows=2), out, processes=1)
    assert out.exists()
    assert written.card.read_text().startswith("---\n")


# -- nobody's file is lost ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.part", "t.card.md"])
def test_what_is_there_is_kept_unless_it_may_be_overwritten(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(MINE)
    with pytest.raises(OutputExists, match=rf"{name} already exists; choose another name or pass --overwrite"):
        generate(config(rows=2), tmp_path / "t.jsonl", processes=1)
    assert (tmp_path / name).read_bytes() == MINE
    assert names(tmp_path) == {name}
    generate(config(rows=2), tmp_path / "t.jsonl", processes=1, overwrite=True)
    assert names(tmp_path) == {"t.jsonl", "t.card.md"}
    assert len(read(tmp_path / "t.jsonl")) == 2


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_the_command_of_a_finished_dataset_finds_it_finished(name: str, tmp_path: Path) -> None:
    first = generate(config(rows=2), tmp_path / name, processes=1)
    before = (tmp_path / name).stat()
    again = generate(config(rows=2), tmp_path / name, processes=1)
    assert (again.resumed, again.counts, again.files) == (2, first.counts, first.files)
    assert (tmp_path / name).stat() == before
    assert names(tmp_path) == {name, "t.card.md"}


@pytest.mark.parametrize("change", ["another configuration", "another file", "another card"])
def test_a_finished_dataset_is_kept_from_any_other_command(change: str, tmp_path: Path) -> None:
    generate(config(rows=2), tmp_path / "t.jsonl", processes=1)
    if change == "another file":
        (tmp_path / "t.jsonl").write_bytes((tmp_path / "t.jsonl").read_bytes() * 2)
    elif change == "another card":
        (tmp_path / "t.card.md").write_bytes(MINE)
    before = (tmp_path / "t.jsonl").read_bytes()
    with pytest.raises(OutputExists, match=r"t\.jsonl, .*t\.card\.md already exists"):
        generate(config(rows=3 if change == "another configuration" else 2), tmp_path / "t.jsonl", processes=1)
    assert (tmp_path / "t.jsonl").read_bytes() == before
    assert names(tmp_path) == {"t.jsonl", "t.card.md"}


def test_a_command_that_failed_before_its_first_row_does_not_block_the_corrected_one(tmp_path: Path) -> None:
    (tmp_path / "t.config.json").write_text(json.dumps(config("countdown-v0", rows=2).to_json()))
    assert len(read(generate(config(rows=2), tmp_path / "t.jsonl", processes=1).files["train"])) == 2
    assert names(tmp_path) == {"t.jsonl", "t.card.md"}


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    "content", [MINE, b"[1, 2]", b"not JSON", b"\xff", b"\n", b"[" * 100_000, b'{"environments": []}']
)
def test_a_foreign_file_named_like_the_configuration_is_kept(content: bytes, overwrite: bool, tmp_path: Path) -> None:
    (tmp_path / "t.config.json").write_bytes(content)
    (tmp_path / "t.jsonl").write_bytes(MINE)
    with pytest.raises(
        OutputExists, match=r"t\.config\.json is not the configuration of a dataset.*choose another --out"
    ):
        generate(config(rows=2), tmp_path / "t.jsonl", processes=1, overwrite=overwrite)
    assert (tmp_path / "t.config.json").read_bytes() == content
    assert (tmp_path / "t.jsonl").read_bytes() == MINE
    assert names(tmp_path) == {"t.config.json", "t.jsonl"}


def test_a_configuration_that_was_claimed_and_never_written_blocks_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.config.json").touch()
    generate(config(rows=2), tmp_path / "t.jsonl", processes=1)
    assert names(tmp_path) == {"t.jsonl", "t.card.md"}


def test_another_kind_of_file_of_the_same_name_keeps_its_card(tmp_path: Path) -> None:
    generate(config(rows=2), tmp_path / "t.jsonl", processes=1)
    with pytest.raises(OutputExists, match=r"t\.card\.md already exists"):
        generate(config(rows=2), tmp_path / "t.parquet", processes=1)


def test_a_link_is_written_through_a_folder_and_never_followed_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    generate(config(rows=2), tmp_path / "link" / "t.jsonl", processes=1)
    assert names(tmp_path / "real") == {"t.jsonl", "t.card.md"}
    (tmp_path / "mine.jsonl").write_bytes(MINE)
    (tmp_path / "u.jsonl").symlink_to(tmp_path / "mine.jsonl")
    with pytest.raises(OutputExists, match=r"u\.jsonl already exists"):
        generate(config(rows=2), tmp_path / "u.jsonl", processes=1)
    generate(config(rows=2), tmp_path / "u.jsonl", processes=1, overwrite=True)
    assert (tmp_path / "mine.jsonl").read_bytes() == MINE
    assert len(read(tmp_path / "u.jsonl")) == 2


def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").mkdir()
    with pytest.raises(OutputExists, match="already exists"):
        generate(config(rows=2), tmp_path / "t.jsonl", processes=1)
    with pytest.raises(EnvhubError, match=r"t\.jsonl cannot be written: .*directory"):
        generate(config(rows=2), tmp_path / "t.jsonl", processes=1, overwrite=True)
    (tmp_path / "u.config.json").mkdir()
    with pytest.raises(EnvhubError, match=r"u\.jsonl cannot be written: .*directory"):
        generate(config(rows=2), tmp_path / "u.jsonl", processes=1)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "t.config.json")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(EnvhubError, match=r"t\.jsonl cannot be written: .*Permission denied"):
        generate(config(rows=2), tmp_path / "t.jsonl", processes=1)


def test_a_full_disk_is_told_and_what_was_written_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(EnvhubError, match=r"t\.jsonl cannot be written: .*No space left"):
            generate(config(rows=5), tmp_path / "t.jsonl", processes=1)
    assert generate(config(rows=5), tmp_path / "t.jsonl", processes=1).resumed == 5


# -- who may write -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_second_writer_is_refused(overwrite: bool, tmp_path: Path) -> None:
    out, refused = tmp_path / "t.jsonl", []

    def interfere(split: str, row: int, total: int) -> None:
        with pytest.raises(OutputExists, match=r"t\.jsonl is being written by another process"):
            generate(config(rows=5), out, processes=1, overwrite=overwrite)
        refused.append(row)

    generate(config(rows=5), out, processes=1, on_row=interfere)
    assert refused == [1, 2, 3, 4, 5]
    assert len(read(out)) == 5


def test_a_configuration_that_its_writer_removed_meanwhile_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking the file, who held the lock finishes; what is locked then has no name any more."""
    out, real = tmp_path / "t.jsonl", fcntl.flock
    done: list[int] = []

    def late(descriptor: int, how: int) -> None:
        if not done:
            done.append(1)
            generate(config(rows=5), tmp_path / "other.jsonl", processes=1)
            (tmp_path / "other.jsonl").rename(out)
            (tmp_path / "t.config.json").unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(OutputExists, match="already exists"):
        generate(config(rows=9), out, processes=1)
    assert len(read(out)) == 5
    assert "t.config.json" not in names(tmp_path)


def test_a_configuration_that_another_writer_put_in_its_place_is_respected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "t.config.json", fcntl.flock
    held: list[Any] = []

    def late(descriptor: int, how: int) -> None:
        if not held:
            path.unlink()
            held.append(path.open("wb"))
            real(held[0], fcntl.LOCK_EX)
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(OutputExists, match=r"t\.jsonl is being written by another process"):
        generate(config(rows=3), tmp_path / "t.jsonl", processes=1)
    held[0].close()
    assert generate(config(rows=3), tmp_path / "t.jsonl", processes=1).rows == 3


def test_the_lock_is_given_back_whatever_happens(tmp_path: Path) -> None:
    for row in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            generate(config(rows=5), tmp_path / "t.jsonl", processes=1, on_row=stop_at(row))
    assert generate(config(rows=5), tmp_path / "t.jsonl", processes=1).resumed == 2


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_blank_line_between_others_is_told_for_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n')
    with pytest.raises(InvalidParameters, match="line 2, is blank"):
        list(json_lines(path))
    path.write_text('{"a": 1}\n{"a": 2}\n\n\n')
    assert list(json_lines(path)) == [{"a": 1}, {"a": 2}]


def test_lines_are_those_of_line_feeds_alone(tmp_path: Path) -> None:
    values = [{"a": "x\u2028y\x85z\x0b\x0c"}, "\u2029", [1, None], "ünï"]
    path = tmp_path / "t.jsonl"
    text = "\n".join(json.dumps(value, ensure_ascii=False) for value in values)
    path.write_text(text, newline="")
    assert list(json_lines(path)) == values
    path.write_bytes(text.encode().replace(b"\n", b"\r\n") + b"\r\n \r\n")
    assert list(json_lines(path)) == values
    path.write_text(text, encoding="utf-8-sig")
    assert list(json_lines(path)) == values


def test_half_a_surrogate_pair_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"response": "\\ud800"}\n"\\ud83d\\ude00"\n')
    assert list(json_lines(path)) == [{"response": "\ud800"}, "\U0001f600"]


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"{}\n{}\n{\n", 3), (b"{} {}\n", 1), (b"\xff\n", 1), (b"[" * 10**6 + b"\n", 1), ('"ä"'.encode("utf-16"), 1)],
)
def test_a_line_that_is_not_json_is_told_by_its_number(content: bytes, line: int, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidParameters, match=rf"t\.jsonl, line {line}, is not JSON"):
        list(json_lines(path))


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_what_cannot_be_read_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="cannot be read"):
        list(rows(tmp_path / name))
    (tmp_path / name).mkdir()
    with pytest.raises(InvalidParameters, match="cannot be read"):
        list(rows(tmp_path / name))


def test_a_cut_line_is_taken_off_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.part"
    assert list(whole_lines(path)) == []
    path.write_bytes(b"a\nb\nc")
    assert list(whole_lines(path)) == [b"a\n", b"b\n"]
    assert path.read_bytes() == b"a\nb\n"
    assert list(whole_lines(path)) == [b"a\n", b"b\n"]


def test_a_table_of_more_than_one_group_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    monkeypatch.setattr(module, "_ROW_GROUP", 4)
    generate(config(rows=10), tmp_path / "t.parquet", processes=1)
    generate(config(rows=10), tmp_path / "u.jsonl", processes=1)
    table = pyarrow.parquet.ParquetFile(tmp_path / "t.parquet")
    assert (table.metadata.num_rows, table.num_row_groups) == (10, 3)
    assert read(tmp_path / "t.parquet") == read(tmp_path / "u.jsonl")


def test_the_files_of_a_split_are_beside_what_was_asked_for() -> None:
    files = Files(Path("t.x.jsonl"), ("train", "test"))
    assert [files.of("test"), files.part("test"), files.config, files.card] == [
        Path("t.x.test.jsonl"),
        Path("t.x.test.jsonl.part"),
        Path("t.x.config.json"),
        Path("t.x.card.md"),
    ]
