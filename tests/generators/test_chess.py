"""Chess by its rules: published counts of games, endings, notation, and mates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.chess import mates, notation
from envhub.generators.chess.board import (
    START,
    Position,
    bare,
    checks,
    flights,
    in_check,
    king_of,
    mirrored,
    perft,
    placed,
    read_fen,
    read_uci,
    step,
    steps,
    stuck,
    swapped,
    write_fen,
    write_uci,
)

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# https://www.chessprogramming.org/Perft_Results
COUNTS = [
    (START, (20, 400, 8_902, 197_281)),
    (KIWIPETE, (48, 2_039, 97_862)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812, 43_238)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9_467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379)),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2_079, 89_890)),
]
# Martin Sedlak's corner cases: en passant and pins, castling, promotion, stalemate, mate
CORNERS = [
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
]
MANY = [
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1_015_133),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
]


@pytest.mark.parametrize(("fen", "counts"), COUNTS, ids=["start", "kiwipete", "3", "4", "5", "6"])
def test_as_many_games_as_published(fen: str, counts: tuple[int, ...]) -> None:
    assert write_fen(read_fen(fen)) == fen
    assert tuple(perft(read_fen(fen), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("fen", "depth", "count"), CORNERS)
def test_the_corner_cases_too(fen: str, depth: int, count: int) -> None:
    assert perft(read_fen(fen), depth) == count


@pytest.mark.nightly
@pytest.mark.parametrize(("fen", "depth", "count"), MANY)
def test_the_long_corner_cases_too(fen: str, depth: int, count: int) -> None:
    assert perft(read_fen(fen), depth) == count


@pytest.mark.parametrize("fen", ["", "8/8/8/8/8/8/8/8 w - - 0 1", "kK/8 w - - 0 1", "kx6/8/8/8/8/8/8/K7 w - - 0 1"])
def test_what_is_no_position_is_refused(fen: str) -> None:
    with pytest.raises(ValueError, match="no position"):
        read_fen(fen)


def walk(seed: int, plies: int) -> list[Position]:
    rng = Stream(b"walk", seed)
    p, found = read_fen(START), []
    for _ in range(plies):
        found.append(p)
        legal = steps(p)
        if not legal:
            break
        p = step(p, rng.choice(legal))
    return found


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_legal_move_is_read_back_in_either_notation_and_leaves_no_king_in_check(seed: int) -> None:
    for p in walk(seed, 80)[::7]:
        legal = steps(p)
        texts = [notation.write(p, move) for move in legal]
        assert len(set(texts)) == len(texts)
        for move, text in zip(legal, texts, strict=True):
            assert notation.read(p, text) == [move]
            assert notation.shape(text) == text
            assert read_uci(write_uci(move)) == move
            assert notation.read(p, write_uci(move)) == [move]
            after = step(p, move)
            assert not in_check(after._replace(white=p.white))
            assert after.board.count("K") == after.board.count("k") == 1
            assert read_fen(write_fen(after)).same == after.same


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exchanged_colours_and_mirrors_play_alike(seed: int) -> None:
    for p in walk(seed, 60)[::11]:
        plain = p._replace(castling="")
        mirror = placed(mirrored(p.board), p.white, "", p.passant ^ 7 if p.passant >= 0 else -1)
        assert perft(plain, 2) == perft(swapped(plain), 2) == perft(mirror, 2)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("O-O", ["e1g1"]),
        ("0-0-0", ["e1c1"]),
        ("e1g1", ["e1g1"]),
        ("Nxf7", ["e5f7"]),
        ("1. Nxf7!", ["e5f7"]),
        ("12... Nxf7", ["e5f7"]),
        ("dxe6", ["d5e6"]),
        ("d5xe6", ["d5e6"]),
        ("Nb1", ["c3b1"]),
        ("Bd2-c1", ["d2c1"]),
        ("bxc3", []),
        ("Ke2", []),
        ("Qf3f6+", ["f3f6"]),
    ],
)
def test_moves_are_read_as_people_write_them(text: str, wanted: list[str]) -> None:
    found = notation.shape(text)
    assert found is not None
    assert [write_uci(move) for move in notation.read(read_fen(KIWIPETE), found)] == wanted


@pytest.mark.parametrize("text", ["", "hello", "i9", "e4 e5", "Nf3 Nc6", "resign", "O-O-O-O", "e2e4e5", "P"])
def test_what_is_no_move_is_not_read(text: str) -> None:
    assert notation.shape(text) is None


def test_a_missing_promotion_and_twin_knights_are_ambiguous() -> None:
    promoting = read_fen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    assert len(notation.read(promoting, "e8")) == len(notation.read(promoting, "e7e8")) == 4
    assert (
        [m[2] for m in notation.read(promoting, "e8=N")] == [m[2] for m in notation.read(promoting, "e7e8n")] == ["n"]
    )
    knights = read_fen("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1")
    assert len(notation.read(knights, "Nd2")) == 2
    assert {notation.write(knights, move) for move in notation.read(knights, "Nd2")} == {"Nbd2", "Nfd2"}


@pytest.mark.parametrize(
    ("men", "cannot"),
    [("Kk", True), ("KkB", True), ("Kkn", True), ("KkNN", False), ("KkP", False), ("KkR", False), ("KkBn", False)],
)
def test_too_few_men_to_mate(men: str, cannot: bool) -> None:
    assert bare(placed(men + "." * (64 - len(men)))) is cannot


def test_bishops_of_one_colour_of_squares_cannot_mate_and_of_two_can() -> None:
    assert bare(placed("K.B.b" + "." * 58 + "k"))
    assert not bare(placed("K.Bb" + "." * 59 + "k"))


@pytest.mark.parametrize(
    ("fen", "most", "moves", "first"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 3, 1, {"a1a8"}),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 3, 1, {"g1g7"}),
        ("8/8/8/8/8/5K2/7R/5k2 w - - 0 1", 3, 1, {"h2h1"}),
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 3, 2, {"c6c7"}),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 3, 0, set()),
    ],
)
def test_mates_are_found_and_are_the_quickest(fen: str, most: int, moves: int, first: set[str]) -> None:
    found = mates.quickest(read_fen(fen), most)
    assert found.moves == moves
    assert {write_uci(move) for move in found.first} == first


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_mates_by_plain_search(seed: int) -> None:
    """A composed position against a search without any order or counting."""
    rng = Stream(b"compose", seed)
    bare_king = mates.compose(rng, 2)
    p = bare_king and mates.shield(bare_king, rng, seed % 4)
    if p is None:
        return

    def lost(q: Position, left: int) -> bool:
        replies = steps(q)
        return all(won(step(q, r), left) for r in replies) if replies else in_check(q)

    def won(q: Position, left: int) -> bool:
        return left > 0 and any(lost(step(q, m), left - 1) for m in steps(q))

    found = mates.quickest(p, 2)
    assert found.moves == (1 if won(p, 1) else 2 if won(p, 2) else 0)
    if found.moves == 2:
        assert set(found.first) == {m for m in steps(p) if lost(step(p, m), 1)}


def test_no_pawn_is_taken_en_passant_that_shields_the_king_of_who_takes() -> None:
    assert "c4d3" not in map(write_uci, steps(read_fen("8/k7/8/8/2pP4/8/8/K5B1 b - d3 0 1")))
    assert "c4d3" in map(write_uci, steps(read_fen("8/k7/8/8/2pP4/8/8/K6B b - d3 0 1")))


def composed(moves: int, quiet: bool | None, seed: int = 0) -> Position:
    """The first position in a stream that fits."""
    rng = Stream(b"fits", moves, seed)
    while True:
        alone = mates.compose(rng, moves)
        p = alone and mates.shield(alone, rng, rng.between(1, 3))
        if p and mates.fits(p, moves, quiet):
            return p


@pytest.mark.parametrize(("moves", "quiet"), [(1, None), (2, False), (2, True), (3, None)])
def test_what_fits_is_mate_in_just_so_many_moves_with_the_first_move_that_is_wanted(
    moves: int, quiet: bool | None
) -> None:
    p = composed(moves, quiet)
    found = mates.quickest(p, 3)
    assert found.moves == moves
    if moves < 3:
        assert not mates.fits(p, 3 - moves, None)
    if quiet is not None:
        assert any(move in checks(p) for move in found.first) is not quiet
        assert not mates.fits(p, moves, not quiet)


def test_no_mate_in_three_is_one_in_two_that_begins_quietly() -> None:
    for seed in range(12):
        assert not mates.Search().mated(composed(3, None, seed), 2)


def test_the_defence_that_escapes_is_found_and_else_the_longest() -> None:
    lost = step(read_fen("k7/8/2K5/8/8/8/8/1R6 w - - 0 1"), read_uci("c6c7"))  # one reply, and mate
    assert list(map(write_uci, mates.defences(lost, 1))) == ["a8a7"]
    p = step(composed(3, None), read_uci(write_uci(mates.best(composed(3, None), 3))))
    longest = mates.defences(p, 2)
    assert all(not mates.Search().mated(step(p, reply), 1) for reply in longest)
    free = read_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 1")
    assert len(mates.defences(free, 2)) == 1


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_part_of_the_moves_is_that_part(seed: int) -> None:
    """Checks, flights and ``stuck`` are what all legal moves say."""
    for p in walk(seed, 80)[::5]:
        legal = steps(p)
        assert checks(p) == [move for move in legal if in_check(step(p, move))]
        assert stuck(p) is (not legal)
        king = king_of(p, p.white)
        assert flights(p) == sum(1 << to for at, to, _ in legal if at == king and abs(at % 8 - to % 8) < 2)


def test_where_two_men_give_check_only_the_king_moves() -> None:
    """The rook could take one of them, or stand in the way of the other."""
    p = read_fen("4r2k/8/8/8/Rb6/8/8/4K3 w - - 0 1")
    assert set(map(write_uci, steps(p))) == {"e1d1", "e1f1", "e1f2"}
    assert {"a4b4"} < set(map(write_uci, steps(read_fen("7k/8/8/8/Rb6/8/8/4K3 w - - 0 1"))))
    assert {"a4e4"} < set(map(write_uci, steps(read_fen("4r2k/8/8/8/R7/8/8/4K3 w - - 0 1"))))
