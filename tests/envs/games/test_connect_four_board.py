"""Connect four: the boards by counting, and the search for forced wins against plain search."""

from __future__ import annotations

from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.games.connect_four.board import (
    FULL,
    columns,
    drop,
    four,
    in_reach,
    look_ahead,
    promise,
    rows,
    win_now,
    winning,
)

LINES = [
    [(r + i * dr, c + i * dc) for i in range(4)]
    for r in range(6)
    for c in range(7)
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7
]


def played(moves: list[int]) -> tuple[int, int]:
    """The position after these moves, those into full columns and after the end left out."""
    mine, other = 0, 0
    for move in moves:
        if four(other) or mine | other == FULL:
            break
        if move in columns(mine | other):
            mine, other = drop(mine, other, move)
    return mine, other


def has_four(board: list[str], mark: str) -> bool:
    return any(all(board[r][c] == mark for r, c in line) for line in LINES)


GAMES = st.lists(st.integers(1, 7), max_size=42).map(played)


def test_games_and_positions_are_as_many_as_is_known() -> None:
    """Games of n moves: powers of seven until a column is full; positions after n moves: OEIS A212693."""
    games, positions = [(0, 0)], {(0, 0)}
    counts, distinct = [], []
    for _ in range(5):
        games = [drop(*at, column) for at in games if not four(at[1]) for column in columns(at[0] | at[1])]
        positions = {drop(*at, column) for at in positions if not four(at[1]) for column in columns(at[0] | at[1])}
        counts.append(len(games))
        distinct.append(len(positions))
    assert counts == [7, 49, 343, 2401, 16807]
    assert distinct == [7, 49, 238, 1120, 4263]


def test_a_column_holds_six() -> None:
    mine, other = played([4] * 6)
    assert list(columns(mine | other)) == [3, 5, 2, 6, 1, 7]
    assert rows(mine, other)[0] == "...O..."


@given(GAMES)
def test_four_is_four_in_a_row(at: tuple[int, int]) -> None:
    mine, other = at
    board = rows(mine, other)
    last = "XO"[((mine | other).bit_count() + 1) % 2]
    assert four(other) == has_four(board, last)
    assert sum(row.count("X") - row.count("O") for row in board) == (mine | other).bit_count() % 2


@given(GAMES)
def test_cells_that_win_are_those_that_make_four(at: tuple[int, int]) -> None:
    mine, other = at
    if four(mine) or four(other):
        return
    expected = sum(
        1 << cell
        for cell in range(49)
        if FULL >> cell & 1 and not (mine | other) >> cell & 1 and four(mine | 1 << cell)
    )
    assert winning(mine, other) == expected
    column = win_now(mine, other)
    assert bool(column) == any(four(drop(mine, other, c)[1]) for c in columns(mine | other))
    assert not column or four(drop(mine, other, column)[1])


@given(GAMES)
def test_promise_is_the_same_seen_from_the_other_side(at: tuple[int, int]) -> None:
    assert promise(*at) == -promise(at[1], at[0])


def wins(mine: int, other: int, plies: int) -> bool:
    """Whether who is to move forces a win in so many plies, by trying everything."""
    for column in columns(mine | other):
        after = drop(mine, other, column)
        if four(after[1]) or (plies > 2 and loses(*after, plies - 1)):
            return True
    return False


def loses(mine: int, other: int, plies: int) -> bool:
    replies = [drop(mine, other, column) for column in columns(mine | other)]
    return bool(replies) and all(not four(after[1]) and wins(*after, plies - 1) for after in replies)


@given(GAMES.filter(lambda at: not four(at[1])))
def test_a_forced_win_is_seen_where_there_is_one_and_nowhere_else(at: tuple[int, int]) -> None:
    seen = look_ahead(*at, 5)
    quickest = next((plies for plies in (1, 3, 5) if wins(*at, plies)), 0)
    assert seen.plies == quickest
    if quickest:
        after = drop(*at, seen.column)
        assert four(after[1]) or loses(*after, quickest - 1)


def test_no_win_is_seen_where_the_other_side_has_two_threats() -> None:
    looked_at = 0
    for seed in range(3000):
        rng = Stream(b"threats", seed)
        mine, other = played([rng.between(1, 7) for _ in range(rng.between(10, 30))])
        threats = winning(other, mine) & in_reach(mine | other)
        if four(other) or win_now(mine, other) or not threats & (threats - 1):
            continue
        looked_at += 1
        assert look_ahead(mine, other, 5).plies == 0
    assert looked_at > 30
