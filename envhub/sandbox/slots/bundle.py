"""Start of a slot, for all backends: command line, environment, first message.

``python3 *FLAGS -c BOOT`` with :data:`ENVIRONMENT` waits on descriptor 0 for the message from :func:`first_message`,
and answers on descriptor 1. The message contains the source of the modules of :mod:`envhub.sandbox.inside`, so envhub
need not be installed where programs run.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any, Final

from envhub.sandbox.inside.frames import pack

FLAGS: Final = ("-s", "-S", "-B")
ENVIRONMENT: Final = {"PYTHONHASHSEED": "0", "LD_BIND_NOW": "1"}
"""The complete environment. Not ``-I``, which would ignore the seed that makes all slots hash texts alike.

Functions of libraries are looked up at once, and not again in each job's process that is the first to call one.
"""
LOAD: Final = """
import sys, types
sys.path[:] = [path for path in sys.path if path]
def load(modules):
    package = sys.modules["_jail"] = types.ModuleType("_jail")
    for name, text in modules:
        module = sys.modules["_jail." + name] = types.ModuleType("_jail." + name)
        setattr(package, name, module)
        exec(compile(text, "<_jail/" + name + ".py>", "exec", dont_inherit=True), module.__dict__)
    return package
"""
"""Source of ``load``, which creates the package ``_jail`` from module names and texts."""
BOOT: Final = f"""{LOAD}import json, os
def take(size):
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data
message = json.loads(take(int.from_bytes(take(4), "big")))
load(message["modules"]).zygote.main(message["settings"])
"""
_MODULES: Final = (  # each after its dependencies
    "frames",
    "values",
    "parcel",
    "wire",
    "linux",
    "syscalls",
    "seccomp",
    "jail",
    "box",
    "counters",
    "streams",
    "monitor",
    "container",
    "spawn",
    "prepared",
    "warm",
    "calls",
    "program",
    "interpreter",
    "session",
    "init",
    "reaper",
    "runner",
    "zygote",
)
_OURS: Final = re.compile(r"^(\s*from )envhub\.sandbox\.inside(?=[. ])", re.MULTILINE)


def first_message(settings: dict[str, Any]) -> bytes:
    """The first message of a slot, framed.

    Args:
        settings: ``isolation`` (``namespace``, or another word if another program provides isolation), ``ids``
            (two ids outside, if the zygote starts as root), ``cgroup`` (whether memory and processes are limited from
            outside), ``stat`` (the descriptor of the group's ``memory.stat``, if it has no path inside), ``warm``
            (:class:`envhub.sandbox.inside.warm.WarmProgram`), ``visible``, ``hidden`` and ``lent``
            (:func:`envhub.sandbox.inside.jail.enter`).
    """
    return pack(json.dumps({"modules": modules(), "settings": settings}).encode())


@cache
def modules() -> tuple[tuple[str, str], ...]:
    """Names and texts of the modules, as they are named inside."""
    home = resources.files("envhub.sandbox.inside")
    return tuple((name, as_inside((home / f"{name}.py").read_text("utf-8"))) for name in _MODULES)


def as_inside(text: str) -> str:
    """A module's text with imports as they are named inside."""
    return _OURS.sub(r"\1_jail", text)
