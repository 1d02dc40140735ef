"""Frozen opponents, and baselines by role: who plays, who learns, and what is compared with what."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer.algorithms.roles import Roles
from envhub_trainer.batch import collate
from envhub_trainer.companions.roles import RoleBaselines
from envhub_trainer.config import ConfigError
from envhub_trainer.episode import Episode
from envhub_trainer.group import Group
from envhub_trainer.hub import LocalHub
from envhub_trainer.league import League
from envhub_trainer.policy import Policy, Sampler, Sampling
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.setup import chosen
from envhub_trainer.techniques import LeagueConfig
from envhub_trainer.watch.measures import measures
from envhub_trainer.watch.track import read
from tests.trainer import hand_made, runs
from tests.trainer.models import tiny_llama
from tests.trainer.runs import trained
from tests.trainer.scripted import Scripted, player
from tests.trainer.test_playing import KUHN, OPTIONS, bold, careful, tasks
from tests.trainer.test_update import learner

# -- who plays ---------------------------------------------------------------------------------------------------------


class Fixed:
    """A league with one opponent for every group."""

    def __init__(self, opponent: Sampler) -> None:
        self._opponent = opponent

    def opponent(self, number: int) -> Sampler | None:
        return self._opponent


def played(size: int = 4) -> tuple[list[Group], Scripted, Scripted]:
    policy, opponent = Scripted(careful), Scripted(bold)
    playing = player(policy, LocalHub(OPTIONS), league=Fixed(opponent))
    return asyncio.run(playing.groups(4, tasks()[0], size)), policy, opponent


def test_the_policy_plays_one_seat_of_each_game_and_learns_from_that_seat_alone() -> None:
    found, policy, opponent = played()
    assert [group.episodes[0].seat for group in found] == [0, 1]
    assert [len(group.episodes) for group in found] == [2, 2]
    said = {turn.action for group in found for episode in group.episodes for turn in episode.turns}
    assert said <= {"check", "fold"}, "what the careful policy says; its opponent bets and calls"
    assert len(policy.asked) == sum(len(episode.turns) for group in found for episode in group.episodes)
    assert opponent.asked
    for group in found:
        assert group.frozen
        assert all(episode.error is None and episode.turns for episode in group.episodes)


def test_payoffs_are_those_of_the_policy_s_seat() -> None:
    found, _, _ = played()
    for group in found:
        for episode in group.episodes:
            assert episode.reward < 0, "who never bets and folds loses chips to one who always bets"
    assert measures(found, 0)["league/reward"] == pytest.approx(
        sum(episode.reward for group in found for episode in group.episodes) / 4
    )


def test_without_a_league_every_seat_is_the_policy_s() -> None:
    found = asyncio.run(player(Scripted(careful), LocalHub(OPTIONS)).groups(4, tasks()[0], 4))
    assert [len(group.episodes) for group in found] == [4, 4]
    assert not any(group.frozen for group in found)
    assert "league/reward" not in measures(found, 0)


# -- who the opponent is -----------------------------------------------------------------------------------------------


def league(model: Any, **settings: Any) -> League:
    def opened(frozen: Any) -> Policy:
        return HfPolicy(frozen, end_ids=frozenset({1}), context=32, slots=2)

    return League(model, LeagueConfig(**settings), 3, opened)


def changed(model: Any, by: float) -> Any:
    other = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter += by
    return other


def test_snapshots_are_kept_when_due_and_the_opponent_is_one_of_them() -> None:
    first = tiny_llama(0)
    models = [first, *(changed(first, 0.01 * step) for step in range(1, 7))]

    async def seated() -> list[int]:
        found = league(first, share=1.0, every=2, keep=2)
        names = [[0]]
        drawn = []
        for step in range(1, 7):
            await found.advance(models[step], step)
            names.append([*names[-1], step][-2:] if step % 2 == 0 else names[-1])
            kept = [snapshot["model.embed_tokens.weight"] for snapshot in found.state_dict()]
            wanted = [models[at].state_dict()["model.embed_tokens.weight"] for at in names[-1]]
            assert all(torch.equal(one, other) for one, other in zip(kept, wanted, strict=True))
            loaded = found._model.state_dict()["model.embed_tokens.weight"]
            drawn.append(next(at for at in names[-1] if torch.equal(loaded, wanted[names[-1].index(at)])))
        await found.close()
        return drawn

    drawn = asyncio.run(seated())
    assert len(set(drawn)) > 1
    assert asyncio.run(seated()) == drawn


def test_an_opponent_samples_with_its_own_weights_and_a_share_of_groups_has_one() -> None:
    model = tiny_llama(0)

    async def sampled() -> tuple[list[float], list[float], float]:
        found = league(model, share=0.25, every=1, keep=1)
        opponent = next(each for number in range(20) if (each := found.opponent(number)) is not None)
        logps = []
        for step, by in ((1, 0.0), (2, 0.05)):
            await found.advance(changed(model, by), step)
            logps.append((await opponent.generate([5, 6, 7], Sampling(4), 9)).logps)
        share = sum(found.opponent(number) is not None for number in range(2000)) / 2000
        await found.close()
        return logps[0], logps[1], share

    before, after, share = asyncio.run(sampled())
    assert before != after
    assert share == pytest.approx(0.25, abs=0.04)


CHANGES: dict[str, Any] = {
    "tasks": {"environments": KUHN, "answer_format": None, "reward": None},
    "rollout": {"groups": 2, "size": 6, "max_tokens": 2, "context": 128, "turn_seed": "varied"},
    "league": {"share": 0.5},
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": {"environments": runs.GUESS}}, "set its opponent to 'self'"),
        ({"rollout": {"size": 3}}, "rollout.size must be at least 4"),
        ({"policy": {"kind": "vllm"}}, r"need policy\.kind = 'hf'"),
        ({"demonstrations": {"join": True}}, "plays every seat"),
    ],
)
def test_a_league_that_cannot_be_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        chosen(runs.config(tmp_path, **{**CHANGES, **changes}))


def test_a_run_in_a_league_logs_its_return_against_opponents(tmp_path: Path) -> None:
    runs.model(tmp_path, tokens=runs.speaking("check", "bet", "call", "fold"))
    config = runs.config(tmp_path, **{**CHANGES, "league": {"share": 1.0}, "algorithm": {"name": "spiral", "kl": 0}})
    trained(config)
    log = read(config.run.folder)
    assert all("league/reward" in line for line in log)
    assert all(
        {"baseline/kuhn-poker-v0/0", "baseline/kuhn-poker-v0/1"} <= line.keys() for line in log if "loss" in line
    )
    assert any("loss" in line for line in log)


# -- baselines by role -------------------------------------------------------------------------------------------------


def game(seat: int | None, reward: float) -> Episode:
    return hand_made.episode(reward, env_id="kuhn-v0", seat=seat)


def test_the_baseline_of_a_role_is_read_before_it_is_updated() -> None:
    kept = RoleBaselines(Roles(decay=0.9))
    found = [game(0, 1.0), game(1, -1.0), game(0, -1.0), game(1, 1.0), game(None, 1.0)]
    batch = kept.score(collate(found), found)
    assert batch.baseline is not None
    assert batch.baseline.tolist() == pytest.approx([0.0, 0.0, 0.1, -0.1, 0.0])
    wanted = {"kuhn-v0/0": 0.9 * 0.1 - 0.1, "kuhn-v0/1": 0.9 * -0.1 + 0.1, "kuhn-v0": 0.1}
    assert kept.state_dict() == pytest.approx(wanted)
    again = RoleBaselines(Roles(decay=0.9))
    again.load_state_dict(kept.state_dict())
    assert again.learn(batch, 0) == {f"baseline/{role}": value for role, value in kept.state_dict().items()}


# -- resets of the reference -------------------------------------------------------------------------------------------


def test_the_reference_becomes_the_policy_and_the_optimiser_starts_anew_when_due() -> None:
    from tests.trainer.test_update import REWARDS, groups

    trainee = learner("grpo", reference_reset=2)
    assert trainee.algorithm.needs_ref
    before = copy.deepcopy(trainee.reference.state_dict())
    for step in (1, 2):
        batch = trainee.prepare(groups(REWARDS))
        assert not isinstance(batch, str)
        trainee.learn(batch, step - 1)
        trainee.renew_reference(step)
        found = trainee.reference.state_dict()
        wanted = before if step == 1 else trainee.model.state_dict()
        assert all(torch.equal(found[name], wanted[name]) for name in wanted)
        assert bool(trainee.optimizer.state) is (step == 1)
    batch = trainee.prepare(groups(REWARDS))
    assert not isinstance(batch, str)
    assert trainee.learn(batch, 2)["kl_ref"] == pytest.approx(0.0, abs=1e-9)


def test_a_reset_without_a_reference_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"grpo has no reference model; set algorithm\.kl"):
        chosen(runs.config(tmp_path, optimizer={"reference_reset": 2}))
