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

from typing import Any, ClassVar

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.user_file import UserFile
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean.attempts import FORBIDDEN, Attempts, given
from envhub.generators.user_files.theorems import theorems
from envhub.verifiers.proofs.proof import Statement


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

    def prompt(self, problem: JSON) -> str:
        """The theorem, its imports, and the rules."""
        informal = f"{problem['informal']}\n\n" if problem["informal"] else ""
        shown = problem.get("shown") or problem["preamble"]
        imports, opens = ", ".join(problem["imports"]), ", ".join(problem["opens"])
        has = (
            f"The text is read with {imports} imported" if imports else "The text is read with Lean's own library alone"
        )
        return (
            f"Prove this theorem in Lean 4:\n\n{informal}```lean\n{problem['text']}\n```\n\n{given(shown)}"
            f"{has}{f', and {opens} open' if opens else ''}. The answer is a text that states the theorem, as it stands "
            f"here, with its proof; lemmas of your own may stand before it. {self.rules(problem)}"
        )

    def rules(self, problem: JSON) -> str:
        """The number of attempts, and the restrictions."""
        return f"Lean's kernel judges the text; attempts: {problem['attempts']}. {FORBIDDEN}"

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
