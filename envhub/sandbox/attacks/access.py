"""Attacks that try to reach the host or other jobs.

Files, processes and the network of the host.
"""

from __future__ import annotations

from typing import Final

from envhub.sandbox.attacks.kinds import BRIEF, NEXT, Attack

_ROOT = "mount namespace: a root of its own, with the system's directories read-only"
_PIDS = "process namespace: other processes are not there"
_CALLS = "seccomp"
_RIGHTS = "no capabilities, no new rights, a user of its own"


ACCESS: Final = (
    Attack(
        14,
        "system files",
        "opening the interpreter, the library and programs for writing",
        _ROOT,
        "def solve(text):\n    for path in (os.__file__, sys.executable, '/usr/bin/env', '/etc/passwd', '/bin/sh'):\n"
        "        attempt(path, lambda: os.close(os.open(path, os.O_WRONLY)))",
        control="reached",
        root=True,
    ),
    Attack(
        30,
        "signals to all processes",
        "kill(-1), kill(1) and signals to the parent",
        _PIDS + "; another user",
        "import signal\ndef solve(text):\n    tried()\n    if exposed(): reached('processes of the host'); return\n"
        "    signal.signal(15, signal.SIG_IGN)\n"
        "    for pid in (1, os.getppid(), -1):\n        for number in (15, 9):\n            try: os.kill(pid, number)\n"
        "            except OSError: pass\n    return 'wrong'",
    ),
    Attack(
        33,
        "writing its own memory",
        "/proc/self/mem, past what is read-only, to change the interpreter that answers",
        "one process for each job; expected values never enter",
        """
def solve(text):
    tried()
    try:
        with open("/proc/self/maps") as maps: rows = [r for r in maps if " r-xp " in r and "python" in r]
        with open("/proc/self/mem", "r+b", 0) as memory:
            memory.seek(int(rows[0].partition("-")[0], 16)); memory.write(memory.read(1))
    except (OSError, IndexError): pass
    return "wrong"
""",
    ),
    Attack(
        34,
        "environments and command lines of other processes",
        "/proc/*/environ and /proc/*/cmdline, of process 1, of the parent and of all others",
        _PIDS + "; the zygote is started with an empty environment",
        "def solve(text):\n    show(lambda: b' '.join(part for part in every('', 'environ', 'cmdline')\n"
        "        if b'canary' in part)); return 'wrong'",
        control="leaked",
        root=True,
    ),
    Attack(
        38,
        "servers of the host",
        "connecting to 127.0.0.1, and sending a datagram there",
        "network namespace; " + _CALLS,
        """
def solve(text):
    import socket
    tried()
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_INET, kind) as made:
                made.settimeout(1); made.connect(("127.0.0.1", PORT)); made.send(b"x")
        except OSError: pass
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        39,
        "cloud metadata service",
        "connecting to 169.254.169.254",
        "network namespace; " + _CALLS,
        "import socket\ndef solve(text):\n    tried()\n    try:\n"
        "        made = socket.create_connection(('169.254.169.254', 80), 0.2); reached('metadata')\n"
        "    except OSError: pass\n    return 'wrong'",
    ),
    Attack(
        40,
        "sockets of every family",
        "raw, packet, netlink, vsock; and Unix sockets of the host, by path and by abstract name",
        _CALLS + "; network namespace",
        """
def solve(text):
    import socket
    for family, kind in ((2, 3), (17, 3), (16, 3), (40, 1), (10, 1), (38, 5), (1, 1), (31, 3), (44, 3)):
        attempt("family %d" % family, lambda: socket.socket(family, kind).close())
    for address in (SOCKET, "\\0" + ABSTRACT):
        try:
            with socket.socket(socket.AF_UNIX) as made: made.connect(address)
        except OSError: pass
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        48,
        "results that are not regular files",
        "symbolic and hard links, a FIFO, a device and a directory at the paths of results",
        "results are opened inside, below the working directory, without following links, and only if regular",
        """
def solve(text):
    tried()
    for act in (lambda: os.symlink(PRIVATE, "a"), lambda: os.link(PUBLIC, "b"), lambda: os.mkfifo("c"),
                lambda: os.symlink("/", "d"), lambda: os.symlink("e", "e"), lambda: os.mkdir("f"),
                lambda: os.symlink("/proc/self/environ", "g"), lambda: os.symlink("/dev/zero", "h"),
                lambda: os.symlink(os.path.dirname(PUBLIC), "i")):
        try: act()
        except OSError: pass
    return "wrong"
""",
        fetch=("a", "b", "c", "d@PUBLIC@", "e", "f", "g", "h", "i/public.txt", "i/private/secret.txt"),
    ),
    Attack(
        59,
        "the file with the answers",
        "reading the expected values from a file that only the host's user can read",
        _ROOT,
        """
import json
def solve(text):
    tried()
    try:
        with open(PRIVATE) as file: return json.load(file)[text]
    except OSError: return "wrong"
""",
        control="passed",
    ),
    Attack(
        70,
        "files of the host",
        "reading files that are readable by everyone, and by the host's user only",
        _ROOT,
        "def solve(text):\n    for path in (PRIVATE, PUBLIC, '/proc/self/root' + PUBLIC, '/..' * 9 + PUBLIC):\n"
        "        show(lambda: open(path).read())\n    return 'wrong'",
        control="leaked",
    ),
    Attack(
        71,
        "escape to the parent directory",
        "repeated chdir('..'), open directories, /proc/self/root and cwd",
        _ROOT,
        """
def solve(text):
    tried()
    held = os.open(".", os.O_RDONLY)
    for _ in range(99): os.chdir("..")
    for start in ("", "/proc/self/root", "/proc/self/cwd", "/proc/1/root", "/proc/self/fd/%d/" % held + "../" * 99):
        try:
            with open(start + PUBLIC) as file: print(file.read(), flush=True)
        except OSError: pass
    return "wrong"
""",
        control="leaked",
    ),
    Attack(
        72,
        "memory of other processes",
        "/proc/<pid>/mem of the first process, the parent and every other",
        _PIDS + "; not dumpable; another user",
        """
def solve(text):
    tried()
    own = str(os.getpid())
    for pid in [p for p in os.listdir("/proc") if p.isdigit() and p != own]:
        try:
            with open("/proc/" + pid + "/mem", "rb", 0): reached("memory of " + pid); break
        except OSError: pass
    return "wrong"
""",
        control="reached",
        root=True,
    ),
    Attack(
        73,
        "a neighbour's job",
        "looking for the files, the environment and the processes of another slot",
        _PIDS + "; file systems of its own",
        """
def solve(text):
    show(lambda: b" ".join(part for part in every("", "environ", "cmdline") if b"neighbour" in part))
    found = []
    import glob
    for top in ("/tmp", "/box", "/dev/shm", "/var/tmp"):
        for deep in ("/", "/*/", "/*/*/"):
            found += [open(path).read() for path in glob.glob(top + deep + "neighbour.txt")]
    show(lambda: " ".join(found))
    return "wrong"
""",
        control="leaked",
    ),
    Attack(
        105,
        "the host's files through the compiler",
        "#include of a file of the host, whose text the compiler's complaint would quote",
        _ROOT,
        '#include "@PUBLIC@"\n#include "@PRIVATE@"\nint main(void) { return tried@MARKER@; }\n',
        how="stdin",
        language="c",
        control="leaked",
    ),
    Attack(
        106,
        "an endless include",
        "#include of /dev/zero",
        "the compiler runs in the jail, with limits",
        '#include "/dev/zero"\nint main(void) { return tried@MARKER@; }\n',
        how="stdin",
        language="c",
    ),
    Attack(
        107,
        "the host from JavaScript",
        "reading files of the host, connecting and starting programs from node",
        _ROOT + "; " + _CALLS,
        """
const fs = require("fs"), net = require("net"), child = require("child_process");
console.error("tried:@MARKER@");
for (const path of ["@PRIVATE@", "@PUBLIC@"]) try { console.log(fs.readFileSync(path, "utf8")); } catch (error) {}
try { console.log(child.execSync("cat @PUBLIC@ 2>&1; exit 0").toString()); } catch (error) {}
const made = net.connect(@PORT@, "127.0.0.1"); made.on("error", () => {}); setTimeout(() => process.exit(0), 300);
""",
        how="stdin",
        language="javascript",
        control="leaked",
    ),
    Attack(
        108,
        "the host from a shell",
        "reading files of the host, /dev/tcp and set-user-id programs from bash",
        _ROOT + "; " + _CALLS,
        "echo tried:@MARKER@ >&2\ncat @PRIVATE@ @PUBLIC@ 2>/dev/null\n(exec 5<>/dev/tcp/127.0.0.1/@PORT@) 2>/dev/null\n"
        "for s in /usr/bin/su /usr/bin/mount /bin/ping; do $s --version >/dev/null 2>&1; done; exit 0",
        how="stdin",
        language="bash",
        control="leaked",
    ),
    Attack(
        110,
        "the session's own channel",
        "a command that writes its own status and keeps the channel",
        "a status is a number; nothing else from the channel is used",
        "tried()\nos.write(3, b'\\0\\0\\0\\x010' * 50 + b'\\xff' * 9)"
        + NEXT
        + "print(1)"
        + NEXT
        + "import os; os.close(3)"
        + NEXT
        + "2",
        how="session",
        limits=BRIEF,
    ),
    Attack(
        111,
        "swapping a file for a link while it is read",
        "a process that swaps a file and a link to the host's while the host reads it",
        "programs are stopped while files are read; no link is followed",
        """
tried()
if forked() == 0:
    while True:
        try:
            os.symlink(PUBLIC, "n"); os.rename("n", "result.txt")
            with open("m", "w") as file: file.write("x")
            os.rename("m", "result.txt")
        except OSError: pass
"""
        + NEXT
        + "1"
        + NEXT
        + "2",
        how="session",
        fetch=("result.txt",),
    ),
    Attack(
        112,
        "invalid file names",
        "file names of 255 bytes, with newlines, escape sequences and invalid UTF-8",
        "names are data; the host opens none of them",
        """
tried()
for name in (b"n" * 255, b"a\\nb", b"\\xff\\xfe", b"\\x1b[2J", b"..\\\\x", "\\u202e".encode(), b" ", b"-rf"):
    try: os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError: pass
os.makedirs("/".join("d" * 60), exist_ok=True)
for _ in range(60):
    os.makedirs("deep", exist_ok=True); os.chdir("deep")
"""
        + NEXT
        + "1",
        how="session",
        fetch=("a",),
    ),
)
