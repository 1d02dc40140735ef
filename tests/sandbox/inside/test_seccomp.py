from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from envhub.sandbox.inside import seccomp, syscalls

ALLOW, EPERM, ENOTTY, ENOSYS = 0x7FFF0000, 0x50001, 0x50019, 0x50026
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
TABLES = (syscalls.ALLOWED, syscalls.REFUSED, syscalls.MISSING, syscalls.CHECKED)


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the kernel would do: the filter is run here."""
    own = seccomp.ARCHITECTURES[machine][1] if architecture is None else architecture
    data = struct.pack("<IIQ6Q", number, own, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    lines = list(struct.iter_unpack("HBBI", seccomp.program(machine)))
    at, held = 0, 0
    while True:
        code, true, false, k = lines[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, k)
        elif code == 0x06:
            return k
        elif code == 0x05:
            at += k
        else:
            matched = {0x15: held == k, 0x25: held > k, 0x35: held >= k, 0x45: bool(held & k)}[code]
            at += true if matched else false


def named(machine: str, name: str) -> int:
    number = next(table[name] for table in TABLES if name in table)[seccomp.ARCHITECTURES[machine][0]]
    assert number is not None
    return number


BOTH = pytest.mark.parametrize("machine", list(seccomp.ARCHITECTURES))


@BOTH
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"{header} is not here: install linux-libc-dev")
    text = header.read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    column = seccomp.ARCHITECTURES[machine][0]
    for table in TABLES:
        for name, numbers in table.items():
            assert known.get(name, numbers[column]) == numbers[column], name
    assert len(known) > 200


@BOTH
def test_only_listed_calls_are_allowed_and_hostile_ones_are_not_permitted(machine: str) -> None:
    column = seccomp.ARCHITECTURES[machine][0]
    allowed, refused, _, checked = ({row[column] for row in table.values()} - {None} for table in TABLES)
    for number in [*range(600), 0x3FFFFFFF]:
        if number not in checked:
            wanted = ALLOW if number in allowed else EPERM if number in refused else ENOSYS
            assert verdict(machine, number) == wanted, number
    assert len(refused) > 80
    assert not allowed & (refused | checked)


@BOTH
def test_no_call_is_in_two_tables(machine: str) -> None:
    column = seccomp.ARCHITECTURES[machine][0]
    numbers = [row[column] for table in TABLES for row in table.values() if row[column] is not None]
    assert len(numbers) == len(set(numbers))
    assert not set(OUTSIDE) & (syscalls.ALLOWED | syscalls.CHECKED).keys()


OUTSIDE = [
    "cachestat",
    "clone3",
    "execveat",
    "get_robust_list",
    "inotify_add_watch",
    "inotify_init",
    "inotify_init1",
    "inotify_rm_watch",
    "ioprio_set",
    "memfd_create",
    "mincore",
    "mlock",
    "mlockall",
    "mseal",
    "openat2",
    "preadv2",
    "pwritev2",
    "readahead",
    "remap_file_pages",
    "sched_setattr",
    "splice",
    "sync",
    "sync_file_range",
    "syncfs",
    "tee",
]


@BOTH
def test_another_architecture_has_no_calls(machine: str) -> None:
    for architecture in (0, 0x40000003, *(row[1] for name, row in seccomp.ARCHITECTURES.items() if name != machine)):
        for number in (0, 1, 57, 60):
            assert verdict(machine, number, architecture=architecture) == ENOSYS


def test_there_are_no_x32_calls() -> None:
    for number in (0x40000000, 0x40000001, 0x40000000 | 520, 0xFFFFFFFF):
        assert verdict("x86_64", number) == ENOSYS


@BOTH
@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("clone", (0x01200011,), ALLOW),
        *[
            ("clone", (flag | 17,), EPERM)
            for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000)
        ],
        ("clone", (0x40000011,), EPERM),
        ("clone", (0x3D0F00,), ALLOW),
        ("clone", (0x4111,), ALLOW),
        ("clone", (0x7D0F00,), ALLOW),
        ("clone", (17,), ALLOW),
        *[("clone", (flag | 17,), EPERM) for flag in (0x80, 0x2000, 0x8000, 0x800000, 0x80000000)],
        ("fadvise64", (3, 0, 0, 2), ALLOW),
        ("fadvise64", (3, 0, 0, 4), EPERM),
        ("fcntl", (3, 1), ALLOW),
        ("fcntl", (3, 6), ALLOW),
        ("fcntl", (3, 1030), ALLOW),
        *[("fcntl", (3, command), EPERM) for command in (1024, 1025, 1026, 1 << 32 | 1026)],
        ("madvise", (0, 4096, 4), ALLOW),
        *[("madvise", (0, 4096, advice), EPERM) for advice in (9, 12, 20, 21, 100, 101)],
        ("prctl", (15,), ALLOW),
        ("prctl", (38,), ALLOW),
        *[("prctl", (option,), EPERM) for option in (22, 24, 28, 35, 53, 59, 62, 67, 0x59616D61)],
        ("setsockopt", (3, 1, 7), ALLOW),
        ("setsockopt", (3, 1, 26), EPERM),
        ("setsockopt", (3, 1, 50), EPERM),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0xC020660B), ENOTTY),
        ("ioctl", (0, 0x40049409), ENOTTY),
        ("ioctl", (0, 0x5412), EPERM),
        ("ioctl", (0, 0x541C), EPERM),
        ("ioctl", (0, 0x5412 | 1 << 32), EPERM),
        ("personality", (0,), ALLOW),
        ("personality", (0xFFFFFFFF,), ALLOW),
        ("personality", (0x0040000,), EPERM),
        ("prlimit64", (0, 7), ALLOW),
        ("prlimit64", (1, 7), EPERM),
        ("socketpair", (1, 1), ALLOW),
        ("socketpair", (2, 1), EPERM),
        ("socketpair", (40, 1), EPERM),
        ("socket", (1, 1), EPERM),
    ],
)
def test_what_depends_on_arguments(machine: str, name: str, arguments: tuple[int, ...], wanted: int) -> None:
    assert verdict(machine, named(machine, name), *arguments) == wanted
