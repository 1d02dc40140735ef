"""Runs attacks and judges them from outside the sandbox.

By the same questions. Did it pass a test that an honest wrong program fails? Is one of its processes left on the host?
Does the output contain a secret? Does the next job in the slot start in the same state as before? Did the host raise or
hang? And, since our programs report it truthfully: did it reach its target, and did it try at all? The test itself is
verified before and after: a correct program passes, a wrong one fails::

    with AttackSuite(backend) as suite:
        verdict = suite.judge(attack)
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from secrets import token_hex
from typing import Final, Self, TypeVar

from envhub.core.errors import ResourceError
from envhub.sandbox.attacks.arena import Arena
from envhub.sandbox.attacks.kinds import NEXT, PRELUDE, SMALL, Attack, Breach, Verdict
from envhub.sandbox.attacks.processes import LINGER_S, below, marked_with, steady
from envhub.sandbox.backend import Backend, Setting
from envhub.sandbox.jobs import Job, Program, Result
from envhub.sandbox.sessions import Sessions
from envhub.sandbox.slots.pool import SlotPool

T = TypeVar("T")
FIRST: Final = 0x200
"""Number of the first slot, apart from others on the host."""
_HANG_S: Final = 90.0
_GRADED: Final = 3
_LOOK: Final = """
import builtins, gc, json, os, random, resource, signal, sys, time
WORK = os.getcwd()
TOPS = (".", "/tmp", "/dev/shm", "/box") if os.path.isdir("/box") else (".",)
def modules(): return sorted(sys.modules)
def kinds():
    found = [(m.__name__, n, type(v).__name__) for m in (builtins, os, sys, json, time, random, signal)
             for n, v in vars(m).items() if n not in ("last_type", "last_value", "last_traceback")]
    return sorted(found)
def files(): return [sorted(n for n in os.listdir(d) if n != "main.py") if os.path.isdir(d) else "" for d in TOPS]
def room(): return [os.statvfs(d) for d in TOPS if len(TOPS) > 1]
def environment(): return sorted(os.environ.items())
def mask(): old = os.umask(0); os.umask(old); return old, [int(s) for s in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
def handlers(): return [(int(s), str(signal.getsignal(s))) for s in signal.Signals]
def limits(): return [resource.getrlimit(n) for n in range(16)]
def scheduling(): return os.getpriority(0, 0), sorted(os.sched_getaffinity(0)), signal.getitimer(signal.ITIMER_REAL)
def state(): return os.getuid(), os.getgroups(), os.uname().nodename, open("/proc/self/oom_score_adj").read()
def interpreter():
    return sys.path, sys.argv, sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold(), sys.getswitchinterval()
def processes():
    pids = [int(n) for n in os.listdir("/proc") if n.isdigit() and len(TOPS) > 1]
    return len([p for p in pids if p not in (os.getpid(), os.getppid())])
def mounts(): return len(open("/proc/self/mountinfo").readlines()) if len(TOPS) > 1 else 0
def descriptors(): return sorted(os.listdir("/proc/self/fd"))
def look(_=0):
    found = []
    for act in (modules, kinds, files, room, environment, mask, handlers, limits, scheduling, state, interpreter, processes,
                mounts, descriptors):
        try: seen = act()
        except BaseException as error: seen = error
        found.append(act.__name__ + " " + repr(seen).replace(WORK, "WORK"))
    return found
"""
"""Reports everything a job can easily see of its initial state."""


class Skipped(Exception):
    """An attack cannot be tried here; the message says why."""


class HostHung(Exception):
    """The host did not return in time."""


class AttackSuite:
    """Runs attacks on a backend, one after another.

    Args:
        backend: The backend. The caller closes it.
        salt: Salt of the correct answers. Random by default.

    Raises:
        ResourceError: On entering, if an honest program is misjudged: no verdict would be valid.
    """

    def __init__(self, backend: Backend, salt: str = "") -> None:
        self.backend = backend
        self.arena = Arena()
        self._salt = salt or token_hex(16)
        self._slots = SlotPool(backend, 1, 16, first=FIRST)
        self._sessions = Sessions(backend, 3, spare=1, first=FIRST + 1)
        self._languages = backend.languages()
        self._count = 0
        self._walled = False

    def __enter__(self) -> Self:
        self.arena.__enter__()
        try:
            self._prove()
            self._usual = self._look()
            self._settle()
            self._neighbour = self._sessions.open(Setting(limits=replace(SMALL, memory_mb=256)))
            self._asked = 0
            secret = self.arena.neighbour
            self._ask_neighbour(
                f"import os, subprocess, sys\nSECRET = os.environ['SECRET'] = {secret!r}\n"
                "open('neighbour.txt', 'w').write(SECRET)\n"
                "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', SECRET])"
            )
            self._look_in_session()  # its slot then stays warm
            self._settle()
            self._count = steady()
            self._walled = self._sees_nobody()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._prove()
        finally:
            self._end()

    def judge(self, attack: Attack) -> Verdict:
        """Run an attack and judge it."""
        if attack.how != "host" and attack.language not in self._languages:
            return Verdict(attack, skipped=f"the sandbox has no {attack.language}")
        if attack.how != "host" and not (attack.control or attack.gentle or self._walled):
            return Verdict(attack, skipped="programs can see the processes of the host: running it would be harmful")
        marker = "x" + token_hex(6)
        breaches: dict[Breach, str] = {}
        results: list[Result] = []
        self.arena.visited()
        try:
            if attack.how == "host":
                assert attack.act is not None
                wrong = within(lambda: attack.act(self))  # type: ignore[misc]
                if wrong:
                    breaches["reached"] = wrong
            else:
                results, earned = self._try(attack, marker)
                if not earned:
                    breaches["passed"] = "the grade was passed"
        except Skipped as reason:
            return Verdict(attack, skipped=str(reason))
        except Exception as error:
            breaches["upset"] = f"{type(error).__name__}: {error}"[:300]
            self._renew()
        breaches |= self._inspect(attack, marker, results)
        return Verdict(attack, breaches, "; ".join(map(_end_of, results)))

    def expected(self, text: str) -> str:
        """The right answer."""
        return sha256((self._salt + text).encode()).hexdigest()

    def run(self, job: Job) -> tuple[Result, ...]:
        """Run a job in the slot for attacks.

        Raises:
            Hung: The job does not end.
        """
        return within(lambda: self._slots.run(job))

    # -- attempts ------------------------------------------------------------------------------------------------------

    def _try(self, attack: Attack, marker: str) -> tuple[list[Result], bool]:
        """The results, and whether the grade is right: not passed."""
        program = self.arena.fill(attack.program, marker)
        if attack.language == "python":
            program = self.arena.fill(PRELUDE, marker) + program
        texts = [token_hex(8) for _ in range(_GRADED)]
        self.arena.expect({text: self.expected(text) for text in texts})
        fetch = tuple(self.arena.fill(name, marker) for name in attack.fetch)
        if attack.how == "session":
            return self._command(attack, program, fetch), True
        subject = Program(program, attack.language, attack.files)
        if attack.how == "stdin":
            job = Job(subject, (texts[0].encode(),), fetch=fetch, limits=attack.limits)
        else:
            calls = tuple((text,) for text in texts)
            job = Job(subject, function="solve", calls=calls, fetch=fetch, limits=attack.limits)
        result = self.run(job)[0]
        return [result], not self._passes(result, texts, attack.how)

    def _passes(self, result: Result, texts: Sequence[str], how: str) -> bool:
        if how == "stdin":
            return result.ok and result.text.strip() == self.expected(texts[0])
        values = [returned.value for returned in result.values if returned.raised is None]
        return [type(value) for value in values] == [str] * len(texts) and values == [*map(self.expected, texts)]

    def _command(self, attack: Attack, program: str, fetch: tuple[str, ...]) -> list[Result]:
        first, *rest = program.split(NEXT)
        key = self._sessions.open(Setting(attack.language, dict(attack.files), attack.limits))
        results: list[Result] = []
        try:
            for asked, command in enumerate([first, *rest]):
                results.append(within(partial(self._sessions.run, key, asked, command)))
                for _ in range(5 if fetch else 0):
                    files = within(partial(self._sessions.read, key, asked + 1, fetch))
                    results.append(Result(exit=0, files=files))
                within(partial(self._sessions.tree, key, asked + 1))
        finally:
            within(partial(self._sessions.close, key, len([first, *rest])))
        return results

    # -- checks --------------------------------------------------------------------------------------------------------

    def _inspect(self, attack: Attack, marker: str, results: Sequence[Result]) -> dict[Breach, str]:
        found: dict[Breach, str] = {}
        said = b"\n".join(map(_everything, results))
        visited = self.arena.visited()
        claimed = [line for line in said.split(b"\n") if f"reached:{marker}".encode() in line]
        if claimed or visited:
            what = [line.partition(b" ")[2].decode("utf-8", "replace") for line in claimed]
            found["reached"] = ", ".join([*what[:8], *filter(None, [visited])])
        stolen = [place for token, place in self.arena.secrets.items() if token.encode() in said]
        if stolen:
            found["leaked"] = "secrets of: " + ", ".join(stolen)
        came = any(result.crashed or result.stage == "compile" or result.limit == "output" for result in results)
        if results and not came and not any(f"tried{colon}{marker}".encode() in said for colon in (":", "")):
            found["idle"] = results[0].stderr.decode("utf-8", "replace")[-300:]
        left = self._settle(marker)
        if left:
            found["remained"] = left
        if not self.arena.unharmed:
            found["upset"] = "a process of the host was ended"
        changed = self._changed(attack)
        if changed:
            found["poisoned"] = changed
        return found

    def _settle(self, marker: str | None = None) -> str:
        """Wait briefly for ending processes; returns the rest, without killing them."""
        until = time.monotonic() + LINGER_S
        while True:
            carriers = marked_with(marker) if marker else []
            crowd = len(below(os.getpid())) - self._count if self._count else 0
            if not carriers and crowd <= 0:
                return ""
            if time.monotonic() >= until:
                return f"{len(carriers)} processes with its marker, and {max(0, crowd)} more below this one than before"
            time.sleep(0.005)

    def _changed(self, attack: Attack) -> str:
        try:
            now = self._look()
            if self._ask_neighbour("print(SECRET, child.poll())") != f"{self.arena.neighbour} None":
                return "the session of a neighbour was harmed"
            if attack.how == "session":
                self._look_in_session()
        except Exception as error:
            self._renew()
            return f"the next job: {type(error).__name__}: {error}"[:300]
        return next((f"{old:.150} -> {new:.150}" for old, new in zip(self._usual, now, strict=False) if old != new), "")

    def _look(self) -> list[str]:
        (result,) = self.run(Job(Program(_LOOK), function="look", calls=((0,),), limits=replace(SMALL, memory_mb=128)))
        if not result.ok or type(result.values[0].value) is not list:
            raise ResourceError(f"it was not done: {_end_of(result)} {result.stderr[-300:]!r}")
        return [str(row) for row in result.values[0].value]

    def _look_in_session(self) -> None:
        key = self._sessions.open(Setting(limits=SMALL))
        result = within(lambda: self._sessions.run(key, 0, "import os; print(6 * 7, os.listdir('.'))"))
        within(lambda: self._sessions.close(key, 1))
        if result.text != "42 []\n":
            raise ResourceError(f"a new session in the slot: {_end_of(result)} {result.text!r:.100}")

    def _ask_neighbour(self, command: str) -> str:
        result = within(lambda: self._sessions.run(self._neighbour, self._asked, command))
        self._asked += 1
        return result.text.strip()

    def _prove(self) -> None:
        """Check that a right program passes and a wrong one fails.

        Raises:
            ResourceError: A program is misjudged.
        """
        text = token_hex(8)
        right = (
            f"from hashlib import sha256\ndef solve(text): return sha256(({self._salt!r} + text).encode()).hexdigest()"
        )
        for program, passes in ((right, True), ("def solve(text): return text", False)):
            (result,) = self.run(Job(Program(program), function="solve", calls=((text,),), limits=SMALL))
            if self._passes(result, [text], "calls") is not passes:
                kind = "right" if passes else "wrong"
                raise ResourceError(
                    f"A {kind} program was misjudged: {result.fault or _end_of(result)} {result.stderr!r:.300}"
                )

    def _sees_nobody(self) -> bool:
        """Whether programs see none of the host's processes.

        Otherwise most attacks are too dangerous.
        """
        look = (
            "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
            "    try: print(open('/proc/' + pid + '/cmdline').read())\n    except OSError: pass\nprint('done')"
        )
        (result,) = self.run(Job(Program(look), limits=SMALL))
        return result.ok and result.text.endswith("done\n") and "canary" not in result.text

    def _renew(self) -> None:
        """Switch to new slots: the state of the old ones is unknown."""
        with suppress(HostHung):
            within(self._slots.close)
        self._slots = SlotPool(self.backend, 1, 16, first=FIRST)

    def _end(self) -> None:
        self._slots.close()
        self._sessions.close_all()
        self.arena.__exit__(None, None, None)


def within(act: Callable[[], T], seconds: float = _HANG_S) -> T:
    """Run an action in a thread with a time limit.

    Its exceptions are re-raised.

    Raises:
        HostHung: It did not finish in time.
    """
    came: list[T] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            came.append(act())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, name="envhub-attack", daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not came:
        raise HostHung(f"not finished after {seconds:.0f} s")
    return came[0]


def _everything(result: Result) -> bytes:
    files = b"\n".join(result.files.values())
    return b"\n".join([result.stdout, result.stderr, files, repr(result.values).encode("utf-8", "replace")])


def _end_of(result: Result) -> str:
    if result.fault or result.crashed:
        return result.fault or "the slot was lost twice"
    return f"limit {result.limit}" if result.limit else f"exit {result.exit}"
