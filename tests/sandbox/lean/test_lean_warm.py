"""A fork of a started Lean is as good as a fresh one: it gives the same bytes, has the same walls and knows no other job."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Final

import pytest

from envhub.sandbox import lean
from envhub.sandbox.backend import SlotFailed
from envhub.sandbox.inside import warm
from envhub.sandbox.jobs import Job, Limits, Program, Result
from envhub.sandbox.linux.namespace import NamespaceSlot
from envhub.sandbox.slots import bundle
from envhub.verifiers.proofs.lean import LIMITS
from tests.sandbox import jails
from tests.sandbox.jails import descendants, wait_for
from tests.support.kernels import toolchain

OPTIONS: Final = ("--json", "-Dlinter.all=false", "-j1", "-s8192", "-M1024", "-R", ".", "-o", "A.olean", "A.lean")
SCRIPT: Final = f'exec env LEAN_PATH=/box/work:{lean.INSIDE}/lib/lean {lean.LEAN} "$@"'
GOOD: Final = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n#print axioms t\n"
LONG: Final = "".join(f"theorem t{at} (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n" for at in range(9_000))
"""Takes Lean some seconds."""
TEXTS: Final = {
    "right": GOOD,
    "wrong": "theorem t : 2 + 2 = 5 := rfl\n",
    "a syntax error": "theorem",
    "a missing module": "import Nothing\n",
    "deep": f"def n : Nat := {'(' * 20_000}1{')' * 20_000}\n",
    "nothing": "",
}


def checked(slot: NamespaceSlot, text: str, limits: Limits = LIMITS, name: str = lean.WARM) -> Result:
    program = Program(SCRIPT, "bash", {"A.lean": text.encode()}, OPTIONS)
    return slot.run(Job(program, fetch=("A.olean",), limits=limits, warm=name))[0]


def warm_slot(number: int) -> NamespaceSlot:
    """A slot that has not been started."""
    toolchain()
    made = jails.backend().warm_slot(number, lean.WARM)
    assert isinstance(made, NamespaceSlot)
    return made


@pytest.fixture(scope="module")
def slots() -> Iterator[tuple[NamespaceSlot, NamespaceSlot]]:
    """One that keeps Lean warm, and an ordinary one."""
    both = warm_slot(20), jails.slot(21)
    for slot in both:
        slot.start()
    yield both
    for slot in both:
        slot.close()


@pytest.mark.parametrize("name", TEXTS)
def test_a_fork_gives_the_bytes_of_a_fresh_lean(slots: tuple[NamespaceSlot, NamespaceSlot], name: str) -> None:
    forked, fresh = (checked(slot, TEXTS[name]) for slot in slots)
    said = forked.stdout.replace(b"/usr/lib/lean", b"/opt/lean/lib/lean")  # it names a place beside its executable, too
    assert (forked.exit, said, forked.limit) == (fresh.exit, fresh.stdout, fresh.limit)
    assert dict(forked.files) == dict(fresh.files)
    assert bool(forked.files) == (name in ("right", "nothing"))
    assert [slot.warm for slot in slots] == [lean.WARM, ""]


def test_a_job_finds_nothing_of_the_last_one(slots: tuple[NamespaceSlot, NamespaceSlot]) -> None:
    """Files, modules, and a process that has used up its memory or its time."""
    slot, _ = slots
    first = checked(slot, GOOD)
    assert checked(slot, f"import A\n{GOOD}").exit == 1
    assert checked(slot, GOOD, replace(LIMITS, cpu_s=0.005)).limit == "cpu"
    assert checked(slot, LONG, replace(LIMITS, memory_mb=1)).limit == "memory"
    assert checked(slot, GOOD).files == first.files


def test_jobs_that_do_not_ask_for_lean_run_as_everywhere(slots: tuple[NamespaceSlot, NamespaceSlot]) -> None:
    slot, _ = slots
    assert jails.call(slot, "def f(a): return a", (1,)).values[0].value == 1
    assert checked(slot, GOOD, name="").ok
    assert slot.run(Job(Program("exit 3", "bash", args=("-o",)), warm=lean.WARM))[0].exit == 127


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into a slot from outside")
def test_a_fork_has_the_walls_of_every_program() -> None:
    slot = warm_slot(22)
    slot.start()
    assert slot._process is not None
    keeper = slot._process.pid
    wait_for(lambda: len(descendants(keeper)) == 5)  # keeper, runner, zygote, and the two that wait for a job
    _, _, zygote, _, program = descendants(keeper)
    running = Thread(target=_lost, args=(slot,))
    running.start()
    wait_for(lambda: "Seccomp:\t2" in _status(program))
    trusted, status = _status(zygote), _status(program)
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"):
        assert line in status
    assert trusted.split("Uid:")[1].split()[0] != status.split("Uid:")[1].split()[0]
    for name in ("mnt", "pid", "ipc"):
        assert os.readlink(f"/proc/{program}/ns/{name}") != os.readlink(f"/proc/{zygote}/ns/{name}"), name
    slot.close()
    running.join()


def _lost(slot: NamespaceSlot) -> None:
    """Check a long text in a slot that is closed meanwhile."""
    with pytest.raises(SlotFailed):
        checked(slot, LONG)


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def test_a_lean_that_cannot_be_kept_warm_starts_for_every_job(monkeypatch: pytest.MonkeyPatch) -> None:
    known = toolchain().warm
    monkeypatch.setattr(lean.Toolchain, "warm", property(lambda self: {**(known or {}), "main": "nothing"}))
    slot = warm_slot(23)
    slot.start()
    assert slot.warm == ""
    assert checked(slot, GOOD).ok
    slot.close()


def test_a_machine_that_does_not_tell_the_number_of_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = dict(bundle.modules())
    texts["linux"] = texts["linux"].replace("at = ctypes.c_void_p(0)", "return 0")
    monkeypatch.setattr(bundle, "modules", lambda: tuple(texts.items()))
    slot = warm_slot(24)
    slot.start()
    assert checked(slot, GOOD).ok
    assert slot.warm == lean.WARM
    slot.close()


def test_a_library_that_reads_no_command_line_is_refused() -> None:
    with pytest.raises(LookupError, match="does not import getopt_long"):
        warm._slot_of(ctypes.PyDLL("libm.so.6")._handle, b"getopt_long")
