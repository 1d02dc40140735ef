"""Zebra puzzles: the solver agrees with brute force, puzzles have one solution and no spare clue, forms are canonical."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.logic.zebra import carving as C, clues as Z, solver as S, text as T

HOUSES, ATTRIBUTES = 3, 3
ITEMS = HOUSES * ATTRIBUTES
item = st.integers(0, ITEMS - 1)
house = st.integers(0, HOUSES - 1)
clues: Any = st.one_of(
    st.tuples(st.sampled_from(["at", "not_at"]), item, house).map(list),
    st.tuples(st.just("either"), item, st.just(0), st.integers(1, 2)).map(list),
    st.tuples(st.sampled_from([kind for kind in Z.ALL if kind not in Z.PLACES]), item, item)
    .filter(lambda t: t[1] != t[2])
    .map(list),
)


def worlds(houses: int, attributes: int) -> list[Z.Where]:
    rows = list(permutations(range(houses)))
    return [tuple(h for row in chosen for h in row) for chosen in product(rows, repeat=attributes)]


def fits(houses: int, attributes: int, said: list[Any]) -> list[Z.Where]:
    return [where for where in worlds(houses, attributes) if all(Z.holds(clue, where) for clue in said)]


def puzzle(seed: int, houses: int, attributes: int, count: int, kinds: Any) -> list[Any] | None:
    rng = Stream(b"zebra", houses, attributes, seed)
    drawn = C.draw_relations(rng, houses=houses, attributes=attributes, count=count, kinds=kinds)
    return C.complete(rng, houses, attributes, drawn, kinds)


@pytest.mark.parametrize(
    ("clue", "true"),
    [
        (["at", 0, 2], lambda p, q: p == 2),
        (["not_at", 0, 2], lambda p, q: p != 2),
        (["either", 0, 1, 3], lambda p, q: p in (1, 3)),
        (["same", 0, 5], lambda p, q: p == q),
        (["differ", 0, 5], lambda p, q: p != q),
        (["left", 0, 5], lambda p, q: (p, q) in [(0, 1), (1, 2), (2, 3)]),
        (["before", 0, 5], lambda p, q: p < q),
        (["next", 0, 5], lambda p, q: q - p in (-1, 1)),
        (["gap", 0, 5], lambda p, q: q - p in (-2, 2)),
        (["apart", 0, 5], lambda p, q: p != q and q - p not in (-1, 1)),
    ],
)
def test_what_a_clue_means(clue: Any, true: Any) -> None:
    for p, q in product(range(4), repeat=2):
        where = [p, 0, 0, 0, 0, q, 0, 0]
        assert Z.holds(clue, where) == true(p, q)


@given(st.lists(clues, max_size=6))
@settings(max_examples=150, deadline=None)
def test_solutions_are_all_solutions(said: list[Any]) -> None:
    assert sorted(S.solutions(HOUSES, ATTRIBUTES, said)) == sorted(fits(HOUSES, ATTRIBUTES, said))


@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_solutions_in_streets_of_every_length(houses: int) -> None:
    chain = [["left", v, v + 1] for v in range(houses - 1)]
    own = tuple(range(houses))
    assert list(S.solutions(houses, 1, chain)) == [own]
    assert sorted(S.solutions(houses, 1, [])) == sorted(permutations(own))
    assert set(S.solutions(houses, 2, [*chain, ["same", 0, houses]])) == {
        own + rest for rest in permutations(own) if rest[0] == 0
    }


@pytest.mark.parametrize(
    ("houses", "attributes", "count", "kinds"), [(3, 3, 2, Z.BASIC), (3, 3, 2, Z.ALL), (4, 2, 2, Z.INDIRECT)]
)
def test_a_puzzle_has_one_solution_and_no_spare_clue_by_brute_force(
    houses: int, attributes: int, count: int, kinds: Any
) -> None:
    own = tuple(range(houses)) * attributes
    made = 0
    for seed in range(25):
        said = puzzle(seed, houses, attributes, count, kinds)
        if said is not None:
            made += 1
            assert fits(houses, attributes, said) == [own]
            for clue in said:
                assert len(fits(houses, attributes, [c for c in said if c is not clue])) > 1
            assert {clue[0] for clue in said} <= set(kinds)
            assert sum(clue[0] in Z.RELATIONS for clue in said) == count
    assert made >= 10


@pytest.mark.parametrize(("houses", "attributes", "count"), [(5, 4, 4), (6, 6, 5)])
def test_large_puzzles_have_one_solution_and_no_spare_clue(houses: int, attributes: int, count: int) -> None:
    made = [said for seed in range(5) if (said := puzzle(seed, houses, attributes, count, Z.ALL))]
    assert made
    for said in made:
        assert list(S.solutions(houses, attributes, said)) == [tuple(range(houses)) * attributes]
        for clue in said:
            rest = S.solutions(houses, attributes, [c for c in said if c is not clue])
            assert next(rest) != next(rest)


def test_technique_and_work() -> None:
    chain = [["left", 0, 1], ["left", 1, 2]]
    assert S.technique(3, 1, chain) == "deduction"
    either = [["either", 0, 0, 2], ["gap", 0, 4], ["next", 4, 1], ["same", 3, 1]]
    assert S.technique(3, 2, either) == "trial"
    assert S.work(3, 1, chain) < S.work(3, 2, either)


def isomorphic(one: list[Any], other: list[Any], houses: int, attributes: int) -> bool:
    """By trying every order of the attributes on both sides of the street."""

    def forms(said: list[Any], order: Any, mirrored: bool) -> set[Any]:
        found = set()
        for kind, x, *rest in said:
            turn = (lambda h: houses - 1 - h) if mirrored else (lambda h: h)
            name = lambda y: (order[y // houses], turn(y % houses))  # noqa: B023, E731
            ends = [name(x), *(turn(h) if kind in Z.PLACES else name(h) for h in rest)]
            if kind in ("left", "before"):
                found.add((kind, *(reversed(ends) if mirrored else ends)))
            elif kind in Z.PLACES:
                found.add((kind, ends[0], frozenset(ends[1:])))
            else:
                found.add((kind, frozenset(ends)))
        return found

    plain = forms(other, range(attributes), False)
    return any(forms(one, order, m) == plain for order in permutations(range(attributes)) for m in (False, True))


@given(st.lists(clues, min_size=1, max_size=3), st.lists(clues, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_the_canonical_form_is_the_same_for_just_the_same_puzzles(one: list[Any], other: list[Any]) -> None:
    one, other = ([c for i, c in enumerate(said) if c not in said[:i]] for said in (one, other))
    for x, y in ((one, other), (one[:1], other[:1])):
        same = Z.canonical(HOUSES, ATTRIBUTES, x) == Z.canonical(HOUSES, ATTRIBUTES, y)
        assert same == (isomorphic(x, y, HOUSES, ATTRIBUTES) and len(x) == len(y))


@pytest.mark.parametrize("kinds", [Z.BASIC, Z.ALL])
def test_order_and_reflection_make_no_other_content(kinds: Any) -> None:
    for seed in range(12):
        said = puzzle(seed, 4, 4, 3, kinds) or C.draw_relations(
            Stream(b"r", seed), houses=4, attributes=4, count=3, kinds=kinds
        )
        rng = Stream(b"moved", seed)
        order = rng.sample(range(4), 4)
        moved = [Z.relabelled(clue, [order[a] * 4 + h for a in range(4) for h in range(4)]) for clue in said]
        mirrored = []
        for kind, x, *rest in [
            Z.relabelled(clue, [a * 4 + 3 - h for a in range(4) for h in range(4)]) for clue in moved
        ]:
            rest = [3 - h for h in rest][::-1] if kind in Z.PLACES else rest
            mirrored.append([kind, rest[0], x] if kind in ("left", "before") else [kind, x, *rest])
        rng.shuffle(mirrored)
        form = Z.canonical(4, 4, said)
        assert Z.canonical(4, 4, moved) == Z.canonical(4, 4, mirrored) == form
        assert Z.canonical(4, 4, said[1:]) != form
        assert Z.canonical(5, 4, []) != Z.canonical(4, 4, [])


def test_attributes_that_look_alike_are_told_apart_by_trying_every_order() -> None:
    ring = [["next", 0, 4], ["next", 3, 7], ["next", 6, 1]]
    forms = []
    for order in permutations(range(3)):
        forms.append(
            Z.canonical(3, 3, [Z.relabelled(c, [order[a] * 3 + h for a in range(3) for h in range(3)]) for c in ring])
        )
    assert forms == [forms[0]] * 6
    assert Z.canonical(3, 3, [*ring[:2], ["next", 0, 7]]) != forms[0]


@pytest.mark.parametrize("kind", ["left", "before"])
def test_who_is_on_the_left_makes_other_content(kind: str) -> None:
    assert Z.canonical(3, 1, [[kind, 0, 1]]) != Z.canonical(3, 1, [[kind, 1, 0]])
    assert Z.canonical(3, 1, [["next", 0, 1]]) == Z.canonical(3, 1, [["next", 1, 0]])


def test_relations_are_true_and_of_different_items() -> None:
    own = tuple(range(5)) * 3
    for seed in range(30):
        drawn = C.draw_relations(Stream(b"d", seed), houses=5, attributes=3, count=6, kinds=Z.ALL)
        assert all(Z.holds(clue, own) and clue[0] in Z.RELATIONS for clue in drawn)
        assert len({frozenset(clue[1:]) for clue in drawn}) == 6


ATTRIBUTES_4 = [
    ["drink", ["coffee", "milk", "tea", "water"]],
    ["name", ["Alice", "Boris", "Clara", "Diego"]],
    ["colour", ["blue", "green", "red", "white"]],
]


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        (["at", 4, 0], "Alice lives in house 1."),
        (["not_at", 2, 3], "The person who drinks tea does not live in house 4."),
        (["either", 10, 0, 2], "The person in the red house lives in house 1 or in house 3."),
        (["same", 4, 2], "Alice drinks tea."),
        (["same", 2, 4], "Alice drinks tea."),
        (["differ", 5, 10], "Boris does not live in the red house."),
        (["left", 4, 5], "Alice lives directly to the left of Boris."),
        (["before", 2, 5], "The person who drinks tea lives somewhere to the left of Boris."),
        (["next", 5, 2], "Boris lives next to the person who drinks tea."),
        (
            ["gap", 4, 10],
            "There is exactly one house between the house of Alice and that of the person in the red house.",
        ),
        (
            ["apart", 4, 2],
            "Alice and the person who drinks tea live in different houses that are not next to each other.",
        ),
    ],
)
def test_english(clue: Any, text: str) -> None:
    assert T.english(clue, ATTRIBUTES_4) == text


@given(clues, clues)
@settings(max_examples=150, deadline=None)
def test_different_clues_are_told_apart_in_english(one: Any, other: Any) -> None:
    attributes = [[name, values[:3]] for name, values in ATTRIBUTES_4]
    assert (one == other) == (T.english(one, attributes) == T.english(other, attributes))


def test_words_are_single_and_belong_to_one_attribute() -> None:
    words = [word.casefold() for _, values in T._WORDS.values() for word in values]
    assert len(T._WORDS) >= 6
    assert all(len(values) >= 6 for _, values in T._WORDS.values())
    assert len(set(words)) == len(words)
    for word in words:
        assert word.isascii()
        assert word.isalpha()
        assert not any(other != word and other.startswith(word) for other in words)
    for name, values in T.draw_attributes(Stream(b"w"), attributes=6, houses=6):
        assert values == sorted(values)
        assert set(values) <= set(T._WORDS[name][1])
