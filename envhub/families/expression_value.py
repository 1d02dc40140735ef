"""ExpressionValue: a question whose answer is a mathematical object, compared by proof.

A member draws a problem together with its answer, mostly backward (a derivative from its function, a polynomial from its
roots), and may judge by the problem's own condition::

    class Differentiate(ExpressionValue):
        answer = Exact(kind="expression", options={"variables": ["x"]}, shown="17x^5")
        data = formulas(lambda problem: {"f(x)": problem["function"]})

        def draw(self, rng, p):
            function = random_function(rng, p.depth)
            return {"function": function}, plain(derivative(function, "x"))

Equality is proved (:mod:`envhub.verifiers.math.proof`), so no wrong answer counts. An answer about which nothing is proved
is not graded: its verdict is an error. ``unique`` stays False, because the audit would compare thousands of texts; the tests
of the family do that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member
from envhub.verifiers.answers.exact import Exact
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.math.forms import is_expanded

UNDECIDED: Final = "undecided"


class ExpressionValue(Member):
    """A question whose answer is a mathematical object."""

    one_text: ClassVar[bool] = False
    """Whether ``draw`` writes equal answers with the same text, in the form of the example; then texts tell them apart."""
    expanded: ClassVar[bool] = False
    """Whether the answer consists of polynomials that must be multiplied out."""
    answer: Exact

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A problem with its answer; None to draw another one."""

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The verdict on an answer, feedback on it, or None.

        Feedback is a string that says what is wrong. None means undecided.
        """
        same = self.answer.compare(right, given)
        return same and (not self.expanded or _is_expanded(given.value) or "Multiply out and combine like terms.")

    def forms(self, problem: JSON, right: str) -> Iterable[str]:
        """The right answer in other forms."""
        return ()

    def slips(self, problem: JSON, right: str) -> Iterable[str]:
        """Answers that usual mistakes lead to; right ones among them are ignored."""
        return ()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A problem with its answer."""
        drawn = self.draw(rng, p)
        return None if drawn is None else Instance(drawn[0], key=drawn[1])

    def accepts(self, inst: Instance) -> bool:
        """Reject an instance that the example in the prompt would solve."""
        return inst.key != self.example(inst.problem) if self.one_text else super().accepts(inst)

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Judge by proof."""
        found = self.judge(inst.problem, self.answer.parse(inst.key), value)
        if found is None:
            return Verdict.failed(UNDECIDED, "The answer was neither proved right nor proved wrong.")
        return Verdict.exact(found is True, found if isinstance(found, str) else "")

    def solve(self, inst: Instance) -> str:
        """The right answer."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Other forms of the right answer."""
        yield from self.forms(inst.problem, inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The answers of usual mistakes."""
        for slip in self.slips(inst.problem, inst.key):
            try:
                solved = self.grade(inst, self.answer.parse(slip)).solved
            except Unreadable:
                solved = False
            if not solved:
                yield slip


def _is_expanded(found: Any) -> bool:
    """Whether an expression, or every one of several, is multiplied out."""
    return all(map(is_expanded, found if isinstance(found, tuple) else [found]))
