"""Speed of task generation of family members that reasoning-gym has as well.

One row for each of their datasets, at the level of ours whose sizes theirs can match.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.harness import OURS, pair, workload
from benchmarks.report import Section, number, ratio, table
from benchmarks.venvs import PEERS, peer


def _exactly(**bounds: object) -> dict[str, object]:
    """``terms=5`` as ``min_terms`` and ``max_terms``."""
    return {f"{side}_{name}": value for name, value in bounds.items() for side in ("min", "max")}


def _between(low: int, high: int, *names: str) -> dict[str, object]:
    """Both bounds for each of some names."""
    return {f"{side}_{name}": value for name in names for side, value in (("min", low), ("max", high))}


@dataclass(frozen=True)
class Matched:
    """A member at a level, and a dataset with settings of the same size.

    Attributes:
        env_id: The member.
        level: Its difficulty.
        tasks: Number of tasks per run.
        dataset: The reasoning-gym dataset.
        items: Number of its items per run.
        settings: Its non-default settings.
        apart: What is equal and what differs.
    """

    env_id: str
    level: int
    tasks: int
    dataset: str
    items: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    apart: str = ""


_MATCHED: Final = (
    Matched(
        "base-conversion-v0",
        5,
        6_000,
        "base_conversion",
        25_000,
        {**_between(2, 20, "base"), **_between(2**20, 2**21, "value")},
        "numbers of 21 bits, bases up to 20.",
    ),
    Matched(
        "bitwise-v0",
        5,
        3_000,
        "bitwise_arithmetic",
        12_000,
        {"difficulty": 3},
        "ours has 4 operands of 16 bits; theirs has three levels of operators, and numbers without a width.",
    ),
    Matched("bitwise-v0", 1, 5_000, "count_bits", 40_000, _between(1, 255, "n"), "numbers of 8 bits."),
    Matched(
        "complex-arithmetic-v0",
        1,
        2_500,
        "complex_arithmetic",
        25_000,
        _between(-9, 9, "real", "imag"),
        "two numbers with parts up to 9; ours may have a square.",
    ),
    Matched(
        "count-primes-v0",
        5,
        7_000,
        "count_primes",
        15_000,
        _between(750, 3_000, "n"),
        "the same range. Theirs keeps a list of the primes, and asks for the count only.",
    ),
    Matched(
        "course-schedule-v0",
        5,
        1_000,
        "course_schedule",
        5_000,
        _exactly(num_courses=13, num_prerequisites=2),
        "13 courses, 22 or 26 edges. Ours asks for an order or a cycle, theirs for yes or no.",
    ),
    Matched(
        "decimal-arithmetic-v0",
        1,
        3_000,
        "decimal_chain_sum",
        20_000,
        _exactly(terms=2, digits=2, decimal_places=1),
        "two numbers of two digits and one decimal place.",
    ),
    Matched(
        "decimal-arithmetic-v0",
        5,
        1_500,
        "decimal_arithmetic",
        10_000,
        _exactly(terms=4, num_decimal_places=2),
        "four numbers with two decimal places.",
    ),
    Matched(
        "digit-puzzles-v0",
        5,
        120,
        "cryptarithm",
        10_000,
        _exactly(words=2),
        "ours proves that the solution is unique and needs a search; theirs takes any sum and may have many solutions.",
    ),
    Matched(
        "factorization-v0",
        5,
        6_000,
        "prime_factorization",
        30_000,
        _between(1_000, 20_000, "value"),
        "numbers of the same size; ours always has four prime factors.",
    ),
    Matched(
        "fraction-arithmetic-v0",
        1,
        4_000,
        "fraction_simplification",
        30_000,
        _between(1, 100, "value"),
        "one fraction with up to four digits above and below the line.",
    ),
    Matched("gcd-lcm-v0", 1, 9_000, "gcd", 30_000, _between(100, 999, "value"), "two numbers of three digits."),
    Matched("gcd-lcm-v0", 1, 9_000, "lcm", 25_000, _between(100, 999, "value"), "two numbers of three digits."),
    Matched(
        "story-problems-v0",
        5,
        1_500,
        "gsm_symbolic",
        15_000,
        {},
        "ours composes each story of 3 events; theirs fills numbers and names into 100 fixed stories.",
    ),
    Matched("story-problems-v0", 5, 1_500, "leg_counting", 20_000, {}, "theirs fills one fixed sentence."),
    Matched(
        "number-format-v0",
        5,
        700,
        "number_format",
        15_000,
        {**_exactly(num_candidates=7), **_between(100_000, 999_999, "n")},
        "seven numbers of six digits. Ours orders all of them, theirs takes the largest or the smallest.",
    ),
    Matched(
        "integrate-v0",
        1,
        300,
        "simple_integration",
        400,
        _exactly(terms=2, degree=2),
        "ours has one kind of term at 1; theirs two powers of x.",
    ),
    Matched(
        "integrate-v0",
        5,
        150,
        "intermediate_integration",
        20,
        {},
        "ours has three terms of five kinds; theirs one of eight kinds of integrand.",
    ),
    Matched(
        "polynomial-roots-v0",
        1,
        2_000,
        "polynomial_equations",
        20,
        {**_exactly(terms=3, degree=2), "max_value": 36},
        "a quadratic with numbers up to 36. Our roots are drawn first; theirs are computed and rounded.",
    ),
    Matched(
        "polynomial-expand-v0",
        5,
        500,
        "polynomial_multiplication",
        80,
        {**_exactly(terms=3, polynomials=3), "max_value": 9, "max_degree": 4},
        "three factors of three terms of degree 4 at most, with numbers up to 9.",
    ),
    Matched(
        "graph-coloring-v0",
        5,
        350,
        "graph_color",
        5_000,
        {**_exactly(num_vertices=15), "num_colors": 4, "edge_probability": 1 / 3},
        "15 nodes, 35 edges. Ours proves the least number of colours; theirs shows that four are enough.",
    ),
    Matched(
        "largest-island-v0",
        5,
        800,
        "largest_island",
        4_000,
        {**_exactly(rows=8, cols=8), "min_num_islands": 3, "max_num_islands": 5, "min_island_size": 3},
        "maps of 8 by 8 cells. Ours asks for the cells of the island, theirs for its size.",
    ),
    Matched(
        "path-star-v0",
        5,
        1_000,
        "path_star",
        10_000,
        {**_exactly(path_length=6), "degree": 4},
        "four arms of six nodes.",
    ),
    Matched(
        "futoshiki-v0", 1, 300, "futoshiki", 40, _exactly(board_size=5), "5 by 5 cells, one solution on both sides."
    ),
    Matched(
        "futoshiki-v0", 5, 80, "futoshiki", 20, _exactly(board_size=6), "6 by 6 cells, one solution on both sides."
    ),
    Matched(
        "kakurasu-v0",
        1,
        800,
        "kakurasu",
        1_000,
        _exactly(rows=5, cols=5),
        "5 by 5 cells. Ours has one solution; theirs gives up after a thousand tries for one.",
    ),
    Matched(
        "kakurasu-v0",
        5,
        300,
        "kakurasu",
        80,
        _exactly(rows=7, cols=7),
        "7 by 7 cells. Ours has one solution; theirs gives up after a thousand tries for one.",
    ),
    Matched(
        "n-queens-v0",
        1,
        200,
        "n_queens",
        3_000,
        _exactly(remove=4),
        "8 by 8 squares with four queens given. Ours proves that one solution is left; theirs has a list of all solutions.",
    ),
    Matched(
        "survo-v0",
        5,
        100,
        "survo",
        8_000,
        _exactly(board_size=4, empty=9),
        "ours has 3 by 4 cells, none given, and proves one solution; theirs has 4 by 4 cells, 9 of them empty, and may have "
        "several.",
    ),
)


def families(repeats: int) -> Section:
    """Measure task generation of members whose task reasoning-gym has."""
    rows, notes = [], []
    for row in _MATCHED:
        ours = workload(OURS, "ours.tasks", row.tasks, row.env_id, row.level)
        theirs = workload(
            peer("reasoning-gym"), "peers.reasoning_gym_items", row.items, row.dataset, json.dumps(row.settings)
        )
        found = pair(ours.rate, theirs.rate, repeats)
        rows.append(
            (f"{row.env_id}, {row.level}", number(found.ours), row.dataset, number(found.theirs), ratio(found.ratio))
        )
        notes.append(f"- {row.env_id}, {row.level}, and {row.dataset}: {row.apart}")
    return Section(
        f"Tasks of family members, compared with `{PEERS['reasoning-gym']}`",
        table(
            ("member, difficulty", "ours, per CPU second", "their task", "theirs, per CPU second", "ours / theirs"),
            rows,
        ),
        "Ours: `reset`, including the split, the fingerprint and the prompt in one of its wordings. Theirs: one item of the "
        "dataset, which has none of these. What is equal and what differs:\n\n" + "\n".join(notes),
    )
