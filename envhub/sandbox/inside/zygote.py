"""A warm process from which the processes of each job are forked.

It reads no requests, so that no job leaves anything in the memory that the next one is forked from. In a jail it forks once:
one process becomes the runner (:mod:`runner`), which reads requests, the other forks processes on its orders. In a container
the first process of each job (:mod:`init`) reads its own request and answers it. There, the zygote ends when the host closes
the stream or when such a process fails; the slot is then lost.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import os
import resource
import select
import signal
import sys
from typing import Any

from envhub.sandbox.inside import container, counters, init, jail, linux, parcel, program, runner, spawn, warm, wire

PRELOAD = """
    abc array base64 bisect calendar cmath collections collections.abc contextlib copy csv dataclasses datetime decimal
    enum fractions functools hashlib heapq inspect io itertools json keyword linecache math numbers operator pprint queue
    random re secrets shlex statistics string struct subprocess textwrap threading time tokenize traceback types typing
    unicodedata uuid weakref zlib _sitebuiltins
"""
"""Modules that programs commonly import; importing them takes longer than most programs run."""


def main(settings: dict[str, Any]) -> None:
    """Set up the slot and serve its jobs.

    Descriptors 0 and 1 are the stream of the host.
    """
    try:
        walled = settings["isolation"] == "namespace"
        if walled:
            jail.enter(settings, 0)
            ids = (jail.TRUSTED, jail.PROGRAMS) if settings["ids"] else None
        else:
            container.enter(settings)
            ids = tuple(settings["ids"])
        _prepare()
        linux.lock_privileges()
        stream = _move(settings.get("stat"))
        native = warm.WarmProgram(settings["warm"]) if settings.get("warm") else None
    except BaseException as error:
        wire.send(1, parcel.pack({"fault": f"{type(error).__name__}: {error}"}))
        os._exit(1)
    if native:
        native.run(lambda: _begin(stream, settings, ids))
    else:
        _begin(stream, settings, ids)


def _begin(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
    """Report ready and serve jobs."""
    program.make_ready()
    gc.collect()
    gc.freeze()
    linux.trim()
    wire.send(stream[1], parcel.pack({"ready": True, "python": sys.version.split()[0], "pid": os.getpid()}))
    if settings["isolation"] == "namespace":
        _divide(stream, settings, ids)
    else:
        _serve(stream, settings, ids)


def _divide(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
    """Become the runner and fork the zygote.

    Before either has read a request.
    """
    links = runner.Links()
    pid = linux.fork()
    try:
        if pid == 0:
            runner.run_zygote(stream, settings, ids, links)
        runner.JobRunner(stream, settings, ids, links, pid).serve()
    except spawn.Resumed:  # in a job's process
        raise
    except BaseException as error:
        init.report_failure(stream, error)


def _prepare() -> None:
    """Import common modules, and make the interpreter look new.

    Like one that was started with a program.
    """
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in PRELOAD.split():
        importlib.import_module(name)
    import _sitebuiltins  # done by the module site otherwise

    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    os.environ.clear()
    os.environ.update(spawn.ENVIRONMENT)
    os.umask(0o022)
    # programs may share the user of their job's first process; the kernel drops signals without handlers for it
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _move(stat: int | None) -> tuple[int, int]:
    """Move our descriptors away from those of programs.

    Returns those of the stream.
    """
    if stat not in (None, counters.STAT):
        os.dup2(stat, counters.STAT)
        os.close(stat)  # its number may be any
    stream = (os.dup2(0, 40, inheritable=False), os.dup2(1, 41, inheritable=False))
    nothing = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.closerange(3, 40)
    os.closerange(42 if stat is None else counters.STAT + 1, 1024)
    if stat is not None:
        os.set_inheritable(counters.STAT, False)
    return stream


def _serve(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
    """In a container: fork the first process of each job."""
    poll = select.poll()
    poll.register(stream[0], select.POLLIN)
    while True:
        if any(event & ~select.POLLIN for _, event in poll.poll()):
            os._exit(0)  # the host is gone
        job = init.Init(stream, settings, ids)
        pid = linux.clone(0)
        if pid == 0:
            init.run_single_job(job, stream[0])
        job.waiting.close_all()
        if container.wait(pid, stream[0]):
            os._exit(1)
        container.clear()
