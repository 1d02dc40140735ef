"""What tests of verl share: its configuration, a model that is only a tokenizer, and batches of rows; for .venvs/trl."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from hydra import compose, initialize_config_module
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, PreTrainedTokenizerFast, Qwen2Config
from verl import DataProto

from envhub.authoring import BaseParams, SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.dataset import DatasetConfig, generate
from envhub.registry.registry import register, unregister
from envhub.verifiers.answers.types import Integer

Row = dict[str, Any]
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
FAMILIES = {"qwen2": (Qwen2Config, "Qwen2ForCausalLM"), "llama": (LlamaConfig, "LlamaForCausalLM")}


class Away(SingleTurn):
    """An environment whose judge is away."""

    Params, answer = BaseParams, Integer()

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A problem."""
        return Instance({"x": rng.below(1000)})

    def canonical(self, content: Any) -> Any:
        """It alone."""
        return content["x"]

    def prompt(self, problem: Any) -> str:
        """It alone."""
        return f"What is {problem['x']}?"

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Nobody is there."""
        return Verdict.failed("judge_lost", "The judge is away.")

    def accepts(self, inst: Instance) -> bool:
        """Whatever it is."""
        return True

    def solve(self, inst: Instance) -> str:
        """Nobody knows whether it is right."""
        return str(inst.problem["x"])


@contextmanager
def unjudged() -> Iterator[list[Row]]:
    """A row that cannot be judged."""
    register("away-v0", Away)
    try:
        with tempfile.TemporaryDirectory() as folder:
            generate(DatasetConfig(("away-v0",), splits={"train": 1}), Path(folder, "rows.jsonl"), processes=1)
            yield rows_of(f"{folder}/rows.jsonl")
    finally:
        unregister("away-v0")


def rows_of(path: str) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def model(folder: Path, family: str = "qwen2") -> Path:
    """A folder with the configuration and the tokenizer of a model, a token a byte, that has no weights."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL))
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=SPECIAL[2], pad_token=SPECIAL[0])
    made.chat_template = CHATML
    made.save_pretrained(folder)
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    kind, name = FAMILIES[family]
    kind(vocab_size=len(vocabulary), architectures=[name], **sizes).save_pretrained(folder)
    return folder


def configured(model: Path, *overrides: str) -> Any:
    """verl's own configuration, with what a rollout needs."""
    given = [
        f"actor_rollout_ref.model.path={model}",
        "actor_rollout_ref.rollout.name=vllm",
        "actor_rollout_ref.rollout.mode=async",
        "actor_rollout_ref.rollout.calculate_log_probs=True",
        *overrides,
    ]
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", overrides=given)


def responses(rows: list[Row], texts: list[str], tokenizer: Any) -> Any:
    """Responses to rows as the rollout hands them on: prompts padded on the left, responses on the right."""
    said = [tokenizer.encode(text + SPECIAL[2], add_special_tokens=False) for text in texts]
    width, before = max(map(len, said)) + 3, 4
    pad = tokenizer.pad_token_id
    tensors = {
        "prompts": torch.tensor([[pad, 5, 6, 7]] * len(rows)),
        "responses": torch.tensor([tokens + [pad] * (width - len(tokens)) for tokens in said]),
        "attention_mask": torch.tensor(
            [[0, 1, 1, 1] + [1] * len(tokens) + [0] * (width - len(tokens)) for tokens in said]
        ),
    }
    assert tensors["attention_mask"].shape[1] == before + width
    return DataProto.from_dict(tensors=tensors, non_tensors=columns(rows))


def columns(rows: list[Row], **more: list[Any]) -> dict[str, Any]:
    """The columns of rows, as verl's dataset makes them."""
    values = {name: [row[name] for row in rows] for name in ("data_source", "reward_model", "extra_info")} | more
    named = {name: np.empty(len(rows), dtype=object) for name in values}
    for name, column in named.items():
        column[:] = values[name]
    return named
