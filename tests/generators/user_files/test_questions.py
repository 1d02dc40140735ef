"""Questions from files: every row as it stands, or an error that says which row and why."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.files import MAX_CHARS, digest_of
from envhub.generators.user_files.questions import Question, questions

GOOD = {"prompt": "What is 6 times 7?", "answer": "42"}


def write(path: Path, *rows: Any) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def read(path: str, **columns: str) -> Any:
    return questions(path, digest_of(path), **columns)


def refused(path: str, **columns: str) -> str:
    with pytest.raises(InvalidParameters) as caught:
        read(path, **columns)
    return str(caught.value)


def test_a_row_is_read_as_it_stands(tmp_path: Path) -> None:
    whole = {**GOOD, "kind": "integer", "options": {"of": 1, "no": None}, "difficulty": 7, "source": "mine"}
    file = read(write(tmp_path / "q.jsonl", GOOD, whole, {**GOOD, "kind": "", "options": "", "difficulty": 2.0}))
    assert list(file.rows) == [
        Question(1, GOOD["prompt"], "42", None, None, None),
        Question(2, GOOD["prompt"], "42", "integer", {"of": 1}, 7),
        Question(3, GOOD["prompt"], "42", None, None, 2),
    ]
    assert file.at(None) == file.rows
    assert file.at(7) == [file.rows[1]]


def test_columns_have_the_names_that_are_given(tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", {"q": "1?", "a": "2", "prompt": "no", "answer": "no"})
    assert [(row.text, row.gold) for row in read(path, question="q", gold="a").rows] == [("1?", "2")]
    assert [(row.text, row.gold) for row in read(path).rows] == [("no", "no")]


@pytest.mark.parametrize(
    ("value", "gold"),
    [
        ("1/2", "1/2"),
        (42, "42"),
        (0.5, "0.5"),
        ([1, 2], "[1, 2]"),
        (True, "true"),
        (10**30, "1" + "0" * 30),
        ("é", "é"),
    ],
)
def test_a_gold_is_text_or_what_json_writes(value: Any, gold: str, tmp_path: Path) -> None:
    assert read(write(tmp_path / "q.jsonl", {**GOOD, "answer": value})).rows[0].gold == gold


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"prompt": None}, "it has no 'prompt'; there are prompt, answer."),
        ({"answer": None}, "it has no 'answer'"),
        ({"prompt": 7}, "a question is text that is not empty, got '7'"),
        ({"prompt": " \n"}, "a question is text that is not empty"),
        ({"prompt": [{"role": "user", "content": "x"}]}, "a question is text"),
        ({"prompt": "x" * (MAX_CHARS + 1)}, "more than 60000 characters"),
        ({"prompt": "\ud800"}, "what UTF-8 has no form for"),
        ({"answer": {"a": 1}}, "a gold answer is text, a number or a list of them"),
        ({"answer": float("nan")}, "a gold answer is text, a number"),
        ({"answer": float("inf")}, "a gold answer is text, a number"),
        ({"kind": 3}, "kind is text, got 3"),
        ({"options": "{"}, "options are not JSON"),
        ({"options": [1]}, "options are an object"),
        ({"options": "[1]"}, "options are an object"),
        ({"difficulty": 0}, "a difficulty is an integer 1..10, got 0"),
        ({"difficulty": 2.5}, "a difficulty is an integer 1..10, got 2.5"),
        ({"difficulty": True}, "a difficulty is an integer 1..10, got True"),
        ({"difficulty": "3"}, "a difficulty is an integer 1..10, got '3'"),
        ({"difficulty": float("nan")}, "a difficulty is an integer 1..10, got nan"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_its_number(row: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", GOOD, {**GOOD, **row}, GOOD)
    message = refused(path)
    assert message.startswith(f"{path}, row 2: ")
    assert said in message


def test_a_row_without_columns_is_told(tmp_path: Path) -> None:
    assert refused(write(tmp_path / "q.jsonl", {})).endswith("row 1: it has no 'prompt'; there are no columns.")
    assert refused(write(tmp_path / "none.jsonl")).startswith("There are no questions in")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["prompt", "answer", "kind", "options", "difficulty", "other"])


@given(st.lists(st.dictionaries(NAMES, JSON_VALUES, max_size=6) | JSON_VALUES, max_size=4))
def test_any_rows_are_questions_or_refused(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    write(path, *rows)
    try:
        file = questions(str(path), sha256(path.read_bytes()).hexdigest())
    except InvalidParameters:
        return
    assert len(file.rows) == len(rows)
    for row in file.rows:
        assert isinstance(row.text, str)
        assert isinstance(row.gold, str)
        assert row.level is None or row.level in range(1, 11)
