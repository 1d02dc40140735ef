"""Members of the family GraphTask: networkx and OR-tools find the same optima and accept the same witnesses."""

from __future__ import annotations

import pytest

from envhub.authoring.wording import HELD_OUT, PLAIN
from envhub.core.difficulty import LEVELS
from envhub.envs.graphs.grid_path import GridPath
from envhub.families.graph_task import GraphTask
from envhub.verifiers.answers.claims import Claim
from tests.families.members import members, problems
from tests.families.second import graph_witnesses, graphs

pytestmark = pytest.mark.slow  # networkx comes with the extra test, not with quick

MEMBERS = sorted(graph_witnesses.VALID)


def test_a_prompt_states_the_number_of_nodes() -> None:
    for env_id, field in (("graph-isomorphism-v0", "first"), ("graph-subgraph-v0", "pattern")):
        for environment, instance in problems(env_id, 3, 3):
            count = len(instance.problem[field]["nodes"])
            for rules in (environment.prompt(instance.problem).parts(wording).rules for wording in (PLAIN, HELD_OUT)):
                assert str(count) in rules[0]


def test_only_the_listed_colors_count() -> None:
    for environment, instance in problems("graph-coloring-v0", 2, 3):
        value, witness = instance.key
        swapped = tuple((node, instance.problem["nodes"][0] if color == "red" else color) for node, color in witness)
        assert environment.worth(instance.problem, witness) == value
        assert not environment.grade(instance, Claim(swapped, value)).solved


def test_every_member_has_a_second_implementation() -> None:
    assert set(members(GraphTask)) == set(graph_witnesses.VALID)
    without_value = {env_id for env_id in members(GraphTask) if not next(problems(env_id, 1, 1))[0].answer.value}
    assert set(graphs.VALUES) == set(graph_witnesses.VALID) - without_value


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_second_implementation_agrees(member: str, count: int) -> None:
    for level in LEVELS:
        for _, instance in problems(member, level, count):
            value, witness = instance.key
            assert graph_witnesses.VALID[member](instance.problem, witness)
            assert member not in graphs.VALUES or graphs.VALUES[member](instance.problem) == value


@pytest.mark.parametrize("member", MEMBERS)
def test_a_witness_that_we_judge_valid_is_valid(member: str) -> None:
    """Also for the answers of typical mistakes, most of which are wrong."""
    for environment, instance in problems(member, 2, 5):
        value, witness = instance.key
        for _, other in environment.slips(instance.problem, value, witness):
            ours = environment.worth(instance.problem, other)
            if isinstance(ours, int) and member != "tree-edit-v0":
                assert graph_witnesses.VALID[member](instance.problem, other)


def test_a_wrong_optimum_would_be_seen() -> None:
    [(environment, instance)] = problems("graph-mst-v0", 5, 1)
    problem = instance.problem
    assert graphs.spanning_tree(problem) == environment.best(problem).value
    heavier = {**problem, "edges": [[one, other, weight + 1] for one, other, weight in problem["edges"]]}
    assert graphs.spanning_tree(heavier) != environment.best(problem).value
    assert not graph_witnesses.is_spanning_tree(problem, instance.key[1][1:])


@pytest.mark.parametrize(
    ("walk", "worth"),
    [
        ("A1 A2 B2 C2 C1", 4),
        ("A1 B1 C1", "A1 and B1 share no side."),  # B1 is water
        ("A1 B2 C1", "A1 and B2 share no side."),  # round a corner
        ("A2 B2 C2 C1", "The walk must lead from A1 to C1."),
        ("A1 A2 A1 A2 B2 C2 C1", 6),
    ],
)
def test_a_walk_leads_over_sides_of_land(walk: str, worth: int | str) -> None:
    problem = {"map": ["#.#", "###"], "start": "A1", "goal": "C1"}
    assert GridPath().worth(problem, tuple(walk.split())) == worth
    assert GridPath().best(problem).value == 4


def test_maps_that_differ_by_a_turn_are_one_problem() -> None:
    problem = {"map": ["#.#", "###"], "start": "A1", "goal": "C1"}
    turned = {"map": ["###", "#.#"], "start": "C2", "goal": "A2"}
    assert GridPath().canonical(problem) == GridPath().canonical(turned)
    assert GridPath().canonical(problem) != GridPath().canonical({**problem, "goal": "C2"})


def test_a_closed_walk_proves_that_no_order_exists() -> None:
    cycles = 0
    for environment, instance in problems("course-schedule-v0", 2, 8):
        _, witness = instance.key
        if witness[0] == witness[-1]:
            cycles += 1
            assert environment.worth(instance.problem, (*witness, *witness[1:])) == 0
            assert isinstance(environment.worth(instance.problem, witness[:-1]), str)
    assert cycles
