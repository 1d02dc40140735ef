"""Tasks of slow environments are drawn before they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.seeding import MAX_SEED
from envhub.envs.logic.sudoku.environment import Sudoku
from envhub.server.episodes.prefill import Prefill
from envhub.server.episodes.prefill_queue import TaskKind
from envhub.tasks import cache
from tests.server.serving import Api

pytestmark = pytest.mark.slow

SLOW = TaskKind("sudoku-v0", 4, "train", {})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ENVHUB_CACHE", str(tmp_path))
    yield tmp_path
    found = cache.default()
    assert found is not None
    found.close()


@pytest.fixture
def prefill(folder: Path) -> Iterator[Prefill]:
    made = Prefill(3)
    yield made
    made.close()


def forbid_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*args: Any) -> None:
        raise AssertionError("a task was drawn here")

    monkeypatch.setattr(Sudoku, "sample", drawn)


def test_whoever_names_no_seed_finds_tasks_ready(prefill: Prefill, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prefill.take(SLOW) is None
    prefill.note_request(SLOW, seed=None)
    prefill.settle()
    forbid_drawing(monkeypatch)
    seeds = [prefill.take(SLOW) for _ in range(4)]
    assert seeds[3] is None
    assert len(set(seeds)) == 4
    for seed in seeds[:3]:
        envhub.make("sudoku-v0", difficulty=4).reset(seed=seed)


def test_what_is_taken_is_replaced_and_no_more_is_held(prefill: Prefill) -> None:
    for _ in range(5):
        prefill.note_request(SLOW, seed=None)
    prefill.settle()
    first = {prefill.take(SLOW) for _ in range(2)}
    prefill.note_request(SLOW, seed=None)
    prefill.settle()
    rest = [prefill.take(SLOW) for _ in range(4)]
    assert rest[3] is None
    assert not first & set(rest)


def test_several_processes_share_the_work(folder: Path) -> None:
    prefill = Prefill(3, processes=2)
    prefill.note_request(SLOW, seed=None)
    assert len(prefill._threads) == 2
    prefill.settle()
    assert len({prefill.take(SLOW) for _ in range(4)} - {None}) == 3
    prefill.close()


def test_kinds_are_kept_apart(prefill: Prefill) -> None:
    prefill.note_request(SLOW, seed=None)
    prefill.settle()
    for other in (
        TaskKind("sudoku-v0", 3, "train", {}),
        TaskKind("sudoku-v0", 4, "test", {}),
        TaskKind("sudoku-v0", 4, "train", {"clues": 9}),
    ):
        assert prefill.take(other) is None
    assert prefill.take(TaskKind("sudoku-v0", 4, "train", {})) is not None


def test_whoever_counts_finds_the_seeds_that_follow(prefill: Prefill, monkeypatch: pytest.MonkeyPatch) -> None:
    prefill.note_request(SLOW, seed=10)
    prefill.note_request(SLOW, seed=11)
    prefill.settle()
    found = cache.default()
    assert found is not None
    assert len(found) == 4  # 11, 12, 13 and then 14, none of them twice
    forbid_drawing(monkeypatch)
    for seed in (11, 12, 13, 14):
        envhub.make("sudoku-v0", difficulty=4).reset(seed=seed)
    assert prefill.take(SLOW) is None  # a caller's seeds are nobody else's


def test_the_last_seed_has_none_that_follows(prefill: Prefill) -> None:
    prefill.note_request(SLOW, seed=MAX_SEED - 1)
    prefill.note_request(SLOW, seed=MAX_SEED)
    prefill.settle()
    found = cache.default()
    assert found is not None
    assert len(found) == 1


def test_what_cannot_be_drawn_is_not_ready_and_stops_nothing(prefill: Prefill) -> None:
    prefill.note_request(TaskKind("sudoku-v0", 4, "train", {"clues": 35, "size": 4}), seed=None)
    prefill.note_request(SLOW, seed=None)
    prefill.settle()
    assert prefill.take(TaskKind("sudoku-v0", 4, "train", {"clues": 35, "size": 4})) is None
    assert prefill.take(SLOW) is not None


def test_nothing_is_drawn_ahead_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_CACHE", "off")
    prefill = Prefill(3)
    prefill.note_request(SLOW, seed=None)
    assert not prefill._threads
    prefill.close()


def test_when_its_process_is_killed_requests_go_on(prefill: Prefill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.server.episodes.prefill._draw_for", _gone)
    prefill.note_request(SLOW, seed=None)
    (thread,) = prefill._threads
    thread.join()
    prefill.note_request(SLOW, seed=None)
    prefill.settle()
    assert prefill.take(SLOW) is None


def _gone(connection: Any, specs: Any) -> None:
    """What a process that was killed answers: nothing."""


def test_closing_ends_the_process(prefill: Prefill) -> None:
    prefill.note_request(SLOW, seed=None)
    (thread,) = prefill._threads
    prefill.close()
    thread.join()
    prefill.note_request(SLOW, seed=None)  # too late, and harmless


def test_the_server_answers_from_what_is_ready(
    folder: Path, make_api: Callable[..., Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(prefill=2)
    asked = {"env_id": "sudoku-v0", "difficulty": 4}
    assert api.send("POST", "/v1/episodes", json=asked).status_code == 201
    api.app.state.prefill.settle()
    with monkeypatch.context() as meanwhile:
        forbid_drawing(meanwhile)
        tasks = [api.send("POST", "/v1/episodes", json=asked).json()["task"] for _ in range(2)]
    assert tasks[0]["seed"] != tasks[1]["seed"]
    assert envhub.begin(envhub.Task.from_json(tasks[0])).task.to_json() == tasks[0]
    api.app.state.episodes.close()
