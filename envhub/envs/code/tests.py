"""code-tests-v0: solve your programming problems from a file, graded by your tests.

Each row of a JSON lines file is a problem: ``prompt``, ``cases`` (``input`` and ``output`` of a program, or ``args``
and ``expected`` of a ``function``), and where it matters ``kind``, ``language``, ``compare`` or ``checker``,
``limits``, ``solution`` and ``difficulty``; ``input_output`` in the format of APPS and LiveCodeBench is read as well.
Invalid rows are reported, with row and field, when the environment is created.

Action: a program in the language of the problem. Prompts contain no tests; every test must pass. Difficulty: that of
the rows, where given, else every level is the same. Effort is the length of the question, as nothing else is known of
it.

A problem is its text, ignoring case and spacing. The oracle solves the rows that have a ``solution``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from envhub.authoring import Grading, SingleTurn, Staged
from envhub.authoring.user_file import UserFile
from envhub.core.effects import Resource
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.generators.user_files.problems import problem_of, problems, row_of
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.own_tests import ANSWER, COMPONENTS, JOBS, judge_problem

_TITLES = {"python": "Python", "bash": "bash", "c": "C", "cpp": "C++", "javascript": "JavaScript (node)"}


class Params(UserFile):
    """The file."""

    path: str = Field("", description="the file, .jsonl")

    def look(self) -> None:
        """Find the problems of the level."""
        problems(self.path, self.digest, self.level)


class Tests(SingleTurn):
    """Write programs that pass the tests of a file."""

    Params = Params
    answer: AnswerType = ANSWER
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = COMPONENTS
    resources: ClassVar[Mapping[str, Resource]] = {JOBS: Jobs()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row.

        The split is decided by its text, and the key is its tests.
        """
        chosen = rng.choice(problems(p.path, p.digest, p.level))
        yield chosen.text
        asked = {
            "text": chosen.text,
            "language": chosen.language,
            "function": chosen.function,
            "method": chosen.method,
        }
        return Instance(asked, key=row_of(chosen))

    def canonical(self, content: JSON) -> JSON:
        """The text in lower case, with single spaces."""
        return " ".join(content.split()).casefold()

    def prompt(self, problem: JSON) -> str:
        """The text of the problem, and how a program is run."""
        language = _TITLES[problem["language"]]
        if problem["function"] is not None:
            where = ", or a class Solution that has it as a method" if problem["method"] else ""
            called = "It is called with other arguments as well."
            how = f"Write the function {problem['function']} in {language}{where}. {called}"
        else:
            how = f"Write a {language} program that reads standard input and writes standard output."
        return f"{problem['text']}\n\n{how}"

    def grade(self, inst: Instance, value: str) -> Grading:
        """By the tests."""
        return judge_problem(problem_of(inst.key), value)

    def solve(self, inst: Instance) -> str:
        """The solution of the row.

        Raises:
            InvalidParameters: The row has no solution.
        """
        if inst.key.get("solution") is None:
            raise InvalidParameters(f"The problem {inst.key['id']} comes without a solution.")
        return f"```{inst.problem['language']}\n{inst.key['solution']}\n```"
