"""guess-number-v0: higher, lower, found, and what a guess costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.core.errors import InvalidParameters
from envhub.envs.games.guess_number import GuessNumber
from envhub.gymnasium.env import Env


def game(seed: int = 1, **params: Any) -> tuple[Env, int]:
    env = envhub.make("guess-number-v0", difficulty=None, **params)
    env.reset(seed=seed)
    return env, env.episode.instance.key


def other_than(secret: int, low: int = 1, high: int = 100) -> int:
    return low if secret != low else high


def test_the_answers_tell_which_way_the_secret_is() -> None:
    env, secret = game(guesses=63)
    for guess in range(1, 101):
        if guess == secret:
            continue
        said = env.fork().step(str(guess))[0]
        assert said.startswith(f"My number is {'higher' if secret > guess else 'lower'} than {guess}.")
        assert said.endswith("Guesses left: 62.")
    observation, reward, terminated, _, info = env.step(str(secret))
    assert (reward, terminated, info["verdict"]["solved"]) == (1.0, True, True)
    assert observation == f"{secret} is my number. You found it."


def test_the_secret_may_be_at_either_end_and_never_beyond() -> None:
    assert {game(seed, low=-1, high=1, guesses=1)[1] for seed in range(60)} == {-1, 0, 1}


@pytest.mark.parametrize("guess", ["0", "101", "-5", "9" * 30])
def test_a_guess_outside_the_range_costs_one_and_tells_nothing(guess: str) -> None:
    said = {game(seed)[0].step(guess)[0] for seed in range(20)}
    assert said == {"That guess is outside the range. Guesses left: 6."}


@pytest.mark.parametrize(
    "text", ["", "higher", "5 or 6", "<answer>5</answer><answer>6</answer>", "\x00", "5.5", "x" * 70_000]
)
def test_what_is_no_guess_costs_one(text: str) -> None:
    env, secret = game(guesses=2)
    observation, reward, terminated, truncated, _ = env.step(text)
    assert observation.endswith("Guesses left: 1.")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.fork().step(str(secret))[1] == 1.0
    assert env.step(text)[2] is True


def test_the_guesses_run_out_on_the_last_wrong_one_and_not_before() -> None:
    env, secret = game(guesses=3)
    wrong = str(other_than(secret))
    assert [env.step(wrong)[2:4] for _ in range(2)] == [(False, False)] * 2
    assert env.fork().step(str(secret))[1] == 1.0
    observation, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["verdict"]["status"] == "graded"
    assert observation.endswith("No guesses are left.")


def test_a_lost_game_does_not_tell_the_secret() -> None:
    for seed in range(20):
        env, secret = game(seed, low=1000, high=9999, guesses=1)
        for last in (str(other_than(secret, 1000, 9999)), "what?", "5"):
            told = repr(env.fork().step(last))
            assert str(secret) not in told


@given(st.integers(-1000, 1000), st.integers(1, 3000), st.integers(1, 63), st.integers(0, 10**6))
def test_the_oracle_wins_with_any_number_of_guesses(low: int, width: int, guesses: int, seed: int) -> None:
    env, _ = game(seed, low=low, high=low + width, guesses=guesses)
    while not env.episode.over:
        env.step(env.solve())
    verdict = env.episode.turns[-1].verdict
    assert verdict is not None
    assert verdict.solved


@given(st.lists(st.one_of(st.integers(-20, 120).map(str), st.just("?")), max_size=5), st.integers(0, 1000))
def test_the_oracle_wins_from_wherever_a_policy_has_got_to(guesses: list[str], seed: int) -> None:
    env, _ = game(seed, guesses=7)
    for guess in guesses:
        if not env.episode.over:
            env.step(guess)
    lost_already = env.episode.over
    while not env.episode.over:
        env.step(env.solve())
    assert lost_already or env.episode.turns[-1].verdict.solved  # type: ignore[union-attr]


def test_with_guesses_enough_the_oracle_looks_at_nothing_but_the_answers() -> None:
    for seed in range(30):
        env, _ = game(seed, low=1, high=100, guesses=7)
        assert env.solve() == "<answer>50</answer>"


def test_the_example_of_the_prompt_is_never_the_secret() -> None:
    assert "17" in game(low=16, high=17)[0].task.prompt
    assert {game(seed, low=16, high=17)[1] for seed in range(30)} == {16}


def test_splits_are_of_seeds() -> None:
    environment = GuessNumber()
    assert environment.split_by == "seed"
    fingerprints = set()
    for split in ("train", "validation", "test"):
        env = envhub.make("guess-number-v0", split=split)
        for seed in range(10):
            env.reset(seed=seed)
            assert env.task.draw == 0
            fingerprints.add(env.task.fingerprint)
    assert len(fingerprints) == 30


def test_the_seed_and_the_secret_are_in_nothing_a_policy_sees() -> None:
    env, secret = game(987654321, low=100_000, high=999_999, guesses=3)
    observation, info = env.reset(seed=987654321)
    shown = observation + repr(info) + repr(env.step("100000")) + repr(env.step("nothing"))
    assert str(secret) not in shown
    assert "987654321" not in shown


@pytest.mark.parametrize(
    "bad", [{"low": 5, "high": 5}, {"low": 6, "high": 5}, {"guesses": 0}, {"guesses": 64}, {"low": 1.5}]
)
def test_parameters_that_make_no_game_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        game(**bad)
