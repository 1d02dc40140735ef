"""Value: a question with one exact value.

A member draws a problem and computes its value::

    class GreatestDivisor(Value):
        Params = levels(digits=knob("digits of each number", 2, 2, 3, 3, 4, 4, 5, 5, 6, 7))
        answer = Integer()
        task = Phrase("Find the greatest common divisor of these numbers.", ..., held_out=...)
        data = Variants(listed, as_json, held_out=spelled, name="data")

        def draw(self, rng, p):
            return {"numbers": [rng.below(10**p.digits) for _ in range(2)]}

        def value(self, problem):
            return gcd(*problem["numbers"])

From these follow the key, the verdict, the oracle, and wrong answers for the audit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from envhub.authoring.environment import Sampled, Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member


class Value(Member):
    """A question with one exact value; the value alone decides."""

    unique: ClassVar[bool] = True

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> JSON:
        """A problem; None to draw another one."""

    @abstractmethod
    def value(self, problem: JSON) -> Any:
        """The value, as the answer type parses it."""

    def write(self, value: Any) -> str:
        """A value as an answer; commas separate the members of a tuple."""
        return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def slips(self, problem: JSON) -> Iterable[Any]:
        """Values of usual mistakes; a right one among them is ignored."""
        return ()

    def sample(self, rng: Stream, p: Any) -> Sampled:
        """A problem with its value."""
        problem = self.draw(rng, p)
        return None if problem is None else self._keyed(problem)

    def _keyed(self, problem: JSON) -> Instance:
        return Instance(problem, key=self.write(self.value(problem)))

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Compare with the value."""
        return Verdict.exact(self.answer.same(value, self.answer.parse(inst.key)))

    def solve(self, inst: Instance) -> str:
        """The value."""
        return str(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The values of usual mistakes."""
        right = self.answer.parse(inst.key)
        for slip in self.slips(inst.problem):
            if not self.answer.same(slip, right):
                yield self.write(slip)


class ProvedValue(Value):
    """A value that takes a search.

    The search is made only for problems of the requested split.
    """

    @abstractmethod
    def finish(self, rng: Stream, p: Any, problem: JSON) -> JSON:
        """The problem with the result of the search.

        None to draw another one. The canonical form may not depend on the search.
        """

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem, which decides the split; then the search."""
        problem = self.draw(rng, p)
        if problem is None:
            return None
        yield problem
        finished = self.finish(rng, p, problem)
        return None if finished is None else self._keyed(finished)
