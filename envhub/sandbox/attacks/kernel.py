# ruff: noqa: E501  programs stand as they would be written
"""Attacks on the kernel.

System calls that leave the job, gain privileges or change settings.
"""

from __future__ import annotations

from typing import Final

from envhub.sandbox.attacks.kinds import Attack

_ROOT = "mount namespace: a root of its own, with the system's directories read-only"
_PIDS = "process namespace: other processes are not there"
_CALLS = "seccomp"
_RIGHTS = "no capabilities, no new rights, a user of its own"


def calls(*rows: str) -> str:
    """Attempts of system calls through the C library."""
    lines = [f"    attempt({row.partition(': ')[0]!r}, lambda: {row.partition(': ')[2]})" for row in rows]
    return "import ctypes, struct\nC = libc()\nX86 = os.uname().machine == 'x86_64'\ndef solve(text):\n" + "\n".join(
        lines
    )


KERNEL: Final = (
    Attack(
        35,
        "settings of the kernel",
        "opening core_pattern, sysrq-trigger and others for writing; oom_score_adj below 0",
        _ROOT + "; " + _RIGHTS,
        "def solve(text):\n    for path in ('sys/kernel/core_pattern', 'sysrq-trigger', 'sys/vm/drop_caches', 'sys/kernel/modprobe'):\n"
        "        attempt(path, lambda: os.close(os.open('/proc/' + path, os.O_WRONLY)))\n"
        "    attempt('oom', lambda: open('/proc/self/oom_score_adj', 'w').write('-1000') and int(open('/proc/self/oom_score_adj').read()) < 0 or -1)",
        control="reached",
        root=True,
    ),
    Attack(
        36,
        "what the kernel says of itself",
        "kallsyms, kcore, keys, the kernel's log",
        _ROOT,
        "def solve(text):\n    attempt('addresses', lambda: 1 if any(int(r.split()[0], 16) for r in open('/proc/kallsyms')) else -1)\n"
        "    for path in ('/proc/kcore', '/dev/kmsg', '/dev/mem', '/proc/timer_list', '/sys/kernel/debug/tracing'):\n"
        "        attempt(path, lambda: os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 1) or -1)",
        control="reached",
        root=True,
    ),
    Attack(
        37,
        "into other processes",
        "ptrace, process_vm_readv, pidfd_getfd and kcmp on process 1 and the parent",
        _CALLS + "; " + _PIDS,
        calls(
            "attach: C.ptrace(16, os.getppid(), 0, 0)",
            "seize: C.ptrace(0x4206, 1, 0, 0)",
            "read: C.process_vm_readv(1, ctypes.create_string_buffer(16), 1, ctypes.create_string_buffer(16), 1, 0)",
            "descriptor: C.syscall(438, os.pidfd_open(1), 0, 0)",
            "compare: C.syscall(312 if X86 else 272, os.getpid(), 1, 0, 0, 0)",
        ),
    ),
    Attack(
        41,
        "io_uring",
        "a ring that makes calls past the filter",
        _CALLS,
        calls("ring: C.syscall(425, 8, ctypes.create_string_buffer(256))"),
    ),
    Attack(
        42,
        "new namespaces",
        "unshare, clone and clone3 with a user namespace, to have every right in it",
        _CALLS,
        calls(
            "unshare: C.unshare(0x10000000)",
            "mounts: C.unshare(0x20000)",
            "clone: C.syscall(56 if X86 else 220, 0x10000000 | 17, 0, 0, 0, 0) or os._exit(0)",
            "clone3: C.syscall(435, struct.pack('QQQQQQQQ', 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64) or os._exit(0)",
        ),
    ),
    Attack(
        43,
        "mounts and roots",
        "mount, pivot_root, chroot, setns and the newer calls",
        _CALLS + "; " + _RIGHTS,
        calls(
            "mount: C.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None)",
            "bind: C.mount(b'/', b'/tmp', None, 4096, None)",
            "remount: C.mount(None, b'/', None, 32 | 4096, None)",
            "umount: C.umount2(b'/proc', 2)",
            "chroot: C.chroot(b'/tmp')",
            "pivot: C.syscall(155 if X86 else 41, b'.', b'.')",
            "setns: C.setns(os.open('/proc/1/ns/mnt', 0), 0)",
            "open_tree: C.syscall(428, -100, b'/', 1)",
            "fsopen: C.syscall(430, b'tmpfs', 0)",
        ),
    ),
    Attack(
        44,
        "corners of the kernel",
        "bpf, perf_event_open, userfaultfd, keyctl, modules, kexec",
        _CALLS,
        calls(
            "bpf: C.syscall(321 if X86 else 280, 0, bytes(72), 72)",
            "perf: C.syscall(298 if X86 else 241, struct.pack('II', 1, 112) + bytes(104), 0, -1, -1, 0)",
            "userfaultfd: C.syscall(323 if X86 else 282, 1)",
            "keyctl: C.syscall(250 if X86 else 219, 0, -3, 1)",
            "module: C.syscall(313 if X86 else 273, os.open('/dev/null', 0), b'', 0)",
            "kexec: C.syscall(246 if X86 else 104, 0, 0, None, 0)",
            "reboot: C.syscall(169 if X86 else 142, 0xfee1dead, 672274793, 0, None)",
        ),
    ),
    Attack(
        45,
        "the clock",
        "setting the time, with a correct argument",
        _CALLS + "; the host judges by its own clock",
        calls(
            "clock_settime: C.clock_settime(0, struct.pack('qq', int(time.time()), 0))",
            "settimeofday: C.settimeofday(struct.pack('qq', int(time.time()), 0), None)",
            "adjtimex: C.clock_adjtime(0, bytes(208))",
        ),
    ),
    Attack(
        46,
        "becoming another user",
        "setuid(0), setgroups, set-user-id programs, ambient capabilities",
        _RIGHTS,
        """
def solve(text):
    for number in (0, 1000, 65534):
        if number != os.getuid(): attempt("setuid", lambda: os.setuid(number))
    attempt("setgroups", lambda: os.setgroups([0]))
    with open("/proc/self/status") as status: rows = dict(r.split(":\\t", 1) for r in status if ":\\t" in r)
    if rows["NoNewPrivs"].strip() != "1": reached("new rights may be had")
    if any(int(rows[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd")): reached("capabilities")
    if "0" in rows["Uid"].split(): reached("the user 0")
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        47,
        "devices",
        "mknod of memory, discs and terminals",
        _RIGHTS + "; no devices on file systems",
        "import stat\ndef solve(text):\n    for at, (major, minor) in enumerate(((1, 1), (8, 0), (254, 0), (1, 3), (5, 0))):\n"
        "        attempt('device', lambda: os.mknod('/tmp/d%d' % at, 0o666 | stat.S_IFCHR, os.makedev(major, minor)))",
    ),
    Attack(
        50,
        "keystrokes into the terminal",
        "TIOCSTI and TIOCLINUX on every descriptor, and /dev/tty",
        "a session of its own without a terminal; " + _CALLS,
        "import fcntl\ndef solve(text):\n    for fd in range(4):\n"
        "        for code in (0x5412, 0x541C): attempt('key', lambda: fcntl.ioctl(fd, code, b'x'))\n"
        "    attempt('tty', lambda: os.close(os.open('/dev/tty', os.O_RDWR)))",
    ),
    Attack(
        74,
        "real-time priority",
        "a scheduler that starves the host, and a higher priority",
        _RIGHTS,
        "def solve(text):\n    attempt('fifo', lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))\n"
        "    attempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))",
        control="reached",
        root=True,
    ),
    Attack(
        75,
        "more than was granted",
        "raising limits of its own and of others",
        _RIGHTS + "; " + _CALLS,
        "import resource\ndef solve(text):\n"
        "    for which in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NPROC):\n"
        "        attempt('limit', lambda: resource.setrlimit(which, (1 << 40, 1 << 40)))\n"
        "        attempt('of another', lambda: resource.prlimit(1, which))",
        control="reached",
        root=True,
    ),
    Attack(
        109,
        "identity maps and loginuid",
        "writing uid_map, setgroups, loginuid and timens_offsets of its own",
        _RIGHTS,
        "def solve(text):\n    for name in ('uid_map', 'gid_map', 'setgroups', 'loginuid', 'timens_offsets', 'attr/current'):\n"
        "        attempt(name, lambda: os.write(os.open('/proc/self/' + name, os.O_WRONLY), b'0 0 1\\n'))",
    ),
)
