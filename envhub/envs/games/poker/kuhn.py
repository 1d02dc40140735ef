"""Kuhn poker: three cards, one bet of one chip (:class:`envhub.envs.games.poker.rules.Poker`)."""

from __future__ import annotations

from typing import Final

from envhub.envs.games.poker.rules import RANKS, Poker, Weights

# an equilibrium's bets or calls out of three, by history, with J, Q and K
_BOLD: Final = {"": (1, 0, 3), "c": (1, 0, 3), "r": (0, 1, 3), "cr": (0, 2, 3)}


def equilibrium(card: str, history: str) -> Weights:
    """The equilibrium that first bets J one time in three.

    alpha = 1/3; value -1/18 for the first player.
    """
    bold = _BOLD[history][RANKS.index(card)]
    return (3 - bold, bold, 0) if history.endswith("r") else (0, 3 - bold, bold)


def honest(card: str, history: str) -> str:
    """Bet with K only, call a bet with Q or K."""
    if history.endswith("r"):
        return "f" if card == "J" else "c"
    return "r" if card == "K" else "c"


SITUATIONS: Final = ("", "c", "r", "cr")
"""Histories at which a player decides."""


def row(card: str, history: str) -> int:
    """Three rows, one per card, for each of :data:`SITUATIONS`."""
    return 3 * SITUATIONS.index(history) + RANKS.index(card)


GAME: Final = Poker(copies=1, sizes=(1,), raises=1, equilibrium=equilibrium, honest=honest, row=row)
