"""Sudoku: what each technique removes, and that no step contradicts the solution."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from envhub.envs.logic.sudoku import grid
from envhub.envs.logic.sudoku.grid import Technique
from envhub.envs.logic.sudoku.techniques import (
    candidates,
    deduce,
    eliminations,
    hidden_singles,
    naked_singles,
    place,
    shape,
)
from tests.envs.logic.sudoku.grids import KNOWN, few, read, seeds, stream


def fresh(size: int, *removed: tuple[int, range | tuple[int, ...]]) -> int:
    """An empty grid's candidates but for ``(digit from 0, cells)``."""
    x = shape(size).full
    for digit, cells in removed:
        for c in cells:
            x &= ~(1 << digit * size**2 + c)
    return x


def bits(size: int, *pairs: tuple[int, int]) -> int:
    return sum(1 << digit * size**2 + cell for digit, cell in pairs)


def rest(*kept: int) -> tuple[int, ...]:
    return tuple(d for d in range(9) if d not in kept)


POINTING = fresh(9, (0, (9, 10, 11, 18, 19, 20))), bits(9, *((0, c) for c in range(3, 9)))
CLAIMING = fresh(9, (0, range(3, 9))), bits(9, *((0, c) for c in (9, 10, 11, 18, 19, 20)))
POINTING_DOWN = fresh(9, (0, (1, 2, 10, 11, 19, 20))), bits(9, *((0, c) for c in range(27, 81, 9)))
POINTING_6 = fresh(6, (2, (6, 7, 8))), bits(6, *((2, c) for c in (3, 4, 5)))
CLAIMING_6 = fresh(6, (2, (12, 18, 24, 30))), bits(6, *((2, c) for c in (1, 2, 7, 8)))
NAKED_PAIR = (
    fresh(9, *((d, (0, 4)) for d in rest(0, 1))),
    bits(9, *((d, c) for d in (0, 1) for c in range(9) if c not in (0, 4))),
)
NAKED_TRIPLE = (
    fresh(9, *((d, (0, 4, 8)) for d in rest(0, 1, 2)), (0, (0,)), (1, (4,)), (2, (8,))),
    bits(9, *((d, c) for d in (0, 1, 2) for c in range(9) if c not in (0, 4, 8))),
)
HIDDEN_PAIR = (
    fresh(9, *((d, tuple(c for c in range(0, 81, 9) if c not in (0, 36))) for d in (0, 1))),
    bits(9, *((d, c) for d in rest(0, 1) for c in (0, 36))),
)
X_WING = (
    fresh(9, *((0, tuple(r * 9 + c for c in range(9) if c not in (1, 5))) for r in (0, 4))),
    bits(9, *((0, r * 9 + c) for r in range(9) for c in (1, 5) if r not in (0, 4))),
)
SWORDFISH = (
    fresh(9, *((0, tuple(r * 9 + c for r in range(9) if r not in (0, 4, 8))) for c in (1, 4, 7)), (0, (1, 40, 79))),
    bits(9, *((0, r * 9 + c) for r in (0, 4, 8) for c in range(9) if c not in (1, 4, 7))),
)
XY_WING = (
    fresh(9, *((d, (0,)) for d in rest(0, 1)), *((d, (4,)) for d in rest(0, 2)), *((d, (36,)) for d in rest(1, 2))),
    bits(9, (2, 40)),
)


@pytest.mark.parametrize(
    ("size", "technique", "position", "gone"),
    [
        pytest.param(size, technique, *case, id=name)
        for name, size, technique, case in [
            ("pointing", 9, Technique.LOCKED, POINTING),
            ("claiming", 9, Technique.LOCKED, CLAIMING),
            ("pointing-down", 9, Technique.LOCKED, POINTING_DOWN),
            ("pointing-6", 6, Technique.LOCKED, POINTING_6),
            ("claiming-6", 6, Technique.LOCKED, CLAIMING_6),
            ("naked-pair", 9, Technique.SUBSET, NAKED_PAIR),
            ("naked-triple", 9, Technique.SUBSET, NAKED_TRIPLE),
            ("hidden-pair", 9, Technique.SUBSET, HIDDEN_PAIR),
            ("x-wing", 9, Technique.WING, X_WING),
            ("swordfish", 9, Technique.WING, SWORDFISH),
            ("xy-wing", 9, Technique.WING, XY_WING),
        ]
    ],
)
def test_a_technique_removes_exactly_what_it_should(size: int, technique: Technique, position: int, gone: int) -> None:
    this = shape(size)
    assert position & gone == gone, "the example removes something"
    first = next((found, removed) for found, removed in eliminations(this, position) if removed)
    assert first == (technique, gone)
    assert not any(removed for _, removed in eliminations(this, this.full)), "an empty grid tells nothing"


def wrong_steps(size: int, puzzle: tuple[int, ...], solution: tuple[int, ...], used: Counter[Technique]) -> int:
    """How many candidates of the solution are removed on the way, or others placed; all techniques at every turn."""
    this = shape(size)
    truth = candidates(this, solution)[1]
    x, placed = candidates(this, puzzle)
    wrong = (truth & ~x).bit_count()
    while x:
        before = x, placed
        for technique, gone in list(eliminations(this, x)):
            used[technique] += bool(gone)
            wrong += (gone & truth).bit_count()
            x &= ~gone
        for technique, singles in ((Technique(1), hidden_singles), (Technique(2), naked_singles)):
            new = singles(this, x) & ~placed
            used[technique] += bool(new)
            wrong += (new & ~truth).bit_count()
            x, placed = place(this, x, placed, new)
        if before == (x, placed):
            break
    return wrong


def test_no_step_contradicts_the_solution() -> None:
    used: Counter[Technique] = Counter()
    for size, clues, slack, count in ((9, 23, 4, 60), (6, 8, 5, 60), (4, 4, 3, 60)):
        for seed in range(count):
            rng = stream("sound", size, seed)
            solution = grid.random_solution(rng, size)
            puzzle = grid.carve(rng, solution, size, clues, slack=slack)
            if puzzle is not None:
                assert wrong_steps(size, puzzle, solution, used) == 0
    assert min(used[t] for t in Technique if t is not Technique.TRIAL) >= 10
    # the check does notice: against another grid's solution the same steps are wrong
    assert wrong_steps(9, read(KNOWN), grid.random_solution(stream(), 9), Counter()) > 0


@few
@given(seeds)
def test_deductions_are_monotone(seed: int) -> None:
    """More clues lead at least as far, and adding one to a finished deduction leads where starting anew does."""
    this = shape(9)
    rng = stream("monotone", seed)
    solution = grid.random_solution(rng, 9)
    shown = rng.sample(range(81), rng.between(24, 32))
    puzzle = [v if c in shown else 0 for c, v in enumerate(solution)]
    cell = rng.choice([c for c in range(81) if not puzzle[c]])
    bit = bits(9, (solution[cell] - 1, cell))
    furthest = 0
    for technique in list(Technique)[:-1]:
        x, placed = deduce(this, *candidates(this, puzzle), technique)
        assert placed | furthest == placed, "a harder technique leads further"
        furthest = placed
        more = deduce(this, *place(this, x, placed, bit & ~placed), technique)
        anew = deduce(this, *candidates(this, [*puzzle[:cell], solution[cell], *puzzle[cell + 1 :]]), technique)
        assert more == anew
        assert more[0] & ~x == 0
