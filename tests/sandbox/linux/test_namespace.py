"""What is left of a job, what a slot is made of, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from envhub.sandbox.backend import Setting, SlotFailed
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox import jails
from tests.sandbox.jails import call, descendants, gone, run, wait_for


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


def test_many_jobs_leave_a_slot_as_it_was(slot: NamespaceSlot) -> None:
    def state() -> tuple[Any, ...]:
        assert slot._process is not None
        keeper = slot._process.pid
        # the processes of the last job have gone; beside runner and zygote there are the two that wait for the next
        wait_for(lambda: len(descendants(keeper)) == 5)
        if os.geteuid() != 0:
            return (len(os.listdir("/proc/self/fd")),)
        lines = [Path(f"/proc/{pid}/mountinfo").read_text().count("\n") for pid in descendants(keeper)[1:3]]
        held = [len(os.listdir(f"/proc/{pid}/fd")) for pid in descendants(keeper)[1:3]]
        return len(os.listdir("/proc/self/fd")), lines, held

    before = state()
    for _ in range(50):
        assert call(slot, "def f(a): return a", (1,)).ok
        run(slot, "import os\nos.fork()\nopen('x', 'w').write('y' * 1000)")
    run(slot, "import os\nos.close(0)\nos.kill(os.getpid(), 9)", stdins=(b"x" * (1 << 20),))
    assert run(slot, "", files={"a": b"", "a/b": b""}).exit is None
    assert run(slot, "", files={"a": b"x" * (2 << 20)}, limits=Limits(file_mb=1)).limit == "file"
    slot.open(Setting()).close()
    run(slot, "")
    assert state() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into a slot from outside")
def test_a_slot_has_every_namespace_of_its_own(slot: NamespaceSlot) -> None:
    assert slot._process is not None
    runner, zygote = descendants(slot._process.pid)[1:3]
    for name in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
        assert os.readlink(f"/proc/{zygote}/ns/{name}") != os.readlink(f"/proc/self/ns/{name}"), name
        assert os.readlink(f"/proc/{runner}/ns/{name}") == os.readlink(f"/proc/{zygote}/ns/{name}"), name
    assert Path(f"/proc/{zygote}/environ").read_bytes() == b"PYTHONHASHSEED=0\0LD_BIND_NOW=1\0"
    ids = Path(f"/proc/{zygote}/uid_map").read_text().split()
    assert (ids[0], ids[3], ids[1] != "0") == ("0", "1", True)
    counters = slot._group is not None
    # nothing, thrice, the stream, three to the zygote, and what counts memory
    assert len(os.listdir(f"/proc/{runner}/fd")) == 8 + counters


def test_a_slot_that_is_closed_takes_everything_with_it() -> None:
    slot = jails.slot(2)
    slot.start()
    assert slot._process is not None
    keeper = slot._process.pid
    wait_for(lambda: len(descendants(keeper)) == 5)  # keeper, runner, zygote, and the two that wait for a job
    tree = descendants(keeper)
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
    wait_for(lambda: len(descendants(keeper)) == 5)
    tree = descendants(keeper)
    slot.disown()
    os.waitpid(keeper, 0)
    wait_for(lambda: all(map(gone, tree)))


HOST = """
import threading, time
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import NamespaceBackend

slot = NamespaceBackend().slot(0)
starting = threading.Thread(target=slot.start)
starting.start()
starting.join()
assert slot.run(Job(Program("")))[0].ok
source = "import os, time\\nif not os.fork(): os.setsid()\\ntime.sleep(1000)"
job = Job(Program(source), limits=Limits(wall_s=1000))
threading.Thread(target=slot.run, args=(job,), daemon=True).start()
print(slot._process.pid, flush=True)
time.sleep(1000)
"""


def test_nothing_remains_of_a_host_that_is_killed() -> None:
    """The thread that started the slot has ended before, and the slot was none the worse for it."""
    jails.backend()
    with subprocess.Popen([sys.executable, "-c", HOST], cwd=jails.ROOT, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        keeper = int(host.stdout.readline())
        wait_for(lambda: len(descendants(keeper)) == 6)  # keeper, runner, zygote, first process, program, its child
        tree = descendants(keeper)
        groups = list(Path("/sys/fs/cgroup").glob(f"**/envhub-*-{host.pid}-*"))
        host.kill()
    wait_for(lambda: all(map(gone, tree)))
    assert bool(groups) == (jails.backend().layers()["cgroup"] == "active")  # a backend removes what it finds
    assert not any(group.exists() for group in groups)


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
