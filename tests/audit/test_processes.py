"""Tasks are compared with those that other processes draw."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from envhub.audit import FAST, FULL, Breach, Depth, Subject, digests
from envhub.audit.report import check_processes

ID = "arithmetic-v0"


def answering(said: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace other processes by what they would print; their hash seeds."""
    seeds: list[str] = []

    def run(command: list[str], env: dict[str, str], **_: Any) -> subprocess.CompletedProcess[str]:
        seeds.append(env["PYTHONHASHSEED"])
        return subprocess.CompletedProcess(command, 0, json.dumps(said), "")

    monkeypatch.setattr(subprocess, "run", run)
    return seeds


@pytest.mark.parametrize(
    ("depth", "own", "others"),
    [(FAST, "random", ["4242"]), (FAST, "4242", ["0"]), (FULL, "random", ["4242", "0"]), (FULL, "0", ["4242"])],
)
def test_another_process_has_another_hash_seed(
    depth: Depth, own: str, others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", own)
    seeds = answering(digests(ID), monkeypatch)
    check_processes(Subject(ID, depth))
    assert seeds == others


def test_other_tasks_in_another_process_are_a_breach(monkeypatch: pytest.MonkeyPatch) -> None:
    answering({**digests(ID), "problem": {}}, monkeypatch)
    with pytest.raises(Breach, match="other tasks in another process"):
        check_processes(Subject(ID))
