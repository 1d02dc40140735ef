"""ml-experiment-v0: learn from generated data in a Python session, and predict.

Action: tool calls. ``python`` runs code in a session with numpy, pandas and scikit-learn; ``submit`` scores the file
``submission.csv`` on the feedback rows; ``finish`` ends the task. The last valid submission is then scored on the hidden
rows, by accuracy, F1, AUC, MAP or RMSE. The score is that value between the best constant prediction, 0, and the best
prediction that the generator allows, 1; a task is solved from 0.7 on. Tables, time series, texts and small images are drawn
for each task. The component ``tool_calls`` counts the calls of ``python``; it is not part of the reward.

Targets of test rows, and which of them are hidden, never enter the session. Calls and submissions are counted, and so are
CPU seconds: each call may use ten, whatever it needs. The oracle submits the best prediction that the columns allow, whose
score is 1 by definition. Another one may score higher by chance, and then also gets 1.

Difficulty: fewer rows, and targets that depend on more columns in less simple ways; from level 7 on repeated rows, and from
level 8 on a column that is known too late. Two problems with the same data are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring import Acting, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.ml_experiment import wording
from envhub.envs.code.ml_experiment.draft import TASKS, draft, part_of
from envhub.envs.code.ml_experiment.parameters import Params
from envhub.envs.code.ml_experiment.scoring import SOLVED, baseline, measure, normalized
from envhub.envs.code.ml_experiment.submission import FILE, HEADER, ROW_BYTES, read_submission
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Effects, Sessions, describe_result, list_files, read_files, run_command

CPU_S: Final = 10
LIMITS: Final = Limits(
    wall_s=120, cpu_s=CPU_S, memory_mb=512, reserve_mb=4096, pids=64, output_bytes=1 << 16, file_mb=16, files=256
)
_SHOWN: Final = 4000


class State(NamedTuple):
    """What has been used, and the final score so far.

    Number of messages, of calls of python and of valid submissions. The score is that of the last submission, or None.
    """

    messages: int = 0
    calls: int = 0
    submissions: int = 0
    final: float | None = None


class MlExperiment(ToolEnv):
    """Learn from generated data in a Python session, and predict."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"tool_calls"})
    max_turns: ClassVar[int] = 42
    unfinished: ClassVar[str] = ""  # the last submission still counts
    slow: ClassVar[bool] = True
    resources: ClassVar[Mapping[str, Resource]] = {
        "python": Sessions(
            "python",
            lambda problem: {f"{name}.csv": problem[name].encode() for name in ("train", "test")},
            LIMITS,
            toolchain="science",
        )
    }

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Data of a kind. Targets of the test rows are the key."""
        return draft(rng, rng.choice(sorted(TASKS)) if p.task == "any" else p.task, p)

    def form(self, problem: JSON) -> str:
        """The kind of data and the metric."""
        return str(problem["task"])

    def prompt(self, problem: JSON) -> Statement:
        """The files, the budget and the metric."""
        return wording.statement(problem, CPU_S, _SHOWN)

    def messages(self, problem: JSON) -> int:
        """One for each call and submission, and two more."""
        return int(problem["calls"] + problem["attempts"] + 2)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing has been run or submitted."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """The calls of a message.

        After the last message, the last submission is scored.
        """
        return self._message(inst, state, action, rng)

    def _message(self, inst: Instance, state: State, action: str, rng: Stream) -> Effects:
        acted = super().advance(inst, state, action, rng)
        turn: Turn = acted if isinstance(acted, Turn) else (yield from acted)
        return self._counted(inst, turn)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        return self._counted(inst, Turn(state, feedback))

    def _counted(self, inst: Instance, turn: Turn) -> Turn:
        """The turn after a message. The last message ends the task."""
        state = turn.state._replace(messages=turn.state.messages + 1)
        if turn.verdict is None and state.messages >= self.messages(inst.problem):
            verdict = _verdict(state)
            return Turn.end(state, verdict, f"{turn.observation}\n\nThat was the last message. {verdict.feedback}")
        return replace(turn, state=state)

    @tool
    def python(self, inst: Instance, state: State, code: str) -> Effects:  # noqa: D417
        """Run Python code in the session and show what it prints.

        Args:
            code: the code to run
        """
        if state.calls >= inst.problem["calls"]:
            return state, "You have no calls of python left. Call submit or finish."
        result = yield from run_command("python", code)
        state = state._replace(calls=state.calls + 1)
        left = inst.problem["calls"] - state.calls
        return state, f"{describe_result(result, _SHOWN)}\n[calls of python left: {left}]"

    @tool
    def submit(self, inst: Instance, state: State) -> Effects:
        """Submit submission.csv and show its score on the feedback rows."""
        problem = inst.problem
        if state.submissions >= problem["attempts"]:
            return state, "You have no submissions left. Call finish."
        found = yield from _predictions(problem)
        if isinstance(found, str):
            return state, f"{found} This does not count as a submission."
        value, floor, _ = _values(inst, found, 0)
        hidden = _values(inst, found, 1)
        state = state._replace(submissions=state.submissions + 1, final=normalized(*hidden))
        return state, wording.score_text(problem, state.submissions, value, floor)

    @tool
    def finish(self, inst: Instance, state: State) -> tuple[State, Verdict]:
        """End the task. The last valid submission is scored on the hidden rows."""
        return state, _verdict(state)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The last valid submission counts."""
        return _verdict(state)

    def solve(self, inst: Instance, state: State) -> str:
        """Write the best predictions, submit them, finish."""
        if state.calls == 0:
            return write_call("python", code=_writing(inst.key["best"]))
        return write_call("finish" if state.submissions else "submit")

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The last of two submissions counts, in any order of rows.

        The task may end by running out of messages.
        """
        poor, best = _constant(inst), _writing(inst.key["best"], backwards=True)
        submit, finish = write_call("submit"), write_call("finish")
        yield [write_call("python", code=poor), submit, write_call("python", code=best), submit, finish]
        yield [write_call("python", code=best), submit, *[""] * (self.messages(inst.problem) - 2)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Constants, invalid files, a wrong order, a worse second submission."""
        submit, finish = write_call("submit"), write_call("finish")
        best = inst.key["best"]
        moved = [*best[1:], best[0]]
        for code in (_constant(inst), _writing(best[:-1]), _writing(["nan"] * len(best)), _writing(moved)):
            yield [write_call("python", code=code), submit, finish]
        yield [
            *(write_call("python", code=_writing(best)), submit),
            *(write_call("python", code=_constant(inst)), submit, finish),
        ]
        yield [write_call("python", code=_writing(best)), finish]

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Submit something, or finish."""
        return write_call(rng.choice(("submit", "finish")))

    def effort(self, inst: Instance) -> float:
        """Complexity of the data and number of traps, per training row."""
        return float(1000 * inst.key["complexity"] / inst.problem["rows"][0])


def _predictions(problem: JSON) -> Effects:
    """The predictions in the working directory, or what is wrong with them."""
    listing = yield from list_files("python")
    entry = next((entry for entry in listing.entries if entry.path == FILE), None)
    if entry is None or entry.kind != "file":
        kind = "there is none" if entry is None else f"it is a {entry.kind}"
        return f"The working directory must contain the file {FILE}; {kind}."
    most = ROW_BYTES * (problem["rows"][1] + 1)
    if entry.size > most:  # what is read is recorded
        return f"{FILE} must have at most {most} bytes, got {entry.size}."
    contents = yield from read_files("python", [FILE])
    return read_submission(contents.get(FILE, b""), problem["rows"][1], problem["labels"])


def _values(inst: Instance, predictions: Sequence[str], part: int) -> tuple[float, float, float]:
    """Value, baseline and ceiling on the rows of a part.

    Part 0 is the feedback rows, part 1 the hidden rows.
    """
    metric, key = inst.problem["metric"], inst.key
    truth, groups, best, predicted = part_of(key, part, key["truth"], key["groups"], key["best"], predictions)
    ceiling = measure(metric, truth, best, groups)
    return measure(metric, truth, predicted, groups), baseline(metric, truth, groups), ceiling


def _verdict(state: State) -> Verdict:
    if state.final is None:
        return Verdict.no_answer("empty", "There was no valid submission.").noting(None, tool_calls=float(state.calls))
    solved = state.final >= SOLVED
    words = f"The final score is {state.final:.3f}; {SOLVED} or more is a success."
    return Verdict(state.final, solved=solved, feedback=words).noting(None, tool_calls=float(state.calls))


def _writing(predictions: Sequence[str], *, backwards: bool = False) -> str:
    """Code that writes a submission."""
    order = "reversed" if backwards else "list"
    return (
        f"predictions = {' '.join(predictions)!r}.split()\n"
        f"rows = {order}(list(enumerate(predictions, 1)))\n"
        f"open({FILE!r}, 'w').write({HEADER!r} + '\\n' + ''.join(f'{{at}},{{each}}\\n' for at, each in rows))"
    )


def _constant(inst: Instance) -> str:
    """Code that submits the same prediction for every row."""
    labels = inst.problem["labels"]
    return _writing([labels[-1] if labels else "0.5"] * inst.problem["rows"][1])
