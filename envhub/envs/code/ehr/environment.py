"""ehr-v0: answer questions about hospital records with a query or a program.

Action: tool calls. ``sql`` and ``python`` look at a generated database of patients, encounters, diagnoses, drugs,
laboratory results, procedures and notes; together they may be called a counted number of times. ``submit_sql`` or
``submit_python`` ends the task. What is submitted is run in the sandbox on hidden databases with other patients, and its
rows are compared here: score 1 if they are right on all of them, else 0. The component ``passed`` is the share that was
right, ``tool_calls`` counts the calls.

A task is drawn only if every near miss of its query (a wrong bound, a forgotten condition, a missing DISTINCT, a wrong end
of a time window, cancelled results, unconverted units) gives other rows on some hidden database, and if at least three
answers differ.

Difficulty: questions that need a longer query; from level 4 on results in several units, from level 5 on columns that only
the database explains, from level 6 on facts that stand in notes only; 100 to 2,000 patients. Effort is the length of the
query in words and signs. Two problems with the same question are the same, as the answer is a query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from envhub.authoring import Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.ehr import judging, wording
from envhub.envs.code.ehr.database import visible_file
from envhub.envs.code.ehr.kinds import draw_fitting, length
from envhub.envs.code.ehr.parameters import Params
from envhub.envs.code.ehr.separating import separate
from envhub.envs.code.ehr.templates import right
from envhub.sandbox.resource import Effects, Jobs, Sessions, describe_result, run_command

_SHOWN: Final = 6000
_TRIED: Final = 4


class Ehr(ToolEnv):
    """Answer questions about hospital records with SQL or Python."""

    Params = Params
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"passed", "abuse", "tool_calls"})
    max_turns: ClassVar[int] = 32
    resources: ClassVar[Mapping[str, Resource]] = {
        "python": Sessions("python", lambda problem: {judging.FILE: visible_file(problem)}, judging.SESSION),
        "jobs": Jobs(),
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A question, and hidden databases on which every near miss fails."""
        question = draw_fitting(rng, p)
        if question is None:
            return None
        content: dict[str, JSON] = {
            "asks": list(question.asks),
            "columns": list(question.columns),
            "order": list(question.order),
            "ordered": question.ordered,
            "readings": list(question.readings),
            "kind": question.kind,
            "mixed": p.mixed,
        }
        yield content
        databases = separate(rng, question, mixed=p.mixed)
        if databases is None:
            return None
        key = {
            "databases": databases.drawn,
            "focus": question.focus.to_json(),
            "rows": databases.rows,
            "query": right(question.template),
            "wrong": databases.wrong,
        }
        seen = {"hospital": f"{rng.bits(128):032x}", "patients": p.patients}
        return Instance({**content, **seen, "documented": p.documented, "calls": p.calls}, key)

    def canonical(self, content: JSON) -> JSON:
        """The question, whatever database it is asked about."""
        return [content["asks"][0], content["ordered"], content["mixed"]]

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The question, the database and the readings of its notions."""
        return wording.statement(problem, judging.fields(problem))

    def messages(self, problem: JSON) -> int:
        """One for each call, and two more."""
        return int(problem["calls"]) + 2

    def begin(self, inst: Instance, rng: Stream) -> int:
        """The number of calls so far."""
        return 0

    @tool
    def sql(self, inst: Instance, state: int, query: str) -> Effects:  # noqa: D417
        """Run one SELECT statement on the database and show its rows.

        Args:
            query: the statement
        """
        return (yield from self._run(inst, state, judging.looking(query)))

    @tool
    def python(self, inst: Instance, state: int, code: str) -> Effects:  # noqa: D417
        """Run Python code in the session and show what it prints.

        Args:
            code: the code to run
        """
        return (yield from self._run(inst, state, code))

    def _run(self, inst: Instance, state: int, code: str) -> Effects:
        left = inst.problem["calls"] - state
        if left <= 0:
            return state, "You have no calls of sql and python left. Call submit_sql or submit_python."
        result = yield from run_command("python", code)
        return state + 1, f"{describe_result(result, _SHOWN)}\n[calls left: {left - 1}]"

    @tool
    def submit_sql(self, inst: Instance, state: int, query: str) -> Effects:  # noqa: D417
        """Submit one SELECT statement as the answer. This ends the task.

        Args:
            query: the statement
        """
        verdict = yield from judging.judge_query(inst, query)
        return state, verdict.noting(query[:200], tool_calls=float(state))

    @tool
    def submit_python(self, inst: Instance, state: int, code: str) -> Effects:  # noqa: D417
        """Submit a program that defines answer(path) as the answer. This ends the task.

        Args:
            code: the program
        """
        verdict = yield from judging.judge_program(inst, code)
        return state, verdict.noting(code[:200], tool_calls=float(state))

    def exhausted(self, inst: Instance, state: int) -> Verdict:
        """Nothing was submitted."""
        return super().exhausted(inst, state).noting(None, tool_calls=float(state))

    def solve(self, inst: Instance, state: int) -> str:
        """A look at the answer first, then the query."""
        return write_call("submit_sql" if state else "sql", query=inst.key["query"])

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The query without a look, with a semicolon, and within a program."""
        query = inst.key["query"]
        yield [write_call("submit_sql", query=f"-- the answer\n{query};")]
        yield [write_call("python", code="import sqlite3"), write_call("submit_python", code=_program(query))]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Near misses, too few and too many rows, a constant."""
        query, wrong = inst.key["query"], inst.key["wrong"]
        for each in wrong[:: max(1, len(wrong) // _TRIED)]:
            yield [write_call("submit_sql", query=each)]
        yield [write_call("submit_python", code=_program(wrong[-1]))]
        yield [write_call("submit_sql", query=f"SELECT * FROM ({query}) WHERE 0")]
        yield [write_call("submit_sql", query=f"SELECT * FROM ({query}) UNION ALL SELECT * FROM ({query})")]
        yield [write_call("submit_python", code=f"def answer(path):\n    return {inst.key['rows'][0]!r}")]

    def random_action(self, inst: Instance, state: int, rng: Stream) -> str:
        """The number of rows of a table."""
        return write_call(
            "submit_sql", query=f"SELECT COUNT(*) FROM {rng.choice(('patients', 'encounters', 'conditions'))}"
        )

    def effort(self, inst: Instance) -> float:
        """Number of words and signs of the reference query."""
        return float(length(inst.key["query"]))


def _program(query: str) -> str:
    """A program that runs a query."""
    return (
        "import sqlite3\n\n\ndef answer(path):\n    connection = sqlite3.connect(path)\n"
        f"    return [list(row) for row in connection.execute({query!r})]\n"
    )
