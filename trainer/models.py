"""Hugging Face models and tokenizers, as training wants them: float32 weights on one device, errors that say what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from trainer.config import ConfigError, ModelConfig


def load_model(path: str, config: ModelConfig) -> Any:
    """A causal language model with float32 weights.

    Args:
        path: A folder or a Hugging Face name.
        config: Device and attention.

    Raises:
        ConfigError: There is none.
    """
    from transformers import AutoModelForCausalLM
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar for every checkpoint is noise
    try:
        model: Any = AutoModelForCausalLM.from_pretrained(
            path, dtype=torch.float32, attn_implementation=config.attention
        )
    except (OSError, ValueError) as error:
        raise ConfigError(_missing("model", path, error)) from error
    for module in model.modules():  # a dropped unit would make the trained policy another than the one that sampled
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "attention_dropout"):
            module.attention_dropout = 0.0
    if config.gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    return model.to(device(config.device))


def load_tokenizer(path: str) -> Any:
    """The tokenizer of a model.

    Raises:
        ConfigError: There is none.
    """
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(path)
    except (OSError, ValueError) as error:
        raise ConfigError(_missing("tokenizer", path, error)) from error


def device(name: str) -> torch.device:
    """The device of a name; ``auto`` is a GPU if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)


def _missing(what: str, path: str, error: Exception) -> str:
    if Path(path).is_absolute() or path.startswith((".", "runs/")):
        return f"There is no {what} in {path}: {error} `envhub train warmstart RUN.toml` makes the one of a recipe."
    return f"The {what} {path!r} cannot be loaded: {error}"
