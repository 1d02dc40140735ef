"""What an attack is, and what is said of it.

An attack is a small program of the kind that a policy writes when the reward is to be had otherwise than by solving the task,
or a piece of Python that asks our own parsers and sockets for what they must not give. Programs begin with :data:`PRELUDE`:
they say that they have ``tried``, so that one which never came to the point is not taken for one that was stopped, and what
they ``reached``. Everything else is judged from outside (:mod:`envhub.sandbox.attacks.suite`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from envhub.sandbox.jobs import Limits

if TYPE_CHECKING:
    from envhub.sandbox.attacks.suite import AttackSuite

Breach = Literal["passed", "remained", "leaked", "poisoned", "upset", "reached", "idle"]
MEANING: Final[Mapping[Breach, str]] = {
    "passed": "passed a grade that it did not earn",
    "remained": "a process of it was left on the host",
    "leaked": "what came out holds a secret of the host or of a neighbour",
    "poisoned": "the next job in the slot did not find everything as it was, or was not done",
    "upset": "the host raised, or waited without end",
    "reached": "it reached what it tried to reach",
    "idle": "it did not come to the point of trying, so nothing is shown",
}
SMALL: Final = Limits(
    wall_s=10, cpu_s=6, memory_mb=96, pids=16, output_bytes=1 << 16, file_mb=8, files=200, value_bytes=1 << 16
)
BRIEF: Final = Limits(
    wall_s=0.6, cpu_s=6, memory_mb=96, pids=16, output_bytes=1 << 16, file_mb=8, files=200, value_bytes=1 << 16
)
"""For what ends by the clock only."""
NEXT: Final = "\n#next\n"
"""Between the commands of a session."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        number: In ``docs/threat-model.md``; it stays the same.
        name: In a few words.
        tries: What it tries.
        layer: What stops it.
        program: Its text; ``@NAME@`` is filled in.
        how: ``calls`` (a function ``solve`` is called and graded), ``stdin`` (a program whose output is graded), ``session``
            (commands), or ``host`` (no program: ``act``).
        language: Of the program; without it the attack is left out.
        files: What lies beside it.
        fetch: What is asked for afterwards.
        limits: What it may use.
        control: What it does achieve where nothing is isolated, which the tests see to; empty where it must not be tried there.
        root: Whether it does so for root only.
        gentle: Whether it may be tried there all the same; an attack with a ``control`` may be anyway.
        act: For ``host``: what is wrong, if anything.
    """

    number: int
    name: str
    tries: str
    layer: str
    program: str = ""
    how: Literal["calls", "stdin", "session", "host"] = "calls"
    language: str = "python"
    files: Mapping[str, bytes] = field(default_factory=dict)
    fetch: tuple[str, ...] = ()
    limits: Limits = SMALL
    control: Breach | Literal[""] = ""
    root: bool = False
    gentle: bool = False
    act: Callable[[AttackSuite], str] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an attack.

    Attributes:
        attack: Which one.
        breaches: In which ways it was not stopped, each with what was seen; none if it was.
        ended: How its program ended: exit status, limit, or that it took its slot along.
        skipped: Why it was not tried; empty if it was.
    """

    attack: Attack
    breaches: Mapping[Breach, str] = field(default_factory=dict)
    ended: str = ""
    skipped: str = ""

    @property
    def stopped(self) -> bool:
        """Whether it was tried and stopped."""
        return not self.breaches and not self.skipped


PRELUDE: Final = '''
import os, sys, time
MARK, PRIVATE, PUBLIC, SOCKET, ABSTRACT, PORT = "@MARK@", "@PRIVATE@", "@PUBLIC@", "@SOCKET@", "@ABSTRACT@", @PORT@
def tried(): os.write(2, ("tried:" + MARK + "\\n").encode())
def reached(what): os.write(1, ("reached:" + MARK + " " + str(what)[:200] + "\\n").encode())
def attempt(what, act):
    """Report what can be done; an exception or -1 is that it cannot."""
    tried()
    try: came = act()
    except BaseException: return
    if came != -1: reached(what)
def show(act):
    """Put out whatever can be read."""
    tried()
    try: came = act()
    except BaseException: return
    os.write(1, (came if isinstance(came, bytes) else str(came).encode("utf-8", "replace"))[:20000] + b"\\n")
def every(kind, *names):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in names:
            try:
                with open("/proc/" + pid + "/" + name, "rb") as file: yield file.read()
            except OSError: pass
def libc():
    import ctypes
    return ctypes.CDLL(None, use_errno=True)
def forked():
    try: return os.fork()
    except OSError: return -1
def exposed(): return any(b"canary" in part for part in every("", "cmdline", "environ"))
def solve(text): return "wrong"
os.environ["ENVHUB_MARK"] = MARK
try:
    with open("/proc/self/comm", "w") as comm: comm.write(MARK)
except OSError: pass
'''
SPREAD: Final = """
def spread(count, work):
    made = 0
    for _ in range(count):
        pid = forked()
        if pid == 0:
            try: work()
            finally: os._exit(0)
        made += pid > 0
    return made
"""
"""For programs that start many processes."""
