"""Our adapters under the code of SkyRL, OpenRLHF and verl themselves; run by an interpreter that has them.

Arguments: which trainer, and files of rows with the oracle's actions in the columns that it reads. Each drives its own package
the way its trainer does, with a scripted policy in the place of the model, and prints as JSON what came out: rewards of the
right actions, then of wrong ones.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch

from envhub.core.errors import InvalidParameters

WRONG = "<answer>4000000</answer>"
Row = dict[str, Any]


def rows_of(path: str) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def skyrl(path: str) -> tuple[list[float], list[float]]:
    """SkyRL makes the environment by name, and steps it until it is done."""
    import skyrl_gym

    import envhub.adapters.skyrl  # noqa: F401

    def played(row: Row, actions: list[str]) -> float:
        env = skyrl_gym.make("envhub", env_config={}, extras=row)
        prompt, _ = env.init(row["prompt"])
        assert prompt == row["prompt"]
        total, done = 0.0, False
        for action in actions:
            output = env.step(action)
            total, done = total + output["reward"], output["done"]
            if done:
                break
            assert [message["role"] for message in output["observations"]] == ["user"]
        assert done
        assert env.aggregate_metrics([env.get_metrics()])["turns"] > 0
        env.close()
        return total

    rows = rows_of(path)
    try:
        played({**rows[0], "reward_model": rows[1]["reward_model"]}, [WRONG])
    except InvalidParameters:
        pass
    else:
        raise AssertionError("the ground truth of another problem was taken")
    right = [played(row, row["extra_info"]["solution"]) for row in rows]
    return right, [played(row, [WRONG] * 50) for row in rows]


class Characters:
    """A tokenizer whose tokens are characters."""

    def __call__(self, text: str, **_: Any) -> dict[str, Any]:
        """Tokens, as tensors."""
        return {"input_ids": torch.tensor([list(map(ord, text))], dtype=torch.int64)}

    def decode(self, tokens: Any, **_: Any) -> str:
        """The text of tokens."""
        return "".join(map(chr, map(int, tokens)))


class Scripted:
    """An engine that says what it was told to say."""

    def __init__(self, actions: list[str]) -> None:
        self.actions = iter(actions)

    async def generate(self, tokens: list[int], params: Any, **_: Any) -> Any:
        """The next action."""
        text = next(self.actions)
        said = SimpleNamespace(token_ids=list(map(ord, text)), text=text, finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])


def openrlhf(single: str, several: str) -> tuple[list[float], list[float]]:
    """OpenRLHF's executors: one turn through a reward function in a file of the user's, several through an agent."""
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    from envhub.adapters.openrlhf import CHATML, agent_executor

    folder = tempfile.mkdtemp()
    Path(folder, "rewards.py").write_text("from envhub.adapters.openrlhf import reward_func\n")
    executors: list[tuple[str, Callable[[], Any]]] = [
        (single, lambda: SingleTurnAgentExecutor(f"{folder}/rewards.py")),
        (several, agent_executor(CHATML)),
    ]

    def ran(executor: Any, row: Row, actions: list[str]) -> float:
        params = SimpleNamespace(max_tokens=5000, logprobs=None)
        prompt = f"<|im_start|>user\n{row['input'][0]['content']}<|im_end|>\n<|im_start|>assistant\n"
        done = executor.execute(prompt, row["label"], params, 100_000, Characters(), Scripted(actions))
        result = asyncio.run(done)
        assert result["reward"] is not None
        return float(result["reward"])

    right, wrong = [], []
    for path, made in executors:
        for row in rows_of(path):
            right.append(ran(made(), row, row["solution"]))
            wrong.append(ran(made(), row, [WRONG] * 50))
    return right, wrong


def verl(path: str) -> tuple[list[float], list[float]]:
    """verl's reward manager scores a generated file."""
    import numpy as np
    from verl import DataProto
    from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager

    from envhub.adapters.verl.reward import compute_score

    async def scored(row: Row, response: str) -> float:
        manager = NaiveRewardManager(SimpleNamespace(), Characters(), compute_score)
        tokens = Characters()(response)["input_ids"]
        batch = {"responses": tokens, "attention_mask": torch.ones(1, 3 + tokens.shape[1], dtype=torch.int64)}
        facts = {name: np.array([row[name]], dtype=object) for name in ("data_source", "reward_model", "extra_info")}
        result = await manager.run_single(DataProto.from_dict(tensors=batch, non_tensors=facts))
        assert set(result["reward_extra_info"]) == {"score", "acc", "format", "no_answer"}
        return float(result["reward_score"])

    async def all_of(responses: list[tuple[Row, str]]) -> list[float]:
        return [await scored(row, response) for row, response in responses]

    rows = rows_of(path)
    right = asyncio.run(all_of([(row, row["extra_info"]["solution"][0]) for row in rows]))
    return right, asyncio.run(all_of([(row, WRONG) for row in rows]))


if __name__ == "__main__":
    right, wrong = {"skyrl": skyrl, "openrlhf": openrlhf, "verl": verl}[sys.argv[1]](*sys.argv[2:])
    print("\n" + json.dumps({"right": right, "wrong": wrong}))
