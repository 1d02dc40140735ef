"""When groups of episodes begin: how far sampling runs ahead, stragglers, and what is played again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given, strategies as st

import envhub
from envhub.core.types import Task
from envhub_trainer.episode import Episode, Row
from envhub_trainer.group import Group
from envhub_trainer.rollout import NEW, Rollouts
from tests.trainer.test_rollout import GUESS, tasks


class Stepped:
    """Groups that take as many rounds as they are told; counts what begins."""

    def __init__(self, rounds: dict[int, int]) -> None:
        self.rounds = rounds
        self.begun: list[tuple[int, int]] = []
        self.version = 0

    async def groups(self, number: int, task: Task, size: int, greedy: bool) -> list[Group]:
        self.begun.append((number, self.version))
        version = self.version
        for _ in range(self.rounds.get(number, 0)):
            await asyncio.sleep(0)
        row = Row(ids=[1], mask=[1], logps=[0.0], versions=[version], ends=[0], rewards=[0.0])
        return [Group(number, task, [Episode("e", None, {}, number, rows=[row], solved=True)])]


FIRST = tasks(1)[0]


class Endless:
    """Tasks without end, and what was reported of them."""

    def __init__(self) -> None:
        self.reported: list[Any] = []

    def __next__(self) -> Any:
        return FIRST

    def report(self, task: Any, solved: bool | None) -> None:
        self.reported.append(solved)


@given(
    staleness=st.integers(0, 3),
    groups=st.integers(1, 4),
    rounds=st.dictionaries(st.integers(0, 40), st.integers(0, 30)),
    slow=st.lists(st.integers(0, 20), min_size=8, max_size=8),
)
def test_no_token_is_older_than_the_bound_and_no_group_is_lost_or_taken_twice(
    staleness: int, groups: int, rounds: dict[int, int], slow: list[int]
) -> None:
    async def main() -> None:
        playing = Stepped(rounds)
        rollouts = Rollouts(playing, Endless(), groups=groups, size=1, staleness=staleness)  # type: ignore[arg-type]
        taken = []
        rollouts.proceed(0)
        for step in range(8):
            batch = await rollouts.take()
            assert len(batch) == groups
            ages = [step - group.episodes[0].rows[0].versions[0] for group in batch]
            assert all(0 <= age <= staleness for age in ages)
            taken += [group.number for group in batch]
            for _ in range(slow[step]):
                await asyncio.sleep(0)
            playing.version = step + 1
            rollouts.proceed(step + 1)
        assert len(set(taken)) == len(taken) == 8 * groups
        due = [number for number, version in playing.begun if version + staleness < 8]
        assert set(due) <= set(taken)
        left = [each["number"] for each in rollouts.state_dict()["pending"]]
        assert sorted([*taken, *left]) == list(range(rollouts.begun))
        assert len(playing.begun) <= (8 + 1 + staleness) * groups
        await rollouts.close()

    asyncio.run(main())


def test_sampling_does_run_ahead_when_it_may() -> None:
    async def begun(staleness: int) -> int:
        playing = Stepped({})
        rollouts = Rollouts(playing, Endless(), groups=2, size=1, staleness=staleness)  # type: ignore[arg-type]
        rollouts.proceed(0)
        await rollouts.take()
        await rollouts.close()
        return len(playing.begun)

    assert [asyncio.run(begun(staleness)) for staleness in (0, 1, 2)] == [2, 4, 6]


def test_groups_that_teach_nothing_are_replaced_up_to_a_bound_and_all_are_reported() -> None:
    async def main(refills: int) -> tuple[list[int], int, int]:
        stream = Endless()
        rollouts = Rollouts(Stepped({}), stream, groups=3, size=1)  # type: ignore[arg-type]
        rollouts.proceed(0)
        taken = await rollouts.take(lambda group: group.number % 2 == 1, refills)
        return [group.number for group in taken], rollouts.replaced, len(stream.reported)

    assert asyncio.run(main(0)) == ([0, 1, 2], 0, 3)
    assert asyncio.run(main(100)) == ([1, 3, 5], 3, 6)
    assert asyncio.run(main(1)) == ([1, 2, 3], 1, 4)


def test_a_straggler_is_overtaken_until_its_last_moment() -> None:
    async def taken(staleness: int) -> list[list[int]]:
        rollouts = Rollouts(Stepped({0: 10_000}), Endless(), groups=2, size=1, staleness=staleness)  # type: ignore[arg-type]
        steps = []
        for step in range(4):
            rollouts.proceed(step)
            steps.append([group.number for group in await rollouts.take()])
        await rollouts.close()
        return steps

    assert asyncio.run(taken(0)) == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert asyncio.run(taken(1)) == [[1, 2], [3, 0], [4, 5], [6, 7]]
    assert asyncio.run(taken(2)) == [[1, 2], [3, 4], [5, 0], [6, 7]]


def test_a_task_of_which_nothing_could_be_played_is_played_again() -> None:
    class Restarting(Stepped):
        async def groups(self, number: int, task: Task, size: int, greedy: bool) -> list[Group]:
            [group] = await super().groups(number, task, size, greedy)
            if len(self.begun) < 3:
                group.episodes[0].error = "RemoteError: nobody answers"
            return [group]

    async def main() -> None:
        playing = Restarting({})
        rollouts = Rollouts(playing, Endless(), groups=1, size=1)  # type: ignore[arg-type]
        rollouts.proceed(0)
        [group] = await rollouts.take()
        assert group.sound
        assert playing.begun == [(0, 0)] * 3

    asyncio.run(main())


def test_a_run_that_goes_on_plays_again_what_had_begun_and_loses_nothing() -> None:
    def rollouts(playing: Stepped, step: int = 0, state: Any = NEW) -> Rollouts:
        stream = envhub.TaskStream(GUESS, answer_format="tag")
        if state is not NEW:
            stream.load_state_dict(state["stream"])
        made = Rollouts(playing, stream, groups=4, size=1, staleness=2, step=step, state=state)  # type: ignore[arg-type]
        made.stream = stream  # type: ignore[attr-defined]
        return made

    async def steps(made: Rollouts, first: int, last: int) -> list[Group]:
        taken = []
        for step in range(first, last):
            made.proceed(step)
            taken += await made.take()
        return taken

    async def main() -> None:
        one = rollouts(Stepped({1: 50, 6: 30}))
        before = await steps(one, 0, 2)
        saved = json.loads(json.dumps({**one.state_dict(), "stream": one.stream.state_dict()}))  # type: ignore[attr-defined]
        await one.close()  # killed
        assert len(saved["pending"]) == 8
        after = await steps(rollouts(Stepped({}), 2, saved), 2, 6)
        numbers = [group.number for group in (*before, *after)]
        assert sorted(numbers) == list(range(24))
        stream = envhub.TaskStream(GUESS, answer_format="tag")
        assert [group.task for group in sorted((*before, *after), key=lambda group: group.number)] == [
            next(stream) for _ in range(24)
        ]

    asyncio.run(main())
