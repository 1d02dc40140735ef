"""swe-dataset-v0: repair repositories from your file, in your Docker images.

Rows are those of SWE-bench, SWE-rebench, SWE-smith or R2E-Gym (:mod:`envhub.generators.user_files.repairs`). The policy works
in a container of the row's image, without a network; images are pulled only with ``pull=true``. Action: tool calls, as in
repo-repair-v0, besides ``apply_patch``; each command of ``run`` starts a new shell. After ``submit`` the changed files are
copied to a fresh container, the tests of the row are added, and pytest runs: score 1 if every test of FAIL_TO_PASS and
PASS_TO_PASS passes, else 0. Changes to tests, to settings of pytest and to ``.git`` are not copied. If a container fails or
the tests do not end in time, the verdict is an ``error``.

The code under test runs in the process of pytest. Two tests of ours with drawn names, one of which fails, show whether it
changes outcomes (``abuse``); code that forges the outcomes of all other tests and not of these is not found out.

Components: ``passed``, the share of those tests that pass, and ``abuse``. Difficulty: a column ``difficulty`` with 1 to 10,
else every level is the same; effort is the length of the repair. An instance is its statement, ignoring case and spacing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from pydantic import Field

from envhub.authoring import Acting, Staged, ToolEnv, tool, write_call
from envhub.authoring.user_file import UserFile
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.effects import Check, Exec, Query, Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.repo_repair.workspace import Workspace
from envhub.envs.code.swe.containers import Judges, Repositories
from envhub.envs.code.swe.reports import passed
from envhub.generators.user_files.patches import parse
from envhub.generators.user_files.repairs import RepairTask, repairs
from envhub.sandbox.resource import Effects, describe_result, run_command

_SHOWN: Final = 10_000
_LISTED: Final = 2000
_TASK: Final = Phrase(
    "Resolve this issue of a repository.",
    "Change the repository so that this issue is resolved.",
    "A user of a repository reports this issue. Fix the code.",
    held_out="Edit the code of the repository until the following issue is settled.",
)
_PLACE: Final = Phrase(
    "The repository is in {folder}, where your commands run. There is no network.",
    "You work in {folder}, a checkout of the repository, without a network.",
    "Your commands run in {folder}, which is the repository. The network is off.",
    held_out="Working directory: {folder} (the repository). Network: none.",
)
_GRADED: Final = Phrase(
    "After submit, hidden tests and existing tests are run on your files; all of them must pass.",
    "When you submit, hidden tests and the existing ones run on your files, and each must pass.",
    "You are graded by hidden tests and existing tests, which run after submit; none may fail.",
    held_out="Grading after submit: hidden tests plus existing tests on your files, all of which have to pass.",
)
_IGNORED: Final = Phrase(
    "Changes to tests and to the settings of pytest are not graded.",
    "What you change in tests or in settings of pytest is ignored.",
    "Edits of tests and of the settings of pytest do not count.",
    held_out="Ignored for grading: modified tests and modified settings of pytest.",
)


def _plainly(problem: JSON) -> str:
    return str(problem["statement"])


def _quoted(problem: JSON) -> str:
    return "\n".join(f"> {line}".rstrip() for line in problem["statement"].split("\n"))


def _between(problem: JSON) -> str:
    return f"<issue>\n{problem['statement']}\n</issue>"


def _headed(problem: JSON) -> str:
    return f"Issue:\n\n{problem['statement']}"


_DATA: Final[Variants[Rendering]] = Variants(_plainly, _between, _quoted, held_out=_headed, name="data")


class Params(UserFile):
    """The file, and what its rows do not say."""

    path: str = Field("", description="the file of instances, .jsonl or .parquet")
    image: str = Field("", description="image of rows that name none; {id} stands for the instance")
    command: str = Field("", description="command of rows that have none; python -m pytest or R2E-Gym's if empty")
    folder: str = Field("", description="the repository in the images; /testbed if empty")
    seconds: float = Field(1800.0, gt=0, le=36_000, description="time for the tests of a verdict, on the clock")
    pull: bool = Field(False, description="whether images that the daemon lacks are pulled")

    def look(self) -> None:
        """Find the tasks of the level."""
        self.rows()

    def rows(self) -> Sequence[RepairTask]:
        """The tasks of the level."""
        return repairs(self.path, self.digest, self.image, self.command, self.folder).at(self.level)


class State(NamedTuple):
    """Whether the fault is in place, and the oracle's steps so far."""

    begun: bool = False
    repaired: int = 0


class SweDataset(Workspace, ToolEnv):
    """Repair repositories from a file."""

    Params = Params
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = frozenset({"passed", "abuse"})
    max_turns: ClassVar[int] = 100
    resources: ClassVar[Mapping[str, Resource]] = {"repo": Repositories(), "judge": Judges()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row; the split is decided on its statement."""
        chosen = rng.choice(p.rows())
        yield chosen.statement
        problem = {"statement": chosen.statement, "image": chosen.image, "folder": chosen.folder, "pull": p.pull}
        problem["hidden"] = list(chosen.hidden)
        return Instance(problem, {**chosen.to_json(), "broken": chosen.broken, "seconds": p.seconds})

    def canonical(self, content: JSON) -> JSON:
        """The statement case-folded, with single spaces."""
        return " ".join(content.split()).casefold()

    def prompt(self, problem: JSON) -> Statement:
        """The issue."""
        rules = (_PLACE, _GRADED, _IGNORED, SUBMIT_ONCE)
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=rules, values={"folder": problem["folder"]})

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing has happened."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """The calls of a message.

        A fault that the image lacks is put in before the first.
        """
        return self._message(inst, state, action, rng)

    def _message(self, inst: Instance, state: State, action: str, rng: Stream) -> Effects:
        if not state.begun and inst.key["broken"]:
            outcome = yield Exec("repo", ["patch", inst.key["broken"]])
            if outcome.data:
                return Turn.end(state, Verdict.failed("instance", f"The row does not fit its image. {outcome.data}"))
        acted = super().advance(inst, state._replace(begun=True), action, rng)
        return acted if isinstance(acted, Turn) else (yield from acted)

    def work_folder(self, inst: Instance) -> str:
        """The repository in the image."""
        return str(inst.problem["folder"])

    def edited(self, inst: Instance, state: State, path: str, old: str, new: str) -> State:
        """Counts the files that the oracle has written."""
        return state._replace(repaired=state.repaired + (inst.key["gold_files"].get(path) == new))

    @tool
    def list_files(self, inst: Instance, state: State) -> Effects:
        """List all files of the repository, at most 2,000."""
        listing = "find . -type f -not -path './.git/*' | LC_ALL=C sort"
        result = yield from run_command("repo", f"{listing} | head -n {_LISTED}")
        return state, describe_result(result, 3 * _SHOWN)

    @tool
    def apply_patch(self, inst: Instance, state: State, patch: str) -> Effects:  # noqa: D417
        """Apply a unified diff to the repository, or nothing of it if a part does not fit.

        Args:
            patch: the diff, with the lines --- a/FILE and +++ b/FILE
        """
        outcome = yield Exec("repo", ["patch", patch])
        ours = patch == inst.key["gold"] and not outcome.data
        return state._replace(repaired=state.repaired + ours), outcome.data or "The patch was applied."

    @tool
    def run(self, inst: Instance, state: State, command: str) -> Effects:  # noqa: D417
        """Run a shell command in the repository. At most 60 seconds each; every command starts a new shell.

        Args:
            command: one or more lines of bash
        """
        result = yield from run_command("repo", command)
        return state, describe_result(result, _SHOWN)

    @tool
    def submit(self, inst: Instance, state: State) -> Effects:
        """Submit the repository as it is now. This ends the task."""
        key = inst.key
        tests = {change.new or change.old for change in (parse(key["test_patch"]) if key["test_patch"] else [])}
        named = {name.partition("::")[0] for name in key["must_pass"] if "::" in name}
        never = sorted({*filter(None, tests), *named, *key["test_files"]})
        mended = [change.new or change.old for change in (parse(key["gold"]) if key["gold"] else [])]
        kept = {"never": never, "always": sorted({*filter(None, mended), *key["gold_files"]})}
        changes = yield Query("repo", ["changes", kept])
        if changes.data is None:
            return state, Verdict.exact(False, "Too many files were changed.")
        asked = {name: key[name] for name in ("broken", "test_patch", "test_files", "command", "seconds")}
        folders = {path.rpartition("/")[0] for path in key["test_files"]}
        paths = sorted(named) or sorted(folders) or never
        found = yield Check("judge", {**asked, "files": changes.data, "paths": paths})
        return state, _verdict(inst, found.data)

    def solve(self, inst: Instance, state: State) -> str:
        """The repair of the row, then the end."""
        gold, files = inst.key["gold"], sorted(inst.key["gold_files"])
        if gold and not state.repaired:
            return write_call("apply_patch", patch=gold)
        if state.repaired < len(files):
            path = files[state.repaired]
            return write_call("write_file", path=path, text=inst.key["gold_files"][path])
        return write_call("submit")

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Submit the unchanged repository."""
        return write_call("submit")

    def effort(self, inst: Instance) -> float:
        """Characters of the repair."""
        return float(len(inst.key["gold"]) + sum(map(len, inst.key["gold_files"].values())))


def _verdict(inst: Instance, found: Any) -> Verdict:
    """Every test that must pass, if the outcomes can be believed."""
    must = inst.key["must_pass"]
    right = sum(passed(name, found["outcomes"]) for name in must) if found["honest"] else 0
    words = f"{right} of {len(must)} tests pass." if found["honest"] else "The tests did not run as they should."
    abuse = {"abuse": 1.0} if found["forged"] else {}
    return Verdict.exact(right == len(must), words).noting(None, passed=right / len(must), **abuse)
