"""Who does the jobs of a slot: what it keeps of them, what it counts, and the ways for machines that know less."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest

from envhub.sandbox.backend import Setting, SlotFailed
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import NamespaceSlot
from envhub.sandbox.slots import bundle, slot as stream_slot
from tests.sandbox import jails
from tests.sandbox.jails import call, descendants, run

WAYS = {
    "as it is": ("", "", ""),
    "no machine code": ("reaper", "if linux.MACHINE in _CODE", "if False"),
    "memory that cannot be run": ("linux", "mprotect(ctypes.c_void_p(at)", "mprotect(ctypes.c_void_p(1)"),
    "no number of the thread": ("linux", "at = ctypes.c_void_p(0)", "return 0"),
}
WIDE = Limits(wall_s=60, cpu_s=60)
ORPHANS = """
import os, time
for _ in range(40):
    end, kept = os.pipe()
    if not os.fork():
        if not os.fork():
            while time.process_time() < 0.03: pass
        os._exit(0)
    os.wait()
    os.close(kept)
    os.read(end, 1)
    os.close(end)
print('all')
"""


@pytest.fixture(params=WAYS)
def changed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[NamespaceSlot]:
    """A slot whose inner modules think that the machine lacks something."""
    name, old, new = WAYS[request.param]
    texts = dict(bundle.modules())
    if name:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    monkeypatch.setattr(bundle, "modules", lambda: tuple(texts.items()))
    slot = jails.slot(9)
    slot.start()
    yield slot
    slot.close()


def test_whatever_the_machine_lacks_jobs_and_sessions_work(changed: NamespaceSlot) -> None:
    assert call(changed, "def f(a): return a", (1,), (2,)).values[1].value == 2
    assert run(changed, "print(input())", stdins=(b"in",)).text == "in\n"
    with changed.open(Setting("bash")) as session:
        assert session.run("echo on").text == "on\n"
    assert run(changed, "import os\nprint(os.listdir())").text == "['main.py']\n"
    assert run(changed, "import os\nos.kill(os.getpid(), 15)").exit == -15
    signals = (
        "import os, contextlib\nfor n in (1, 9, 15):\n    with contextlib.suppress(OSError): os.kill(1, n)\nprint('on')"
    )
    assert run(changed, signals).text == "on\n"


def test_orphans_are_waited_for_and_their_time_counts_once(changed: NamespaceSlot) -> None:
    """More of them, one after the other, than there may be at a time."""
    result = run(changed, ORPHANS, limits=replace(WIDE, pids=8))
    assert (result.limit, result.text) == (None, "all\n")
    assert 1.1 < result.usage.cpu_s < 2.0


def test_time_of_a_job_is_not_that_of_the_one_before(slot: NamespaceSlot) -> None:
    """The runner, which waited for all of them, stays."""
    busy = "import time\nwhile time.process_time() < 0.8: pass"
    assert run(slot, busy, limits=WIDE).usage.cpu_s > 0.7
    result = run(slot, "import time; time.sleep(0.1)", limits=replace(WIDE, cpu_s=0.6))
    assert (result.limit, result.usage.cpu_s < 0.4) == (None, True)


def test_time_of_orphans_is_limited(changed: NamespaceSlot) -> None:
    source = "import os\nif not os.fork():\n    os.setsid()\n    while True: pass\nos.wait()"
    assert run(changed, source, limits=replace(WIDE, cpu_s=0.3)).limit == "cpu"


LOOK = """
import sys
wanted = sys.stdin.buffer.read()[::-1]
found = 0
with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
    for line in maps:
        start, end = (int(each, 16) for each in line.split()[0].split('-'))
        if line.split()[1][0] == 'r' and '[v' not in line:
            memory.seek(start)
            found += memory.read(end - start).count(wanted)
print(found > 1)  # the one we look for is in our memory, too
"""


def test_a_program_finds_nothing_of_the_job_before_in_its_memory(slot: NamespaceSlot) -> None:
    word = b"peculiar-quagga-3391"
    for source in (f"'{word.decode()}'\ninput()", f"word = '{word.decode()}'\n" + LOOK):
        looked = run(slot, source, stdins=(word[::-1],), files={word.decode(): word * 1000})
        assert (looked.text == "True\n") is (source != f"'{word.decode()}'\ninput()")  # its own it does find
        assert call(slot, f"def f(a): return a + '{word.decode()}'", (word.decode(),)).ok
    for _ in range(3):
        assert run(slot, LOOK, stdins=(word[::-1],)).text == "False\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may end what is in a slot from outside")
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_a_slot_without_one_of_its_own_is_lost_and_nobody_is_blamed(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_slot, "GRACE_S", 2.0)  # for an answer that never comes
    slot = jails.slot(10)
    slot.start()
    assert slot._process is not None
    looks: list[list[int]] = []

    def settled() -> bool:  # those that are only there while others are made must not be taken for them
        looks.append(descendants(slot._process.pid))  # type: ignore[union-attr]
        return len(looks[-1]) == 5 and looks[-20:] == looks[-1:] * 20

    jails.wait_for(settled)
    os.kill(looks[-1][at], signal.SIGKILL)
    try:
        with pytest.raises(SlotFailed):
            _run_twice(slot)
    finally:
        slot.close()


def _run_twice(slot: NamespaceSlot) -> None:
    """A job for the processes that were made before, which it may still have, and one for those that come after."""
    for _ in range(2):
        assert slot.run(Job(Program("print(1)"), limits=Limits(wall_s=2)))[-1].ok
