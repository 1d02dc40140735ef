"""Lean's kernel in the sandbox.

Three modules (:mod:`envhub.verifiers.proofs.lean_modules`), each compiled in its own jail. Only a message of our file
counts. Live servers (:mod:`envhub.verifiers.proofs.lean_server`) find errors sooner; this check still decides whether a
proof is correct::

    report = LeanKernel(servers=1).check(Statement("t", "∀ (n : Nat), 0 + n = n"), "theorem t ...")
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from envhub.core.errors import MissingExtra
from envhub.sandbox import Limits, Result, Sandbox, default_sandbox
from envhub.sandbox.lean import LEAN, WARM, find_toolchain
from envhub.verifiers.proofs.lean_modules import (
    SEVERITIES,
    LeanModules,
    LeanRun,
    Rows,
    imports_of,
    opened_in,
    unknown,
)
from envhub.verifiers.proofs.lean_server import RESERVE_MB, LeanServers
from envhub.verifiers.proofs.module_protocol import mismatch, run_jailed
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement

LIMITS: Final = Limits(wall_s=90.0, cpu_s=30.0, memory_mb=2048, reserve_mb=RESERVE_MB, pids=64, output_bytes=1 << 20)
_PROJECT: Final = replace(LIMITS, wall_s=300.0, cpu_s=150.0, memory_mb=8192)  # needed to load a large library
_STACK_KB = 8192


class LeanKernel(LeanModules):
    """Checks proofs with the Lean that ``envhub lean setup`` has found or built.

    Args:
        sandbox: The sandbox; by default that of this process.
        limits: Limits of each run; ``wall_s`` covers a check.
        servers: Maximum number of live servers; 0 for none.
        warm: Whether to compile in forks of a started Lean, where the sandbox has one.

    Raises:
        MissingExtra: No Lean has been set up.
    """

    question_line: ClassVar[int] = 4

    def __init__(
        self, sandbox: Sandbox | None = None, limits: Limits = LIMITS, servers: int = 0, *, warm: bool = True
    ) -> None:
        toolchain = find_toolchain()
        if toolchain is None:
            raise MissingExtra("There is no Lean here. Find or build one with: envhub lean setup")
        super().__init__()
        self._sandbox = sandbox or default_sandbox()
        self._limits = limits
        self._warm = WARM if warm else ""
        self._search = f"/box/work:{toolchain.search}"
        # Short, since a cold run follows.
        live = replace(limits, cpu_s=limits.cpu_s / 3, wall_s=limits.cpu_s, pids=128)
        self._servers = LeanServers(self._sandbox, self._search, servers, live) if servers else None

    def close(self) -> None:
        """Stop the live servers."""
        if self._servers is not None:
            self._servers.close()

    # -- live servers --------------------------------------------------------------------------------------------------

    def _verdict(self, statement: Statement, text: str) -> ProofReport:
        """Errors of a live server reject.

        Anything else is decided by the three modules.
        """
        messages = self._said(statement, text, asked=True)
        if messages and any(message.severity == "error" for message in messages):
            return ProofReport("rejected", messages, self._open(statement, text, messages))
        return super()._verdict(statement, text)

    def _said(self, statement: Statement, text: str, *, asked: bool = False) -> tuple[Message, ...] | None:
        """The messages of a live server on a submission.

        None without one, or no answer. If ``asked``, a submission that does not prove the statement is also an error.
        """
        if self._servers is None:
            return None
        # A server resumes where a text begins to differ from the last one, and may repeat its messages on a command that
        # was cut off there. So a line of ours that always differs precedes the submission.
        note = f"-- {secrets.token_hex(8)}\n"
        head = f"{self._spec_text(statement)}open Spec{opened_in(statement)}\nnamespace Submission\n{note}"
        tail = f"end Submission\nexample : _root_.Spec.goal := @_root_.Submission.{statement.name}\n" if asked else ""
        before = head.count("\n")
        behind = before + text.count("\n") + 1
        said = self._servers.messages(f"{head}{text}\n{tail}")
        if said is None or any(message.line <= before for message in said):
            return None  # messages about our lines are not their errors
        theirs = tuple(replace(each, line=each.line - before) for each in said if not asked or each.line <= behind)
        ours = [each for each in said if asked and each.line > behind and each.severity == "error"]
        if tail and any("'end'" in message.text for message in said):
            return self._said(statement, text)  # the submission is incomplete; the word can only be ours
        if not ours or any(message.severity == "error" for message in theirs):
            return theirs
        if all(message.line == behind + 2 for message in ours):
            return (*theirs, mismatch(statement, lacks=any(unknown(message.text) for message in ours)))
        return self._said(statement, text)

    # -- cold runs -----------------------------------------------------------------------------------------------------

    def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> LeanRun:
        memory = self._limits.memory_mb * 3 // 4
        options = ("--json", "-Dlinter.all=false", "-j1", f"-s{_STACK_KB}", f"-M{memory}", "-R", ".")
        words = (*options, "-o", f"{module}.olean", f"{module}.lean")
        script = f'exec env LEAN_PATH={self._search} {LEAN} "$@"'
        inside = {**files, f"{module}.lean": text.encode()}
        made, limits = f"{module}{self.suffix}", self._patient(self._limits)
        result = run_jailed(self._sandbox, limits, script, inside, made, words, self._warm)
        return LeanRun(module, result, _rows(result, f"{module}.lean"))

    def _head(self, statement: Statement) -> str:
        return f"import Spec\n{imports_of(statement)}open Spec{opened_in(statement)}\nnamespace Submission\n"

    def _question(self, statement: Statement, name: str) -> str:
        return f"import Spec\nimport Submission\n{super()._question(statement, name)}"

    def _left(self, statement: Statement, text: str) -> tuple[str, ...]:
        messages = self._said(statement, text)
        return super()._left(statement, text) if messages is None else self._open(statement, text, messages)

    def _unwell(self) -> str:
        backend = self._sandbox.describe()["backend"]
        return (
            f"Lean does not work in the {backend} sandbox: its folder must be one that other users may enter, and the "
            "sandbox namespace. See: envhub lean setup --check"
        )


def shared() -> LeanKernel:
    """The kernel of environments: one live server per processor, and shorter limits.

    Raises:
        MissingExtra: No Lean has been set up.
    """
    toolchain = find_toolchain()
    limits = _PROJECT if toolchain is not None and toolchain.paths else replace(LIMITS, cpu_s=10.0)
    return LeanKernel(limits=limits, servers=os.cpu_count() or 1)


def _rows(result: Result, file: str) -> Rows | None:
    """Lean's messages, or None.

    The output must consist only of the file's messages.
    """
    if result.cut or result.fault or result.crashed:
        return None
    find_toolchain: list[Mapping[str, Any]] = []
    for line in result.stdout.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            return None
        if not isinstance(row, dict) or row.get("fileName") != file or not isinstance(row.get("data"), str):
            return None
        if row.get("severity") not in SEVERITIES or not isinstance(row.get("pos"), dict):
            return None
        find_toolchain.append(row)
    return tuple(find_toolchain)
