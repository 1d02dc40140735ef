"""Propositions: truth, uniqueness, English and canonical form are what the statements mean."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.logic.knights_knaves import statements as P

COUNT = 4
people = st.integers(0, COUNT - 1)
some = st.lists(people, min_size=2, max_size=4, unique=True).map(sorted)
leaves: Any = st.one_of(
    st.tuples(st.sampled_from(["knight", "knave"]), people).map(list),
    some.map(lambda xs: ["same", *xs[:2]]),
    some.map(lambda xs: ["differ", *xs[:2]]),
    st.tuples(st.integers(0, 2), some).map(lambda t: ["exactly", *t]),
)
statements: Any = st.recursive(
    leaves,
    lambda inner: (
        inner.map(lambda s: ["not", s]) | st.tuples(st.sampled_from(["and", "or", "if", "iff"]), inner, inner).map(list)
    ),
    max_leaves=6,
)


def worlds(count: int) -> list[list[bool]]:
    return [[bool(w >> i & 1) for i in range(count)] for w in range(1 << count)]


@given(statements)
@settings(max_examples=150, deadline=None)
def test_the_table_of_truth_agrees_with_the_meaning_in_every_world(statement: Any) -> None:
    table = P.truth(statement, COUNT)
    assert [bool(table >> w & 1) for w in range(16)] == [P.holds(statement, world) for world in worlds(COUNT)]


@pytest.mark.parametrize(("kind", "table"), [("and", "0001"), ("or", "0111"), ("if", "1101"), ("iff", "1001")])
def test_connectives_mean_what_the_prompt_says(kind: str, table: str) -> None:
    found = [P.holds([kind, ["knight", 0], ["knight", 1]], pair) for pair in product([False, True], repeat=2)]
    assert found == [c == "1" for c in table]


@pytest.mark.parametrize(("count", "depth", "connectives"), [(3, 1, P.BASIC), (4, 2, P.ALL), (6, 3, P.ALL)])
def test_planted_roles_are_the_only_solution_by_brute_force(count: int, depth: int, connectives: Any) -> None:
    made = 0
    for seed in range(25):
        rng = Stream(b"plant", seed)
        roles = [rng.below(2) == 1 for _ in range(count)]
        said = P.plant(rng, roles=roles, depth=depth, connectives=connectives)
        if said is not None:
            made += 1
            fit = [world for world in worlds(count) if [P.holds(s, world) for s in said] == world]
            assert fit == [roles]
    assert made >= 20


def test_solutions_are_all_solutions() -> None:
    assert P.solutions([["knight", 1], ["knight", 0]]) == [0b00, 0b11]
    assert P.solutions([["knave", 1], ["knave", 0]]) == [0b01, 0b10]
    assert P.solutions([["knave", 0], ["knight", 0]]) == []


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (["knave", 1], "Bob is a knave"),
        (["same", 0, 1], "Bob and I are both of the same kind"),
        (["exactly", 1, [0, 1, 2]], "exactly 1 of Bob, Cy and me is a knight"),
        (["if", ["knight", 1], ["or", ["knave", 1], ["knight", 2]]],
         "if Bob is a knight, then (either Bob is a knave or Cy is a knight, or both)"),
        (["not", ["and", ["knight", 1], ["knight", 2]]], "it is not the case that (Bob is a knight and Cy is a knight)"),
        (["and", ["not", ["knight", 1]], ["knight", 2]], "(it is not the case that Bob is a knight) and Cy is a knight"),
    ],
)  # fmt: skip
def test_english(statement: Any, text: str) -> None:
    assert P.english(statement, ["Al", "Bob", "Cy"], 0) == text


@given(statements, statements)
@settings(max_examples=150, deadline=None)
def test_different_statements_are_told_apart_in_english(one: Any, other: Any) -> None:
    names = ["Al", "Bob", "Cy", "Di"]
    assert (one == other) == (P.english(one, names, 9) == P.english(other, names, 9))


def renamed(said: list[Any], order: tuple[int, ...]) -> list[Any]:
    moved = [P._relabelled(s, order) for s in said]
    return [moved[order.index(i)] for i in range(len(said))]


def test_the_order_of_the_people_makes_no_other_content() -> None:
    said = [["or", ["knave", 2], ["knight", 1]], ["knight", 2], ["and", ["knave", 0], ["knave", 1]]]
    assert {str(P.canonical(renamed(said, order))) for order in permutations(range(3))} == {str(P.canonical(said))}
    assert P.canonical([["or", ["knight", 1], ["knave", 2]], *said[1:]]) == P.canonical(said)
    assert P.canonical([said[0], ["knave", 2], said[2]]) != P.canonical(said)
    assert P.canonical([["if", ["knave", 2], ["knight", 1]], *said[1:]]) != P.canonical(
        [["if", ["knight", 1], ["knave", 2]], *said[1:]]
    )
