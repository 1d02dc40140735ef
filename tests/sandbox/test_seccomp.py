from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from envhub.sandbox.inside import seccomp

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x50001, 0x50026
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
TABLES = (seccomp.REFUSED, seccomp.MISSING, seccomp.CHECKED)


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
def test_every_refused_call_is_refused_and_the_others_are_not(machine: str) -> None:
    column = seccomp.ARCHITECTURES[machine][0]
    refused = {numbers[column] for numbers in seccomp.REFUSED.values()} - {None}
    missing = {numbers[column] for numbers in seccomp.MISSING.values()}
    checked = {numbers[column] for numbers in seccomp.CHECKED.values()}
    for number in range(seccomp.NEWEST + 1):
        if number not in checked:
            wanted = EPERM if number in refused else ENOSYS if number in missing else ALLOW
            assert verdict(machine, number) == wanted, number
    assert len(refused) > 80


@BOTH
def test_calls_newer_than_the_table_do_not_exist(machine: str) -> None:
    for number in (seccomp.NEWEST + 1, 467, 0x3FFFFFFF):
        assert verdict(machine, number) == ENOSYS


@BOTH
def test_another_architecture_ends_the_process(machine: str) -> None:
    for architecture in (0, 0x40000003, *(row[1] for name, row in seccomp.ARCHITECTURES.items() if name != machine)):
        assert verdict(machine, 0, architecture=architecture) == KILL


def test_an_x32_call_ends_the_process() -> None:
    for number in (0x40000000, 0x40000000 | 520, 0xFFFFFFFF):
        assert verdict("x86_64", number) == KILL


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
        ("ioctl", (0, 0x5401), ALLOW),
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
