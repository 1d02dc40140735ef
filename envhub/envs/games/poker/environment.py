"""Poker matches graded on decisions: base of ``kuhn-poker-v0`` and ``leduc-poker-v0``.

The prompt states the opponent's strategy in full; the payoff is the chips won. The score does not depend on the cards:
:class:`envhub.envs.games.poker.rules.Poker` computes exactly what each decision of the policy wins on average against
this opponent.
Score 1 if no decision loses ``least`` chips or more against the best one with the same knowledge, else 0. The component
``sound`` is the share of hands without such a loss. A subclass names its game and the words for its actions, and states
strategies in words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import log2
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring.game import CHANCE, Game, GameParams, Position, Rulebook
from envhub.authoring.game.mechanics import draw_weighted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.poker.habits import Kind, Row
from envhub.envs.games.poker.match import State, card_of, playing, read_habits, rival_of
from envhub.envs.games.poker.rules import KNOWN, RANKS, Habits, Poker, acts, public_of
from envhub.envs.games.poker.wording import Strategy
from envhub.scenes import Scene
from envhub.scenes.cards import hands

_EXACT: Final = 1e-9
_THEIRS: Final = "Your opponent's strategy"
_AS_IF: Final = "Your decisions are graded as if your opponent played this way"
Levels = tuple[tuple[Kind, int, int, int], ...]
"""Conditions and grain of the opponents' frequencies, number of opponents, and hands, by level."""


class PokerParams(GameParams):
    """The opponents, and the number of hands."""

    levels: ClassVar[Levels]
    opponent: str = Field(
        "greedy",
        max_length=400,
        description="who has the other seat: greedy (with the drawn frequencies, if `opponents` is not 0), random, optimal, "
        "mcts:PLAYOUTS, self, a model's URL",
        examples=["greedy", "random", "optimal", "mcts:100", "self"],
    )
    hands: int = Field(3, ge=1, le=25, description="hands of a match; the players act first in turn")
    opponents: int = Field(
        0, ge=0, le=5, description="drawn strategies of `greedy`, one after another; 0: its rule of thumb"
    )
    kind: Kind = Field("card", description="what the drawn frequencies depend on")
    grain: int = Field(10, ge=1, le=50, description="step between the drawn frequencies, in per cent; divides 100")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if 100 % self.grain:
            raise ValueError("grain must divide 100")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        kind, grain, opponents, hands = cls.levels[difficulty - 1]
        return cls(kind=kind, grain=grain, opponents=opponents, hands=hands)


class PokerMatch(Game):
    """Several hands of a small game of poker.

    Attributes:
        poker: The rules of a hand.
        free: The words for the actions without a bet to face, by letter, in the order shown.
        facing: The same for a player who faces a bet.
        told: The strategies of the named opponents, one sentence per rule.
        closing: Further sentences on drawn frequencies.
        least: Chips that a decision must lose to count.
    """

    hidden: ClassVar[bool] = True
    action: ClassVar[str] = "action"
    components: ClassVar[frozenset[str]] = Game.components | {"sound"}
    poker: ClassVar[Poker]
    pictured: ClassVar[bool] = True
    free: ClassVar[Mapping[str, str]]
    facing: ClassVar[Mapping[str, str]]
    told: ClassVar[Mapping[str, Sequence[str]]]
    closing: ClassVar[Sequence[str]] = ()
    least: ClassVar[float] = 0.01

    @abstractmethod
    def draw_habits(self, rng: Stream, p: Any) -> Habits | None:
        """Draw the frequencies of one opponent; None to abandon the attempt."""

    @abstractmethod
    def rows(self, habits: Habits) -> list[Row]:
        """The frequencies of one opponent, by situation."""

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """Draw the opponents."""
        count = min(p.opponents, p.hands) if p.opponent == "greedy" else 0
        drawn = [self.draw_habits(rng, p) for _ in range(count)]
        if None in drawn:
            return None
        habits = [[list(row) for row in table] for table in drawn if table]
        return Instance({"hands": p.hands, "target": 0.0, "habits": habits})

    @abstractmethod
    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, the opponent's strategies, and how decisions are graded."""

    def strategies(self, problem: JSON) -> list[Strategy]:
        """What the prompt states of the opponent.

        One strategy, or one for each stretch of hands.
        """
        closing = [*self.closing, *self._slip(problem)]
        if not problem["habits"]:
            known = problem["opponent"] in self.told
            told = self.told[problem["opponent"] if known else "optimal"]
            return [Strategy(_THEIRS if known else _AS_IF, (), [*told, *self._slip(problem)])]
        found = []
        for number, table in enumerate(problem["habits"]):
            hands = [hand + 1 for hand in range(problem["hands"]) if playing(problem, hand) == number]
            which = "" if len(problem["habits"]) == 1 else f" in {_stretch(hands[0], hands[-1])}"
            found.append(Strategy(f"{_THEIRS}{which}", tuple(self.rows(read_habits(table))), closing))
        return found

    @staticmethod
    def _slip(problem: JSON) -> list[str]:
        if not problem["slips"] or problem["opponent"] not in KNOWN:
            return []
        return [
            f"In each decision, with probability {problem['slips']}%, it ignores this and picks one of the legal actions at "
            "random, each with the same probability."
        ]

    def start(self, inst: Instance) -> State:
        """Nothing is dealt."""
        return State(inst.problem["hands"])

    def to_move(self, s: State) -> int | str | None:
        """The deals, and the players in turn."""
        if not s.cards:
            return CHANCE if s.left else None
        moment = self.poker.moment(s.seen)
        return CHANCE if moment.dealing else (len(moment.done) + s.hand) % 2

    def chances(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """Two private cards, or the public one."""
        return self.poker.publics(s.cards) if s.cards else self.poker.deals

    def moves(self, p: Any) -> Sequence[str]:
        """All words."""
        return tuple(self._letter)

    def legal(self, inst: Instance, s: State) -> Sequence[str]:
        """The words for the legal actions."""
        return _allowed(type(self), s.seen)

    def play(self, inst: Instance, s: State, move: str) -> State:
        """Deal a card, or apply a player's action."""
        left, hand, cards, before, won, decided, last = s
        if not cards:
            return State(left, hand, move, "", won, decided, last)
        moment = self.poker.moment(before)
        if moment.dealing:
            return State(left, hand, cards, f"{before}/{move}", won, decided, last)
        at, letter = len(moment.done) % 2, self._letter[move]
        seen = before + letter
        decided = (*decided, (hand, (at + hand) % 2, cards[at], before, letter))
        if not self.poker.moment(seen).over:
            return State(left, hand, cards, seen, won, decided, last)
        gain = self.poker.pays(cards, seen) * (1 if hand % 2 == 0 else -1)
        cards = "" if seen.endswith("f") else cards if hand % 2 == 0 else cards[::-1]
        return State(left - 1, hand + 1, "", "", won + gain, decided, _ended(hand + 1, gain, cards))

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The chips won."""
        return s.chips, -s.chips

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """The most that can be lost in all hands."""
        most = float(self.poker.most * inst.problem["hands"])
        return -most, most

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The player's card, the public one, the history, and the score."""
        mine = s.chips if seat == 0 else -s.chips
        if not s.cards:
            return f"{s.last}Your net winnings: {mine:+d}. All hands are played."
        first = s.hand % 2
        hand = f"Hand {s.hand + 1} of {inst.problem['hands']}: player {first + 1} acts first."
        card = s.cards[(seat + first) % 2]
        may = _may(type(self), s.seen) if self.to_move(s) == seat else ""
        return f"{s.last}Your net winnings: {mine:+d}. {hand} Your card: {card}.{_seen(type(self), s.seen, first)}{may}"

    def picture(self, inst: Instance, s: State, seat: int) -> Scene | None:
        """The seat's card, and the public one; None between matches."""
        if not s.cards:
            return None
        mine, public = s.cards[(seat + s.hand % 2) % 2], public_of(s.seen)
        return hands([("Your card", [mine]), *([("Open card", [public])] if public else [])])

    def imagine(self, inst: Instance, s: State, seat: int, rng: Stream) -> State:
        """Another card for the other player, consistent with its decisions."""
        if not s.cards:
            return s
        at = (seat + s.hand) % 2
        known = s.cards[at] + public_of(s.seen)
        other = rng.choice([rank for rank in RANKS for _ in range(self.poker.copies - known.count(rank))])
        return s._replace(cards=s.cards[at] + other if at == 0 else other + s.cards[at], decided=())

    def strategy(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """A Nash equilibrium."""
        words = self.words(acts(s.seen))
        weights = zip("fcr", self.poker.equilibrium(card_of(s), s.seen), strict=True)
        return [(words[letter], weight) for letter, weight in weights if weight]

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> str:
        """The opponent's drawn frequencies, if any.

        Else play by the strength of the card.
        """
        words, card = self.words(acts(s.seen)), card_of(s)
        if inst.problem["habits"] and seat != inst.problem["player"]:
            letters = self.poker.letters(s.seen)
            fold, call, bold = read_habits(inst.problem["habits"][playing(inst.problem, s.hand)])[
                self.poker.row(card, s.seen)
            ]
            weights = {"f": fold, "c": call, "r": bold} if "r" in letters else {"f": fold, "c": call + bold}
            return str(draw_weighted([(words[letter], weights[letter]) for letter in letters], rng))
        return words[self.poker.honest(card, s.seen)]

    def greedy_action(self, inst: Instance, state: Position, rng: Stream) -> str:
        """A greedy player's best decision.

        It infers nothing from the opponent's actions.
        """
        s = state.s
        worth = self.poker.naive(*rival_of(inst, s.hand), card_of(s), s.seen)
        return self.answer.wrap(self.words(acts(s.seen))[max(worth, key=lambda letter: worth[letter])])

    def best(self, inst: Instance, s: State) -> str:
        """The best decision given the seat's information."""
        worth = self.poker.worths(*rival_of(inst, s.hand), card_of(s), s.seen)
        return self.words(acts(s.seen))[max(worth, key=lambda letter: worth[letter])]

    def par(self, inst: Instance, s: State, seat: int) -> float:
        """The payoff plus the loss of the policy's decisions.

        The difference is then minus the loss.
        """
        return (s.chips if seat == 0 else -s.chips) + sum(self._losses(inst, s, seat).values())

    def _losses(self, inst: Instance, s: State, seat: int) -> dict[int, float]:
        """Expected chips lost by a seat's decisions, by hand.

        Only hands with a loss.
        """
        lost: dict[int, float] = {}
        for hand, at, card, seen, letter in s.decided:
            if at == seat:
                worth = self.poker.worths(*rival_of(inst, hand), card, seen)
                loss = max(worth.values()) - worth[letter]
                if loss >= self.least - _EXACT:
                    lost[hand] = lost.get(hand, 0.0) + loss
        return lost

    def whole(self, problem: JSON) -> str:
        """A match of hands."""
        return "match"

    def score(self, inst: Instance, gain: float) -> float:
        """Only a match without a loss scores."""
        return 0.0

    def parts(self, inst: Instance, s: State) -> Mapping[str, float]:
        """The share of hands without a losing decision."""
        seat = 0 if inst.problem["opponent"] == "self" else inst.problem["player"]
        return {"sound": 1 - len(self._losses(inst, s, seat)) / inst.problem["hands"]}

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """Chips, and the hands with losing decisions."""
        lost = self._losses(inst, s, seat)
        won = f"Your net winnings are {paid[seat]:+g}."
        if not lost:
            return f"{won} None of your decisions gave up expected winnings."
        hands = ", ".join(f"hand {hand + 1} ({loss:.2f})" for hand, loss in sorted(lost.items()))
        return f"{won} Expected winnings that your decisions gave up: {sum(lost.values()):.2f} chips in all, {hands}."

    def effort(self, inst: Instance) -> float:
        """Hands, weighted by the bits of the frequencies to work with."""
        tables = inst.problem["habits"]
        rows = sum(len(set(read_habits(table))) for table in tables) if tables else 1
        return float(inst.problem["hands"] * log2(1 + rows))

    @classmethod
    def words(cls, done: str) -> Mapping[str, str]:
        """The words for the actions available after a round's history, by letter."""
        return cls.facing if done.endswith("r") else cls.free

    @cached_property
    def _letter(self) -> Mapping[str, str]:
        return {word: letter for words in (self.free, self.facing) for letter, word in words.items()}


def _stretch(first: int, last: int) -> str:
    """Consecutive hands in words."""
    if last <= first + 1:
        return f"hand {first}" if last == first else f"hands {first} and {last}"
    return f"hands {first} to {last}"


@lru_cache(maxsize=1024)
def _allowed(game: type[PokerMatch], seen: str) -> tuple[str, ...]:
    """The words for the legal actions."""
    may = game.poker.letters(seen)
    return tuple(word for letter, word in game.words(acts(seen)).items() if letter in may)


@lru_cache(maxsize=1024)
def _may(game: type[PokerMatch], seen: str) -> str:
    """The sentence on the legal actions."""
    *most, last = _allowed(game, seen)
    words = f"{', '.join(most)} or {last}" if most else last
    return f" You may {words}."


@lru_cache(maxsize=1024)
def _ended(hand: int, gain: int, cards: str) -> str:
    """The sentences on the end of a hand.

    Args:
        hand: Its number, from 1.
        gain: The chips that player 1 won.
        cards: The cards of both players, if they were shown.
    """
    chips = f"{abs(gain)} chip{'s' * (abs(gain) > 1)}"
    who = f"Player {1 if gain > 0 else 2} won {chips} in" if gain else "Nobody won"
    shown = f"The cards were {cards[0]} (player 1) and {cards[1]} (player 2)." if cards else "No card was shown."
    return f"{who} hand {hand}. {shown} "


@lru_cache(maxsize=1024)
def _seen(game: type[PokerMatch], seen: str, first: int) -> str:
    """The public history of a hand, one sentence per event."""
    told = []
    for number, part in enumerate(seen.split("/")):
        if number:
            told.append(f" The open card is {part[0]}.")
        done = part[1:] if number else part
        for at, letter in enumerate(done):
            told.append(f" Player {(at + first) % 2 + 1} {game.words(done[:at])[letter]}s.")
    return "".join(told)
