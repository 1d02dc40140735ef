"""What traders say: offers, ``accept`` and ``deny``, as text and as trades.

::

    Trade().read("<answer>offer 3 wheat for 2 ore</answer>").value      # ("offer", 3, "wheat", 2, "ore")
    deal_of(("offer", 3, "wheat", 2, "ore"), ["wheat", "ore"])          # Deal(out=3, give=0, into=2, get=1)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.games.negotiation import trader
from envhub.verifiers.answers.types import AnswerType, Unreadable

PRICES: Final = {"wheat": 5, "wood": 10, "sheep": 15, "brick": 25, "ore": 40}
_WORDS: Final = re.compile(r"offer ([1-9][0-9]{0,3}) ([a-z]{2,10}) for ([1-9][0-9]{0,3}) ([a-z]{2,10})")
_PLURALS: Final = {f"{good}s": good for good in PRICES}

Move = tuple[Any, ...]
ACCEPT: Final = ("accept",)
DENY: Final = ("deny",)


@dataclass(frozen=True)
class Trade(AnswerType):
    """An offer, ``accept`` or ``deny``. Its value is a tuple: ``("offer", 3, "wheat", 2, "ore")``."""

    noun: ClassVar[str] = "your move, which is an offer (first what you give, then what you receive), accept or deny,"
    example: ClassVar[str] = "offer 3 wheat for 2 ore"

    def parse(self, text: str) -> Move:
        """The move of a span."""
        words = " ".join(text.lower().split())
        if words in ("accept", "deny"):
            return (words,)
        found = _WORDS.fullmatch(words)
        if found is None:
            raise Unreadable("write accept, deny, or an offer like the example: what you give, then what you get.")
        give, get = (_PLURALS.get(good, good) for good in (found[2], found[4]))
        return "offer", int(found[1]), give, int(found[3]), get

    def random(self, rng: Stream) -> str:
        """A small offer."""
        give, get = rng.sample(list(PRICES), 2)
        return f"offer {rng.between(1, 5)} {give} for {rng.between(1, 5)} {get}"


def deal_of(offer: Move, goods: Sequence[str]) -> trader.Deal:
    """An offer as its proposer sees it."""
    _, out, give, into, get = offer
    return trader.Deal(out, goods.index(give), into, goods.index(get))


def mirrored(offer: Move, goods: Sequence[str]) -> trader.Deal:
    """An offer as the other trader sees it."""
    _, out, give, into, get = offer
    return trader.Deal(into, goods.index(get), out, goods.index(give))
