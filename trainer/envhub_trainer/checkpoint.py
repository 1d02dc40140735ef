"""Checkpoints that are there as a whole or not at all.

A checkpoint is a Hugging Face folder (weights and tokenizer, usable as a model by anybody) with two files more:
``trainer.pt`` (optimiser, critic, random state) and ``state.json`` (step, tasks, curricula). It is written beside its
place, synced to disk and renamed into it, so that whatever stops the process leaves the last one whole.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

_STATE = "state.json"
_REST = "trainer.pt"


def save(
    folder: Path, step: int, model: Any, tokenizer: Any, rest: Mapping[str, Any], state: Mapping[str, Any]
) -> Path:
    """Write the checkpoint of a step.

    Args:
        folder: That holds the run's checkpoints.
        step: How many steps were done.
        model: A Hugging Face model.
        tokenizer: Of the model.
        rest: What torch can save: the optimiser's and the critic's state.
        state: JSON values.

    Returns:
        Its folder.
    """
    final, draft = _place(folder, step), folder / f".draft-{step:06d}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    model.save_pretrained(draft)
    tokenizer.save_pretrained(draft)
    torch.save({**rest, "rng": torch.get_rng_state()}, draft / _REST)
    (draft / _STATE).write_text(json.dumps({**state, "step": step}))
    for path in [*draft.rglob("*"), draft]:
        _sync(path)
    if final.exists():  # the run was taken back behind this step
        shutil.rmtree(final)
    draft.rename(final)
    _sync(folder)
    return final


def latest(folder: Path) -> Path | None:
    """The checkpoint with the most steps; None if there is none."""
    found = sorted(path for path in folder.glob("step-*") if (path / _STATE).is_file())
    return found[-1] if found else None


def load(checkpoint: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What :func:`save` was given as ``rest`` and ``state``, and sets torch's random state.

    Raises:
        FileNotFoundError: It is no checkpoint.
    """
    rest = torch.load(checkpoint / _REST, map_location="cpu", weights_only=True)
    torch.set_rng_state(rest.pop("rng"))
    return rest, json.loads((checkpoint / _STATE).read_text())


def prune(folder: Path, keep: int) -> None:
    """Remove drafts and all but the last ``keep`` checkpoints."""
    for path in folder.glob(".draft-*"):
        shutil.rmtree(path)
    for path in sorted(folder.glob("step-*"))[:-keep]:
        shutil.rmtree(path)


def _place(folder: Path, step: int) -> Path:
    return folder / f"step-{step:06d}"


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
