"""The one sandbox of this process, selected by ``ENVHUB_SANDBOX``."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Final

from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.sandbox import LocalSandbox, Sandbox

SANDBOX_VARIABLE: Final = "ENVHUB_SANDBOX"
"""Environment variable with the name of a backend, or ``unix:/path`` for the socket of a running broker."""


def default_sandbox() -> Sandbox:
    """The sandbox of this process, created on first use.

    Defaults to the ``namespace`` backend.

    Raises:
        InvalidParameters: ``ENVHUB_SANDBOX`` names no backend.
        MissingExtra: The backend cannot work here; the message says what is missing.
    """
    global _default
    with _default_lock:
        if _default is None:
            where = os.environ.get(SANDBOX_VARIABLE) or "namespace"
            broker = where.startswith("unix:")
            _default = RemoteSandbox(where.removeprefix("unix:"), start=False) if broker else LocalSandbox(where)
            atexit.register(_default.close)
        return _default


_default: Sandbox | None = None
_default_lock = threading.Lock()


def _after_fork() -> None:
    global _default_lock
    _default_lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
