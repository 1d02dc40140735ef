"""A curriculum keeps the share of solved tasks within its band."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub import Curriculum
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.core.seeding import Stream


def rng(number: int = 0) -> Stream:
    return Stream(number.to_bytes(8, "little"), "test")


def taught(skill: int, tasks: int = 2000, **settings: Any) -> tuple[Curriculum, Counter[int]]:
    """A policy that solves every level up to ``skill`` always, half of the next, and nothing above."""
    curriculum = Curriculum(window=16, **settings)
    seen: Counter[int] = Counter()
    draws = rng(skill)
    for number in range(tasks):
        level = curriculum.pick(rng(number))
        seen[level] += 1
        curriculum.note(level, level <= skill or (level == skill + 1 and draws.below(2) == 0))
    return curriculum, seen


@pytest.mark.parametrize("skill", [1, 4, 8])
def test_it_settles_where_about_half_is_solved(skill: int) -> None:
    curriculum, seen = taught(skill)
    assert skill <= curriculum.level <= skill + 2
    assert seen[skill + 1] == max(seen.values())


def test_it_comes_down_when_nothing_is_solved_and_stays_within_its_levels() -> None:
    assert taught(0, start=9)[0].level in (1, 2)
    assert taught(10)[0].level == 10
    curriculum, seen = taught(10, levels=(2, 6), start=3)
    assert curriculum.level == 6
    assert set(seen) <= set(range(2, 7))


def test_a_window_must_be_full_before_the_level_moves() -> None:
    curriculum = Curriculum(window=3)
    for _ in range(2):
        curriculum.note(1, True)
    assert curriculum.level == 1
    curriculum.note(1, True)
    assert curriculum.level == 2
    assert curriculum.state_dict()["results"] == []


def test_results_of_another_level_count_for_nothing() -> None:
    curriculum = Curriculum(window=2, start=5)
    for level in (4, 6, 10):
        for _ in range(5):
            curriculum.note(level, True)
    assert curriculum.level == 5


def test_a_share_on_the_edge_of_the_band_stays() -> None:
    curriculum = Curriculum(target=(0.25, 0.75), window=4, start=3)
    for solved in (True, True, True, False) * 3:
        curriculum.note(3, solved)
    assert curriculum.level == 3


def test_review_takes_its_share_from_the_levels_below() -> None:
    levels = Counter(Curriculum(start=5, review=0.25).pick(rng(i)) for i in range(4000))
    below = sum(levels[level] for level in range(1, 5))
    assert 850 <= below <= 1150
    assert all(levels[level] > 150 for level in range(1, 5))
    assert set(levels) == {1, 2, 3, 4, 5}
    assert {Curriculum(start=5, review=0).pick(rng(i)) for i in range(100)} == {5}


@given(results=st.lists(st.booleans(), max_size=60), cut=st.integers(0, 60))
def test_its_state_goes_on_as_if_nothing_had_happened(results: list[bool], cut: int) -> None:
    whole, first = Curriculum(window=5, start=4), Curriculum(window=5, start=4)
    for solved in results:
        whole.note(whole.level, solved)
    for solved in results[:cut]:
        first.note(first.level, solved)
    second = first.fresh()
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    for solved in results[cut:]:
        second.note(second.level, solved)
    assert second.state_dict() == whole.state_dict()


@pytest.mark.parametrize(
    "settings",
    [
        {"target": (0.7, 0.3)},
        {"target": (0.5, 0.5)},
        {"target": (-0.1, 0.5)},
        {"start": 0},
        {"start": 7, "levels": (1, 6)},
        {"levels": (0, 5)},
        {"window": 0},
        {"review": 1.0},
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        Curriculum(**settings)


@pytest.mark.parametrize(
    "state", [{}, {"level": 11, "results": []}, {"level": 3, "results": [2]}, {"level": 3, "results": [1] * 33}, []]
)
def test_a_state_that_does_not_fit_is_refused(state: Any) -> None:
    with pytest.raises(SnapshotMismatch):
        Curriculum().load_state_dict(state)


def test_an_environment_reports_to_it_by_itself() -> None:
    curriculum = Curriculum(window=3, review=0)
    env = envhub.make("arithmetic-v0", difficulty=curriculum)
    for seed in range(3):
        env.reset(seed=seed)
        assert env.task.difficulty == 1
        env.step(env.solve())
    env.reset(seed=9)
    assert env.task.difficulty == 2
    for seed in range(3):
        env.reset(seed=seed)
        env.step("<answer>nothing of the kind</answer>")
    assert curriculum.level == 1


def test_every_copy_of_a_vector_environment_reports_to_the_same() -> None:
    curriculum = Curriculum(window=4, review=0)
    envs = envhub.make_vec("arithmetic-v0", 4, difficulty=curriculum)
    envs.reset(seed=1)
    envs.step([env.solve() for env in envs.envs])
    assert curriculum.level == 2


def test_parameters_by_name_beside_it_are_refused() -> None:
    with pytest.raises(InvalidParameters, match="terms"):
        envhub.make("arithmetic-v0", difficulty=Curriculum(), terms=3)
