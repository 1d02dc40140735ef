"""Witness: the best object that satisfies the rules, and its value.

A member draws a problem, finds its proven optimum, and states what a witness is worth. Any witness of the best value
counts::

    class Knapsack(Witness):
        def draw(self, rng, p): ...               # a problem
        def best(self, problem): ...              # (value, witness), proven
        def worth(self, problem, witness): ...    # its value, or a text that says which rule it breaks
        def write(self, value, witness): ...      # as an answer
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member


class Witness(Member):
    """A witness and its value; the value must be the best possible.

    The answer type's values have the attributes ``witness`` and ``value``.
    """

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> JSON:
        """A problem; None to draw another one."""

    @abstractmethod
    def best(self, problem: JSON) -> tuple[int, Any] | None:
        """The proven best value and a witness; None to draw another problem."""

    @abstractmethod
    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The value of a witness, or the rule that it breaks."""

    @abstractmethod
    def write(self, value: int, witness: Any) -> str:
        """A witness and a value as an answer."""

    def others(self, problem: JSON, witness: Any) -> Iterable[Any]:
        """Other witnesses of the same value."""
        return ()

    def slips(self, problem: JSON, value: int, witness: Any) -> Iterable[tuple[int, Any]]:
        """Values and witnesses of usual mistakes; right ones are ignored."""
        return ()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A problem with its optimum."""
        problem = self.draw(rng, p)
        found = None if problem is None else self.best(problem)
        return None if found is None else Instance(problem, key=[found[0], found[1]])

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Check the rules, the stated value, and that it is best."""
        found = self.worth(inst.problem, value.witness)
        if isinstance(found, str):
            return Verdict.exact(False, found)
        if value.value != found:
            return Verdict.exact(False, f"The value of this answer is {found}, not {value.value}.")
        return Verdict.exact(found == inst.key[0], "" if found == inst.key[0] else "There is a better one.")

    def solve(self, inst: Instance) -> str:
        """The best witness and its value."""
        return self.write(*inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Other best witnesses."""
        value, witness = inst.key
        yield from (self.write(value, other) for other in self.others(inst.problem, witness))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Wrong values, and witnesses that are not feasible or not the best."""
        value, witness = inst.key
        yield from (self.write(value + step, witness) for step in (1, -1))
        for claimed, other in self.slips(inst.problem, value, witness):
            if claimed != value or self.worth(inst.problem, other) != value:
                yield self.write(claimed, other)
