# ruff: noqa: E501  programs stand as they would be written
"""Attacks that exhaust processes, memory, time, output or disk space; and crashes."""

from __future__ import annotations

from typing import Final

from envhub.sandbox.attacks.kinds import BRIEF, SPREAD, Attack

_GROUP = "control group, or what watches the job; limits of the user"
_CLOCK = "wall clock, kept outside"
_FILES = "a file system of the job's own, limited in bytes and names"
_CUT = "output is cut at its limit, and the job ended"

EXHAUSTION: Final = (
    Attack(
        16,
        "fork bomb",
        "as many sleeping processes as possible",
        _GROUP,
        SPREAD
        + "def solve(text):\n    tried()\n    if spread(300, lambda: time.sleep(60)) >= 300: reached('300 processes')\n    return 'wrong'",
    ),
    Attack(
        17,
        "recursive fork bomb",
        "every process keeps forking",
        _GROUP + "; " + _CLOCK,
        "def solve(text):\n    tried()\n    while True: forked()",
        limits=BRIEF,
    ),
    Attack(
        18,
        "memory bomb",
        "one process that allocates all memory",
        _GROUP + "; address space",
        "def solve(text):\n    tried()\n    kept = []\n    while len(kept) < 2000: kept.append(bytearray(1 << 20))\n    reached('2 GB')",
    ),
    Attack(
        19,
        "memory bomb of many processes",
        "ten processes that each allocate the limit",
        _GROUP,
        SPREAD
        + "def hold():\n    kept = bytearray(80 << 20); time.sleep(1); reached('80 MB, and ' + str(len(kept))) if os.getppid() == 1 else 0\n"
        "def solve(text):\n    tried(); spread(10, hold); time.sleep(1); return 'wrong'",
    ),
    Attack(
        20,
        "endless loop",
        "computing forever",
        _CLOCK + "; processor time",
        "def solve(text):\n    tried()\n    while True: pass",
        limits=BRIEF,
    ),
    Attack(
        21,
        "endless sleep",
        "sleeping past the limit without using CPU time",
        _CLOCK,
        "def solve(text): tried(); time.sleep(1000)",
        limits=BRIEF,
    ),
    Attack(
        22, "stopped", "SIGSTOP to itself", _CLOCK, "def solve(text): tried(); os.kill(os.getpid(), 19)", limits=BRIEF
    ),
    Attack(
        24,
        "a value of 50 MB",
        "an answer that fills the host's memory",
        _CUT,
        "def solve(text): tried(); return 'x' * (20 << 20)",
    ),
    Attack(
        25,
        "endless output",
        "writing to standard output and standard error as fast as possible",
        _CUT,
        "tried()\nwhile True:\n    for fd in (1, 2): os.write(fd, b'x' * 65536)",
        how="stdin",
    ),
    Attack(
        113,
        "endless output during a call",
        "the same in a call, from several processes",
        _CUT,
        SPREAD + "def flood():\n    while True: os.write(1, b'x' * 65536); os.write(2, b'x' * 65536)\n"
        "def solve(text):\n    tried(); spread(3, flood); time.sleep(60)",
    ),
    Attack(
        26,
        "filling the disk",
        "writing files until no room is left, one of them unlinked",
        _FILES,
        """
import tempfile
def solve(text):
    tried()
    kept = [tempfile.TemporaryFile(dir="/tmp" if os.path.isdir("/box") else ".")]
    for at in range(40):
        try:
            for top in (".", "/tmp", "/dev/shm") if os.path.isdir("/box") else (".",):
                with open(top + "/%d" % at, "wb") as file: file.write(bytes(1 << 20))
            kept[0].write(bytes(1 << 20)); kept[0].flush()
        except OSError: break
    else: reached("more than 40 MB")
    return "wrong"
""",
    ),
    Attack(
        27,
        "using up all inodes",
        "empty files and directories until no inodes are left",
        _FILES,
        """
def solve(text):
    tried()
    try:
        for at in range(1000):
            os.mkdir("d%d" % at); open("d%d/f" % at, "w").close()
        reached("2000 names")
    except OSError: pass
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        28,
        "sparse file and compression bomb",
        "a sparse file of a terabyte, and a compressed one that grows",
        _FILES + "; size of a file",
        """
import zlib
def solve(text):
    attempt("sparse", lambda: os.truncate(os.open("s", os.O_CREAT | os.O_RDWR), 1 << 40))
    bomb, unpack = zlib.compress(bytes(20 << 20)), zlib.decompressobj()
    try:
        with open("z", "wb") as file:
            while bomb:
                file.write(unpack.decompress(bomb, 1 << 20)); bomb = unpack.unconsumed_tail
        reached("20 MB")
    except OSError: pass
""",
    ),
    Attack(
        29,
        "anonymous shared memory",
        "memfd_create, System V and POSIX shared memory and queues",
        "seccomp; IPC namespace; " + _FILES,
        "C = libc()\ndef solve(text):\n    attempt('memfd', lambda: os.memfd_create('x'))\n"
        "    attempt('shm', lambda: C.shmctl(C.shmget(0x5eed, 4096, 0o1666), 0, None))\n"
        "    attempt('semaphore', lambda: C.semctl(C.semget(0x5eed, 1, 0o1666), 0, 0))\n"
        "    attempt('messages', lambda: C.msgctl(C.msgget(0x5eed, 0o1666), 0, None))\n"
        "    attempt('queue', lambda: C.syscall(240 if os.uname().machine == 'x86_64' else 180, b'envhub', 0o101, 0o600, None))",
    ),
    Attack(
        31,
        "C stack overflow",
        "recursion through C until the stack is gone",
        "a crash is the job's own",
        "def solve(text):\n    tried()\n    sys.setrecursionlimit(10**8)\n    deep = []\n    for _ in range(3 * 10**5): deep = [deep]\n    return repr(deep)",
    ),
    Attack(
        32,
        "null pointer",
        "reading at 0 through ctypes",
        "a crash is the job's own",
        "import ctypes\ndef solve(text): tried(); ctypes.string_at(0)",
    ),
    Attack(
        78,
        "killing the monitor by memory pressure",
        "ten processes that lower their OOM score and allocate all memory, so that the monitor is killed",
        "programs are killed first, and cannot change that; " + _GROUP,
        SPREAD
        + """
def hold():
    try: open("/proc/self/oom_score_adj", "w").write("-999")
    except OSError: pass
    kept = []
    while True: kept.append(bytearray(1 << 20))
def solve(text): tried(); spread(12, hold); time.sleep(1); hold()
""",
    ),
    Attack(
        81,
        "threads",
        "a thousand threads instead of processes",
        _GROUP,
        """
import threading
def solve(text):
    tried()
    threading.stack_size(65536)
    try:
        for _ in range(1000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        reached("1000 threads")
    except RuntimeError: pass
    return "wrong"
""",
    ),
    Attack(
        82,
        "zombies and orphans",
        "two hundred children that are never waited for",
        _GROUP + "; orphans are waited for",
        SPREAD
        + "def solve(text):\n    tried()\n    for _ in range(20): spread(10, lambda: forked() or time.sleep(0.001))\n    return 'wrong'",
    ),
    Attack(
        84,
        "descriptors",
        "as many open files as possible",
        "limit on open files",
        "def solve(text):\n    tried()\n    try:\n        kept = [os.dup(0) for _ in range(5000)]; reached('5000')\n    except OSError: pass\n    return 'wrong'",
    ),
    Attack(
        114,
        "fork bomb in a shell",
        "the classic one, and a pipe that never ends",
        _GROUP,
        "echo tried:@MARKER@ >&2; b() { b | b & }; b; yes | head -c 100000000 > /dev/null; sleep 60",
        how="stdin",
        language="bash",
        limits=BRIEF,
    ),
    Attack(
        115,
        "a compiler bomb",
        "templates that take all memory and time to compile",
        "the compiler runs in the jail, with limits",
        "template<int N> struct A { typedef typename A<N - 1>::B B; A<N - 2> c; };\nstatic int tried@MARKER@;\n"
        '#pragma GCC error "tried:@MARKER@"\n'
        "template<> struct A<0> { typedef int B; }; template<> struct A<1> { typedef int B; };\nint main() { A<800>::B b; }\n",
        how="stdin",
        language="cpp",
    ),
)
