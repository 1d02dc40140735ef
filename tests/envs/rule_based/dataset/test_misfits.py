"""dataset-v0 says what is wrong with its file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import envhub
from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.seeding import Stream
from envhub.registry.registry import lacking, self_contained, spec
from tests.envs.rule_based.dataset.questions import Row, typed, write


def test_without_a_file_it_says_how(few: str) -> None:
    with pytest.raises(InvalidParameters, match=r'make\("dataset-v0", path="questions.jsonl"\)'):
        envhub.make("dataset-v0")
    with pytest.raises(InvalidParameters, match="path="):
        envhub.make("dataset-v0", path="")
    assert not self_contained("dataset-v0")
    assert self_contained("arithmetic-v0")
    assert lacking(spec("dataset-v0"), {"path": few}) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"path": "nothing.jsonl"}, r"'nothing.jsonl' cannot be read: No such file or directory\.$"),
        ({"question": "promt"}, r"row 1: it has no 'promt'; there are prompt, answer\. Did you mean 'prompt'\?$"),
        ({"gold": "solution"}, "row 1: it has no 'solution'"),
        ({"kind": "intger"}, r"Did you mean 'integer'\?$"),
        ({"kind": "integer", "options": {"of": "set"}}, "no option 'of'"),
        ({"digest": "00" * 32}, "SHA-256 0000000000000000..., and it has changed since"),
        ({"level": 11}, "level: Input should be less than or equal to 10"),
    ],
)
def test_what_does_not_fit_is_told_when_it_is_made(few: str, settings: Row, said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        envhub.make("dataset-v0", **{"path": few, **settings})
    assert envhub.make("dataset-v0", path=few).reset(seed=1)


def test_a_level_without_questions_is_told() -> None:
    rows = [{"prompt": f"{n}?", "answer": n, "difficulty": 1 + n % 2} for n in range(60)]
    path = write(Path("q.jsonl"), rows)
    with pytest.raises(InvalidParameters, match=r"has the difficulty 3; there are 1, 2\."):
        envhub.make("dataset-v0", path=path)
    assert envhub.make("dataset-v0", path=path, difficulty=2).reset(seed=1)


def test_a_gold_that_is_not_of_its_kind_is_told_with_its_row() -> None:
    rows = [{"prompt": f"{n}?", "answer": "seven", "kind": "interval"} for n in range(40)]
    env = envhub.make("dataset-v0", path=write(Path("q.jsonl"), rows))
    with pytest.raises(
        InvalidParameters, match=r"^q.jsonl, row [0-9]+: The gold answer 'seven' cannot be read as interval"
    ):
        env.reset(seed=1)


def test_a_file_that_has_changed_is_told(few: str) -> None:
    env = envhub.make("dataset-v0", path=few)
    env.reset(seed=1)
    right = env.solve()
    assert envhub.verify(env.task, right).solved
    Path(few).write_text(Path(few).read_text().replace("times 2", "times 3"))
    with pytest.raises(InvalidParameters, match="it has changed since"):
        envhub.verify(env.task, right)
    with pytest.raises(InvalidParameters, match="it has changed since"):
        env.reset(seed=2)
    Path(few).unlink()
    with pytest.raises(InvalidParameters, match="it is not there"):
        envhub.verify(env.task, right)


def test_parquet_is_read_and_without_pyarrow_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    rows = typed(Stream(b"tests", "parquet"), {1: 30, 2: 30})
    for row in rows:
        row["answer"] = str(row["answer"])
        row["options"] = json.dumps(row["options"]) if isinstance(row.get("options"), dict) else row.get("options")
    parquet.write_table(pyarrow.Table.from_pylist(rows), "q.parquet")
    lines = envhub.make("dataset-v0", path=write(Path("q.jsonl"), rows), difficulty=2)
    table = envhub.make("dataset-v0", path="q.parquet", difficulty=2)
    for seed in range(20):
        table.reset(seed=seed)
        assert table.step(table.solve())[1] == 1.0
    drawn = [{env.reset(seed=seed)[0].partition("\n")[0] for seed in range(200)} for env in (lines, table)]
    assert drawn[0] == drawn[1]
    parquet.write_table(pyarrow.Table.from_pylist(rows[:9]), "other.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'envhub\[data\]'"):
        envhub.make("dataset-v0", path="other.parquet", difficulty=1)
