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

from transformers import PreTrainedModel
from transformers.utils import logging


def save(model: PreTrainedModel, folder: Path) -> Path:
    """Write a model's weights and configuration, without changing the model.

    Args:
        model: With plain tensors on any device; the caller must gather sharded ones.
        folder: Must not exist; its parent must exist.

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
    with _without_progress_bar():
        model.save_pretrained(partial)
    os.replace(partial, folder)
    return folder


@contextmanager
def _without_progress_bar() -> Iterator[None]:
    """Disable progress bars, which would flood the log at every sync."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
