"""Shared base of the environments of whole proofs, with several attempts.

A subclass draws a problem and states what a text must prove (:meth:`Attempts.asked`). The first text that the kernel
accepts scores 1 and ends the episode; any other gets feedback, until the attempts are used up: score 0. An unreadable
text also uses an attempt. Components: ``first``, whether the first attempt was accepted, and ``abuse``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import Acting, BaseParams, World, wording as w
from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.lean import wording
from envhub.generators.theorems import FAMILIES, Theorem, draw
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.proofs.checker import Proofs, check_proof, describe_report, verdict_of
from envhub.verifiers.proofs.proof import Statement

KERNEL: Final = "kernel"
"""The resource that judges proofs."""


class TheoremParams(BaseParams):
    """The theorem drawn, and the number of attempts."""

    family: str = Field("any", description=f"a kind of theorem ({', '.join(FAMILIES)}), or any")
    level: int = Field(1, ge=1, le=10, description="how long its proof is, 1 to 10")
    attempts: int = Field(4, ge=1, le=8, description="how many texts are judged in an episode")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The theorems of a level."""
        return cls(level=difficulty)


def drawn(rng: Stream, family: str, level: int, *, holds: bool = True) -> Theorem:
    """A theorem of a family, or of any family."""
    return draw(rng, rng.choice(FAMILIES) if family == "any" else family, level, holds=holds)


class Attempts(World):
    """Some attempts at a text that the kernel accepts.

    Attributes:
        usable: The rules on what a text may use.
        kernel: Name of the kernel.
    """

    Params: ClassVar[type[BaseParams]] = TheoremParams
    answer: AnswerType = Code(language="lean", sample="theorem example_only : True := by\n  exact True.intro")
    family: ClassVar[str | None] = "theorems"
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "first", "abuse"})
    max_turns: ClassVar[int] = 8
    resources: ClassVar[Mapping[str, Resource]] = {KERNEL: Proofs("lean")}
    usable: ClassVar[tuple[Phrase, ...]] = (wording.LIBRARY, wording.TACTICS, wording.FORBIDDEN)
    kernel: ClassVar[str] = "Lean"

    @abstractmethod
    def asked(self, inst: Instance, text: str) -> Statement | str:
        """The statement to prove, or the reason why it cannot be determined.

        The reason is in words for the policy.
        """

    def begin(self, inst: Instance, rng: Stream) -> int:
        """No attempts yet."""
        return 0

    def act(self, inst: Instance, state: int, value: str, rng: Stream) -> Acting:
        """Judge a text.

        The episode ends with the first accepted one, or with the last.
        """
        asked = self.asked(inst, value)
        if isinstance(asked, str):
            return self._missed(inst, state, Verdict.exact(False, asked))
        report = yield from check_proof(KERNEL, asked, value)
        if report.accepted or report.outcome == "abused":
            return Turn.end(state + 1, verdict_of(report).noting(None, first=float(report.accepted and state == 0)))
        return self._missed(inst, state, Verdict.exact(False, f"Not accepted.\n{describe_report(report)}"))

    def reject(self, inst: Instance, state: int, reason: str, feedback: str) -> Turn:
        """An unreadable text is an attempt."""
        return self._missed(inst, state, Verdict.no_answer(reason, feedback))

    def _missed(self, inst: Instance, state: int, verdict: Verdict) -> Turn:
        left = inst.problem["attempts"] - state - 1
        if left <= 0:
            return Turn.end(state + 1, verdict.noting(None, first=0.0))
        again = "Send the whole code again." if left > 1 else "Send the whole code again. This is the last attempt."
        return Turn(state + 1, f"{verdict.feedback}\n\nAttempts left: {left}. {again}")

    def stated(
        self, problem: JSON, task: Phrase, data: Variants[Rendering], *rules: Phrase, name: str = "asked"
    ) -> w.Statement:
        """The prompt.

        It says what a text must contain, how many attempts there are, and what may be used.
        """
        judged, values = wording.attempts(self.kernel, problem["attempts"])
        given = [wording.IN_SCOPE] if problem["preamble"] else []
        return w.Statement(
            task=task,
            data=data,
            problem=problem,
            rules=(*given, *rules, judged, *self.usable),
            values={**values, "name": name},
        )

    def solve(self, inst: Instance, state: int) -> str:
        """The proof it was drawn with, which is the key."""
        return str(inst.key)

    def effort(self, inst: Instance) -> float:
        """Number of inferences in the known proof."""
        return float(inst.problem["effort"])
