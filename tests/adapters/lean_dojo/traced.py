"""A file as lean-dojo traces it, without a Lean that could: the syntax tree is written by hand, and the rest is the library's.

Only as much of the tree is there as the library asks for: namespaces, theorems of the form ``theorem N ... := by`` with a
tactic in each line, and everything else as one atom.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from git import Repo

_COMMAND = re.compile(r"(?m)^(?=[a-z@])")
_THEOREM = re.compile(r"(theorem) (\S+) (.*?) (:=)\s+(by)?\s*(.*)", re.DOTALL)


class _File:
    """Places in a text, in bytes, and trees over them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tactics: list[dict[str, Any]] = []

    def info(self, start: int, end: int) -> dict[str, Any]:
        pos, end_pos = (len(self.text[:at].encode()) for at in (start, end))
        return {"original": {"pos": pos, "endPos": end_pos, "leading": "", "trailing": ""}}

    def atom(self, start: int, end: int) -> dict[str, Any]:
        return {"atom": {"info": self.info(start, end), "val": self.text[start:end]}}

    def ident(self, start: int, end: int) -> dict[str, Any]:
        name = self.text[start:end]
        return {"ident": {"info": self.info(start, end), "rawVal": name, "val": name, "preresolved": []}}

    def command(self, start: int, end: int) -> dict[str, Any]:
        part = re.sub(r"(\s*\n--.*)*\s*\Z", "", self.text[start:end])  # to Lean a comment is no part of a command
        end = start + len(part)
        if found := re.fullmatch(r"(namespace|end) (\S+)", part):
            name = self.ident(start + found.start(2), end)
            return node(
                f"Lean.Parser.Command.{found[1]}",
                self.atom(start, start + found.end(1)),
                name if found[1] == "namespace" else node("null", name),
            )
        if found := _THEOREM.fullmatch(part):
            places = [(start + found.start(group), start + found.end(group)) for group in range(7)]
            value = self.proof(places[5], places[6]) if found[5] else node("some", self.atom(*places[6]))
            theorem = node(
                "Lean.Parser.Command.theorem",
                self.atom(*places[1]),
                node("Lean.Parser.Command.declId", self.ident(*places[2])),
                node("Lean.Parser.Command.declSig", self.atom(*places[3])),
                node("Lean.Parser.Command.declValSimple", self.atom(*places[4]), value),
            )
            return node("Lean.Parser.Command.declaration", node("Lean.Parser.Command.declModifiers"), theorem)
        return node("some", self.atom(start, end))

    def proof(self, by: tuple[int, int], body: tuple[int, int]) -> dict[str, Any]:
        steps: list[dict[str, Any]] = []
        for line in re.finditer(r"\S.*", self.text[body[0] : body[1]]):
            start, end = body[0] + line.start(), body[0] + line.end()
            places = self.info(start, end)["original"]
            steps += [node("some", self.atom(start, end)), node("null")]
            self.tactics.append(
                {"pos": places["pos"], "endPos": places["endPos"], "stateBefore": "a", "stateAfter": "b"}
            )
        indented = node("Lean.Parser.Tactic.tacticSeq1Indented", node("null", *steps[:-1]))
        return node("Lean.Parser.Term.byTactic", self.atom(*by), node("Lean.Parser.Tactic.tacticSeq", indented))


def node(kind: str, *args: dict[str, Any]) -> dict[str, Any]:
    return {"node": {"kind": kind, "info": "none", "args": list(args)}}


def traced(root: Path, text: str) -> Any:
    """A ``TracedRepo`` with one file, ``Lib.lean``."""
    from lean_dojo import LeanGitRepo, TracedFile, TracedRepo
    from lean_dojo.utils import to_json_path

    (root / "lean-toolchain").write_text("leanprover/lean4:v4.20.0\n")
    (root / "Lib.lean").write_text(text)
    (root / "Lean4Repl.lean").write_text("")
    with Repo.init(root) as made:
        made.index.add(["lean-toolchain", "Lib.lean"])
        made.index.commit("a file")
    repo = LeanGitRepo.from_path(root)
    file = _File(text)
    starts = [match.start() for match in _COMMAND.finditer(text)]
    trees = [file.command(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    data = {"commandASTs": [node("Lean.Parser.Module.header"), *trees], "tactics": file.tactics, "premises": []}
    path = root / to_json_path(root, Path("Lib.lean"), repo)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    path.with_suffix("").with_suffix(".dep_paths").write_text("")
    whole = TracedRepo(repo, {}, root, [TracedFile.from_traced_file(root, path, repo)], None)
    whole._update_traced_files()
    return whole
