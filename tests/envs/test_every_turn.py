"""Random and right play of every environment with many turns: nothing raises, every episode ends in time, forks agree.

A few episodes of each always; nightly 10,000 random ones and 1,000 right ones over all of them, with a fork of every fourth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

import envhub
from envhub.core.errors import EpisodeOver
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env
from envhub.registry.registry import builtin_ids, load, self_contained, spec
from tests.support.chosen import unaided
from tests.support.kernels import needed

RANDOM, RIGHT, FORKED = 10_000, 1_000, 4
BLUNDERS = (
    "",
    "?",
    "0",
    "-1",
    "<answer>",
    "<answer>\x00</answer>",
    '<tool_call>{"name": "submit"}</tool_call>',
    "x" * 3000,
)
LUCKY = {"blackjack-v0", "kuhn-poker-v0", "leduc-poker-v0", "tic-tac-toe-v0", "connect-four-v0"}
"""Whose turns draw something; of the others nothing is asserted."""
LUCKLESS = {
    "2048-v0",
    "wordle-v0",
    "minesweeper-v0",
    "sokoban-v0",
    "guess-number-v0",
    "search-qa-v0",
    "browse-v0",
    "apps-v0",
}


def many_turns(id: str) -> bool:
    line = spec(id)
    return line.category in ("games", "search", "tools") and self_contained(id) and load(line).max_turns > 1


IDS = [id for id in builtin_ids() if many_turns(id)]
PLAYED = [pytest.param(id, marks=[] if unaided(id) else [pytest.mark.slow]) for id in IDS]
"""Those that need another process, such as a browser, are played in the slow tier."""


def begun(id: str, number: int) -> Env:
    """A task of any level."""
    env = envhub.make(id, difficulty=1 + 7 * number % 10)
    env.reset(seed=number)
    return env


def any_action(env: Env, rng: Stream) -> str:
    """Mostly one that knows nothing; now and then a right one, so that play gets somewhere, or no action at all."""
    kind = rng.below(10)
    return env.solve() if kind < 2 else rng.choice(BLUNDERS) if kind == 2 else env.random_action(rng)


def taken(env: Env, action: str, number: int) -> tuple[Any, ...]:
    """One turn, which must be one."""
    most = env.environment.max_turns
    observation, reward, terminated, truncated, info = step = env.step(action)
    told = f"{env.task.env_id}, level {env.task.difficulty}, seed {env.task.seed}, turn {number}"
    assert isinstance(observation, str), told
    assert math.isfinite(reward), f"{told}: {info.get('error')}"
    assert 0.0 <= reward <= 1.0, told
    assert not (terminated and truncated), told
    assert number <= most, told
    over = terminated or truncated
    assert over == ("verdict" in info), told
    if over:
        verdict = info["verdict"]
        assert verdict["status"] != "error", told
        assert "abuse" not in verdict["components"], told
        assert truncated == (number == most and verdict["reason"] == "turn_limit"), told
    else:
        assert reward == 0.0, told
        assert number < most, told
    return step


def played(env: Env, rng: Stream, right: bool = False) -> list[str]:
    """An episode to its end; what was said."""
    said: list[str] = []
    for number in count(1):
        said.append(env.solve() if right else any_action(env, rng))
        _, _, terminated, truncated, info = taken(env, said[-1], number)
        if terminated or truncated:
            break
    assert not right or info["verdict"]["solved"], (
        f"{env.task.env_id}, level {env.task.difficulty}, seed {env.task.seed}"
    )
    with pytest.raises(EpisodeOver):
        env.step("once more")
    return said


def observed(env: Env, actions: list[str]) -> list[Any]:
    """What an episode says to actions, until it ends."""
    seen: list[Any] = []
    for action in actions:
        step = env.step(action)
        seen.append(step)
        if step[2] or step[3]:
            break
    return seen


def forked(id: str, number: int, said: list[str], rng: Stream) -> bool:
    """Whether another luck, from some turn on, made any difference; the same luck must make none."""
    at = rng.below(len(said))
    env = begun(id, number)
    past = observed(env, said[:at])
    same, other = env.fork(), env.fork(turn_seed=1 + rng.below(1000))
    for twin in (same, other):
        assert [turn.observation for turn in twin.episode.turns] == [step[0] for step in past]
    rest = observed(env, said[at:])
    assert observed(same, said[at:]) == rest
    differs = observed(other, said[at:]) != rest
    again = env.restore(other.snapshot())
    assert [turn.observation for turn in again.episode.turns] == [turn.observation for turn in other.episode.turns]
    return differs


def episodes(id: str, total: int) -> Iterator[tuple[int, Stream]]:
    """This environment's part of so many, the environments taking turns, with a stream for each."""
    share = -(-total // len(IDS))
    return ((number, Stream(b"every turn", id, number)) for number in range(share))


def random_play(id: str, total: int) -> None:
    differed, tried = 0, 0
    for number, rng in episodes(id, total):
        said = played(begun(id, number), rng)
        if number % FORKED == 0:
            tried += 1
            differed += forked(id, number, said, rng)
    if id in LUCKLESS:
        assert differed == 0
    if id in LUCKY and tried >= 20:
        assert differed > 0


def right_play(id: str, total: int) -> None:
    for number, rng in episodes(id, total):
        played(begun(id, number), rng, right=True)


@pytest.mark.parametrize("id", PLAYED)
def test_random_play(id: str) -> None:
    needed(id)
    random_play(id, 4 * len(IDS))


@pytest.mark.parametrize("id", PLAYED)
def test_right_play(id: str) -> None:
    needed(id)
    right_play(id, 2 * len(IDS))


@pytest.mark.nightly
@pytest.mark.parametrize("id", IDS)
def test_random_play_by_the_thousands(id: str) -> None:
    random_play(id, RANDOM)


@pytest.mark.nightly
@pytest.mark.parametrize("id", IDS)
def test_right_play_by_the_hundreds(id: str) -> None:
    right_play(id, RIGHT)


@pytest.mark.parametrize("id", sorted({"kuhn-poker-v0", "leduc-poker-v0", "tic-tac-toe-v0"}))
def test_another_luck_is_another(id: str) -> None:
    """The control of the forks: where a turn draws, some fork with another luck goes another way."""
    assert any(forked(id, number, played(begun(id, number), rng), rng) for number, rng in episodes(id, 12 * len(IDS)))


@pytest.mark.parametrize(
    "id",
    [
        id
        for id in builtin_ids()
        if load(spec(id)).max_turns > 1 and not load(spec(id)).required() and self_contained(id)
    ],
)
def test_a_message_that_says_nothing_is_known_as_not_taken(id: str) -> None:
    env = envhub.make(id, difficulty=3)
    env.reset(seed=1)
    assert env.step("")[4]["rejected"]
    env.reset(seed=1)
    assert "rejected" not in env.step(env.solve())[4]
