"""What is decided from episodes, before there are tensors: which are learned from, and what their length costs."""

from __future__ import annotations

import pytest

from envhub_trainer.algorithms import algorithm
from envhub_trainer.episode import Episode, Row
from tests.trainer.algorithms.toys import an_episode


def test_uniform_groups_are_told_by_what_the_environment_paid() -> None:
    (keep,) = algorithm("dapo").keep
    same = [an_episode([0.1, 0.2], seed=1), an_episode([0.3], seed=2)]  # 0.30000000000000004 and 0.3
    assert not keep(same)
    same[0].shaped = -0.5
    assert not keep(same), "shaping makes no group worth learning from"
    assert keep([*same, an_episode([1.0])])
    assert not keep(same[:1])
    assert not keep([])


def test_groups_are_kept_by_their_share_of_successes() -> None:
    (keep,) = algorithm("prime").keep  # 2502.01456: between 0.2 and 0.8
    for solved, kept in ((0, False), (1, True), (4, True), (5, False)):
        made = [an_episode([1.0 if i < solved else 0.9], seed=i) for i in range(5)]
        made[0].shaped = -0.5  # shaping makes no answer wrong
        assert keep(made) == kept, solved
    (looser,) = algorithm("prime", success=0.9).keep
    assert not looser([an_episode([0.9], seed=i) for i in range(3)])
    assert not keep([])


def test_the_shortest_are_kept_the_first_ones_among_equals() -> None:
    lengths = [7, 3, 9, 3, 3]
    made = []
    for n in lengths:
        row = Row()
        row.take([1] * n, [-1.0] * n, [0] * n)
        made.append(Episode("toy-v0", None, {}, 0, [row]))
    for k, wanted in ((2, [1, 3]), (4, [0, 1, 3, 4]), (9, [0, 1, 2, 3, 4])):
        include = algorithm("gfpo", keep_shortest=k).include
        assert include is not None
        assert [i for i, on in enumerate(include(made)) if on] == wanted


def test_length_is_priced_and_the_end_of_the_budget_punished() -> None:
    row = Row()
    row.take([1] * 18, [-1.0] * 18, [0] * 18)

    def of(budget: int) -> Episode:
        return Episode("toy-v0", None, {}, 0, [row], budget=budget)

    (default,) = algorithm("dapo").shape
    assert default(of(20)) == -0.5  # a fifth of 20 is 4: 16 is free, 18 is half way
    assert default(of(30)) == 0
    overlong, price = algorithm("dapo", overlong_buffer=10, overlong_penalty=2, length=0.5).shape
    assert overlong(of(20)) == pytest.approx(-1.6)
    assert price(of(20)) == pytest.approx(-0.45)
    with pytest.raises(ValueError, match="at most the episode's budget of 5 tokens, got 10"):
        overlong(of(5))
    with pytest.raises(ValueError, match="the budget of an episode is a whole number at least 1, got 0"):
        default(of(0))
