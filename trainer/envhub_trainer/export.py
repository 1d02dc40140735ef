"""Exports a run's model as an ordinary Hugging Face folder.

::

    export(Path("runs/guess"), Path("exported"))        # weights, adapters merged, and tokenizer
"""

from __future__ import annotations

import json
from pathlib import Path

from envhub_trainer import checkpoint, lora
from envhub_trainer.config import ConfigError, read
from envhub_trainer.models import ADAPTER, load_tokenizer, save_tokenizer
from envhub_trainer.policy import weights


def export(folder: Path, to: Path) -> Path:
    """Write the model of a run's last checkpoint.

    Args:
        folder: Folder of the run.
        to: New folder.

    Returns:
        The new folder.

    Raises:
        ConfigError: The run has no checkpoint, or the new folder exists.
    """
    last = checkpoint.latest(folder / "checkpoints")
    if last is None:
        raise ConfigError(f"{folder} has no checkpoint to export. A run saves one every run.save_every steps.")
    if to.exists():
        raise ConfigError(f"{to} exists already; name a new folder.")
    config = read(json.loads((folder / "config.json").read_text()))
    model = lora.load(str(last), config)
    if (last / ADAPTER).is_file():
        model = lora.merged(model)
    to.parent.mkdir(parents=True, exist_ok=True)
    weights.save(model, to)
    save_tokenizer(load_tokenizer(str(last)), to)
    return to
