"""Small two-player poker games: payoffs, and values of decisions.

A game is a deck of J, Q and K, one or two rounds of betting, and two known strategies: an equilibrium, and a rule of
thumb. A history is everything both players have seen: ``c`` (check or call), ``r`` (bet or raise), ``f`` (fold), and
after a slash the public card with what followed it: ``crc/Krf``. Cards are ranks::

    leduc.GAME.pays("KQ", "cc/Jrc")                    # 5: the ante and a bet of four
    leduc.GAME.worths("greedy", 0, "K", "c")           # {"c": 1.2, "r": 1.5}, say: chips won on average

An opponent is one of :data:`KNOWN`, or a table of frequencies (:data:`Habits`), one row per situation of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

RANKS: Final = "JQK"
KNOWN: Final = ("random", "greedy", "optimal")
"""The opponents with named strategies."""

Weights = tuple[int, int, int]
"""Weights of fold, call or check, and raise or bet."""

Habits = tuple[Weights, ...]
"""A strategy as weights, one row per situation (:attr:`Poker.row`). A raise that is not allowed becomes a call."""

Rival = str | Habits
Belief = tuple[float, ...]
"""Likelihood of each card of :data:`RANKS` as the opponent's, up to a common factor."""


Policy = Callable[[str, str], Mapping[str, float]]


class Moment(NamedTuple):
    """What a history says about the next move.

    Attributes:
        done: The actions of the current round.
        dealing: Whether the public card is next.
        over: Whether the hand is over.
    """

    done: str
    dealing: bool
    over: bool


@dataclass(frozen=True, eq=False)
class Poker:
    """The rules of a hand, and two strategies for it.

    Attributes:
        copies: Number of cards per rank.
        sizes: The chips of a bet, by round; a public card is dealt before the second round.
        raises: Maximum number of bets and raises per round.
        equilibrium: The weights of an equilibrium, by card and history.
        honest: The action of a player who plays by the strength of its card.
        row: Index of the row of :data:`Habits` for a card and a history.
    """

    copies: int
    sizes: tuple[int, ...]
    raises: int
    equilibrium: Callable[[str, str], Weights]
    honest: Callable[[str, str], str]
    row: Callable[[str, str], int]

    @property
    def most(self) -> int:
        """The most chips that can be lost in a hand, ante included."""
        return 1 + self.raises * sum(self.sizes)

    @cached_property
    def deals(self) -> list[tuple[str, int]]:
        """The private cards by acting order, with their weights."""
        return [
            (a + b, self.copies * (self.copies - (a == b))) for a in RANKS for b in RANKS if a != b or self.copies > 1
        ]

    def publics(self, cards: str) -> list[tuple[str, int]]:
        """The possible public cards, with their counts."""
        return [(rank, self.copies - cards.count(rank)) for rank in RANKS if cards.count(rank) < self.copies]

    def closed(self, history: str) -> bool:
        """Whether the current round of betting is over, without a fold."""
        return history.endswith("c") and len(acts(history)) > 1

    def dealing(self, history: str) -> bool:
        """Whether the public card is next."""
        return len(self.sizes) > 1 and "/" not in history and self.closed(history)

    def moment(self, history: str) -> Moment:
        """What a history says about the next move."""
        return _moment(self, history)

    def over(self, history: str) -> bool:
        """Whether the hand is over."""
        return history.endswith("f") or (self.closed(history) and (len(self.sizes) == 1 or "/" in history))

    def letters(self, history: str) -> str:
        """The legal actions."""
        done = acts(history)
        return ("f" if done.endswith("r") else "") + "c" + ("r" if done.count("r") < self.raises else "")

    def pays(self, cards: str, history: str) -> int:
        """The first player's winnings from the second in a finished hand."""
        return _pays(self, cards, history)

    def habit(self, rival: Rival, slips: int, card: str, history: str) -> Mapping[str, float]:
        """The probabilities of an opponent's letters, slips included."""
        return _habit(self, rival, slips, card, history)

    def worths(self, rival: Rival, slips: int, card: str, history: str) -> Mapping[str, float]:
        """Expected chips of each decision with a card against an opponent.

        With optimal play afterwards.
        """
        found = _solved(self, rival, slips).get((card, history))
        # an opponent with this strategy never gets here
        return dict.fromkeys(self.letters(history), 0.0) if found is None else found

    def naive(self, rival: Rival, slips: int, card: str, history: str) -> Mapping[str, float]:
        """As :meth:`worths` for a player who infers nothing from the opponent's actions."""
        return _naive(self, rival, slips, card, history)

    def faultless(self, rival: Rival, slips: int, least: float, policy: Policy) -> tuple[float, float]:
        """Probability that a policy plays a hand without loss.

        Acting first and second.

        Args:
            rival: The opponent.
            slips: Random decisions of the opponent, in per cent.
            least: Chips that a decision must lose to count.
            policy: Weight of each letter, by card and history.
        """
        return _faultless(self, rival, slips, least, policy, 0), _faultless(self, rival, slips, least, policy, 1)


def acts(history: str) -> str:
    """The actions of the current round."""
    return history.partition("/")[2][1:] if "/" in history else history


def public_of(history: str) -> str:
    """The public card; empty before it is dealt."""
    return history.partition("/")[2][:1]


def strength(card: str, public: str) -> int:
    """The strength of a card.

    A pair beats everything, then the rank counts.
    """
    return 3 if card == public else RANKS.index(card)


@lru_cache(maxsize=1024)
def _moment(game: Poker, history: str) -> Moment:
    done = acts(history)
    return Moment(done, game.dealing(history), game.over(history))


@lru_cache(maxsize=4096)
def _pays(game: Poker, cards: str, history: str) -> int:
    paid = [1, 1]
    for number, (size, part) in enumerate(zip(game.sizes, history.split("/"), strict=False)):
        for at, letter in enumerate(part[1:] if number else part):
            if letter != "f":
                paid[at % 2] = max(paid) + (size if letter == "r" else 0)
    if history.endswith("f"):
        return paid[1] if (len(acts(history)) - 1) % 2 else -paid[0]
    mine, other = (strength(card, public_of(history)) for card in cards)
    return paid[0] * ((mine > other) - (mine < other))


def _habit(game: Poker, rival: Rival, slips: int, card: str, history: str) -> Mapping[str, float]:
    may = game.letters(history)
    even = 1 / len(may)
    if rival == "random":
        return dict.fromkeys(may, even)
    if rival == "greedy":
        chosen = game.honest(card, history)
        own = {letter: float(letter == chosen) for letter in may}
    else:
        fold, call, bold = game.equilibrium(card, history) if isinstance(rival, str) else rival[game.row(card, history)]
        weights = {"f": fold, "c": call, "r": bold} if "r" in may else {"f": fold, "c": call + bold}
        total = sum(weights[letter] for letter in may)
        own = {letter: weights[letter] / total for letter in may}
    return {letter: (own[letter] * (100 - slips) + slips * even) / 100 for letter in may}


@lru_cache(maxsize=64)
def _solved(game: Poker, rival: Rival, slips: int) -> Mapping[tuple[str, str], Mapping[str, float]]:
    """The values of all possible decisions, by card and history."""
    found: dict[tuple[str, str], Mapping[str, float]] = {}
    for card in RANKS:
        for me in (0, 1):
            _value(game, rival, slips, me, card, "", _dealt(game, card), found)
    return found


@lru_cache(maxsize=4096)
def _naive(game: Poker, rival: Rival, slips: int, card: str, history: str) -> Mapping[str, float]:
    public, found = public_of(history), dict[tuple[str, str], Mapping[str, float]]()
    belief = _dealt(game, card)
    if public:
        belief = _opened(game, card, public, belief)
    _value(game, rival, slips, len(acts(history)) % 2, card, history, belief, found)
    return found[card, history]


def _dealt(game: Poker, card: str) -> Belief:
    return tuple(float(game.copies - (other == card)) for other in RANKS)


def _opened(game: Poker, card: str, public: str, belief: Belief) -> Belief:
    """The belief after a public card, weighted by its likelihood."""
    left = 3 * game.copies - 2
    chances = ((game.copies - (card + other).count(public)) / left for other in RANKS)
    return tuple(reach * chance for reach, chance in zip(belief, chances, strict=True))


def _value(
    game: Poker,
    rival: Rival,
    slips: int,
    me: int,
    card: str,
    history: str,
    belief: Belief,
    found: dict[tuple[str, str], Mapping[str, float]],
) -> float:
    """Value of a hand to a seat, weighted by the belief.

    Records the values of its decisions.
    """
    if game.over(history):
        return sum(
            reach * (game.pays(card + other, history) if me == 0 else -game.pays(other + card, history))
            for other, reach in zip(RANKS, belief, strict=True)
            if reach
        )
    if game.dealing(history):
        after = ((f"{history}/{public}", _opened(game, card, public, belief)) for public in RANKS)
        return sum(_value(game, rival, slips, me, card, at, then, found) for at, then in after if any(then))
    if len(acts(history)) % 2 == me:
        worth = {
            letter: _value(game, rival, slips, me, card, history + letter, belief, found)
            for letter in game.letters(history)
        }
        seen = sum(belief)
        found[card, history] = {letter: value / seen for letter, value in worth.items()}
        return max(worth.values())
    total = 0.0
    habits = [_habit(game, rival, slips, other, history) for other in RANKS]
    for letter in game.letters(history):
        then = tuple(reach * habit[letter] for reach, habit in zip(belief, habits, strict=True))
        if any(then):
            total += _value(game, rival, slips, me, card, history + letter, then, found)
    return total


def _faultless(game: Poker, rival: Rival, slips: int, least: float, policy: Policy, me: int) -> float:
    def go(cards: str, history: str) -> float:
        if game.over(history):
            return 1.0
        if game.dealing(history):
            branches = game.publics(cards)
            return sum(count * go(cards, f"{history}/{rank}") for rank, count in branches) / (3 * game.copies - 2)
        card = cards[len(acts(history)) % 2]
        if len(acts(history)) % 2 == me:
            worth = game.worths(rival, slips, card, history)
            best = max(worth.values())
            chosen = policy(card, history)
            right = {x: share for x, share in chosen.items() if share and worth[x] > best - least}
            return sum(share * go(cards, history + x) for x, share in right.items()) / sum(chosen.values())
        chances = game.habit(rival, slips, card, history)
        return sum(chance * go(cards, history + x) for x, chance in chances.items() if chance)

    return sum(count * go(cards, "") for cards, count in game.deals) / sum(count for _, count in game.deals)
