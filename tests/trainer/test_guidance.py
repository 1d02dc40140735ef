"""Demonstrations and hints in groups, token for token, and what a learner makes of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import torch

import envhub
from envhub.core.types import Task
from envhub_trainer.algorithms import algorithm
from envhub_trainer.config import ConfigError
from envhub_trainer.demonstrations import demonstrator
from envhub_trainer.episode import GIVEN, Episode
from envhub_trainer.group import Group
from envhub_trainer.guidance import Guide
from envhub_trainer.hub import LocalHub
from envhub_trainer.policy import Completion, Sampling
from envhub_trainer.policy.prefixed import Prefixed
from envhub_trainer.setup import chosen
from envhub_trainer.techniques import DemonstrationsConfig
from envhub_trainer.update import Learner
from tests.trainer import runs
from tests.trainer.scripted import END, RENDERER, TOKENIZER, Scripted, player
from tests.trainer.test_update import learner

OPTIONS = {"answer_format": "last"}
GUESS = {"guess-number-v0": {"weight": 1, "low": 1, "high": 16, "guesses": 4}}


@pytest.fixture(scope="module")
def task() -> Task:
    return next(envhub.TaskStream(GUESS, answer_format="last"))


def played(task: Task, size: int = 2, says: str = "greedy", **guide: Any) -> Group:
    given = Guide(demonstrator(says), OPTIONS, **guide)
    policy = player(Scripted(lambda context, seed: "3"), LocalHub(OPTIONS), guide=given)
    [group] = asyncio.run(policy.groups(7, task, size))
    return group


def written(episode: Episode, given: bool) -> list[int]:
    [row] = episode.rows
    return [
        id
        for id, mask, version in zip(row.ids, row.mask, row.versions, strict=True)
        if mask and (version == GIVEN) is given
    ]


def test_a_demonstration_joins_its_group_as_if_the_policy_had_sampled_it(task: Task) -> None:
    group = played(task, says="oracle", join=True)
    [shown] = group.added
    assert (shown.error, shown.solved, shown.reward) == (None, True, 1.0)
    assert written(shown, given=False) == []
    said, _ = Guide(demonstrator("oracle"), OPTIONS, join=True).actions(task, 7, RENDERER)
    assert written(shown, given=True) == [id for action in said for id in action.ids]
    assert [turn.action for turn in shown.turns] == [RENDERER.text(action.ids) for action in said]
    assert len(group.episodes) == 2
    assert not group.hinted
    assert group.learned == [*group.episodes, shown]
    assert all(written(episode, given=True) == [] for episode in group.episodes)


def test_a_demonstration_that_the_context_cuts_is_not_learned_from(task: Task) -> None:
    room = len(RENDERER.opening([{"role": "user", "content": task.prompt}])) + 1
    given = Guide(demonstrator("oracle"), OPTIONS, join=True)
    policy = player(Scripted(lambda context, seed: "3", context=room), LocalHub(OPTIONS), guide=given)
    [group] = asyncio.run(policy.groups(7, task, 2))
    assert group.added == []


def test_a_hint_is_the_beginning_of_the_demonstration_and_the_policy_goes_on(task: Task) -> None:
    whole, _ = Guide(demonstrator("greedy"), OPTIONS, join=True).actions(task, 7, RENDERER)
    tokens = [id for action in whole for id in action.ids]
    lengths = set()
    for share in (0.3, 0.6, 1.0):
        group = played(task, share=share)
        assert group.hinted
        assert not group.added
        for episode in group.episodes:
            hint = written(episode, given=True)
            lengths.add(len(hint))
            assert hint == tokens[: len(hint)]
            assert written(episode, given=False)
    assert max(lengths) == len(tokens) - 1
    assert len(lengths) > 1


def test_hints_have_the_binomial_mean_and_differ_between_groups(task: Task) -> None:
    guide = Guide(demonstrator("greedy"), OPTIONS, share=0.5)
    found = [guide.actions(task, number, RENDERER) for number in range(100)]
    shares = [sum(len(a.ids) for a in hint) / sum(len(a.ids) for a in whole) for whole, hint in found]
    assert sum(shares) / 100 == pytest.approx(0.5, abs=0.1)
    assert guide.actions(task, 3, RENDERER) == found[3]
    assert Guide(demonstrator("greedy"), OPTIONS).actions(task, 3, RENDERER) == ([], [])


def test_results_with_hints_are_not_reported() -> None:
    from envhub_trainer.rollout import Rollouts

    reported = []

    class Stream(envhub.TaskStream):
        def report(self, task: Task, solved: bool | None) -> None:
            reported.append(solved)

    async def taken(share: float) -> None:
        given = Guide(demonstrator("greedy"), OPTIONS, share=share)
        policy = player(Scripted(lambda context, seed: "3"), LocalHub(OPTIONS), guide=given)
        rollouts = Rollouts(policy, Stream(GUESS, answer_format="last"), groups=1, size=2)
        rollouts.proceed(0)
        await rollouts.take()

    asyncio.run(taken(0.5))
    assert reported == []
    asyncio.run(taken(0.0))
    assert reported == [False, False]


def generated(given: list[Completion], context: int = 100, most: int = 6) -> list[Completion]:
    sampler = Prefixed(Scripted(lambda text, seed: "12345", context=context), given)
    return [asyncio.run(sampler.generate([1, 2, 3], Sampling(most), 0)) for _ in range(len(given) + 1)]


def test_given_actions_come_first_and_an_unfinished_one_is_continued_within_the_budget() -> None:
    whole, part = Completion([7, END], [0.0] * 2, [GIVEN] * 2, True), Completion([8, 9], [-1.0, -2.0], [4, 4], False)
    first, second, third = generated([whole, part])
    digits = TOKENIZER.encode("12345", add_special_tokens=False)
    assert first == whole
    assert second == Completion([8, 9, *digits[:4]], [-1.0, -2.0, -1.0, -2.0, -3.0, -4.0], [4, 4, 0, 0, 0, 0], False)
    assert third.ids == [*digits, END]


def test_a_given_action_that_does_not_fit_into_the_context_is_cut() -> None:
    whole = Completion([7, 8, 9, END], [0.0] * 4, [GIVEN] * 4, True)
    assert generated([whole], context=5)[0] == Completion([7, 8], [0.0] * 2, [GIVEN] * 2, False)


def with_demonstration() -> tuple[Learner, list[Group]]:
    from tests.trainer.test_update import episode, groups

    found = groups([[0.0, 0.0, 0.0]])
    shown = episode(0, 1.0, 3, 17)
    for row in shown.rows:
        row.versions = [GIVEN] * len(row.ids)
        row.logps = [0.0] * len(row.ids)
    found[0].added.append(shown)
    return learner("dapo", overrides={"shaping": 0.1}), found


def test_a_demonstration_gives_an_unsolved_group_something_to_learn() -> None:
    trained, found = with_demonstration()
    batch = trained.prepare(found)
    assert not isinstance(batch, str)
    assert batch.score.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert batch.advantage is not None
    assert batch.advantage.sum(1).sign().tolist() == [-1, -1, -1, 1]
    own = trained._all(trained.model, batch, None).logp
    torch.testing.assert_close(batch.behaviour[3] * batch.mask[3], own[3] * batch.mask[3])
    told = trained.learn(batch, 0)
    assert told["kl"] < 10, "the demonstrator's probability of 1 is no divergence"
    assert ((trained._all(trained.model, batch, None).logp - own) * batch.mask).sum(1)[3] > 0
    found[0].added.clear()
    assert isinstance(trained.prepare(found), str)


def test_a_likelihood_is_learned_from_even_where_every_episode_earned_the_same() -> None:
    _, found = with_demonstration()
    found[0].added[0].rows[0].rewards[-1] = 0.0
    trained = learner("dr_grpo", overrides={"likelihood": 0.1})
    batch = trained.prepare(found)
    assert not isinstance(batch, str)
    assert len(trained._telling(batch.having(weight=batch.mask)).length) == 1
    assert trained.learn(batch, 0)["grad_norm"] > 0
    assert learner("dr_grpo").prepare(found) == "uniform"


def test_the_loss_of_demonstrations_follows_from_their_use_unless_it_is_set(tmp_path: Path) -> None:
    def imitated(**changes: Any) -> str:
        return repr(chosen(runs.config(tmp_path, **changes)).demonstrated)

    assert imitated() == "()"
    assert imitated(demonstrations={"join": True}) == "(Shaped(gamma=0.1),)"
    assert imitated(demonstrations={"hint_steps": 5}) == "(Likelihood(coefficient=0.001),)"
    assert imitated(demonstrations={"join": True}, algorithm={"likelihood": 0.5}) == "(Likelihood(coefficient=0.5),)"
    with pytest.raises(ConfigError, match="demonstrations: No demonstrator 'oracel'"):
        imitated(demonstrations={"demonstrator": "oracel"})
    assert not DemonstrationsConfig().used
    assert algorithm("dapo").demonstrated == ()
