"""The stages of sampling: content first, the dear part after, and splits that hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from envhub.core.errors import SplitExhausted
from envhub.core.seeding import Stream, fingerprint, split_of
from envhub.core.types import Instance
from tests.authoring.environment.variants import Staged, variant
from tests.support.toys import Sum, source


def test_the_dear_part_of_sampling_is_done_only_for_content_of_the_split() -> None:
    environment = variant(Staged, work=Counter())
    tasks = [source(environment, split="test").draw(seed)[0] for seed in range(20)]
    assert environment.work["dear"] == 20
    assert environment.work["cheap"] == sum(t.draw + 1 for t in tasks)  # type: ignore[operator]
    assert environment.work["cheap"] > 100
    assert all(split_of(t.fingerprint) == "test" for t in tasks)
    assert all(t.fingerprint == fingerprint("toy", t.problem["n"]) for t in tasks)


def test_an_attempt_that_gives_up_at_either_stage_is_followed_by_another() -> None:
    late = variant(Staged, work=Counter(), finish=lambda self, n, rng: None if n % 2 else Instance({"n": n}, 0))
    early = variant(Sum, sample=lambda self, rng, p: None if (n := rng.below(1000)) % 2 else Instance({"xs": [n]}, n))
    for seed in range(20):
        assert source(late).draw(seed)[0].problem["n"] % 2 == 0
        assert source(early).draw(seed)[0].problem["xs"][0] % 2 == 0
    assert any(source(late).draw(seed)[0].draw for seed in range(20))
    assert late.work["dear"] > 20


def test_giving_up_before_the_yield_gives_the_attempt_up_too() -> None:
    def sample(self: Any, rng: Stream, p: Any) -> Any:
        if (n := rng.below(10)) > 2:
            return None
        yield n
        return Instance({"n": n}, 0)

    environment = variant(Staged, sample=sample, canonical=lambda self, content: content, split_by="seed")
    assert {source(environment).draw(seed)[0].problem["n"] for seed in range(30)} == {0, 1, 2}


def test_yielding_twice_is_an_error_of_the_author() -> None:
    def sample(self: Any, rng: Stream, p: Any) -> Any:
        yield {"n": 1}
        yield {"n": 2}

    with pytest.raises(TypeError, match="yields once"):
        source(variant(Staged, sample=sample, split_by="none")).draw(0)


def test_a_split_without_problems_says_so() -> None:
    only = variant(Sum, sample=lambda self, rng, p: Instance({"xs": [1]}, 1))
    home = split_of(fingerprint("toy", [1]))
    other = "train" if home == "test" else "test"
    assert source(only, split=home).draw(0)[0].draw == 0
    with pytest.raises(
        SplitExhausted, match=rf"toy-v0 has too few problems for the split '{other}'.*20000 drawn from seed 9"
    ):
        source(only, split=other).draw(9)


@pytest.mark.parametrize(("split_by", "same"), [("seed", False), ("none", True)])
def test_hidden_state_is_split_by_seed_and_one_problem_for_all_by_nothing(split_by: str, same: bool) -> None:
    environment = variant(Sum, split_by=split_by)
    fingerprints = {
        source(environment, split=s).draw(seed)[0].fingerprint for s in ("train", "test") for seed in range(5)
    }
    assert len(fingerprints) == (1 if same else 10)
    assert all(source(environment, split="test").draw(seed)[0].draw == 0 for seed in range(5))


def test_sister_environments_agree_on_what_is_the_same_content() -> None:
    one, other = (variant(Sum, family="sums", prompt=lambda self, problem, w=w: w) for w in "ab")
    assert [source(one).draw(s)[0].fingerprint for s in range(5)] == [
        source(other).draw(s)[0].fingerprint for s in range(5)
    ]
    assert source(one).draw(0)[0].fingerprint != source(Sum()).draw(0)[0].fingerprint
