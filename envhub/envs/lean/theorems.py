"""lean-theorems-v0: prove your own theorems from a file, in Lean.

The format is in :mod:`envhub.generators.user_files.theorems`; invalid entries are reported, with row or line, when the
environment is created. Imports are resolved in the project passed to ``envhub lean setup --project``. A statement is
compiled when it is first judged; one that does not compile is an ``error`` and never a reward.

Action: a text with the theorem, by its name, and its proof; lemmas may precede it. Attempts and rules are those of
lean-proof-v0. Difficulty: that of the rows, where given, else every level is the same. Effort is the length of the
statement, as nothing else is known of it. Two theorems with the same statement are the same, ignoring spacing and
names. The oracle solves those that come with a proof.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring import Staged, wording as w
from envhub.authoring.user_file import UserFile
from envhub.authoring.wording import listings
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean import wording
from envhub.envs.lean.attempts import Attempts
from envhub.generators.user_files.theorems import theorems
from envhub.verifiers.proofs.proof import Statement

_TASK: Final = w.Phrase(
    "Prove this theorem in Lean 4.",
    "You are given a theorem. Write a proof of it in Lean 4.",
    "Write Lean 4 code that proves this theorem.",
    held_out="Construct a Lean 4 proof of the goal.",
)
_IMPORTED: Final = w.Phrase(
    "Your code is checked with {imports} imported.",
    "The checker imports {imports} before your code.",
    "Imported before your code: {imports}.",
    held_out="Imports in effect: {imports}.",
)
_ALONE: Final = w.Phrase(
    "Your code is checked with Lean's own library alone.",
    "Only Lean's own library is available.",
    "The checker has no library except Lean's own.",
    held_out="Imports in effect: none beyond Lean's own library.",
)
_OPENED: Final = w.Phrase(
    "The namespaces {opens} are open.",
    "These namespaces are open: {opens}.",
    "Names in {opens} can be written without their namespace.",
    held_out="Open namespaces: {opens}.",
)


def _blocks(problem: JSON) -> str:
    informal = f"{problem['informal']}\n\n" if problem["informal"] else ""
    return f"{informal}{listings.fenced(problem['text'], 'lean')}{wording.definitions(_shown(problem))}"


def _json(problem: JSON) -> str:
    shown = {"theorem": problem["text"], "definitions": _shown(problem)["preamble"], "in words": problem["informal"]}
    return json.dumps({name: text for name, text in shown.items() if text}, ensure_ascii=False, indent=1)


def _reversed(problem: JSON) -> str:
    definitions = wording.definitions(_shown(problem)).strip()
    return "\n\n".join(
        filter(None, [definitions, "Goal:", listings.fenced(problem["text"], "lean"), problem["informal"]])
    )


def _shown(problem: JSON) -> JSON:
    return {"preamble": problem.get("shown") or problem["preamble"]}


_DATA: Final[w.Variants[w.Rendering]] = w.Variants(_blocks, _json, held_out=_reversed, name="data")


class Params(UserFile):
    """The file."""

    path: str = Field("", description="the file, .jsonl or .lean")
    attempts: int = Field(4, ge=1, le=8, description="how many texts are judged in an episode")

    def look(self) -> None:
        """Find the theorems of the level."""
        theorems(self.path, self.digest, self.level)


class Theorems(Attempts):
    """Prove the theorems of a file."""

    Params = Params
    family: ClassVar[str | None] = "stated-theorems"
    slow: ClassVar[bool] = False
    files: ClassVar[tuple[str, ...]] = ("path",)
    usable: ClassVar[tuple[w.Phrase, ...]] = (wording.FORBIDDEN,)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A theorem.

        The split is decided by its statement, and the key is its proof.
        """
        chosen = rng.choice(theorems(p.path, p.digest, p.level))
        yield {"type": chosen.type, "preamble": chosen.preamble}
        problem = {
            "name": chosen.name,
            "type": chosen.type,
            "text": chosen.text,
            "informal": chosen.informal,
            "preamble": chosen.preamble,
            "imports": list(chosen.imports),
            "opens": list(chosen.opens),
            "attempts": p.attempts,
        }
        if chosen.shown:
            problem["shown"] = chosen.shown
        return Instance(problem, key=chosen.proof)

    def canonical(self, content: JSON) -> JSON:
        """The statement with single spaces."""
        return {name: " ".join(text.split()) for name, text in content.items()}

    def prompt(self, problem: JSON) -> w.Statement:
        """The theorem, its imports, and the rules."""
        rules = [_IMPORTED if problem["imports"] else _ALONE, *[_OPENED] * bool(problem["opens"]), wording.STATED]
        stated = self.stated({**problem, **_shown(problem)}, _TASK, _DATA, *rules, name=problem["name"])
        opened = {"imports": ", ".join(problem["imports"]), "opens": ", ".join(problem["opens"])}
        return replace(stated, problem=problem, values={**stated.values, **opened})

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement under its name."""
        row = inst.problem
        return Statement(row["name"], row["type"], row["preamble"], tuple(row["imports"]), tuple(row["opens"]))

    def solve(self, inst: Instance, state: int) -> str:
        """The proof from the file.

        Raises:
            InvalidParameters: The file has no proof.
        """
        if inst.key is None:
            raise InvalidParameters(f"The theorem {inst.problem['name']} comes without a proof.")
        return str(inst.key)

    def effort(self, inst: Instance) -> float:
        """The length of the statement."""
        return float(len(inst.problem["type"]))
