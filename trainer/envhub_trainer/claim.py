"""The ownership of a run folder: one process, one configuration.

::

    check_unclaimed(config)     # ConfigError if the folder holds a run with other settings
    with locked(folder):        # ConfigError if another process holds it
        claim(config)

The operating system releases the lock when its process ends, however it ends. The file ``lock`` in the folder names the process
and the host that hold it, or held it last.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from envhub_trainer.config import Config, ConfigError

LOCK: Final = "lock"
_FREE: Final = {
    "run": {"folder", "steps", "save_every", "keep", "threads", "max_skipped"},
    "track": None,
    "evaluate": None,
    "policy": None,
}
"""Settings that may change when a run is resumed; None means the whole section."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, created if missing; ConfigError if held."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise ConfigError(
                f"{folder} is in use by {file.read().strip() or 'another process'}. Wait until it ends, stop it, or name "
                "another run.folder."
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield


def claim(config: Config) -> None:
    """Claim the folder for this run."""
    config.run.folder.mkdir(parents=True, exist_ok=True)
    (config.run.folder / "config.json").write_text(json.dumps(config.model_dump(mode="json"), indent=1))


def check_unclaimed(config: Config) -> None:
    """Raise ConfigError if the folder holds a run with other settings."""
    folder = config.run.folder
    path, told = folder / "config.json", config.model_dump(mode="json")
    if path.exists():
        other = _bound(json.loads(path.read_text()))
        differ = sorted(name for name, value in _bound(told).items() if other.get(name) != value)
        if differ:
            raise ConfigError(
                f"{folder} holds a run with other settings of {', '.join(differ)}; name another run.folder, or remove that one."
            )


def _bound(told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that must not change when a run is resumed."""
    kept: dict[str, Any] = {}
    for section, values in told.items():
        free = _FREE.get(section, set())
        if isinstance(values, list):  # of [[reward]] entries
            kept[section] = values
        elif free is not None:
            kept[section] = {name: value for name, value in (values or {}).items() if name not in free}
    return kept
