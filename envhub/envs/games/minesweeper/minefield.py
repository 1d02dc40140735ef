"""Minefields: drawing, opening cells, and inferring safe ones.

A field is a width and a text of one character per cell, row by row: ``*`` a mine, ``.`` none. The visible board is a
text of the same length: ``#`` a closed cell, a digit an open one::

    field = "*...."                             # one row of five
    seen = opened(5, field, "#####", 4)         # "#1000": around a 0 everything is opened
    safe(5, "#1###", mines=1, hardest=EXACT)    # cells in which no arrangement has a mine, and the technique
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import Final

CLOSED: Final = "#"
SINGLES, PAIRS, EXACT = 1, 2, 3
"""Techniques: single counts, two counts compared, and all arrangements enumerated."""
_MOST_WORK: Final = 5_000
_EMPTY: Final[frozenset[int]] = frozenset()

Constraint = tuple[frozenset[int], int]


@lru_cache(maxsize=64)
def around(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of every cell."""
    found = []
    for y, x in product(range(height), range(width)):
        rows, columns = range(max(0, y - 1), min(height, y + 2)), range(max(0, x - 1), min(width, x + 2))
        found.append(tuple(row * width + column for row in rows for column in columns if (row, column) != (y, x)))
    return tuple(found)


def opened(width: int, field: str, seen: str, cell: int) -> str:
    """The visible board after opening a safe cell.

    Its count, and recursively the neighbours of a 0.
    """
    beside, shown, queue = around(width, len(field) // width), list(seen), [cell]
    while queue:
        at = queue.pop()
        if shown[at] == CLOSED:
            count = 0
            for to in beside[at]:
                if field[to] == "*":
                    count += 1
            shown[at] = str(count)
            if count == 0:
                queue += beside[at]
    return "".join(shown)


def constraints(width: int, seen: str) -> set[Constraint]:
    """The constraints from open counts: the number of mines among closed cells."""
    beside = around(width, len(seen) // width)
    found = set()
    for at, mark in enumerate(seen):
        if mark not in "#0":
            cells = frozenset(to for to in beside[at] if seen[to] == CLOSED)
            if cells:
                found.add((cells, int(mark)))
    return found


def by_rules(known: set[Constraint], pairs: bool) -> tuple[set[int], set[int]]:
    """Safe cells and mines by single counts, optionally by comparing two counts.

    Sound but incomplete: results follow from the constraints.
    """
    safe: set[int] = set()
    mines: set[int] = set()
    facts = known
    while True:
        before = len(safe) + len(mines)
        for cells, count in facts:
            if count == 0:
                safe |= cells
            elif count == len(cells):
                mines |= cells
        if pairs and len(safe) + len(mines) == before:
            for (some, few), (others, many) in permutations(facts, 2):
                if many - few == len(others - some) and some & others:  # cells only in the other constraint are mines
                    mines |= others - some
                    safe |= some - others
        if len(safe) + len(mines) == before:
            return safe, mines
        facts = {(cells - safe - mines, count - len(cells & mines)) for cells, count in facts} - {(frozenset(), 0)}


def safe(width: int, seen: str, mines: int, hardest: int = EXACT) -> tuple[set[int], int]:
    """Closed cells that are certainly safe, and the easiest sufficient technique.

    Args:
        width: Cells per row.
        seen: The visible board.
        mines: Mines on the whole field.
        hardest: The hardest technique to try: ``SINGLES``, ``PAIRS`` or ``EXACT``, which is complete.
    """
    known = constraints(width, seen)
    for technique in range(SINGLES, min(hardest, PAIRS) + 1):
        found = by_rules(known, technique == PAIRS)[0]
        if found:
            return found, technique
    return (_exactly(known, seen, mines), EXACT) if hardest == EXACT else (set(), hardest)


def _exactly(known: set[Constraint], seen: str, mines: int) -> set[int]:
    """The cells that are safe in every arrangement.

    None if there are too many arrangements.
    """
    bounded = set[int]().union(*(cells for cells, _ in known))
    inner = {cell for cell, mark in enumerate(seen) if mark == CLOSED} - bounded
    groups = _parts(known)
    parts = [_arrangements(group) for group in groups]
    if any(part is None for part in parts):
        return set()
    tallies = [{len(found) for found in part or ()} for part in parts]
    free = set(range(len(inner) + 1))  # possible numbers of mines in unconstrained cells
    found = set[int]()
    for number, part in enumerate(parts):
        others = _sums([*tallies[:number], *tallies[number + 1 :], free])
        possible = [arrangement for arrangement in part or () if mines - len(arrangement) in others]
        found |= set[int]().union(*(cells for cells, _ in groups[number])) - set[int]().union(*possible)
    if _sums(tallies) & set(range(mines - len(inner), mines + 1)) == {mines}:
        found |= inner
    return found


def _sums(sets: list[set[int]]) -> set[int]:
    total = {0}
    for one in sets:
        total = {a + b for a in total for b in one}
    return total


def _parts(known: set[Constraint]) -> list[list[Constraint]]:
    """The constraints in groups without common cells."""
    parts: list[tuple[set[int], list[Constraint]]] = []
    for fact in sorted(known, key=lambda fact: sorted(fact[0])):
        joined: tuple[set[int], list[Constraint]] = (set(fact[0]), [fact])
        apart = []
        for part in parts:
            if part[0] & joined[0]:
                joined = (part[0] | joined[0], part[1] + joined[1])
            else:
                apart.append(part)
        parts = [*apart, joined]
    return [facts for _, facts in parts]


def _arrangements(facts: list[Constraint]) -> list[frozenset[int]] | None:
    """All sets of mines that fit a group of constraints.

    None when the work limit is reached.
    """
    found: list[frozenset[int]] = []
    work = 0
    stack: list[tuple[list[Constraint], frozenset[int]]] = [(facts, frozenset())]
    while stack:
        work += 1
        if work > _MOST_WORK:
            return None
        open_, mined = stack.pop()
        if not open_:
            found.append(mined)
            continue
        cells, count = min(
            open_, key=lambda fact: (comb(len(fact[0]), min(max(fact[1], 0), len(fact[0]))), sorted(fact[0]))
        )
        if not 0 <= count <= len(cells):
            continue
        for chosen in map(frozenset, combinations(sorted(cells), count)):
            rest = {(c - cells, k - len(c & chosen)) for c, k in open_}
            if (_EMPTY, 0) in rest:
                rest.discard((_EMPTY, 0))
            if all(0 <= k <= len(c) for c, k in rest):
                stack.append((list(rest), mined | chosen))
    return found


def work(width: int, field: str, seen: str, hardest: int) -> list[int] | None:
    """The technique of each round of a careful player.

    It opens all cells found safe; None if it gets stuck.
    """
    mines, rounds = field.count("*"), []
    while seen.count(CLOSED) > mines:
        cells, technique = safe(width, seen, mines, hardest)
        if not cells:
            return None
        rounds.append(technique)
        for cell in cells:
            seen = opened(width, field, seen, cell)
    return rounds
