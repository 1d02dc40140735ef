"""Containers as slots: their walls."""

from __future__ import annotations

import json
import os
import secrets
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envhub.sandbox.backend import SlotFailed
from envhub.sandbox.docker.backend import DockerBackend, DockerSlot
from envhub.sandbox.docker.profile import IDS
from envhub.sandbox.inside import seccomp, syscalls
from envhub.sandbox.jobs import Limits
from tests.sandbox import jails
from tests.sandbox.docker.containers import works
from tests.sandbox.inside.test_walls import (
    REFUSED,
    denied,
)
from tests.sandbox.jails import run


def test_no_right_is_left(slot: DockerSlot) -> None:
    for text in (
        run(slot, "print(open('/proc/self/status').read())").text,
        run(slot, "cat /proc/self/status", "bash").text,
    ):
        rows = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        assert {name: int(rows[name], 16) for name in rows if name.startswith("Cap")} == dict.fromkeys(
            ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), 0
        )
        assert (rows["NoNewPrivs"].strip(), rows["Seccomp"].strip()) == ("1", "2")
        assert set(rows["Uid"].split()) == set(rows["Gid"].split()) == {str(IDS[1])}
        assert rows["Groups"].split() == []
    assert run(slot, "whoami", "bash").text == "runner\n"


def test_secrets_of_the_host_are_not_to_be_seen(slot: DockerSlot, tmp_path: Path) -> None:
    secret = secrets.token_hex(16)
    (tmp_path / "secret").write_text(secret)
    (tmp_path / "secret").chmod(0o644)
    look = (
        "import os, sys\n"
        "seen = 0\n"
        "for top in ('/box', '/dev', '/etc', '/proc', '/root', '/run', '/sys', '/var', '/home', '/tmp', '/mnt', '/work'):\n"
        "    for home, folders, files in os.walk(top):\n"
        "        for name in files:\n"
        "            path = os.path.join(home, name)\n"
        "            if name in 'zero full random urandom main.py stdin stdout stderr tty'.split(): continue\n"
        "            try:\n"
        "                with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 'rb') as file:\n"
        "                    text = file.read(1 << 20) or b''  # of an empty pipe\n"
        "            except OSError: continue\n"
        "            seen += 1\n"
        f"            if {secret[:16].encode()!r} + {secret[16:].encode()!r} in text: print('FOUND', path)\n"
        f"print(os.path.exists({str(tmp_path)!r}), seen > 50)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENVHUB_SECRET", secret)
        assert run(slot, look, limits=Limits(wall_s=60, cpu_s=60)).text == "False True\n"
    found = run(slot, look.replace("main.py", "-"), files={"other.txt": secret.encode()}, limits=Limits(wall_s=60))
    assert "FOUND /box/work/other.txt" in found.text  # it would be found


@pytest.mark.parametrize("name", ["environ", "mem", "fd", "root", "maps", "cwd"])
def test_nothing_of_the_trusted_processes_is_to_be_seen(slot: DockerSlot, name: str) -> None:
    for pid in ("1", "os.getppid()"):
        path = f"'/proc/' + str({pid}) + '/{name}'"
        assert denied(slot, f"os.readlink({path}) if {name!r} in ('root', 'cwd') else open({path}).read(1)") in {
            "PermissionError",
            "IsADirectoryError",
        }
        assert denied(slot, f"os.listdir({path})") in {"PermissionError", "NotADirectoryError"}


def test_of_the_machine_there_is_next_to_nothing(slot: DockerSlot) -> None:
    for path in ("/proc/cmdline", "/proc/kallsyms", "/proc/meminfo", "/proc/version", "/proc/uptime"):
        assert denied(slot, f"open({path!r}).read()") in {"''", "FileNotFoundError"}
    for path in ("/sys/class", "/sys/devices", "/sys/kernel", "/proc/sys", "/proc/bus", "/dev/pts", "/dev/mqueue"):
        assert denied(slot, f"os.listdir({path!r})") in {"[]", "FileNotFoundError"}
    assert denied(slot, "open('/proc/sysrq-trigger', 'w')") in {"PermissionError", "OSError", "FileNotFoundError"}
    for path in ("/dev/kmsg", "/dev/mem", "/dev/vda", "/dev/kvm", "/var/run/docker.sock", "/home", str(jails.ROOT)):
        assert denied(slot, f"os.stat({path!r})") == "FileNotFoundError"
    assert denied(slot, "os.uname().nodename") == "'jail'"


def test_there_is_no_network(slot: DockerSlot) -> None:
    look = "[line.split(':')[0].strip() for line in open('/proc/self/net/dev') if ':' in line]"
    assert denied(slot, look) == "['lo']"
    assert "PermissionError" in denied(slot, "__import__('socket').socket()")


@pytest.mark.parametrize("name", sorted(set(REFUSED) - {"kill"}))
def test_calls_that_reach_beyond_the_job_are_refused(slot: DockerSlot, name: str) -> None:
    assert denied(slot, REFUSED[name]) == "-1"


def test_signals_reach_only_the_job(slot: DockerSlot) -> None:
    key = slot.container
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        assert run(slot, f"import os\nos.kill(-1, {int(number)})\nprint(1)").text in {"1\n", ""}
        for pid in (1, "os.getppid()"):
            assert denied(slot, f"os.kill({pid}, {int(number)})") == "PermissionError"
    assert works(slot)
    assert slot.container == key


def test_users_of_slots_differ_and_are_called_the_same(slot: DockerSlot, other: DockerSlot) -> None:
    mine, others = (run(each, "id -u; echo $(id -un) $(id -gn)", "bash").text.splitlines() for each in (slot, other))
    assert mine[0] != others[0]
    assert mine[1] == others[1] == "runner runner"


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "root file system is writable": lambda host: host.update(ReadonlyRootfs=False),
    "more capabilities": lambda host: host.update(CapAdd=[*host["CapAdd"], "SYS_PTRACE"]),
    "can gain privileges": lambda host: host.update(SecurityOpt=host["SecurityOpt"][1:]),
    "not filtered": lambda host: host.update(SecurityOpt=["no-new-privileges", "seccomp=unconfined"]),
    "not a separate file system": lambda host: host.update(Tmpfs={}),
    "has a network": lambda host: host.update(NetworkMode="host", SecurityOpt=host["SecurityOpt"]),
    "/dev/shm does not lead": lambda host: host.update(IpcMode="private"),
}


@pytest.mark.parametrize("wrong", list(WRONG))
def test_a_slot_that_is_not_walled_in_does_not_start(docker_backend: DockerBackend, wrong: str) -> None:
    slot = docker_backend.slot(3)
    assert isinstance(slot, DockerSlot)
    config = slot._config()
    WRONG[wrong](config["HostConfig"])
    if "network" in wrong:
        config["NetworkDisabled"] = False
    slot._config = lambda: config  # type: ignore[method-assign]
    with pytest.raises(SlotFailed, match=f"not isolated.*{wrong}"):
        slot.start()
    slot.close()


def alone(slot: DockerSlot, program: str) -> str:
    """What a program says that runs as root in a container like that of a slot, with the daemon's filter only."""
    config = slot._config() | {"Entrypoint": ["python3"], "Cmd": ["-I", "-S", "-c", program]}
    key = slot._daemon.create(config)
    try:
        stream = slot._daemon.attach(key)
        slot._daemon.start(key)
        said = b""
        while part := stream.receive(time.monotonic() + 20):
            said += part
        stream.close()
        return said.decode()
    finally:
        slot._daemon.remove(key)


def test_the_daemons_filter_refuses_by_itself_what_programs_are_refused(slot: DockerSlot) -> None:
    column = seccomp.ARCHITECTURES[os.uname().machine][0]
    numbers = {name: row[column] for name, row in syscalls.REFUSED.items() if row[column] is not None}
    numbers |= {name: row[column] for name, row in syscalls.MISSING.items()}
    calls: dict[str, list[Any]] = {name: [number, 0, 0, 0] for name, number in numbers.items()}
    for name, arguments in {
        "clone": [0x10000011],
        "personality": [0x40000],
        "prlimit64": [1, 7],
        "socketpair": [2, 1],
    }.items():
        calls[name] = [syscalls.CHECKED[name][column], *arguments]
    calls["ioctl"] = [syscalls.CHECKED["ioctl"][column], 0, 0x5412, 0]
    program = (
        "import ctypes, json\nlibc = ctypes.CDLL(None, use_errno=True)\nfound = {}\n"
        f"for name, row in json.loads({json.dumps(calls)!r}).items():\n"
        "    ctypes.set_errno(0)\n"
        "    done = libc.syscall(*[ctypes.c_long(each) for each in row])\n"
        "    found[name] = [done, ctypes.get_errno()]\n"
        "print(json.dumps(found))\n"
    )
    found = json.loads(alone(slot, program))
    assert found.pop("seccomp") != [-1, 1]  # it is needed to install the other filter
    assert {name for name, said in found.items() if said != [-1, 38 if name in syscalls.MISSING else 1]} == set()
    assert len(found) > 90
