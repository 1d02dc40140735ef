"""A model's weights on disk, in the checkpoint format that samplers read.

::

    folder = save(model, Path("/tmp/run/version-3"))    # config.json, model.safetensors

The folder is created atomically. Names and layout are those of the model's published checkpoints, which for some models
(mixtures of experts) differ from ``state_dict()``; tied weights are written once.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.utils import logging


def save(model: PreTrainedModel, folder: Path, dtype: torch.dtype | None = None) -> Path:
    """Write a model's weights and configuration, without changing the model.

    Args:
        model: With plain tensors on any device; the caller must gather sharded ones.
        folder: Must not exist; its parent must exist.
        dtype: Data type of floating-point weights on disk; by default the model's own.

    Returns:
        The folder.

    Raises:
        FileExistsError: The folder exists.
        OSError: It cannot be written.
    """
    if folder.exists():
        raise FileExistsError(f"Weights are written into a folder of their own, and {folder} exists already.")
    partial = folder.with_name(f"{folder.name}.partial")
    if partial.exists():  # left by an interrupted save
        shutil.rmtree(partial)
    with without_progress_bar():
        model.save_pretrained(partial, state_dict=None if dtype is None else _cast(model, dtype))
    os.replace(partial, folder)
    return folder


def _cast(model: PreTrainedModel, dtype: torch.dtype) -> dict[str, Tensor]:
    """The model's weights in a data type; tied weights stay one tensor."""
    made: dict[int, Tensor] = {}

    def cast(tensor: Tensor) -> Tensor:
        if not tensor.is_floating_point():
            return tensor
        return made.setdefault(tensor.data_ptr(), tensor.detach().to(dtype))

    return {name: cast(tensor) for name, tensor in model.state_dict().items()}


@contextmanager
def without_progress_bar() -> Iterator[None]:
    """Disable progress bars, which would flood the log at every sync."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
