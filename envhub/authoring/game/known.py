"""Published results on the rules of a game, which the audit holds its rules to.

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
    """A game up to some position, and what is known of that position.

    Attributes:
        inst: What ``start`` is called with.
        moves: The moves up to the position, separated by spaces, each in a spelling of the game (``Rules.spellings``).
        counts: How many different games of one, two and more plies follow; a game that has ended counts no longer.
        paid: The payoffs if the game is over there; else None.
        refused: Answers that are not legal there.
        shown: A part of what both seats see there.
    """

    inst: Instance
    moves: str = ""
    counts: Sequence[int] = ()
    paid: Sequence[float] | None = None
    refused: Sequence[str] = ()
    shown: str = ""
