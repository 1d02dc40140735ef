"""EasyR1, agents against a chat endpoint, GEM and verl-agent: our adapters as these call them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import envhub
from envhub.adapters.agent import play, speaker
from envhub.adapters.easyr1 import compute_score
from envhub.adapters.gem import GemEnvironment
from envhub.adapters.shared.episodes import Episodes
from envhub.adapters.verl_agent import EnvironmentManager
from envhub.core.errors import EpisodeOver, InvalidParameters, JudgementError
from envhub.dataset import generate
from tests.dataset.workshop import Unjudged, config, known, read
from tests.support.toys import Dice

WRONG = "<answer>4000000</answer>"


def rows_of(folder: Path, id: str, rows: int = 2) -> list[dict[str, Any]]:
    """Rows with the oracle's actions."""
    generate(config(id, rows=rows, format="trl", with_solutions=True), folder / f"{id}.jsonl", processes=1)
    return read(folder / f"{id}.jsonl")


@pytest.fixture
def unjudged(tmp_path: Path) -> Iterator[str]:
    """A ground truth whose judge is away."""
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1, format="trl"), tmp_path / "t.jsonl", processes=1)
        yield read(tmp_path / "t.jsonl")[0]["ground_truth"]


# -- EasyR1 ------------------------------------------------------------------------------------------------------------


def asked(row: dict[str, Any], response: str) -> dict[str, Any]:
    return {"response": response, "response_length": len(response), "ground_truth": row["ground_truth"]}


def test_easyr1_scores_a_batch_and_one_response(tmp_path: Path) -> None:
    (row, other) = rows_of(tmp_path, "arithmetic-v0")
    right = {"overall": 1.0, "accuracy": 1.0, "format": 1.0, "no_answer": 0.0}
    wrong = {"overall": 0.0, "accuracy": 0.0, "format": 1.0, "no_answer": 0.0}
    batch = [asked(row, row["solution"][0]), asked(other, WRONG), asked(other, other["solution"][0])]
    assert compute_score(batch) == [right, wrong, right]
    assert compute_score(batch[1]) == wrong
    weighed = compute_score(batch, reward={"accuracy": 1.0, "format": 0.5})
    assert isinstance(weighed, list)
    assert [each["overall"] for each in weighed] == [1.5, 0.5, 1.5]
    boxed = asked(row, row["solution"][0].replace("<answer>", "\\boxed{").replace("</answer>", "}"))
    assert compute_score(boxed, answer_format="boxed") == right


def test_easyr1_raises_for_what_it_cannot_judge(tmp_path: Path, unjudged: str) -> None:
    with pytest.raises(JudgementError, match="judge_lost"):
        compute_score([asked({"ground_truth": unjudged}, "<answer>1</answer>")])
    (game, *_) = rows_of(tmp_path, "guess-number-v0")
    with pytest.raises(InvalidParameters, match="up to"):
        compute_score(asked(game, WRONG))


# -- an agent against a chat endpoint ----------------------------------------------------------------------------------


class Endpoint:
    """An OpenAI client that says what it is told to, and remembers what it was asked."""

    def __init__(self, *script: str | None) -> None:
        self.script, self.asked = list(script), list[dict[str, Any]]()
        self.chat = SimpleNamespace(completions=self)

    async def create(self, **request: Any) -> Any:
        self.asked.append(request)
        message = SimpleNamespace(content=self.script.pop(0))
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])


def test_an_agent_plays_to_the_end(tmp_path: Path) -> None:
    (row, *_) = rows_of(tmp_path, "guess-number-v0")
    actions = [WRONG, *row["solution"]]
    endpoint = Endpoint(*actions)
    say = speaker(endpoint, "policy", temperature=0.5)
    assert asyncio.run(play(row["ground_truth"], say, prompt=row["prompt"])) == 1.0
    assert [len(request["messages"]) for request in endpoint.asked] == [1 + 2 * turn for turn in range(len(actions))]
    assert endpoint.asked[0] == {"model": "policy", "messages": row["prompt"], "temperature": 0.5}
    said = [message["content"] for message in endpoint.asked[-1]["messages"] if message["role"] == "assistant"]
    assert said == actions[:-1]


def test_an_agent_of_one_turn_and_one_that_says_nothing(tmp_path: Path) -> None:
    (row, other) = rows_of(tmp_path, "arithmetic-v0")
    assert asyncio.run(play(row["ground_truth"], speaker(Endpoint(row["solution"][0])))) == 1.0
    assert asyncio.run(play(row["ground_truth"], speaker(Endpoint(other["solution"][0])))) == 0.0
    assert asyncio.run(play(row["ground_truth"], speaker(Endpoint(None)))) == 0.0
    weighed = Episodes(reward={"accuracy": 0.5})
    assert asyncio.run(play(row["ground_truth"], speaker(Endpoint(row["solution"][0])), episodes=weighed)) == 0.5
    with pytest.raises(InvalidParameters, match="a different problem"):
        asyncio.run(play(row["ground_truth"], speaker(Endpoint(WRONG)), prompt=other["prompt"]))


def test_an_agent_earns_no_number_where_it_could_not_be_judged(unjudged: str) -> None:
    with pytest.raises(JudgementError, match="judge_lost"):
        asyncio.run(play(unjudged, speaker(Endpoint("<answer>1</answer>"))))


# -- GEM and ROLL ------------------------------------------------------------------------------------------------------


def test_gem_episodes_are_those_of_make_and_move_no_other_random_state() -> None:
    env, own = GemEnvironment("guess-number-v0", difficulty=[2, 4]), envhub.make("guess-number-v0", difficulty=(2, 4))
    before = random.getstate()
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        assert (observation, info) == (own.reset(seed=seed)[0], {"suffix": ""})
        over = False
        while not over:
            theirs = own.step(WRONG)
            observation, reward, over, truncated, info = env.step(WRONG)
            assert (observation, reward, over, truncated) == (*theirs[:2], theirs[2] or theirs[3], theirs[3])
            assert info["metrics"] == {"success": False}
        with pytest.raises(EpisodeOver):
            env.step(WRONG)
    assert random.getstate() == before


def test_gem_says_what_is_solved_and_raises_what_could_not_be_judged(unjudged: str) -> None:
    env = GemEnvironment("arithmetic-v0")
    env.reset(seed=3)
    own = envhub.make("arithmetic-v0")
    own.reset(seed=3)
    *_, info = env.step(own.solve())
    assert info["metrics"] == {"success": True}
    env.reset(seed=4)
    assert not env.solved
    lost = GemEnvironment("toy-v0")
    lost.reset(seed=1)
    with pytest.raises(JudgementError, match="judge_lost"):
        lost.step("<answer>1</answer>")


def test_gem_episodes_out_of_turns_are_terminated_too() -> None:
    with known("dice-toy-v0", Dice):
        env = GemEnvironment("dice-toy-v0")
        env.reset(seed=1)
        steps = [env.step("1") for _ in range(5)]
        assert [step[2:4] for step in steps] == [(False, False)] * 4 + [(True, True)]
        assert not env.solved


# -- verl-agent --------------------------------------------------------------------------------------------------------


def test_verl_agent_plays_groups_of_the_same_task_and_new_tasks_with_every_reset() -> None:
    manager = EnvironmentManager("guess-number-v0", groups=2, group_size=2, difficulty=3)
    first, infos = manager.reset()
    texts = first["text"]
    assert texts is not None
    own = envhub.make("guess-number-v0", difficulty=3)
    assert texts == [own.reset(seed=seed)[0] for seed in (0, 0, 1, 1)]
    assert infos == [{"won": False, "is_action_valid": True}] * 4
    own.reset(seed=0)
    right = own.solve()
    seen, rewards, dones, _ = manager.step([WRONG] * 4)
    assert (rewards.tolist(), dones.tolist()) == ([0.0] * 4, [False] * 4)
    assert seen["text"] is not None
    assert seen["anchor"] is not None
    assert all(text.startswith(before) for text, before in zip(seen["text"], texts, strict=True))
    assert WRONG in seen["text"][0]
    assert WRONG not in seen["anchor"][0]
    earned, won = np.zeros(4), False
    own.step(WRONG)
    while not won:
        right = own.solve()
        own.step(right)
        seen, rewards, dones, infos = manager.step([right, WRONG, WRONG, WRONG])
        earned, won = earned + rewards, bool(dones[0])
    assert (earned[0], infos[0]["won"], infos[1]["won"]) == (1.0, True, False)
    told = seen["text"]
    again, rewards, dones, _ = manager.step([right] * 4)  # its episode is over: nothing more is earned or told
    assert told is not None
    assert again["text"] is not None
    assert (rewards[0], dones[0], again["text"][0]) == (0.0, True, told[0])
    assert manager.success_evaluator(total_infos=[], total_batch_list=[])["success_rate"][0] == 1.0
    second = manager.reset()[0]["text"]
    assert second == [envhub.make("guess-number-v0", difficulty=3).reset(seed=seed)[0] for seed in (2, 2, 3, 3)]
    manager.close()


def test_verl_agent_is_told_which_actions_were_valid() -> None:
    manager = EnvironmentManager("tic-tac-toe-v0", groups=1, group_size=4)
    _, infos = manager.reset()
    assert [info["is_action_valid"] for info in infos] == [True] * 4
    own = envhub.make("tic-tac-toe-v0")
    own.reset(seed=0)
    _, _, _, infos = manager.step([own.solve(), "no idea", "<answer>99</answer>", "x" * 1_000_000])
    assert [info["is_action_valid"] for info in infos] == [True, False, False, False]
    _, _, _, infos = manager.step([own.solve(), own.solve(), own.solve(), own.solve()])
    assert [info["is_action_valid"] for info in infos][1:] == [True] * 3
    manager.reset()
    single = EnvironmentManager("arithmetic-v0", groups=3)
    single.reset()
    _, _, overs, infos = single.step([WRONG, "", "<answer>1</answer> or <answer>2</answer>"])
    assert overs.all()
    assert [info["is_action_valid"] for info in infos] == [True, False, False]


def test_verl_agent_validates_on_the_same_tasks_and_makes_up_nothing(unjudged: str) -> None:
    manager = EnvironmentManager("arithmetic-v0", groups=3, split="test", renew=False, seed=5)
    assert manager.reset()[0] == manager.reset(None)[0]
    with pytest.raises(InvalidParameters, match="env_kwargs"):
        manager.reset([{}])
    lost = EnvironmentManager("toy-v0", groups=1)
    lost.reset()
    with pytest.raises(JudgementError, match="judge_lost"):
        lost.step(["<answer>1</answer>"])
