"""blackjack-v0: play blackjack hands against the dealer; graded on decisions.

Action: ``hit``, ``stand``, and where they are allowed ``double`` or ``split``. Every card is drawn from the full deck,
so earlier cards carry no information. The payoff is the stakes won. The score does not depend on the cards dealt: the
expected value of every decision is computed exactly. Score 1 if no decision was worth less than the best one (basic
strategy, for this deck and these rules), else 0. The final message lists every hand in which a decision lost value, and
how much. A reward may weigh the component ``sound``, the share of the other hands: a hand counts once, however long it
is. An illegal move, or text that is not a move, is reported; the third one ends the match. Difficulty: more hands, more
moves to choose from, and unusual decks, for which memorised tables do not help.

Cards are drawn from the turn seed, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log2
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, World
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.blackjack import rules as blackjack, wording
from envhub.scenes import Scene
from envhub.scenes.cards import hands
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (
    (5, False, False, False),
    (7, False, False, False),
    (9, False, False, False),
    (8, True, False, False),
    (10, True, False, False),
    (12, True, True, False),
    (15, True, True, False),
    (17, True, True, True),
    (21, True, True, True),
    (25, True, True, True),
)
_FOULS: Final = 3
_CLOSE: Final = 1e-9
"""Values that differ by less are equal."""

Hand = tuple[int, ...]


class Params(BaseParams):
    """The number of hands, the moves, and the deck."""

    hands: int = Field(6, ge=1, le=25, description="hands of a match")
    doubling: bool = Field(True, description="whether a hand of two cards may be doubled")
    splitting: bool = Field(False, description="whether a pair may be split, once a hand")
    soft17: bool = Field(False, description="whether the dealer takes a card on 17 with an ace that counts 11")
    odd: bool = Field(False, description="whether the deck has other cards than usual, drawn for each match")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        hands, double, split, odd = _LEVELS[difficulty - 1]
        return cls(hands=hands, doubling=double, splitting=split, odd=odd)


class Move(Choice):
    """A move."""

    noun: ClassVar[str] = "one legal move"
    example: ClassVar[str] = "stand"
    placeholder: ClassVar[str] = "MOVE"
    words: ClassVar[Mapping[str, str]] = {word: word for word in blackjack.MOVES}


class State(NamedTuple):
    """A match between two decisions."""

    up: int  # the dealer's card
    cards: Hand  # the hand being played
    waiting: int = 0  # the card of the split hand to be played next
    done: tuple[tuple[Hand, int], ...] = ()  # finished split hands, with their stakes
    parted: bool = False
    played: int = 0  # finished hands of the match
    losses: tuple[tuple[int, float], ...] = ()  # hands in which a decision lost value, with the expected stakes lost
    slipped: float = 0.0  # expected loss of the decisions of this hand
    chips: float = 0.0
    fouls: int = 0


class Blackjack(World):
    """Several hands of blackjack."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"format", "sound"})
    max_turns: ClassVar[int] = 640
    pictured: ClassVar[bool] = True
    answer: AnswerType = Move()

    def sample(self, rng: Stream, p: Any) -> Instance:
        """The deck, and a first hand that is not a natural."""
        weights = [rng.between(0, 8) for _ in range(9)] + [rng.between(4, 24)] if p.odd else [4] * 9 + [16]
        weights[0] = max(weights[0], 1)
        rules = blackjack.Rules(tuple(weights))
        up, cards = _draw(rules, rng), (_draw(rules, rng), _draw(rules, rng))
        while blackjack.natural(cards):
            cards = (_draw(rules, rng), _draw(rules, rng))
        told = {"hands": p.hands, "double": p.doubling, "split": p.splitting, "soft17": p.soft17, "deck": weights}
        return Instance({**told, "up": up, "cards": list(cards)})

    def prompt(self, problem: JSON) -> Statement:
        """The rules, the grading, and the first hand."""
        begun = _begun(problem)
        return wording.statement(problem, f"{wording.shown(begun.cards, begun.up)}{_allowed(problem, begun)}")

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first hand."""
        return _begun(inst.problem)

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """Apply a decision, and deal the next hand if this is over."""
        rules = _rules(inst.problem)
        worth = blackjack.worths(rules, state.up, state.cards, state.parted)
        if value not in worth:
            return self._foul(inst, state, f"You cannot {value} now.")
        loss = max(worth.values()) - worth[value]
        state = state._replace(slipped=state.slipped + (loss if loss > _CLOSE else 0.0))
        cards = state.cards
        if value == "split":
            state = state._replace(cards=(cards[0], _draw(rules, rng)), waiting=cards[0], parted=True)
        elif value != "stand":
            state = state._replace(cards=(*cards, _draw(rules, rng)))
        over = value in ("stand", "double")
        while over or blackjack.total(state.cards)[0] >= 21:
            state = state._replace(done=(*state.done, (state.cards, 2 if value == "double" and over else 1)))
            if not state.waiting:
                return self._settle(inst, state, rng)
            state, over = state._replace(cards=(state.waiting, _draw(rules, rng)), waiting=0), False
        return Turn(state, f"{wording.shown(state.cards, state.up)}{_allowed(inst.problem, state)}")

    def scene(self, inst: Instance, state: State) -> Scene:
        """The dealer's open card and the hand being played."""
        return hands(
            [("Dealer", [wording.named(state.up), ""]), ("Your hand", [wording.named(card) for card in state.cards])]
        )

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """Report an unreadable move, and list the legal moves."""
        said = "No move could be read from your message." if reason in ("unreadable", "empty") else feedback
        return self._foul(inst, state, said)

    def solve(self, inst: Instance, state: State) -> str:
        """The best decision."""
        worth = blackjack.worths(_rules(inst.problem), state.up, state.cards, state.parted)
        return max(worth, key=lambda move: worth[move])

    def legal_answers(self, inst: Instance, state: State) -> tuple[str, ...]:
        """The allowed moves."""
        return _moves(inst.problem, state)

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random legal move."""
        return self.answer.wrap(rng.choice(list(_moves(inst.problem, state))))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Play like the dealer: hit below 17."""
        return self.answer.wrap("hit" if blackjack.total(state.cards)[0] < 17 else "stand")

    def effort(self, inst: Instance) -> float:
        """Hands, weighted by the moves to choose from.

        Twice as much with an unusual deck.
        """
        p = inst.problem
        return float(p["hands"] * log2(2 + p["double"] + p["split"]) * (1 if p["deck"] == [4] * 9 + [16] else 2))

    def _settle(self, inst: Instance, state: State, rng: Stream) -> Turn:
        """The dealer's cards, the stakes, and the next hand to decide."""
        problem, rules, said = inst.problem, _rules(inst.problem), []
        played, losses, chips = state.played + 1, state.losses, state.chips
        if state.slipped:
            losses = (*losses, (played, state.slipped))
        won, told = _won(rules, state.up, state.done, state.parted, rng)
        chips += won
        said.append(f"{told} You win {won:+g}.")
        up: int = 0
        cards: Hand = ()
        while played < problem["hands"]:
            up, cards = _draw(rules, rng), (_draw(rules, rng), _draw(rules, rng))
            if not blackjack.natural(cards):
                break
            won, told = _won(rules, up, ((cards, 1),), False, rng)
            said.append(f"Hand {played + 1} of {problem['hands']}: a blackjack. {told} You win {won:+g}.")
            played, chips = played + 1, chips + won
        after = State(up, cards, played=played, losses=losses, chips=chips, fouls=state.fouls)
        if played == problem["hands"]:
            text = "\n".join([*said, f"All hands are played. You won {chips:+g} in total. {_lost(losses)}"])
            return self._end(inst, after, Verdict.exact(not losses, text))
        said.append(
            f"Hand {played + 1} of {problem['hands']}. {wording.shown(after.cards, after.up)}{_allowed(problem, after)}"
        )
        return Turn(after, "\n".join(said))

    def _foul(self, inst: Instance, state: State, said: str) -> Turn:
        state = state._replace(fouls=state.fouls + 1)
        if state.fouls == _FOULS:
            return self._end(inst, state, Verdict.exact(False, f"{said}\nYou have used all your retries: you lost."))
        more = "If it happens again, you lose." if state.fouls == _FOULS - 1 else "This can happen once more."
        return Turn(state, f"{said} {more}\n{wording.shown(state.cards, state.up)}{_allowed(inst.problem, state)}")

    def _end(self, inst: Instance, state: State, verdict: Verdict) -> Turn:
        sound = state.played - len(state.losses)
        noted = verdict.noting(None, sound=sound / inst.problem["hands"])
        return Turn.end(state, replace(noted, payoff=state.chips))


def _lost(losses: tuple[tuple[int, float], ...]) -> str:
    """A sentence on the decisions that gave up expected winnings."""
    if not losses:
        return "None of your decisions gave up expected winnings."
    hands = ", ".join(f"hand {hand} ({loss:.2g})" for hand, loss in losses)
    total = sum(loss for _, loss in losses)
    return f"Expected winnings that your decisions gave up: {total:.2g} stakes in all, {hands}."


def _rules(problem: JSON) -> blackjack.Rules:
    return blackjack.Rules(tuple(problem["deck"]), problem["soft17"], problem["double"], problem["split"])


def _begun(problem: JSON) -> State:
    return State(problem["up"], tuple(problem["cards"]))


def _draw(rules: blackjack.Rules, rng: Stream) -> int:
    """A card from the full deck."""
    at = rng.below(sum(rules.weights))
    for card, weight in zip(blackjack.RANKS, rules.weights, strict=True):
        at -= weight
        if at < 0:
            return card
    raise AssertionError("a deck has as many cards as it has")


def _won(
    rules: blackjack.Rules, up: int, hands: tuple[tuple[Hand, int], ...], parted: bool, rng: Stream
) -> tuple[float, str]:
    """The winnings of hands against the dealer, and their description."""
    mine = "; ".join(f"Your hand: {wording.listed(cards)}" for cards, _ in hands)
    if all(blackjack.total(cards)[0] > 21 for cards, _ in hands):
        return -float(sum(stake for _, stake in hands)), f"{mine}: over 21."
    dealer: Hand = (up, _draw(rules, rng))
    while blackjack.dealer_draws(rules, dealer):
        dealer = (*dealer, _draw(rules, rng))
    end, won = blackjack.total(dealer)[0], 0.0
    for cards, stake in hands:
        count = blackjack.total(cards)[0]
        if blackjack.natural(cards) and not parted:
            won += 0.0 if blackjack.natural(dealer) else 1.5 * stake
        elif count > 21 or blackjack.natural(dealer) or count < end <= 21:
            won -= stake
        elif end > 21 or count > end:
            won += stake
    return won, f"{mine}. Dealer: {wording.listed(dealer)}."


def _moves(problem: JSON, state: State) -> tuple[str, ...]:
    two = len(state.cards) == 2
    pair = two and state.cards[0] == state.cards[1] and not state.parted
    return ("hit", "stand") + ("double",) * (problem["double"] and two) + ("split",) * (problem["split"] and pair)


def _allowed(problem: JSON, state: State) -> str:
    return f" Legal moves: {', '.join(_moves(problem, state))}."
