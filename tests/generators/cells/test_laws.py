"""Laws over cells: propagation loses no solution, and the search finds exactly the grids that the laws allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.cells.carve import carve
from envhub.generators.cells.distinct import DifferentLines
from envhub.generators.cells.equation import Equation
from envhub.generators.cells.law import Law, mask_of, values_of
from envhub.generators.cells.laws import Count, Different, Less, Rows, Table, Total, Within
from envhub.generators.cells.model import Model

ROWS: Final = Rows([(0, 1, 2), (1, 1, 0), (2, 0, 1), (1, 2, 2)])
LAWS: Final[Sequence[Callable[[], Law]]] = [
    lambda: Within(1, 0b101),
    lambda: Different((0, 1, 2), 0b111),
    lambda: Different((0, 2)),
    lambda: Less(2, 0),
    lambda: Count((0, 1, 3), 1, 1),
    lambda: Count((0, 1, 2, 3), 2, 3, 0b110),
    lambda: Total((0, 1, 2, 3), 5, 6),
    lambda: Total((3, 1, 0), 7, 7, (1, 2, 3)),
    lambda: Table((1, 2, 3), ROWS),
    lambda: DifferentLines([(0, 1), (2, 3)]),
    lambda: Equation((2, 0, 1, 3), "-*+", 1),
    lambda: Equation((1, 3, 0), "**", 4),
]

domains = st.lists(st.integers(1, 7), min_size=4, max_size=4)


def grids(masks: Sequence[int]) -> list[tuple[int, ...]]:
    return list(product(*map(values_of, masks)))


@pytest.mark.parametrize("law", LAWS)
@given(masks=domains)
def test_a_law_removes_no_solution_and_reports_what_it_narrows(law: Callable[[], Law], masks: list[int]) -> None:
    allowed = [grid for grid in grids(masks) if law().holds(grid)]
    narrowed = masks.copy()
    changed = law().prune(narrowed)
    if changed is None:
        assert not allowed
        return
    assert all(narrowed[cell] >> value & 1 for grid in allowed for cell, value in enumerate(grid))
    assert {cell for cell in range(4) if narrowed[cell] != masks[cell]} == set(changed)
    assert all(narrowed)
    if all(not mask & mask - 1 for mask in narrowed):
        assert allowed == grids(narrowed)


@given(masks=domains, chosen=st.sets(st.integers(0, len(LAWS) - 1), max_size=3))
def test_the_search_finds_all_solutions(masks: list[int], chosen: set[int]) -> None:
    laws = [LAWS[number]() for number in sorted(chosen)]
    allowed = [grid for grid in grids(masks) if all(law.holds(grid) for law in laws)]
    model = Model(masks, laws)
    assert sorted(model.solutions(most=100).grids) == allowed
    assert sorted(model.solutions(most=100, rng=Stream(b"any")).grids) == allowed
    if allowed:
        other = model.another(allowed[0])
        assert other.none == (len(allowed) == 1)
        assert all(grid in allowed[1:] for grid in other.grids)


def test_a_law_that_is_off_is_not_considered() -> None:
    model = Model([0b110, 0b110], [Less(0, 1), Within(1, 0b10)])
    assert model.solutions().none
    assert model.solutions(off=[1]).grids == [(1, 2)]


def test_a_spent_budget_proves_nothing() -> None:
    model = Model([0b11] * 12, [Total(range(12), 6, 6)])
    found = model.solutions(most=10_000, budget=20)
    assert not found.complete
    assert not found.none
    assert Model([0b11] * 4, []).another((0, 0, 0, 0), 2).none is False


@given(seed=st.integers(0, 500), keep=st.integers(0, 9))
def test_carving_keeps_one_solution_and_no_clue_too_many(seed: int, keep: int) -> None:
    full, rng = 0b1110, Stream(b"carve", seed)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
    square = (1, 2, 3, 2, 3, 1, 3, 1, 2)
    clues = [Within(cell, 1 << value) for cell, value in enumerate(square)]
    fixed = [Different(line, full) for line in lines]
    kept = carve(rng, [full] * 9, fixed, clues, square, keep, 10_000)
    assert kept is not None
    assert len(kept) >= keep

    def count(positions: Sequence[int]) -> int:
        return len(Model([full] * 9, [*fixed, *(clues[at] for at in positions)]).solutions().grids)

    assert count(kept) == 1
    if len(kept) > keep:
        assert all(count([at for at in kept if at != dropped]) == 2 for dropped in kept)


def test_carving_refuses_a_puzzle_with_two_solutions() -> None:
    assert carve(Stream(b"two"), [0b11, 0b11], [Count((0, 1), 1, 1)], [], (0, 1), 0, 100) is None


def test_masks_are_sets_of_values() -> None:
    assert values_of(0b1010) == (1, 3)
    assert mask_of((1, 3)) == 0b1010
