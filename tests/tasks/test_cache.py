"""Instances on disk: what is found there is what would have been drawn."""

from __future__ import annotations

import logging
import math
import multiprocessing
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring import BaseParams, SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.registry.registry import load, self_contained, unregister
from envhub.tasks import cache
from envhub.tasks.cache import Found, InstanceCache
from envhub.verifiers.answers.types import Integer

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
        | st.dictionaries(st.integers() | st.tuples(st.integers(), st.text(max_size=2)), inner, max_size=4)
    ),
    max_leaves=12,
)


class Slow(SingleTurn):
    """Say a number. It counts how often it is drawn."""

    answer = Integer()
    slow: ClassVar[bool] = True
    drawn: ClassVar[list[int]] = []

    class Params(BaseParams):
        """One."""

        offset: int = 0

    def sample(self, rng: Stream, p: Any) -> Instance:
        number = rng.below(10**9)
        self.drawn.append(number)
        return Instance({"n": number}, key=(number + p.offset, [1, (2, 3)]))

    def prompt(self, problem: Any) -> str:
        return f"Say {problem['n']}."

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(value == inst.key[0])

    def solve(self, inst: Instance) -> str:
        return str(inst.key[0])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ENVHUB_CACHE", str(tmp_path / "cache"))
    Slow.drawn.clear()
    envhub.register("slow-number-v0", Slow)
    yield tmp_path / "cache"
    unregister("slow-number-v0")
    found = cache.default()
    if found is not None:
        found.close()


def test_a_slow_instance_is_drawn_once(folder: Path) -> None:
    first, second = envhub.make("slow-number-v0"), envhub.make("slow-number-v0")
    assert first.reset(seed=4) == second.reset(seed=4)
    assert first.task == second.task
    assert first.episode.instance.key == second.episode.instance.key
    assert len(Slow.drawn) == 1
    assert envhub.verify(first.task, first.solve()).solved
    assert len(Slow.drawn) == 1


def test_what_is_another_task_is_drawn(folder: Path) -> None:
    env = envhub.make("slow-number-v0")
    env.reset(seed=1)
    for other in (
        {"seed": 2},
        {"split": "test"},
        {"offset": 1},
    ):
        envhub.make("slow-number-v0", **{k: v for k, v in other.items() if k != "seed"}).reset(
            seed=other.get("seed", 1)
        )
    assert len(Slow.drawn) >= 4


def test_a_key_drawn_elsewhere_is_kept_too_but_for_its_own_attempt_alone(folder: Path) -> None:
    env = envhub.make("slow-number-v0", split="test")  # most attempts are of another split
    env.reset(seed=3)
    accepted = env.task.key.draw
    later = next(
        draw
        for draw in range((accepted or 0) + 1, 900)
        if _judged(envhub.core.seeding.TaskKey("slow-number-v0", env.task.params, "test", 3, draw))
    )
    Slow.drawn.clear()
    key = envhub.core.seeding.TaskKey("slow-number-v0", env.task.params, "test", 3, later)
    again = envhub.begin(key)
    assert Slow.drawn == []
    assert again.task.key.draw == later
    env.reset(seed=3)
    assert env.task.key.draw == accepted


def _judged(key: Any) -> bool:
    try:
        envhub.begin(key)
    except envhub.EnvhubError:
        return False
    return True


def test_other_code_draws_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = envhub.make("slow-number-v0")
    env.reset(seed=4)
    monkeypatch.setattr(cache, "code_digest", lambda module: b"other   ")
    env.reset(seed=4)
    assert len(Slow.drawn) == 2


def test_the_digest_follows_every_source_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "digested").mkdir()
    (tmp_path / "digested" / "__init__.py").write_text("")
    (tmp_path / "digested" / "inner.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import digested  # type: ignore[import-not-found]  # noqa: F401

    before = cache.code_digest.__wrapped__("digested.inner")
    (tmp_path / "digested" / "inner.py").write_text("x = 2\n")
    assert cache.code_digest.__wrapped__("digested.inner") != before
    assert cache.code_digest.__wrapped__("nowhere_to_be_found.module") is None


def test_a_damaged_entry_is_drawn_anew(folder: Path) -> None:
    env = envhub.make("slow-number-v0")
    env.reset(seed=4)
    task = env.task
    with sqlite3.connect(folder / "instances.sqlite") as file:
        [(value,)] = file.execute("SELECT value FROM instances").fetchall()
        number = str(env.task.problem["n"]).encode()
        file.execute("UPDATE instances SET value = ?", (value.replace(number, b"1" * len(number)),))
    file.close()
    env.reset(seed=4)
    assert env.task == task
    assert len(Slow.drawn) == 2


@pytest.mark.parametrize("damage", [b"", b"not a database" * 1000])
def test_a_damaged_file_costs_only_the_drawing(folder: Path, damage: bytes, caplog: pytest.LogCaptureFixture) -> None:
    folder.mkdir()
    (folder / "instances.sqlite").write_bytes(damage)
    env = envhub.make("slow-number-v0")
    with caplog.at_level(logging.WARNING):
        env.reset(seed=4)
        env.reset(seed=5)
    assert len(caplog.records) == bool(damage)
    assert len(Slow.drawn) == 2
    assert not damage or not (folder / "instances.sqlite").exists()  # the next process has a sound one


def test_a_folder_that_cannot_be_made_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    store = InstanceCache(tmp_path / "file" / "cache", 1 << 20)
    with caplog.at_level(logging.WARNING):
        store.put(b"a", Found(0, None, Instance({"n": 1})))
        assert store.get(b"a") is None
    assert len(caplog.records) == 1


def test_the_folder_is_its_owners_alone(folder: Path) -> None:
    envhub.make("slow-number-v0").reset(seed=1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "instances.sqlite").stat().st_mode) == 0o600


@pytest.mark.parametrize("where", ["off"])
def test_it_can_be_off(folder: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_CACHE", where)
    env = envhub.make("slow-number-v0")
    env.reset(seed=1)
    env.reset(seed=1)
    assert len(Slow.drawn) == 2
    assert not folder.exists()


def test_no_room_at_all_holds_nothing_and_hangs_nobody(tmp_path: Path) -> None:
    store = InstanceCache(tmp_path, 0)
    for number in range(300):
        store.put(number.to_bytes(4, "little"), Found(0, None, Instance({"n": number})))
    assert len(store) < 260
    store.close()


def test_the_oldest_make_room(tmp_path: Path) -> None:
    store = InstanceCache(tmp_path, 100_000)
    for number in range(2_000):
        store.put(number.to_bytes(4, "little"), Found(0, None, Instance({"text": "x" * 500})))
    assert 50 < len(store) < 700
    assert store.get((1_999).to_bytes(4, "little")) is not None
    assert store.get((0).to_bytes(4, "little")) is None
    assert (tmp_path / "instances.sqlite").stat().st_size < 1_000_000
    store.close()


@given(
    problem=PLAIN, key=PLAIN, draw=st.integers(0, 999), fingerprint=st.none() | st.text("0123456789abcdef", min_size=32)
)
def test_plain_values_come_back_exactly(problem: Any, key: Any, draw: int, fingerprint: str | None) -> None:
    found = Found(draw, fingerprint, Instance(problem, key))
    parts = cache._packed(problem), cache._packed(key)
    assert repr(tuple(cache._unpacked(part) for part in parts)) == repr((problem, key))
    assert found.instance == Instance(cache._unpacked(parts[0]), cache._unpacked(parts[1]))


@pytest.mark.parametrize("key", [math.inf, math.nan, {1: {2}}, {"a"}, b"x", object()])
def test_what_json_has_no_form_for_is_not_kept(tmp_path: Path, key: Any) -> None:
    store = InstanceCache(tmp_path, 1 << 20)
    store.put(b"a", Found(0, None, Instance({}, key)))
    assert store.get(b"a") is None
    store.close()


def write_many(folder: str, base: int) -> None:
    store = InstanceCache(Path(folder), 1 << 24)
    for number in range(20):
        store.put((base + number).to_bytes(4, "little"), Found(0, None, Instance({"n": base + number})))
    store.close()


@pytest.mark.slow
def test_processes_share_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
    for turn in range(20):  # that they make the file at the very same time does not happen always
        folder = tmp_path / str(turn)
        writers = [context.Process(target=write_many, args=(str(folder), base)) for base in (0, 1000, 2000)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
            assert writer.exitcode == 0
        store = InstanceCache(folder, 1 << 24)
        assert len(store) == 60
        store.close()


def test_what_needs_no_search_is_not_kept(folder: Path) -> None:
    for win_in, kept in ((0, 0), (1, 1)):
        envhub.make("connect-four-v0", win_in=win_in).reset(seed=2)
        found = cache.default()
        assert found is not None
        assert len(found) == kept


@pytest.mark.slow
def test_ours_that_are_slow_come_back_as_they_were(folder: Path) -> None:
    slow = [
        id for id in envhub.list_envs() if self_contained(id) and load(envhub.spec(id)).slow and id != "slow-number-v0"
    ]
    assert "sudoku-v0" in slow
    for id in slow:
        for level in (1, 5):
            drawn = envhub.make(id, difficulty=level)
            drawn.reset(seed=2)
            kept = envhub.make(id, difficulty=level)
            kept.reset(seed=2)
            assert kept.task == drawn.task
            assert repr(kept.episode.instance.key) == repr(drawn.episode.instance.key)
            assert kept.episode.instance is not drawn.episode.instance
        found = cache.default()
        assert found is not None
        assert len(found) >= 2
