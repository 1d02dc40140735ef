"""search-dataset-v0: a corpus and questions from files keep the contract, and what is wrong with the files is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.audit import CHECKS, Subject
from envhub.authoring import write_call
from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.seeding import Stream
from envhub.generators.retrieval import states
from envhub.generators.worlds.corpus import index_of, recipe, world_of
from envhub.generators.worlds.questions import draw_question
from envhub.registry.registry import lacking, register, self_contained, spec, unregister

ID = "my-search-v0"
Row = dict[str, Any]
PAGES: list[Row] = [
    {"id": "a", "title": "Harbours", "text": "The harbour of Northport was built in 1871. " * 400, "year": 2001},
    {"id": "b", "text": "Northport is the twin town of Southport."},
]
ASKED: list[Row] = [
    {"question": "When was the harbour of the twin of Southport built?", "answer": 1871, "documents": ["b", ["a"]]}
]


def write(name: str, rows: list[Row]) -> str:
    Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return name


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files have short names, the same in every run: a task depends on the name."""
    monkeypatch.chdir(tmp_path)


def files(pages: list[Row] = PAGES, asked: list[Row] = ASKED) -> dict[str, Any]:
    return {"corpus": write("pages.jsonl", pages), "questions": write("asked.jsonl", asked)}


def begun(pages: list[Row] = PAGES, asked: list[Row] = ASKED, **settings: Any) -> envhub.Env:
    for split in ("train", "validation", "test"):
        env = envhub.make("search-dataset-v0", split=split, **files(pages, asked), **settings)
        try:
            env.reset(seed=1)
        except envhub.core.errors.SplitExhausted:
            continue
        return env
    raise AssertionError("in no split")


@cache
def about_a_world() -> tuple[list[Row], list[Row]]:
    """Documents of a world, and some hundred questions of every level about it; more where seeds are asked to differ."""
    rng = Stream(b"own", "corpus")
    made = recipe(rng, 60, 4)
    documents = index_of(*made).documents
    pages = [{"id": d.id, "title": d.title, "text": d.text, "year": d.year} for d in documents]
    asked: list[Row] = []
    for level in range(1, 11):
        drawn = (draw_question(rng, world_of(*made), level) for _ in range(6000 if level in (1, 6) else 1500))
        found = [question for question in drawn if question and len(question.facts) == level]
        for question in {question.text: question for question in found[:2000]}.values():
            needed = [states(documents, fact) for fact in question.facts]
            row = {"question": question.text, "answer": list(question.answers), "documents": needed}
            asked.append({**row, "difficulty": level})
    return pages, asked


@pytest.fixture
def registered() -> Iterator[str]:
    """An environment about a world in files."""
    register(ID, "envhub.envs.search.own_corpus:OwnCorpus", params=files(*about_a_world()))
    yield ID
    unregister(ID)


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_keeps_the_contract(registered: str, check: Callable[[Subject], None]) -> None:
    check(Subject(registered))


def test_the_tools_show_the_files() -> None:
    env = begun()
    assert "[a] (2001) Harbours: The harbour of Northport" in env.step(write_call("search", query="harbour"))[0]
    first = env.step(write_call("open", doc="a"))[0]
    assert first.startswith("[a] (2001) Harbours (page 1 of 3)\n")
    assert "(page 3 of 3)" in env.step(write_call("open", doc="a", page=3))[0]
    assert "the pages of a are 1 to 3" in env.step(write_call("open", doc="a", page=4))[0]
    assert "[b]: 1 time" in env.step(write_call("find", text="twin TOWN"))[0]
    env.step(write_call("open", doc="b"))
    _, reward, _, _, info = env.step(write_call("submit", answer=1871, documents=["a", "b"]))
    assert reward == 1.0
    assert (info["verdict"]["components"]["retrieval"], info["verdict"]["components"]["cited"]) == (1.0, 1.0)


def test_without_documents_in_the_row_nothing_is_said_about_them() -> None:
    env = begun(asked=[{"question": "Which town?", "answer": ["Northport", "the port"]}])
    assert env.step(env.solve())[1] == 1.0
    assert env.episode.turns[-1].verdict.components["retrieval"] == 0.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("pages", "asked", "said"),
    [
        ([{"id": "a"}], ASKED, "pages.jsonl, row 1: text is text that is not empty"),
        ([PAGES[0], PAGES[0]], ASKED, "row 2: the id 'a' appears twice"),
        ([{**PAGES[0], "id": "[a]"}], ASKED, "no brackets"),
        ([{**PAGES[0], "year": "2001"}], ASKED, "a year is an integer"),
        (PAGES, [{"question": "Who?"}], "asked.jsonl, row 1: an answer is text"),
        (PAGES, [{"question": "Who?", "answer": []}], "it has no answer"),
        (PAGES, [{"question": "Who?", "answer": "x" * 201}], "200 characters at most"),
        (PAGES, [{"question": "Who?", "answer": "x", "documents": ["c"]}], "there is no document 'c'"),
        (PAGES, [{"question": "Who?", "answer": "x", "documents": [[]]}], "names one at least"),
        (PAGES, [{"question": "Who?", "answer": "x", "difficulty": 11}], "a difficulty is an integer 1..10"),
        ([], ASKED, "no documents in"),
        (PAGES, [], "no questions in"),
    ],
)
def test_what_is_wrong_with_the_files_is_said(pages: list[Row], asked: list[Row], said: str) -> None:
    with pytest.raises(InvalidParameters, match=said.replace("[", r"\[")):
        envhub.make("search-dataset-v0", **files(pages, asked))


def test_an_answer_without_a_word_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="no word in it"):
        begun(asked=[{"question": "Who?", "answer": "..."}])


def test_a_level_without_questions_is_refused_and_without_levels_all_are_one() -> None:
    with pytest.raises(InvalidParameters, match="difficulty 2"):
        envhub.make("search-dataset-v0", difficulty=2, **files(asked=[{**ASKED[0], "difficulty": 3}]))
    assert begun(difficulty=7).task.problem["documents"] == 2


def test_a_file_that_has_changed_is_refused() -> None:
    env = begun()
    snapshot = env.snapshot()
    write("pages.jsonl", PAGES[:1])
    with pytest.raises(InvalidParameters, match="it has changed since"):
        envhub.restore(snapshot).step(write_call("open", doc="a"))


def test_parquet_is_the_same() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{**row, "title": row.get("title", ""), "year": row.get("year")} for row in PAGES]
    parquet.write_table(pyarrow.Table.from_pylist(rows), "pages.parquet")
    env = envhub.make("search-dataset-v0", **{**files(), "corpus": "pages.parquet"})
    assert env.environment.files == ("corpus", "questions")


def test_it_is_not_played_without_its_files() -> None:
    assert not self_contained("search-dataset-v0")
    assert "corpus=" in str(lacking(spec("search-dataset-v0")))
    with pytest.raises((InvalidParameters, MissingExtra)):
        envhub.make("search-dataset-v0")
