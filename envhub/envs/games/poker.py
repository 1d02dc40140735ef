"""Matches of a small game of poker, judged by decisions and not by luck: the base of ``kuhn-poker-v0`` and ``leduc-poker-v0``.

Hands are played against an opponent whose ways are told; the payoff is the chips won. The score does not depend on the luck of
the cards: every decision of the policy loses so much, on average, against the best decision with the same knowledge and this
opponent, which :class:`envhub.generators.poker.Poker` computes exactly. Solved is a match in which no decision lost anything;
else half a point, less what was lost. A subclass names its game, the words for what is done, and what it tells of habits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import log2
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import Field

from envhub.game import CHANCE, Game, GameParams
from envhub.generators.poker import KNOWN, RANKS, Poker, acts, public_of
from envhub.seeding import Stream
from envhub.types import JSON, Instance

Levels = tuple[tuple[str, int, int], ...]
"""Opponent, its slips, and hands, level by level."""


class PokerParams(GameParams):
    """The opponent, and how many hands."""

    levels: ClassVar[Levels]
    hands: int = Field(3, ge=1, le=25, description="hands of a match; the players act first in turn")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        opponent, slips, hands = cls.levels[difficulty - 1]
        return cls(opponent=opponent, slips=slips, hands=hands)


class State(NamedTuple):
    """Hands to play and played, cards of who acts first and second, what all saw, chips of seat 0, decisions, the last hand."""

    left: int
    hand: int = 0
    cards: str = ""
    seen: str = ""
    chips: int = 0
    decided: tuple[tuple[int, str, str, str], ...] = ()  # seat, card, what was seen, letter
    last: str = ""


class PokerMatch(Game):
    """Several hands of a small game of poker.

    Attributes:
        poker: The rules of a hand.
        free: The words for what may be done where nothing is bet, by letter, in the order in which they are offered.
        facing: The same of who faces a bet.
        told: What is said of the habits of the opponents that have some.
        least: What a decision has to lose to count.
        slack: How that is put in words, with a comma before and after it; empty if anything counts.
    """

    hidden: ClassVar[bool] = True
    poker: ClassVar[Poker]
    free: ClassVar[Mapping[str, str]]
    facing: ClassVar[Mapping[str, str]]
    told: ClassVar[Mapping[str, str]]
    least: ClassVar[float] = 1e-9
    slack: ClassVar[str] = ""

    def setup(self, rng: Stream, p: Any) -> Instance:
        """How many hands."""
        return Instance({"hands": p.hands, "target": 0.0})

    def goal(self, problem: JSON) -> str:
        """How it is judged."""
        slips = f", and does anything allowed in {problem['slips']} of 100 decisions" if problem["slips"] else ""
        told = self.told.get(problem["opponent"])
        who = f"Your opponent {told}{slips}. " if told else "Take your opponent for one that plays an equilibrium. "
        return who + (
            "Your decisions are judged, not the luck of the cards: you succeed if none of them wins less on average, "
            f"{self.slack}against this opponent and with what you know, than another would have."
        )

    def start(self, inst: Instance) -> State:
        """Nothing is dealt."""
        return State(inst.problem["hands"])

    def to_move(self, s: State) -> int | str | None:
        """The deals, and the players in turn."""
        if not s.cards:
            return CHANCE if s.left else None
        return CHANCE if self.poker.dealing(s.seen) else (len(acts(s.seen)) + s.hand) % 2

    def chances(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """Two private cards, or the public one."""
        return self.poker.publics(s.cards) if s.cards else self.poker.deals

    def moves(self, p: Any) -> Sequence[str]:
        """All words."""
        return tuple(self._letter)

    def legal(self, inst: Instance, s: State) -> Sequence[str]:
        """The words for what may be done."""
        return _allowed(type(self), s.seen)

    def play(self, inst: Instance, s: State, move: str) -> State:
        """A deal, or what a player does."""
        if not s.cards:
            return State(s.left, s.hand, move, "", s.chips, s.decided, s.last)
        if self.poker.dealing(s.seen):
            return State(s.left, s.hand, s.cards, f"{s.seen}/{move}", s.chips, s.decided, s.last)
        at, letter = len(acts(s.seen)) % 2, self._letter[move]
        seen = s.seen + letter
        decided = (*s.decided, ((at + s.hand) % 2, s.cards[at], s.seen, letter))
        if not self.poker.over(seen):
            return State(s.left, s.hand, s.cards, seen, s.chips, decided, s.last)
        gain = self.poker.pays(s.cards, seen) * (1 if s.hand % 2 == 0 else -1)
        shown = f"the cards were {s.cards[s.hand % 2]} (player 1) and {s.cards[(s.hand + 1) % 2]} (player 2)"
        who = f"Player {1 if gain > 0 else 2} won {abs(gain)} in" if gain else "Nobody won"
        last = f"{who} the last hand; {'no card was shown' if seen.endswith('f') else shown}. "
        return State(s.left - 1, s.hand + 1, "", "", s.chips + gain, decided, last)

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The chips won."""
        return s.chips, -s.chips

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """All that can be paid in every hand."""
        most = float(self.poker.most * inst.problem["hands"])
        return -most, most

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The own card, the public one, what was done, and the score."""
        mine = s.chips if seat == 0 else -s.chips
        if not s.cards:
            return f"{s.last}Your chips: {mine:+d}. All hands are played."
        first = s.hand % 2
        hand = f"Hand {s.hand + 1} of {inst.problem['hands']}; player {first + 1} acts first."
        card = s.cards[(seat + first) % 2]
        return f"{s.last}Your chips: {mine:+d}. {hand} Your card: {card}.{_seen(type(self), s.seen, first)}"

    def imagine(self, inst: Instance, s: State, seat: int, rng: Stream) -> State:
        """Another card for the other player, who may have decided by it before."""
        if not s.cards:
            return s
        at = (seat + s.hand) % 2
        known = s.cards[at] + public_of(s.seen)
        other = rng.choice([rank for rank in RANKS for _ in range(self.poker.copies - known.count(rank))])
        return s._replace(cards=s.cards[at] + other if at == 0 else other + s.cards[at], decided=())

    def strategy(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """An equilibrium."""
        words = self.words(acts(s.seen))
        weights = zip("fcr", self.poker.equilibrium(card_of(s), s.seen), strict=True)
        return [(words[letter], weight) for letter, weight in weights if weight]

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> str:
        """Cards played for what they are."""
        return self.words(acts(s.seen))[self.poker.honest(card_of(s), s.seen)]

    def best(self, inst: Instance, s: State) -> str:
        """The best decision with what the seat knows."""
        worth = self.poker.worths(*kind_of(inst), card_of(s), s.seen)
        return self.words(acts(s.seen))[max(worth, key=lambda letter: worth[letter])]

    def par(self, inst: Instance, s: State, seat: int) -> float:
        """All of the payoff, and what the policy's decisions lost: what is left to judge is minus the loss."""
        lost = 0.0
        for at, card, seen, letter in s.decided:
            if at == seat:
                worth = self.poker.worths(*kind_of(inst), card, seen)
                loss = max(worth.values()) - worth[letter]
                lost += loss if loss >= self.least else 0.0
        return (s.chips if seat == 0 else -s.chips) + lost

    def score(self, inst: Instance, gain: float) -> float:
        """Half a point less what was lost, the smallest bet in every hand being all of it."""
        return 0.5 + gain / (2 * self.poker.sizes[0] * float(inst.problem["hands"]))

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """Chips, and what the decisions lost."""
        lost = self.par(inst, s, seat) - paid[seat]
        return f"You won {paid[seat]:+g} chips. Your decisions lost {lost:.2f} chips on average."

    def effort(self, inst: Instance) -> float:
        """Bits of luck that a player needs who decides at random."""
        return -log2(self.poker.faultless(*kind_of(inst), self.least)) * float(inst.problem["hands"])

    @classmethod
    def words(cls, done: str) -> Mapping[str, str]:
        """The words after what was done in the round, by letter."""
        return cls.facing if done.endswith("r") else cls.free

    @cached_property
    def _letter(self) -> Mapping[str, str]:
        return {word: letter for words in (self.free, self.facing) for letter, word in words.items()}


@lru_cache(maxsize=1024)
def _allowed(game: type[PokerMatch], seen: str) -> tuple[str, ...]:
    """The words for what may be done."""
    may = game.poker.letters(seen)
    return tuple(word for letter, word in game.words(acts(seen)).items() if letter in may)


@lru_cache(maxsize=1024)
def _seen(game: type[PokerMatch], seen: str, first: int) -> str:
    """What was done and laid open in a hand, a sentence each."""
    told = []
    for number, part in enumerate(seen.split("/")):
        if number:
            told.append(f" The open card is {part[0]}.")
        done = part[1:] if number else part
        for at, letter in enumerate(done):
            told.append(f" Player {(at + first) % 2 + 1} {game.words(done[:at])[letter]}s.")
    return "".join(told)


def card_of(s: State) -> str:
    """The card of who is to act."""
    return s.cards[len(acts(s.seen)) % 2]


def kind_of(inst: Instance) -> tuple[str, int]:
    """The opponent against which decisions are judged; one that is not known is taken for an equilibrium."""
    opponent = inst.problem["opponent"]
    return (opponent, inst.problem["slips"]) if opponent in KNOWN else ("optimal", 0)
