"""pass@k: the papers' closed forms, brute force over all groups of k, and the gradient they promise."""

from __future__ import annotations

import math
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import marginal_at_k_rewards, max_at_k, max_at_k_rewards

REWARDS = st.lists(st.integers(-3, 3).map(float) | st.floats(-2, 2), min_size=1, max_size=7)


@st.composite
def groups(draw: Any) -> tuple[list[float], int]:
    rewards = draw(REWARDS)
    return rewards, draw(st.integers(1, len(rewards)))


def close(one: list[float], other: list[float]) -> bool:
    return one == pytest.approx(other, abs=1e-9, nan_ok=True)


def test_two_of_four_solved_with_two_tries() -> None:
    rewards = [0.0, 1.0, 0.0, 1.0]
    assert max_at_k(rewards, 2) == pytest.approx(5 / 6)  # 1 - C(2, 2) / C(4, 2)
    assert close(max_at_k_rewards(rewards, 2), [1 / 3, 1 / 2, 1 / 3, 1 / 2])  # k/n * 2/3 and k/n
    assert close(marginal_at_k_rewards(rewards, 2), [0.0, 1 / 3, 0.0, 1 / 3])  # 1/2 * (1 - 1/3)


@pytest.mark.parametrize(("n", "c", "k"), [(n, c, k) for n in (1, 2, 5) for c in range(n + 1) for k in range(1, n + 1)])
def test_the_closed_forms_for_solved_and_unsolved(n: int, c: int, k: int) -> None:
    def rho(n: int, c: int, k: int) -> float:
        return 1 - comb(n - c, k) / comb(n, k)

    rewards = [1.0] * c + [0.0] * (n - c)
    assert max_at_k(rewards, k) == pytest.approx(rho(n, c, k))
    wrong = k / n * rho(n - 1, c, k - 1) if c < n else 0.0
    assert close(max_at_k_rewards(rewards, k), [k / n] * c + [wrong] * (n - c))


@given(groups())
def test_all_of_it_is_a_mean_over_all_groups_of_k(group: tuple[list[float], int]) -> None:
    rewards, k = group
    n = len(rewards)
    teams = list(combinations(range(n), k))
    best = {team: max(rewards[i] for i in team) for team in teams}
    assert max_at_k(rewards, k) == pytest.approx(sum(best.values()) / len(teams), abs=1e-9)
    shares = [sum(best[team] for team in teams if i in team) / len(teams) for i in range(n)]
    assert close(max_at_k_rewards(rewards, k), shares)
    others = [
        sum(max((rewards[j] for j in team if j != i), default=0.0) for team in teams if i in team) / len(teams)
        for i in range(n)
    ]
    assert close(marginal_at_k_rewards(rewards, k), [share - rest for share, rest in zip(shares, others, strict=True)])


@given(groups(), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_ranges_hold(group: tuple[list[float], int], random: Any) -> None:
    rewards, k = group
    order = list(range(len(rewards)))
    random.shuffle(order)
    low, high, part = min(rewards), max(rewards), k / len(rewards)
    for transform in (max_at_k_rewards, marginal_at_k_rewards):
        shares = transform(rewards, k)
        assert transform([rewards[i] for i in order], k) == [shares[i] for i in order]
        for one, other in product(range(len(rewards)), repeat=2):  # a better sample never gets less
            assert shares[one] <= shares[other] + 1e-9 or rewards[one] > rewards[other]
    assert all(part * low - 1e-9 <= share <= part * high + 1e-9 for share in max_at_k_rewards(rewards, k))
    if k > 1:
        assert all(-1e-9 <= share <= part * (high - low) + 1e-9 for share in marginal_at_k_rewards(rewards, k))
    assert low - 1e-9 <= max_at_k(rewards, k) <= high + 1e-9
    assert max_at_k(rewards, k) <= max_at_k(rewards, len(rewards)) + 1e-9


@pytest.mark.parametrize("transform", [max_at_k_rewards, marginal_at_k_rewards])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (4, 3), (4, 4)])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_the_policy_gradient_is_that_of_pass_at_k(transform: Any, n: int, k: int, p: float) -> None:
    expected = 0.0
    for group in product((0.0, 1.0), repeat=n):
        turn_seed = math.prod(p if solved else 1 - p for solved in group)
        scores = [1 / p if solved else -1 / (1 - p) for solved in group]  # d log(chance of this sample) / dp
        expected += turn_seed * sum(
            share * score for share, score in zip(transform(list(group), k), scores, strict=True)
        )
    assert expected == pytest.approx(k * (1 - p) ** (k - 1))  # d/dp of 1 - (1 - p)^k


def test_the_plain_rewards_do_not_have_that_gradient() -> None:
    p, n, k = 0.8, 3, 2
    expected = 0.0
    for group in product((0.0, 1.0), repeat=n):
        turn_seed = math.prod(p if solved else 1 - p for solved in group)
        expected += turn_seed * sum(r / n * (1 / p if r else -1 / (1 - p)) for r in group)
    assert expected == pytest.approx(1.0)  # that of pass@1
    assert expected != pytest.approx(k * (1 - p) ** (k - 1))


@given(groups(), st.data())
def test_what_could_not_be_judged_is_left_out(group: tuple[list[float], int], data: Any) -> None:
    rewards, k = group
    holes = data.draw(st.lists(st.integers(0, len(rewards)), max_size=3))
    holed = list(rewards)
    for hole in holes:
        holed.insert(hole, math.nan)
    assert max_at_k(holed, k) == max_at_k(rewards, k)
    for transform in (max_at_k_rewards, marginal_at_k_rewards):
        shares = transform(holed, k)
        assert [math.isnan(share) for share in shares] == [math.isnan(reward) for reward in holed]
        assert [share for share in shares if not math.isnan(share)] == transform(rewards, k)


def test_with_too_few_left_there_is_no_estimate() -> None:
    assert math.isnan(max_at_k([1.0, math.nan], 2))
    assert all(map(math.isnan, max_at_k_rewards([1.0, math.nan], 2)))
    assert all(map(math.isnan, marginal_at_k_rewards([1.0, math.nan], 2)))


@pytest.mark.parametrize("k", [0, -1, 3, 1.0, True])
def test_the_number_of_tries_is_at_most_that_of_the_samples(k: Any) -> None:
    for function in (max_at_k, max_at_k_rewards, marginal_at_k_rewards):
        with pytest.raises(InvalidParameters):
            function([0.0, 1.0] if k is not True else [], k)
