"""A mixture is several environments as one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env

import envhub
from envhub import Curriculum
from envhub.core.errors import EpisodeOver, InvalidParameters, SnapshotMismatch, UnknownEnvironment

TWO = {"arithmetic-v0": 1, "guess-number-v0": 1}


def drawn(weights: Any, seeds: int = 2000) -> Counter[str]:
    source = envhub.make_mixture(weights).source
    return Counter(source.pick(seed) for seed in range(seeds))  # type: ignore[attr-defined]


def test_a_seed_gives_the_task_of_one_of_its_environments() -> None:
    mixture = envhub.make_mixture(TWO, difficulty=4, split="test")
    ids = set()
    for seed in range(20):
        observation, info = mixture.reset(seed=seed)
        alone = envhub.make(mixture.task.env_id, difficulty=4, split="test")
        assert (observation, info) == alone.reset(seed=seed)
        assert mixture.task == alone.task
        assert mixture.step(mixture.solve()) == alone.step(alone.solve())
        ids.add(mixture.task.env_id)
    assert ids == set(TWO)


def test_environments_are_drawn_by_weight() -> None:
    found = drawn({"arithmetic-v0": 3, "guess-number-v0": 0.5, "countdown-v0": 0.5})
    assert 1400 <= found["arithmetic-v0"] <= 1600
    assert 180 <= found["guess-number-v0"] <= 320
    assert 180 <= found["countdown-v0"] <= 320


def test_weights_count_only_in_proportion() -> None:
    assert drawn({"arithmetic-v0": 1, "maze-v0": 3}) == drawn({"arithmetic-v0": 0.25, "maze-v0": 0.75})


def test_an_environment_may_have_settings_of_its_own() -> None:
    mixture = envhub.make_mixture(
        {"arithmetic-v0": {"terms": 5, "difficulty": 2}, "guess-number-v0": {"split": "test"}}
    )
    seen: dict[str, Any] = {}
    for seed in range(20):
        mixture.reset(seed=seed)
        seen[mixture.task.env_id] = mixture.task
    assert seen["arithmetic-v0"].params["terms"] == 5
    assert seen["guess-number-v0"].split == "test"
    assert seen["guess-number-v0"].difficulty == 3


def test_options_are_for_all() -> None:
    mixture = envhub.make_mixture(TWO, answer_format="boxed", system="Be brief.", reward={"format": 1.0})
    mixture.reset(seed=1)
    assert "\\boxed{" in mixture.task.prompt
    assert mixture.messages[0] == {"role": "system", "content": "Be brief."}


def test_it_passes_gymnasiums_checks() -> None:
    check_env(envhub.make_mixture({"arithmetic-v0": 1, "countdown-v0": 1}), skip_render_check=True)


def test_snapshot_restore_and_fork_know_the_environment() -> None:
    mixture = envhub.make_mixture(TWO)
    for seed in range(6):
        mixture.reset(seed=seed)
        snapshot, twin = mixture.snapshot(), mixture.fork()
        again = envhub.make_mixture(TWO).restore(snapshot)
        expected = mixture.step(mixture.solve())
        assert twin.step(twin.solve()) == expected
        assert again.step(again.solve()) == expected
    other = envhub.make("countdown-v0")
    other.reset(seed=1)
    with pytest.raises(SnapshotMismatch, match="countdown-v0 is not in this mixture"):
        mixture.restore(other.snapshot())


def test_before_a_reset_it_is_no_environment_yet() -> None:
    mixture = envhub.make_mixture(TWO)
    with pytest.raises(EpisodeOver, match="reset"):
        mixture.environment
    with pytest.raises(EpisodeOver):
        mixture.step("<answer>1</answer>")


def test_many_copies_of_a_mixture_are_one_vector_environment() -> None:
    envs = envhub.make_vec(TWO, 6, difficulty=2)
    envs.reset(seed=3)
    assert {env.task.env_id for env in envs.envs} == set(TWO)
    _, rewards, terminated, _, _ = envs.step([env.solve() for env in envs.envs])
    assert (rewards[terminated] == 1.0).all()


def test_each_environment_has_a_curriculum_of_its_own() -> None:
    given = Curriculum(window=2, review=0)
    mixture = envhub.make_mixture(TWO, difficulty=given)
    for seed in range(30):
        mixture.reset(seed=seed)
        done = False
        while not done:
            right = mixture.task.env_id == "arithmetic-v0"
            _, _, terminated, truncated, _ = mixture.step(mixture.solve() if right else "no")
            done = terminated or truncated
    state = mixture.source.state_dict()  # type: ignore[attr-defined]
    assert state["arithmetic-v0"]["level"] > 1
    assert state["guess-number-v0"]["level"] == 1
    assert given.level == 1


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({}, "mapping"),
        (["arithmetic-v0"], "mapping"),
        ({"arithmetic-v0": 0}, "arithmetic-v0"),
        ({"arithmetic-v0": -1}, "positive"),
        ({"arithmetic-v0": float("nan")}, "positive"),
        ({"arithmetic-v0": float("inf")}, "positive"),
        ({"arithmetic-v0": True}, "positive"),
        ({"arithmetic-v0": "much"}, "positive"),
        ({"arithmetic-v0": {"weight": 1, "termz": 3}}, "termz"),
    ],
)
def test_what_does_not_fit_is_refused(weights: Any, said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        envhub.make_mixture(weights)


def test_a_parameter_for_all_is_refused_with_where_it_belongs() -> None:
    with pytest.raises(InvalidParameters, match=r"'arithmetic-v0': \{'weight': 1, 'terms'"):
        envhub.make_mixture(TWO, terms=3)


def test_an_unknown_environment_is_named() -> None:
    with pytest.raises(UnknownEnvironment, match="arithmetic-v0"):
        envhub.make_mixture({"arithmetik-v0": 1})
