"""Rewards by name: what each entry pays, that undefined ones mask, and that advantages are those of ``envhub.rewards``."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

import envhub
from envhub import rewards as pieces
from envhub.core.types import Task, Verdict
from envhub.rewards import Sample
from envhub_trainer.algorithms import algorithm
from envhub_trainer.config import ConfigError, RewardConfig, read
from envhub_trainer.episode import Episode
from envhub_trainer.group import Group
from envhub_trainer.hub import environment_of
from envhub_trainer.loop import train
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.rewards import CONFIDENCE, GROUPS, SAMPLES, TURNS, UNDEFINED, rewards, sample
from envhub_trainer.setup import plugged
from envhub_trainer.skips import Skip
from envhub_trainer.watch.track import read as read_log
from tests.trainer import hand_made, runs
from tests.trainer.models import tiny_llama
from tests.trainer.test_update import learner

TASK: Task = next(islice(envhub.TaskStream("arithmetic-v0", answer_format="last"), 1))
ARGUMENTS: dict[str, dict[str, Any]] = {
    "components": {"weights": {"accuracy": 0.5, "format": 0.5}},
    "language": {"script": "latin"},
    "within": {"most": 3},
    "overlong": {"limit": 4, "buffer": 3},
    "exact_budget": {"target": 2, "alpha": 0.1},
    "max_budget": {"target": 2},
    "cosine_length": {"limit": 9},
    "repetition": {"n": 1},
}


def said(answer: str, score: float | None, turns: int = 1, error: str | None = None) -> Episode:
    """An episode whose turns all say the answer; the hub paid a half a turn."""
    verdict = None if score is None else Verdict(score, solved=score == 1, components={"format": 1.0}, answer=answer)
    return hand_made.episode(*[0.5] * turns, answer=answer, verdict=verdict, error=error)


def group(*episodes: Episode) -> Group:
    made = hand_made.group(7, *episodes)
    return Group(made.number, TASK, made.episodes)


def scored(found: Group, *entries: dict[str, Any], policy: Any = None) -> Group:
    configs = [RewardConfig(**entry) for entry in entries]
    asyncio.run(rewards(configs, len(found.episodes)).score([found], policy))
    return found


def returns(found: Group) -> list[float]:
    return [math.nan if episode.error else episode.reward for episode in found.episodes]


def as_samples(found: Group) -> list[Sample]:
    return [
        Sample(
            Verdict.failed("x", "y") if episode.error else episode.verdict or Verdict.no_answer("unfinished", ""),
            text=episode.turns[-1].action,
            length=episode.sampled,
            token_ids=hand_made.ids("".join(turn.action for turn in episode.turns)),
            log_probs=[-0.5] * episode.sampled,
            turn_rewards=[0.5] * (len(episode.turns) - 1),
        )
        for episode in found.episodes
    ]


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    return [None if math.isnan(x) else x for x in one] == pytest.approx(
        [None if math.isnan(x) else x for x in other], abs=1e-12
    )


def attempts() -> Group:
    """Two that say 12 and one that says 7 twice, one that failed and one that ran out of context."""
    return group(
        said("12", 1.0), said("12", 0.25), said("7", 0.0, turns=2), said("12", 1.0, error="x: y"), said("9", None)
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_an_entry_of_a_sample_pays_what_the_reward_does(name: str) -> None:
    arguments = ARGUMENTS.get(name, {})
    wanted = [2.0 * SAMPLES[name](**arguments)(each) for each in as_samples(attempts())]
    found = scored(attempts(), {"name": name, "weight": 2.0, **arguments})
    assert same(returns(found), wanted)
    assert found.episodes[2].rows[-1].rewards[0] == 0.0, "an episode's reward is paid at its last turn"


@pytest.mark.parametrize("name", ["majority_vote", "max_at_k", "marginal_at_k", "relative_length"])
def test_advantages_of_a_group_reward_equal_those_of_envhub(name: str) -> None:
    samples = as_samples(attempts())
    scores = [math.nan if each.verdict.score is None else each.verdict.score for each in samples]
    wanted = {
        "majority_vote": lambda: pieces.majority_vote(samples, environment_of(TASK).answer),
        "relative_length": lambda: pieces.relative_length(samples),
        "max_at_k": lambda: pieces.max_at_k_rewards(scores, 2),
        "marginal_at_k": lambda: pieces.marginal_at_k_rewards(scores, 2),
    }[name]()
    assert name in GROUPS
    assert [math.isnan(value) for value in wanted] == [False, False, False, True, False]
    assert len({value for value in wanted if value == value}) > 1
    found = scored(attempts(), {"name": name, **({"k": 2} if name.endswith("at_k") else {})})
    assert same(returns(found), wanted)
    batch = learner("dr_grpo").prepare([found])
    assert not isinstance(batch, Skip)
    assert batch.advantage is not None
    sound = torch.tensor([value for value in wanted if value == value])
    expected = sound - sound.mean()
    made = torch.stack([batch.advantage[batch.episode == e].flatten().sum() for e in range(len(sound))])
    tokens = torch.stack([batch.mask[batch.episode == e].sum() for e in range(len(sound))])
    torch.testing.assert_close(made / tokens, expected, atol=1e-6, rtol=0)


def test_an_undefined_reward_masks_its_episode_and_is_never_nought() -> None:
    tied = scored(group(said("12", 1.0), said("7", 0.0)), {"name": "accuracy"}, {"name": "majority_vote"})
    assert [episode.error for episode in tied.episodes] == [
        f"{UNDEFINED}: the reward majority_vote is not defined here"
    ] * 2
    assert learner("grpo").prepare([tied]) is Skip.FAILED
    few = scored(group(said("12", 1.0), said("7", 0.0, error="x: y")), {"name": "max_at_k", "k": 2})
    assert few.sound == []


def test_entries_are_weighed_gated_and_summed_in_place_of_the_hub_s_reward() -> None:
    entries: list[dict[str, Any]] = [
        {"name": "accuracy", "weight": 3.0},
        {"name": "within", "most": 5, "weight": 0.5, "gate": 1.0},
    ]
    assert same(returns(scored(attempts(), *entries)), [3.5, 0.75, 0.0, math.nan, 0.0])


def test_turns_are_paid_one_by_one() -> None:
    def paid(**entry: Any) -> list[float]:
        episode = hand_made.episode(0.25, -0.5, 0.75, answer="aab", verdict=Verdict(1.0, solved=True))
        scored(group(episode), entry)
        assert [turn.reward for turn in episode.turns] == episode.rows[0].rewards
        return episode.rows[0].rewards

    assert paid(name="repetition", n=1, each="turn") == pytest.approx([-1 / 3] * 3)
    assert paid(name="gated_turns", weight=1.0) == [0.0, 0.0, pytest.approx(1.0 + 0.25 - 0.5)]
    for name, arguments in (("discounted_returns", {"discount": 0.5}), ("min_form_returns", {})):
        rewards_of = paid(name=name, **arguments)
        to_go = [math.fsum(rewards_of[at:]) for at in range(3)]
        assert to_go == pytest.approx(TURNS[name]([0.25, -0.5, 0.75], **arguments))


@pytest.mark.parametrize("name", CONFIDENCE)
def test_confidence_is_that_of_the_policy_s_whole_distributions(name: str) -> None:
    model = tiny_llama(3)
    made = [said("abc", 1.0, turns=2), said("xy", 0.0)]
    policy = HfPolicy(model, end_ids=frozenset({2}), context=64)
    found = scored(group(*made), {"name": name}, policy=policy)
    for episode, value in zip(found.episodes, returns(found), strict=True):
        [row] = episode.rows
        with torch.no_grad():
            logs = model(torch.tensor([row.ids])).logits.double().log_softmax(-1)[0]
        places = [at - 1 for at, sampled_ in enumerate(row.mask) if sampled_]
        wanted = getattr(pieces, name)([logs[at].tolist() for at in places], 300)
        assert value == pytest.approx(wanted, abs=1e-4)


def test_a_judge_decides_a_rubric_and_a_failing_one_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    from envhub.verifiers.judge.judge import Judge, Judgement

    asked: list[dict[str, Any]] = []

    async def adecide(self: Judge, kind: str, **fields: Any) -> Judgement:
        asked.append({"kind": kind, **fields})
        if fields["candidate"] == "zz":
            raise envhub.EnvhubError("the endpoint is down")
        return Judgement(abuse=True) if fields["candidate"] == "!!" else Judgement([True, False])

    monkeypatch.setattr(Judge, "adecide", adecide)
    entry = {"name": "judge", "url": "http://127.0.0.1:1/v1", "model": "m", "criteria": ["is short", "is kind"]}
    found = scored(group(said("ab", 0.0), said("!!", 1.0), said("zz", 1.0), said("q", 1.0, error="x: y")), entry)
    assert same(returns(found), [0.5, 0.0, math.nan, math.nan])
    assert found.episodes[3].error == "x: y"
    assert asked[0] == {
        "kind": "rubric",
        "question": TASK.prompt,
        "criteria": ["is short", "is kind"],
        "candidate": "ab",
    }
    assert len(asked) == 3


def test_a_sample_holds_what_the_policy_wrote() -> None:
    episode = hand_made.episode(0.5, 1.0, answer="hi", new_rows=True, verdict=Verdict.exact(True))
    whole, first = sample(episode), sample(episode, episode.turns[0])
    assert (whole.text, whole.length, whole.token_ids) == ("hi", 4, hand_made.ids("hihi"))
    assert (first.text, first.length, first.log_probs) == ("hi", 2, [-0.5, -0.5])
    assert list(whole.turn_rewards or ()) == [0.5]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"name": "acuracy"}, "Did you mean 'accuracy'"),
        ({"name": "repetition", "m": 3}, "reward repetition: .*unexpected keyword argument 'm'"),
        ({"name": "overlong", "limit": 3, "buffer": 4}, "must be at most the limit of 3"),
        ({"name": "max_at_k"}, "missing a required argument: 'k'"),
        ({"name": "max_at_k", "k": 9}, "k must be at most rollout.size, 4"),
        ({"name": "majority_vote", "each": "turn"}, "each must be 'episode'"),
        ({"name": "judge", "url": "http://x/v1", "model": "m", "criteria": []}, "needs criteria"),
    ],
)
def test_an_entry_that_cannot_be_is_said_before_anything_begins(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        rewards([RewardConfig(**entry)], 4)


def test_entries_that_do_not_fit_the_run_are_refused(tmp_path: Any) -> None:
    plain = runs.config(tmp_path, tasks={"reward": None})

    def configured(name: str, **changes: Any) -> Any:
        entry = RewardConfig(name=name, **({"k": 2} if name == "max_at_k" else {}))
        return plain.model_copy(update={"reward": (entry,), **changes})

    policy = plain.policy.model_copy(update={"kind": "vllm"})
    tasks = plain.tasks.model_copy(update={"reward": {"accuracy": 1.0}})
    with pytest.raises(ConfigError, match="exclude each other"):
        plugged(configured("accuracy", tasks=tasks), algorithm("grpo"))
    with pytest.raises(ConfigError, match=r"needs policy\.kind = 'hf'"):
        plugged(configured("self_certainty", policy=policy), algorithm("grpo"))
    with pytest.raises(ConfigError, match="in no group"):
        plugged(configured("max_at_k"), algorithm("remax"))


def test_a_run_is_rewarded_by_its_entries_and_goes_on(tmp_path: Path) -> None:
    entries = [{"name": "majority_vote"}, {"name": "negative_entropy", "weight": 0.1}]
    told = runs.config(tmp_path, tasks={"reward": None}, run={"steps": 2}).model_dump(mode="json")
    asyncio.run(train(read({**told, "reward": entries})))
    longer = read({**told, "reward": entries, "run": {**told["run"], "steps": 3}})
    assert asyncio.run(train(longer)).step == 3
    log = read_log(longer.run.folder)
    assert all(line["reward"] != round(line["reward"], 4) for line in log if "reward" in line), "entropy is in it"
    assert any(line.get("errors/undefined", 0) > 0 for line in log)
    with pytest.raises(ConfigError, match="other settings of reward"):
        asyncio.run(train(read({**told, "reward": entries[:1]})))


def test_a_step_whose_rewards_are_all_undefined_is_skipped(tmp_path: Path) -> None:
    told = runs.config(tmp_path, tasks={"reward": None}, rollout={"size": 1}, run={"steps": 1}).model_dump(mode="json")
    model = runs.model(tmp_path / "mute", tokens=runs.speaking("!"))
    silent = {**told, "model": {**told["model"], "path": str(model)}, "reward": [{"name": "majority_vote"}]}
    asyncio.run(train(read(silent)))
    [line] = read_log(tmp_path / "run")
    assert (line["skipped/failed"], line["masked"], line["errors/undefined"]) == (1.0, 1.0, 3.0)
