"""zebra-v0: the table that the clues allow, and no other."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Any

import pytest

from envhub.audit.controls import NASTY
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.logic.zebra import clues as zebra
from envhub.envs.logic.zebra.environment import Params, Zebra
from envhub.envs.logic.zebra.solver import solutions, technique
from envhub.making import make

# Alice lives directly left of Boris, Clara drinks milk, the tea drinker does not live in house 1, Alice not in house 2.
PROBLEM = {
    "houses": 3,
    "attributes": [["name", ["Alice", "Boris", "Clara"]], ["drink", ["juice", "milk", "tea"]]],
    "clues": [["left", 0, 1], ["same", 2, 4], ["not_at", 5, 0], ["not_at", 0, 1]],
}
INSTANCE = Instance(PROBLEM, key="not consulted")
RIGHT = "1: Alice, juice\n2: Boris, tea\n3: Clara, milk"


def verdict(text: str, instance: Instance = INSTANCE) -> Verdict:
    turn: Any = Zebra().advance(instance, None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


def drawn(level: int, seed: int) -> tuple[JSON, Instance | None]:
    staged = Zebra().sample(Stream(b"test", level, seed), Params.at(level))
    content = None
    try:
        content = next(staged)
        next(staged)
    except StopIteration as stop:
        return content, stop.value
    raise AssertionError


def test_every_table_is_judged_by_the_clues() -> None:
    solved = []
    for names, drinks in product(permutations(["Alice", "Boris", "Clara"]), permutations(["juice", "milk", "tea"])):
        text = "\n".join(f"{h}: {n}, {d}" for h, (n, d) in enumerate(zip(names, drinks, strict=True), 1))
        fits = (
            names.index("Alice") + 1 == names.index("Boris")
            and names.index("Clara") == drinks.index("milk")
            and drinks[0] != "tea"
            and names[1] != "Alice"
        )
        assert verdict(text).solved == fits
        solved += [text] * fits
    assert solved == [RIGHT]


@pytest.mark.parametrize(
    "text",
    [
        "House 3: milk, clara\nHouse 2: TEA, boris\nHouse 1: alice juice",
        "| House | Name | Drink |\n|---|---|---|\n| 1 | Alice | juice |\n| 2 | Boris | tea |\n| 3 | Clara | milk |",
        '{"1": {"name": "Alice", "drink": "juice"}, "2": ["Boris", "tea"], "3": ["Clara", "milk"]}',
    ],
)
def test_ways_to_write_the_right_table(text: str) -> None:
    assert verdict(text).solved


@pytest.mark.parametrize(
    "text",
    [
        "1: Alice, juice\n2: Boris, tea",
        "1: Alice, juice\n2: Boris, tea\n3: Clara",
        "1: Alice, juice\n2: Boris, tea\n3: Clara, milk, tea",
        "1: Alice, juice\n2: Boris, tea\n3: Clara, milk\n4: Clara, milk",
        "2: Alice, juice\n3: Boris, tea\n4: Clara, milk",
        "1: Alice, juice\n2: Boris, tea\n3: Clara, cola",
        "1: Alice, juice\n2: Boris, tea\n3: Boris, milk",
        "1: Alice, juice\n2: Boris, Clara\n3: tea, milk",
        "1: Alice or Boris, juice\n2: Boris, tea\n3: Clara, milk",
        "1: not Alice, juice\n2: Boris, tea\n3: Clara, milk",
        "1: drink = Alice, juice\n2: Boris, tea\n3: Clara, milk",
        "House, Drink, Name\n1, Alice, juice\n2, Boris, tea\n3, Clara, milk",
        "1: not = Alice, juice\n2: Boris, tea\n3: Clara, milk",
    ],
)
def test_what_is_not_the_table_does_not_count(text: str) -> None:
    assert verdict(RIGHT).solved
    assert (verdict(text).solved, verdict(text).status) == (False, "graded")


@pytest.mark.parametrize(
    "text",
    [
        "2: Alice, juice\n3: Boris, tea\n4: Clara, milk",
        "1: Alice, juice\n2: Boris, Clara\n3: tea, milk",
        "1: Alice, juice\n2: Alice, tea\n3: Clara, milk",
        "1: Alice, juice\n2: Boris, tea\n3: Clara, milk, cola",
        "1: Alice, juice\n2: Boris, tea",
    ],
)
def test_a_table_must_be_a_table_even_where_no_clue_speaks_against_it(text: str) -> None:
    free = Instance({**PROBLEM, "clues": []}, key="not consulted")
    assert verdict("1: Clara, tea\n2: Boris, milk\n3: Alice, juice", free).solved
    assert (verdict(text, free).solved, verdict(text, free).status) == (False, "graded")


@pytest.mark.parametrize(
    "text", [RIGHT + "\n1: Boris, juice", "Alice, juice", "1: Alice/Boris, juice", "not " + RIGHT, RIGHT + "?"]
)
def test_what_contradicts_itself_is_no_answer(text: str) -> None:
    assert verdict(text).status == "no_answer"


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_solve_nothing(text: str) -> None:
    found = verdict(text)
    assert (found.solved, found.score) == (False, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_problems_are_what_the_level_says(level: int) -> None:
    p = Params.at(level)
    made = 0
    for seed in range(6):
        content, inst = drawn(level, seed)
        if inst is None:
            continue
        made += 1
        attributes, clues = inst.problem["attributes"], inst.problem["clues"]
        assert len(list(solutions(p.houses, p.attributes, clues))) == 1
        assert technique(p.houses, p.attributes, clues) == p.technique
        assert [len(values) for _, values in attributes] == [p.houses] * p.attributes
        assert verdict(inst.key, inst).solved
        rows = inst.key.split("\n")
        assert not verdict("\n".join([rows[0][:2] + rows[1][2:], rows[1][:2] + rows[0][2:], *rows[2:]]), inst).solved
        assert all(word in Zebra().worded(inst.problem) for _, values in attributes for word in values)
        assert content is not None
    assert made >= 1


@pytest.mark.parametrize("level", [1, 3, 4, 8])
def test_what_decides_the_split_is_determined_by_the_problem_alone(level: int) -> None:
    made = 0
    for seed in range(8):
        content, inst = drawn(level, seed)
        if inst is None:
            continue
        made += 1
        p = Params.at(level)
        (where,) = solutions(p.houses, p.attributes, inst.problem["clues"])
        labels = [x - x % p.houses + h for x, h in enumerate(where)]  # called by the house it is in
        clues = [zebra.relabelled(clue, labels) for clue in inst.problem["clues"]]
        if p.houses * p.attributes > 15:
            clues = [clue for clue in clues if clue[0] in zebra.RELATIONS]
        form = zebra.canonical(p.houses, p.attributes, clues)
        assert Zebra().canonical(content) == form
        assert form[2]
    assert made >= 2


def test_no_place_is_likelier_than_another() -> None:
    """The order in which the words are listed tells nothing."""
    made = [inst for seed in range(500) if (inst := drawn(1, seed)[1])]
    houses = Counter(h for inst in made for h in next(solutions(3, 3, inst.problem["clues"]))[0:9:3])
    assert len(made) > 150
    assert sum(houses.values()) == 3 * len(made)
    assert all(0.27 < houses[h] / sum(houses.values()) < 0.4 for h in range(3))


@pytest.mark.parametrize(
    "wrong", [{"relations": 8}, {"houses": 6, "attributes": 6, "relations": 3}, {"houses": 7}, {"attributes": 1}]
)
def test_impossible_parameters_are_refused(wrong: dict[str, int]) -> None:
    make("zebra-v0", difficulty=2)
    with pytest.raises(InvalidParameters):
        make("zebra-v0", difficulty=2, **wrong)
