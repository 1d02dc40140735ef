"""What the tests of the pool run in worker processes: well-behaved, and every way to misbehave."""

from __future__ import annotations

import ctypes
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from envhub.core.effects import Outcome
from envhub.core.types import Verdict
from envhub.workers.pool import default_pool

held: list[Any] = []


def echo(value: Any) -> Any:
    return value


def pid() -> int:
    return os.getpid()


def spin() -> None:
    while True:
        pass


def hang() -> None:
    """Without asking for a processor, which a busy machine may not give."""
    threading.Event().wait()


def backtrack() -> Any:
    """Holds the interpreter for ages: no Python runs in this process meanwhile."""
    return re.match(r"(a+)+$", "a" * 60 + "b")


def power() -> int:
    return len(str(9**9**9))


def deaf() -> None:
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    spin()


def work(seconds: float) -> float:
    """So much work, as the clock sees it."""
    time.sleep(seconds)
    return seconds


def quit_now() -> None:
    os._exit(0)


def segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def overflow() -> Any:
    """Deep recursion in C, past every limit of Python."""
    return ctypes.CFUNCTYPE(None)(ctypes.cast(1, ctypes.c_void_p).value or 1)()


def allocate(mebibytes: int) -> int:
    return len(bytearray(mebibytes << 20))


def keep(mebibytes: int) -> int:
    held.append(bytearray(mebibytes << 20))
    return os.getpid()


def fail(message: str = "the secret is 7919") -> None:
    raise ValueError(message)


def leave() -> None:
    raise SystemExit(0)


def recurse(depth: int = 0) -> int:
    return recurse(depth + 1) + 1


def nested_list(depth: int) -> Any:
    value: Any = None
    for _ in range(depth):
        value = [value]
    return value


def huge(mebibytes: int) -> bytes:
    return bytes(mebibytes << 20)


def a_function() -> Any:
    return lambda: 1


def foreign() -> Any:
    return Path("/")


class Evil:
    """Touches a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (Path(self.path),)


def evil(path: str) -> Any:
    return Evil(path)


def evil_works(path: str) -> Any:
    return pickle.loads(pickle.dumps(Evil(path)))


def outcome() -> Any:
    return Outcome("text", {"a": [1]})


def shout() -> None:
    print("SHOUTED", flush=True)
    print("SHOUTED", file=sys.stderr, flush=True)
    os.write(1, b"SHOUTED")


def nested(value: int) -> Any:
    return [os.getpid(), *(default_pool().call("tests.workers.pooled:pid").value for _ in range(2)), value]


def bomb_or(value: int, bomb: int) -> int:
    if value == bomb:
        spin()
    return value


def crash_or(value: int, bomb: int) -> int:
    if value == bomb:
        os._exit(3)
    return value


# -- with a line to the test: a named pipe that stays open as long as this process lives --------------------------------


def hold(path: str) -> int:
    line = os.open(path, os.O_WRONLY)
    os.write(line, f"{os.getpid()}\n".encode())
    return line


def hold_and_return(path: str) -> int:
    hold(path)
    return os.getpid()


def hold_and_spin(path: str) -> None:
    hold(path)
    spin()


def hold_in_child_and_spin(path: str) -> None:
    line = hold(path)
    subprocess.Popen(["sleep", "1000"], pass_fds=(line,))
    os.close(line)
    spin()


def hold_in_thread_and_return(path: str) -> int:
    hold(path)
    threading.Thread(target=spin).start()
    return os.getpid()


# -- verdicts ------------------------------------------------------------------------------------------------------------


def solved(value: Any, right: Any) -> Verdict:
    return Verdict.exact(value == right)


def not_a_verdict() -> bool:
    return True


def our_own_failure() -> Verdict:
    return Verdict.failed("oracle_down", "The oracle is down.")


def noted(path: str, how: str) -> Verdict:
    """Note who ran it, then misbehave; ``once``: only the first time."""
    with open(path, "a") as notes:
        notes.write(f"{os.getpid()}\n")
    times = len(Path(path).read_text().split())
    if how == "once" and times > 1:
        return Verdict.exact(True)
    if how == "hang":
        hang()
    if how == "exit":
        os._exit(0)
    if how == "memory":
        allocate(1 << 20)
    raise ValueError(how)


def held_once(path: str, marker: str) -> Verdict:
    """The first time, say that it runs and go on for ever; the second time, judge."""
    if Path(marker).exists():
        return Verdict.exact(True)
    Path(marker).touch()
    hold_and_spin(path)
    raise AssertionError


def by_payload(payload: Any) -> Verdict:
    """Judges what the toy environment of these tests asks."""
    if payload["value"] == 666:
        hang()
    if payload["value"] == 500:
        return our_own_failure()
    return Verdict.exact(payload["value"] == payload["goal"], "Judged outside.")
