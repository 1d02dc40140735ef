"""``lean-dojo``: theorems of a traced repository as tasks of ``lean-theorems-v0``.

A traced theorem depends on its file's namespaces and variables; here it is stated alone, with the text before it as its
preamble. It is kept only if our kernel accepts the repository's proof under the rules for every submission, so the
stated theorem can be proved. The others are listed with the reason::

    from lean_dojo import LeanGitRepo, trace

    traced = trace(LeanGitRepo("https://github.com/yangky11/lean4-example", "main"))     # downloads and builds, once
    found = tasks_of(traced.get_traced_theorems(), LeanKernel())    # after: envhub lean setup --project THE-REPOSITORY
    found.write("theorems.jsonl")
    env = envhub.make("lean-theorems-v0", path="theorems.jsonl")

The difficulty of a theorem is the number of tactics of its proof, ten at most. Its live proof, tactic by tactic, is in
:mod:`envhub.adapters.lean_dojo.steps`. This module never imports the library: its objects are arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from envhub.adapters.lean_dojo.context import context_of
from envhub.core.errors import InvalidParameters, JudgementError
from envhub.generators.user_files.theorems import UserTheorem, theorem_of
from envhub.verifiers.proofs.checker import describe_report
from envhub.verifiers.proofs.proof import Kernel, ProofReport, Statement

_HEAD: Final = re.compile(r"(?:theorem|lemma)\s+([^\s({\[⦃:]+)\s*")
_MODIFIERS: Final = re.compile(
    r"(?:@\[[^\]]*\]|\b(?:private|protected|public|nonrec|noncomputable)\b|\bset_option\s+maxHeartbeats\s+\d+\s+in\b|\s)+\Z"
)


@dataclass(frozen=True, slots=True)
class Found:
    """Result for the theorems of a repository.

    Attributes:
        rows: Theorems that became tasks, in the format of ``lean-theorems-v0``.
        left_out: Reasons for the others, by name.
    """

    rows: tuple[Mapping[str, Any], ...]
    left_out: tuple[tuple[str, str], ...]

    def write(self, path: str | Path) -> None:
        """Write the rows to a file, one per line.

        Raises:
            InvalidParameters: No theorem became a task.
        """
        if not self.rows:
            reasons = "; ".join(f"{name}: {why}" for name, why in self.left_out[:3])
            raise InvalidParameters(f"There is no theorem to write. {reasons}".strip())
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
        Path(path).write_text("".join(lines), "utf-8")


def tasks_of(theorems: Iterable[Any], kernel: Kernel) -> Found:
    """The theorems whose own proofs the kernel accepts.

    Args:
        theorems: ``TracedTheorem`` objects, of a ``TracedRepo`` or a ``TracedFile``.
        kernel: A kernel that can import the project, :class:`envhub.verifiers.proofs.lean.LeanKernel` say.

    Raises:
        MissingExtra: No kernel is available.
    """
    rows: list[Mapping[str, Any]] = []
    left_out: list[tuple[str, str]] = []
    for theorem in theorems:
        name = str(theorem.theorem.full_name)
        try:
            row = row_of(theorem)
            stated = theorem_of(row)
            report = kernel.check(statement_of(stated), stated.proof or "")
        except (ValueError, JudgementError) as error:
            left_out.append((name, str(error)))
            continue
        if report.accepted:
            rows.append(row)
        else:
            left_out.append((name, f"its proof alone is {_outcome(report)}"))
    return Found(tuple(rows), tuple(left_out))


def row_of(theorem: Any) -> dict[str, Any]:
    """A traced theorem as an unchecked row of ``lean-theorems-v0``.

    Raises:
        ValueError: It cannot be stated alone; the message says why.
    """
    file = theorem.traced_file
    name = str(theorem.theorem.full_name)
    start, end = theorem.locate_proof()
    before = _source(file.lean_file, file.lean_file.start_pos, theorem.start, file.comments)
    context = context_of(_MODIFIERS.sub("", before + "\n"))
    if re.search(r"\bin\s*\Z", context.preamble):
        raise ValueError("a command with 'in' stands before it")
    statement = _source(file.lean_file, theorem.start, start, theorem.comments)
    head = _HEAD.match(statement)
    if head is None or not statement.endswith(":="):
        raise ValueError("it is not of the form 'theorem NAME ... := PROOF'")
    binders = f"{context.variables} " if context.variables else ""
    formal = f"theorem {name} {binders}{statement[head.end() : -2].strip()}"
    proof = _source(file.lean_file, start, end, theorem.comments)
    opened = "".join(f"{each} in\n" for each in context.within)
    return {
        "name": name,
        "header": "".join(f"import {module}\n" for module in context.imports),
        "preamble": context.preamble,
        "shown": context.shown,
        "within": list(context.within),
        "formal_statement": f"{formal} := by sorry",
        "proof": f"{opened}{formal} := {proof}",
        "difficulty": max(1, min(10, theorem.get_num_tactics())),
    }


def statement_of(stated: UserTheorem) -> Statement:
    """The statement that a proof of a theorem must prove.

    Raises:
        InvalidParameters: The name has other characters than plain letters.
    """
    return Statement(stated.name, stated.type, stated.preamble, stated.imports, stated.opens)


def _source(file: Any, start: Any, end: Any, comments: Any) -> str:
    """The text between two positions of a file, without the library's comments.

    The library finds the comments.
    """
    parts = []
    for comment in comments:
        if start <= comment.start and comment.end <= end:
            parts.append(file[start : comment.start])
            start = comment.end
    return "".join([*parts, file[start:end]]).strip()


def _outcome(report: ProofReport) -> str:
    return f"{report.outcome}: {describe_report(report, 300)}"
