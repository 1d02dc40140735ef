"""Episodes of a scripted policy in real environments, in process and over HTTP."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.core.errors import RemoteError
from envhub.core.types import Task
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer.algorithms import algorithm
from envhub_trainer.episode import Episode
from envhub_trainer.group import Group
from envhub_trainer.hub import Hub, LocalHub, open_hub
from envhub_trainer.policy import PolicyError
from envhub_trainer.rollout import seed_of
from tests.server.serving import serving
from tests.trainer.scripted import END, RENDERER, TOKENIZER, Scripted, answer_of, player
from tests.trainer.tokenizing import FORGETTING, tokenizer

GUESS = {"guess-number-v0": {"weight": 1, "low": 1, "high": 16, "guesses": 4}}
OPTIONS = {"answer_format": "tag"}


def tasks(count: int, environments: Any = GUESS) -> list[Task]:
    return list(islice(envhub.TaskStream(environments, answer_format="tag"), count))


def in_turn(*actions: str) -> Scripted:
    """Says the actions one after the other, by the number of turns in the context."""
    return Scripted(lambda context, seed: actions[context.count("<|im_end|>") // 2])


def one(policy: Scripted, task: Task, hub: Hub | None = None, **more: Any) -> Episode:
    [group] = asyncio.run(player(policy, hub or LocalHub(OPTIONS), **more).groups(7, task, 1))
    return group.episodes[0]


def guesses(task: Task) -> tuple[int, int, str]:
    """A wrong guess, the right one, and what the wrong one is answered with."""
    secret = answer_of(task)
    wrong = 1 if secret != 1 else 2
    return (
        wrong,
        secret,
        f"My number is higher than {wrong}." if secret > wrong else f"My number is lower than {wrong}.",
    )


def test_an_episode_is_prompt_action_observation_action_token_for_token() -> None:
    task = tasks(1)[0]
    wrong, right, told = guesses(task)
    policy = in_turn(f"<answer>{wrong}</answer>", f"<answer>{right}</answer>")
    episode = one(policy, task)
    [row] = episode.rows
    opening = RENDERER.opening([{"role": "user", "content": task.prompt}])
    first, second = (
        [*TOKENIZER.encode(f"<answer>{n}</answer>", add_special_tokens=False), END] for n in (wrong, right)
    )
    between = RENDERER.between(END, f"{told} Guesses left: 3.")
    assert row.ids == [*opening, *first, *between, *second]
    assert row.mask == [0] * len(opening) + [1] * len(first) + [0] * len(between) + [1] * len(second)
    assert row.logps[len(opening) : len(opening) + 3] == [-1.0, -2.0, -3.0]
    assert not any(lp for lp, sampled in zip(row.logps, row.mask, strict=True) if not sampled)
    assert {v for v, sampled in zip(row.versions, row.mask, strict=True) if not sampled} == {-1}
    assert {v for v, sampled in zip(row.versions, row.mask, strict=True) if sampled} == {0}
    assert row.ends == [len(opening) + len(first) - 1, len(row.ids) - 1]
    assert row.rewards == [0.0, 1.0]
    assert (episode.reward, episode.solved, episode.error, episode.truncated) == (1.0, True, None, False)
    assert [turn.action for turn in episode.turns] == [f"<answer>{wrong}</answer>", f"<answer>{right}</answer>"]
    assert [turn.observation for turn in episode.turns] == [task.prompt, f"{told} Guesses left: 3."]
    assert episode.task["seed"] == task.seed


def test_every_context_begins_with_the_one_before() -> None:
    task = tasks(1)[0]
    wrong = guesses(task)[0]
    policy = in_turn(*[f"<answer>{wrong}</answer>"] * 4)
    episode = one(policy, task)
    assert len(policy.asked) == 4
    for earlier, later in zip(policy.asked, policy.asked[1:], strict=False):
        assert later[: len(earlier)] == earlier
    assert episode.rows[0].ids[: len(policy.asked[-1])] == policy.asked[-1]
    assert (episode.reward, episode.solved) == (0.0, False)


def test_a_system_message_opens_the_conversation() -> None:
    task = tasks(1)[0]
    policy = Scripted(lambda context, seed: "no")
    one(policy, task, system="Be brief.")
    assert TOKENIZER.decode(policy.asked[0]).startswith("<|im_start|>system\nBe brief.<|im_end|>")


def test_the_budget_of_an_episode_is_that_of_all_its_turns() -> None:
    task = tasks(1)[0]
    episode = one(in_turn(*["A message of fifteen tokens.!?"[:15]] * 4), task, max_tokens=64)
    assert (len(episode.turns), episode.sampled, episode.budget) == (4, 64, 256)
    assert [shape(episode) for shape in algorithm("dapo").shape] == [0.0]
    cut = one(in_turn(*["A message of fifteen tokens.!?"[:15]] * 4), task, max_tokens=16)
    assert [shape(cut) for shape in algorithm("dapo", length=1).shape] == [-1.0, -1.0]
    one_turn = tasks(1, {"arithmetic-v0": 1})[0]
    assert one(Scripted(lambda context, seed: "7"), one_turn, max_tokens=64).budget == 64
    full = Scripted(lambda context, seed: "7", context=600)
    assert one(full, task, max_tokens=512).budget == 600


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 10_000))) as address:
        yield address


def played(hub_url: str | None, task: Task, script: list[str]) -> list[Episode]:
    async def main() -> list[Group]:
        async with open_hub(hub_url, OPTIONS) as hub:
            return await player(in_turn(*script), hub).groups(3, task, 3, greedy=True)

    [group] = asyncio.run(main())
    assert group.greedy is not None
    return [*group.episodes, group.greedy]


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_http_and_in_process_give_the_same_rows(data: st.DataObject, url: str) -> None:
    seed = data.draw(st.integers(0, 1000))
    task = next(envhub.TaskStream(GUESS, seed=seed, answer_format="tag"))
    script = data.draw(
        st.lists(st.sampled_from(["<answer>8</answer>", "<answer>3</answer>", "?", ""]), min_size=4, max_size=4)
    )
    here, there = played(None, task, script), played(url, task, script)
    for one, other in zip(here, there, strict=True):
        assert [row.ids for row in one.rows] == [row.ids for row in other.rows]
        assert [row.rewards for row in one.rows] == [row.rewards for row in other.rows]
        assert (one.solved, one.truncated, one.error, one.components) == (
            other.solved,
            other.truncated,
            other.error,
            other.components,
        )


def test_a_verdict_that_could_not_be_given_marks_the_episode_and_pays_nothing() -> None:
    class Unjudged(LocalHub):
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            sessions = await super().begin(task, turn_seeds)
            for session in sessions:
                session.step = self.step  # type: ignore[method-assign]
            return sessions

        async def step(self, action: str) -> Any:
            return (
                "",
                float("nan"),
                False,
                True,
                {"error": {"code": "judge", "reason": "down"}, "verdict": {"solved": None}},
            )

    episode = one(in_turn("4"), tasks(1)[0], Unjudged(OPTIONS))
    assert episode.error == "judge: down"
    assert episode.solved is None
    assert episode.reward == 0.0  # and collate refuses it


@pytest.mark.parametrize("bad", [0, 1, 3])
def test_a_reward_that_is_nan_without_an_error_is_never_nought(bad: int) -> None:
    class Nan(LocalHub):
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            [session] = await super().begin(task, turn_seeds)
            real, turn = session.step, iter(range(4))

            async def step(action: str) -> Any:
                told, reward, *rest = await real(action)
                return told, float("nan") if next(turn) == bad else reward, *rest

            session.step = step  # type: ignore[method-assign]
            return [session]

    task = tasks(1)[0]
    wrong = guesses(task)[0]
    episode = one(in_turn(*[f"<answer>{wrong}</answer>"] * 4), task, Nan(OPTIONS))
    assert episode.error == "nan: a reward is NaN although no error was reported"
    assert math.isnan(episode.turns[bad].reward)


def test_a_hub_out_of_reach_fails_the_group_and_not_the_run() -> None:
    class Away:
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            raise RemoteError("nobody answers")

    [group] = asyncio.run(player(in_turn("4"), Away()).groups(0, tasks(1)[0], 3, greedy=True))
    assert [episode.error for episode in group.episodes] == ["RemoteError: nobody answers"] * 3
    assert group.sound == []
    assert group.greedy is not None
    assert group.greedy.error is not None


def test_a_hub_lost_in_the_middle_fails_the_episode() -> None:
    class Losing(LocalHub):
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            sessions = await super().begin(task, turn_seeds)
            sessions[1].step = self.lost  # type: ignore[method-assign]
            return sessions

        async def lost(self, action: str) -> Any:
            raise RemoteError("gone")

    task = tasks(1)[0]
    right = guesses(task)[1]
    [group] = asyncio.run(player(in_turn(f"<answer>{right}</answer>"), Losing(OPTIONS)).groups(0, task, 3))
    assert [episode.error for episode in group.episodes] == [None, "RemoteError: gone", None]
    assert [episode.solved for episode in group.sound] == [True, True]


def test_a_policy_that_fails_stops_everything_and_leaves_no_session() -> None:
    closed: list[int] = []

    class Noting(LocalHub):
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            sessions = await super().begin(task, turn_seeds)
            for number, session in enumerate(sessions):
                session.close = partial(self.close, number)  # type: ignore[method-assign]
            return sessions

        async def close(self, number: int) -> None:
            closed.append(number)

    policy = Scripted(lambda context, seed: None)
    with pytest.raises(PolicyError, match="scripted"):
        asyncio.run(player(policy, Noting(OPTIONS)).groups(0, tasks(1)[0], 4))
    assert sorted(closed) == [0, 1, 2, 3]


def test_an_action_without_its_end_is_judged_and_ended_for_the_policy() -> None:
    task = tasks(1)[0]
    episode = one(in_turn(*["seven and more"] * 4), task, max_tokens=5)
    row = episode.rows[0]
    assert episode.overlong
    first = row.ends[0]
    assert TOKENIZER.decode(row.ids[first - 4 : first + 1]) == "seven"
    assert (row.ids[first + 1], row.mask[first + 1]) == (END, 0)
    assert episode.turns[0].action == "seven"


def test_a_context_that_is_full_ends_the_episode_unsolved() -> None:
    task = tasks(1)[0]
    opening = len(RENDERER.opening([{"role": "user", "content": task.prompt}]))
    wrong = guesses(task)[0]
    script = Scripted(lambda context, seed: f"<answer>{wrong}</answer>", context=opening + 60)
    episode = one(script, task)
    assert episode.overlong
    assert episode.truncated
    assert (episode.solved, episode.reward, episode.error) == (False, 0.0, None)
    assert len(episode.rows[0].ids) <= opening + 60
    nothing = one(Scripted(lambda context, seed: "7", context=opening), task)
    assert (nothing.rows[0].sampled, nothing.solved) == (0, None)  # no fault of the policy
    assert nothing.error == f"context: the task's prompt has {opening} tokens of {opening}"


def test_a_template_that_rewrites_history_begins_new_rows_and_is_counted() -> None:
    task = tasks(1)[0]
    wrong, right, _ = guesses(task)
    forgetful = tokenizer(FORGETTING)
    actions = [f"<think>a</think><answer>{wrong}</answer>", f"<answer>{right}</answer>"]
    policy = Scripted(lambda context, seed: actions[context.count("<|im_end|>") // 2], tokens=forgetful)
    episode = one(policy, task)
    assert episode.rewritten == 1
    assert [row.rewards for row in episode.rows] == [[0.0], [1.0]]
    assert "<think>" in forgetful.decode(episode.rows[0].ids)
    assert "<think>" not in forgetful.decode(episode.rows[1].ids)
    assert [turn.row for turn in episode.turns] == [0, 1]
    assert episode.reward == 1.0


def test_a_template_that_could_rewrite_and_does_not_keeps_one_row() -> None:
    task = tasks(1)[0]
    wrong, right, _ = guesses(task)
    actions = [f"<answer>{wrong}</answer>", f"<answer>{right}</answer>"]
    policy = Scripted(lambda context, seed: actions[context.count("<|im_end|>") // 2], tokens=tokenizer(FORGETTING))
    episode = one(policy, task)
    assert (episode.rewritten, len(episode.rows)) == (0, 1)


def test_members_of_a_group_have_seeds_of_their_own_and_the_greedy_one_no_temperature() -> None:
    task = tasks(1)[0]
    right = guesses(task)[1]
    policy = in_turn(f"<answer>{right}</answer>")
    asyncio.run(player(policy, LocalHub(OPTIONS), seed=5).groups(2, task, 3, greedy=True))
    assert len(set(policy.seeds)) == 4
    assert policy.temperatures == [1.0, 1.0, 1.0, 0.0]
    again = in_turn(f"<answer>{right}</answer>")
    asyncio.run(player(again, LocalHub(OPTIONS), seed=5).groups(2, task, 3, greedy=True))
    assert again.seeds == policy.seeds
    other = in_turn(f"<answer>{right}</answer>")
    asyncio.run(player(other, LocalHub(OPTIONS), seed=6).groups(2, task, 3, greedy=True))
    assert not set(other.seeds) & set(policy.seeds)


def test_chance_is_shared_unless_it_is_to_vary() -> None:
    begun: list[list[int]] = []

    class Noting(LocalHub):
        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            begun.append(list(turn_seeds))
            return await super().begin(task, turn_seeds)

    task = tasks(1)[0]
    for vary in (False, True):
        policy = in_turn(*["no"] * 4)
        asyncio.run(player(policy, Noting(OPTIONS), vary_turn_seed=vary).groups(0, task, 3))
    assert begun == [[0, 0, 0], [0, 1, 2]]


def test_seeds_are_unrelated() -> None:
    seeds = {seed_of(1, group, member, turn) for group in range(20) for member in range(-1, 5) for turn in range(5)}
    assert len(seeds) == 20 * 6 * 5
    assert all(0 <= seed < 2**63 for seed in seeds)
