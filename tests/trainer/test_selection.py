"""Which tasks a run plays: repeats by failure rate, candidates by predicted success, and replayed successes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.types import Task
from envhub_trainer.config import ConfigError
from envhub_trainer.episode import Episode, Row
from envhub_trainer.group import Group
from envhub_trainer.hub import LocalHub
from envhub_trainer.replay import Replay
from envhub_trainer.rollout import Rollouts
from envhub_trainer.selection import Selection
from envhub_trainer.setup import chosen
from envhub_trainer.techniques import SelectionConfig
from envhub_trainer.watch.measures import measures
from tests.trainer import runs
from tests.trainer.scripted import Scripted, answer_of, player

LEVELS = (1, 8)


def stream() -> envhub.TaskStream:
    return envhub.TaskStream({"arithmetic-v0": 1}, difficulty=LEVELS, seed=5)


def selection(**settings: Any) -> Selection:
    return Selection(stream(), SelectionConfig(**settings), seed=2)


def names(tasks: list[Task]) -> list[str]:
    return [json.dumps(task.key.to_json()) for task in tasks]


def test_by_default_a_stream_is_as_it_was() -> None:
    assert names(list(islice(selection(), 5))) == names(list(islice(stream(), 5)))


def test_repeated_tasks_come_in_proportion_to_their_failure_rate() -> None:
    chosen_from = selection(repeat=0.999)
    easy, middle, hard = islice(stream(), 3)
    for task, results in ((easy, [True] * 8), (middle, [True, False] * 4), (hard, [False] * 8)):
        for solved in results:
            chosen_from.report(task, solved)
    rates = [chosen_from.failure_rate(task) for task in (easy, middle, hard)]
    assert rates == [1 / 10, 5 / 10, 9 / 10]
    drawn = Counter(names(list(islice(chosen_from, 3000))))
    shares = [drawn[name] / 3000 for name in names([easy, middle, hard])]
    assert shares == pytest.approx([rate / sum(rates) for rate in rates], abs=0.035)


def test_a_pool_forgets_the_tasks_played_longest_ago() -> None:
    chosen_from = selection(repeat=0.999, pool=2)
    tasks = list(islice(stream(), 3))
    for task in (*tasks, tasks[1]):
        chosen_from.report(task, False)
    assert set(names(list(islice(chosen_from, 50)))) <= {*names(tasks[1:])}


def test_candidates_of_a_suitable_level_are_played_and_others_skipped() -> None:
    chosen_from = selection(candidates=4)
    plain = selection()
    by_level = {task.difficulty: task for task in islice(stream(), 200)}
    for task in by_level.values():
        assert task.difficulty is not None
        for at in range(40):  # levels 1 to 3 are always solved, 4 and 5 every other time, the others never
            chosen_from.report(task, task.difficulty < 4 or (task.difficulty < 6 and at % 2 == 0))

    def suitable(tasks: Selection) -> float:
        return sum(task.difficulty in (4, 5) for task in islice(tasks, 300)) / 300

    assert suitable(plain) == pytest.approx(2 / 8, abs=0.08)
    assert suitable(chosen_from) == pytest.approx(1 - (6 / 8) ** 4, abs=0.08)


def test_counts_are_discounted_as_the_policy_changes() -> None:
    chosen_from = selection(discount=0.5)
    task = next(stream())
    for solved in (True, True, False):
        chosen_from.report(task, solved)
    assert chosen_from.state_dict()["levels"] == {f"arithmetic-v0 {task.difficulty}": ((1 * 0.5 + 1) * 0.5, 1.0)}
    chosen_from.report(task, None)
    assert list(chosen_from.state_dict()["levels"].values()) == [(0.75, 1.0)]


def test_a_resumed_selection_goes_on_with_the_same_tasks() -> None:
    whole = selection(repeat=0.4, candidates=2)

    def take(tasks: Selection, count: int) -> list[str]:
        found = []
        for task in islice(tasks, count):
            tasks.report(task, len(task.prompt) % 2 == 0)
            found.append(task)
        return names(found)

    first = take(whole, 10)
    state = json.loads(json.dumps(whole.state_dict()))
    second = take(whole, 20)
    again = selection(repeat=0.4, candidates=2)
    again.load_state_dict(state)
    assert take(again, 20) == second
    assert len(set(first + second)) < 30


# -- replay ------------------------------------------------------------------------------------------------------------


def episode(task: Task, reward: float, token: int) -> Episode:
    row = Row()
    row.give([1, 2])
    row.take([token, 9], [-0.5, -0.25], [3, 3])
    row.pay(reward)
    return Episode(task.env_id, task.difficulty, task.key.to_json(), 4, [row], solved=reward > 0, budget=8)


def group(task: Task, number: int, rewards: list[float]) -> Group:
    return Group(number, task, [episode(task, reward, 10 * number + at) for at, reward in enumerate(rewards)])


def tokens(episodes: list[Episode]) -> list[int]:
    return sorted(episode.rows[0].ids[2] for episode in episodes)


def test_successes_return_to_a_later_group_of_the_same_task() -> None:
    one, other = islice(stream(), 2)
    replay = Replay(episodes=2, keep=3, tasks=10)
    replay.note(group(one, 1, [1.0, 0.0, 1.0]))
    assert replay.of(other, 7) == []
    found = replay.of(one, 7)
    assert tokens(found) == [10, 12]
    assert {each.group for each in found} == {7}
    assert found[0].rows[0].logps == [0.0, 0.0, -0.5, -0.25], "the log-probabilities of that time"
    found[0].rows[0].pay(5.0)
    assert all(each.reward == 1.0 for each in replay.of(one, 8)), "a copy was changed"
    replay.note(group(one, 2, [1.0, 1.0]))
    assert set(tokens(replay.of(one, 1) + replay.of(one, 2) + replay.of(one, 3))) <= {12, 20, 21}


def test_a_replay_keeps_a_number_of_tasks_and_its_state_is_json() -> None:
    tasks = list(islice(stream(), 3))
    replay = Replay(episodes=1, keep=2, tasks=2)
    for number, task in enumerate(tasks):
        replay.note(group(task, number, [1.0]))
    assert [bool(replay.of(task, 9)) for task in tasks] == [False, True, True]
    again = Replay(episodes=1, keep=2, tasks=2)
    again.load_state_dict(json.loads(json.dumps(replay.state_dict())))
    assert [again.of(task, 9) for task in tasks] == [replay.of(task, 9) for task in tasks]


def test_a_replay_without_repeated_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"set selection\.repeat"):
        chosen(runs.config(tmp_path, replay={"episodes": 1}))
    with pytest.raises(ConfigError, match=r"tasks\.pool excludes selection\.repeat"):
        chosen(runs.config(tmp_path, selection={"repeat": 0.1}, tasks={"pool": 8}))
    changes: dict[str, Any] = {"optimizer": {"minibatches": 1}, "algorithm": {"name": "rloo"}}
    with pytest.raises(ConfigError, match="rloo has no importance ratio"):
        chosen(runs.config(tmp_path, replay={"episodes": 1}, selection={"repeat": 0.1}, **changes))


def test_successes_of_a_run_join_later_groups_of_their_task_and_survive_a_checkpoint() -> None:
    task = next(envhub.TaskStream({"guess-number-v0": {"weight": 1, "low": 1, "high": 16}}, answer_format="last"))

    class Same(envhub.TaskStream):
        def __next__(self) -> Task:
            return task

    def rollouts(**more: Any) -> Rollouts:
        solving = player(Scripted(lambda context, seed: str(answer_of(task))), LocalHub({"answer_format": "last"}))
        return Rollouts(solving, Same("guess-number-v0"), groups=1, size=2, replay=Replay(2, 3, 10), **more)

    async def resumed() -> tuple[Group, Group]:
        before = rollouts()
        before.proceed(0)
        [first] = await before.take()
        after = rollouts(step=1, state=json.loads(json.dumps(before.state_dict())))
        after.proceed(1)
        [second] = await after.take()
        return first, second

    first, second = asyncio.run(resumed())
    assert first.added == []
    assert [episode.rows for episode in second.added] == [episode.rows for episode in first.episodes]
    assert second.learned == [*second.episodes, *second.added]
    assert measures([second], 0)["episodes"] == 2
