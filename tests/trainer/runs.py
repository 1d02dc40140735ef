"""Small whole runs: a random model that knows digits, a short budget, real environments."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from envhub_trainer import checkpoint
from envhub_trainer.config import Config, read
from envhub_trainer.loop import train
from envhub_trainer.run import Run
from tests.trainer.models import tiny_llama

SHORT = "{% for m in messages %}{{ m['content'][-24:] }}<|end|>{% endfor %}"
"""A template that shows the end of each message only, so that rows are short."""
SEED = 3
GUESS: dict[str, Any] = {"guess-number-v0": {"weight": 1, "low": 1, "high": 16, "guesses": 2}}


def digits() -> Any:
    """A tokenizer of digits, so that chance finds a number now and then; everything else is unknown."""
    return speaking(*"0123456789")


def speaking(*said: str) -> Any:
    """A tokenizer of whole texts, so that chance says one of them now and then; every other character is unknown."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ["<|end|>", "?", *said]
    plain = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="?"))
    whole = "|".join(map(re.escape, sorted(said, key=len, reverse=True)))
    plain.pre_tokenizer = pre_tokenizers.Split(Regex(rf"{whole}|[\s\S]"), "isolated")
    plain.decoder = decoders.Fuse()
    found = PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<|end|>", pad_token="<|end|>", unk_token="?")
    found.chat_template = SHORT
    return found


def model(folder: Path, seed: int = 0, tokens: Any = None) -> Path:
    """A random model with a tokenizer, as transformers reads it."""
    path = folder / f"model-{seed}"
    if not path.exists():
        tokens = tokens or digits()
        tiny_llama(seed, vocabulary=len(tokens)).save_pretrained(path)
        tokens.save_pretrained(path)
    return path


def config(folder: Path, **changes: Any) -> Config:
    """Settings of a run of four steps in a few seconds; sections are merged with ``changes``."""
    sections: dict[str, Any] = {
        "run": {"folder": str(folder / "run"), "steps": 4, "save_every": 2, "seed": SEED, "threads": 1},
        "model": {"path": str(model(folder)), "device": "cpu"},
        "policy": {"slots": 8},
        "tasks": {
            "environments": GUESS,
            "answer_format": "last",
            "wording": 0,
            "reward": {"accuracy": 1.0, "format": 0.5},
        },
        "rollout": {"groups": 3, "size": 4, "max_tokens": 6, "context": 96},
        "algorithm": {"name": "grpo", "kl": 0},
        "optimizer": {"learning_rate": 1e-3, "minibatches": 2},
        "evaluate": {"episodes": 4},
    }
    for name, values in changes.items():
        if isinstance(values, dict):
            sections.setdefault(name, {}).update(values)
        else:  # entries, such as [[stage]]
            sections[name] = values
    return read(sections)


def trained(config: Config) -> Run:
    """The run of these settings, to its end."""
    return asyncio.run(train(config))


def weights(config: Config) -> dict[str, torch.Tensor]:
    """The weights of a run's last checkpoint."""
    last = checkpoint.latest(config.run.folder / "checkpoints")
    assert last is not None
    return load_file(last / "model.safetensors")


def assert_same_weights(one: Config, other: Config) -> None:
    """Two runs must have the same weights, bit for bit."""
    first, second = weights(one), weights(other)
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name
