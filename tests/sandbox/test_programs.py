"""What programs do in a jail: each language, streams, exit status, files."""

from __future__ import annotations

import pytest

from envhub.sandbox.jobs import Job, Limits, Program, Returned
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox import jails
from tests.sandbox.jails import run

DOUBLE = {
    "python": "print(int(input()) * 2)",
    "bash": "read x; echo $((x * 2))",
    "c": '#include <stdio.h>\nint main(){int x; scanf("%d", &x); printf("%d\\n", x * 2);}',
    "cpp": "#include <iostream>\nint main(){int x; std::cin >> x; std::cout << x * 2 << std::endl;}",
    "javascript": "console.log(parseInt(require('fs').readFileSync(0, 'utf8')) * 2)",
}


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_each_language_reads_and_writes(slot: NamespaceSlot, language: str) -> None:
    jails.installed(language)
    results = slot.run(Job(Program(DOUBLE[language], language), stdins=(b"21\n", b"4\n")))
    assert [(result.exit, result.text) for result in results] == [(0, "42\n"), (0, "8\n")]
    assert all(result.ok for result in results)


BY_NAME = {
    "python": (
        "x = int(open('/dev/stdin').read()) * 2\n"
        "open('/dev/stdout', 'w').write(f'{x}\\n')\n"
        "open('/dev/stderr', 'w').write('said')"
    ),
    "bash": "x=$(cat /dev/stdin); echo $((x * 2)) > /dev/stdout; printf said > /dev/stderr",
    "c": (
        '#include <stdio.h>\nint main(){int x; FILE *in = fopen("/dev/stdin", "r"), *out = fopen("/dev/stdout", "w"), '
        '*err = fopen("/dev/stderr", "w"); if (!in || !out || !err) return 1; '
        'fscanf(in, "%d", &x); fprintf(out, "%d\\n", x * 2); fprintf(err, "said"); return 0;}'
    ),
    "cpp": (
        '#include <fstream>\nint main(){int x; std::ifstream in("/dev/stdin"); std::ofstream out("/dev/stdout"), '
        'err("/dev/stderr"); in >> x; out << x * 2 << std::endl; err << "said";}'
    ),
    "javascript": (
        "const fs = require('fs'), x = parseInt(fs.readFileSync('/dev/stdin', 'utf8')) * 2;\n"
        "fs.writeFileSync('/dev/stdout', `${x}\\n`); fs.writeFileSync('/dev/stderr', 'said')"
    ),
}


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_each_language_opens_its_streams_by_name(slot: NamespaceSlot, language: str) -> None:
    jails.installed(language)
    results = slot.run(Job(Program(BY_NAME[language], language), stdins=(b"21\n", b"4\n")))
    assert [(each.exit, each.text, each.stderr) for each in results] == [(0, "42\n", b"said"), (0, "8\n", b"said")]


def test_streams_have_names_where_a_function_is_called_too(slot: NamespaceSlot) -> None:
    source = (
        "def f():\n"
        "    open('/dev/stdout', 'w').write('out'), open('/dev/stderr', 'w').write('err')\n"
        "    return open('/dev/stdin').read()"
    )
    result = jails.call(slot, source, ())
    assert (result.values, result.text, result.stderr) == ((Returned(""),), "out", b"err")


def test_a_forked_program_has_random_numbers_and_names_of_its_own(slot: NamespaceSlot) -> None:
    source = (
        "import os, random, threading, uuid\n"
        "assert threading.main_thread().native_id == threading.get_native_id() == os.getpid() == os.getsid(0)\n"
        "print(random.random(), uuid.uuid4(), sorted(os.listdir('/proc/self/fd')))\n"
    )
    first, second = (run(slot, source) for _ in range(2))
    assert first.ok, first.stderr
    assert not set(first.text.split()[:2]) & set(second.text.split()[:2])
    assert first.text.split()[2:] == ["['0',", "'1',", "'2',", "'3']"]  # the last is that of the listing itself
    assert run(slot, "import os; os.abort()").exit == -6  # the C library knows who it is


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


BROKEN = {
    "python": ("def f(:", "run", b"SyntaxError"),
    "bash": ("if", "run", b"syntax error"),
    "c": ("int main({", "compile", b"error"),
    "cpp": ("int main() { return x; }", "compile", b"error"),
    "javascript": ("let x = ;", "run", b"SyntaxError"),
}


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_what_is_wrong_with_a_programs_text_is_told_in_the_words_of_its_language(
    slot: NamespaceSlot, language: str
) -> None:
    jails.installed(language)
    source, stage, words = BROKEN[language]
    results = slot.run(Job(Program(source, language), stdins=(b"", b"")))
    assert [(result.stage, result.blame) for result in results] == [(stage, "theirs")] * 2
    assert all(words in result.stderr and result.exit not in (0, None) for result in results)


def test_a_compiler_has_limits_of_its_own(slot: NamespaceSlot) -> None:
    jails.installed("c")
    endless = run(slot, '#include "/dev/zero"\nint main(){}', "c")
    assert (endless.stage, endless.ok) == ("compile", False)
    large = run(slot, "char x[100 << 20] = {1};\nint main() { return x[0]; }", "c")
    assert (large.stage, large.blame, b"too large" in large.stderr) == ("compile", "theirs", True)
    narrow = run(slot, "int main() { return 3; }", "c", limits=Limits(memory_mb=16, pids=1, wall_s=5, file_mb=1))
    assert (narrow.stage, narrow.exit) == ("run", 3)
