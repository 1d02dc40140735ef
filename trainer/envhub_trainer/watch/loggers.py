"""Loggers of other projects: TensorBoard, trackio, Weights & Biases.

They are written and never read back.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from envhub_trainer.config import ConfigError, TrackConfig


@dataclass(frozen=True, slots=True)
class Logger:
    """A logger of another project.

    Attributes:
        log: Logs numbers of a step.
        close: Writes what is left.
    """

    log: Callable[[Mapping[str, float], int], None]
    close: Callable[[], None]


def loggers(folder: Path, config: TrackConfig, done: int, settings: Mapping[str, Any]) -> list[Logger]:
    """Open the loggers of a run, named after its folder.

    Args:
        folder: Folder of the run.
        config: Which loggers.
        done: Number of completed training steps.
        settings: The run's configuration as JSON values.

    Raises:
        ConfigError: One is not installed.
    """
    folder, found = folder.resolve(), []
    if config.tensorboard:
        found.append(_tensorboard(folder, done))
    if config.trackio:
        trackio = _imported("trackio", "trackio")
        run = trackio.init(project=config.trackio, name=folder.name, resume="allow", config=dict(settings))
        found.append(Logger(lambda numbers, step: run.log(_finite(numbers), step=step), run.finish))
    if config.wandb:
        wandb = _imported("wandb", "wandb")
        opened = wandb.init(
            project=config.wandb, name=folder.name, id=_id(folder), resume="allow", dir=folder, config=dict(settings)
        )
        found.append(Logger(lambda numbers, step: opened.log(_finite(numbers), step=step), opened.finish))
    return found


def _tensorboard(folder: Path, done: int) -> Logger:
    made = _imported("torch.utils.tensorboard", "tensorboard").SummaryWriter(
        str(folder / "tensorboard"), purge_step=done + 1
    )

    def log(numbers: Mapping[str, float], step: int) -> None:
        for name, value in numbers.items():
            made.add_scalar(name, value, step)
        made.flush()

    return Logger(log, made.close)


def _id(folder: Path) -> str:
    """The run's id at Weights & Biases, kept for a resumed run."""
    path = folder / "wandb.id"
    if not path.exists():
        path.write_text(secrets.token_hex(8))
    return path.read_text()


def _finite(numbers: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if isfinite(value)}


def _imported(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ConfigError(f"track.{package} needs {package}: pip install {package}, or leave it out.") from None
