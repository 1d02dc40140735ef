"""python-tool-v0: compute an integer with a Python session.

Action: tool calls. ``python`` runs code in a session that lasts as long as the episode; ``submit`` gives the answer, an
integer, and ends it: score 1 if it is right, else 0. Using the session is optional; the component ``tool_calls`` counts
its calls. Difficulty: longer computations, then chains of them, each starting from the previous result; effort is the
number of elementary steps.

The answer is computed here, never by the session. Two problems are the same when their parts and numbers are.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.python_tool import questions, wording
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Effects, Sessions, describe_result, run_command

_LIMITS: Final = Limits(wall_s=10, cpu_s=10, memory_mb=256, output_bytes=1 << 16, file_mb=16, files=256)
_SHOWN: Final = 4000
_LEVELS: Final = (
    (1, 40),
    (1, 90),
    (1, 200),
    (1, 450),
    (2, 500),
    (2, 1000),
    (2, 1600),
    (3, 1600),
    (3, 2600),
    (4, 3600),
)


class Params(BaseParams):
    """The amount of computation."""

    parts: int = Field(
        1, ge=1, le=12, description="computations, each of which starts from the result of the one before"
    )
    work: int = Field(200, ge=20, le=20_000, description="elementary steps of each, about")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        parts, work = _LEVELS[difficulty - 1]
        return cls(parts=parts, work=work)


class PythonTool(ToolEnv):
    """Answer a numeric question with the help of a Python session."""

    Params = Params
    unique: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"tool_calls"})
    max_turns: ClassVar[int] = 8
    resources: ClassVar[dict[str, Resource]] = {"python": Sessions("python", limits=_LIMITS)}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Parts of different families. The key is the answer."""
        parts, x = questions.draw(rng, p.parts, p.work)
        problem = {"parts": [list(part) for part in parts], "x": x}
        yield problem
        return Instance(problem, key={"answer": questions.value(parts, x)})

    def form(self, problem: JSON) -> str:
        """The kinds of computations, in order."""
        return ", ".join(name for name, _ in problem["parts"])

    def prompt(self, problem: JSON) -> Statement:
        """The question and the session."""
        task = wording.TASK if len(problem["parts"]) == 1 else wording.TASK_OF_PARTS
        values = {"tool": "python", "seconds": f"{_LIMITS.wall_s:g}", "shown": _SHOWN}
        return Statement(task=task, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def begin(self, inst: Instance, rng: Stream) -> int:
        """The number of session calls so far."""
        return 0

    @tool
    def python(self, inst: Instance, state: int, code: str) -> Effects:  # noqa: D417
        """Run Python code in the session and show what it prints.

        Args:
            code: the code to run
        """
        result = yield from run_command("python", code)
        return state + 1, describe_result(result, _SHOWN)

    @tool
    def submit(self, inst: Instance, state: int, answer: int) -> tuple[int, Verdict]:  # noqa: D417
        """Submit the answer. This ends the task.

        Args:
            answer: the answer
        """
        right = answer == inst.key["answer"]
        verdict = Verdict.exact(right, "Correct." if right else "That is not correct.")
        return state, verdict.noting(_short(answer), tool_calls=float(state))

    def exhausted(self, inst: Instance, state: int) -> Verdict:
        """Nothing was submitted."""
        return super().exhausted(inst, state).noting(None, tool_calls=float(state))

    def solve(self, inst: Instance, state: int) -> str:
        """A program first, then the answer."""
        if state == 0:
            return write_call("python", code=questions.program(inst.problem["parts"], inst.problem["x"]))
        return write_call("submit", answer=inst.key["answer"])

    def random_action(self, inst: Instance, state: int, rng: Stream) -> str:
        """A random answer."""
        return write_call("submit", answer=rng.below(10 ** rng.between(1, 6)))

    def effort(self, inst: Instance) -> float:
        """Number of elementary steps of a straightforward evaluation."""
        return float(questions.steps(inst.problem["parts"]))


def _short(answer: int) -> str:
    text = str(answer)
    return text if len(text) <= 200 else f"{text[:100]}...{text[-100:]}"
