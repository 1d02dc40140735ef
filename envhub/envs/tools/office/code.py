"""apps-code-v0: reach goals in office apps by Python programs.

Action: tool calls. ``python`` runs code in a session that lasts as long as the episode; the functions of ``apis`` in it are
those of the apps, and return lists and dictionaries. ``done`` ends the task, with the answer if a question is asked. The
tasks, the verdict and the components are those of ``apps-v1``; a program can look through many pages and change many rows in
one message.

The apps are not in the sandbox. A call in a program stops it until it has been carried out here, so a program learns what
the apps tell and nothing else, and can do nothing that a call of ``apps-v1`` could not. Between two calls it has a second of
processor time; the calls are limited to 200 for a program and 1,000 for a task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Final

from envhub.authoring import ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.tools.schema import Malformed, check, usage
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.office.actions import READS
from envhub.envs.tools.office.drawing import Errands, State, components, finish, missing, perform, verdict
from envhub.envs.tools.office.tools import OfficeTools
from envhub.envs.tools.office.wording import CODE_RULES
from envhub.sandbox.calling import calling_files, run_calling
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Effects, Sessions

PROGRAM_CALLS: Final = 200
TASK_CALLS: Final = 1000
_MOST_MESSAGES: Final = 40
_SPARE: Final = 8
_LIMITS: Final = Limits(wall_s=5, cpu_s=1, memory_mb=256, output_bytes=1 << 16, file_mb=16, files=256)
_FUNCTIONS: Final = OfficeTools.tools


@cache
def _files() -> Mapping[str, bytes]:
    return calling_files(
        {name: (list(each.parameters["properties"]), usage(each)) for name, each in _FUNCTIONS.items()}
    )


class OfficeCode(Errands, ToolEnv):
    """Reach goals in six apps with programs, and change nothing else."""

    components: ClassVar[frozenset[str]] = frozenset({"right", "extra"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    resources: ClassVar[dict[str, Resource]] = {
        "python": Sessions("python", files=lambda problem: _files(), limits=_LIMITS)
    }

    def prompt(self, problem: JSON) -> Statement:
        """What is wanted, and the rules."""
        told = super().prompt(problem)
        return replace(told, rules=CODE_RULES, values={**told.values, "program": PROGRAM_CALLS, "total": TASK_CALLS})

    def messages(self, problem: JSON) -> int:
        """One for each stage of the plan, and some to spare."""
        return min(_MOST_MESSAGES, int(problem["stages"]) + _SPARE)

    def instruction(self) -> str:
        """The call format, the tools, and the functions of the session."""
        functions = "\n".join(
            f"- apis.{name}({_parameters(each.parameters)}): {each.description}" for name, each in _FUNCTIONS.items()
        )
        return (
            f"{super().instruction()}\n\nFunctions in the session, which return dictionaries (apis.NAME.__doc__ describes the "
            f"parameters of one; what it refuses is raised as Refused):\n{functions}"
        )

    @tool
    def python(self, inst: Instance, state: State, code: str) -> Effects:  # noqa: D417
        """Run Python code in the session and show what it prints. Variables are kept.

        Args:
            code: the code to run
        """
        now = state

        def answer(name: str, arguments: Mapping[str, JSON]) -> JSON:
            nonlocal now
            now = now._replace(calls=now.calls + 1)
            if name not in _FUNCTIONS:
                return {"refused": f"There is no function {name[:60]!r}."}
            call = check(_FUNCTIONS[name], dict(arguments))
            if isinstance(call, Malformed):
                return {"refused": call.feedback}
            now, told = perform(inst, now, name, call.arguments)
            return told

        most = min(PROGRAM_CALLS, TASK_CALLS - state.calls)
        text = yield from run_calling("python", code, answer, most)
        return now, text

    @tool
    def done(self, inst: Instance, state: State, answer: str | int | float = "") -> tuple[State, Verdict]:  # noqa: D417
        """Finish the task.

        Args:
            answer: the answer, if a question is asked
        """
        return state, verdict(inst, state, str(answer))

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The task was not ended with ``done``."""
        return super().exhausted(inst, state).noting(None, **components(inst, state, None))

    def solve(self, inst: Instance, state: State) -> str:
        """A program for the first unfinished stage, or the end."""
        left = missing(inst, state)
        return write_call("python", code=_program(left)) if left else finish(inst)

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """All changes in one program."""
        yield [write_call("python", code=_program(_changes(inst))), finish(inst)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """One change too few, one too many, a wrong answer."""
        steps = _changes(inst)
        if steps:
            yield [write_call("python", code=_program(steps[1:])), finish(inst)]
        if inst.key["answer"] is not None:
            yield [write_call("python", code=_program(steps)), write_call("done", answer=f"{inst.key['answer']}1")]
        extra = ("files_write", {"path": "notes/new.txt", "text": ""})
        yield [write_call("python", code=_program([*steps, extra])), finish(inst)]

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Read something, sometimes change something, then end the task."""
        if rng.below(3) == 0:
            return write_call("done", answer=str(rng.below(10)))
        return write_call("python", code=f"print(apis.mail_list(page={rng.between(1, 3)}))")


def _changes(inst: Instance) -> list[tuple[str, dict[str, Any]]]:
    return [step for stage in inst.key["plan"] for step in stage if step[0] not in READS]


def _program(steps: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    calls = (", ".join(f"{key}={value!r}" for key, value in arguments.items()) for _, arguments in steps)
    return "\n".join(f"print(apis.{name}({given}))" for (name, _), given in zip(steps, calls, strict=True)) or "pass"


def _parameters(schema: JSON) -> str:
    """The parameters of a function, as in Python."""
    return ", ".join(
        name if "default" not in about else f"{name}={[] if about['default'] is None else about['default']!r}"
        for name, about in schema["properties"].items()
    )
