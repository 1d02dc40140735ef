"""Which tier a test belongs to: quick, slow or nightly.

Quick tests start no process and take less than two CPU seconds each; they carry no marker. ``slow`` tests start processes,
servers or kernels, train, or take longer. ``nightly`` tests are soaks, full audits and tests of other projects' packages.

A directory or a whole module in :data:`DIRECTORIES` or with a module-level ``pytestmark`` belongs to one tier, and a run
of another tier does not import it: the quick tier needs neither torch nor a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, Literal

from tests.support.places import TESTS

Tier = Literal["quick", "slow", "nightly"]
TIERS: Final[dict[str, frozenset[Tier]]] = {
    "quick": frozenset({"quick"}),
    "slow": frozenset({"slow"}),
    "nightly": frozenset({"nightly"}),
    "day": frozenset({"quick", "slow"}),
    "all": frozenset({"quick", "slow", "nightly"}),
}
"""What ``--tier`` takes, and the tests it runs; ``day`` is the default."""
REACH: Final[dict[Tier | None, frozenset[Tier]]] = {
    "nightly": frozenset({"nightly"}),
    "slow": frozenset({"slow", "nightly"}),
    "quick": frozenset({"quick", "slow", "nightly"}),
    None: frozenset({"quick", "slow", "nightly"}),
}
"""The tiers a test of a module may have: its module's, or by its own marker a later one."""
DIRECTORIES: Final[dict[str, Tier]] = {
    "chaos": "slow",
    "sandbox": "slow",
    "trainer": "slow",
    "envs/lean": "slow",
    "server/processes": "slow",
    "verifiers/proofs": "slow",
    "workers/pool": "slow",
}
"""Directories that belong to one tier; what is listed in :data:`EXCEPT` does not."""
EXCEPT: Final = frozenset(
    {
        "envs/lean/test_formalize_sentences.py",
        "sandbox/docker/test_stream.py",
        "sandbox/inside/test_counters.py",
        "sandbox/inside/test_frames.py",
        "sandbox/inside/test_seccomp.py",
        "sandbox/inside/test_values.py",
        "sandbox/linux/test_cgroups.py",
        "sandbox/linux/test_ids.py",
        "sandbox/slots/test_replies.py",
        "sandbox/slots/test_slots.py",
        "sandbox/test_jobs.py",
        "sandbox/test_resource.py",
        "sandbox/test_session_resource.py",
        "server/processes/test_reload.py",
        "server/processes/test_supervisor_restarts.py",
        "verifiers/proofs/test_checker.py",
        "verifiers/proofs/test_formulas.py",
        "verifiers/proofs/test_module_protocol.py",
        "verifiers/proofs/test_finite_models.py",
        "trainer/test_hub.py",
        "trainer/test_phrases.py",
        "trainer/watch/test_view.py",
    }
)
"""Modules of these directories that are quick."""
FIXTURES: Final = frozenset({"jailed", "redis", "sandbox"})
"""Fixtures that start processes: what asks for one is slow."""
_MODULE: Final = re.compile(r"^pytestmark\b[^\n]*(?:\n[ \])][^\n]*)*", re.MULTILINE)
_MARKED: Final = re.compile(r"mark\.(slow|nightly)\b")


@cache
def tier_of_module(path: Path) -> Tier | None:
    """The tier of all tests of a module; None when they belong to several, or to the quick one."""
    text = path.read_text("utf-8")
    found = {tier for marks in _MODULE.findall(text) for tier in _MARKED.findall(marks)}
    if found:
        return "nightly" if "nightly" in found else "slow"
    return tier_of_directory(path)


def tier_of_directory(path: Path) -> Tier | None:
    """The tier of a directory, or of the directory of a module; None when its tests belong to several."""
    if not path.is_relative_to(TESTS):
        return None
    name = path.relative_to(TESTS).as_posix()
    if name in EXCEPT or any(exception.startswith(f"{name}/") for exception in EXCEPT):
        return None
    return next((tier for folder, tier in DIRECTORIES.items() if f"{name}/".startswith(f"{folder}/")), None)


def tier_of(path: Path, markers: Iterable[str], fixtures: Iterable[str]) -> Tier:
    """The tier of one test, by its module, its own markers and its fixtures; the later tier wins."""
    found = {*markers, tier_of_module(path), None if FIXTURES.isdisjoint(fixtures) else "slow"}
    if "nightly" in found:
        return "nightly"
    return "slow" if "slow" in found else "quick"
