"""lean-tactic-v0: prove theorems in Lean, one tactic at a time.

One to three theorems are to be proved, one after the other. Action: one or more lines of tactics for the goals shown;
``undo`` reverts the last action. A rejected tactic changes nothing and is answered with the reason; an accepted one is
answered with the remaining goals. When none remain, the kernel checks the whole proof again, as in lean-proof-v0.
Score: 1 when all theorems are proved, else 0. Component: ``closed``, the share of the theorems that are proved; goals
do not count, so opening and closing goals earns nothing. Difficulty: longer proofs, then more of them.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import replace
from textwrap import dedent
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import Acting, BaseParams, Staged, World, wording as w
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.lean import tactic_wording
from envhub.envs.lean.attempts import KERNEL, drawn
from envhub.generators.theorems import FAMILIES
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.proofs.checker import Proofs, check_proof, describe_report
from envhub.verifiers.proofs.proof import ProofReport, Statement

_UNSOLVED: Final = "unsolved goals"
_COMMAND: Final = re.compile(
    r"\b(theorem|lemma|def|example|abbrev|structure|inductive|variable|open|universe|include|omit|noncomputable|termination_by)\b"
)
# theorems, and their level: the sum of the levels grows
_LEVELS: Final = ((1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (1, 8), (2, 5), (2, 6), (2, 8), (3, 7))


class Params(BaseParams):
    """The number and level of the theorems."""

    family: str = Field("any", description=f"a kind of theorem ({', '.join(FAMILIES)}), or any")
    theorems: int = Field(1, ge=1, le=4, description="how many theorems are to be proved")
    level: int = Field(1, ge=1, le=10, description="how long the proof of each is, 1 to 10")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        theorems, level = _LEVELS[difficulty - 1]
        return cls(theorems=theorems, level=level)


State = tuple[int, tuple[str, ...], tuple[str, ...]]
"""Number of proved theorems, the tactics of the next one, and its goals."""


class Tactic(World):
    """Prove theorems step by step."""

    Params = Params
    answer: AnswerType = Code(language="lean", sample="exact example_only")
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "closed", "abuse"})
    max_turns: ClassVar[int] = 96
    counted: ClassVar[bool] = True
    resources: ClassVar[Mapping[str, Resource]] = {KERNEL: Proofs("lean")}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Theorems with stepwise proofs, which are the key."""
        theorems = [drawn(rng, p.family, p.level) for _ in range(p.theorems)]
        yield [theorem.canonical for theorem in theorems]
        parts = [{"statement": each.lean.statement, "preamble": each.lean.preamble} for each in theorems]
        effort = sum(theorem.effort for theorem in theorems)
        return Instance({"theorems": parts, "effort": effort}, key=[list(each.lean.steps) for each in theorems])

    def prompt(self, problem: JSON) -> w.Statement:
        """The theorems, the first goal, and the rules."""
        several, first = len(problem["theorems"]) > 1, problem["theorems"][0]["statement"]
        return w.Statement(
            task=tactic_wording.TASK_OF_SEVERAL if several else tactic_wording.TASK,
            data=tactic_wording.DATA,
            problem={**problem, "goals": _shown((f"⊢ {first}",), 0, problem)},
            rules=tactic_wording.rules(problem),
            values={"messages": self.max_turns},
        )

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing is proved, and the first statement is open."""
        return 0, (), (f"⊢ {inst.problem['theorems'][0]['statement']}",)

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Acting:
        """Try a tactic."""
        proved, script, _ = state
        tactic = dedent(value).strip("\n").rstrip()
        if tactic.strip() == "undo":
            return (yield from self._undone(inst, state))
        if command := _COMMAND.search(tactic):
            return Turn(state, f"Only tactics are allowed, and {command[0]!r} is not one. Nothing has changed.")
        report = yield from self._checked(inst, proved, (*script, tactic))
        if report.outcome == "abused":
            return Turn.end(state, self._verdict(inst, state, "It took the kernel down.").noting(None, abuse=1.0))
        if report.accepted:
            return self._closed(inst, proved + 1)
        if not _only_unsolved(report):
            return Turn(
                state, f"The tactic failed, and nothing has changed.\n{describe_report(_moved(report, script))}"
            )
        return Turn((proved, (*script, tactic), report.goals), _shown(report.goals, proved, inst.problem))

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """Out of turns: score 0, with the share of the proved theorems."""
        return Verdict.no_answer("turn_limit", "The turns are used up.").noting(None, closed=self._share(inst, state))

    def _undone(self, inst: Instance, state: State) -> Generator[Effect, Outcome, Turn]:
        proved, script, _ = state
        if not script:
            return Turn(state, "There is nothing to undo.")
        goals: tuple[str, ...] = (f"⊢ {inst.problem['theorems'][proved]['statement']}",)
        if script[:-1]:
            report = yield from self._checked(inst, proved, script[:-1])
            goals = report.goals
        return Turn((proved, script[:-1], goals), _shown(goals, proved, inst.problem))

    def _checked(self, inst: Instance, at: int, script: tuple[str, ...]) -> Any:
        part = inst.problem["theorems"][at]
        lines = "\n".join(f"  {line}" for tactic in script for line in tactic.split("\n"))
        statement = Statement("asked", part["statement"], part["preamble"])
        return check_proof(KERNEL, statement, f"theorem asked : {part['statement']} := by\n{lines}")

    def _closed(self, inst: Instance, proved: int) -> Turn:
        theorems = inst.problem["theorems"]
        if proved == len(theorems):
            state: State = (proved, (), ())
            return Turn.end(state, self._verdict(inst, state, "The kernel accepts every proof."))
        goals = (f"⊢ {theorems[proved]['statement']}",)
        return Turn((proved, (), goals), f"The theorem is proved. {_shown(goals, proved, inst.problem)}")

    def _verdict(self, inst: Instance, state: State, words: str) -> Verdict:
        share = self._share(inst, state)
        return Verdict.exact(share == 1.0, words).noting(None, closed=share)

    def _share(self, inst: Instance, state: State) -> float:
        return state[0] / len(inst.problem["theorems"])

    def solve(self, inst: Instance, state: State) -> str:
        """The next step of the known proof.

        Steps outside it are undone first.
        """
        proved, script, _ = state
        steps = inst.key[proved]
        right = len(script) < len(steps) and list(script) == steps[: len(script)]
        return str(steps[len(script)]) if right else "undo"

    def effort(self, inst: Instance) -> float:
        """Total number of inferences in the known proofs."""
        return float(inst.problem["effort"])


def _shown(goals: tuple[str, ...], proved: int, problem: JSON) -> str:
    count, many = len(goals), len(problem["theorems"])
    of = f" in theorem {proved + 1} of {many}" if many > 1 else ""
    shown = "\n\n".join(goals)
    return f"{'One goal is' if count == 1 else f'{count} goals are'} left{of}:\n\n{shown}"


def _only_unsolved(report: ProofReport) -> bool:
    """Whether the only fault is an unfinished proof.

    It is reported at the proof's head, which is ours.
    """
    errors = [message for message in report.messages if message.severity == "error"]
    return bool(errors) and all(each.line == 1 and each.text.startswith(_UNSOLVED) for each in errors)


def _moved(report: ProofReport, script: tuple[str, ...]) -> ProofReport:
    """Positions counted from the tactic.

    The tactic is indented and follows the head and earlier tactics.
    """
    before = 1 + sum(tactic.count("\n") + 1 for tactic in script)
    messages = tuple(
        replace(each, line=max(1, each.line - before), column=max(0, each.column - 2)) for each in report.messages
    )
    return replace(report, messages=messages)
