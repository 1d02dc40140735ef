"""Spawned worker processes: how they start and how they end.

Forking a process that has threads can hang, so workers are spawned. They leave Ctrl-C to the process they work for, and end
when it has ended, however it did. A worker that needs environments calls :func:`envhub.registry.registry.begin_worker`::

    context().Process(target=work, args=(...,)).start()       # work() calls begin() first
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext


def context() -> SpawnContext:
    """What makes processes."""
    return multiprocessing.get_context("spawn")


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """A process that is started in here hears no Ctrl-C, not even before :func:`begin` is reached."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which it inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin() -> None:
    """Make this process a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End when the process this one works for has ended: killed, it cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
