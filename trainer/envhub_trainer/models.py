"""Loading of Hugging Face models and tokenizers for training."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import torch

from envhub_trainer.config import HUB, ConfigError, ModelConfig
from envhub_trainer.vision import Vision

ADAPTER: Final = "adapter_config.json"
"""A folder with this file holds adapters (:mod:`envhub_trainer.lora`)."""


def load_model(path: str, config: ModelConfig) -> Any:
    """Load a language model, seeing or not, onto the configured device.

    Args:
        path: A folder, or ``hub:OWNER/NAME`` on the Hugging Face hub.
        config: Device, data type and attention implementation.

    Raises:
        ConfigError: It cannot be loaded.
    """
    name, local = source(path)
    if (Path(path) / ADAPTER).is_file():
        raise ConfigError(
            f"{path} holds adapters without their base model. `envhub train export RUN_FOLDER TO` writes a run's whole model."
        )
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar for every checkpoint is noise
    try:
        seeing = hasattr(AutoConfig.from_pretrained(name, local_files_only=local), "vision_config")
        model: Any = (AutoModelForImageTextToText if seeing else AutoModelForCausalLM).from_pretrained(
            name, dtype=getattr(torch, config.dtype), attn_implementation=config.attention, local_files_only=local
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"The model {path!r} cannot be loaded: {error}") from error
    for module in model.modules():  # with dropout, the trained policy would differ from the one that sampled
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "attention_dropout"):
            module.attention_dropout = 0.0
    if config.gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    return model.to(device(config.device))


def load_tokenizer(path: str) -> Any:
    """Load the tokenizer of a model.

    If the model reads pictures in a grid of patches, the tokenizer has the attribute ``vision``.

    Raises:
        ConfigError: It cannot be loaded.
    """
    from transformers import AutoConfig, AutoImageProcessor, AutoTokenizer

    name, local = source(path)
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(name, local_files_only=local)
    except (OSError, ValueError) as error:
        raise ConfigError(f"The tokenizer of {path!r} cannot be loaded: {error}") from error
    with suppress(OSError, ValueError):  # adapters have no configuration; for a model, load_model reports the error
        config = AutoConfig.from_pretrained(name, local_files_only=local)
        if hasattr(config, "vision_config"):
            load: Any = AutoImageProcessor.from_pretrained
            eye = load(name, local_files_only=local, backend="pil")  # needs no torchvision
            if "image_grid_thw" in eye.model_input_names:
                tokenizer.vision = Vision(eye, config.image_token_id)
    return tokenizer


def save_tokenizer(tokenizer: Any, folder: Path) -> None:
    """Write a tokenizer, and the image processor if there is one."""
    tokenizer.save_pretrained(folder)
    if vision := getattr(tokenizer, "vision", None):
        vision.processor.save_pretrained(folder)


def source(path: str) -> tuple[str, bool]:
    """The name for transformers to load, and whether it is a folder.

    A missing folder is never looked up on the internet.

    Raises:
        ConfigError: There is no model in the folder.
    """
    if path.startswith(HUB):
        name = path.removeprefix(HUB)
        if not name:
            raise ConfigError(f"{path!r} names no model; write hub:OWNER/NAME.")
        return name, False
    if not any((Path(path) / name).is_file() for name in ("config.json", ADAPTER)):
        raise ConfigError(
            f"There is no model in {path}. `envhub train warmstart RUN.toml` makes the one that a recipe begins with; a "
            "model on the Hugging Face hub is written hub:OWNER/NAME."
        )
    return path, True


def device(name: str) -> torch.device:
    """The device with a name; ``auto`` is a GPU if available."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)
