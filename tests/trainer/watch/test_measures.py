"""The numbers of a step, worked out by hand."""

from __future__ import annotations

from math import inf, isfinite, nan

import pytest

from envhub_trainer.watch.measures import error_code, measures
from tests.trainer.hand_made import episode, group


def test_returns_and_success_count_only_what_could_be_judged() -> None:
    told = measures(
        [
            group(0, episode(1.0), episode(0.0, solved=False)),
            group(1, episode(1.0, solved=None), episode(nan, solved=None, error="judge_down: no answer")),
        ],
        version=0,
    )
    assert told["episodes"] == 4
    assert told["reward"] == pytest.approx(2 / 3)
    assert told["reward_std"] == pytest.approx((2 / 9) ** 0.5)
    assert told["solved"] == 0.5
    assert told["masked"] == 0.25
    assert told["errors/judge_down"] == 1
    assert "shaped" not in told


def test_a_failed_episode_with_a_reward_counts_nowhere_but_among_the_failed() -> None:
    sound = [group(0, episode(0.0, solved=False, answer="abc"))]
    failed = episode(9.0, env_id="b-v0", answer="abcdefgh", version=7, error="SandboxError: gone", truncated=True)
    alone = measures(sound, version=0)
    told = measures([*sound, group(1, failed)], version=0)
    changed = {name for name in told if told[name] != alone.get(name)}
    assert changed == {"episodes", "masked", "errors/SandboxError"}


def test_the_greedy_episode_of_a_group_counts_nowhere() -> None:
    assert measures([group(0, episode(0.0), greedy=episode(1.0))], 0) == measures([group(0, episode(0.0))], 0)


def test_groups_without_variance_are_those_with_two_sound_episodes_of_one_return() -> None:
    groups = [
        group(0, episode(1.0), episode(1.0)),
        group(1, episode(1.0), episode(0.5, 0.5)),  # the same return in two turns
        group(2, episode(1.0), episode(0.0)),
        group(3, episode(0.0), episode(1.0, error="x: y")),  # only one is sound
    ]
    assert measures(groups, 0)["zero_variance"] == pytest.approx(2 / 3)
    assert "zero_variance" not in measures(groups[3:], 0)


def test_shaping_is_part_of_the_return_and_is_told() -> None:
    told = measures([group(0, episode(1.0, shaped=-0.5), episode(1.0))], 0)
    assert told["reward"] == 0.75
    assert told["shaped"] == -0.25
    assert told["zero_variance"] == 0


def test_lengths_over_turns_and_over_several_rows() -> None:
    one = episode(0.0, 1.0, answer="abc")  # 2 + 3 + 2 + 3 tokens
    two = episode(0.0, answer="abcde", new_rows=True, rewritten=2, truncated=True, overlong=True)
    two.rows.append(episode(1.0, answer="a").rows[0])  # 2 + 5 and 2 + 1
    told = measures([group(0, one, two)], 0)
    assert told["response_tokens"] == (3 + 3 + 5 + 1) / 4
    assert told["response_tokens_max"] == 5
    assert told["episode_tokens"] == 10
    assert told["turns"] == 1.5
    assert told["truncated"] == told["overlong"] == 0.5
    assert told["rewritten"] == 2


def test_staleness_is_over_sampled_tokens() -> None:
    told = measures([group(0, episode(0.0, answer="abc", version=4), episode(0.0, answer="a", version=2))], version=5)
    assert told["staleness"] == (3 * 1 + 1 * 3) / 4
    assert told["staleness_max"] == 3


def test_by_environment() -> None:
    told = measures(
        [group(0, episode(1.0), episode(0.0, solved=False)), group(1, episode(0.5, env_id="b-v1", solved=None))], 0
    )
    assert told["env/a-v0/reward"] == 0.5
    assert told["env/a-v0/solved"] == 0.5
    assert told["env/b-v1/reward"] == 0.5
    assert "env/b-v1/solved" not in told


def test_components_and_seconds_are_means_over_those_that_have_them() -> None:
    told = measures(
        [
            group(
                0,
                episode(0.0, components={"format": 1.0, "odd": nan}, seconds={"policy": 2.0, "environment": 1.0}),
                episode(0.0, components={"format": 0.0}, seconds={"policy": 4.0, "environment": 0.0}),
                episode(0.0),
            )
        ],
        0,
    )
    assert told["components/format"] == 0.5
    assert "components/odd" not in told
    assert told["episode_seconds/policy"] == 3
    assert told["episode_seconds/environment"] == 0.5


@pytest.mark.parametrize(
    "groups",
    [
        [],
        [group(0)],
        [group(0, episode(error="Unreachable: x"), episode(error="y"))],
        [group(0, episode(nan, inf, solved=None))],
        [group(0, episode(solved=None))],
    ],
    ids=["no group", "no episode", "all failed", "no finite reward", "no turn"],
)
def test_where_there_is_nothing_to_say_a_name_is_left_out(groups: list) -> None:
    told = measures(groups, 3)
    assert all(isfinite(value) for value in told.values())
    assert "solved" not in told
    assert not [name for name in told if name.startswith("env/")] or told["reward"] == 0


def test_the_code_of_an_error() -> None:
    assert error_code("judge_down: it broke: badly") == "judge_down"
    assert error_code("EnvhubError") == "EnvhubError"
    assert error_code("a sentence without a code") == "other"
    assert error_code("") == "other"
