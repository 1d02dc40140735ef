"""envhub under Gymnasium's own make, checker and vectorisation."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import envhub
from envhub.core.errors import InvalidParameters
from envhub.gymnasium.env import Env
from envhub.gymnasium.registration import make_env, register_envs
from envhub.gymnasium.vector import TextVectorEnv
from envhub.registry.registry import builtin_ids, unregister


@pytest.fixture(autouse=True)
def _registered() -> None:
    register_envs(plugins=False)  # the start-up line does it where the package is installed


def run(program: str, **environment: str) -> str:
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_gymnasium_makes_our_environments_without_importing_envhub() -> None:
    program = """
import sys, gymnasium
env = gymnasium.make("envhub/sudoku-v0", difficulty=1)
observation, info = env.reset(seed=1)
print(env.step(env.unwrapped.solve())[1], sum(name.startswith("envhub/") for name in gymnasium.registry) >= 4)
"""
    assert run(program) == "1.0 True"


@pytest.mark.slow
def test_the_hook_can_be_left_out_and_steps_aside_when_it_is_done() -> None:
    count = "sum(name.startswith('envhub/') for name in gymnasium.registry)"
    hooks = "sum(type(f).__module__.startswith('envhub') for f in sys.meta_path)"
    program = f"import sys; before = {hooks}; import gymnasium; print(before, {count} > 0, {hooks})"
    assert run(program) == "1 True 0"
    assert run(program, ENVHUB_NO_GYMNASIUM_HOOK="1") == "0 False 0"


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    register_envs(plugins=False)
    assert dict(gymnasium.registry) == before
    assert {f"envhub/{id}" for id in builtin_ids()} <= set(before)


def test_settings_pass_through() -> None:
    env = gymnasium.make(
        "envhub/countdown-v0", difficulty=5, split="test", answer_format="boxed", reward={"accuracy": 2.0}
    )
    observation, info = env.reset(seed=3)
    assert info == {"difficulty": 5, "split": "test"}
    assert "\\boxed{" in observation
    assert isinstance(env.unwrapped, Env)
    assert env.step(env.unwrapped.solve())[1] == 2.0
    own = envhub.make("countdown-v0", difficulty=5, split="test", answer_format="boxed")
    assert own.reset(seed=3)[0] == observation
    with pytest.raises(InvalidParameters, match="no parameter or option 'difficult'"):
        gymnasium.make("envhub/countdown-v0", difficult=3)


def test_the_render_mode_is_text() -> None:
    env = gymnasium.make("envhub/arithmetic-v0", render_mode="ansi")
    prompt, _ = env.reset(seed=1)
    assert env.render() == f"[user]\n{prompt}"
    with pytest.raises(InvalidParameters, match="render mode is 'ansi'"):
        make_env("arithmetic-v0", render_mode="rgb_array")


@pytest.mark.parametrize("id", ["arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0"])
def test_gymnasiums_checker_finds_nothing(id: str) -> None:
    env = gymnasium.make(f"envhub/{id}", difficulty=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_make_vec_gives_our_vector_environment() -> None:
    vec = gymnasium.make_vec("envhub/arithmetic-v0", num_envs=3, difficulty=2)
    assert isinstance(vec.unwrapped, TextVectorEnv)
    observations, _ = vec.reset(seed=1)
    assert len(observations) == 3
    rewards = vec.step([env.solve() for env in vec.unwrapped.envs])[1]
    assert rewards.tolist() == [1.0, 1.0, 1.0]
    vec.close()


@pytest.mark.parametrize(
    ("mode", "settings"),
    [
        ("sync", {}),
        pytest.param("async", {}, marks=pytest.mark.slow),
        pytest.param("async", {"shared_memory": False, "context": "spawn"}, marks=pytest.mark.slow),
        (None, None),
    ],
)
def test_make_vec_in_every_mode_gives_the_same(mode: Any, settings: Any) -> None:
    more = {} if settings is None else {"vector_kwargs": settings}
    vec = gymnasium.make_vec("envhub/guess-number-v0", num_envs=2, vectorization_mode=mode, difficulty=1, **more)
    singles = [maker(), maker()]
    observations, _ = vec.reset(seed=[1, 2])
    assert list(observations) == [env.reset(seed=seed)[0] for env, seed in zip(singles, (1, 2), strict=True)]
    told = vec.step(("5", "100"))
    assert list(told[0]) == [env.step(action)[0] for env, action in zip(singles, ("5", "100"), strict=True)]
    vec.close()


def maker(**settings: Any) -> Any:
    return gymnasium.make("envhub/guess-number-v0", difficulty=1, **settings)


def in_gymnasiums_vector(kind: Any, **settings: Any) -> list[Any]:
    vec = kind([partial(maker, split=split) for split in ("train", "test")], **settings)
    seen: list[Any] = [vec.reset(seed=[1, 2])[0]]
    for action in ("5", "nonsense", "<answer>\u00e9 \U0001f600</answer>"):
        observations, rewards, terminations, truncations, _ = vec.step((action, "100"))
        seen.append((observations, np.asarray(rewards).tolist(), terminations.tolist(), truncations.tolist()))
    vec.close()
    return seen


@pytest.mark.slow
def test_gymnasiums_own_vectorisation_works() -> None:
    singles = [maker(split="train"), maker(split="test")]
    expected: list[Any] = [tuple(env.reset(seed=seed)[0] for env, seed in zip(singles, (1, 2), strict=True))]
    for action in ("5", "nonsense", "<answer>\u00e9 \U0001f600</answer>"):
        results = [env.step(a) for env, a in zip(singles, (action, "100"), strict=True)]
        expected.append(tuple([r[i] for r in results] if i else tuple(r[0] for r in results) for i in range(4)))
    assert in_gymnasiums_vector(gymnasium.vector.SyncVectorEnv) == expected
    assert in_gymnasiums_vector(gymnasium.vector.AsyncVectorEnv, shared_memory=False, context="spawn") == expected


def test_gymnasiums_generator_is_seeded_when_somebody_looks() -> None:
    env = envhub.make("arithmetic-v0")
    env.reset(seed=5)
    first = env.np_random.integers(10**9)
    env.reset(seed=5)
    assert env.np_random.integers(10**9) == first
    assert env.np_random_seed == 5
    env.reset(seed=6)
    assert env.np_random.integers(10**9) != first


def test_an_id_with_a_slash_of_its_own_is_known_to_gymnasium() -> None:
    from tests.support.toys import Sum

    envhub.register("elsewhere/sum-v0", Sum)
    try:
        register_envs()
        env = gymnasium.make("envhub/elsewhere.sum-v0")
        assert env.reset(seed=1)[0]
    finally:
        unregister("elsewhere/sum-v0")
        del gymnasium.registry["envhub/elsewhere.sum-v0"]
