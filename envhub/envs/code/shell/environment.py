"""shell-v0: bring files into a described state with bash.

Action: tool calls. ``bash`` runs a command in a shell that lasts as long as the episode; ``done`` ends it. Then the
tree is inspected from outside, and every file and link must match the steps: names, contents, link targets, modes where
a step sets them, and nothing more; score 1 or 0. When the messages are used up, the tree is judged as it is. The
component ``right`` is the share of right paths; it is not part of the reward. Difficulty: more steps on more files,
with spaces in their names from level 6 on; effort is the number of files to handle.

Output of commands may contain times, process ids and the like, which differ when a lost session is rebuilt. Its files
are the same, unless the commands themselves depend on such things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.shell import tree as file_tree, wording
from envhub.envs.code.shell.bash_task import LIMITS, SHOWN, BashTask, State
from envhub.sandbox.resource import Sessions


class Params(BaseParams):
    """The number of steps and files."""

    steps: int = Field(2, ge=1, le=8, description="what is to be done, one thing after the other")
    files: int = Field(6, ge=4, le=20, description="files at the start, besides those that the steps need")
    spaces: bool = Field(False, description="whether some names hold a space")
    least: int = Field(2, ge=2, le=200, description="how many files the steps together have to handle, at least")
    most: int = Field(1000, ge=3, le=1000, description="and at most")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        steps, files, least, most = _LEVELS[difficulty - 1]
        return cls(steps=steps, files=files, spaces=difficulty > 5, least=least, most=most)


_LEVELS: Final = (
    (1, 4, 2, 4),
    (2, 5, 4, 5),
    (2, 6, 6, 9),
    (3, 5, 8, 10),
    (3, 6, 11, 15),
    (4, 6, 14, 18),
    (4, 8, 19, 24),
    (5, 8, 24, 30),
    (6, 8, 31, 40),
    (7, 8, 41, 60),
)


class Shell(BashTask):
    """Bring a tree of files into a described state with bash."""

    Params = Params
    max_turns: ClassVar[int] = 8
    resources: ClassVar[Mapping[str, Resource]] = {
        "shell": Sessions(
            "bash", lambda problem: {path: text.encode() for path, text in problem["files"].items()}, LIMITS
        )
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A tree and steps. The key is the resulting tree."""
        drawn = file_tree.draw(rng, p.files, p.spaces, p.steps)
        if drawn is None or not p.least <= drawn[3] <= p.most:
            return None
        texts, steps, after, handled = drawn
        problem = {"files": texts, "steps": [list(step) for step in steps], "handled": handled}
        yield problem
        return Instance(problem, key={path: list(entry) for path, entry in after.items()})

    def form(self, problem: JSON) -> str:
        """The kinds of the steps."""
        return "+".join(sorted(name for name, _ in problem["steps"]))

    def prompt(self, problem: JSON) -> Statement:
        """The steps and the shell."""
        values = {"tool": "bash", "seconds": f"{LIMITS.wall_s:g}", "shown": SHOWN}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def solve(self, inst: Instance, state: State) -> str:
        """A script of all steps, then the end."""
        if state.calls:
            return write_call("done")
        return write_call("bash", command="\n".join(map(file_tree.script, inst.problem["steps"])))

    def effort(self, inst: Instance) -> float:
        """Number of files to handle."""
        return float(inst.problem["handled"])
