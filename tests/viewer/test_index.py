"""The index: what it keeps, what it reads again, and what it finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters
from envhub.viewer.index import Index, Names
from envhub.viewer.search import Filter, containing, peers, selected
from envhub.viewer.sources import files_of
from tests.viewer.files import CHAT, EXPORTED, TRAINED, attempt, write

HEAD = {"config": {}, "digest": "d", "player": "p"}
ATTEMPTS = [attempt(number, tried, solved=tried > number % 2) for number in range(5) for tried in range(3)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index.of(
        [write(tmp_path / "attempts.jsonl", HEAD, *ATTEMPTS), write(tmp_path / "more.jsonl", EXPORTED)], tmp_path
    )


def test_an_episode_is_read_from_its_place(index: Index) -> None:
    assert len(index) == 16
    assert index.trajectory(4).messages[0]["content"] == "What is 1 + 1?"
    assert index.facts(15)["env"] == "guess-number-v0"


def test_a_stored_index_is_used_and_grows_with_its_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", attempt(0))
    Index.of([path], tmp_path)
    text = path.read_text()
    path.write_text(text.replace("What", "WHAT"))  # the same length: as if it were the same
    with path.open("a") as file:
        file.write(json.dumps(attempt(1)) + "\n" + json.dumps(attempt(2))[:20])  # the last one is still being written
    index = Index.of([path], tmp_path)
    assert [index.facts(number)["level"] for number in range(len(index))] == [3, 3]
    with path.open("a") as file:
        file.write(json.dumps(attempt(2))[20:] + "\n")
    assert len(Index.of([path], tmp_path)) == 3


def test_another_file_under_the_name_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", attempt(0), attempt(1))
    Index.of([path], tmp_path)
    path.unlink()
    write(path, *[attempt(number, solved=True) for number in range(9)])
    index = Index.of([path], tmp_path)
    assert (len(index), index.facts(0)["outcome"]) == (9, "solved")


def test_reasons_and_lengths_select(tmp_path: Path) -> None:
    lines = [attempt(0, why="timeout: 5 s\nmore"), attempt(1, why="timeout: 5 s"), attempt(12345, why="quota")]
    path = write(tmp_path / "a.jsonl", attempt(0), *lines)
    for _ in range(2):  # read from the file, then from the store
        index = Index.of([path], tmp_path)
        assert index.reasons == ["", "timeout: 5 s", "quota"]
        assert list(selected(index, Filter(reason="timeout: 5 s"))) == [1, 2]
        chars = index.facts(0)["chars"]
        assert list(selected(index, Filter(longest=chars))) == [0, 1, 2]
        assert list(selected(index, Filter(shortest=chars + 1))) == [3]
    with pytest.raises(InvalidParameters, match="quota"):
        selected(index, Filter(reason="quoat"))


def test_reasons_that_are_all_different_do_not_fill_the_memory() -> None:
    names = Names(most=2)
    assert [names.number(text) for text in ("a", "b", "c", "d", "a", "x" * 99)] == [0, 1, 2, 2, 0, 2]
    assert list(names) == ["a", "b", "other"]


@pytest.mark.parametrize("damage", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_a_damaged_store_is_built_again(tmp_path: Path, damage: bytes) -> None:
    path = write(tmp_path / "a.jsonl", attempt(0))
    Index.of([path], tmp_path)
    (stored,) = tmp_path.glob("*.npz")
    stored.write_bytes(damage)
    assert len(Index.of([path], tmp_path)) == 1


def test_a_file_that_changed_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", attempt(0))
    index = Index.of([path], tmp_path)
    write(path, ["something else"])
    with pytest.raises(InvalidParameters, match="has changed"):
        index.trajectory(0)


def test_filters(index: Index) -> None:
    def count(**wanted: object) -> int:
        return len(selected(index, Filter(**wanted)))  # type: ignore[arg-type]

    solved = sum(line["solved"] for line in ATTEMPTS)
    assert count() == 16
    assert count(outcome="solved") == solved
    assert count(env="guess-number-v0") == count(level=2) == 1
    assert count(least=0.25, most=0.75) == 1
    assert count(env="arithmetic-v0", outcome="failed") == 15 - solved
    assert count(abuse=True) == 0
    first = selected(index, Filter(order="reward"))[:solved]
    assert all(index.facts(int(number))["reward"] == 1 for number in first)
    with pytest.raises(InvalidParameters, match="arithmetic-v0"):
        count(env="arithmetik-v0")
    with pytest.raises(InvalidParameters, match="There are: file"):
        count(order="size")


def test_texts_are_found_and_the_search_goes_on(index: Index) -> None:
    everything = selected(index, Filter())
    assert containing(index, everything, "what IS 3").numbers == [9, 10, 11]
    part = containing(index, everything, "what is", most=4)
    assert part.numbers == [0, 1, 2, 3]
    assert part.next == 4
    rest = containing(index, everything, "what is", start=part.next)
    assert (len(rest.numbers), rest.next) == (11, None)
    assert containing(index, everything, "nowhere").numbers == []


@pytest.mark.parametrize("text", ["Größe", '"quoted"', "line\nbreak", "\\"])
def test_texts_are_found_however_they_are_escaped(tmp_path: Path, text: str) -> None:
    plain, escaped = ({"messages": [{"role": "user", "content": f"a {text} b"}]} for _ in range(2))
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(plain, ensure_ascii=False) + "\n" + json.dumps(escaped) + "\n")
    index = Index.of([path], tmp_path)
    assert containing(index, selected(index, Filter()), text).numbers == [0, 1]


def test_peers_are_attempts_at_the_same_task(index: Index) -> None:
    assert peers(index, 4) == [5, 3, 4]  # the solved one first
    assert peers(index, 15) == [15]


def test_files_of_folders(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "logs").mkdir()
    attempts = write(tmp_path / "results" / "attempts.jsonl", attempt())
    write(tmp_path / "results" / "tasks.jsonl", {"prompt": "not episodes"})
    logs = write(tmp_path / "logs" / "chat.jsonl", CHAT)
    assert files_of([tmp_path / "results"], tmp_path) == [attempts]
    assert files_of([tmp_path / "logs", logs], tmp_path) == [logs]
    with pytest.raises(InvalidParameters, match="does not exist"):
        files_of([tmp_path / "nowhere"], tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidParameters, match="neither a run nor episodes"):
        files_of([tmp_path / "empty"], tmp_path)


def test_a_file_without_episodes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="Expected JSON lines"):
        Index.of([write(tmp_path / "a.jsonl", HEAD, 3, [])], tmp_path)


def test_tokens_of_a_training_run_are_kept(tmp_path: Path) -> None:
    index = Index.of([write(tmp_path / "episodes.jsonl", TRAINED)], tmp_path)
    assert index.trajectory(0).rows[0][1]["advantages"] == [0.7]
