"""proposed-v0: solve tasks that a proposer has written, from a file.

Each row of a JSON lines file is a valid proposal of ``proposer-v0`` with the values of its calls, written by
``envhub.dataset.proposals.collect``. Deduction asks for a value, abduction for arguments with a given value, induction
for a function that also fits hidden calls.

Action: a Python literal, or arguments, or a program, by the kind of the task (``kind``, one per environment). Arguments
and programs are run in the sandbox and judged by their results. Difficulty: that of the rows, which follows from the
solve rate when the task was proposed; the nearest level that the file has is used. Effort is the length of the question,
as nothing else is known of it.

Content is the program with its calls; names were settled when it was proposed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from envhub.authoring import Acting, SingleTurn, Staged
from envhub.authoring.environment import rejected
from envhub.authoring.single_turn import await_grade
from envhub.authoring.user_file import UserFile
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.proposer.judging import Unusable
from envhub.envs.code.proposer.proposals import Proposed, proposals
from envhub.envs.code.proposer.questions import ANSWERS, answer_of, format_of, right_answer, shown, solved
from envhub.envs.code.proposer.solver_wording import statement
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.judging import Judging

JOBS = "jobs"


class Params(UserFile):
    """The file and the kind of task."""

    path: str = Field("", description="the file, .jsonl")
    kind: Literal["deduction", "abduction", "induction"] = Field("deduction", description="which tasks of the file")

    def rows(self) -> Sequence[Proposed]:
        """The rows of the kind and the level."""
        return proposals(self.path, self.digest, self.kind, self.level)

    def look(self) -> None:
        """Find the rows."""
        self.rows()


class ProposedTasks(SingleTurn):
    """Solve proposed tasks."""

    Params = Params
    answer: AnswerType = ANSWERS["deduction"]
    files: ClassVar[tuple[str, ...]] = ("path",)
    resources: ClassVar[Mapping[str, Resource]] = {JOBS: Jobs()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row.

        The key is the values that the solver may not know.
        """
        row = rng.choice(p.rows())
        yield dict(row.challenge)
        return Instance(
            shown(row.challenge, row.values), key={"challenge": dict(row.challenge), "values": list(row.values)}
        )

    def canonical(self, content: JSON) -> JSON:
        """The program and its calls."""
        return [content["kind"], content["source"], content["calls"]]

    def prompt(self, problem: JSON) -> Statement:
        """The question of the kind."""
        return statement(problem)

    def directions(self, problem: JSON) -> str:
        """The answer format of the kind."""
        return format_of(problem["kind"], self.answer_format)

    def accepts(self, inst: Instance) -> bool:
        """Reject a task that the example in the prompt would solve."""
        return bool(inst.key["values"] != [[9, "x"]])

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Read the answer of the kind and grade it."""
        reading = answer_of(inst.problem["kind"], self.answer_format).read(action)
        if reading.reason is not None:
            return rejected(self.reject(inst, state, reading.reason, reading.feedback), reading.reason)
        return await_grade(self.grade(inst, reading.value), reading)

    def grade(self, inst: Instance, value: Any) -> Judging:
        """By the value, or by running the arguments or the program."""
        try:
            right = yield from solved(JOBS, inst.key["challenge"], inst.key["values"], value)
        except Unusable as failed:
            return Verdict.failed("not_judged", str(failed))
        return Verdict.failed("not_judged", "The sandbox failed.") if right is None else Verdict.exact(right)

    def solve(self, inst: Instance) -> str:
        """The answer of the file."""
        return right_answer(inst.key["challenge"], inst.key["values"])

    def oracle(self, inst: Instance, state: Any) -> str:
        """The right answer in the requested form."""
        return answer_of(inst.problem["kind"], self.answer_format).wrap(self.solve(inst))
