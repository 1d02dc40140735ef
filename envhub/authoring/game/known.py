"""Published results on a game's rules, checked by the audit.

A digest of scripted episodes shows that rules have changed; a published count shows that they are wrong::

    def known(self):
        yield KnownGame(inst, counts=(20, 400, 8_902))                   # games of one, two and three plies
        yield KnownGame(inst, moves="f3 e5 g4 Qh4#", paid=(-1, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from envhub.core.types import Instance


class KnownGame(NamedTuple):
    """A sequence of moves and the known facts about the resulting position.

    Attributes:
        inst: The argument of ``start``.
        moves: The moves up to the position, separated by spaces, each in a spelling of the game (``Rules.spellings``); for
            chance, its outcome.
        counts: Number of different games of one, two and more plies that follow, chance included; ended games are not
            counted.
        paid: The payoffs if the game is over; else None.
        refused: Answers that are illegal there.
        shown: Text that both seats' views contain.
        value: What seat 0 gains on average from here if all seats play ``Rules.strategy``.
        information_sets: Number of different views in which a seat is to move from here on.
    """

    inst: Instance
    moves: str = ""
    counts: Sequence[int] = ()
    paid: Sequence[float] | None = None
    refused: Sequence[str] = ()
    shown: str = ""
    value: float | None = None
    information_sets: int | None = None
