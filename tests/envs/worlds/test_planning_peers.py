"""Lengths of shortest plans, by pyperplan: a planner under another licence, run as a program of its own."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import envhub
from envhub.envs.worlds.planning import tasks
from envhub.envs.worlds.planning.domains import DOMAINS, DRAWS
from envhub.generators.planning.domains import Atom, Domain, Predicate, Problem, Schema, write_domain, write_problem
from tests.support.peers import python_of

pytestmark = pytest.mark.nightly


def without_negation(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """The same task with a fact for the absence of each fact that an action bars, for a planner that reads no negation."""
    barred = {atom[0] for schema in domain.schemas.values() for atom in schema.bars}
    assert all(len(domain.predicates[name].types) == 1 for name in barred)

    def no(atom: Atom) -> Atom:
        return (f"no-{atom[0]}", *atom[1:])

    def flipped(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return tuple(no(atom) for atom in atoms if atom[0] in barred)

    def positive(schema: Schema) -> Schema:
        return replace(
            schema,
            needs=(*schema.needs, *flipped(schema.bars)),
            bars=(),
            adds=(*schema.adds, *flipped(schema.deletes)),
            deletes=(*schema.deletes, *flipped(schema.adds)),
        )

    predicates = {**domain.predicates, **{f"no-{n}": Predicate(f"no-{n}", domain.predicates[n].types) for n in barred}}
    schemas = {name: positive(schema) for name, schema in domain.schemas.items()}
    absent = [
        (f"no-{name}", each)
        for name in sorted(barred)
        for each, type in problem.objects.items()
        if domain.is_a(type, domain.predicates[name].types[0]) and (name, each) not in problem.start
    ]
    return Domain(domain.name, domain.types, predicates, schemas), replace(problem, start=(*problem.start, *absent))


def length_by_pyperplan(domain: Domain, problem: Problem, folder: Path) -> int:
    folder.mkdir()
    texts = zip(("domain", "task"), (write_domain(domain), write_problem(problem, domain)), strict=True)
    for name, text in texts:
        (folder / f"{name}.pddl").write_text(
            re.sub(r"\n  \(:requirements[^\n]*", "\n  (:requirements :strips :typing)", text)
        )
    command = [python_of("pyperplan"), "-m", "pyperplan", "-s", "astar", "-H", "hmax", "domain.pddl", "task.pddl"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return len((folder / "task.pddl.soln").read_text().split("\n")) - 1


@pytest.mark.parametrize("domain", DRAWS)
def test_pyperplan_finds_plans_of_the_same_length(domain: str, tmp_path: Path) -> None:
    env = envhub.make("pddl-plan-v0", difficulty=None, domain=domain, size=3, least=4, most=10)
    for seed in range(6):
        env.reset(seed=seed)
        task = without_negation(DOMAINS[domain], tasks.problem_of(env.task.problem))
        assert length_by_pyperplan(*task, tmp_path / str(seed)) == len(env.episode.instance.key["plan"])
