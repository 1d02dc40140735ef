"""repo-repair-v0: fix a program from what its users report, with tools.

A program keeps records in a text file and prints reports on them. Its packages and modules, its rules of prices, the format
of its files and its commands are drawn. One fault or more lie somewhere between the command line and the functions that it
rests on: a unit that two functions do not share, a bound, a missing step, a forgotten case of the format, a setting.

Action: tool calls. Tools list, read, search and edit files, and run shell commands in a session that lasts as long as the
episode; ``submit`` ends it. The original modules are then copied to a fresh place, where hidden commands are carried out on
hidden files and functions are called with other arguments; the results are compared here. Score 1 if every result is as
documented, else 0. Components: ``passed``, the share of right results, and ``regressions``, the share of previously right
results that are now wrong. Difficulty: larger programs and more faults farther from the command line; from level 5 on users
do not say what they expected, and from level 8 on not exactly what they did. Effort is the lines of the package times the
number of faults.

A fault occurs in the tasks of one split only, whatever the program. Two problems with the same plan, modules and faults are
the same, whatever their nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement, counted
from envhub.core.effects import Resource
from envhub.core.seeding import Stream, fingerprint, split_of
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.repo_repair import documents, wording
from envhub.envs.code.repo_repair.issues import DETAILS, issue
from envhub.envs.code.repo_repair.plan import COMMANDS, RULES
from envhub.envs.code.repo_repair.repository import Examined, choose, examine
from envhub.envs.code.repo_repair.running import plain, same
from envhub.envs.code.repo_repair.workspace import Workspace
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.resource import Effects, Jobs, Sessions, describe_result, read_files, run_command, run_job
from envhub.verifiers.code.comparing import exactly

_LIMITS: Final = Limits(wall_s=10, cpu_s=10, memory_mb=256, output_bytes=1 << 16, file_mb=8, files=256)
_SHOWN: Final = 6000
_TIME: Final = re.compile(r"(?m)^(Ran \d+ tests?) in [0-9.]+s$")
_LEVELS: Final = (
    (2, 1, 1, 1, 0),
    (3, 1, 1, 1, 0),
    (4, 2, 1, 1, 0),
    (5, 3, 1, 2, 0),
    (6, 3, 1, 2, 1),
    (8, 4, 1, 2, 1),
    (6, 4, 2, 2, 1),
    (8, 4, 2, 2, 2),
    (8, 5, 3, 2, 2),
    (12, 6, 3, 2, 2),
)
_QUIET: Final = 4
"""From this level on, the tests of the repository pass in spite of the faults."""
_DRIVER: Final = """
from importlib import import_module

def call(way, arguments):
    module, _, function = way.rpartition(".")
    return getattr(import_module(module), function)(*arguments)
"""
_SILENCED: Final = """

def _silenced(function):
    def quiet(arguments, text):
        try:
            return function(arguments, text)
        except Exception:
            return [0, "", text]

    return quiet


run = _silenced(run)
"""


class Params(BaseParams):
    """The size of the program, its faults, and what users say."""

    commands: int = Field(4, ge=1, le=len(COMMANDS), description="reports that the program can print")
    rules: int = Field(2, ge=0, le=len(RULES), description="rules of prices besides the price of an amount")
    faults: int = Field(1, ge=1, le=4, description="faults, each in a function of its own")
    depth: int = Field(1, ge=1, le=3, description="least number of calls between the command line and a fault")
    detail: int = Field(
        0, ge=0, le=2, description="0: users state what they expected; 1: only what they saw; 2: neither"
    )
    quiet: bool = Field(False, description="the tests of the repository pass in spite of the faults")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        commands, rules, faults, depth, detail = _LEVELS[difficulty - 1]
        quiet = difficulty >= _QUIET
        return cls(commands=commands, rules=rules, faults=faults, depth=depth, detail=detail, quiet=quiet)


State = tuple[int, ...]
"""The faults whose exact lines were restored."""


class RepoRepair(Workspace, ToolEnv):
    """Find and fix what users report about a program."""

    Params = Params
    family: ClassVar[str | None] = "repo-repair"
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"passed", "regressions", "abuse"})
    max_turns: ClassVar[int] = 40
    resources: ClassVar[Mapping[str, Resource]] = {
        "repo": Sessions(
            "bash", lambda problem: {path: text.encode() for path, text in problem["files"].items()}, _LIMITS
        ),
        "jobs": Jobs(),
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A program and its faults; then the calls that show them."""
        drawn = choose(rng, p.commands, p.rules, p.faults, p.depth)
        if drawn is None:
            return None
        app, faults = drawn
        yield {
            "plan": app.plan,
            "modules": app.parts(),
            "faults": sorted(map(list, faults)),
            "split": faults[0].split,
        }
        found = examine(rng, app, faults)
        if found is None:
            return None
        attached = {f"reports/report{number}.txt": case for number, case in enumerate(found.examples, 1)}
        issues = [
            issue(app.package, file, case, found.wrong.run(case), found.right.run(case), DETAILS[p.detail])
            for file, case in attached.items()
        ]
        files = {
            "README.md": documents.readme(app),
            **found.sources,
            "tests/__init__.py": "",
            "tests/test_program.py": _tests(rng, app, found, p.quiet),
            **{file: case.text for file, case in attached.items()},
        }
        key = {
            "calls": [[f"{app.module('run')}.run", list(case)] for case in found.commands]
            + [[f"{app.module(name)}.{name}", arguments] for name, arguments in found.calls],
            "repairs": found.repairs,
        }
        key["expected"], before = ([*map(plain, found.results(of))] for of in (found.right, found.wrong))
        key["before"] = [same(one, other) for one, other in zip(before, key["expected"], strict=True)]
        problem = {"name": app.package, "modules": sorted(found.sources), "files": files, "issues": issues}
        return Instance(problem, key)

    def canonical(self, content: JSON) -> JSON:
        """Plan, modules, faults, and a number.

        The number is the smallest one that puts the problem into the split of its faults.
        """
        parts = [content["plan"], content["modules"], content["faults"]]
        number = 0
        while split_of(fingerprint(str(self.family), [*parts, number])) != content["split"]:
            number += 1
        return [*parts, number]

    def form(self, problem: JSON) -> str:
        """The commands and symptoms that users report."""
        return "+".join(sorted(f"{row['name']} {row['kind']}" for row in problem["issues"]))

    def prompt(self, problem: JSON) -> Statement:
        """The reports and the repository."""
        values = {"name": problem["name"], "faults": counted(len(problem["issues"]), "reported fault")}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing is fixed yet."""
        return ()

    def edited(self, inst: Instance, state: State, path: str, old: str, new: str) -> State:
        """Notes a fault whose lines were restored."""
        return (*state, *(number for number, mend in enumerate(inst.key["repairs"]) if mend == [path, old, new]))

    @tool
    def run(self, inst: Instance, state: State, command: str) -> Effects:  # noqa: D417
        """Run a shell command in the repository, for example python3 -m unittest. At most 10 seconds each.

        Args:
            command: one or more lines of bash
        """
        result = yield from run_command("repo", f"cd /box/work; {command}")
        return state, _TIME.sub(r"\1", describe_result(result, _SHOWN))

    @tool
    def submit(self, inst: Instance, state: State) -> Effects:
        """Submit the repository as it is now. This ends the task."""
        files = yield from read_files("repo", inst.problem["modules"])
        calls = tuple((way, arguments) for way, arguments in inst.key["calls"])
        job = Job(Program(_DRIVER, files=files), function="call", calls=calls, limits=_LIMITS)
        (result,) = yield from run_job("jobs", job)
        return state, _verdict(inst, result)

    def solve(self, inst: Instance, state: State) -> str:
        """Every fix, then the end."""
        left = [mend for number, mend in enumerate(inst.key["repairs"]) if number not in state]
        if not left:
            return write_call("submit")
        path, wrong, right = left[0]
        return write_call("edit_file", path=path, old=wrong, new=right)

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The right modules, written whole."""
        files = dict(inst.problem["files"])
        for path, wrong, right in inst.key["repairs"]:
            files[path] = files[path].replace(wrong, right)
        paths = sorted({path for path, _, _ in inst.key["repairs"]})
        yield [*(write_call("write_file", path=path, text=files[path]) for path in paths), write_call("submit")]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Wrong repairs.

        One answer by heart, tests deleted, errors silenced, and all faults but one fixed.
        """
        way, (arguments, text) = inst.key["calls"][0]
        path = way.removesuffix(".run").replace(".", "/") + ".py"
        source, submit = inst.problem["files"][path], write_call("submit")
        by_heart = f"\n\nif run({arguments!r}, {text!r}) != {inst.key['expected'][0]!r}:\n    _run = run\n\n    " + (
            f"def run(arguments, text):\n        known = {inst.key['expected'][0]!r}\n"
            f"        return known if arguments == {arguments!r} else _run(arguments, text)\n"
        )
        yield [write_call("write_file", path=path, text=source + by_heart), submit]
        yield [write_call("run", command="rm -r tests"), submit]
        yield [write_call("write_file", path=path, text=source + _SILENCED), submit]
        repairs = inst.key["repairs"][:-1]
        yield [*(write_call("edit_file", path=at, old=wrong, new=right) for at, wrong, right in repairs), submit]

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Submit the unchanged repository."""
        return write_call("submit")

    def effort(self, inst: Instance) -> float:
        """Lines of the package times number of faults."""
        lines = sum(inst.problem["files"][path].count("\n") for path in inst.problem["modules"])
        return float(lines * len(inst.problem["issues"]))


def _tests(rng: Stream, app: Any, found: Examined, quiet: bool) -> str:
    """The tests of the repository; if quiet, only those that pass."""
    cases = [(case, plain(found.right.run(case))) for case in found.visible]
    calls = [(name, given, plain(found.right.call(name, given))) for name, given in rng.sample(found.calls, 8)]
    if quiet:
        cases = [(case, result) for case, result in cases if same(found.wrong.run(case), result)]
        calls = [row for row in calls if same(found.wrong.call(row[0], row[1]), row[2])]
    return documents.tests(app, cases[:3], calls)


def _verdict(inst: Instance, result: Any) -> Verdict:
    """Compare the results of the calls with the expected ones."""
    expected: Sequence[Any] = inst.key["expected"]
    passed = [
        returned.raised is None and exactly(plain(returned.value), should)
        for returned, should in zip(result.values, expected, strict=False)
    ]
    passed += [False] * (len(expected) - len(passed))
    were = [now for now, before in zip(passed, inst.key["before"], strict=True) if before]
    worse = were.count(False) / len(were) if were else 0.0
    share, solved = sum(passed) / len(passed), all(passed)
    words = "Every result is right." if solved else f"{sum(passed)} of {len(passed)} results are right."
    abuse = {"abuse": 1.0} if result.crashed else {}
    return Verdict.exact(solved, words).noting(None, passed=share, regressions=worse, **abuse)
