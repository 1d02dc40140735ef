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
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring import Acting, BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.shell import tree as file_tree, wording
from envhub.envs.code.shell.steps import Entry as Wanted
from envhub.sandbox.backend import Entry
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Effects, Sessions, describe_result, list_files, read_files, run_command

LIMITS: Final = Limits(wall_s=10, cpu_s=10, memory_mb=256, output_bytes=1 << 16, file_mb=16, files=1024)
SHOWN: Final = 4000


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


class State(NamedTuple):
    """Number of messages read and of shell calls."""

    messages: int = 0
    calls: int = 0


class Shell(ToolEnv):
    """Bring a tree of files into a described state with bash."""

    Params: ClassVar[type[BaseParams]] = Params
    components: ClassVar[frozenset[str]] = frozenset({"right", "tool_calls"})
    max_turns: ClassVar[int] = 8
    slow: ClassVar[bool] = True
    unfinished: ClassVar[str] = ""  # the files are still checked
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

    def begin(self, inst: Instance, rng: Stream) -> State:
        """No messages yet."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """The calls of a message.

        The files are checked after the last message.
        """
        return self._message(inst, state._replace(messages=state.messages + 1), action, rng)

    def _message(self, inst: Instance, state: State, action: str, rng: Stream) -> Effects:
        acted = super().advance(inst, state, action, rng)
        turn: Turn = acted if isinstance(acted, Turn) else (yield from acted)
        if turn.verdict is None and state.messages >= self.max_turns:
            verdict = yield from self.judged(inst, turn.state)
            return Turn.end(turn.state, verdict, f"{turn.observation}\n\nThat was the last message. {verdict.feedback}")
        return turn

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        return Turn(state._replace(messages=state.messages + 1), feedback)

    @tool
    def bash(self, inst: Instance, state: State, command: str) -> Effects:  # noqa: D417
        """Run a command in the shell and show what it prints.

        Args:
            command: one or more lines of bash
        """
        result = yield from run_command("shell", command)
        return state._replace(calls=state.calls + 1), describe_result(result, SHOWN)

    @tool
    def done(self, inst: Instance, state: State) -> Effects:
        """Report that the files are as they should be. This ends the task."""
        return state, (yield from self.judged(inst, state))

    def judged(self, inst: Instance, state: State) -> Effects:
        """The verdict on the files as they are."""
        return judge(inst, state)

    def solve(self, inst: Instance, state: State) -> str:
        """A script of all steps, then the end."""
        if state.calls:
            return write_call("done")
        return write_call("bash", command="\n".join(map(file_tree.script, inst.problem["steps"])))

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """End the task without doing anything."""
        return write_call("done")

    def effort(self, inst: Instance) -> float:
        """Number of files to handle."""
        return float(inst.problem["handled"])


def judge(inst: Instance, state: State, before: Mapping[str, str] | None = None) -> Effects:
    """Compare the working directory with the expected tree.

    Args:
        inst: The problem; its key is the expected tree.
        state: Counts the calls.
        before: The files at the start. Those that should stay and did do not count in ``right``; None counts all.
    """
    expected = {path: Wanted(*entry) for path, entry in inst.key.items()}
    found = yield from list_files("shell")
    present = {entry.path: entry for entry in found.entries if entry.kind != "directory"}
    # the sandbox's rights decide whether it can look into a closed directory; the verdict must not depend on that
    closed = any(entry.kind == "directory" and entry.mode & 0o500 != 0o500 for entry in found.entries)
    seen = found.complete and not closed
    contents = yield from read_files("shell", sorted(path for path in expected if path in present))
    right = {path for path in expected if path in present and _same(expected[path], present[path], contents.get(path))}
    extra = set(present) - set(expected)
    wrong = set(expected) - right
    solved = seen and not (wrong or extra)
    words = "Everything is as it should be." if solved else _words(len(right), len(wrong & set(present)), wrong, extra)
    if not seen:
        words += " Some directories are closed, too deep or too full to be checked."
    stayed = {path for path in right if before is not None and expected[path] == Wanted(before.get(path, ""))}
    gone = set() if before is None else set(before) - set(expected) - set(present)
    share = (len(right - stayed) + len(gone)) / (len((set(present) | set(expected)) - stayed) + len(gone))
    return Verdict.exact(solved, words).noting(None, right=share, tool_calls=float(state.calls))


def _same(expected: Wanted, found: Entry, content: bytes | None) -> bool:
    if expected.target is not None:
        return found.kind == "link" and found.target == expected.target
    if found.kind != "file" or content != expected.text.encode():
        return False
    return expected.mode is None or found.mode == expected.mode


def _words(right: int, changed: int, wrong: set[str], extra: set[str]) -> str:
    """The differences, in numbers that give no name away."""
    return (
        f"The files are not as they should be: {right} right, {changed} wrong, {len(wrong) - changed} missing, "
        f"{len(extra)} too many."
    )
