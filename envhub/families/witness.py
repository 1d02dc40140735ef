"""Witness: the best object that satisfies the rules, and its value.

A member draws a problem, finds its proven optimum, and states what a witness is worth. Any witness of the best value
counts::

    class Knapsack(Witness):
        def draw(self, rng, p): ...               # a problem
        def best(self, problem): ...              # an Optimum: value, witness, steps
        def worth(self, problem, witness): ...    # its value, or a text that says which rule it breaks
        def write(self, value, witness): ...      # as an answer

Where every witness is as good as any other, the value is 0.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from envhub.authoring.environment import Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member
from envhub.generators.optimum import Optimum


class Witness(Member):
    """A witness and its value; the value must be the best possible.

    The answer type's values have the attributes ``witness`` and ``value``.
    """

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> JSON:
        """A problem; None to draw another one."""

    @abstractmethod
    def best(self, problem: JSON) -> Optimum | None:
        """The proven optimum; None to draw another problem."""

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

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """Whether a problem is worth asking, given its optimum.

        For instance, greedy methods must fail.
        """
        return True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem with its optimum, sought in the requested split only."""
        problem = self.draw(rng, p)
        if problem is None:
            return None
        yield problem
        found = self.best(problem)
        fair = found is not None and self.guard(problem, found, p)
        return Instance(problem, key=[found.value, found.witness]) if found is not None and fair else None

    def fault(self, inst: Instance, witness: Any, claimed: int) -> str:
        """The first fault of an answer; empty if it is right.

        The rules come first, then the stated value, then whether it is the best.
        """
        found = self.worth(inst.problem, witness)
        if isinstance(found, str):
            return found
        if claimed != found:
            return f"The value of this answer is {found}, not {claimed}."
        return "" if found == inst.key[0] else "There is a better one."

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Check the rules, the stated value and the optimum."""
        fault = self.fault(inst, value.witness, value.value)
        return Verdict.exact(not fault, fault)

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
            if self.fault(inst, other, claimed):
                yield self.write(claimed, other)

    def effort(self, inst: Instance) -> float:
        """Number of steps of the exact search."""
        found = self.best(inst.problem)
        return float(found.steps if found else 0)
