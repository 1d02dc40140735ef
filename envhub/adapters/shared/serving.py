"""The side of a program that answers requests, without envhub.

A program of an adapter runs in the interpreter of the original, where envhub is not installed. So this file uses the standard
library alone, and is imported by its folder::

    serve(answer)      # answer(request) -> answer, until the input ends

What the original prints is dropped. An exception is answered as ``{"failure": ...}``.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any, Final

_CPU_S: Final = 20
_MEMORY: Final = 4 << 30
_FILE: Final = 1 << 20


def _limit() -> None:
    for what, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_FSIZE, _FILE), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))


def _allow() -> None:
    """Give the next request its CPU time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (spent + _CPU_S, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests until the input ends."""
    _limit()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    for line in sys.stdin:
        _allow()
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):  # only the arguments of a call can be nested that deeply
            asked = {"call": "", "by": "assistant", "arguments": {}}
        try:
            found = answer(asked)
        except Exception as error:  # whatever the original raises
            found = {"failure": f"{type(error).__name__}: {error}"[:2000]}
        answers.write(json.dumps(found) + "\n")
        answers.flush()
