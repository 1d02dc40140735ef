"""A second planner: breadth-first over sets of facts, every binding of every action."""

from __future__ import annotations

from itertools import product

from envhub.generators.planning.domains import Atom, Domain, Problem

State = frozenset[Atom]


def successors(domain: Domain, problem: Problem, state: State) -> set[State]:
    """Every state that one action leads to."""
    found = set()
    for schema in domain.schemas.values():
        fitting = [
            [name for name, type in problem.objects.items() if domain.is_a(type, wanted)]
            for _, wanted in schema.parameters
        ]
        for objects in product(*fitting):
            bound = dict(zip((name for name, _ in schema.parameters), objects, strict=True))
            needs, bars, adds, deletes = (
                {tuple(bound.get(term, term) for term in atom) for atom in atoms}
                for atoms in (schema.needs, schema.bars, schema.adds, schema.deletes)
            )
            if needs <= state and not bars & state:
                found.add(frozenset(state - deletes | adds))
    return found


def fewest_steps(domain: Domain, problem: Problem) -> int | None:
    """Length of a shortest plan; None if there is none."""
    layer = {frozenset(problem.start)}
    known, steps = set(layer), 0
    while layer:
        if any(set(problem.goal) <= state for state in layer):
            return steps
        layer = {after for state in layer for after in successors(domain, problem, state)} - known
        known |= layer
        steps += 1
    return None
