"""Known results of chess: published counts of games, and short finished games."""

from __future__ import annotations

from typing import Final

from envhub.generators.chess.board import START

COUNTS: Final = (
    # https://www.chessprogramming.org/Perft_Results
    (START, (20, 400, 8_902)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2_039, 97_862)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812, 43_238)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9_467)),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", (6, 264, 9_467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379)),
    # corner cases of en passant, castling and promotion, many of them Martin Sedlak's; counted by python-chess
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", (15, 126, 1_928)),
    ("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", (15, 126, 1_928)),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", (18, 92, 1_670)),
    ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", (18, 92, 1_670)),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", (15, 66, 1_198)),
    ("4k2r/8/8/8/8/8/8/5K2 b k - 0 1", (15, 66, 1_198)),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", (16, 71, 1_286)),
    ("r3k3/8/8/8/8/8/8/3K4 b q - 0 1", (16, 71, 1_286)),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", (26, 1_141)),
    ("r3k2r/7b/8/8/8/8/1B4BQ/R3K2R b KQkq - 0 1", (26, 1_141)),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", (44, 1_494)),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", (29, 165, 5_160)),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", (37, 183, 6_559)),
    ("4k3/8/8/8/1p1p1p2/8/P1P1P1P1/4K3 w - - 0 1", (12, 108, 1_297)),
    ("4k3/p1p1p1p1/8/1P1P1P2/8/8/8/4K3 b - - 0 1", (12, 108, 1_297)),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", (24, 496, 9_483)),
    # pieces in the corners, pins, and a knight's check; counted by python-chess
    ("r3K3/1R6/8/8/8/8/8/4k3 w - - 0 1", (4, 70)),
    ("3k4/8/8/8/8/8/r5B1/4K3 w - - 0 1", (11, 202)),
    ("4k3/8/8/8/8/8/6r1/R3K2b b - - 0 1", (19, 222)),
    ("8/8/8/8/4n3/8/R2K4/7k w - - 0 1", (7, 67)),
    ("4k3/8/8/8/8/1r6/3K4/7B w - - 0 1", (12, 209)),
    ("b6k/8/2N5/8/4K3/8/8/1R6 w - - 0 1", (22, 99)),
    ("7k/8/8/3K4/8/5N2/8/1R5b w - - 0 1", (22, 100)),
    ("B6K/8/2n5/8/4k3/8/8/1r6 b - - 0 1", (22, 99)),
    ("r2NK2k/8/8/8/8/8/3P4/8 w - - 0 1", (6, 74)),
    ("3rk3/8/8/3pP3/8/8/8/3K4 w - d6 0 1", (7, 66)),
    ("3k4/8/8/8/3Pp3/8/8/3RK3 b - d3 0 1", (7, 66)),
)
"""Positions, and their numbers of games of one, two and more plies."""

ENDS: Final = (
    (START, "f3 e5 g4 Qh4#", (-1.0, 1.0)),
    (START, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", (1.0, -1.0)),
    # the tenth ply is the position after the first for the third time
    (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", None),
    (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", (0.0, 0.0)),
    # the castling right is lost: the first position differs
    ("4k3/7p/8/8/8/8/7P/4K2R w K - 0 1", "Rg1 Ke7 Rh1 Ke8 Rg1 Ke7 Rh1 Ke8", None),
    ("4k3/7p/8/8/8/8/7P/4K2R w K - 0 1", "Rg1 Ke7 Rh1 Ke8 Rg1 Ke7 Rh1 Ke8 Rg1", (0.0, 0.0)),
    # en passant was possible only the first time
    ("4k2r/8/8/8/1p6/8/P7/4K2R w - - 0 1", "a4 Rg8 Rg1 Rh8 Rh1 Rg8 Rg1 Rh8", None),
    ("4k2r/8/8/8/1p6/8/P7/4K2R w - - 0 1", "a4 Rg8 Rg1 Rh8 Rh1 Rg8 Rg1 Rh8 Rh1 Rg8", (0.0, 0.0)),
    # stalemate
    ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", (0.0, 0.0)),
    # fifty-move rule, a pawn's move, a capture, and a mate on that move
    ("8/8/8/4k3/8/8/8/K6R w - - 98 90", "Rh2", None),
    ("8/8/8/4k3/8/8/8/K6R w - - 99 90", "Rh2", (0.0, 0.0)),
    ("8/8/8/4k3/8/8/8/K6R w - - 99 90", "Re1+", (0.0, 0.0)),
    ("8/8/8/4k3/8/P7/8/K6R w - - 99 90", "a4", None),
    ("8/8/8/4k3/8/P6p/8/K6R w - - 99 90", "Rxh3", None),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "Ra8#", (1.0, -1.0)),
    # insufficient material, or just sufficient
    ("k7/8/8/8/8/8/3p4/3K4 w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("k7/8/8/8/8/8/3p4/3K3N w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("k7/8/8/4b3/8/8/3p4/3K4 w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("n6k/8/8/8/8/8/3p4/3K4 w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("k7/8/8/4b3/8/8/3p4/3K2B1 w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("k7/8/8/8/4b3/8/3p4/3K3B w - - 0 1", "Bxe4+ Kb8 Kxd2", (0.0, 0.0)),
    ("7k/8/8/8/4b3/8/3p4/3K1B2 w - - 0 1", "Kxd2", (0.0, 0.0)),
    ("k7/8/8/4b3/8/8/3p4/3K1B2 w - - 0 1", "Kxd2", None),
    ("k7/8/8/7n/8/8/3p4/3K3N w - - 0 1", "Kxd2", None),
    ("k7/8/8/7n/8/8/3p4/3K1B2 w - - 0 1", "Kxd2", None),
    ("k7/8/8/8/8/8/3p4/3K2NN w - - 0 1", "Kxd2", None),
    ("k7/8/8/8/8/8/3p4/3K2Q1 w - - 0 1", "Kxd2", None),
    ("k7/8/8/8/8/8/3p4/3K2R1 w - - 0 1", "Kxd2", None),
    ("k7/7P/8/8/8/8/3p4/3K4 w - - 0 1", "Kxd2", None),
    # castling, promotion and capture en passant as they are written
    ("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "O-O O-O-O", None),
    ("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "O-O-O O-O", None),
    ("5k2/p7/8/8/8/8/P7/4K2R w K - 0 1", "O-O+", None),
    ("4k3/P6p/8/8/8/8/p6P/4K3 w - - 0 1", "a8=Q+ Kd7 Qxa2", None),
    ("1n2k3/P6p/8/8/8/8/p6P/1N2K3 w - - 0 1", "axb8=N axb1=B", None),
    ("4k3/2p5/8/1P6/8/8/8/4K3 b - - 0 1", "c5 bxc6", None),
    ("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "b4 cxb3", None),
    ("4k3/8/8/8/3p2n1/8/4P3/3K4 w - - 0 1", "e4 Ne3+", None),
    ("4k3/8/8/8/8/8/3N1N2/4K3 w - - 0 1", "Nfe4 Kd7", None),
    ("4k3/8/8/4N3/8/8/8/4NK2 w - - 0 1", "N1f3", None),
    ("4k3/8/8/4N3/8/8/8/4NK2 w - - 0 1", "N5f3", None),
    ("k7/8/8/1Q5Q/8/8/7Q/K7 w - - 0 1", "Qh5e2", None),
)
"""Positions, moves, and the payoffs of both sides if the game is then over."""

SHOWN: Final = (
    ("e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ("e4 c5", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
    ("e4 c5 Nf3", "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
    ("e4 c5 Nf3 d6", "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"),
    ("Nf3 d5 Nd4 e5 Nc6 Nxc6", "r1bqkbnr/ppp2ppp/2n5/3pp3/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 4"),
    ("e4 d5 e5 f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
)
"""Moves from the initial position, and the resulting position as FEN."""

REFUSED: Final = (
    ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "", ("Nd2", "Nc4", "O-O", "O-O-O", "e1g1", "Ke1", "Nbd3")),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "", ("e8", "e7e8", "e8=K", "e7e8k", "e9")),
    # through, out of and into check, past another man, and after the king or the rook has moved
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", ("Kg1", "Kc1")),
    ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", ("O-O", "e1g1", "Kg1")),
    ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O Ke7 Kb1 Ke6", ("O-O", "O-O-O", "Kb1-c1-b1")),
    ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", ("O-O-O", "e1c1", "Kc1")),
    ("r3k2r/8/4Q3/8/8/8/8/4K3 b kq - 0 1", "", ("O-O", "O-O-O", "e8g8", "e8c8")),
    ("r3k2r/8/8/8/8/8/8/RN2KB1R w KQkq - 0 1", "", ("O-O", "O-O-O")),
    ("r3k2r/8/8/8/8/8/8/RN2KB1R b KQkq - 0 1", "Rxa1 Bb5+", ("O-O", "O-O-O", "e8c8")),
    ("4k3/8/8/8/8/8/7p/R3K2R w KQ - 0 1", "Rxh2 Kd8 Rh1 Ke8", ("O-O",)),
    # a capture en passant that comes a move late, or opens a line to the king
    ("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "b4 Kd7 Kd1", ("cxb3", "c4b3")),
    ("8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1", "", ("cxd3", "c4d3")),
    ("8/k7/8/8/2pP4/8/8/K5B1 b - d3 0 1", "", ("cxd3", "c4d3")),
    # pins, and double check
    ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "", ("Nc3", "e2c3")),
    ("4r2k/8/8/8/Rb6/8/8/4K3 w - - 0 1", "", ("Rxb4", "Re4", "Ke2", "Kd2")),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O Kd8", ("O-O",)),
    ("6k1/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kf1", ("Kxf1", "Re0", "e2e3e4")),
)
"""Positions, moves, and answers that are then not exactly one legal move."""
