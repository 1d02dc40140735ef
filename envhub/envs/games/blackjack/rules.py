"""Blackjack with a reshuffled deck: hands, dealer, and exact values of decisions.

Every card is drawn from the full deck, so earlier cards carry no information. A decision depends on the player's total,
on whether an ace in it counts 11, and on the dealer's card::

    rules = Rules(double=True)              # the usual deck; the dealer stands on every 17
    worths(rules, 10, (5, 6), False)        # {"hit": 0.03, "stand": -0.54, "double": 0.06}
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

ACE: Final = 1
RANKS: Final = range(1, 11)
MOVES: Final = ("hit", "stand", "double", "split")


class Rules(NamedTuple):
    """The deck and the allowed moves.

    The deck is card counts by rank from ace (1) to ten.
    """

    weights: tuple[int, ...] = (4,) * 9 + (16,)
    soft17: bool = False
    double: bool = False
    split: bool = False


def total(cards: Iterable[int]) -> tuple[int, bool]:
    """The value of cards, and whether an ace among them counts 11."""
    held = tuple(cards)
    hard = sum(held)
    return (hard + 10, True) if ACE in held and hard <= 11 else (hard, False)


def natural(cards: tuple[int, ...]) -> bool:
    """Whether the first two cards are an ace and a ten."""
    return sorted(cards) == [ACE, 10]


def dealer_draws(rules: Rules, cards: tuple[int, ...]) -> bool:
    """Whether the dealer takes another card."""
    count, soft = total(cards)
    return count < 17 or (count == 17 and soft and rules.soft17)


def _add(count: int, soft: bool, card: int) -> tuple[int, bool]:
    """A total with one more card."""
    hard = count - 10 * soft + card
    soft = soft or card == ACE
    return (hard + 10, True) if soft and hard <= 11 else (hard, soft and hard <= 11)


@lru_cache(maxsize=4096)
def _dealt(rules: Rules, count: int, soft: bool) -> tuple[float, ...]:
    """Probabilities of the dealer's final totals.

    17, 18, 19, 20, 21 or over, from a total that is not a natural.
    """
    if count > 21:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    if count > 17 or (count == 17 and not (soft and rules.soft17)):
        return tuple(float(count == end) for end in (17, 18, 19, 20, 21, 22))
    ends = [0.0] * 6
    for card, weight in zip(RANKS, rules.weights, strict=True):
        for at, chance in enumerate(_dealt(rules, *_add(count, soft, card))):
            ends[at] += weight * chance / sum(rules.weights)
    return tuple(ends)


@lru_cache(maxsize=1024)
def _ends(rules: Rules, up: int) -> tuple[float, ...]:
    """Final totals' probabilities from the dealer's first card.

    With the probability of a natural.
    """
    ends = [0.0] * 7
    for card, weight in zip(RANKS, rules.weights, strict=True):
        chance = weight / sum(rules.weights)
        if natural((up, card)):
            ends[6] += chance
        else:
            for at, then in enumerate(_dealt(rules, *total((up, card)))):
                ends[at] += chance * then
    return tuple(ends)


@lru_cache(maxsize=8192)
def _stand(rules: Rules, up: int, count: int) -> float:
    """The value of standing with a total that is not a natural."""
    ends = _ends(rules, up)
    wins = ends[5] + sum(chance for end, chance in zip(range(17, 22), ends, strict=False) if end < count)
    loses = ends[6] + sum(chance for end, chance in zip(range(17, 22), ends, strict=False) if end > count)
    return wins - loses


@lru_cache(maxsize=65536)
def _hit(rules: Rules, up: int, count: int, soft: bool, last: bool) -> float:
    """The value of hitting once, or of hitting and playing on.

    The later play is the best.
    """
    worth = 0.0
    for card, weight in zip(RANKS, rules.weights, strict=True):
        if weight:
            after, still = _add(count, soft, card)
            if after > 21:
                then = -1.0
            elif last or after == 21:
                then = _stand(rules, up, after)
            else:
                then = max(_stand(rules, up, after), _hit(rules, up, after, still, False))
            worth += weight * then / sum(rules.weights)
    return worth


def worths(rules: Rules, up: int, cards: tuple[int, ...], parted: bool) -> dict[str, float]:
    """Value of every legal move in stakes of the hand.

    With optimal play afterwards.

    Args:
        rules: The deck and the allowed moves.
        up: The dealer's card.
        cards: The player's hand; not over 21.
        parted: Whether the hand comes from a split; such a hand is not split again.
    """
    count, soft = total(cards)
    found = {"hit": _hit(rules, up, count, soft, False), "stand": _stand(rules, up, count)}
    if rules.double and len(cards) == 2:
        found["double"] = 2 * _hit(rules, up, count, soft, True)
    if rules.split and len(cards) == 2 and cards[0] == cards[1] and not parted:
        found["split"] = 2 * _parted(rules, up, cards[0])
    return found


@lru_cache(maxsize=4096)
def _parted(rules: Rules, up: int, card: int) -> float:
    """The value of one of two split cards.

    21 with its next card is not a natural.
    """
    worth = 0.0
    for drawn, weight in zip(RANKS, rules.weights, strict=True):
        if weight:
            hand = (card, drawn)
            full = total(hand)[0] == 21
            then = _stand(rules, up, 21) if full else max(worths(rules, up, hand, True).values())
            worth += weight * then / sum(rules.weights)
    return worth
