"""proposer-v0: propose a task whose solve rate is near a target.

Rules: the policy writes a function f with a call (deduction: what does it return; abduction: which arguments return this
value) or eight calls (induction: which function is it). The jail runs the proposal in three fresh processes. It must keep
the rules of the prompt: an allow-list of Python, required constructs and types, no statement without effect, no copy of an
example. Then the solve rate of the solver decides. ``opponent="rules"`` solves by fixed rules, whose rate is computed
exactly from counts; ``"self"`` lets the policy solve its own task in the next seats, each paid by its own answer
(``info["payoffs"]``); a URL asks a model. Valid proposals are in ``info["proposal"]`` and become tasks of
``proposed-v0``.

Action: one block of Python. Score: 1 within the tolerance, else the learnability of the rate, which is also the payoff
(:mod:`envhub.envs.code.proposer.rates`). Difficulty: a
smaller distance from the target, more required constructs, more examples; effort is their product.

Not folded: other names for the same requirements.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, ClassVar, Final

from envhub.authoring import Acting, Staged, World
from envhub.authoring.wording import Statement
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.proposer import wording
from envhub.envs.code.proposer.arguments import CALLS, NAMES, call, domain
from envhub.envs.code.proposer.bench import measure
from envhub.envs.code.proposer.counting_wording import COUNTED, EARNED, SHARED
from envhub.envs.code.proposer.judging import Unusable, invalid, measured, rate_of, request
from envhub.envs.code.proposer.model_solver import ModelSolvers, model_rate
from envhub.envs.code.proposer.parameters import Params, draw
from envhub.envs.code.proposer.proposals import KINDS
from envhub.envs.code.proposer.questions import answer_of, asked, right_answer, solved
from envhub.envs.code.proposer.templates import example, propose
from envhub.envs.code.proposer.verdicts import ended, paid
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code

JOBS: Final = "jobs"
SOLVER: Final = "solver"
Judged = Generator[Effect, Outcome, Turn]


class Proposer(World):
    """Propose tasks that a solver can learn from.

    Attributes:
        seats: The proposer and a solver; with the opponent ``self``, further solvers follow.
    """

    Params = Params
    answer: AnswerType = Code(sample="def f(n):\n    return n\n\nf(1)", most=4_000)
    slow: ClassVar[bool] = True
    max_turns: ClassVar[int] = 17
    seats: ClassVar[int] = 2
    components: ClassVar[frozenset[str]] = frozenset({"format", "valid", "rate", "learnability"})
    resources: ClassVar[Mapping[str, Resource]] = {JOBS: Jobs(), SOLVER: ModelSolvers()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Requirements, and a proposal that meets them."""
        problem = draw(rng, p)
        yield problem
        source = propose(rng, problem)
        if source is None or invalid(problem, measure(request(problem, source))) is not None:
            return None
        return Instance(problem, key=source)

    def canonical(self, content: JSON) -> JSON:
        """The requirements without solver and pay."""
        return {
            name: value for name, value in content.items() if name not in ("opponent", "attempts", "player", "pays")
        }

    def form(self, problem: JSON) -> str:
        """The kind of task, the argument and the result."""
        return f"{problem['kind']} {problem['argument']} {problem['returns']}"

    def prompt(self, problem: JSON) -> Statement:
        """The requirements, the solver, the rules and the pay."""
        kind, opponent = problem["kind"], problem["opponent"]
        solver = (wording.SOLVER[kind], *COUNTED[kind]) if opponent == "rules" else (wording.MODEL,)
        earned = () if problem["pays"] != "target" else (SHARED if opponent == "self" else EARNED,)
        rules = (*solver, wording.PAY[problem["pays"]], *earned, wording.LANGUAGE, wording.WHOLE, wording.MATTERS)
        return Statement(
            task=wording.TASK[problem["kind"]],
            data=wording.DATA,
            problem=problem,
            rules=(*rules, wording.LIMITS, wording.SOURCE, wording.EFFORT, wording.CALLED, wording.INVALID),
            values=wording.values(problem),
        )

    def example(self, problem: JSON) -> str:
        """The first example with calls; it is refused as a copy."""
        count = CALLS if problem["kind"] == "induction" else 1
        return "\n\n".join([problem["references"][0], "\n".join(map(call, domain(problem["argument"])[:count]))])

    def messages(self, problem: JSON) -> int:
        """One, and in self-play one for each attempt."""
        return 1 + problem["attempts"] if problem["opponent"] == "self" else 1

    def directions(self, problem: JSON) -> str:
        """How to write a proposal."""
        return self.answer.instruction(example=self.example(problem))

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Judge a proposal, or in self-play an attempt."""
        if state is not None:
            return self._attempted(inst, state, action)
        reading = self.answer.read(action)
        if reading.reason is not None:
            return ended(inst, None, Verdict.no_answer(reading.reason, reading.feedback))
        return self._proposed(inst, reading.value, reading.text, reading.formatted)

    def act(self, inst: Instance, state: Any, value: Any, rng: Stream) -> Acting:
        """Judge a proposal that has been read."""
        return self._proposed(inst, value, None, True)

    def _proposed(self, inst: Instance, source: str, text: str | None, formatted: bool) -> Judged:
        problem = inst.problem
        try:
            found = yield from measured(JOBS, problem, source)
            why = invalid(problem, found)
            if why is not None:
                verdict = Verdict(0.0, "graded", False, {"valid": 0.0}, feedback=f"The proposal is invalid. {why}")
                return ended(inst, None, verdict.noting(text, format=float(formatted)))
            state = {
                "challenge": {
                    "kind": problem["kind"],
                    "argument": problem["argument"],
                    "source": found["source"],
                    "calls": found["arguments"],
                },
                "values": found["values"],
                "right": [],
                "answer": text,
                "format": float(formatted),
            }
            if problem["opponent"] == "self":
                return self._ask(state)
            if problem["opponent"] == "rules":
                rate = rate_of(problem, found)
            else:
                rate = yield from model_rate(SOLVER, JOBS, problem, state)
        except Unusable as failed:
            return ended(inst, None, Verdict.failed("proposal_not_judged", str(failed)))
        return paid(inst, state, rate)

    def _solver(self, state: Mapping[str, Any]) -> AnswerType:
        return answer_of(state["challenge"]["kind"], self.answer_format)

    def _ask(self, state: dict[str, Any]) -> Turn:
        """The question of the next seat, a whole prompt."""
        question = asked(state["challenge"], state["values"], self.answer_format)
        return Turn(state, question, info={"player": len(state["right"]) + 1})

    def _attempted(self, inst: Instance, state: dict[str, Any], action: str) -> Judged:
        reading = self._solver(state).read(action)
        try:
            right = reading.reason is None and (
                yield from solved(JOBS, state["challenge"], state["values"], reading.value)
            )
        except Unusable as failed:
            return ended(inst, None, Verdict.failed("attempt_not_judged", str(failed)))
        if right is None:
            return ended(inst, None, Verdict.failed("attempt_not_judged", "The sandbox failed."))
        state = {**state, "right": [*state["right"], float(right)]}
        if len(state["right"]) < inst.problem["attempts"]:
            return self._ask(state)
        return paid(inst, state, sum(state["right"]) / len(state["right"]))

    def solve(self, inst: Instance, state: Any) -> str:
        """A proposal with a rate near the target.

        In self-play, right answers follow as often as the target demands.
        """
        if state is None:
            return f"```python\n{inst.key}\n```"
        done, wanted = len(state["right"]), round(inst.problem["target"] * inst.problem["attempts"] / 100)
        return right_answer(state["challenge"], state["values"], inst.key) if done < wanted else "0"

    def oracle(self, inst: Instance, state: Any) -> str:
        """:meth:`solve` in the requested form."""
        text = self.solve(inst, state)
        return self.answer.wrap(text) if state is None else self._solver(state).wrap(text)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A program of ours with calls, whatever is required."""
        argument, kind = rng.choice(list(NAMES)), rng.choice(KINDS)
        calls = rng.sample(domain(argument), CALLS if kind == "induction" else 1)
        return self.answer.wrap("\n\n".join([example(rng, argument), "\n".join(map(call, calls))]))

    def effort(self, inst: Instance) -> float:
        """Requirements and examples, divided by the tolerance."""
        problem = inst.problem
        return float((4 + len(problem["references"])) * 50 / problem["tolerance"])

    def exhausted(self, inst: Instance, state: Any) -> Verdict:
        """Not reached: every message ends the episode or is an attempt."""
        return Verdict(0.0, "no_answer", False, payoff=0.0, reason="turn_limit")
