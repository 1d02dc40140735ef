"""Functions called in a jail: typed values come back, and nothing a program writes is taken for one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envhub.sandbox.jobs import Returned
from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox.jails import SHORT, call


def test_calls_return_typed_values(slot: NamespaceSlot) -> None:
    result = call(slot, "def f(a, b=2): print(a); return (a, b), {a}", (1,), (2.5, "x"), (b"y", None))
    assert [returned.value for returned in result.values] == [
        ((1, 2), {1}),
        ((2.5, "x"), {2.5}),
        ((b"y", None), {b"y"}),
    ]
    assert (result.exit, result.text) == (0, "1\n2.5\nb'y'\n")


def test_what_a_call_raises_comes_back_by_name(slot: NamespaceSlot) -> None:
    result = call(slot, "def f(a):\n    if a: raise ValueError('no ' + a)\n    return 1", ("x",), ("",), (1, 2))
    assert result.values[:2] == (Returned(raised="ValueError", message="no x"), Returned(1))
    assert result.values[2].raised == "TypeError"
    assert [returned.raised for returned in call(slot, "g = 1", (1,)).values] == ["AttributeError"]
    assert call(slot, "def f(a): return object()", (1,)).values[0].raised == "NotAValue"
    assert call(slot, "class T(int): pass\ndef f(a): return T(1)", (1,)).values[0].raised == "NotAValue"


def test_a_main_guard_does_not_run_when_functions_are_called(slot: NamespaceSlot) -> None:
    source = "def f(a): return __name__\nif __name__ == '__main__': raise SystemExit(3)"
    assert call(slot, source, (1,)).values == (Returned("solution"),)


@pytest.mark.parametrize(
    "source",
    [
        "import os; os._exit(0)",
        "raise SystemExit(0)",
        "def f(a): import os; os._exit(0)",
        "import os; os.close(3)\ndef f(a): return 1",
        "import os\nos.write(3, b'\\0\\0\\0\\2v1' * 5); os._exit(0)",
        "import os\nos.write(3, b'\\0\\0\\0\\1r' + b'\\0\\0\\0\\2v1' * 3); os._exit(0)",
        "import os\nos.write(3, b'\\0\\0\\0\\1r' + b'\\0\\0\\0\\2v1'[:3]); os._exit(0)",
        "import os\nos.write(3, b'\\xff\\xff\\xff\\xff'); os._exit(0)",
    ],
)
def test_no_value_comes_of_a_call_that_was_not_answered(slot: NamespaceSlot, source: str) -> None:
    result = call(slot, source, (1,), (2,))
    assert [returned for returned in result.values if returned.raised is None] == []
    assert len(result.values) < 2
    assert not result.ok


def test_what_is_written_beside_the_reply_never_adds_a_value(slot: NamespaceSlot) -> None:
    source = "import os\ndef f(a):\n    os.write(3, b'\\0\\0\\0\\2v1\\0\\0\\0\\2v1')\n    return 1"
    assert [returned.raised for returned in call(slot, source, (1,), (2,)).values] == ["UnaskedReply"]


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        (b"v[" * 50_000, "NotAValue"),
        (b"v" + b"9" * 100_000, "NotAValue"),
        (b"vNaN", "NotAValue"),
        (b'v"\\ud800', "NotAValue"),
        (b"x", "NotAValue"),
        (b"", "NotAValue"),
        (b'e["a"]', "NotAValue"),
        (b"e" + b"[" * 60_000, "NotAValue"),
        (b'e["\\ud800","b"]', "?"),
    ],
)
def test_hostile_replies_are_calls_that_failed(slot: NamespaceSlot, body: bytes, raised: str) -> None:
    source = f"import os, struct\ndef f(a):\n    body = {body!r}\n"
    source += "    os.write(3, struct.pack('>I', len(body)) + body)\n    import time; time.sleep(100)"
    result = call(slot, source, (1,), limits=replace(SHORT, wall_s=1))
    assert [returned.raised for returned in result.values] == [raised]


def test_arguments_of_later_calls_and_runs_are_not_in_memory_yet(slot: NamespaceSlot) -> None:
    source = (
        "import gc\n"
        "def everywhere():\n"
        "    for line in open('/proc/self/maps'):\n"
        "        span, rights, *_ = line.split()\n"
        "        if 'r' in rights and 'vvar' not in line and 'vsyscall' not in line:\n"
        "            start, end = (int(at, 16) for at in span.split('-'))\n"
        "            memory.seek(start)\n"
        "            try: yield memory.read(end - start)\n"
        "            except OSError: pass\n"
        "memory = open('/proc/self/mem', 'rb')\n"
        "def f(word): return [any(bytes(n + 1 for n in w) in part for part in everywhere()) for w in (HIDDEN, SEEN)]\n"
    )
    hidden, seen = b"needle-in-a-later-call", b"needle-in-this-very-call"
    shifted = [bytes(n - 1 for n in word) for word in (hidden, seen)]
    source = f"HIDDEN, SEEN = {shifted!r}\n" + source
    result = call(slot, source, (seen.decode(),), (hidden.decode(),))
    assert result.values[0] == Returned([False, True])
    again = call(slot, source, ("nothing",))
    assert again.values[0] == Returned([False, False])  # nor what an earlier job was given
