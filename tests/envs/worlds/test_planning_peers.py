"""Lengths of shortest plans, and plans of ours, by pyperplan: a planner under another licence, run as a program of its own."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import envhub
from envhub.envs.worlds.planning import tasks
from envhub.envs.worlds.planning.domains import DOMAINS, DRAWS
from envhub.generators.planning.domains import (
    Atom,
    Domain,
    Predicate,
    Problem,
    Schema,
    read_domain,
    read_problem,
    write_domain,
    write_problem,
)
from tests.generators.planning.test_planning_engine import CLASSICS
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


VALIDATOR = """
import sys
from pyperplan.grounding import ground
from pyperplan.pddl.parser import Parser

parser = Parser("domain.pddl", "task.pddl")
task = ground(parser.parse_problem(parser.parse_domain()))
operators, state = {each.name: each for each in task.operators}, task.initial_state
for line in open("plan.txt").read().split("\\n"):
    if line not in operators or not operators[line].applicable(state):
        sys.exit(f"{line} is not possible")
    state = operators[line].apply(state)
sys.exit(0 if task.goal_reached(state) else "the goal does not hold")
"""


def written(domain: Domain, problem: Problem, folder: Path) -> None:
    folder.mkdir()
    texts = zip(("domain", "task"), (write_domain(domain), write_problem(problem, domain)), strict=True)
    for name, text in texts:
        (folder / f"{name}.pddl").write_text(
            re.sub(r"\n  \(:requirements[^\n]*", "\n  (:requirements :strips :typing)", text)
        )


def length_by_pyperplan(domain: Domain, problem: Problem, folder: Path) -> int:
    written(domain, problem, folder)
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


def accepted_by_pyperplan(plan: list[str], folder: Path) -> bool:
    """Whether pyperplan's own operators lead from its first state to its goal along a plan."""
    (folder / "plan.txt").write_text("\n".join(plan))
    return subprocess.run([python_of("pyperplan"), "-c", VALIDATOR], cwd=folder, capture_output=True).returncode == 0


@pytest.mark.parametrize("domain", DRAWS)
def test_pyperplan_accepts_our_plans_and_no_shortened_ones(domain: str, tmp_path: Path) -> None:
    env = envhub.make("pddl-plan-v0", difficulty=None, domain=domain, size=6, least=5, most=13)
    for seed in range(4):
        env.reset(seed=100 + seed)
        written(*without_negation(DOMAINS[domain], tasks.problem_of(env.task.problem)), tmp_path / str(seed))
        plan = env.episode.instance.key["plan"]
        assert accepted_by_pyperplan(plan, tmp_path / str(seed))
        assert not any(
            accepted_by_pyperplan(plan[:at] + plan[at + 1 :], tmp_path / str(seed)) for at in range(len(plan))
        )


@pytest.mark.parametrize("name", CLASSICS)
def test_pyperplan_agrees_on_published_kinds_of_domains(name: str, tmp_path: Path) -> None:
    domain = read_domain(CLASSICS[name][0])
    assert length_by_pyperplan(domain, read_problem(CLASSICS[name][1], domain), tmp_path / name) == CLASSICS[name][2]
