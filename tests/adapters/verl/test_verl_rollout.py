"""verl's agent loop and reward manager over stand-ins of the few names that they use; nightly they run in verl itself."""

from __future__ import annotations

import asyncio
import importlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from PIL import Image

import envhub.adapters.verl
from envhub.adapters.shared.episodes import Episodes
from envhub.adapters.verl.rollout import Rolled, Rollout
from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra
from envhub.dataset import generate, truth
from envhub.making import begin
from tests.dataset.workshop import Unjudged, config, known, read

WRONG, END, IMAGE = "<answer>4000000</answer>", "\x03", "\x04"
Script = list[tuple[str, str]]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Two games and a sum, with the oracle's actions."""
    folder, found = tmp_path_factory.mktemp("rows"), []
    for id, count in (("guess-number-v0", 2), ("arithmetic-v0", 1)):
        generate(config(id, rows=count, with_solutions=True), folder / f"{id}.jsonl", processes=1)
        found += read(folder / f"{id}.jsonl")
    return found


def shown(content: Any) -> str:
    """The text of a message, with a token for each picture."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] if part["type"] == "text" else IMAGE for part in content)


class Loop:
    """As verl's ``AgentLoopBase``: a token a character, an end behind every message."""

    def __init__(self, script: Script, most: tuple[int, int] = (5000, 5000)) -> None:
        self.rollout_config = SimpleNamespace(prompt_length=most[0], response_length=most[1])
        self.continuous_token_builder = self.server_manager = self.tokenizer = self
        self.script, self.asked = list(script), list[dict[str, Any]]()

    def build_initial_tokens(self, messages: list[dict[str, Any]], images: list[Any] | None = None) -> list[int]:
        """A picture is one token, as many as there are images."""
        said = "".join(f"{message['role']}:{shown(message['content'])}{END}" for message in messages)
        assert images is None or said.count(IMAGE) == len(images)
        return list(map(ord, f"{said}assistant:"))

    async def process_multi_modal_info(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        parts = [part for message in messages for part in message["content"] if not isinstance(part, str)]
        return {"images": [part["image"] for part in parts if part["type"] == "image"]}

    def _assert_mm_supported(self, has_multi_modal: bool) -> None:
        assert has_multi_modal

    def decode(self, tokens: list[int], skip_special_tokens: bool) -> str:
        assert skip_special_tokens
        return "".join(map(chr, tokens)).replace(END, "")

    async def generate(self, **asked: Any) -> Any:
        self.asked.append({**asked, "prompt_ids": list(asked["prompt_ids"])})
        text, why = self.script.pop(0)
        tokens = list(map(ord, text + END))[: asked["sampling_params"]["max_tokens"]]
        logged = [-0.5] * len(tokens) if asked["sampling_params"].get("logprobs") else None
        steps = {"min_global_steps": len(self.asked), "max_global_steps": len(self.asked)}
        return SimpleNamespace(
            token_ids=tokens,
            log_probs=logged,
            stop_reason=why,
            num_preempted=1,
            extra_fields=steps,
            routed_experts=None,
        )

    async def ct_merge_assistant_token(
        self, ids: list[int], said: list[int], mask: Any, log_probs: Any, assistant_logprobs: Any
    ) -> Any:
        merged = None if log_probs is None else log_probs + assistant_logprobs
        return SimpleNamespace(token_ids=ids + said), mask + [1] * len(said), merged

    async def ct_merge_context_msg(self, before: Any, after: Any, ids: list[int], mask: Any, log_probs: Any) -> Any:
        assert after[: len(before)] == before
        between = self.build_initial_tokens(after[len(before) :])
        merged = None if log_probs is None else log_probs + [0.0] * len(between)
        return SimpleNamespace(token_ids=ids + between), mask + [0] * len(between), merged


def row_of(row: Any, **changed: Any) -> dict[str, Any]:
    """As verl's dataset hands it to the loop."""
    named = {name: row[name] for name in ("data_source", "reward_model", "extra_info")}
    return {**named, "raw_prompt": row["prompt"], "index": 0, **changed}


def rolled(row: Any, loop: Loop, logged: bool = True, **changed: Any) -> Rolled:
    sampling = {"temperature": 1.0, "logprobs": logged}
    return asyncio.run(
        Rollout(loop, row_of(row, **changed), sampling).play(Episodes(reward={"accuracy": 1.0, "format": 0.5}))
    )


def spoken(*actions: str) -> Script:
    return [(action, "completed") for action in actions]


def test_tokens_only_grow_and_the_reward_is_the_environments(rows: list[Any]) -> None:
    actions = [WRONG, *rows[0]["extra_info"]["solution"]]
    loop = Loop(spoken(*actions))
    done = rolled(rows[0], loop)
    assert (done.reward, done.told) == (1.5, {"score": 1.5, "acc": 1.0, "format": 1.0, "no_answer": 0.0})
    assert done.prompt_ids == loop.build_initial_tokens(rows[0]["prompt"])
    assert done.turns == 2 * len(actions)
    assert len({asked["request_id"] for asked in loop.asked}) == 1
    assert done.extra == {"min_global_steps": 1, "max_global_steps": len(actions)}
    assert done.metrics["num_preempted"] == len(actions)
    said = "".join(chr(token) for token, own in zip(done.response_ids, done.response_mask, strict=True) if own)
    assert said == "".join(action + END for action in actions)
    assert rolled(rows[0], Loop(spoken(*actions)), logged=False).log_probs is None
    assert rolled(rows[1], Loop(spoken(*[WRONG] * 50))).told == {
        "score": 0.5,
        "acc": 0.0,
        "format": 1.0,
        "no_answer": 0.0,
    }


def as_verl_reads(row: Any, folder: Path) -> list[Any]:
    """The prompt of a row with pictures, as verl's dataset takes it apart."""
    [image] = [Image.open(io.BytesIO((folder / each["path"]).read_bytes())) for each in row["images"]]
    [message] = row["prompt"]
    text, end = message["content"].split("<image>")
    assert end == ""
    return [{**message, "content": [{"type": "text", "text": text}, {"type": "image", "image": image}]}]


def test_pictures_go_to_the_engine_and_to_the_update(tmp_path: Path) -> None:
    asked = config("sokoban-v0", rows=1, with_solutions=True, levels=(1, 1), observation="image")
    generate(asked, tmp_path / "seen.jsonl", processes=1)
    (row,) = read(tmp_path / "seen.jsonl")
    prompt, actions = as_verl_reads(row, tmp_path), row["extra_info"]["solution"]

    def played(script: Script, prompt: Any = prompt, observation: str = "image") -> tuple[Rolled, Loop]:
        loop = Loop(script)
        rollout = Rollout(loop, row_of(row, raw_prompt=prompt), {"logprobs": True})
        return asyncio.run(rollout.play(Episodes(pictured=True, observation=observation))), loop

    done, loop = played(spoken(*actions))
    assert done.reward == 1.0
    assert len(done.images) == len(actions)  # one in the prompt, and one after each action but the last
    assert [len(each["image_data"]) for each in loop.asked] == [*range(1, len(actions) + 1)]
    assert (done.prompt_ids + done.response_ids).count(ord(IMAGE)) == len(actions)
    assert not any(own for own, token in zip(done.response_mask, done.response_ids, strict=True) if token == ord(IMAGE))
    beside = begin(truth.read(row["reward_model"]["ground_truth"]), observation="image")
    for image, action in zip(done.images[1:], actions, strict=False):
        (seen,) = beside.step(action)[4]["images"]
        assert image.tobytes() == Image.open(io.BytesIO(seen.png())).convert("RGB").tobytes()
    with pytest.raises(InvalidParameters, match="another problem than its prompt asks"):
        played([], observation="text")
    blind = [{**prompt[0], "content": row["prompt"][0]["content"].removesuffix("\n<image>")}]
    with pytest.raises(InvalidParameters, match="has 0 pictures, and the observation 1"):
        played([], blind)


def test_a_row_of_one_turn_is_an_episode_of_one(rows: list[Any]) -> None:
    done = rolled(rows[2], Loop(spoken(rows[2]["extra_info"]["solution"][0])))
    assert (done.reward, done.turns) == (1.5, 2)
    assert rolled(rows[2], Loop(spoken("no idea"))).told["no_answer"] == 1.0


@given(
    room=st.integers(1, 700), actions=st.lists(st.sampled_from([WRONG, "", "hm", "<answer>3</answer>"]), min_size=20)
)
def test_whatever_is_said_the_tokens_are_those_that_were_sampled(
    rows: list[Any], room: int, actions: list[str]
) -> None:
    loop = Loop(spoken(*actions), (5000, room))
    done = rolled(rows[0], loop)
    assert done.log_probs is not None
    assert len(done.response_ids) == len(done.response_mask) == len(done.log_probs) <= room
    whole = done.prompt_ids + done.response_ids
    for asked in loop.asked:
        assert whole[: len(asked["prompt_ids"])] == asked["prompt_ids"]
        assert asked["sampling_params"]["max_tokens"] == room - (len(asked["prompt_ids"]) - len(done.prompt_ids)) > 0
    own = [token for token, sampled in zip(done.response_ids, done.response_mask, strict=True) if sampled]
    sampled = [[*map(ord, action + END)] for action in actions[: len(loop.asked)]]
    assert own == [token for said in sampled for token in said][: len(own)]
    assert done.response_mask[-1] == 1  # it ends with what was sampled, not with an answer to it
    assert all((value != 0) == bool(mask) for value, mask in zip(done.log_probs, done.response_mask, strict=True))
    assert done.reward in (0.0, 0.5)


def test_an_engine_that_says_more_than_it_may_is_judged_by_what_is_trained_on(rows: list[Any]) -> None:
    class Heedless(Loop):
        async def generate(self, **asked: Any) -> Any:
            return await super().generate(**{**asked, "sampling_params": {"logprobs": True, "max_tokens": 9999}})

    right = rows[2]["extra_info"]["solution"][0]
    assert rolled(rows[2], Heedless(spoken(right))).reward == 1.5
    done = rolled(rows[2], Heedless(spoken(f"I think it is {right}"), (5000, 10)))
    assert (done.reward, len(done.response_ids), done.log_probs) == (0.0, 10, [-0.5] * 10)


def test_what_the_engine_gave_up_has_no_reward(rows: list[Any]) -> None:
    for why in ("aborted", "abort"):
        with pytest.raises(JudgementError, match="gave the episode up"):
            rolled(rows[0], Loop([(WRONG, "completed"), ("<ans", why)]))


def test_what_could_not_be_judged_has_no_reward(tmp_path: Path) -> None:
    truth.judge.cache_clear()
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1), tmp_path / "t.jsonl", processes=1)
        (row,) = read(tmp_path / "t.jsonl")
        with pytest.raises(JudgementError, match="judge_lost"):
            rolled(row, Loop(spoken("<answer>1</answer>")))
        assert rolled(row, Loop(spoken("nothing to judge"))).reward == 0.0
    truth.judge.cache_clear()


def test_rows_that_ask_something_else_are_refused(rows: list[Any]) -> None:
    loop = Loop([])
    with pytest.raises(InvalidParameters, match="another problem than its prompt asks"):
        rolled(rows[0], loop, raw_prompt=rows[2]["prompt"])
    with pytest.raises(InvalidParameters, match="another problem than was asked"):
        rolled(rows[0], loop, reward_model=rows[1]["reward_model"])
    with pytest.raises(InvalidParameters, match="would cut it to 50"):
        rolled(rows[0], Loop([], (50, 5000)))
    with pytest.raises(InvalidParameters, match="got the columns index, raw_prompt"):
        asyncio.run(Rollout(loop, {"raw_prompt": [], "index": 0}, {}).play(Episodes()))
    assert not loop.asked


# -- the classes that verl loads ---------------------------------------------------------------------------------------


class Output(SimpleNamespace):
    """As verl's ``AgentLoopOutput``."""


class Base(Loop):
    """As verl makes its agent loops."""

    def __init__(self, *, script: Script, **_: Any) -> None:
        super().__init__(script)


class Manager:
    """As verl's ``RewardManagerBase``."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any) -> None:
        self.tokenizer = tokenizer


@pytest.fixture
def verl(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with the names that our modules import."""
    for name, contents in {
        "verl.experimental.agent_loop.agent_loop": {"AgentLoopBase": Base, "AgentLoopOutput": Output},
        "verl.experimental.reward_loop.reward_manager.base": {"RewardManagerBase": Manager},
    }.items():
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            monkeypatch.setitem(sys.modules, ".".join(parts[:length]), ModuleType(parts[length - 1]))
        vars(sys.modules[name]).update(contents)
    yield
    for ours in ("agent_loop", "reward_manager"):
        sys.modules.pop(f"envhub.adapters.verl.{ours}", None)
        vars(envhub.adapters.verl).pop(ours, None)


@pytest.mark.usefixtures("verl")
def test_the_agent_loop_hands_on_what_verl_trains_on(rows: list[Any]) -> None:
    made = importlib.import_module("envhub.adapters.verl.agent_loop").EnvhubAgentLoop
    actions = rows[1]["extra_info"]["solution"]
    loop = made(script=spoken(*actions), url=None, reward={"accuracy": 2.0}, name="envhub")
    output = asyncio.run(loop.run({"logprobs": True}, **row_of(rows[1])))
    assert (output.reward_score, output.num_turns) == (2.0, 2 * len(actions))
    assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs)
    told = {"score": 2.0, "acc": 1.0, "format": 1.0, "no_answer": 0.0}
    assert output.extra_fields["reward_extra_info"] == told
    with pytest.raises(JudgementError):
        asyncio.run(made(script=[("", "aborted")]).run({}, **row_of(rows[1])))


class Item(list[Any]):
    """As one of verl's ``DataProto``: its slice is another one, its item has tensors and columns."""

    def __getitem__(self, at: Any) -> Any:
        return Item(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)


def response(row: Any, text: str) -> Any:
    torch = pytest.importorskip("torch", reason="verl's batches are tensors: pip install 'envhub[train]'")
    tokens = [ord(letter) for letter in text + END]
    batch = {
        "responses": torch.tensor([*tokens, 0, 0]),
        "attention_mask": torch.tensor([1] * 3 + [1] * len(tokens) + [0, 0]),
    }
    return Item([SimpleNamespace(batch=batch, non_tensor_batch=row_of(row))])


@pytest.mark.usefixtures("verl")
def test_the_reward_manager_judges_a_batch_at_once_and_again_what_was_lost(
    rows: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("envhub.adapters.verl.reward_manager")
    batches: list[int] = []
    once = module.Scorer._once
    monkeypatch.setattr(
        module.Scorer, "_once", lambda self, answered: batches.append(len(answered)) or once(self, answered)
    )

    def scored(batch: list[Any], **settings: Any) -> list[Any]:
        config = SimpleNamespace(reward={"reward_kwargs": settings} if settings else {})
        manager = module.EnvhubRewardManager(config, Loop([]), compute_score=None, reward_router_address=None)

        async def all_of() -> list[Any]:
            return await asyncio.gather(*map(manager.run_single, batch), return_exceptions=True)

        batches.clear()
        return asyncio.run(all_of())

    right = response(rows[2], rows[2]["extra_info"]["solution"][0])
    assert [each["reward_score"] for each in scored([right, response(rows[2], WRONG)])] == [1.0, 0.0]
    assert batches == [2]
    (game, other) = scored([response(rows[0], WRONG), right])
    assert isinstance(game, InvalidParameters)  # the row of a game is refused, and costs the other one nothing
    assert other["reward_extra_info"] == {"score": 1.0, "acc": 1.0, "format": 1.0, "no_answer": 0.0}
    with pytest.raises(InvalidParameters, match="Did you mean 'tries'"):
        scored([], trie=2)
    with pytest.raises(InvalidParameters, match="at least 1"):
        scored([], tries=0)
    truth.judge.cache_clear()
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1), tmp_path / "t.jsonl", processes=1)
        lost = response(read(tmp_path / "t.jsonl")[0], "<answer>1</answer>")
        (unjudged, judged) = scored([lost, right], tries=4)
        assert isinstance(unjudged, JudgementError)
        assert judged["reward_score"] == 1.0
        assert batches == [2, 1, 1, 1]
    truth.judge.cache_clear()


@pytest.mark.parametrize("name", ["agent_loop", "reward_manager"])
def test_without_the_package_the_error_says_so(name: str) -> None:
    if importlib.util.find_spec("verl") is not None:
        pytest.skip("verl is installed beside envhub")
    with pytest.raises(MissingExtra, match="pip install verl"):
        importlib.import_module(f"envhub.adapters.verl.{name}")
