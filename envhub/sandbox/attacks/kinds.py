"""Attacks and their verdicts.

An attack is a small program such as a policy might write to get the reward without solving the task, or Python code that abuses
our own parsers and sockets. Programs start with :data:`PRELUDE`: they report that they have ``tried``, so that a program that
failed before its attempt does not count as stopped, and what they ``reached``. Everything else is judged from outside
(:mod:`envhub.sandbox.attacks.suite`).
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
    "passed": "passed a test without a correct solution",
    "remained": "left a process running on the host",
    "leaked": "the output contains a secret of the host or of another session",
    "poisoned": "changed the state in which the next job of the slot starts, or prevented that job",
    "upset": "the host raised an exception or hung",
    "reached": "reached its target",
    "idle": "failed before its attempt, so the result is inconclusive",
}
SMALL: Final = Limits(
    wall_s=10, cpu_s=6, memory_mb=96, pids=16, output_bytes=1 << 16, file_mb=8, files=200, value_bytes=1 << 16
)
BRIEF: Final = Limits(
    wall_s=0.6, cpu_s=6, memory_mb=96, pids=16, output_bytes=1 << 16, file_mb=8, files=200, value_bytes=1 << 16
)
"""For programs that only the wall clock ends."""
NEXT: Final = "\n#next\n"
"""Separates the commands of a session."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        number: Stable number in ``docs/threat-model.md``.
        name: Short name.
        tries: What it attempts.
        layer: The layer that stops it.
        program: Source code with ``@NAME@`` placeholders.
        how: ``calls`` (a function ``solve`` is called and graded), ``stdin`` (a program whose output is graded), ``session``
            (commands), or ``host`` (no program; ``act`` is called).
        language: Language of the program. The attack is skipped if it is not installed.
        files: Further files of the program.
        fetch: Files to fetch afterwards.
        limits: Resource limits.
        control: The breach that it achieves without isolation, which the tests verify; empty if it must not run there.
        root: Whether ``control`` needs root.
        gentle: Whether it may run without isolation even without a ``control``.
        act: For ``host``: runs the attack and returns what went wrong, if anything.
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
    """Outcome of an attack.

    Attributes:
        attack: The attack.
        breaches: The ways in which it succeeded, each with the evidence; empty if it was stopped.
        ended: How its program ended: exit status, limit, or a crashed slot.
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
MARKER, PRIVATE, PUBLIC, SOCKET, ABSTRACT, PORT = "@MARKER@", "@PRIVATE@", "@PUBLIC@", "@SOCKET@", "@ABSTRACT@", @PORT@
def tried(): os.write(2, ("tried:" + MARKER + "\\n").encode())
def reached(what): os.write(1, ("reached:" + MARKER + " " + str(what)[:200] + "\\n").encode())
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
os.environ["ENVHUB_MARKER"] = MARKER
try:
    with open("/proc/self/comm", "w") as comm: comm.write(MARKER)
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
"""Added to programs that start many processes."""
