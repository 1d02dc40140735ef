"""From seeds and keys to tasks: the same every time, and only of the wanted split."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.authoring import Environment
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import MAX_SEED, SPLITS, Stream, TaskKey, split_of
from envhub.core.types import EnvSpec, Instance, Task
from envhub.tasks.sampling import rebuild
from envhub.tasks.sources import prepare
from tests.support.toys import Dice, Sum, adder, source

SPEC = EnvSpec("toy-v0", "tests.support.toys:?")
SEEDS = st.integers(0, MAX_SEED)


def late(split: str) -> tuple[Task, Instance]:
    """A task that was not the first draw of its seed."""
    return next(drawn for drawn in map(source(Sum(), 5, split).draw, range(100)) if drawn[0].draw)


@given(SEEDS, st.sampled_from(SPLITS), st.integers(3, 10) | st.just((3, 9)))
def test_a_key_gives_the_same_task_again_at_the_cost_of_one_draw(seed: int, split: str, difficulty: Any) -> None:
    task, instance = source(Sum(), difficulty, split).draw(seed)
    assert (task, instance) == source(Sum(), difficulty, split).draw(seed)
    assert task.draw is not None
    assert split_of(task.fingerprint) == split == task.split
    drawn: list[int] = []

    class Counting(Sum):
        def sample(self, rng: Stream, p: Any) -> Any:
            drawn.append(1)
            return super().sample(rng, p)

    key = TaskKey.from_json(json.loads(json.dumps(task.to_json())))
    assert rebuild(SPEC, Counting(), key, task.difficulty) == (task, instance)
    assert rebuild(SPEC, Counting(), key)[1].key == instance.key
    assert len(drawn) == 2


@pytest.mark.parametrize("environment", [Sum(), Dice(), adder()[0]], ids=lambda a: type(a).__name__)
def test_a_task_survives_json(environment: Environment) -> None:
    task, _ = source(environment).draw(4)
    assert Task.from_json(json.loads(json.dumps(task.to_json()))) == task


def test_a_key_without_a_draw_finds_the_draw_and_keeps_the_difficulty() -> None:
    task, instance = late("test")
    assert rebuild(SPEC, Sum(), replace(task.key, draw=None), 5) == (task, instance)


def test_a_key_whose_draw_is_of_another_split_is_refused() -> None:
    task, _ = late("test")
    for draw in range(task.draw or 0):
        with pytest.raises(InvalidParameters, match="altered"):
            rebuild(SPEC, Sum(), replace(task.key, draw=draw))
    refused = 0
    for seed in range(40):
        try:
            forged, _ = rebuild(SPEC, Sum(), replace(task.key, split="train", seed=seed, draw=0))
        except InvalidParameters:
            refused += 1
        else:
            assert split_of(forged.fingerprint) == "train"
    assert refused


def test_a_key_of_another_environment_is_refused() -> None:
    task, _ = source(Sum()).draw(0)
    with pytest.raises(InvalidParameters, match="is of sum-v0, not of toy-v0"):
        rebuild(SPEC, Sum(), replace(task.key, env_id="sum-v0"))


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({}, "lacks the parameters terms, digits"),
        ({"terms": 2}, "lacks the parameters digits"),
        ({"terms": 2, "digits": 1, "digts": 2}, "Did you mean 'digits'"),
        ({"terms": "2", "digits": 1}, "terms"),
        ({"terms": 2.0, "digits": 1}, "terms"),
        ({"terms": True, "digits": 1}, "terms"),
    ],
)
def test_a_key_with_other_parameters_is_refused(params: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        rebuild(SPEC, Sum(), TaskKey("toy-v0", params, "train", 0, 0))


def test_parameters_are_part_of_the_key_and_take_precedence_over_the_level() -> None:
    by_level, _ = source(Sum(), 6).draw(1)
    assert (by_level.difficulty, dict(by_level.params)) == (6, {"terms": 4, "digits": 4})
    by_name, _ = source(Sum(), 6, digits=9).draw(1)
    assert (by_name.difficulty, dict(by_name.params)) == (None, {"terms": 4, "digits": 9})
    defaults, _ = source(Sum(), None).draw(1)
    assert (defaults.difficulty, dict(defaults.params)) == (None, {"terms": 2, "digits": 1})
    with pytest.raises(InvalidParameters, match="Did you mean 'digits'"):
        source(Sum(), 3, digit=2)


def test_a_range_gives_every_level_of_it_and_each_task_has_its_own_level() -> None:
    ranged = source(Sum(), (2, 5))
    tasks = [ranged.draw(seed)[0] for seed in range(60)]
    assert {t.difficulty for t in tasks} == {2, 3, 4, 5}
    for task in tasks[:10]:
        assert source(Sum(), task.difficulty).draw(task.seed)[0] == task


def test_a_schedule_decides_the_level_and_a_bad_level_is_named() -> None:
    class Climbing:
        level: Any = 0

        def pick(self, rng: Stream) -> Any:
            self.level += 1
            return self.level

    climbing = source(Sum(), Climbing())
    assert [climbing.draw(seed)[0].difficulty for seed in range(10)] == list(range(1, 11))
    with pytest.raises(InvalidParameters, match=r"Climbing\.pick gave 11"):
        climbing.draw(0)


def test_neighbouring_seeds_and_splits_share_no_task() -> None:
    prints = [source(Sum(), 10, split).draw(seed)[0].fingerprint for split in SPLITS for seed in range(100)]
    assert len(set(prints)) == len(prints)


def test_registry_parameters_hold_unless_they_are_overridden() -> None:
    from envhub.tasks.sampling import TaskSource

    spec = EnvSpec("toy-v0", "?", params={"terms": 7})
    for overrides, terms in (({}, 7), ({"terms": 3}, 3)):
        task, _ = TaskSource(spec, Sum(), 3, "train", overrides).draw(0)
        assert len(task.problem["xs"]) == terms
        assert task.difficulty == (None if overrides else 3)


@pytest.mark.parametrize("seed", [-1, 2**63, "1", 1.0, None, True])
def test_a_bad_seed_is_refused(seed: Any) -> None:
    with pytest.raises(InvalidParameters, match="A seed is an integer"):
        source(Sum()).draw(seed)


def test_the_prompt_is_the_problem_and_the_format() -> None:
    task, _ = source(Sum()).draw(0)
    problem, instruction = task.prompt.split("\n\n")
    assert problem.startswith("Compute ")
    assert instruction == Sum.answer.instruction()


def test_what_leaves_nothing_to_search_is_not_searched_for() -> None:
    def searches(id: str, difficulty: Any, **params: Any) -> bool:
        return prepare(id, difficulty, "train", params, {})[0].searches

    assert searches("connect-four-v0", 3)
    assert searches("connect-four-v0", (1, 3), win_in=0)  # a range may hold levels that are
    assert not searches("connect-four-v0", 3, win_in=0)
    assert searches("kuhn-poker-v0", 3)
    assert not searches("kuhn-poker-v0", None, opponent="self")  # only habits are searched for
    assert searches("sudoku-v0", 1)
    assert not searches("guess-number-v0", 1)
