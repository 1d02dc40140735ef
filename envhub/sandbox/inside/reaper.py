"""The first process of a job's PID namespace, which only reaps orphans.

The kernel kills everything in the namespace when it ends. On known machines it is a few machine instructions that share the
zygote's memory, so that nothing is copied; elsewhere it is an ordinary fork that runs :func:`wait`. Programs cannot signal it:
the kernel drops signals for which the first process of a namespace has no handler::

    pid = reaper.start()
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import mmap
import os
from contextlib import suppress

from envhub.sandbox.inside import linux

_PAGE = mmap.PAGESIZE
_CODE = {
    "x86_64": (
        "488d3541000000"  # lea  rsi, [rip + mask]     let SIGCHLD be kept for us:
        "31ff31d2"  # xor  edi, edi; xor edx, edx      rt_sigprocmask(SIG_BLOCK, &mask, NULL, 8)
        "6a08415a"  # push 8; pop r10
        "6a0e580f05"  # push 14; pop rax; syscall
        "6aff5f31f6"  # reap: push -1; pop rdi; xor esi, esi
        "ba01000040"  # mov  edx, WNOHANG | __WALL     wait4(-1, NULL, WNOHANG | __WALL, NULL)
        "4531d2"  # xor  r10d, r10d
        "6a3d580f05"  # push 61; pop rax; syscall
        "85c07fea"  # test eax, eax; jg reap           as long as there was one
        "488d3d17000000"  # lea  rdi, [rip + mask]
        "31f631d2"  # xor  esi, esi; xor edx, edx      rt_sigtimedwait(&mask, NULL, NULL, 8)
        "6a08415a"  # push 8; pop r10
        "b8800000000f05"  # mov  eax, 128; syscall
        "ebd2"  # jmp  reap
        "660f1f440000"  # nop
        "0000010000000000"  # mask: SIGCHLD
    ),
}


def start() -> int:
    """Start it as our parent's child and return its process id.

    Raises:
        OSError: The kernel refused.
    """
    if _entry:
        return linux.clone_shared_memory(_entry, _top)
    pid = linux.clone(linux.PARENT)
    if pid == 0:
        wait()
    return pid


def wait() -> None:
    """Reap children forever. Does not return."""
    _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        _signal.sigwaitinfo([_signal.SIGCHLD])


def _place(code: bytes) -> tuple[int, int]:
    """Addresses of the code and of the top of its stack.

    0 if memory cannot be made executable.
    """
    held = mmap.mmap(-1, 2 * _PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    held.write(code)
    try:
        entry = linux.make_executable(held, _PAGE)
    except OSError:
        return 0, 0
    return entry, entry + 2 * _PAGE


_entry, _top = _place(bytes.fromhex(_CODE[linux.MACHINE])) if linux.MACHINE in _CODE else (0, 0)
