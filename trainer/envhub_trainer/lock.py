"""A lock on a run's folder, for one process.

::

    with locked(folder):        # ConfigError if another process holds it
        ...

The operating system releases the lock when its process ends, however it ends. The file ``lock`` in the folder names the process
and the host that hold it, or held it last.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from envhub_trainer.config import ConfigError

LOCK: Final = "lock"


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
