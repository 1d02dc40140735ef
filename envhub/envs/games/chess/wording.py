"""The prompts of chess-v0 and chess-mate-v0.

Phrasings of the rules, and renderings of the position.
"""

from __future__ import annotations

import json
from typing import Final, Literal

from envhub.authoring.game import Rulebook, views
from envhub.authoring.wording import Phrase, counted
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are {seat} in a game of chess.",
    "Play chess as {seat}.",
    "This is a game of chess, and you play {seat}.",
    held_out="Your part in this chess game is that of {seat}.",
)
_USUAL: Final = Phrase(
    "The usual rules of chess apply.",
    "The game follows the standard rules of chess.",
    "All standard rules of chess hold.",
    held_out="The rules are those of standard chess.",
)
_DRAWN: Final = Phrase(
    "In a drawing of the board, capital letters are White's pieces and small letters are Black's: K king, Q queen, R rook, B "
    "bishop, N knight, P pawn. A dot is an empty square.",
    "Boards are drawn with letters for the pieces, K (king), Q (queen), R (rook), B (bishop), N (knight) and P (pawn), and "
    "with dots for empty squares. White's letters are capital, Black's are small.",
    "The letters K, Q, R, B, N and P on a drawn board stand for king, queen, rook, bishop, knight and pawn: capital letters "
    "for White, small ones for Black. Dots are empty squares.",
    held_out="Legend of drawn boards: K Q R B N P = king, queen, rook, bishop, knight, pawn (upper case White, lower case "
    "Black); dot = empty.",
    seen=Phrase(
        "In a picture of the board, White's pieces are outlined and Black's are filled.",
        "Pictures of the board show the usual symbols of the pieces: outlines for White, filled ones for Black.",
        "The symbols of the pieces in a picture are outlines for White and filled for Black.",
        held_out="Legend of pictured boards: outlined symbol: White; filled symbol: Black.",
    ),
)
_FEN: Final = Phrase(
    "Each position is also given in FEN.",
    "You also get every position as a line of FEN.",
    "A line in FEN states the same position once more.",
    held_out="Positions are accompanied by their FEN string.",
    seen=Phrase(
        "Each picture comes with the fields of the position's FEN that follow the board: the side to move, the "
        "castling rights, the en passant square, the half-move clock and the move number.",
        "With every picture you get the rest of the position's FEN as text: side to move, castling rights, en passant square, "
        "half-move clock, move number.",
        "What a picture does not show is given as the last fields of FEN, namely the side to move, the castling rights, the en "
        "passant square, the half-move clock and the move number.",
        held_out="Pictures are accompanied by the final five fields of the FEN string (side, castling, en passant, half-moves, "
        "move).",
    ),
)
_DRAWS: Final = Phrase(
    "The game is a draw after a stalemate, when a position occurs for the third time, after fifty moves of each side without a "
    "capture or a pawn move, and when there are too few pieces for a checkmate.",
    "These end the game in a draw: stalemate, the third occurrence of a position, fifty moves of each side without a capture "
    "or a pawn move, and material with which nobody can give checkmate.",
    "Draws are automatic: by stalemate, by a position that occurs for the third time, by fifty moves of each side without a "
    "capture or a pawn move, and by too little material for a checkmate.",
    held_out="Automatic draws: stalemate; threefold repetition; fifty moves by each side without capture or pawn move; "
    "insufficient material.",
)
_NOTATION: Final = Phrase(
    "Write a move in algebraic notation (Nf3, exd5, O-O, e8=Q) or as its two squares (g1f3, e4d5, e1g1, e7e8q).",
    "A move can be given by its squares, as in g1f3, e4d5, e1g1 and e7e8q, or in algebraic notation, as in Nf3, exd5, O-O and "
    "e8=Q.",
    "Algebraic notation such as Nf3, exd5, O-O or e8=Q is understood, and so is the notation with both squares: g1f3, e4d5, "
    "e1g1, e7e8q.",
    held_out="Accepted move formats: SAN (Nf3, exd5, O-O, e8=Q) and UCI (g1f3, e4d5, e1g1, e7e8q).",
)
_MATE: Final = Phrase(
    "You succeed if you checkmate your opponent within {moves} of yours. If you have not done so by then, the game is a "
    "draw, and you fail. So do you after any other draw or a loss.",
    "Your goal is to give checkmate with at most {moves} of your own. After that the game is drawn. Every result but your "
    "checkmate is a failure.",
    "Give checkmate within {moves} of yours to succeed. When these are played without a checkmate, the game is a draw. A "
    "draw of any kind is a failure, and so is a loss.",
    held_out="Success means a checkmate after at most {moves} on your part, when the game is otherwise declared drawn. Draws "
    "and losses are failures.",
)
_FORCED: Final = Phrase(
    "You succeed if you checkmate your opponent within {moves} of yours. This can be forced, whatever your opponent plays. "
    "Anything else is a loss.",
    "Your goal is to give checkmate with at most {moves} of your own. There is a way to do so against every defence. If you do "
    "not, you lose.",
    "Give checkmate within {moves} of yours to succeed. With the right play your opponent cannot prevent it. All other results "
    "count as a loss.",
    held_out="Success means a checkmate after at most {moves} on your part; it is forced. Otherwise the game counts as lost.",
)


def rulebook(limit: Literal["moves", "mate_in"], moves: int) -> Rulebook:
    """The rules with the number of moves to mate.

    ``mate_in`` if the mate is forced and everything else loses.
    """
    rules, goal = (_USUAL, _DRAWN, _FEN, _DRAWS, _NOTATION), _FORCED if limit == "mate_in" else _MATE
    return Rulebook("Chess", _TASK, rules, goal, values={"moves": counted(moves, "move")}, view=_VIEW)


def _parts(problem: JSON) -> tuple[str, dict[str, list[str]]]:
    """The position in FEN, and the pieces of each side."""
    *rows, _, fen = problem["view"].split("\n")
    pieces: dict[str, list[str]] = {"White": [], "Black": []}
    for row in rows:
        number, *squares = row.split()
        for column, piece in zip("abcdefgh", squares, strict=True):
            if piece != ".":
                pieces["White" if piece.isupper() else "Black"].append(f"{piece.upper()}{column}{number}")
    return fen, {side: sorted(men, key=lambda man: "KQRBNP".index(man[0])) for side, men in pieces.items()}


def _as_fen(problem: JSON) -> str:
    fen, _ = _parts(problem)
    return f"The position in FEN: {fen}\n{_mover(fen)} is to move."


def _as_list(problem: JSON) -> str:
    fen, pieces = _parts(problem)
    told = [f"{side}: {', '.join(men)}" for side, men in pieces.items()]
    return "\n".join(["The pieces, each with its square:", *told, f"{_mover(fen)} is to move.", f"FEN: {fen}"])


def _as_json(problem: JSON) -> str:
    fen, pieces = _parts(problem)
    return json.dumps({**pieces, "to_move": _mover(fen), "fen": fen})


_VIEW: Final = views(_as_fen, _as_list, held_out=_as_json)


def _mover(fen: str) -> str:
    return "White" if fen.split()[1] == "w" else "Black"
