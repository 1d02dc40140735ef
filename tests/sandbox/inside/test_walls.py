"""What a program in a jail cannot see, reach or change."""

from __future__ import annotations

import sys

import pytest

from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox import jails
from tests.sandbox.jails import run


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
    look = f"import sys; sys.path += [{str(jails.ROOT)!r}, '/usr/lib/python3/dist-packages', *{sys.path!r}]"
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


def test_no_signal_reaches_what_watches(slot: NamespaceSlot) -> None:
    source = (
        "import os\n"
        "for number in range(1, 65):\n"
        "    for _ in range(3):\n"
        "        try: os.kill(1, number)\n"
        "        except OSError: pass\n"
        "print('on')"
    )
    assert run(slot, source).text == "on\n"


def test_a_call_that_is_not_refused_works(slot: NamespaceSlot) -> None:
    assert denied(slot, "libc.getpid()") == "2"
