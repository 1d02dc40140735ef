"""Containers as slots: what is left of jobs and of hosts, and what happens when one is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from envhub.core.errors import MissingExtra
from envhub.sandbox.backend import SlotFailed
from envhub.sandbox.docker.backend import DockerBackend, DockerSlot
from envhub.sandbox.docker.daemon import OWNER, PLACE
from envhub.sandbox.docker.profile import OVERHEAD_MB
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.sandbox import LocalSandbox
from tests.sandbox import jails
from tests.sandbox.docker.containers import started, there, works
from tests.sandbox.jails import run

# -- from job to job ---------------------------------------------------------------------------------------------------

LEAVE = """
import os, sys, builtins, json, time, signal
open('mark', 'w').write('1'); open('/tmp/mark', 'w'); open('/dev/shm/mark', 'w')
builtins.mark = json.mark = 1; os.environ['MARK'] = '1'
os.mkdir('/tmp/kept', 0o1777); open('/tmp/kept/x', 'w'); os.symlink('/', '/tmp/kept/root'); os.mkfifo('/tmp/kept/pipe')
os.chdir('/tmp')
for depth in range(1500): os.mkdir('d', 0o700); os.chdir('d')
os.chdir('/'); os.chmod('/tmp/d', 0); os.chmod('/box/work', 0); os.umask(0o777)
for _ in range(5):
    if not os.fork():
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if not os.fork(): time.sleep(1000)
        os._exit(0)
"""
LOOK = """
import os, builtins, json
print([os.listdir(d) for d in ('/tmp', '/dev/shm', '.')], sorted(os.listdir('/box')), hasattr(builtins, 'mark'))
umask = os.umask(0)
seen = [n for n in os.listdir('/proc') if n.isdigit()]
print(hasattr(json, 'mark'), 'MARK' in os.environ, len(seen), oct(umask), os.getcwd())
room = os.statvfs('/box'); print(room.f_files - room.f_ffree, room.f_blocks - room.f_bfree)
"""


def test_nothing_of_a_job_is_left_for_the_next(slot: DockerSlot) -> None:
    clean = "[[], [], ['main.py']] ['shm', 'stdin', 'tmp', 'work'] False\nFalse False 3 0o22 /box/work\n6 1\n"
    assert run(slot, LOOK).text == clean
    left = run(slot, LEAVE, limits=Limits(wall_s=10, cpu_s=10, files=1600))
    assert (left.exit, left.stderr) == (0, b"")
    assert run(slot, LOOK).text == clean


def test_after_a_fork_bomb_the_same_container_works_on(slot: DockerSlot) -> None:
    key = slot.container
    for source, language in {
        "import os, time\nwhile True:\n    try:\n        if not os.fork(): os.setsid()\n    except OSError: pass\n": "python",
        ":(){ :|:& };:; sleep 100": "bash",
    }.items():
        result = run(slot, source, language, limits=Limits(wall_s=1, cpu_s=30))
        assert not result.ok
        assert result.limit in {"wall", "pids", "cpu"}
        assert works(slot)
        assert "False False 3" in run(slot, LOOK).text
    assert slot.container == key


def test_many_jobs_leave_a_slot_as_it_was(slot: DockerSlot) -> None:
    def state() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), len(slot._daemon.api.top(slot.container)["Processes"])

    assert works(slot)
    jails.wait_for(lambda: state()[1] == 1)
    before = state()
    for _ in range(50):
        run(slot, "import os\nos.fork()\nopen('x', 'w').write('y' * 1000)")
    assert works(slot)
    jails.wait_for(lambda: state() == before)


@pytest.mark.parametrize("most", [20, 1000, 4096])
def test_of_names_there_are_exactly_as_many_as_allowed(slot: DockerSlot, most: int) -> None:
    source = "import itertools\ntry:\n    for at in itertools.count(): open(str(at), 'w').close()\n"
    source += "except OSError as error: print(error.errno, at)"
    result = run(slot, source, limits=Limits(files=most))
    number, made = map(int, result.text.split())
    assert (number, result.limit) == (28, "file")
    assert most <= made + 1 <= most + 3  # its own text is one, and a few are not needed by us


def test_limits_change_from_job_to_job(slot: DockerSlot) -> None:
    key = slot.container
    hungry = "x = bytearray(100 << 20); print(len(x))"
    for megabytes, limit in ((32, "memory"), (200, None), (32, "memory")):
        assert run(slot, hungry, limits=Limits(memory_mb=megabytes)).limit == limit
    assert run(slot, "import os\nfor _ in range(6): os.fork()", limits=Limits(pids=80)).limit is None
    assert slot.container == key
    big = "open('big', 'wb').write(bytes(300 << 20)); print(1)"
    assert (
        run(slot, big, limits=Limits(file_mb=400, memory_mb=600)).text == "1\n"
    )  # beyond what a container has: another one
    assert slot.container != key
    assert run(slot, big, limits=Limits(memory_mb=600)).limit == "file"
    assert works(slot)


# -- lost slots --------------------------------------------------------------------------------------------------------


def test_a_container_that_is_killed_in_the_middle_of_a_job_is_a_lost_slot(other: DockerSlot) -> None:
    key = other.container
    threading.Timer(0.3, lambda: other._daemon.ask("POST", f"/containers/{key}/kill")).start()
    with pytest.raises(SlotFailed):
        run(other, "import time; time.sleep(60)", limits=Limits(wall_s=60))
    jails.wait_for(lambda: not there(other._daemon, key))
    with pytest.raises(SlotFailed, match="closed"):
        works(other)
    other.start()
    assert works(other)


def test_the_job_of_a_lost_container_is_run_again(docker_backend: DockerBackend) -> None:
    sandbox = LocalSandbox(docker_backend, slots=1)
    try:
        job = Job(Program("import time; time.sleep(1); print('done')"))
        assert sandbox.run(job)[0].text == "done\n"
        slot = sandbox._slots._places[0].slot
        assert isinstance(slot, DockerSlot)
        threading.Timer(0.3, lambda: docker_backend.daemon.ask("POST", f"/containers/{slot.container}/kill")).start()
        (result,) = sandbox.run(job)
        assert (result.text, result.ok) == ("done\n", True)
        assert sandbox._slots._places[0].slot is not slot
        said = sandbox.describe()
        assert (said["backend"], "python" in said["languages"]) == ("docker", True)
    finally:
        sandbox._slots.close()


def test_a_slot_that_is_closed_while_a_job_runs_is_gone(other: DockerSlot) -> None:
    key = other.container
    threading.Timer(0.3, other.close).start()
    with pytest.raises(SlotFailed):
        run(other, "import time; time.sleep(60)", limits=Limits(wall_s=60))
    jails.wait_for(lambda: not there(other._daemon, key))
    other.close()


def test_what_a_slot_says_on_standard_error_is_its_failure(docker_backend: DockerBackend) -> None:
    slot = docker_backend.slot(4)
    assert isinstance(slot, DockerSlot)
    config = slot._config() | {"Cmd": ["-c", "raise RuntimeError('broken ' + 'image')"]}
    slot._config = lambda: config  # type: ignore[method-assign]
    with pytest.raises(SlotFailed, match=r"standard error: Traceback(.|\n)*broken image"):
        slot.start()
    slot.close()


HOST = """
import sys, threading, time
from envhub.sandbox.docker.backend import DockerBackend
from envhub.sandbox.jobs import Job, Limits, Program
slot = DockerBackend().slot(9)
slot.start()
print(slot.container, flush=True)
slot.run(Job(Program("import time; time.sleep(1000)"), limits=Limits(wall_s=1000)))
"""


def test_nothing_remains_of_a_host_that_is_killed(docker_backend: DockerBackend, docker_image: str) -> None:
    environment = {**os.environ, "ENVHUB_SANDBOX_IMAGE": docker_image}
    command = [sys.executable, "-c", HOST]
    with subprocess.Popen(command, cwd=jails.ROOT, env=environment, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        key = host.stdout.readline().strip()
        assert there(docker_backend.daemon, key)
        host.send_signal(signal.SIGKILL)
    jails.wait_for(lambda: not there(docker_backend.daemon, key))  # in the middle of a job, and nobody has removed it


def test_containers_without_an_owner_are_found_and_removed(slot: DockerSlot) -> None:
    daemon = slot._daemon
    with subprocess.Popen(["true"]) as dead:
        pass
    labels = {PLACE: daemon.api.inspect_container(slot.container)["Config"]["Labels"][PLACE]}
    config = {"Image": slot._image, "Entrypoint": ["true"]}
    left = [
        daemon._post("/containers/create", config | {"Labels": labels | {OWNER: f"{dead.pid}-1"}})["Id"],
        daemon._post("/containers/create", config | {"Labels": labels | {OWNER: f"{os.getpid()}-1"}})[
            "Id"
        ],  # a number again
    ]
    elsewhere = {PLACE: "another machine", OWNER: f"{dead.pid}-1"}
    kept = daemon._post("/containers/create", config | {"Labels": elsewhere})["Id"]
    try:
        daemon.clean()
        assert [there(daemon, key) for key in left] == [False, False]
        assert there(daemon, kept)
        assert works(slot)
    finally:
        for key in [*left, kept]:
            daemon.remove(key)


def test_a_container_is_what_was_asked_for(slot: DockerSlot) -> None:
    assert works(slot)
    about = slot._daemon.api.inspect_container(slot.container)
    host = about["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == (Limits().memory_mb + OVERHEAD_MB) << 20
    assert host["PidsLimit"] == Limits().pids + 2
    assert {
        name: host[name] for name in ("NetworkMode", "IpcMode", "ReadonlyRootfs", "Privileged", "Init", "AutoRemove")
    } == {
        "NetworkMode": "none",
        "IpcMode": "none",
        "ReadonlyRootfs": True,
        "Privileged": False,
        "Init": False,
        "AutoRemove": True,
    }
    assert host["LogConfig"] == {"Type": "none", "Config": {}}
    assert not host["Binds"]
    assert not host["Devices"]
    assert about["Mounts"] == []
    assert [(row["Name"], row["Hard"]) for row in host["Ulimits"] if row["Name"] == "core"] == [("core", 0)]
    names = {row.partition("=")[0] for row in about["Config"]["Env"]}
    assert names <= {"PATH", "PYTHONHASHSEED", "LD_BIND_NOW"}  # no proxy of this user, whose password would be in it


def test_a_slot_that_is_disowned_in_a_forked_process_is_not_ended(other: DockerSlot) -> None:
    before = other._daemon.api
    pid = os.fork()
    if pid == 0:
        try:
            other.disown()
            asked = other._daemon.api  # another client: connections cannot be shared
            os._exit(0 if asked is not before and asked.ping() and other.container is None else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert works(other)


def test_a_runtime_can_be_named(docker_backend: DockerBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_SANDBOX_IMAGE", docker_backend.image.tag)
    monkeypatch.setenv("ENVHUB_SANDBOX_RUNTIME", "runc")
    backend = DockerBackend()
    made = started(backend, 5)
    try:
        config = backend.daemon.ask("GET", f"/containers/{made.container}/json").json()
        assert config["HostConfig"]["Runtime"] == "runc"
        assert works(made)
    finally:
        made.close()
        backend.close()


def test_a_runtime_that_the_daemon_does_not_have_is_an_error(docker_backend: DockerBackend) -> None:
    with pytest.raises(MissingExtra, match=r"no runtime 'none'; it has .*runc"):
        DockerBackend(runtime="none")
