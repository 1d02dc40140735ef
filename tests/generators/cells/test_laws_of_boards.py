"""Laws over small boards: propagation loses no solution, and a decided grid is accepted exactly if the law holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside
from envhub.generators.cells.bridges import Joined, crossings
from envhub.generators.cells.diagonals import NoLoops, forest
from envhub.generators.cells.directions import tree
from envhub.generators.cells.islands import islands, labelled
from envhub.generators.cells.law import Law, mask_of, values_of
from envhub.generators.cells.rays import Rays
from envhub.generators.cells.spanning import Spanning
from envhub.generators.cells.symmetry import Together, galaxies, mirrored
from envhub.generators.cells.tally import Tally
from envhub.generators.cells.through import inside_of, pearl, pearls, sides_of

LAWS: Final[Sequence[tuple[Callable[[], Law], int]]] = [
    (lambda: Tally([(0, 0b10), (1, 0b101), (2, 0b1), (0, 0b100)], 1, 2), 3),
    (lambda: Rays([(0b10, (0, 1)), (0b100, (2, 3))], 3), 3),
    (lambda: NoLoops(2, 2), 2),
    (lambda: Spanning(2, 2), 16),
    (lambda: Together(0, 3, 0b101), 3),
    (lambda: Joined(crossings(1, 4, [0, 3]), [0, 3]), 5),
]
"""Laws on four cells, each with the number of values of a cell."""


@pytest.mark.parametrize(("law", "values"), LAWS)
@given(data=st.data())
def test_a_law_removes_no_solution_and_reports_what_it_narrows(
    law: Callable[[], Law], values: int, data: st.DataObject
) -> None:
    some = st.lists(st.integers(0, values - 1), min_size=1, max_size=3).map(mask_of)
    masks = data.draw(st.lists(some, min_size=4, max_size=4))
    allowed = [grid for grid in product(*map(values_of, masks)) if law().holds(grid)]
    narrowed = masks.copy()
    changed = law().prune(narrowed)
    if changed is None:
        assert not allowed
        return
    assert all(narrowed)
    assert all(narrowed[cell] >> value & 1 for grid in allowed for cell, value in enumerate(grid))
    assert {cell for cell in range(4) if narrowed[cell] != masks[cell]} == set(changed)
    if all(not mask & mask - 1 for mask in narrowed):
        assert allowed == list(product(*map(values_of, narrowed)))


@given(seed=st.binary(max_size=8))
def test_what_is_drawn_satisfies_its_laws(seed: bytes) -> None:
    rng = Stream(seed)
    assert Spanning(4, 3).holds(tree(rng, 4, 3))
    assert NoLoops(4, 3).holds(forest(rng, 4, 3))
    points, label = galaxies(rng, 4, 5, 8)
    assert all(label[mirrored(4, 5, cell, points[region])] == region for cell, region in enumerate(label))


@given(seed=st.binary(max_size=8))
def test_islands_are_found_again_by_one_of_their_cells(seed: bytes) -> None:
    label = islands(Stream(seed), 5, 5, 4)
    if label is not None:
        names = {label.index(name): name for name in sorted({*label} - {0})}
        assert labelled(beside(5, 5), [name > 0 for name in label], names) == label
        names.popitem()
        assert labelled(beside(5, 5), [name > 0 for name in label], names) is None


@given(inside=st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_pearls_are_those_whose_law_holds(inside: list[int]) -> None:
    sides = sides_of(inside, 4, 5)
    if 15 in sides:
        assert inside_of(sides, 4, 5) is None
        return
    assert inside_of(sides, 4, 5) == inside
    every = product(range(20), (0, 1))
    assert pearls(inside, 4, 5) == {cell: colour for cell, colour in every if pearl(4, 5, cell, colour).holds(inside)}
