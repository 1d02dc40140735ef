"""Processes that work for this one: what they must know, and how they end.

Forking a process that has threads can hang, so workers are spawned; they are told what was registered by hand, leave Ctrl-C to
the process they work for, and end when it has ended, however it did::

    context().Process(target=work, args=(registered(), ...)).start()       # work() begins with begin(specs)
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext

from envhub.core.types import EnvSpec
from envhub.registry.registry import adopt


def context() -> SpawnContext:
    """What makes processes."""
    return multiprocessing.get_context("spawn")


@contextmanager
def deaf() -> Iterator[None]:
    """A process that is started in here hears no Ctrl-C, not even before :func:`begin` is reached."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which it inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(specs: list[EnvSpec]) -> None:
    """Make this process a worker.

    Args:
        specs: What was registered by hand in the process it works for (:func:`envhub.registry.registry.registered`).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()
    adopt(specs)


def _follow_parent() -> None:
    """End when the process this one works for has ended: killed, it cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
