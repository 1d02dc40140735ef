"""A warm process that waits in the jail and forks, for each job, one that does it.

It reads nothing of what the host sends: the first process of the job (:mod:`init`) reads its own request and answers it, so
that no job leaves anything in the memory that the next one is forked from. It ends when the host closes the stream or when
the first process of a job ends otherwise than well; the slot is then lost.
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
import traceback
from typing import Any

from envhub.sandbox.inside import candidate, init, jail, linux, parcel, wire

PRELOAD = """
    abc array base64 bisect calendar cmath collections collections.abc contextlib copy csv dataclasses datetime decimal
    enum fractions functools hashlib heapq inspect io itertools json keyword linecache math numbers operator pprint queue
    random re secrets shlex statistics string struct subprocess textwrap threading time tokenize traceback types typing
    unicodedata uuid weakref zlib _sitebuiltins
"""
"""What programs of all kinds import; loading it takes longer than most of them run."""


def main(settings: dict[str, Any]) -> None:
    """Build the slot and serve its jobs. Descriptors 0 and 1 are the stream of the host."""
    try:
        if settings["isolation"] == "namespace":
            jail.enter(settings, 0)
        ids = (0, 1) if settings["ids"] or settings["isolation"] != "namespace" else None
        _prepare()
        linux.no_new_rights()
        stream = _move_stream()
    except BaseException as error:
        wire.send(1, parcel.pack({"fault": f"{type(error).__name__}: {error}"}))
        os._exit(1)
    wire.send(stream[1], parcel.pack({"ready": True, "python": sys.version.split()[0], "pid": os.getpid()}))
    _serve(stream, settings, ids)


def _prepare() -> None:
    """Load what programs will import, and make the interpreter look as one that was started with a program."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in PRELOAD.split():
        importlib.import_module(name)
    import _sitebuiltins  # what the module site would have done

    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    os.environ.clear()
    os.environ.update(candidate.ENVIRONMENT)
    os.umask(0o022)
    gc.collect()
    gc.freeze()


def _move_stream() -> tuple[int, int]:
    """Away from where programs have their standard streams."""
    stream = (os.dup2(0, 40, inheritable=False), os.dup2(1, 41, inheritable=False))
    nothing = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.closerange(3, 40)
    os.closerange(42, 1024)
    return stream


def _serve(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
    poll = select.poll()
    poll.register(stream[0], select.POLLIN)
    flags = linux.NEWPID | linux.NEWNS | linux.NEWIPC if settings["isolation"] == "namespace" else 0
    while True:
        ((_, event),) = poll.poll()
        if event & ~select.POLLIN:  # the host is gone
            os._exit(0)
        pid = linux.clone(flags)
        if pid == 0:
            _init(stream, settings, ids)
        while True:
            ended, status = os.waitpid(-1, 0)
            if ended == pid:
                break
        if status:
            os._exit(1)


def _init(stream: tuple[int, int], settings: dict[str, Any], ids: tuple[int, int] | None) -> None:
    try:
        linux.prctl(linux.PDEATHSIG, signal.SIGKILL)
        linux.prctl(linux.DUMPABLE, 0)
        init.Init(stream, settings, ids).serve()
    except BaseException as error:
        # whatever is raised here is a failure of ours; the host is told, and the slot ends
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__)[-3:])
        try:
            wire.send(stream[1], parcel.pack({"fault": text[:4000]}))
        finally:
            os._exit(1)
    os._exit(0)
