"""Tiny models that vLLM takes (its attention on CPUs wants heads of 32 or more), and where vLLM is installed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT
from tests.trainer.models import tiny_llama

END = 2
CONTEXT = 192
ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1", "OMP_NUM_THREADS": "1"}
OPTIONS = ("--dtype", "float32", "--max-num-seqs", "32")


def tiny(seed: int) -> Any:
    """A random Llama of 0.2 million parameters."""
    return tiny_llama(
        seed,
        vocabulary=96,
        width=128,
        intermediate_size=128,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=CONTEXT,
        initializer_range=0.1,
        bos_token_id=1,
        eos_token_id=END,
        pad_token_id=0,
    )


def checkpoint(folder: Path, seed: int, **generation: Any) -> Path:
    """A tiny model on disk with a tokenizer of one character a token; ``generation`` is how it asks to be sampled from."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import GenerationConfig, PreTrainedTokenizerFast

    model = tiny(seed)
    model.generation_config = GenerationConfig(bos_token_id=1, eos_token_id=END, pad_token_id=0, **generation)
    model.save_pretrained(folder)
    vocabulary = {"<pad>": 0, "<bos>": 1, "<eos>": END, **{chr(0x4E00 + i): i for i in range(3, 96)}}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<bos>", eos_token="<eos>"
    ).save_pretrained(folder)
    return folder


def python_with_vllm() -> str:
    """The Python named by ENVHUB_VLLM_PYTHON, or that of .venvs/vllm; the test is skipped where it has no vLLM."""
    python = os.environ.get("ENVHUB_VLLM_PYTHON", str(ROOT / ".venvs" / "vllm" / "bin" / "python"))
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec('vllm') is None)"
    try:
        found = subprocess.run([python, "-c", code], check=False).returncode == 0
    except OSError:
        found = False
    if not found:
        pytest.skip(f"vLLM (3.4 GB) is not installed in {python}; name the Python that has it: ENVHUB_VLLM_PYTHON")
    return python
