"""A stream of tasks: endless, seeded, sharded without overlap, resumable."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub import Curriculum, TaskStream
from envhub.core.errors import InvalidParameters, SnapshotMismatch

MIX = {"arithmetic-v0": 2, "guess-number-v0": 1}


def seeds(stream: TaskStream, count: int) -> list[tuple[str, int]]:
    return [(task.env_id, task.seed) for task in islice(stream, count)]


@settings(max_examples=20)
@given(world_size=st.integers(1, 5), rounds=st.integers(1, 6))
def test_shards_together_are_the_whole_without_overlap(world_size: int, rounds: int) -> None:
    whole = seeds(TaskStream(MIX, seed=5), world_size * rounds)
    shards = [seeds(TaskStream(MIX, seed=5, rank=rank, world_size=world_size), rounds) for rank in range(world_size)]
    assert [shards[i % world_size][i // world_size] for i in range(world_size * rounds)] == whole
    assert len(set(whole)) == len(whole)


def test_streams_of_neighbouring_seeds_share_nothing() -> None:
    one, other = (set(seeds(TaskStream(MIX, seed=seed), 200)) for seed in (1, 2))
    assert not one & other


@pytest.mark.slow
def test_a_stream_is_the_same_in_another_process() -> None:
    program = (
        "from itertools import islice; from envhub import TaskStream, Curriculum\n"
        f"s = TaskStream({MIX!r}, difficulty=Curriculum(), seed=9)\n"
        "print([(t.env_id, t.seed) for t in islice(s, 5)], s.state_dict()['settings'])"
    )
    here = TaskStream(MIX, difficulty=Curriculum(), seed=9)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"{seeds(here, 5)} {here.state_dict()['settings']}"


@settings(max_examples=20)
@given(before=st.integers(0, 6), old=st.integers(1, 4), new=st.integers(1, 4))
def test_it_goes_on_where_it_was_on_any_number_of_ranks(before: int, old: int, new: int) -> None:
    taken = before * old
    first = TaskStream(MIX, rank=old - 1, world_size=old)
    seeds(first, before)
    state = json.loads(json.dumps(first.state_dict()))
    later: list[Any] = []
    shards = [TaskStream(MIX, rank=rank, world_size=new) for rank in range(new)]
    for shard in shards:
        shard.load_state_dict(state)
    for _ in range(3):
        later += [seeds(shard, 1)[0] for shard in shards]
    skipped = -taken % new  # the rest of a round that other ranks began
    assert later == seeds(TaskStream(MIX), taken + skipped + 3 * new)[taken + skipped :]


def test_ranks_that_have_taken_equally_many_have_equal_states() -> None:
    shards = [TaskStream(MIX, rank=rank, world_size=3) for rank in range(3)]
    for shard in shards:
        seeds(shard, 4)
    assert shards[0].state_dict() == shards[1].state_dict() == shards[2].state_dict()


def test_what_is_reported_moves_the_level_and_is_in_the_state() -> None:
    stream = TaskStream("arithmetic-v0", difficulty=Curriculum(window=4, review=0))
    for task in islice(stream, 4):
        assert task.difficulty == 1
        stream.report(task, envhub.verify(task, envhub.begin(task).solve()).solved)
    assert next(stream).difficulty == 2
    again = TaskStream("arithmetic-v0", difficulty=Curriculum(window=4, review=0))
    again.load_state_dict(json.loads(json.dumps(stream.state_dict())))
    assert next(again) == next(stream)
    assert again.state_dict()["curricula"]["arithmetic-v0"]["level"] == 2


def test_an_error_says_nothing_about_the_policy() -> None:
    stream = TaskStream("arithmetic-v0", difficulty=Curriculum(window=1, start=5, review=0))
    stream.report(next(stream), None)
    assert next(stream).difficulty == 5


def test_a_task_of_a_stream_can_be_played() -> None:
    for task in islice(TaskStream(MIX, difficulty=(1, 6), answer_format="boxed"), 6):
        env = envhub.begin(task, answer_format="boxed")
        assert env.task == task
        done = False
        while not done:
            _, reward, done, truncated, _ = env.step(env.solve())
            assert not truncated
        assert reward == 1.0


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 1},
        {"split": "test"},
        {"difficulty": 4},
        {"difficulty": Curriculum(window=3)},
        {"environments": {"arithmetic-v0": 1}},
        {"environments": {"arithmetic-v0": 1, "guess-number-v0": 1}},
    ],
)
def test_the_state_of_another_stream_is_refused(other: dict[str, Any]) -> None:
    state = TaskStream(**{"environments": MIX, **other}).state_dict()
    with pytest.raises(SnapshotMismatch):
        TaskStream(MIX).load_state_dict(state)


@pytest.mark.parametrize("damage", [{"envhub": 2}, {"taken": -1}, {"taken": "3"}, {"curricula": {"maze-v0": {}}}])
def test_a_damaged_state_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(SnapshotMismatch):
        TaskStream(MIX).load_state_dict({**TaskStream(MIX).state_dict(), **damage})


@pytest.mark.parametrize(("rank", "world_size"), [(1, 1), (-1, 2), (0, 0), (0.0, 1)])
def test_a_rank_that_is_none_is_refused(rank: Any, world_size: Any) -> None:
    with pytest.raises(InvalidParameters, match="rank"):
        TaskStream(MIX, rank=rank, world_size=world_size)
