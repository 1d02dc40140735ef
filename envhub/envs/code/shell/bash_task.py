"""BashTask: bring files into a described state with bash.

What shell-v0 and terminal-v0 share: the shell, the end of an episode, and the comparison of the working directory with the
tree that is the problem's key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from envhub.authoring import Acting, ToolEnv, tool, write_call
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn, Verdict
from envhub.envs.code.shell.steps import Entry as Wanted
from envhub.sandbox.backend import Entry
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Effects, describe_result, list_files, read_files, run_command

LIMITS: Final = Limits(wall_s=10, cpu_s=10, memory_mb=256, output_bytes=1 << 16, file_mb=16, files=1024)
SHOWN: Final = 4000


class State(NamedTuple):
    """Number of messages read and of shell calls."""

    messages: int = 0
    calls: int = 0


class BashTask(ToolEnv):
    """Change files with bash until they are as described.

    Subclasses declare the resource ``shell``.
    """

    components: ClassVar[frozenset[str]] = frozenset({"right", "tool_calls"})
    slow: ClassVar[bool] = True
    unfinished: ClassVar[str] = ""  # the files are still checked

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

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """End the task without doing anything."""
        return write_call("done")


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
