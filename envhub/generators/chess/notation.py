"""Chess notation: writes SAN (``Nxf7+``, ``O-O``, ``e8=Q``), reads SAN and UCI."""

from __future__ import annotations

import re
from typing import Final

from envhub.generators.chess.board import SQUARES, Position, Step, in_check, step, steps, write_uci

_SAN: Final = re.compile(
    r"([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?\(?([NBRQnbrq])\)?)?(?:e\.?p\.?)?[+#]*[!?]*"
)
_UCI: Final = re.compile(r"([a-h][1-8])-?x?([a-h][1-8])=?([nbrqNBRQ]?)")
_CASTLE: Final = re.compile(r"([O0o])(-?)\1(\2\1)?[+#]*[!?]*")


def shape(text: str) -> str | None:
    """A text tidied to look like a move.

    None if it cannot be one.
    """
    text = re.sub(r"\s*e\.?p\.?$", "", re.sub(r"^[0-9]{1,3}\.(?:\.\.)?\s*", "", text.strip()))
    if _CASTLE.fullmatch(text):
        return "O-O-O" if len(re.findall("[O0o]", text)) == 3 else "O-O"
    if _SAN.fullmatch(text) or _UCI.fullmatch(text):
        return text
    return text.lower() if _UCI.fullmatch(text.lower()) else None  # E2E4; B4c5 is a bishop's move


def read(p: Position, text: str) -> list[Step]:
    """The legal moves that a text may mean.

    One, none, or several if ambiguous. A text in UCI notation is read as UCI; a missing promotion is ambiguous.
    """
    legal = steps(p)
    uci = _UCI.fullmatch(text)
    if uci:
        start, end, become = uci[1], uci[2], uci[3].lower()
        return [m for m in legal if (SQUARES[m[0]], SQUARES[m[1]]) == (start, end) and (not become or m[2] == become)]
    if text in ("O-O", "O-O-O"):
        way = 2 if text == "O-O" else -2
        return [m for m in legal if p.kings >> m[0] & 1 and m[1] - m[0] == way]
    san = _SAN.fullmatch(text)
    if san is None:
        return []
    piece, file, rank, end, become = san[1] or "P", san[2], san[3], san[4], (san[5] or "").lower()
    return [
        m
        for m in legal
        if p.man(m[0]).upper() == piece
        and SQUARES[m[1]] == end
        and (not file or SQUARES[m[0]][0] == file)
        and (not rank or SQUARES[m[0]][1] == rank)
        and (not become or m[2] == become)
        and not (piece == "K" and abs(m[0] - m[1]) == 2)
    ]


def write(p: Position, move: Step) -> str:
    """A legal move in SAN."""
    at, to, become = move
    piece, end = p.man(at).upper(), SQUARES[to]
    after = step(p, move)
    suffix = ("+" if steps(after) else "#") if in_check(after) else ""
    if piece == "K" and abs(at - to) == 2:
        return ("O-O" if to > at else "O-O-O") + suffix
    taken = bool(p.man(to)) or (piece == "P" and to == p.passant)
    if piece == "P":
        start = f"{SQUARES[at][0]}x" if taken else ""
        return f"{start}{end}{'=' + become.upper() if become else ''}{suffix}"
    rivals = [m[0] for m in steps(p) if m[1] == to and m[0] != at and p.man(m[0]) == p.man(at)]
    start = ""
    if rivals:
        if all(SQUARES[rival][0] != SQUARES[at][0] for rival in rivals):
            start = SQUARES[at][0]
        else:
            start = SQUARES[at][1] if all(SQUARES[rival][1] != SQUARES[at][1] for rival in rivals) else SQUARES[at]
    return f"{piece}{start}{'x' if taken else ''}{end}{suffix}"


def both(p: Position, move: Step) -> str:
    """A move in both notations."""
    return f"{write(p, move)} ({write_uci(move)})"
