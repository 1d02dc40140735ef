# ruff: noqa: E501  programs stand as they would be written
"""Attacks that persist.

Processes that survive, and traces for the next job in the slot.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from envhub.sandbox.attacks.kinds import BRIEF, NEXT, SMALL, SPREAD, Attack

_PIDS = "process namespace: when its first process ends, all of it ends"
_GROUP = "control group, or what watches the job; limits of the user"
_CLOCK = "wall clock, kept outside"
_FILES = "a file system of the job's own, limited in bytes and names"
_FORK = "each job is a fork of a process that has run no other"
_CUT = "output is cut at its limit, and the job ended"

PERSISTENCE: Final = (
    Attack(
        12,
        "start-up files of interpreters",
        "conftest.py, sitecustomize.py, usercustomize.py, .pth, .pythonrc and .bashrc for the next job",
        "no site, no user site; " + _FILES,
        """
def solve(text):
    tried()
    version = "lib/python%d.%d/site-packages" % sys.version_info[:2]
    for top in (".", "/tmp", os.path.expanduser("~"), os.path.expanduser("~/.local/" + version), "/dev/shm", "/box"):
        for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "x.pth", ".bashrc", ".profile", "pytest.ini"):
            try:
                if top != "/tmp" or os.path.isdir("/box"):
                    os.makedirs(top, exist_ok=True); open(os.path.join(top, name), "w").write("import os; os._exit(0)")
            except OSError: pass
    os.environ.update(PYTHONPATH="/tmp", PYTHONSTARTUP="/tmp/x", LD_PRELOAD="/tmp/x.so", BASH_ENV="/tmp/x")
    return "wrong"
""",
    ),
    Attack(
        23,
        "a daemon",
        "setsid and a double fork",
        _PIDS,
        "def solve(text):\n    tried()\n    child = forked()\n    if child == 0:\n        os.setsid()\n        if forked() == 0:\n            os.closerange(0, 64); time.sleep(12)\n        os._exit(0)\n    os.waitpid(child, 0)\n    return 'wrong'",
        control="remained",
    ),
    Attack(
        76,
        "children that hold the descriptors",
        "children that keep the standard streams and the channel open after the program has ended",
        "the end of a program is that of its process, not of its streams; " + _PIDS,
        SPREAD + "def solve(text):\n    tried(); spread(4, lambda: time.sleep(60)); os._exit(0)",
        limits=replace(SMALL, wall_s=30),
    ),
    Attack(
        77,
        "the first process of the job",
        "SIGSTOP, SIGKILL and a storm of signals to process 1 and the parent",
        _PIDS + "; it takes no signal from inside that it did not ask for",
        """
import signal
def solve(text):
    tried()
    if exposed(): reached("processes of the host"); return
    for number in list(signal.Signals):
        for pid in {1, os.getppid()}:
            for _ in range(50):
                try: os.kill(pid, number)
                except OSError: break
    return "wrong"
""",
    ),
    Attack(
        79,
        "an unusable working directory",
        "chmod 0, rename and removal of the working directory, a link in its place",
        _FILES + "; the directory is held open, not named",
        """
def solve(text):
    tried()
    here = os.getcwd()
    for act in (lambda: os.mkfifo("a"), lambda: os.chmod(".", 0), lambda: os.rename(here, here + "x"), lambda: os.rmdir(here),
                lambda: os.symlink("/", here), lambda: os.chmod("/tmp", 0) if os.path.isdir("/box") else 0):
        try: act()
        except OSError: pass
    return "wrong"
""",
        fetch=("a", "etc/passwd"),
    ),
    Attack(
        80,
        "core files",
        "limits raised for a core file, then a crash",
        "core files are disabled by a hard limit",
        """
import resource
def solve(text):
    tried()
    attempt("core", lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30)))
    if forked() == 0: os.abort()
    time.sleep(0.1)
    for top in (".", "/tmp"):
        if any(name.startswith("core") for name in os.listdir(top)): reached("a core file")
    return "wrong"
""",
    ),
    Attack(
        85,
        "built-ins and modules for the next job",
        "changing builtins, sys.modules, json, os and the collector's settings",
        _FORK,
        """
import builtins, gc, json
def solve(text):
    tried()
    builtins.len = builtins.print = json.dumps = json.loads = os.listdir = time.time = lambda *rest, **more: 0
    sys.modules["random"] = sys.modules["os.path"] = None
    gc.disable(); sys.setrecursionlimit(77); sys.path.insert(0, "/tmp")
    sys.setswitchinterval(99)
    return "wrong"
""",
    ),
    Attack(
        86,
        "state of processes for the next job",
        "umask, directory, signal mask and handlers, limits, priority, name, alarms",
        _FORK,
        """
import resource, signal
def solve(text):
    tried()
    os.umask(0o777); os.chdir("/")
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
    for number in (1, 2, 3, 13, 15, 17): signal.signal(number, signal.SIG_IGN)
    for which in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
        resource.setrlimit(which, (resource.getrlimit(which)[0] // 2,) * 2)
    os.nice(5); os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    signal.setitimer(signal.ITIMER_REAL, 30)
    os.environ.clear()
    return "wrong"
""",
    ),
    Attack(
        87,
        "files for the next job",
        "files in every writable directory, named and unlinked, held open by a daemon",
        _FILES,
        """
def solve(text):
    tried()
    tops = ("/tmp", "/dev/shm", "/box", "/box/work", "/box/tmp", "/var/tmp", "/run", "/dev", "/") if os.path.isdir("/box") else (".",)
    for top in tops:
        try: open(os.path.join(top, "trace"), "w").write("trace")
        except OSError: pass
    if forked() == 0:
        os.setsid(); time.sleep(60)
    return "wrong"
""",
    ),
    Attack(
        88,
        "a server for the next job",
        "a process that waits for the next job, to read its arguments and change its answer",
        _PIDS,
        """
def solve(text):
    tried()
    if forked() == 0:
        os.setsid()
        for number in range(1, 32):
            try: __import__("signal").signal(number, 1)
            except (OSError, ValueError): pass
        until = time.time() + 12
        while time.time() < until:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try: open("/proc/" + pid + "/mem", "rb").close()
                except OSError: pass
            time.sleep(0.01)
        os._exit(0)
    return "wrong"
""",
        control="remained",
    ),
    Attack(
        89,
        "a FIFO at the path of a result",
        "FIFOs under every name, whose opening waits for ever",
        "only regular files are opened, without blocking",
        "tried()\nos.mkfifo('a'); os.mkfifo('b')" + NEXT + "1",
        how="session",
        fetch=("a", "b"),
    ),
    Attack(
        90,
        "a command that cannot be interrupted",
        "ignoring the interrupt, together with its children",
        "a command that ignores the interrupt is killed with everything it started",
        "import signal\nsignal.signal(2, signal.SIG_IGN)\ntried()\nif forked() == 0: os.setsid()\nwhile True: time.sleep(60)"
        + NEXT
        + "print('again')",
        how="session",
        limits=BRIEF,
    ),
    Attack(
        91,
        "a broken shell",
        "exec, closed descriptors, traps, functions over built-ins, read-only variables",
        "a status is a number; a broken shell is restarted",
        "echo tried:@MARKER@ >&2; trap '' INT; read() { :; }; eval() { :; }; printf() { command printf 'x'; }; readonly __status=0"
        + NEXT
        + "exec 0<&- 3<&-; exec sleep 1"
        + NEXT
        + "echo 1",
        how="session",
        language="bash",
        limits=replace(BRIEF, wall_s=2),
    ),
)
