"""What all families share: how a member states its problem.

A member declares its sentences as class attributes and draws its data in one or more renderings; the family composes
the statement and fills the fields of the sentences with the values of the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from envhub.authoring.single_turn import SingleTurn
from envhub.authoring.wording import Phrase, Statement, Variants
from envhub.authoring.wording.statement import Rendering
from envhub.core.types import JSON


class Member(SingleTurn):
    """One question and one answer, stated in phrases.

    Attributes:
        task: What to do.
        rules: One phrase per rule.
        note: A closing remark, such as that the solution is unique.
        data: Renderings of a problem as text, each with the sentences that explain its notation.
    """

    task: ClassVar[Phrase]
    rules: ClassVar[tuple[Phrase, ...]] = ()
    note: ClassVar[Phrase | None] = None
    data: ClassVar[Variants[Rendering]]

    def prompt(self, problem: JSON) -> Statement:
        """The task, the data and the rules."""
        return Statement(
            self.task, self.data, problem, self.rules_of(problem), self.note, {**problem, **self.values(problem)}
        )

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The rules of one problem; by default those of all."""
        return self.rules

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """Fields of the phrases, besides those of the problem."""
        return {}
