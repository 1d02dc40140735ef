"""What programs may use: each limit is named when it is hit, and the next job is well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envhub.sandbox.backend import Setting
from envhub.sandbox.jobs import Limits, Returned
from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox import jails
from tests.sandbox.jails import call, run

SMALL = Limits(wall_s=3, cpu_s=1, memory_mb=64, pids=8, output_bytes=1000, file_mb=4, files=50, value_bytes=1000)


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("import time; time.sleep(100)", "wall"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "wall"),
        ("while True: pass", "cpu"),
        ("import os\nfor _ in range(2): os.fork()\nwhile True: pass", "cpu"),
        ("x = bytearray(300 << 20)\nimport time; time.sleep(2)", "memory"),
        ("x = bytearray(80 << 20)\nimport time; time.sleep(5)", "memory"),  # before a control group is full
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
    limits = replace(SMALL, cpu_s=30, wall_s=1 if limit == "wall" else 30)
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


def test_memory_that_processes_share_counts_once(slot: NamespaceSlot) -> None:
    source = (
        "import os, time\nx = bytearray(40 << 20)\n"
        "for n in range(20):\n"  # so that some are just begun or just ended when they are looked at
        "    for _ in range(3):\n        if not os.fork(): time.sleep(0.013 * (n % 8)); os._exit(0)\n"
        "    for _ in range(3): os.wait()\nprint('all')"
    )
    result = run(slot, source, limits=replace(SMALL, wall_s=60, cpu_s=30))
    assert (result.limit, result.text) == (None, "all\n")


def test_what_a_program_is_fed_is_neither_its_memory_nor_that_of_the_next(slot: NamespaceSlot) -> None:
    source = "import time\nx = bytearray(54 << 20)\ntime.sleep(0.3)\nprint('well')"
    for stdin in (b"x" * (10 << 20), b""):
        result = run(slot, source, stdins=(stdin,), limits=SMALL)
        assert (result.limit, result.text) == (None, "well\n")


def test_memory_beyond_a_processs_own_is_an_exception(slot: NamespaceSlot) -> None:
    source = "try: bytearray(4 << 30)\nexcept MemoryError: print('caught')"
    assert run(slot, source, limits=SMALL).text == "caught\n"


def test_addresses_may_be_reserved_that_no_memory_is_behind(slot: NamespaceSlot) -> None:
    source = "import mmap\ntry: mmap.mmap(-1, 4 << 30)\nexcept OSError: print('no')\nelse: print('yes')"
    for limits, said in ((SMALL, "no\n"), (replace(SMALL, reserve_mb=5 << 10), "yes\n")):
        assert run(slot, source, limits=limits).text == said
        with slot.open(Setting("bash", limits=replace(limits, wall_s=30))) as session:
            assert session.run(f'python3 -c "{source}"').text == said
    greedy = run(slot, "x = bytearray(80 << 20)\nimport time; time.sleep(5)", limits=replace(SMALL, reserve_mb=5 << 10))
    assert greedy.limit == "memory"


def test_files_that_do_not_fit_are_a_limit(slot: NamespaceSlot) -> None:
    result = run(slot, "", files={"big": bytes(6 << 20)}, limits=SMALL)
    assert (result.limit, result.exit, result.blame) == ("file", None, "theirs")


def test_input_that_nobody_reads_is_no_harm(slot: NamespaceSlot) -> None:
    assert run(slot, "print(1)", stdins=(b"x" * (2 << 20),)).ok
    stuck = "import os, time\nos.write(3, b'\\0\\0\\0\\1r'); time.sleep(100)"
    assert call(slot, stuck, ("x" * (2 << 20),), limits=replace(SMALL, wall_s=1)).limit == "wall"


GREEDY = {
    "bash": ("while :; do :; done", "sleep 99", "while :; do echo xxxxxxxx; done"),
    "c": (
        "int main() { for (;;); }",
        "#include <unistd.h>\nint main() { sleep(99); }",
        '#include <stdio.h>\nint main() { for (;;) puts("x"); }',
    ),
    "cpp": (
        "int main() { volatile int x = 0; for (;;) x = x + 1; }",
        "#include <unistd.h>\nint main() { sleep(99); }",
        '#include <cstdio>\nint main() { for (;;) std::puts("x"); }',
    ),
    "javascript": (
        "for (;;);",
        "setTimeout(() => {}, 99000)",
        "const fs = require('fs'); for (;;) fs.writeSync(1, 'xxxxxxxx')",
    ),
}
ALLOCATING = {
    "bash": "x=$(printf 'a%.0s' {1..1000}); while :; do x=$x$x; done",
    "c": "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "int main() { for (int i = 0; i < 14; i++) memset(malloc(20 << 20), 1, 20 << 20); sleep(9); }",
    "cpp": "#include <unistd.h>\n#include <vector>\n"
    "int main() { std::vector<char> v; for (int i = 0; i < 28; i++) v.insert(v.end(), 10 << 20, 1); sleep(9); }",
    "javascript": "const x = []; for (;;) x.push(Buffer.alloc(1 << 20, 1))",
}
WIDE = replace(SMALL, pids=32, file_mb=8, memory_mb=128)  # node alone has a dozen threads, and takes more memory


@pytest.mark.parametrize("language", list(GREEDY))
def test_each_limit_is_named_in_each_language(slot: NamespaceSlot, language: str) -> None:
    jails.installed(language)
    burns, sleeps, floods = GREEDY[language]
    assert run(slot, burns, language, limits=replace(WIDE, wall_s=60)).limit == "cpu"
    assert run(slot, sleeps, language, limits=replace(WIDE, cpu_s=30, wall_s=1)).limit == "wall"
    assert run(slot, floods, language, limits=replace(WIDE, wall_s=60, cpu_s=60)).limit == "output"
    greedy = run(slot, ALLOCATING[language], language, limits=replace(WIDE, wall_s=30, cpu_s=30))
    refused = b"memory" in greedy.stderr.lower() or b"bad_alloc" in greedy.stderr  # as by any system
    assert greedy.limit == "memory" or (greedy.limit is None and refused), greedy


def test_as_many_processes_as_there_may_be_are_not_too_many(slot: NamespaceSlot) -> None:
    source = (
        "import os, time\n"
        "for _ in range(N):\n    if not os.fork(): time.sleep(0.3); os._exit(0)\n"
        "for _ in range(N): os.wait()\nprint('all')"
    )
    for _ in range(2):
        result = run(slot, source.replace("N", "7"), limits=SMALL)
        assert (result.limit, result.text) == (None, "all\n")
    assert run(slot, source.replace("N", "12"), limits=SMALL).limit == "pids"


def test_processes_of_another_slot_do_not_count(slot: NamespaceSlot) -> None:
    """The kernel's limit is of a user, and an unprivileged one has all slots."""
    source = (
        "import os, time\nfor _ in range(7):\n    if not os.fork(): time.sleep(0.3); os._exit(0)\n"
        "for _ in range(7): os.wait()\nprint('all')"
    )
    other = jails.slot(1)
    other.start()
    try:
        with other.open(Setting("bash", limits=replace(SMALL, wall_s=30))) as session:
            session.run("for n in 1 2 3 4 5 6; do sleep 99 & done")
            result = run(slot, source, limits=SMALL)
            assert (result.limit, result.text) == (None, "all\n")
            assert session.run("echo on").text == "on\n"
    finally:
        other.close()


def test_time_of_children_that_nobody_waits_for_counts(slot: NamespaceSlot) -> None:
    source = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "for _ in range(20):\n"
        "    if not os.fork():\n"
        "        while time.process_time() < 0.1: pass\n"
        "        os._exit(0)\n"
        "try: os.wait()\n"
        "except ChildProcessError: pass  # as if there never were any\n"
    )
    result = run(slot, source, limits=replace(WIDE, wall_s=60, cpu_s=0.5))
    counted = jails.backend().layers()["cgroup"] == "active"
    assert result.limit in ({"cpu"} if counted else {"cpu", None})
    assert result.usage.cpu_s > (0.5 if counted else 0.1)
