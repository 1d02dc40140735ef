"""Leduc poker: six cards, two rounds of betting; the rules are :class:`envhub.envs.games.poker.rules.Poker`'s."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from envhub.envs.games.poker.rules import RANKS, Poker, Weights, public_of


@lru_cache(maxsize=1)
def table() -> Mapping[str, Weights]:
    """An equilibrium as weights of fold, call and raise.

    By card and history, of ten thousand. Solved as a linear program in sequence form; the tests bound its
    exploitability after rounding.
    """
    rows = (line.split() for line in Path(__file__).with_name("leduc.txt").read_text().splitlines())
    return {f"{card}{history.strip('.')}": (int(f), int(c), int(r)) for card, history, f, c, r in rows}


def equilibrium(card: str, history: str) -> Weights:
    """The weights of the table; value -0.0856 for the first player."""
    return table()[card + history]


def honest(card: str, history: str) -> str:
    """Raise with the best card, call with the middling, else fold.

    The best card is K, later a pair; the middling one is Q, later K.
    """
    public = public_of(history)
    strong = card == (public or "K")
    middling = card == ("K" if public else "Q")
    wish = "r" if strong else "c" if middling else "f"
    return wish if wish in GAME.letters(history) else "c"


def row(card: str, history: str) -> int:
    """Seven rows without a bet, then seven facing one.

    J, Q, K in round 1; J, Q, K unpaired, a pair in round 2.
    """
    public = public_of(history)
    kind = 6 if card == public else RANKS.index(card) + 3 * bool(public)
    return kind + 7 * history.endswith("r")


GAME: Final = Poker(copies=2, sizes=(2, 4), raises=2, equilibrium=equilibrium, honest=honest, row=row)
