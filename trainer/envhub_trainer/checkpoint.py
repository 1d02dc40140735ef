"""Checkpoints that are written atomically.

A checkpoint is a Hugging Face folder (weights and tokenizer, loadable as a model) with two more files:
``trainer.pt`` (optimiser, critic, random state) and ``state.json`` (step, tasks, curricula). It is written to a draft folder,
synced to disk and renamed, so that the last checkpoint stays intact if the process is stopped.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from envhub_trainer.models import save_tokenizer

_STATE = "state.json"
_REST = "trainer.pt"


def save(
    folder: Path, step: int, model: Any, tokenizer: Any, rest: Mapping[str, Any], state: Mapping[str, Any]
) -> Path:
    """Write the checkpoint of a step.

    Args:
        folder: Parent folder of the run's checkpoints.
        step: Number of completed steps.
        model: A Hugging Face model.
        tokenizer: The model's tokenizer.
        rest: State of the optimiser and the critic, saved with torch.
        state: JSON values.

    Returns:
        The checkpoint's folder.
    """
    final, draft = _place(folder, step), folder / f".draft-{step:06d}"
    folder.mkdir(parents=True, exist_ok=True)
    _clean(folder)  # drafts of saves that failed take up room
    draft.mkdir()
    model.save_pretrained(draft)
    save_tokenizer(tokenizer, draft)
    torch.save({**rest, "rng": torch.get_rng_state()}, draft / _REST)
    (draft / _STATE).write_text(json.dumps({**state, "step": step}))
    for path in [*draft.rglob("*"), draft]:
        _sync(path)
    if final.exists():  # left from before the run was reset to an earlier step
        shutil.rmtree(final)
    draft.rename(final)
    _sync(folder)
    return final


def latest(folder: Path) -> Path | None:
    """The checkpoint with the most steps, or None."""
    found = sorted(path for path in folder.glob("step-*") if (path / _STATE).is_file())
    return found[-1] if found else None


def load(checkpoint: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the ``rest`` and ``state`` of :func:`save` and restore torch's random state.

    Raises:
        FileNotFoundError: The folder is not a checkpoint.
    """
    rest = torch.load(checkpoint / _REST, map_location="cpu", weights_only=True)
    torch.set_rng_state(rest.pop("rng"))
    return rest, json.loads((checkpoint / _STATE).read_text())


def prune(folder: Path, keep: int) -> None:
    """Remove drafts and all but the last ``keep`` checkpoints."""
    _clean(folder)
    for path in sorted(folder.glob("step-*"))[:-keep]:
        shutil.rmtree(path)


def _place(folder: Path, step: int) -> Path:
    return folder / f"step-{step:06d}"


def _clean(folder: Path) -> None:
    """Remove drafts."""
    for path in folder.glob(".draft-*"):
        shutil.rmtree(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
