"""Small games of poker for two: what a hand pays, and what a decision is worth against a player of known habits.

A game is a deck of J, Q and K, a round of betting or two, and two players of habits: an equilibrium, and a rule of thumb. A
history is all that both players have seen: ``c`` (check or call), ``r`` (bet or raise), ``f`` (fold), and after a slash the
public card with what followed it: ``crc/Krf``. Cards are ranks::

    leduc.GAME.pays("KQ", "cc/Jrc")                    # 5: the ante and a bet of four
    leduc.GAME.worths("greedy", 0, "K", "c")           # {"c": 1.2, "r": 1.5}, say: chips won on average
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

RANKS: Final = "JQK"
KNOWN: Final = ("random", "greedy", "optimal")
"""The opponents whose habits are known."""

Weights = tuple[int, int, int]
"""How likely a player folds, calls or checks, raises or bets, as parts of their sum."""


@dataclass(frozen=True, eq=False)
class Poker:
    """The rules of a hand, and two ways to play it.

    Attributes:
        copies: How many cards of each rank there are.
        sizes: The chips of a bet in the one round, or in two; before the second a public card is laid open.
        raises: Bets and raises in a round, at most.
        equilibrium: The weights of an equilibrium, by card and history.
        honest: The letter of who plays a card for what it is.
    """

    copies: int
    sizes: tuple[int, ...]
    raises: int
    equilibrium: Callable[[str, str], Weights]
    honest: Callable[[str, str], str]

    @property
    def most(self) -> int:
        """Chips that can be lost in a hand, the ante included."""
        return 1 + self.raises * sum(self.sizes)

    @cached_property
    def deals(self) -> list[tuple[str, int]]:
        """The private cards of who acts first and second, with how often they come."""
        return [
            (a + b, self.copies * (self.copies - (a == b))) for a in RANKS for b in RANKS if a != b or self.copies > 1
        ]

    def publics(self, cards: str) -> list[tuple[str, int]]:
        """The public cards that are left, with how many there are of each."""
        return [(rank, self.copies - cards.count(rank)) for rank in RANKS if cards.count(rank) < self.copies]

    def closed(self, history: str) -> bool:
        """Whether the betting of the round that is played is at an end, nobody having folded."""
        return history.endswith("c") and len(acts(history)) > 1

    def dealing(self, history: str) -> bool:
        """Whether the public card is next."""
        return len(self.sizes) > 1 and "/" not in history and self.closed(history)

    def over(self, history: str) -> bool:
        """Whether the hand is."""
        return history.endswith("f") or (self.closed(history) and (len(self.sizes) == 1 or "/" in history))

    def letters(self, history: str) -> str:
        """What may be done."""
        done = acts(history)
        return ("f" if done.endswith("r") else "") + "c" + ("r" if done.count("r") < self.raises else "")

    def pays(self, cards: str, history: str) -> int:
        """What who acts first wins of who acts second, the hand being over."""
        paid = [1, 1]
        for number, (size, part) in enumerate(zip(self.sizes, history.split("/"), strict=False)):
            for at, letter in enumerate(part[1:] if number else part):
                if letter != "f":
                    paid[at % 2] = max(paid) + (size if letter == "r" else 0)
        if history.endswith("f"):
            return paid[1] if (len(acts(history)) - 1) % 2 else -paid[0]
        mine, other = (strength(card, public_of(history)) for card in cards)
        return paid[0] * ((mine > other) - (mine < other))

    def habit(self, opponent: str, slips: int, card: str, history: str) -> Mapping[str, float]:
        """How often an opponent (one of :data:`KNOWN`) does what, its slips counted."""
        return _habit(self, opponent, slips, card, history)

    def worths(self, opponent: str, slips: int, card: str, history: str) -> Mapping[str, float]:
        """What every decision with a card wins on average against an opponent, if all that follows is decided best."""
        return _worths(self, opponent, slips, card, history)

    def faultless(self, opponent: str, slips: int, least: float) -> float:
        """How often a hand of random decisions has none that loses so much, in either place on average."""
        return _faultless(self, opponent, slips, least)


def acts(history: str) -> str:
    """What was done in the round that is played."""
    return history.partition("/")[2][1:] if "/" in history else history


def public_of(history: str) -> str:
    """The public card; empty before it is laid open."""
    return history.partition("/")[2][:1]


def strength(card: str, public: str) -> int:
    """How good a card is: a pair beats everything, then the rank counts."""
    return 3 if card == public else RANKS.index(card)


@lru_cache(maxsize=20_000)
def _habit(game: Poker, opponent: str, slips: int, card: str, history: str) -> Mapping[str, float]:
    may = game.letters(history)
    even = 1 / len(may)
    if opponent == "optimal":
        weights = dict(zip("fcr", game.equilibrium(card, history), strict=True))
        own = {letter: weights[letter] / sum(weights.values()) for letter in may}
    elif opponent == "greedy":
        chosen = game.honest(card, history)
        own = {letter: float(letter == chosen) for letter in may}
    else:
        own = dict.fromkeys(may, even)
    return {letter: (own[letter] * (100 - slips) + slips * even) / 100 for letter in may}


@lru_cache(maxsize=20_000)
def _worths(game: Poker, opponent: str, slips: int, card: str, history: str) -> Mapping[str, float]:
    me, public = len(acts(history)) % 2, public_of(history)
    belief = {other: float(game.copies - (other == card)) for other in RANKS}
    if public:
        for other in RANKS:
            belief[other] *= game.copies - (card + other).count(public)
    first, _, second = history.partition("/")
    for prefix, done in (("", first), (f"{first}/{public}", second[1:])):
        for at in range(1 - me, len(done), 2):
            for other, reach in belief.items():
                if reach:
                    belief[other] *= game.habit(opponent, slips, other, prefix + done[:at])[done[at]]
    seen = sum(belief.values())
    may = game.letters(history)
    if not seen:  # an opponent of these habits does not get here
        return dict.fromkeys(may, 0.0)
    return {letter: _value(game, opponent, slips, me, card, history + letter, belief) / seen for letter in may}


def _value(
    game: Poker, opponent: str, slips: int, me: int, card: str, history: str, belief: Mapping[str, float]
) -> float:
    """What a hand is worth to a seat, weighed by how it is believed to come about."""
    if game.over(history):
        return sum(
            reach * (game.pays(card + other, history) if me == 0 else -game.pays(other + card, history))
            for other, reach in belief.items()
            if reach
        )
    total = 0.0
    if game.dealing(history):
        unseen = 3 * game.copies - 2
        for public in RANKS:
            left = {
                o: reach * (game.copies - (card + o).count(public)) / unseen for o, reach in belief.items() if reach
            }
            if any(left.values()):
                total += _value(game, opponent, slips, me, card, f"{history}/{public}", left)
        return total
    if len(acts(history)) % 2 == me:
        return max(
            _value(game, opponent, slips, me, card, history + letter, belief) for letter in game.letters(history)
        )
    for letter in game.letters(history):
        left = {o: reach * game.habit(opponent, slips, o, history)[letter] for o, reach in belief.items() if reach}
        if any(left.values()):
            total += _value(game, opponent, slips, me, card, history + letter, left)
    return total


@lru_cache(maxsize=256)
def _faultless(game: Poker, opponent: str, slips: int, least: float) -> float:
    def go(cards: str, me: int, history: str) -> float:
        if game.over(history):
            return 1.0
        if game.dealing(history):
            branches = game.publics(cards)
            return sum(count * go(cards, me, f"{history}/{rank}") for rank, count in branches) / (3 * game.copies - 2)
        card = cards[len(acts(history)) % 2]
        if len(acts(history)) % 2 == me:
            worth = game.worths(opponent, slips, card, history)
            best = max(worth.values())
            return sum(go(cards, me, history + x) for x in worth if worth[x] > best - least) / len(worth)
        chances = game.habit(opponent, slips, card, history)
        return sum(chance * go(cards, me, history + x) for x, chance in chances.items() if chance)

    all_deals = 2 * sum(count for _, count in game.deals)
    return sum(count * go(cards, me, "") for cards, count in game.deals for me in (0, 1)) / all_deals
