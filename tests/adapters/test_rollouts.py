"""slime and NeMo-RL, which no registry has: our adapters over stand-ins of the few names that they import."""

from __future__ import annotations

import asyncio
import sys
from enum import Enum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from envhub.adapters import nemo_rl, slime
from envhub.adapters.shared.episodes import Episodes, RowEpisode
from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra
from envhub.dataset import generate
from tests.dataset.workshop import Unjudged, config, known, read

WRONG = "<answer>4000000</answer>"
END = 0


def rows_of(folder: Path, id: str, rows: int = 2) -> list[dict[str, Any]]:
    """Rows with the oracle's actions."""
    generate(config(id, rows=rows, format="openrlhf", with_solutions=True), folder / f"{id}.jsonl", processes=1)
    return read(folder / f"{id}.jsonl")


# -- slime -------------------------------------------------------------------------------------------------------------


class Status(Enum):
    """As slime's."""

    COMPLETED = 1
    TRUNCATED = 2
    ABORTED = 3


class Tokenizer:
    """A token a character, ``END`` behind every message."""

    def apply_chat_template(self, messages: list[dict[str, str]], *, tokenize: bool, **more: Any) -> str:
        """``role:content`` and an end."""
        said = "".join(f"{message['role']}:{message['content']}{chr(END + 1)}" for message in messages)
        return said + ("assistant:" if more.get("add_generation_prompt") else "")

    def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
        """Tokens."""
        return {"input_ids": [ord(letter) for letter in text]}

    def decode(self, tokens: list[int]) -> str:
        """Their text."""
        return "".join(map(chr, tokens))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the engine will say; and what it was asked stands behind it."""
    script: list[Any] = []

    async def post(url: str, payload: dict[str, Any]) -> dict[str, Any]:
        assert url == "http://127.0.0.1:30000/generate"
        text, why = script.pop(0)
        script.append(payload)
        tokens = [ord(letter) for letter in text] + ([END + 1] if why == "stop" else [])
        tokens = tokens[: payload["sampling_params"]["max_new_tokens"]]
        log_probs = [[-0.5, token, None] for token in tokens]
        return {"text": text, "meta_info": {"finish_reason": {"type": why}, "output_token_logprobs": log_probs}}

    state = SimpleNamespace(GenerateState=lambda args: SimpleNamespace(tokenizer=Tokenizer()))
    for name, contents in {
        "slime": {},
        "slime.rollout": {},
        "slime.utils": {},
        "slime.rollout.sglang_rollout": vars(state),
        "slime.utils.http_utils": {"post": post},
    }.items():
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    slime._episodes.cache_clear()
    slime._scorer.cache_clear()
    return script


def sample(row: dict[str, Any], **fields: Any) -> Any:
    """As slime's data source makes it."""
    return SimpleNamespace(prompt=row["input"], label=row["label"], Status=Status, **fields)


def rolled_out(row: dict[str, Any], room: int = 5000) -> Any:
    args = SimpleNamespace(sglang_router_ip="127.0.0.1", sglang_router_port=30000)
    return asyncio.run(slime.generate(args, sample(row), {"max_new_tokens": room}))


def test_a_reward_for_a_sample_and_for_a_group(engine: list[Any], tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "arithmetic-v0")
    right = [sample(row, response=row["solution"][0]) for row in rows]
    assert asyncio.run(slime.custom_rm(None, right[0])) == 1.0
    wrong = sample(rows[0], response=WRONG)
    assert asyncio.run(slime.custom_rm(None, [*right, wrong])) == [1.0, 1.0, 0.0]
    (game, *_) = rows_of(tmp_path, "guess-number-v0")
    with pytest.raises(InvalidParameters, match="up to"):
        asyncio.run(slime.custom_rm(None, sample(game, response=WRONG)))


def test_the_rollout_grows_tokens_and_masks_observations(engine: list[Any], tmp_path: Path) -> None:
    (row, *_) = rows_of(tmp_path, "guess-number-v0")
    actions = [WRONG, *row["solution"]]
    engine += [(action, "stop") for action in actions]
    done = rolled_out(row)
    assert (done.status, done.reward) == (Status.COMPLETED, 1.0)
    assert done.response_length == len(done.loss_mask) == len(done.rollout_log_probs)
    prompt = Tokenizer()(
        Tokenizer().apply_chat_template(row["input"], tokenize=False, add_generation_prompt=True), False
    )
    assert done.tokens[: -done.response_length] == prompt["input_ids"]
    said = [chr(token) for token, own in zip(done.tokens[-done.response_length :], done.loss_mask, strict=True) if own]
    assert "".join(said) == "".join(action + chr(END + 1) for action in actions)
    assert all(
        (log_prob != 0) == bool(own) for log_prob, own in zip(done.rollout_log_probs, done.loss_mask, strict=True)
    )
    # what the engine was asked with is what the sample has, turn by turn: nothing was tokenized again
    for payload in engine:
        assert done.tokens[: len(payload["input_ids"])] == payload["input_ids"]
    shown = Tokenizer().decode(done.tokens)
    assert f"{chr(END + 1)}{chr(END + 1)}" not in shown  # the end that was sampled is not said twice
    assert shown.count("user:") == len(actions)


def test_what_is_cut_and_what_is_aborted(engine: list[Any], tmp_path: Path) -> None:
    (row, *_) = rows_of(tmp_path, "guess-number-v0")
    engine += [(WRONG, "stop")] * 9
    cut = rolled_out(row, room=40)
    assert (cut.status, cut.reward, cut.response_length) == (Status.TRUNCATED, 0.0, 40)
    engine.clear()
    engine += [(WRONG, "stop"), ("<ans", "abort")]
    aborted = rolled_out(row)
    assert (aborted.status, aborted.reward) == (Status.ABORTED, None)  # a number would be of what was never said


def test_an_engine_that_fails_leaves_no_episode_open(
    engine: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row, *_) = rows_of(tmp_path, "guess-number-v0")
    closed: list[RowEpisode] = []
    monkeypatch.setattr(RowEpisode, "close", lambda episode: closed.append(episode))
    with pytest.raises(IndexError):  # the script is empty
        rolled_out(row)
    assert len(closed) == 1


def test_what_could_not_be_judged_raises(engine: list[Any], tmp_path: Path) -> None:
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1, format="openrlhf"), tmp_path / "t.jsonl", processes=1)
        (row,) = read(tmp_path / "t.jsonl")
        engine += [("<answer>1</answer>", "stop")]
        with pytest.raises(JudgementError, match="judge_lost"):
            rolled_out(row)
        with pytest.raises(JudgementError, match="judge_lost"):
            asyncio.run(slime.custom_rm(None, sample(row, response="<answer>1</answer>")))


# -- NeMo-RL -----------------------------------------------------------------------------------------------------------


class Returned(NamedTuple):
    """As NeMo-RL's ``EnvironmentReturn``."""

    observations: list[dict[str, str]]
    metadata: list[Any]
    next_stop_strings: list[None]
    rewards: Any
    terminateds: Any
    answers: list[None]


def played(env: Any, row: dict[str, Any], actions: list[str]) -> tuple[list[float], list[str]]:
    """Rewards and observations of an episode, as NeMo-RL's rollout asks for them."""
    log: list[dict[str, str]] = [{"role": "user", "content": row["input"][0]["content"]}]
    metadata: Any = {"ground_truth": row["label"], "answer_format": None}
    rewards, seen = [], []
    for action in actions:
        log.append({"role": "assistant", "content": action})
        back = env.step([log], [metadata])
        (observation,), (metadata,) = back.observations, back.metadata
        log.append(observation)
        rewards += back.rewards.tolist()
        seen.append(observation["content"])
        assert bool(back.terminateds[0]) == (metadata is None)
    assert metadata is None
    return rewards, seen


@pytest.mark.slow
def test_episodes_go_on_from_turn_to_turn_and_without_the_actor(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="NeMo-RL's rewards are tensors: pip install 'envhub[train]'")
    (row, other) = rows_of(tmp_path, "guess-number-v0")
    kept = nemo_rl.on(object, Returned)({})
    actions = [WRONG, *row["solution"]]
    rewards, seen = played(kept, row, actions)
    assert rewards == [0.0] * (len(actions) - 1) + [1.0]
    assert kept._played._live == {}

    class Forgetful:
        def step(self, log: Any, metadata: Any) -> Any:
            return nemo_rl.on(object, Returned)({}).step(log, metadata)

    assert played(Forgetful(), row, actions) == (rewards, seen)
    first = kept.step(
        [[{"role": "assistant", "content": WRONG}]] * 2, [{"ground_truth": r["label"]} for r in (row, other)]
    )
    assert first.rewards.tolist() == [0.0, 0.0]
    assert first.metadata[0]["name"] != first.metadata[1]["name"]


def test_a_ground_truth_of_another_problem_is_refused(tmp_path: Path) -> None:
    one, other = rows_of(tmp_path, "guess-number-v0")
    log = [{"role": "assistant", "content": WRONG}]
    asked: Any = {"ground_truth": one["label"], "fingerprint": one["fingerprint"]}
    assert nemo_rl.Played().turn(log, asked)[2:] == (0.0, False)
    with pytest.raises(InvalidParameters, match="another problem"):
        nemo_rl.Played().turn(log, {**asked, "ground_truth": other["label"]})


def test_only_so_many_episodes_are_kept_and_the_others_are_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of(tmp_path, "guess-number-v0", rows=3)
    closed: list[RowEpisode] = []
    close = RowEpisode.close
    monkeypatch.setattr(RowEpisode, "close", lambda episode: (closed.append(episode), close(episode))[1])
    few = nemo_rl.Played({"kept": 2})
    logs: list[list[dict[str, str]]] = [[] for _ in rows]
    after: list[Any] = [{"ground_truth": row["label"]} for row in rows]

    def turn(place: int, action: str) -> tuple[float, bool]:
        logs[place].append({"role": "assistant", "content": action})
        observation, after[place], reward, over = few.turn(logs[place], after[place])
        logs[place].append({"role": "environment", "content": observation})
        return reward, over

    for place in range(3):
        assert turn(place, WRONG) == (0.0, False)
    first, second, third = (each["name"] for each in after)
    assert list(few._live) == [second, third]  # the one that nobody played for longest is dropped, and closed
    assert len(closed) == 1
    oracle = [turn(0, action) for action in rows[0]["solution"]]
    assert oracle == [(0.0, False)] * (len(oracle) - 1) + [(1.0, True)]  # begun again, it earns what it would have
    assert list(few._live) == [third]
    assert turn(2, WRONG) == (0.0, False)
    assert first not in few._live
    with pytest.raises(InvalidParameters, match="kept=0"):
        nemo_rl.Played({"kept": 0})


def test_without_the_package_the_error_says_so() -> None:
    with pytest.raises(MissingExtra, match="NeMo-RL"):
        nemo_rl.environment_class()


def test_an_episode_that_could_not_be_judged_raises(tmp_path: Path) -> None:
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1, format="openrlhf"), tmp_path / "t.jsonl", processes=1)
        (row,) = read(tmp_path / "t.jsonl")
        turn = nemo_rl.Played().turn
        with pytest.raises(JudgementError, match="judge_lost"):
            turn([{"role": "assistant", "content": "<answer>1</answer>"}], {"ground_truth": row["label"]})
        assert Episodes().begin(row["label"]).reward == 0.0
