"""Files of responses: those that do not fit the tasks are refused, and long ones are read as they are judged."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.dataset import files, generate, grading, judge_file
from envhub.dataset.grading import Judged
from tests.dataset.workshop import config, judged, right, write_lines


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["x", "x"], r"r\.jsonl ends after 2 lines, and .*tasks\.jsonl has more rows"),
        ([], "ends after 0 lines"),
        (["x"] * 4, r"r\.jsonl has more lines than .*tasks\.jsonl has rows, which is 3"),
        (["x", {"response": "x", "index": 2}, "x"], "line 2 is for row 2 and stands beside row 1"),
        (["x", {"response": "x", "index": "1"}, "x"], "line 2 is for row '1'"),
        (["x", {"text": "x"}, "x"], "line 2 has no response; it has text"),
        (["x", {}, "x"], "line 2 has no response; it has nothing"),
        (["x", {"responses": "x"}, "x"], "line 2: responses are a list, got str"),
        (["x", {"response": 5}, "x"], "line 2: a response is text"),
        (["x", {"response": ["x", 5]}, "x"], "line 2: a response is text"),
        (["x", {"response": {"a": "b"}}, "x"], "line 2: a response is text"),
        (["x", {"responses": [["x"], [None]]}, "x"], "line 2: a response is text"),
        (["x", math.nan, "x"], "line 2: a response is text"),
    ],
)
def test_responses_that_do_not_fit_are_told(lines: list[Any], says: str, small: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=says):
        judged(small, write_lines(tmp_path / "r.jsonl", lines))


def test_a_line_that_is_not_json_is_told_by_its_number(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'"x"\r\n"x"\r\n{"response": \r\n')
    with pytest.raises(InvalidParameters, match=r"r\.jsonl, line 3, is not JSON"):
        judged(small, path)
    path.write_bytes(b'"x"\r\n"x"\r\n"x"')
    assert judged(small, path)[0].total.responses == 3


def test_the_index_of_a_row_is_its_own(small: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    part.write_text("".join(small.read_text().splitlines(keepends=True)[1:]))
    given = right(part)
    lines = [{"response": given[0], "index": 1}, {"response": given[1], "index": 2}]
    assert judged(part, write_lines(tmp_path / "r.jsonl", lines))[0].total.mean == 1.0
    with pytest.raises(InvalidParameters, match="is for row 0 and stands beside row 1"):
        judged(part, write_lines(tmp_path / "r.jsonl", [{"response": "x", "index": 0}] * 2))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "has no rows"),
        (b'{"question": "?", "answer": "42"}\n', "row 1, is not a row that envhub generate writes"),
        (b'{"ground_truth": "{}", "fingerprint": "a", "env_id": "b", "difficulty": [1]}\n', "row 1, is not a row"),
        (b"{\n", "line 1, is not JSON"),
    ],
)
def test_tasks_that_are_none_are_told(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(content)
    (tmp_path / "r.jsonl").write_text('"x"\n')
    with pytest.raises(InvalidParameters, match=says):
        judged(tmp_path / "t.jsonl", tmp_path / "r.jsonl")


def test_a_number_of_processes_is_positive(small: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="processes is a positive integer"):
        judged(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=-1)


# -- any size ----------------------------------------------------------------------------------------------------------


def counting(monkeypatch: pytest.MonkeyPatch, lines: int, length: int = 1) -> list[int]:
    """Endless files: so many rows and responses, counted as they are read."""
    row = {"ground_truth": "{}", "fingerprint": "ab", "env_id": "toy-v0", "difficulty": 1}
    consumed = [0]

    def tasks(path: Path) -> Iterator[Any]:
        for _ in range(lines):
            consumed[0] += 1
            yield row

    def responses(path: Path) -> Iterator[Any]:
        for _ in range(lines):
            yield "x" * length

    monkeypatch.setattr(grading, "rows", tasks)
    monkeypatch.setattr(grading, "json_lines", responses)
    return consumed


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "bound"), [(1, 256), (2, 256 * 6)])
def test_no_more_is_read_than_is_soon_judged(
    processes: int, bound: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines, most, done = 20_000, 0, 0
    consumed = counting(monkeypatch, lines)

    def note(one: Judged) -> None:
        nonlocal most, done
        most = max(most, consumed[0] - done)
        done += 1

    report = judge_file(tmp_path / "t", tmp_path / "r", processes=processes, on_verdict=note)
    assert report.total.responses == report.total.errors == done == lines
    assert most <= bound
    assert report.reasons == {"unjudgeable": lines}


def test_of_long_responses_fewer_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    consumed, most = counting(monkeypatch, 60, 1 << 20), 0

    def note(one: Judged) -> None:
        nonlocal most
        most = max(most, consumed[0] - one.row)

    judge_file(tmp_path / "t", tmp_path / "r", processes=1, on_verdict=note)
    assert most == 4


def test_a_table_is_read_a_piece_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    generate(config(rows=5), tmp_path / "t.parquet", processes=1)
    sizes = []
    real = pyarrow.parquet.ParquetFile.iter_batches

    def noting(self: Any, batch_size: int) -> Any:
        sizes.append(batch_size)
        return real(self, batch_size=batch_size)

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", noting)
    assert len(list(files.rows(tmp_path / "t.parquet"))) == 5
    assert sizes == [1024]


@pytest.mark.slow
def test_stopped_while_judging_it_stops(small: Path, tmp_path: Path) -> None:
    def stop(one: Judged) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge_file(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=2, on_verdict=stop)


@pytest.mark.slow
def test_a_worker_that_was_killed_is_told(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    def broken(*_: Any) -> Future[Any]:
        lost: Future[Any] = Future()
        lost.set_exception(BrokenProcessPool())
        return lost

    monkeypatch.setattr(ProcessPoolExecutor, "submit", broken)
    with pytest.raises(EnvhubError, match="A process that judged was ended from outside"):
        judged(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=2)
    with pytest.raises(EnvhubError, match=r"A process that drew tasks was ended from outside.*What is written is kept"):
        generate(config(rows=3), tmp_path / "u.jsonl", processes=2)
