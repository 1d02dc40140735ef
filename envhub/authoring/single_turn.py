"""SingleTurn: one question, one answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any, Final

from envhub.authoring.environment import Acting, Environment, rejected
from envhub.authoring.wording import Wording
from envhub.core.effects import Effect, Outcome
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn, Verdict
from envhub.verifiers.answers.types import Reading

Grading = Verdict | Generator[Effect, Outcome, Verdict]

_CORRECT: Final = "Correct."
_WRONG: Final = "That is not correct."


class SingleTurn(Environment):
    """One question, one answer."""

    @abstractmethod
    def grade(self, inst: Instance, value: Any) -> Grading:
        """Judge a parsed answer by the constraints of the problem."""

    @abstractmethod
    def solve(self, inst: Instance) -> str:
        """A correct answer, without tags."""

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Other correct answers, or other forms of the same one, without tags.

        The audit requires that all are accepted.
        """
        return iter(())

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Typical wrong answers, without tags. The audit requires that none is accepted."""
        return iter(())

    def __init__(
        self, answer_format: str | None = None, wording: Wording | None = None, observation: str = "text"
    ) -> None:
        super().__init__(answer_format, wording, observation)
        self._example = self.answer.parse(self.answer.example)

    def accepts(self, inst: Instance) -> bool:
        """Reject an instance that the example in the prompt would solve."""
        example = self.example(inst.problem)
        value = self._example if example == self.answer.example else self.answer.parse(example)
        verdict = self.grade(inst, value)
        return not (isinstance(verdict, Verdict) and verdict.solved)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Read the answer and grade it."""
        reading = self.answer.read(action)
        if reading.reason is not None:
            return rejected(self.reject(inst, state, reading.reason, reading.feedback), reading.reason)
        graded = self.grade(inst, reading.value)
        return _finish(graded, reading) if isinstance(graded, Verdict) else await_grade(graded, reading)

    def reject(self, inst: Instance, state: Any, reason: str, feedback: str) -> Turn:
        """End the episode with score 0."""
        return Turn.end(state, Verdict.no_answer(reason, feedback))

    def oracle(self, inst: Instance, state: Any) -> str:
        """The correct answer in the requested form."""
        return self.answer.wrap(self.solve(inst))


def await_grade(grading: Generator[Effect, Outcome, Verdict], reading: Reading) -> Generator[Effect, Outcome, Turn]:
    """The last turn, with a verdict that takes effects."""
    return _finish((yield from grading), reading)


def _finish(verdict: Verdict, reading: Reading) -> Turn:
    if verdict.error is not None:
        return Turn.end(None, replace(verdict, answer=reading.text))
    feedback = verdict.feedback or (_CORRECT if verdict.solved else _WRONG)
    components = {**verdict.components, "format": float(reading.formatted)}
    noted = Verdict(
        verdict.score,
        verdict.status,
        verdict.solved,
        components,
        verdict.payoff,
        reading.text,
        feedback,
        verdict.reason,
    )
    return Turn.end(None, noted)
