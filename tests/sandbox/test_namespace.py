# ruff: noqa: E402
"""What programs can do in a jail, and what they cannot; what is left of them, and what a lost slot is."""

from __future__ import annotations

import pytest

pytest.skip("the jail is under construction: see issue 7", allow_module_level=True)

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envhub.sandbox.backend import SlotFailed
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.namespace import NamespaceSlot
from tests.sandbox import jails


@pytest.fixture(scope="module")
def slot() -> Iterator[NamespaceSlot]:
    made = jails.slot(0)
    made.start()
    yield made
    made.close()


SHORT = Limits(wall_s=5, cpu_s=4)


def run(slot: NamespaceSlot, source: str, language: str = "python", **rest: Any) -> Result:
    job = Job(Program(source, language, rest.pop("files", {}), rest.pop("args", ())), **{"limits": SHORT, **rest})
    return slot.run(job)[-1]


def call(slot: NamespaceSlot, source: str, *calls: tuple[Any, ...], **rest: Any) -> Result:
    return run(slot, source, function="f", calls=calls, **rest)


# -- what programs do ----------------------------------------------------------------------------------------------

DOUBLE = {
    "python": "print(int(input()) * 2)",
    "bash": "read x; echo $((x * 2))",
    "c": '#include <stdio.h>\nint main(){int x; scanf("%d", &x); printf("%d\\n", x * 2);}',
    "cpp": "#include <iostream>\nint main(){int x; std::cin >> x; std::cout << x * 2 << std::endl;}",
    "javascript": "console.log(parseInt(require('fs').readFileSync(0, 'utf8')) * 2)",
}


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_each_language_reads_and_writes(slot: NamespaceSlot, language: str) -> None:
    if language not in jails.backend().languages():
        jails.lacking(f"{language} is not installed")
    results = slot.run(Job(Program(DOUBLE[language], language), stdins=(b"21\n", b"4\n")))
    assert [(result.exit, result.text) for result in results] == [(0, "42\n"), (0, "8\n")]
    assert all(result.ok for result in results)


def test_a_program_is_run_as_an_interpreter_would(slot: NamespaceSlot) -> None:
    source = (
        "import sys, atexit, threading, time\n"
        "print(__name__, sys.argv[1:], __file__, sys.stdin.read())\n"
        "atexit.register(print, 'at exit')\n"
        "class Last:\n    def __del__(self): print('finalized')\n"
        "last = Last()\n"
        "threading.Thread(target=lambda: (time.sleep(0.01), print('thread'))).start()\n"
        "print('error', file=sys.stderr)\n"
        "exit(7)\n"
    )
    result = run(slot, source, args=("a b", "ü"), stdins=(b"in",))
    assert result.exit == 7
    assert result.text == "__main__ ['a b', 'ü'] /box/work/main.py in\nthread\nat exit\nfinalized\n"
    assert result.stderr == b"error\n"


def test_a_traceback_shows_the_program_and_nothing_of_ours(slot: NamespaceSlot) -> None:
    result = run(slot, "def g():\n    1 / 0\ng()\n")
    lines = result.stderr.decode().splitlines()
    assert result.exit == 1
    assert lines[:2] == ["Traceback (most recent call last):", '  File "/box/work/main.py", line 3, in <module>']
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert b"_jail" not in result.stderr
    assert b"SyntaxError" in run(slot, "def g(").stderr


@pytest.mark.parametrize(
    ("source", "exit"),
    [
        ("raise SystemExit", 0),
        ("exit('why')", 1),
        ("import os; os._exit(3)", 3),
        ("raise KeyboardInterrupt", -2),
        ("import os; os.kill(os.getpid(), 15)", -15),
        ("import ctypes; ctypes.string_at(0)", -11),
    ],
)
def test_the_exit_status_is_the_interpreters(slot: NamespaceSlot, source: str, exit: int) -> None:
    assert run(slot, source).exit == exit


def test_files_lie_in_the_working_directory_and_come_back(slot: NamespaceSlot) -> None:
    files = {"pack/__init__.py": b"x = 5", "data.txt": b"hello"}
    source = "import pack; open('out.txt', 'w').write(open('data.txt').read() * pack.x)"
    result = run(slot, source, files=files, fetch=("out.txt", "missing", "pack"))
    assert result.ok
    assert result.files == {"out.txt": b"hello" * 5}


@pytest.mark.parametrize("made", ["os.symlink('/etc/passwd', 'x')", "os.mkfifo('x')", "os.mkdir('x')", "0"])
def test_only_regular_files_come_back(slot: NamespaceSlot, made: str) -> None:
    result = run(slot, f"import os; {made}; os.symlink('.', 'd'); open('y', 'w').write('1')", fetch=("x", "d/y", "y"))
    assert result.files == {"y": b"1"}


def test_common_libraries_work(slot: NamespaceSlot) -> None:
    source = (
        "import asyncio, multiprocessing, subprocess, sys, tempfile\n"
        "async def later():\n    await asyncio.sleep(0.001)\n    return 1\n"
        "print(asyncio.run(later()))\n"
        "with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, 2]))\n"
        "print(subprocess.run([sys.executable, '-c', 'print(3)'], capture_output=True, text=True).stdout, end='')\n"
        "print(tempfile.TemporaryFile('w').write('four'))\n"
    )
    assert run(slot, source).text == "1\n[1, 2]\n3\n4\n"


def test_hashes_are_the_same_in_every_slot(slot: NamespaceSlot) -> None:
    other = jails.slot(1)
    other.start()
    try:
        assert run(slot, "print(hash('a'))").text == run(other, "print(hash('a'))").text != ""
    finally:
        other.close()


def test_a_program_that_does_not_compile(slot: NamespaceSlot) -> None:
    if "c" not in jails.backend().languages():
        jails.lacking("c is not installed")
    results = slot.run(Job(Program("int main({", "c"), stdins=(b"", b"")))
    assert [result.stage for result in results] == ["compile", "compile"]
    assert b"error" in results[0].stderr
    assert results[0].blame == "theirs"
    endless = run(slot, '#include "/dev/zero"\nint main(){}', "c")
    assert (endless.stage, endless.ok) == ("compile", False)


# -- calls ---------------------------------------------------------------------------------------------------------


def test_calls_return_typed_values(slot: NamespaceSlot) -> None:
    result = call(slot, "def f(a, b=2): print(a); return (a, b), {a}", (1,), (2.5, "x"), (b"y", None))
    assert [returned.value for returned in result.values] == [
        ((1, 2), {1}),
        ((2.5, "x"), {2.5}),
        ((b"y", None), {b"y"}),
    ]
    assert (result.exit, result.text) == (0, "1\n2.5\nb'y'\n")


def test_what_a_call_raises_comes_back_by_name(slot: NamespaceSlot) -> None:
    result = call(slot, "def f(a):\n    if a: raise ValueError('no ' + a)\n    return 1", ("x",), ("",), (1, 2))
    assert result.values[:2] == (Returned(raised="ValueError", message="no x"), Returned(1))
    assert result.values[2].raised == "TypeError"
    assert [returned.raised for returned in call(slot, "g = 1", (1,)).values] == ["AttributeError"]
    assert call(slot, "def f(a): return object()", (1,)).values[0].raised == "NotAValue"
    assert call(slot, "class T(int): pass\ndef f(a): return T(1)", (1,)).values[0].raised == "NotAValue"


def test_a_main_guard_does_not_run_when_functions_are_called(slot: NamespaceSlot) -> None:
    source = "def f(a): return __name__\nif __name__ == '__main__': raise SystemExit(3)"
    assert call(slot, source, (1,)).values == (Returned("solution"),)


@pytest.mark.parametrize(
    "source",
    [
        "import os; os._exit(0)",
        "raise SystemExit(0)",
        "def f(a): import os; os._exit(0)",
        "import os; os.close(3)\ndef f(a): return 1",
        "import os\nos.write(3, b'\\0\\0\\0\\2v1' * 5); os._exit(0)",
        "import os\nos.write(3, b'\\0\\0\\0\\1r' + b'\\0\\0\\0\\2v1' * 3); os._exit(0)",
        "import os\nos.write(3, b'\\0\\0\\0\\1r' + b'\\0\\0\\0\\2v1'[:3]); os._exit(0)",
        "import os\nos.write(3, b'\\xff\\xff\\xff\\xff'); os._exit(0)",
    ],
)
def test_no_value_comes_of_a_call_that_was_not_answered(slot: NamespaceSlot, source: str) -> None:
    result = call(slot, source, (1,), (2,))
    assert [returned for returned in result.values if returned.raised is None] == []
    assert len(result.values) < 2
    assert not result.ok


def test_what_is_written_beside_the_reply_never_adds_a_value(slot: NamespaceSlot) -> None:
    source = "import os\ndef f(a):\n    os.write(3, b'\\0\\0\\0\\2v1\\0\\0\\0\\2v1')\n    return 1"
    assert [returned.raised for returned in call(slot, source, (1,), (2,)).values] == ["UnaskedReply"]


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        (b"v[" * 50_000, "NotAValue"),
        (b"v" + b"9" * 100_000, "NotAValue"),
        (b"vNaN", "NotAValue"),
        (b'v"\\ud800', "NotAValue"),
        (b"x", "NotAValue"),
        (b"", "NotAValue"),
        (b'e["a"]', "NotAValue"),
        (b"e" + b"[" * 60_000, "NotAValue"),
        (b'e["\\ud800","b"]', "?"),
    ],
)
def test_hostile_replies_are_calls_that_failed(slot: NamespaceSlot, body: bytes, raised: str) -> None:
    source = f"import os, struct\ndef f(a):\n    body = {body!r}\n"
    source += "    os.write(3, struct.pack('>I', len(body)) + body)\n    import time; time.sleep(100)"
    result = call(slot, source, (1,), limits=replace(SHORT, wall_s=1))
    assert [returned.raised for returned in result.values] == [raised]


def test_arguments_of_later_calls_and_runs_are_not_in_memory_yet(slot: NamespaceSlot) -> None:
    source = (
        "import gc\n"
        "def everywhere():\n"
        "    for line in open('/proc/self/maps'):\n"
        "        span, rights, *_ = line.split()\n"
        "        if 'r' in rights and 'vvar' not in line and 'vsyscall' not in line:\n"
        "            start, end = (int(at, 16) for at in span.split('-'))\n"
        "            memory.seek(start)\n"
        "            try: yield memory.read(end - start)\n"
        "            except OSError: pass\n"
        "memory = open('/proc/self/mem', 'rb')\n"
        "def f(word): return [any(bytes(n + 1 for n in w) in part for part in everywhere()) for w in (HIDDEN, SEEN)]\n"
    )
    hidden, seen = b"needle-in-a-later-call", b"needle-in-this-very-call"
    shifted = [bytes(n - 1 for n in word) for word in (hidden, seen)]
    source = f"HIDDEN, SEEN = {shifted!r}\n" + source
    result = call(slot, source, (seen.decode(),), (hidden.decode(),))
    assert result.values[0] == Returned([False, True])
    again = call(slot, source, ("nothing",))
    assert again.values[0] == Returned([False, False])  # nor what an earlier job was given


# -- limits --------------------------------------------------------------------------------------------------------

SMALL = Limits(wall_s=3, cpu_s=1, memory_mb=64, pids=8, output_bytes=1000, file_mb=4, files=50, value_bytes=1000)


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("import time; time.sleep(100)", "wall"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "wall"),
        ("while True: pass", "cpu"),
        ("import os\nfor _ in range(2): os.fork()\nwhile True: pass", "cpu"),
        ("x = bytearray(300 << 20)\nimport time; time.sleep(2)", "memory"),
        (
            "import os, time\nfor _ in range(4):\n    if not os.fork(): x = bytearray(40 << 20); time.sleep(9)\ntime.sleep(2)",
            "memory",
        ),
        ("print('x' * 5000)", "output"),
        ("import os\nwhile True: os.write(2, b'x' * 1000)", "output"),
        ("open('big', 'wb').write(bytes(8 << 20))", "file"),
        ("for n in range(100): open(str(n), 'w')", "file"),
        ("import os, time\nfor _ in range(20):\n    if not os.fork(): time.sleep(0.2); os._exit(0)\n", "pids"),
    ],
)
def test_each_limit_is_named(slot: NamespaceSlot, source: str, limit: str) -> None:
    if limit == "pids":
        source = "import time\n" + source.replace("os.fork()", "fork()").replace(
            "import os, time\n",
            "import os\ndef fork():\n    try: return os.fork()\n    except OSError: time.sleep(0.1); return 1\n",
        )
    limits = SMALL if limit == "cpu" else replace(SMALL, cpu_s=30)
    if limit == "cpu":
        limits = replace(SMALL, wall_s=60)
    result = run(slot, source, limits=limits)
    assert result.limit == limit
    assert not result.ok
    assert max(len(result.stdout), len(result.stderr)) <= 1000
    assert call(slot, "def f(a): return a", (1,)).values == (Returned(1),)


def test_values_are_limited_together(slot: NamespaceSlot) -> None:
    result = call(slot, "def f(a): return 'x' * 400", *[(1,)] * 5, limits=SMALL)
    assert (result.limit, len(result.values)) == ("value", 2)


def test_what_stays_within_its_limits_hits_none(slot: NamespaceSlot) -> None:
    source = "x = bytearray(20 << 20); print('y' * 900); open('f', 'wb').write(bytes(1 << 20))"
    assert run(slot, source, limits=SMALL).ok


def test_memory_beyond_a_processs_own_is_an_exception(slot: NamespaceSlot) -> None:
    source = "try: bytearray(4 << 30)\nexcept MemoryError: print('caught')"
    assert run(slot, source, limits=SMALL).text == "caught\n"


def test_files_that_do_not_fit_are_a_limit(slot: NamespaceSlot) -> None:
    result = run(slot, "", files={"big": bytes(6 << 20)}, limits=SMALL)
    assert (result.limit, result.exit, result.blame) == ("file", None, "theirs")


def test_input_that_nobody_reads_is_no_harm(slot: NamespaceSlot) -> None:
    assert run(slot, "print(1)", stdins=(b"x" * (2 << 20),)).ok
    stuck = "import os, time\nos.write(3, b'\\0\\0\\0\\1r'); time.sleep(100)"
    assert call(slot, stuck, ("x" * (2 << 20),), limits=SMALL).limit == "wall"


# -- walls ---------------------------------------------------------------------------------------------------------


def denied(slot: NamespaceSlot, expression: str, before: str = "") -> str:
    """What comes of an expression, as its repr or the name of the exception."""
    source = f"import os, ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n{before}\n"
    source += f"try: print(repr({expression}))\nexcept BaseException as error: print(type(error).__name__)"
    return run(slot, source).text.strip()


@pytest.mark.parametrize(
    "path",
    [
        "/root",
        "/home",
        "/work",
        "/etc/shadow",
        "/sys",
        "/var",
        "/run",
        "/proc/cmdline",
        "/proc/kallsyms",
        "/proc/sys",
        "/proc/sysrq-trigger",
        "/proc/net",
        "/dev/kmsg",
        "/dev/tty",
        "/dev/mem",
        "/old",
        str(jails.ROOT),
    ],
)
def test_of_the_machine_nothing_else_is_there(slot: NamespaceSlot, path: str) -> None:
    assert denied(slot, f"os.stat({path!r})") == "FileNotFoundError"


@pytest.mark.parametrize("path", ["/x", "/usr/x", "/etc/x", "/usr/bin/x", "/dev/x", "/box/x", "/proc/x", "/bin/x"])
def test_nothing_can_be_written_elsewhere(slot: NamespaceSlot, path: str) -> None:
    assert denied(slot, f"open({path!r}, 'w')") in {"OSError", "PermissionError", "FileNotFoundError"}


def test_only_the_job_is_to_be_seen(slot: NamespaceSlot) -> None:
    assert denied(slot, "sorted(map(int, filter(str.isdigit, os.listdir('/proc'))))") == "[1, 2]"
    assert (
        denied(slot, "sorted(os.listdir('/proc/self/fd'))") == "['0', '1', '2', '3']"
    )  # the last is the listing's own
    assert denied(slot, "dict(os.environ).keys() - {'PATH', 'HOME', 'LANG', 'TMPDIR'}").count("PYTHON") == 2
    for name in ("environ", "mem", "fd", "root", "maps"):
        expression = (
            f"os.listdir('/proc/1/{name}')" if name in {"fd", "root"} else f"open('/proc/1/{name}', 'rb').read(1)"
        )
        assert denied(slot, expression) == "PermissionError", name


def test_envhub_is_not_there(slot: NamespaceSlot) -> None:
    look = f"import sys; sys.path += [{str(jails.ROOT)!r}, '/usr/lib/python3/dist-packages', *{list(os.sys.path)!r}]"  # type: ignore[attr-defined]
    assert denied(slot, "__import__('envhub')", look) == "ModuleNotFoundError"
    assert denied(slot, "[name for name in sys.modules if 'envhub' in name or 'jail' in name]", "import sys") == "[]"


def test_no_right_is_left(slot: NamespaceSlot) -> None:
    status = run(slot, "print(open('/proc/self/status').read())").text
    rows = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(rows[name], 16) == 0, name
    assert (rows["NoNewPrivs"].strip(), rows["Seccomp"].strip()) == ("1", "2")
    assert set(rows["Uid"].split()) == {"1"}
    assert int(run(slot, "grep CapEff /proc/self/status | cut -f2", "bash").text, 16) == 0


REFUSED = {
    "socket": "libc.socket(1, 1, 0)",
    "inet": "libc.socket(2, 1, 0)",
    "vsock": "libc.socket(40, 1, 0)",
    "netlink": "libc.socket(16, 3, 0)",
    "unshare": "libc.unshare(0x10000000)",
    "mount": "libc.mount(b'x', b'/tmp', b'tmpfs', 0, None)",
    "chroot": "libc.chroot(b'/tmp')",
    "ptrace": "libc.ptrace(16, 1, 0, 0)",
    "io_uring": "libc.syscall(425, 8, b'x' * 256)",
    "keyctl": "libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, 0, 0)",
    "prlimit": "libc.prlimit(1, 7, None, None)",
    "kill": "libc.kill(-1, 9)",
    "setuid": "libc.setuid(0)",
    "personality": "libc.personality(0x0040000)",
    "mknod": "libc.mknod(b'/tmp/d', 0o60666, 0x800)",
    "hostname": "libc.sethostname(b'a', 1)",
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_calls_that_reach_beyond_the_job_are_refused(slot: NamespaceSlot, name: str) -> None:
    assert denied(slot, REFUSED[name]) == "-1"


def test_a_call_that_is_not_refused_works(slot: NamespaceSlot) -> None:
    assert denied(slot, "libc.getpid()") == "2"


# -- from job to job -----------------------------------------------------------------------------------------------


def test_nothing_of_a_job_is_left_for_the_next(slot: NamespaceSlot) -> None:
    leave = (
        "import os, sys, builtins, json, time\n"
        "open('mark', 'w').write('1'); open('/tmp/mark', 'w'); open('/dev/shm/mark', 'w')\n"
        "builtins.mark = json.mark = 1; os.environ['MARK'] = '1'; os.chmod('/box/work', 0)\n"
        "if not os.fork():\n    os.setsid()\n    if not os.fork(): time.sleep(1000)\n    os._exit(0)\n"
    )
    look = (
        "import os, builtins, json\n"
        "print([os.listdir(d) for d in ('/tmp', '/dev/shm')], sorted(os.listdir('.')), hasattr(builtins, 'mark'))\n"
        "print(hasattr(json, 'mark'), 'MARK' in os.environ, len([n for n in os.listdir('/proc') if n.isdigit()]))"
    )
    clean = "[[], []] ['main.py'] False\nFalse False 2\n"
    assert run(slot, look).text == clean
    assert run(slot, leave).exit == 0
    assert run(slot, look).text == clean
    both = "import os; print(os.path.exists('mark')); open('mark', 'w')"
    assert [result.text for result in slot.run(Job(Program(both), stdins=(b"", b"")))] == ["False\n", "False\n"]


def descendants(pid: int) -> list[int]:
    try:
        children = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        children = []
    return [pid, *(below for child in children for below in descendants(child))]


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_for(condition: Any) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_many_jobs_leave_a_slot_as_it_was(slot: NamespaceSlot) -> None:
    def state() -> tuple[Any, ...]:
        assert slot._process is not None
        keeper = slot._process.pid
        wait_for(lambda: len(descendants(keeper)) == 2)  # the first process of the last job has answered, and is to end
        zygote = descendants(keeper)[1]
        mounts = len(Path(f"/proc/{zygote}/mountinfo").read_text().splitlines()) if os.geteuid() == 0 else 0
        return len(os.listdir("/proc/self/fd")), mounts

    before = state()
    for _ in range(50):
        assert call(slot, "def f(a): return a", (1,)).ok
        run(slot, "import os\nos.fork()\nopen('x', 'w').write('y' * 1000)")
    assert state() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into a slot from outside")
def test_a_slot_has_every_namespace_of_its_own(slot: NamespaceSlot) -> None:
    assert slot._process is not None
    zygote = descendants(slot._process.pid)[1]
    for name in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
        assert os.readlink(f"/proc/{zygote}/ns/{name}") != os.readlink(f"/proc/self/ns/{name}"), name
    assert Path(f"/proc/{zygote}/environ").read_bytes() == b"PYTHONHASHSEED=0\0"
    ids = Path(f"/proc/{zygote}/uid_map").read_text().split()
    assert (ids[0], ids[3], ids[1] != "0") == ("0", "1", True)
    assert len(os.listdir(f"/proc/{zygote}/fd")) == 5  # nothing, thrice, and the stream


def test_a_slot_that_is_closed_takes_everything_with_it() -> None:
    slot = jails.slot(2)
    slot.start()
    assert slot._process is not None
    tree = descendants(slot._process.pid)
    assert len(tree) == 2  # the keeper and the zygote
    slot.close()
    slot.close()
    wait_for(lambda: all(map(gone, tree)))
    with pytest.raises(SlotFailed, match="closed"):
        slot.run(Job(Program("")))


def test_a_slot_whose_host_is_gone_ends() -> None:
    """The host's end of the stream is closed as by a SIGKILL; a program runs at the time."""
    slot = jails.slot(3)
    slot.start()
    assert slot._process is not None
    slot.put(
        slot._head(Program("import time; time.sleep(1000)"), "run", Limits(wall_s=1000))
        | {"command": None, "arguments": [], "function": None, "fetch": [], "space": True},
        [b"import time; time.sleep(1000)"],
        time.monotonic() + 20,
    )
    slot.put({}, [b""], time.monotonic() + 20)
    keeper = slot._process.pid
    wait_for(lambda: len(descendants(keeper)) == 4)
    tree = descendants(keeper)
    slot.disown()
    os.waitpid(keeper, 0)
    wait_for(lambda: all(map(gone, tree)))


def test_a_slot_that_is_killed_is_lost_and_nobody_is_blamed() -> None:
    slot = jails.slot(4)
    slot.start()
    assert slot._process is not None
    os.kill(slot._process.pid, signal.SIGKILL)
    with pytest.raises(SlotFailed):
        slot.run(Job(Program("print(1)")))
    slot.start()  # and may be started again
    assert slot.run(Job(Program("print(1)")))[0].text == "1\n"
    slot.close()


def test_every_layer_is_named() -> None:
    layers = jails.backend().layers()
    assert set(layers) >= {
        "namespaces",
        "filesystem",
        "network",
        "seccomp",
        "capabilities",
        "user",
        "cgroup",
        "rlimits",
    }
    assert all(said == "active" or " " in said for said in layers.values())


def test_all_of_this_holds_for_an_unprivileged_user() -> None:
    jails.again_unprivileged(__file__)
