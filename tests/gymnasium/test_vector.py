"""Many copies behind one step: shapes, autoreset, seeds, and the same results as alone."""

from __future__ import annotations

from typing import Any

import gymnasium
import gymnasium.wrappers.vector
import numpy as np
import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.gymnasium.vector import TextVectorEnv
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import serving
from tests.support.toys import Dice, env, unfindable


def dice(count: int = 3) -> TextVectorEnv:
    return TextVectorEnv(lambda: env(Dice()), count)


def test_the_shapes_are_those_of_gymnasium() -> None:
    vec = dice()
    observations, infos = vec.reset(seed=1)
    assert isinstance(observations, tuple)
    assert vec.observation_space.contains(observations)
    assert vec.action_space.contains(("1", "2", "0"))
    assert [info["split"] for info in infos["envs"]] == ["train"] * 3
    observations, rewards, terminations, truncations, infos = vec.step(["1", "2", "0"])
    assert vec.observation_space.contains(observations)
    assert (rewards.dtype, rewards.shape, rewards.tolist()) == (np.float64, (3,), [0.0, 0.0, 1.0])
    assert (terminations.dtype, terminations.tolist()) == (np.bool_, [False, False, True])
    assert (truncations.dtype, truncations.tolist()) == (np.bool_, [False] * 3)
    assert len(infos["envs"]) == 3
    assert vec.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    vec.close()


def test_an_ended_copy_begins_the_next_episode_in_the_same_step() -> None:
    vec = dice(2)
    starts, _ = vec.reset(seed=1)
    observations, _, _, _, infos = vec.step(["0", "1"])
    ended, going = infos["envs"]
    assert ended["final_observation"].startswith("rolls")
    assert ended["verdict"]["solved"]
    assert "final_observation" not in going
    assert observations[0].startswith("A die")
    assert observations[0] != starts[0]
    assert vec.step(["1", "0"])[2].tolist() == [False, True]


def test_what_is_told_of_the_copies_is_as_gymnasium_has_it() -> None:
    vec = dice(2)
    _, infos = vec.reset(seed=1)
    assert infos["_envs"].tolist() == [True, True]
    assert "final_obs" not in infos
    infos = vec.step(["0", "1"])[4]
    assert infos["_final_obs"].tolist() == [True, False]
    assert infos["final_obs"].tolist() == [infos["envs"][0]["final_observation"], None]


@pytest.mark.parametrize("name", ["RecordEpisodeStatistics", "DictInfoToList", "NormalizeReward"])
def test_gymnasiums_wrappers_of_vectors_take_ours(name: str) -> None:
    vec = getattr(gymnasium.wrappers.vector, name)(dice(2))
    bare = dice(2)
    assert vec.reset(seed=1)[0] == bare.reset(seed=1)[0]
    for actions in (["0", "1"], ["1", "0"], ["1", "1"]):
        told, plain = vec.step(actions), bare.step(actions)
        assert told[0] == plain[0]
        assert (told[2].tolist(), told[3].tolist()) == (plain[2].tolist(), plain[3].tolist())
        if name == "DictInfoToList":
            assert [each["envs"] for each in told[4]] == list(plain[4]["envs"])
            assert [each.get("final_obs") for each in told[4]] == [e.get("final_observation") for e in plain[4]["envs"]]
        if name == "RecordEpisodeStatistics":
            assert told[4].get("_episode", np.zeros(2, bool)).tolist() == (plain[2] | plain[3]).tolist()
            ended = [pay for pay, over in zip(plain[1], plain[2], strict=True) if over]
            assert [r for r in told[4].get("episode", {"r": []})["r"] if r] == [pay for pay in ended if pay]
    vec.close()


def test_a_truncated_copy_begins_again_as_well() -> None:
    vec = dice(1)
    vec.reset(seed=1)
    for turn in range(12):
        observations, _, _, truncations, infos = vec.step(["1"])
        cut = turn % 5 == 4
        assert truncations.tolist() == [cut]
        assert observations[0].startswith("A die") == cut
        assert ("final_observation" in infos["envs"][0]) == cut


def test_what_could_not_be_judged_is_nan_in_its_own_place() -> None:
    vec = TextVectorEnv(lambda: env(unfindable(Dice)), 3)
    vec.reset(seed=1)
    rewards = vec.step(["1", "13", "0"])[1]
    assert np.isnan(rewards).tolist() == [False, True, False]


def test_seeds_one_a_copy_give_the_same_as_alone() -> None:
    vec = envhub.make_vec("guess-number-v0", 3, difficulty=2)
    singles = [envhub.make("guess-number-v0", difficulty=2) for _ in range(3)]
    observations, _ = vec.reset(seed=[5, 6, 7])
    assert list(observations) == [single.reset(seed=seed)[0] for single, seed in zip(singles, (5, 6, 7), strict=True)]
    for action in ("17", "nonsense", "250", "1", "2", "3", "4", "5", "6", "7", "8", "9"):
        observations, rewards, terminations, truncations, infos = vec.step([action] * 3)
        for i, single in enumerate(singles):
            observation, reward, terminated, truncated, info = single.step(action)
            assert (rewards[i], terminations[i], truncations[i]) == (reward, terminated, truncated)
            if terminated or truncated:
                assert infos["envs"][i].pop("final_observation") == observation
                observation, _ = single.reset()
            assert observations[i] == observation
            assert infos["envs"][i] == info


def test_one_seed_gives_every_copy_a_seed_of_its_own_and_always_the_same() -> None:
    vec = dice(6)
    first, _ = vec.reset(seed=1)
    tasks = [e.task.seed for e in vec.envs]
    assert len(set(tasks)) == 6
    vec.reset(seed=2)
    assert not set(tasks) & {e.task.seed for e in vec.envs}
    assert vec.reset(seed=1)[0] == first
    assert [e.task.seed for e in dice(3).envs if e.reset(seed=None)] != tasks[:3]


def test_without_a_seed_the_copies_differ() -> None:
    vec = dice(4)
    vec.reset()
    assert len({e.task.seed for e in vec.envs}) == 4
    vec.reset(seed=[1, None, 1, None])
    assert vec.envs[0].task == vec.envs[2].task
    assert vec.envs[1].task != vec.envs[3].task


@pytest.mark.parametrize("count", [0, -1, True, 2.0, "2", None])
def test_there_is_at_least_one_copy(count: Any) -> None:
    with pytest.raises(InvalidParameters, match="`num_envs` must be a positive integer"):
        envhub.make_vec("arithmetic-v0", count)


def test_there_is_one_action_and_one_seed_a_copy() -> None:
    vec = dice(3)
    with pytest.raises(InvalidParameters, match="Expected one seed per copy, 3; got 2"):
        vec.reset(seed=[1, 2])
    vec.reset(seed=1)
    for actions in ([], ["1"], ["1"] * 4):
        with pytest.raises(InvalidParameters, match=f"Expected one action per copy, 3; got {len(actions)}"):
            vec.step(actions)


def test_an_action_that_is_no_text_moves_no_copy() -> None:
    vec = dice(2)
    vec.reset(seed=1)
    with pytest.raises(TypeError):
        vec.step(["1", 5])  # type: ignore[list-item]
    assert [len(e.episode.turns) for e in vec.envs] == [0, 0]


def test_copies_far_away_give_the_same() -> None:
    with serving(create_app(ServerSettings(journal="memory:"))) as url, envhub.connect(url) as hub:
        far = TextVectorEnv(lambda: hub.make("guess-number-v0", difficulty=1), 2)
        near = envhub.make_vec("guess-number-v0", 2, difficulty=1)
        assert far.reset(seed=1)[0] == near.reset(seed=1)[0]
        for guess in range(12):
            there, here = (vec.step([f"<answer>{guess}</answer>", "no guess"]) for vec in (far, near))
            assert [each.tolist() for each in there[1:4]] == [each.tolist() for each in here[1:4]]
        far.close()
