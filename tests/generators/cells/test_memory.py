"""Remembered narrowings are those that the laws themselves make."""

from __future__ import annotations

from itertools import permutations

import pytest

from envhub.core.seeding import Stream
from envhub.generators.cells import memory
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Count, Rows, Table, Total
from envhub.generators.cells.memory import remembering
from envhub.generators.cells.tally import Tally

ROWS = Rows(list(permutations(range(3))))
SOME = (
    lambda a, b, c: Table((a, b, c), ROWS),
    lambda a, b, c: Total((a, b, c), 2, 3),
    lambda a, b, c: Total((a, b, c), 2, 3, (3, 1, 1)),
    lambda a, b, c: Tally([(a, 1), (a, 2), (b, 2), (c, 4)], 2, 2),
    lambda a, b, c: Tally([(c, 1), (b, 2), (b, 4), (a, 4)], 2, 2),
)


@pytest.mark.parametrize("room", [memory._ROOM, 40], ids=["all", "few"])
def test_laws_of_a_kind_share_results_and_prune_as_without_memory(room, monkeypatch):
    monkeypatch.setattr(memory, "_ROOM", room)
    rng = Stream(b"memory", "test")
    refuted = 0
    for _ in range(1_500):
        law: Law = rng.choice(SOME)(*rng.sample(range(5), 3))
        domains = [rng.between(1, 7) for _ in range(5)]
        plain = domains.copy()
        expected = law.prune(plain)
        found = remembering(law)(domains)
        refuted += expected is None
        assert (found is None) == (expected is None)
        if expected is not None:
            assert list(found or ()) == list(expected)
            assert domains == plain
    assert refuted > 50


def test_a_narrowing_is_computed_once_for_all_places(monkeypatch):
    calls = []
    prune = Table.prune
    monkeypatch.setattr(Table, "prune", lambda law, domains: calls.append(law.cells) or prune(law, domains))
    rows = Rows([(0, 1), (1, 0)])
    for cells in ((0, 1), (3, 2)):
        domains = [1, 3, 3, 1]
        assert remembering(Table(cells, rows))(domains) == [cells[1]]
        assert domains[cells[1]] == 2
    assert calls == [(0, 1)]


def test_laws_that_are_fast_or_name_a_cell_twice_are_not_remembered():
    for law in (Count((0, 1), 1, 1), Total((0, 0), 2, 3)):
        assert remembering(law) == law.prune
