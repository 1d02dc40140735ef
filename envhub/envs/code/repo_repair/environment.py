"""repo-repair-v0: fix a bug in a small Python package with tools.

Action: tool calls. Tools list, read and edit files, and run the package's own tests in a session that lasts as long as
the episode; ``submit`` ends it. The original files of the package are then copied to a fresh place and called with
hidden arguments; the results are compared here. Score 1 if every call returns what the documentation says, else 0.
Tests, tool settings and added files are ignored. Components: ``passed``, the share of right calls, and ``regressions``,
the share of previously right calls that now fail. Difficulty: larger packages and more faults, and from level 8 on
issues do not state the expected result; effort is the lines of the package times the number of faults.

Two problems with the same faulty sources are the same, whatever the package name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.repo_repair import package, wording
from envhub.envs.code.repo_repair.reports import issue, tests
from envhub.sandbox.jobs import Job, Limits, Program, check_paths
from envhub.sandbox.resource import (
    Effects,
    Jobs,
    Sessions,
    describe_result,
    list_files,
    read_files,
    run_command,
    run_job,
    write_files,
)
from envhub.verifiers.code.comparing import exactly

_LIMITS: Final = Limits(wall_s=10, cpu_s=10, memory_mb=256, output_bytes=1 << 16, file_mb=8, files=256)
_SHOWN: Final = 6000
_LINES: Final = 400
_LONGEST: Final = 100_000  # most characters of a file that can be read or edited
_TIME: Final = re.compile(r"(?m)^(Ran \d+ tests?) in [0-9.]+s$")
_LEVELS: Final = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (4, 2), (6, 2), (5, 3), (7, 4))
_DRIVER: Final = """
from importlib import import_module

def call(way, arguments):
    module, _, function = way.rpartition(".")
    return getattr(import_module(module), function)(*arguments)
"""


class Params(BaseParams):
    """The size of the package, and its number of faults."""

    parts: int = Field(2, ge=1, le=10, description="independent parts of the package, of two or three modules each")
    faults: int = Field(1, ge=1, le=4, description="how many faults there are, each in a part of its own")
    expected: bool = Field(True, description="whether the issue says what would have been right")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.faults > self.parts:
            raise ValueError("faults <= parts must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        parts, faults = _LEVELS[difficulty - 1]
        return cls(parts=parts, faults=faults, expected=difficulty < 8)


State = tuple[int, ...]
"""The faults whose exact lines were restored."""


class RepoRepair(ToolEnv):
    """Find and fix what is wrong with a small Python package."""

    Params = Params
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"passed", "regressions", "abuse"})
    max_turns: ClassVar[int] = 24
    resources: ClassVar[Mapping[str, Resource]] = {
        "repo": Sessions(
            "bash", lambda problem: {path: text.encode() for path, text in problem["files"].items()}, _LIMITS
        ),
        "jobs": Jobs(),
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A package, faults in it, and calls that show them."""
        made = package.draw(rng, p.parts)
        spoilt = package.spoil(rng, made, p.faults)
        if spoilt is None:
            return None
        sources, faults = spoilt
        yield {"name": made.name, "sources": sources}
        calls = package.hidden(rng, made, faults, each=24)
        if calls is None:
            return None
        rng.shuffle(calls)
        right = package.outcomes(made, made.sources, calls)
        before = package.outcomes(made, sources, calls)
        shown = [
            package.outcomes(made, files, [fault.example])[0] for fault in faults for files in (made.sources, sources)
        ]
        visible = [made.case(rng, part) for part in made.parts for _ in range(3)]
        written = tests(made, visible, package.outcomes(made, made.sources, visible))
        issues = [
            issue(made, fault.example, got, should if p.expected else None)
            for fault, should, got in zip(faults, shown[::2], shown[1::2], strict=True)
        ]
        key = {
            "calls": [[package.called(made, call), call.args] for call in calls],
            "expected": right,
            "before": [package.same(one, other) for one, other in zip(before, right, strict=True)],
            "mends": [[fault.path, fault.wrong, fault.right] for fault in faults],
        }
        return Instance({"name": made.name, "files": {**sources, **written}, "issues": issues}, key)

    def canonical(self, content: JSON) -> JSON:
        """The faulty sources, without the package name."""
        name = re.compile(rf"\b{content['name']}\b", re.IGNORECASE)
        return sorted([name.sub("_", path), name.sub("_", text)] for path, text in content["sources"].items())

    def form(self, problem: JSON) -> str:
        """The parts named in the issues."""
        return "+".join(sorted(text.split(maxsplit=4)[3].partition(".")[0] for text in problem["issues"]))

    def prompt(self, problem: JSON) -> Statement:
        """The issues and the package."""
        count = len(problem["issues"])
        values = {"name": problem["name"], "faults": "1 reported fault" if count == 1 else f"{count} reported faults"}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing is fixed yet."""
        return ()

    @tool
    def list_files(self, inst: Instance, state: State) -> Effects:
        """List all files with their sizes in bytes."""
        found = yield from list_files("repo")
        rows = [f"{entry.path} ({entry.size})" for entry in found.entries if entry.kind == "file"]
        if not found.complete:
            rows.append("[There are more files than can be listed.]")
        return state, _cut("\n".join(rows))

    @tool
    def read_file(self, inst: Instance, state: State, path: str, start: int = 1, lines: int = _LINES) -> Effects:  # noqa: D417
        """Show lines of a file with their numbers.

        Args:
            path: path of the file
            start: number of the first line to show, from 1
            lines: maximum number of lines to show
        """
        text = yield from _text(path)
        if text is None:
            return state, _none(path)
        rows = text.split("\n")
        first, many = max(start, 1), min(max(lines, 1), _LINES)
        shown = [f"{number:4}  {row}" for number, row in enumerate(rows, 1) if first <= number < first + many]
        return state, _cut("\n".join(shown)) or f"{path} has {len(rows)} lines."

    @tool
    def edit_file(self, inst: Instance, state: State, path: str, old: str, new: str) -> Effects:  # noqa: D417
        """Replace a piece of text in a file. It must occur in the file exactly once.

        Args:
            path: path of the file
            old: the text to replace, without line numbers; it may have several lines
            new: the text to insert instead
        """
        text = yield from _text(path)
        if text is None:
            return state, _none(path)
        count = text.count(old) if old else 0
        if count != 1:
            return (
                state,
                f"The text to replace must occur exactly once in {path}, but it occurs {count} times. Nothing was changed.",
            )
        refused = yield from _put(path, text.replace(old, new))
        if refused:
            return state, refused
        at = [number for number, mend in enumerate(inst.key["mends"]) if mend == [path, old, new]]
        return (*state, *at), f"{path} was changed."

    @tool
    def write_file(self, inst: Instance, state: State, path: str, text: str) -> Effects:  # noqa: D417
        """Write a whole file. If it exists, it is overwritten.

        Args:
            path: path of the file
            text: its content
        """
        refused = yield from _put(path, text)
        return state, refused or f"{path} was written."

    @tool
    def run_tests(self, inst: Instance, state: State, tests: str = "all") -> Effects:  # noqa: D417
        """Run the tests of the package.

        Args:
            tests: "all", or the path of one file of tests, such as tests/test_a.py
        """
        known = sorted(path for path in inst.problem["files"] if path.startswith("tests/"))
        wanted = known if tests == "all" else [path for path in known if path == tests]
        if not wanted:
            return state, f"Unknown tests {tests[:100]!r}. Available: all, {', '.join(known)}."
        modules = " ".join(path.removesuffix(".py").replace("/", ".") for path in wanted)
        result = yield from run_command("repo", f"cd /box/work; python3 -B -m unittest {modules}")
        return state, _TIME.sub(r"\1", describe_result(result, _SHOWN))

    @tool
    def submit(self, inst: Instance, state: State) -> Effects:
        """Submit the package as it is now. This ends the task."""
        paths = sorted(path for path in inst.problem["files"] if not path.startswith("tests/"))
        files = yield from read_files("repo", paths)
        calls = tuple((way, list(args)) for way, args in inst.key["calls"])
        job = Job(Program(_DRIVER, files=files), function="call", calls=calls, limits=_LIMITS)
        (result,) = yield from run_job("jobs", job)
        return state, _verdict(inst, result)

    def solve(self, inst: Instance, state: State) -> str:
        """Every fix, then the end."""
        left = [mend for number, mend in enumerate(inst.key["mends"]) if number not in state]
        if not left:
            return write_call("submit")
        path, wrong, right = left[0]
        return write_call("edit_file", path=path, old=wrong, new=right)

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Submit the unchanged package."""
        return write_call("submit")

    def effort(self, inst: Instance) -> float:
        """Lines of the package times number of faults."""
        lines = sum(text.count("\n") for path, text in inst.problem["files"].items() if not path.startswith("tests/"))
        return float(lines * len(inst.problem["issues"]))


def _verdict(inst: Instance, result: Any) -> Verdict:
    """Compare the results of the calls with the expected ones."""
    expected: Sequence[Any] = inst.key["expected"]
    passed = [
        returned.raised is None and exactly(_plain(returned.value), _plain(should))
        for returned, should in zip(result.values, expected, strict=False)
    ]
    passed += [False] * (len(expected) - len(passed))
    were = [now for now, before in zip(passed, inst.key["before"], strict=True) if before]
    worse = were.count(False) / len(were) if were else 0.0
    share, solved = sum(passed) / len(passed), all(passed)
    words = (
        "Every call gives what it should." if solved else f"{sum(passed)} of {len(passed)} calls give what they should."
    )
    abuse = {"abuse": 1.0} if result.crashed else {}
    return Verdict.exact(solved, words).noting(None, passed=share, regressions=worse, **abuse)


def _plain(value: Any) -> Any:
    """The value with tuples as lists: the documentation does not distinguish them."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _text(path: str) -> Effects:
    """The text of a file of the session.

    None if there is no such file.
    """
    if not _possible(path):
        return None
    found = yield from read_files("repo", [path])
    text = found[path].decode("utf-8", "replace") if path in found else None
    return text if text is None or len(text) <= _LONGEST else None


def _put(path: str, text: str) -> Effects:
    """Write a file; returns what went wrong, if anything."""
    if not _possible(path):
        return _none(path)
    if len(text) > _LONGEST:
        return f"A file may have at most {_LONGEST} characters. Nothing was written."
    refused = yield from write_files("repo", {path: text.encode()})
    return refused


def _possible(path: str) -> bool:
    try:
        check_paths([path])
    except InvalidParameters:
        return False
    return True


def _none(path: str) -> str:
    return f"There is no file {path[:100]!r} that can be read or written. Call list_files to see all files."


def _cut(text: str) -> str:
    return text if len(text) <= 5 * _SHOWN else f"{text[: 5 * _SHOWN]}\n[cut: {len(text) - 5 * _SHOWN} characters]"
