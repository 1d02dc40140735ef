"""The sandbox of this process: which one it is, and that there is one only."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Final

from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.sandbox import LocalSandbox, Sandbox

WHERE: Final = "ENVHUB_SANDBOX"
"""The variable that names a backend, or as ``unix:/path`` the socket of a broker that somebody keeps."""


def default_sandbox() -> Sandbox:
    """The sandbox of this process, made when it is first asked for: what ``ENVHUB_SANDBOX`` says, or ``namespace``.

    Raises:
        InvalidParameters: The variable names nothing there is.
        MissingExtra: The backend cannot work here; the message says what is missing.
    """
    global _default
    with _default_lock:
        if _default is None:
            where = os.environ.get(WHERE) or "namespace"
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
