"""Environments whose turns run programs, for tests with servers in processes of their own, which find them by these names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

from envhub.authoring import ToolEnv, tool, write_call
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.resource import Effects, Jobs, Sessions, run_command, run_job

BENCH: Final = "workbench-v0"
ENTRY: Final = "tests.server.programs:Workbench"
_LIMITS: Final = Limits(wall_s=60, cpu_s=60, pids=8)


class Workbench(ToolEnv):
    """A shell and a Python interpreter: bring the number of lines of a file to 10, and say so in a program that counts them."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    max_turns: ClassVar[int] = 40
    counted: ClassVar[bool] = False  # what its tools say is compared word for word
    resources: ClassVar[Mapping[str, Resource]] = {
        "shell": Sessions("bash", files=lambda problem: {"lines": b""}, limits=_LIMITS),
        "python": Sessions("python", limits=_LIMITS),
        "jobs": Jobs(),
    }

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"goal": 10}, key=10)

    def prompt(self, problem: Any) -> str:
        return f"Bring the lines of the file to {problem['goal']}."

    def begin(self, inst: Instance, rng: Stream) -> int:
        return 0

    @tool
    def shell(self, inst: Instance, s: int, command: str) -> Effects:
        """Run a command.

        Args:
            command: what to run
        """
        result = yield from run_command("shell", command)
        return s + 1, f"{result.text}{result.stderr.decode()}[{'crashed' if result.crashed else result.exit}]"

    @tool
    def python(self, inst: Instance, s: int, code: str) -> Effects:
        """Run code.

        Args:
            code: what to run
        """
        result = yield from run_command("python", code)
        return s + 1, f"{result.text}{result.stderr.decode()}[{'crashed' if result.crashed else result.exit}]"

    @tool
    def submit(self, inst: Instance, s: int, program: str) -> Effects:
        """A program that prints how many lines there are.

        Args:
            program: the program
        """
        (result,) = yield from run_job("jobs", Job(Program(program), limits=_LIMITS))
        right = result.text.strip() == str(inst.key)
        return s, (Verdict.exact(right) if result.blame != "ours" else Verdict.failed("ours", result.fault or ""))

    def solve(self, inst: Instance, s: int) -> str:
        return write_call("submit", program="print(10)")
