"""knights-knaves-v0: find out who tells the truth and who lies.

Rules: a knight's statement is true, a knave's false; each person makes one. Exactly one assignment fits, proved by
trying all ``2**n``; the roles are drawn first and uniformly, so no constant answer is right more often than once in
``2**n``.

Action: a role for each person, ``Ann: knight, Bob: knave``, judged by the statements themselves. Difficulty: more
people and more deeply nested statements; effort is the statement parts checked when trying every assignment until a
statement fails.

Names, the order of the people and the order within "and", "or" and the like do not change the content. Not folded:
people that their statements (and how often each other person mentions them) do not distinguish, and statements that
mean the same in other words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.logic.knights_knaves import statements as propositions, wording
from envhub.verifiers.answers.labels import Labels
from envhub.verifiers.answers.types import AnswerType

_NAMES: Final = (
    "Alice", "Bob", "Carol", "David", "Emma", "Frank", "Grace", "Henry", "Irene", "Jack", "Karen", "Leo", "Maria",
    "Nathan", "Olivia", "Peter", "Quinn", "Rosa", "Samuel", "Tina", "Ulrich", "Vera", "Walter", "Zoe",
)  # fmt: skip
_STRANGERS: Final = (
    "Xenia", "Yorick", "Wanda", "Victor", "Ursula", "Theo", "Stella", "Ruben", "Ophelia", "Norman", "Milo", "Lydia",
)  # fmt: skip
"""Names that no puzzle has, for the example of the answer."""
_LEVELS: Final[tuple[tuple[int, int, Literal["basic", "all"]], ...]] = (
    (3, 1, "basic"),
    (4, 1, "basic"),
    (4, 2, "basic"),
    (5, 1, "all"),
    (5, 2, "all"),
    (6, 2, "all"),
    (7, 2, "all"),
    (8, 2, "all"),
    (9, 3, "all"),
    (10, 3, "all"),
)


class Params(BaseParams):
    """The number of people and the form of their statements."""

    people: int = Field(4, ge=3, le=12, description="how many people there are")
    depth: int = Field(1, ge=1, le=4, description="how deeply statements are composed")
    connectives: Literal["basic", "all"] = Field(
        "all", description="basic: not, and, or, same kind; all: if, if and only if, exactly k as well"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        people, depth, connectives = _LEVELS[difficulty - 1]
        return cls(people=people, depth=depth, connectives=connectives)


class _Roles(Labels):
    """Knight or knave for each person."""

    noun = "each person's name, a colon, and knight or knave, separated by commas,"
    example = "Xenia: knight, Yorick: knave"


class KnightsKnaves(SingleTurn):
    """Tell knights from knaves by what they say."""

    Params = Params
    answer: AnswerType = _Roles(labels=("knight", "knave"))
    unique: ClassVar[bool] = True
    guessable: ClassVar[dict[int, tuple[float, str]]] = {
        level: (0.5**people, f"2 labels for each of {people} people: 1 list of {2**people} is right")
        for level, (people, _, _) in enumerate(_LEVELS, 1)
        if 0.5**people > 0.05
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Roles, then statements that allow no others.

        The split is decided on the statements.
        """
        roles = [rng.below(2) == 1 for _ in range(p.people)]
        connectives = propositions.BASIC if p.connectives == "basic" else propositions.ALL
        statements = propositions.plant(rng, roles=roles, depth=p.depth, connectives=connectives)
        if statements is None:
            return None
        yield {"statements": statements}
        names = rng.sample(_NAMES, p.people)
        key = ", ".join(f"{name}: {_role(knight)}" for name, knight in zip(names, roles, strict=True))
        return Instance({"names": names, "statements": statements}, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The statements, with speakers renamed."""
        return propositions.canonical(content["statements"])

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the statements."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """Roles of as many strangers."""
        return ", ".join(f"{name}: {_role(at % 2 == 0)}" for at, name in enumerate(_STRANGERS[: len(problem["names"])]))

    def grade(self, inst: Instance, value: dict[str, str]) -> Verdict:
        """Everybody is named, knights speak the truth and knaves do not."""
        names = [name.casefold() for name in inst.problem["names"]]
        if set(names) != set(value):
            return Verdict.exact(False, "Give a role to each of the people named, and to nobody else.")
        world = [value[name] == "knight" for name in names]
        said = [propositions.holds(statement, world) for statement in inst.problem["statements"]]
        return Verdict.exact(said == world)

    def solve(self, inst: Instance) -> str:
        """The roles."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The people in reverse order."""
        yield ", ".join(reversed(inst.key.split(", ")))

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A random role for each person."""
        return self.answer.wrap(", ".join(f"{name}: {_role(rng.below(2) == 1)}" for name in inst.problem["names"]))

    def effort(self, inst: Instance) -> float:
        """Statement parts checked when every assignment is tried."""
        return float(propositions.work(inst.problem["statements"]))


def _role(knight: bool) -> str:
    return "knight" if knight else "knave"
