"""ExactText: a text that is determined character by character.

A member draws a problem and computes its text::

    class EditExactly(ExactText):
        def draw(self, rng, p): ...      # a problem
        def text(self, problem): ...     # the only right text
        def slips(self, problem): ...    # texts that usual mistakes lead to
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member
from envhub.verifiers.answers.verbatim import Verbatim


class ExactText(Member):
    """A text with exactly one right form."""

    unique: ClassVar[bool] = True
    answer = Verbatim(called="the whole text", sample="The first line.\nThe second line.")

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> JSON:
        """A problem; None to draw another one."""

    @abstractmethod
    def text(self, problem: JSON) -> str:
        """The only right text."""

    def slips(self, problem: JSON) -> Iterable[str]:
        """Texts of usual mistakes; the right one is ignored."""
        return ()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A problem; its text follows from it."""
        problem = self.draw(rng, p)
        return None if problem is None else Instance(problem)

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Compare every character; say in which line the first difference is."""
        right = self.text(inst.problem)
        if value == right:
            return Verdict.exact(True)
        pairs = zip(value.split("\n"), right.split("\n"), strict=False)
        line = next((at for at, (one, other) in enumerate(pairs, 1) if one != other), None)
        where = f"The first difference is in line {line}." if line else "Lines are missing or added at the end."
        return Verdict.exact(False, where)

    def solve(self, inst: Instance) -> str:
        """The text."""
        return self.text(inst.problem)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Texts of usual mistakes, and the right one with a line changed."""
        right = self.text(inst.problem)
        lines = right.split("\n")
        texts = [
            *self.slips(inst.problem),
            "\n".join(lines[1:]),
            "\n".join([*lines, lines[-1]]),
            right.replace(" ", "  ", 1),
        ]
        yield from (text for text in texts if text.strip() != right)
