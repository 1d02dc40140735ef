# ruff: noqa: E501  programs stand as they would be written
"""Attacks through unneeded features: blocked system calls, state that slots might share."""

from __future__ import annotations

from typing import Final

from envhub.sandbox.attacks.kernel import calls
from envhub.sandbox.attacks.kinds import Attack

_LIST = "seccomp: an allow-list of calls and of their arguments"
_OWN = "overlays: a slot shares no inode with the host or with other slots"

SURFACE: Final = (
    Attack(
        116,
        "a sibling outside",
        "clone with CLONE_PARENT: a child outside the process namespace of the job, which stays",
        _LIST,
        calls("sibling: C.syscall(56 if X86 else 220, 0x8000 | 17, 0, 0, 0, 0) or time.sleep(60)"),
    ),
    Attack(
        117,
        "odd flags of clone",
        "clone with CLONE_PTRACE, CLONE_UNTRACED, CLONE_IO and a time namespace; clone3 into another control group",
        _LIST,
        calls(
            *(
                f"{flag:#x}: C.syscall(56 if X86 else 220, {flag} | 17, 0, 0, 0, 0) or os._exit(0)"
                for flag in (0x80, 0x2000, 0x800000, 0x80000000)
            ),
            "group: C.syscall(435, struct.pack('11Q', 0x200000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88) or os._exit(0)",
        ),
    ),
    Attack(
        118,
        "watching what others open",
        "inotify and fanotify on directories of the system, which tell which files other slots open",
        _LIST,
        calls(
            "inotify: C.inotify_add_watch(C.inotify_init1(0), b'/usr/bin', 0x20)",
            "old: C.syscall(253 if X86 else 26, 0)",
            "fanotify: C.syscall(300 if X86 else 262, 0x200, 0)",
        ),
        control="reached",
    ),
    Attack(
        119,
        "notifications about a directory",
        "fcntl with F_NOTIFY on a directory of the system",
        _LIST,
        "import fcntl, signal\ndef solve(text):\n    signal.signal(signal.SIGIO, signal.SIG_IGN)\n"
        "    attempt('notify', lambda: fcntl.fcntl(os.open('/usr/bin', 0), 1026, 0x80000001))",
        control="reached",
    ),
    Attack(
        120,
        "leases",
        "fcntl with F_SETLEASE and F_GETLEASE on files of the system: who writes them waits",
        _LIST,
        "import fcntl\ndef solve(text):\n    for kind in (0, 1): attempt('lease', lambda: fcntl.fcntl(os.open('/bin/sh', 0), 1024, kind))\n"
        "    attempt('ask', lambda: fcntl.fcntl(os.open('/bin/sh', 0), 1025))",
        control="reached",
    ),
    Attack(
        121,
        "discs of the host",
        "sync, syncfs and sync_file_range, so that the host and all slots wait for the disc",
        _LIST,
        calls(
            "syncfs: C.syscall(306 if X86 else 267, os.open('/usr/bin', 0))",
            "range: C.syscall(277 if X86 else 84, os.open('/bin/sh', 0), 0, 0, 7)",
            "sync: C.syscall(162 if X86 else 81)",
        ),
        control="reached",
    ),
    Attack(
        122,
        "the page cache of others",
        "fadvise with DONTNEED, readahead, madvise with PAGEOUT and COLD on files of the system",
        _LIST,
        calls(
            "drop: C.syscall(221 if X86 else 223, os.open('/bin/sh', 0), 0, 0, 4)",
            "read: C.syscall(187 if X86 else 213, os.open('/bin/sh', 0), ctypes.c_long(0), ctypes.c_long(4096))",
            "page out: C.madvise(ctypes.c_void_p(id(C) & ~4095), ctypes.c_size_t(4096), 21)",
            "cold: C.madvise(ctypes.c_void_p(id(C) & ~4095), ctypes.c_size_t(4096), 20)",
        ),
        control="reached",
    ),
    Attack(
        123,
        "what others have read",
        "mincore, preadv2 with RWF_NOWAIT and cachestat: which pages of a file of the system are in memory",
        _LIST,
        "import mmap\n"
        + calls(
            "resident: C.mincore(ctypes.c_void_p(id(C) & ~4095), ctypes.c_size_t(4096), ctypes.create_string_buffer(1))",
            "at once: os.preadv(os.open('/bin/sh', 0), [bytearray(9)], 0, os.RWF_NOWAIT)",
            "cachestat: C.syscall(451, os.open('/bin/sh', 0), bytes(16), ctypes.create_string_buffer(40), 0)",
        ),
        control="reached",
    ),
    Attack(
        124,
        "locks of others",
        "flock and fcntl on a file of the system that the host holds locks on",
        _OWN,
        """
import fcntl, struct
def solve(text):
    tried()
    file = open("@LOCKED@", "rb")
    try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: reached("a lock of the host")
    row = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
    if struct.unpack("hhqqi4x", row)[0] != fcntl.F_UNLCK: reached("a record lock of the host")
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        125,
        "input and output behind the filter",
        "io_uring with every operation of its own, and the older io_setup and io_submit",
        _LIST,
        calls(
            "setup: C.syscall(206 if X86 else 0, 1, ctypes.create_string_buffer(8))",
            "submit: C.syscall(209 if X86 else 2, 0, 0, 0)",
            "ring: C.syscall(425, 1, ctypes.create_string_buffer(120))",
            "enter: C.syscall(426, 0, 0, 0, 0, 0, 0)",
            "register: C.syscall(427, -1, 8, ctypes.create_string_buffer(4096), 256)",
        ),
        control="reached",
    ),
    Attack(
        126,
        "page faults of its own",
        "userfaultfd for user mode, and its device",
        _LIST,
        calls(
            "faults: C.syscall(323 if X86 else 282, 1)",
            "device: C.ioctl(os.open('/dev/userfaultfd', os.O_RDWR), 0xAA00, 1)",
        ),
    ),
    Attack(
        127,
        "key rings",
        "add_key, request_key and keyctl: keys that stay for the next job of the user",
        _LIST,
        calls(
            "add: C.syscall(248 if X86 else 217, b'user', MARKER.encode(), b'x', 1, -2)",
            "request: C.syscall(249 if X86 else 218, b'user', MARKER.encode(), None, -2)",
            "join: C.syscall(250 if X86 else 219, 1, 0, 0, 0, 0)",
        ),
    ),
    Attack(
        128,
        "counters of the processor",
        "perf_event_open on itself and on everything, in hardware, in software and as a trace point",
        _LIST,
        calls(
            *(
                f"{kind}: C.syscall(298 if X86 else 241, struct.pack('IIQ', {kind}, 112, 0) + bytes(96), {who}, -1, -1, 0)"
                for kind in (0, 1, 2)
                for who in (0, -1)
            ),
        ),
        control="reached",
        root=True,
    ),
    Attack(
        129,
        "programs in the kernel",
        "a map and a program of bpf, and filters on a socket pair",
        _LIST,
        "import socket, struct\n"
        + calls(
            "map: C.syscall(321 if X86 else 280, 0, struct.pack('IIIII', 2, 4, 4, 1, 0) + bytes(100), 72)",
            "program: C.syscall(321 if X86 else 280, 5, struct.pack('IIQQ', 1, 0, 0, 0) + bytes(100), 72)",
            "filter: socket.socketpair()[0].setsockopt(1, 26, (lambda row: struct.pack('HxxxxxxQ', 1, ctypes.addressof(row)))(kept[0]))",
        ).replace("def solve", "kept = [ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0), 8)]\ndef solve"),
        control="reached",
    ),
    Attack(
        130,
        "a debugger",
        "ptrace of a child, of the parent, and asking to be traced",
        _LIST,
        """
C = libc()
def solve(text):
    tried()
    child = forked()
    if child == 0:
        if C.ptrace(0, 0, 0, 0) != -1: reached("traced")
        time.sleep(5); os._exit(0)
    attempt("seize", lambda: C.ptrace(0x4206, child, 0, 0))
    attempt("attach", lambda: C.ptrace(16, os.getppid(), 0, 0) if os.getppid() == 1 else -1)
    if child > 0: os.kill(child, 9); os.waitpid(child, 0)
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        131,
        "memory of a child",
        "process_vm_readv and process_vm_writev, process_madvise and pidfd_getfd on a process of its own",
        _LIST,
        """
import ctypes, struct
C = libc()
X86 = os.uname().machine == "x86_64"
def solve(text):
    tried()
    child = forked()
    if child == 0: time.sleep(5); os._exit(0)
    here = ctypes.create_string_buffer(8)
    place = struct.pack("QQ", ctypes.addressof(here), 8)
    attempt("read", lambda: C.process_vm_readv(child, place, 1, place, 1, 0))
    attempt("write", lambda: C.process_vm_writev(child, place, 1, place, 1, 0))
    attempt("advise", lambda: C.syscall(440, os.pidfd_open(child), place, 1, 20, 0))
    attempt("descriptor", lambda: C.syscall(438, os.pidfd_open(child), 0, 0))
    if child > 0: os.kill(child, 9); os.waitpid(child, 0)
    return "wrong"
""",
        control="reached",
    ),
    Attack(
        132,
        "a program in no file",
        "memfd_create and execveat of what it holds; memory that is secret to the kernel, too",
        _LIST,
        calls(
            "memory: C.syscall(319 if X86 else 279, b'program', 0)",
            "secret: C.syscall(447, 0)",
            "execute: C.syscall(322 if X86 else 281, os.open('/bin/true', 0), b'', struct.pack('Q', 0), None, 0x1000) if forked() == 0 else -1",
        ),
    ),
    Attack(
        133,
        "pages in a pipe",
        "vmsplice, splice and tee: pages of files that others have, in a pipe of its own",
        _LIST,
        """
import ctypes, struct
C = libc()
X86 = os.uname().machine == "x86_64"
def solve(text):
    read, write = os.pipe()
    offset = ctypes.c_longlong(0)
    attempt("splice", lambda: C.splice(os.open("/bin/sh", 0), ctypes.byref(offset), write, None, ctypes.c_size_t(1), 0))
    attempt("tee", lambda: C.tee(read, os.pipe()[1], ctypes.c_size_t(1), 2))
    attempt("vmsplice", lambda: C.vmsplice(write, struct.pack("QQ", id(text), 1), ctypes.c_size_t(1), 2))
""",
        control="reached",
    ),
    Attack(
        134,
        "filters of its own",
        "prctl with a filter of system calls, seccomp with a listener, Landlock: calls of children that do not do what they say",
        _LIST,
        calls(
            "filter: C.prctl(38, 1, 0, 0, 0) or C.prctl(22, 2, (lambda row: kept.append(row) or struct.pack('HxxxxxxQ', 1, ctypes.addressof(row)))(ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0x7FFF0000), 8)), 0, 0)",
            "listener: C.syscall(317 if X86 else 277, 1, 8, 0)",
            "landlock: C.syscall(444, 0, 0, 1)",
            "redirect: C.prctl(59, 1, 0, 0, 0)",
        ).replace("def solve", "kept = []\ndef solve"),
        control="reached",
    ),
    Attack(
        135,
        "memory that is merged",
        "asking the kernel to merge equal pages, whose time tells what others hold",
        _LIST,
        "import mmap\n"
        + calls(
            "merge: mmap.mmap(-1, 8192).madvise(12)", "all: C.prctl(67, 1, 0, 0, 0)", "core: C.prctl(62, 1, 0, 0, 0)"
        ),
    ),
    Attack(
        136,
        "calls of another architecture",
        "32-bit calls by int 0x80, and x32 calls",
        _LIST,
        """
import ctypes, mmap
C = libc()
def solve(text):
    tried()
    if os.uname().machine != "x86_64": return "wrong"
    if C.syscall(0x40000000 | 39) > 0: reached("x32")
    held = mmap.mmap(-1, 4096, prot=7)
    held.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(held)))() > 0: reached("32-bit")
    return "wrong"
""",
    ),
    Attack(
        137,
        "calls that nobody knows",
        "every number from 451 on, and some beyond all",
        _LIST,
        "import ctypes, errno\nC = libc()\ndef solve(text):\n    tried()\n    for number in (*range(451, 1024), 1 << 20, (1 << 30) - 1, -1):\n"
        "        ctypes.set_errno(0)\n        if C.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.ENOSYS: reached(number)\n    return 'wrong'",
    ),
    Attack(
        138,
        "where files lie",
        "ioctl for extents, flags, clones and encryption of files of the system; handles of files",
        _LIST,
        calls(
            *(
                f"{request:#x}: C.ioctl(os.open('/bin/sh', 0), {request}, ctypes.create_string_buffer(4096))"
                for request in (0xC020660B, 0x80086601, 0x801C581F, 0x40049409, 0x6685)
            ),
            "handle: C.syscall(303 if X86 else 264, -100, b'/bin/sh', struct.pack('Ii', 120, 0) + bytes(120), ctypes.create_string_buffer(8), 0x400)",
        ),
    ),
    Attack(
        139,
        "other people's turns",
        "ioprio_set, sched_setattr with a deadline, and memory policies",
        _LIST,
        calls(
            "disc: C.syscall(251 if X86 else 30, 1, 0, 2 << 13 | 7)",
            "deadline: C.syscall(314 if X86 else 274, 0, struct.pack('IIQiIQQQ', 48, 6, 0, 0, 0, 10**6, 10**7, 10**7), 0)",
            "policy: C.syscall(238 if X86 else 237, 0, None, 0)",
        ),
        control="reached",
    ),
    Attack(
        140,
        "the source of the tasks",
        "reading this project's own files, wherever they lie, and importing it",
        "an allow-list of directories, in which the project and installed packages are covered",
        "import glob\ndef solve(text):\n    attempt('file', lambda: len(open('@PROJECT@/making.py').read()))\n"
        "    attempt('files', lambda: os.listdir('@PROJECT@') and 1)\n"
        "    sys.path[:0] = ['@PROJECT@/..', *glob.glob('/usr/lib/python3*/*-packages'), *glob.glob('/usr/local/lib/python3*/*-packages')]\n"
        "    attempt('import', lambda: __import__('envhub') and 1)\n    return 'wrong'",
        control="reached",
        root=True,
    ),
)
