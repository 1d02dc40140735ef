from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.rule_based.countdown.rules import (
    check,
    effort,
    needs,
    plant,
    proved,
    random_countdown,
    reachable_with,
    solve,
)
from envhub.generators.expressions.text import parse, parse_equation
from envhub.generators.expressions.trees import Negation, Number, Operation, evaluate, leaves, postorder

law = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
operator_sets = st.sampled_from(["+-*/", "+-*/", "+-", "-", "-/", "+*", "*/", "-*/", "+/", "+-*", "/"])

LEVELS: dict[int, dict[str, Any]] = {
    level: dict(zip(("count", "needed", "low", "high", "target_low", "target_high", "operators"), row, strict=True))
    for level, row in {
        1: (3, 2, 1, 50, 1, 100, "+-"),
        2: (3, 3, 1, 50, 1, 500, "+-*"),
        3: (3, 3, 1, 50, 1, 500, "+-*/"),
        4: (4, 3, 1, 50, 10, 500, "+-*/"),
        5: (4, 4, 1, 50, 100, 999, "+-*/"),
        6: (5, 4, 1, 50, 100, 999, "+-*/"),
        7: (5, 4, 1, 100, 1000, 9999, "+-*/"),
        8: (5, 5, 1, 100, 1000, 9999, "+-*/"),
        9: (6, 5, 1, 50, 100, 999, "+-*/"),
        10: (6, 6, 1, 100, 1000, 9999, "+-*/"),
    }.items()
}


def by_force(numbers: Sequence[int], operators: str) -> dict[Fraction, int]:
    """Every value that can be reached, with the fewest numbers it takes: all pairs, all operators, nothing clever."""

    def results(values: tuple[Fraction, ...]) -> set[Fraction]:
        if len(values) == 1:
            return set(values)
        found: set[Fraction] = set()
        for i, j in combinations(range(len(values)), 2):
            a, b = values[i], values[j]
            rest = [value for k, value in enumerate(values) if k not in (i, j)]
            joined = set()
            for x, y in ((a, b), (b, a)):
                joined |= {x + y} if "+" in operators else set()
                joined |= {x - y} if "-" in operators else set()
                joined |= {x * y} if "*" in operators else set()
                joined |= {x / y} if "/" in operators and y else set()
            for value in joined:
                key = tuple(sorted([*rest, value]))
                if key not in memo:
                    memo[key] = results(key)
                found |= memo[key]
        return found

    memo: dict[tuple[Fraction, ...], set[Fraction]] = {}
    least: dict[Fraction, int] = {}
    for size in range(1, len(numbers) + 1):
        for chosen in combinations(sorted(numbers), size):
            for value in results(tuple(map(Fraction, chosen))):
                least.setdefault(value, size)
    return least


# --- exact search -----------------------------------------------------------------------------------------------------


@law
@given(st.lists(st.integers(0, 13), min_size=1, max_size=4), operator_sets, st.lists(st.integers(-60, 200), max_size=8))
def test_the_search_agrees_with_brute_force(numbers: list[int], operators: str, more: list[int]) -> None:
    least = by_force(numbers, operators)
    reached = sorted(int(value) for value in least if value.denominator == 1)
    for target in [*reached[:: max(1, len(reached) // 12)], 0, -1, *more]:
        expected = least.get(Fraction(target))
        assert needs(numbers, target, operators) == expected
        tree = solve(numbers, target, operators=operators)
        if expected is None:
            assert tree is None
            continue
        assert tree is not None
        assert check(numbers, target, tree, operators) is None
        assert len(leaves(tree)) == expected
        for at_most in range(len(numbers) + 1):
            assert reachable_with(numbers, target, at_most=at_most, operators=operators) is (expected <= at_most)
            assert (solve(numbers, target, operators=operators, at_most=at_most) is None) is (expected > at_most)
            assert proved(numbers, target, at_most + 1, operators) is (expected > at_most)


@pytest.mark.parametrize(
    ("numbers", "operators"),
    [((1, 2, 5, 7, 11), "+-*/"), ((3, 3, 8, 8, 50), "-/"), ((0, 1, 1, 4, 6, 6), "+-*"), ((1, 1, 2, 2, 3, 3), "+-*/")],
)
def test_the_deep_search_agrees_with_brute_force(numbers: tuple[int, ...], operators: str) -> None:
    least = by_force(numbers, operators)
    targets = range(-3, 1200)
    for count in (*range(3, len(numbers) + 1), None):
        for target in [target for target in targets if least.get(Fraction(target)) == count][::40][:6]:
            assert needs(numbers, target, operators) == count
            tree = solve(numbers, target, operators=operators)
            assert (tree is None) is (count is None)
            assert tree is None or check(numbers, target, tree, operators) is None


def test_famous_ones() -> None:
    assert needs([1, 6, 6, 8], 24) == 4  # 6 / (1 - 6 / 8), and nothing else
    assert needs([1, 6, 6, 8], 24, "+-*") is None
    assert needs([1, 5, 5, 5], 24) == 3  # 5 * 5 - 1
    assert needs([1, 1, 1, 1], 24) is None
    assert needs([25, 50, 75, 100, 3, 6], 952) == 5
    assert needs([5, 5, 5], -5, "-") == 3  # only through 0: (5 - 5) - 5


def test_the_search_refuses_what_is_out_of_range() -> None:
    for numbers in ([], [1] * 8, [3, -1]):
        with pytest.raises(ValueError, match="numbers is"):
            solve(numbers, 3)
    with pytest.raises(ValueError, match="operators is"):
        needs([1, 2], 3, "+^")


# --- generation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_planted_problems_keep_their_promises(level: int) -> None:
    row = LEVELS[level]
    for seed in range(40):
        numbers, target, tree = plant(Stream(b"plant", seed), **row)
        assert (numbers, target, tree) == plant(Stream(b"plant", seed), **row)
        assert len(numbers) == row["count"]
        assert all(row["low"] <= number <= row["high"] for number in numbers)
        assert row["target_low"] <= target <= row["target_high"]
        assert target not in numbers
        assert len(leaves(tree)) >= row["needed"]
        assert check(numbers, target, tree, row["operators"]) is None
        for node in postorder(tree):
            value = evaluate(node)
            assert value is not None
            assert value.denominator == 1
            assert value > 0


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_needed_numbers_are_needed(level: int) -> None:
    row = LEVELS[level]
    for seed in range(12):
        numbers, target, _ = random_countdown(Stream(b"needed", seed), **row)
        least = by_force(numbers, row["operators"])[Fraction(target)]
        assert row["needed"] <= least <= row["count"]
        numbers, target, _ = plant(Stream(b"refused", seed), **row)
        short = by_force(numbers, row["operators"])[Fraction(target)] < row["needed"]
        assert proved(numbers, target, row["needed"], row["operators"]) is not short


def test_proofs_go_both_ways() -> None:
    verdicts = [proved(*plant(Stream(b"both", seed), **LEVELS[9])[:2], 5) for seed in range(30)]
    assert 3 < sum(verdicts) < 27


def test_six_numbers_that_all_are_needed() -> None:
    numbers, target, tree = random_countdown(Stream(b"six"), **LEVELS[10])
    assert sorted(leaves(tree)) == sorted(numbers)
    assert needs(numbers, target) == 6


def test_the_easiest_level_has_thousands_of_problems() -> None:
    made = [plant(Stream(b"easy", seed), **LEVELS[1]) for seed in range(2000)]
    assert len({(tuple(sorted(numbers)), target) for numbers, target, _ in made}) > 1900


def test_every_operator_is_planted() -> None:
    trees = [plant(Stream(b"operators", seed), **LEVELS[6])[2] for seed in range(300)]
    found = [node.op for tree in trees for node in postorder(tree) if isinstance(node, Operation)]
    assert all(found.count(op) > 0.04 * len(found) for op in "+-*/")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"needed": 7}, "needed"),
        ({"needed": 1}, "needed"),
        ({"count": 8, "needed": 2}, "count"),
        ({"low": 0}, "low"),
        ({"low": 9, "high": 8}, "high"),
        ({"target_low": 0}, "target_low"),
        ({"target_low": 5, "target_high": 4}, "target_high"),
        ({"operators": "%"}, "operators"),
        ({"low": 1, "high": 1, "target_low": 999, "target_high": 999}, "numbers 1..1, targets 999..999"),
    ],
)
def test_impossible_parameters_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plant(Stream(b"x"), **(LEVELS[9] | change))


def test_a_need_that_is_never_met_is_named() -> None:
    row: dict[str, Any] = {"count": 4, "needed": 4, "low": 1, "high": 2, "target_low": 3, "target_high": 3}
    with pytest.raises(ValueError, match="needed=4"):
        random_countdown(Stream(b"x"), **row, operators="+-*")


# --- effort -----------------------------------------------------------------------------------------------------------


def test_effort_counts_what_a_search_examines() -> None:
    assert effort([4, 7, 9], 9) == 3
    assert effort([4, 7], 11, "+") == 3
    assert effort([4, 7, 9], 16, "+") == 6  # three numbers, then 4+7, 4+9, 7+9
    assert effort([4, 7, 9], 99, "+") == 9  # and three ways to add all: everything


def test_effort_grows_with_the_level() -> None:
    efforts = {}
    for level, seeds in ((1, 20), (3, 20), (5, 20), (6, 12), (8, 8), (10, 3)):
        problems = [random_countdown(Stream(b"effort", level, seed), **LEVELS[level]) for seed in range(seeds)]
        efforts[level] = sorted(effort(numbers, target, LEVELS[level]["operators"]) for numbers, target, _ in problems)
    medians = [found[len(found) // 2] for found in efforts.values()]
    assert medians == sorted(medians)
    assert efforts[1][-1] < efforts[5][0]
    assert efforts[5][-1] < efforts[10][0]


# --- verification -----------------------------------------------------------------------------------------------------

GIVEN = [3, 8, 8, 10]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3 * 8", None),
        ("8 * 3", None),
        ("(10 - 8) * 8 + 8", "used more often"),
        ("8 + 8 + 8", "used more often"),
        ("3 * 8 + 10 - 10", "used more often"),
        ("4 * 6", "4 is not one of the numbers"),
        ("24", "24 is not one of the numbers"),
        ("38 - 8 - 8 + 2", "38 is not one of the numbers"),
        ("3 * 8 * (10 - 8) / (10 - 8)", "used more often"),
        ("3 + 8", "worth 11, not 24"),
        ("8 / 3", "worth 8/3, not 24"),
        ("10 / (8 - 8)", "divides by zero"),
        ("-3 * -8", "minus sign"),
        ("-(3 - 8) * 8", "minus sign"),
        ("+3 * 8", None),
        ("03 * 8", None),
    ],
)
def test_check_by_example(text: str, reason: str | None) -> None:
    found = check(GIVEN, 24, parse(text))
    if reason is None:
        assert found is None
    else:
        assert found is not None
        assert reason in found


def test_check_knows_the_operators_of_the_problem() -> None:
    assert check([2, 3], 6, parse("2*3"), "+-*") is None
    assert check([2, 3], 6, parse("2*3"), "+-") == "The operator * is not allowed here."
    assert check([2], -2, Negation(Number(2))) is not None


def test_what_the_answer_claims_must_be_true() -> None:
    for text, right in [("3*8 = 24", True), ("3*8", True), ("3*8 = 25", False), ("3*8 = -24", False)]:
        tree, claimed = parse_equation(text)
        assert (check(GIVEN, 24, tree, claimed=claimed) is None) is right


@law
@given(st.integers(0, 10**6), st.data())
def test_one_wrong_step_is_seen(seed: int, data: st.DataObject) -> None:
    numbers, target, tree = plant(Stream(b"wrong", seed), **LEVELS[6])
    assert check(numbers, target, tree) is None
    assert check(numbers, target + 1, tree) is not None
    assert check(numbers, target, Operation("+", tree, Number(0))) is not None
    missing = data.draw(st.sampled_from(leaves(tree)))
    fewer = [number for number in numbers if number != missing]
    assert check(fewer, target, tree) is not None
    assert check([*numbers, 0], target, Operation("+", tree, Number(0))) is None
