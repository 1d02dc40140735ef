"""plan-effects-v0: state which facts hold after a sequence of actions.

The actions are possible and lead through states that all differ. Action: every fact of the predicates that may change,
one per line, in any order. Score 1 if the facts are exactly right, else 0; the component ``overlap`` is the share of
facts in common among all that are given or right. Difficulty: more actions and objects; effort is the number of actions
times that of facts.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.planning import params, tasks, wording
from envhub.envs.worlds.planning.domains import DOMAINS
from envhub.generators.planning.domains import write_atom
from envhub.verifiers.answers.plans import Facts, Step
from envhub.verifiers.answers.types import AnswerType

_ACTIONS: Final = (3, 4, 5, 6, 8, 10, 12, 15, 18, 21)


class Params(BaseParams):
    """The domain, the size, and the number of actions."""

    domain: params.DomainName = Field("any", description="domain; any: drawn for each task")
    size: int = Field(5, ge=1, le=10, description="how many objects there are, from few to many")
    actions: int = Field(8, ge=1, le=40, description="actions that are carried out")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(size=difficulty, actions=_ACTIONS[difficulty - 1])


class PlanEffects(SingleTurn):
    """State which facts hold after a sequence of actions."""

    Params = Params
    unique: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "overlap"})
    answer: AnswerType = Facts()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A walk through states that all differ."""
        content = {**tasks.draw(rng, p.domain, p.size), "goal": []}
        state = tasks.scene_of(content).start
        seen, given = {state}, []
        for _ in range(p.actions):
            steps = [step for step in tasks.possible(content, state) if step.after(state) not in seen]
            if not steps:
                return None
            step = rng.choice(steps)
            state = step.after(state)
            seen.add(state)
            given.append(tasks.write_step(step))
        fluents = _fluents(content["domain"])
        facts = [write_atom(atom) for atom in tasks.scene_of(content).space.facts(state) if atom[0] in fluents]
        return Instance({**content, "given": given, "fluents": fluents}, key={"facts": facts})

    def canonical(self, content: JSON) -> JSON:
        """The facts in any order, and the actions."""
        return [*tasks.canonical(content), content["given"]]

    def prompt(self, problem: JSON) -> Statement:
        """The domain, the first state and the actions."""
        return wording.effects_statement(problem)

    def grade(self, inst: Instance, value: frozenset[Step]) -> Verdict:
        """Compare the facts."""
        right = {tuple(fact.strip("()").split(" ")) for fact in inst.key["facts"]}
        return Verdict.exact(value == right).noting(None, overlap=len(value & right) / len(value | right))

    def solve(self, inst: Instance) -> str:
        """The facts in the order of the predicates."""
        return "\n".join(inst.key["facts"])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The facts in another order."""
        yield " ".join(reversed(inst.key["facts"]))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The initial facts, and the right facts without one."""
        yield "\n".join(write_atom(atom) for atom in inst.problem["start"] if atom[0] in inst.problem["fluents"])
        facts = inst.key["facts"]
        yield from ("\n".join(facts[:at] + facts[at + 1 :]) for at in range(len(facts)))

    def effort(self, inst: Instance) -> float:
        """Actions times facts."""
        return float(len(inst.problem["given"]) * len(inst.key["facts"]))


def _fluents(domain: str) -> list[str]:
    """The predicates of a domain that some action changes."""
    kinds = DOMAINS[domain].schemas.values()
    changed = {atom[0] for kind in kinds for atom in (*kind.adds, *kind.deletes)}
    return [name for name in DOMAINS[domain].predicates if name in changed]
