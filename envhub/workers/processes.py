"""Start and end of spawned worker processes.

Forking a process with threads can hang, so workers are spawned. They leave Ctrl-C to the parent process and end when it ends,
even if it is killed. A worker that needs environments calls :func:`envhub.registry.registry.begin_worker`::

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
    """The multiprocessing context that spawns processes."""
    return multiprocessing.get_context("spawn")


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes started within this context.

    Even before they call :func:`begin`.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by the new process
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin() -> None:
    """Set up this process as a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """Exit when the parent has ended.

    A parent that is killed cannot announce it.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
