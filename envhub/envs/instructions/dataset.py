"""instructions-dataset-v0: follow your own prompts with public instruction ids.

Each row of a JSON lines or parquet file has ``prompt``, ``instruction_id_list`` and ``kwargs``. Action: the response.
Every instruction is checked once for each time it is listed; rows with an instruction that no rule decides, such as
the language of a response, are left out, and a warning counts them. A response also needs some different words and
may not be copied from the prompt, because many instructions hold of one letter or of the prompt itself. Difficulty:
that of the rows, if a column ``difficulty`` has 1..10, else every level is the same. A prompt is its text, ignoring
case and spacing. Effort is the number of instructions. A row may have a right ``response``; without one it has no
solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring import SingleTurn, Staged
from envhub.authoring.user_file import UserFile
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.generators.constraints.responses import faults, least_words, may_copy
from envhub.generators.user_files.instructions import Prompt, prompts
from envhub.verifiers.answers.verbatim import Prose

_SHOWN: Final = 5


class Params(UserFile):
    """The file."""

    path: str = Field("", description="the file, .jsonl or .parquet, in the format of IFEval or IFBench")

    def look(self) -> None:
        """Find the prompts of the level."""
        self.rows()

    def rows(self) -> Sequence[Prompt]:
        """The prompts of the level."""
        return prompts(self.path, self.digest).at(self.level)


class InstructionsDataset(SingleTurn):
    """Follow the instructions of prompts from a file."""

    Params = Params
    answer = Prose(called="your response", sample="...")
    files: ClassVar[tuple[str, ...]] = ("path",)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row; the split is decided on its prompt."""
        chosen = rng.choice(p.rows())
        yield chosen.text
        problem = {"prompt": chosen.text, "instructions": list(chosen.instructions)}
        return Instance(problem, key={"row": chosen.row, "response": chosen.response})

    def canonical(self, content: JSON) -> JSON:
        """The prompt case-folded, with single spaces."""
        text = content["prompt"] if isinstance(content, dict) else content
        return " ".join(text.split()).casefold()

    def prompt(self, problem: JSON) -> str:
        """The prompt of the row, and what its instructions do not say."""
        least, copy = least_words(problem["instructions"]), may_copy(problem["instructions"])
        words = f"The response must have at least {least} different words. Case does not matter." if least > 1 else ""
        own = "" if copy else "The response may not be just this request or a passage of it."
        return f"{problem['prompt']}\n\n{words} {own}".strip()

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Check every instruction, and the companion."""
        problem = inst.problem
        found = faults(problem["prompt"], self.opening(problem), problem["instructions"], value)
        return Verdict.exact(not found, f"Not satisfied: {', '.join(found[:_SHOWN])}." if found else "")

    def solve(self, inst: Instance) -> str:
        """The response of the row.

        Raises:
            InvalidParameters: The row has none.
        """
        if inst.key["response"] is None:
            raise InvalidParameters(f"Row {inst.key['row']} has no `response`, so its solution is not known.")
        return str(inst.key["response"])

    def effort(self, inst: Instance) -> float:
        """Instructions to follow."""
        return float(len(inst.problem["instructions"]))
