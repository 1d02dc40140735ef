"""negotiation-v0: trade goods with private values to gain more than the opponent.

Action: ``offer 3 wheat for 2 ore``, ``accept`` or ``deny``. Both know the stocks; only a trader knows the worth of a
good to itself (near a known price). The payoff is one's own gain less the other's, as in the trade game of TextArena
and SPIRAL, where its sign decides. Against ``greedy``, which accepts offers it gains from and asks for what looks fair
at the known prices, the policy must lead by ``share`` per cent of the lead of a trader who knows both sides' values;
against others by any amount. Score 1 for that, else 0. Difficulty: more goods and rounds, and a greater share.

Not every task can be won without knowing the other's values. ``reference`` has the solve rates of a trader who samples
values consistent with the offers and answers so far, and makes the offer with the greatest expected lead: a lower bound
for good play. Tasks are drawn such that accepting every offer is not enough.

The other's values are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring.game import Game, GameParams, Position, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates
from envhub.envs.games.negotiation import trader, wording
from envhub.envs.games.negotiation.offers import ACCEPT, DENY, PRICES, Move, Trade, deal_of, mirrored
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # goods, rounds, share, and bits of effort
    (3, 3, 10, 11, 18),
    (3, 3, 16, 12, 20),
    (3, 3, 25, 13, 21),
    (4, 3, 35, 14.5, 23),
    (4, 3, 45, 16, 25),
    (4, 4, 55, 20, 28),
    (4, 4, 65, 22, 30),
    (5, 4, 72, 24, 33),
    (5, 5, 82, 29, 40),
    (5, 6, 90, 36, 70),
)
REFERENCE: Final = Rates(
    "expected lead over drawn values", (0.685, 0.655, 0.61, 0.5, 0.46, 0.49, 0.505, 0.375, 0.325, 0.335), 200
)
"""Measured by ``python -m benchmarks.reference negotiation-v0``."""


class Params(GameParams):
    """The opponent, the goods, and the required lead."""

    goods: int = Field(3, ge=2, le=5, description="kinds of goods")
    stock: int = Field(10, ge=2, le=30, description="most pieces of each that a trader has at first")
    rounds: int = Field(3, ge=1, le=12, description="turns of each trader")
    spread: int = Field(30, ge=5, le=60, description="per cent by which values differ from the known prices at most")
    share: int = Field(
        50, ge=1, le=100, description="per cent of the best lead that the policy has to reach, against greedy"
    )

    luck: tuple[float, float] = Field(
        (0.0, 999.0),
        description="bits of luck that blind offers need to get there, against greedy: at least, and less than",
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        goods, rounds, share, least, most = _LEVELS[difficulty - 1]
        return cls(opponent="greedy", goods=goods, rounds=rounds, share=share, luck=(least, most))


class State(NamedTuple):
    """Turns taken, both sides' stocks and values, open offer, and history."""

    turn: int
    stocks: tuple[tuple[int, ...], tuple[int, ...]]
    values: tuple[tuple[int, ...], tuple[int, ...]]
    gains: tuple[int, int] = (0, 0)
    standing: Move = ()
    said: tuple[Move, ...] = ()


class Negotiation(Game):
    """Trade with private values."""

    Params = Params
    answer: AnswerType = Trade()
    hidden: ClassVar[bool] = True
    max_turns: ClassVar[int] = 28  # both seats may be the policy's
    most_playouts: ClassVar[int] = 300  # every one lists the offers at its root
    reference: ClassVar[Rates | None] = REFERENCE

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """Draw stocks and values, and compute the required lead."""
        goods = list(PRICES)[-p.goods :] if p.goods < 4 else list(PRICES)[: p.goods]
        stocks = [[rng.between(1, p.stock) for _ in goods] for _ in range(2)]
        values = [[_near(rng, PRICES[good], p.spread) for good in goods] for _ in range(2)]
        player = rng.below(2) if p.seat is None else p.seat
        problem = {"goods": goods, "stocks": stocks, "rounds": p.rounds, "spread": p.spread, "player": player}
        inst = Instance({**problem, "target": 1.0}, {"values": values})
        if p.opponent != "greedy":
            return inst
        target = float(self._reachable(inst) * p.share // 100)
        if target < len(goods) or self._accepting(inst) >= target:
            return None
        inst = Instance({**problem, "target": target}, {"values": values})
        return inst if p.luck[0] <= self.effort(inst) < p.luck[1] else None

    def _reachable(self, inst: Instance) -> int:
        """The oracle's lead against a trader who accepts any gain."""
        me, s = inst.problem["player"], self.start(inst)
        if me == 1:
            s = self.play(inst, s, DENY)
        while self.to_move(s) == me:
            s = self.play(inst, s, self.best(inst, s))
            if self.to_move(s) is not None:
                s = self.play(inst, s, ACCEPT if s.standing else DENY)
        return s.gains[me] - s.gains[1 - me]

    def _accepting(self, inst: Instance) -> int:
        """The lead of a trader who only accepts offers, against ``greedy``."""
        me, s, unused = inst.problem["player"], self.start(inst), Stream(b"", "accepting")
        while (mover := self.to_move(s)) is not None:
            mine = ACCEPT if s.standing else DENY
            s = self.play(inst, s, mine if mover == me else self.greedy(inst, s, mover, unused))
        return s.gains[me] - s.gains[1 - me]

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, the required lead, and what is known of the opponent."""
        return wording.rulebook(problem)

    def start(self, inst: Instance) -> State:
        """No trades yet."""
        one, other = inst.problem["stocks"]
        mine, theirs = inst.key["values"]
        return State(0, (tuple(one), tuple(other)), (tuple(mine), tuple(theirs)))

    def to_move(self, s: State) -> int | None:
        """Traders alternate; the turns are counted down."""
        return None if s.turn < 0 else s.turn % 2

    def legal(self, inst: Instance, s: State) -> Sequence[Move]:
        """Every offer that both could pay, and the two words."""
        return [*([ACCEPT] if s.standing else []), DENY, *self._offers(inst, s)]

    def _offers(self, inst: Instance, s: State) -> Iterator[Move]:
        for give, mine, get, theirs in self._pairs(inst, s):
            yield from (("offer", a, give, b, get) for a in range(1, mine + 1) for b in range(1, theirs + 1))

    def _pairs(self, inst: Instance, s: State) -> Iterator[tuple[str, int, str, int]]:
        """Goods to give with their largest amounts, and those in return."""
        goods, me = inst.problem["goods"], s.turn % 2
        for give, mine in zip(goods, s.stocks[me], strict=True):
            for get, theirs in zip(goods, s.stocks[1 - me], strict=True):
                if give != get:
                    yield give, mine, get, theirs

    def fault(self, inst: Instance, s: State, value: Move) -> str:
        """Why an offer is invalid."""
        if value == ACCEPT and not s.standing:
            return "There is no offer to accept."
        if len(value) == 1:
            return ""
        _, out, give, into, get = value
        goods, me = inst.problem["goods"], s.turn % 2
        if unknown := [good for good in (give, get) if good not in goods]:
            return f"There is no good named {unknown[0]}; the goods are {', '.join(goods)}."
        if give == get:
            return f"An offer exchanges two different goods; this one has {give} twice."
        held = s.stocks[me][goods.index(give)]
        if out > held:
            return f"You cannot give {out} {give}: you have {held}."
        held = s.stocks[1 - me][goods.index(get)]
        return f"You cannot get {into} {get}: the other trader has {held}." if into > held else ""

    def play(self, inst: Instance, s: State, move: Move) -> State:
        """Make, accept (with the trade) or deny an offer."""
        me = s.turn % 2
        after = s.turn + 1 if s.turn + 1 < 2 * inst.problem["rounds"] else -1
        s = s._replace(turn=after, said=(*s.said, move))
        if move != ACCEPT:
            return s._replace(standing=() if move == DENY else move)
        goods = inst.problem["goods"]
        _, out, give, into, get = s.standing
        stocks, gains = [list(stock) for stock in s.stocks], list(s.gains)
        for seat, sign in ((1 - me, 1), (me, -1)):
            stocks[seat][goods.index(give)] -= sign * out
            stocks[seat][goods.index(get)] += sign * into
            gains[seat] += sign * self._worth(inst, s, seat, s.standing)
        return s._replace(stocks=(tuple(stocks[0]), tuple(stocks[1])), gains=(gains[0], gains[1]), standing=())

    def _worth(self, inst: Instance, s: State, seat: int, offer: Move) -> int:
        """The value of a trade to its proposer, by a seat's values.

        Negated, the other's by its own.
        """
        goods, values = inst.problem["goods"], s.values[seat]
        _, out, give, into, get = offer
        return int(values[goods.index(get)] * into - values[goods.index(give)] * out)

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The difference of the gains."""
        lead = s.gains[0] - s.gains[1]
        return lead, -lead

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """An upper bound: all goods' worth to both, traded every turn."""
        pieces = zip(inst.problem["goods"], *inst.problem["stocks"], strict=True)
        most = sum(PRICES[good] * (one + other) for good, one, other in pieces)
        return -8.0 * most * inst.problem["rounds"], 8.0 * most * inst.problem["rounds"]

    def whole(self, problem: JSON) -> str:
        """A match."""
        return "match"

    def score(self, inst: Instance, gain: float) -> float:
        """Only the required lead scores."""
        return 0.0

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """Stocks, the seat's own values and gain, and the open offer."""
        goods = inst.problem["goods"]
        rows = [f"Your values: {_listed(goods, s.values[seat])}."]
        rows += [
            f"{who}: {_listed(goods, s.stocks[at])}."
            for who, at in (("You have", seat), ("The other trader has", 1 - seat))
        ]
        if s.said:
            who = "You" if (len(s.said) - 1) % 2 == seat else "The other trader"
            rows.append(f"{who} said: {self.write_move(s.said[-1])}.")
        left = max(0, (2 * inst.problem["rounds"] - len(s.said) + (len(s.said) % 2 == seat)) // 2)
        rows.append(f"Your gain so far: {s.gains[seat]}. Your turns left: {left}.")
        if s.turn == 2 * inst.problem["rounds"] - 1 and seat == 1:
            rows.append("This is the last turn of the match: an offer can no longer be accepted.")
        return "\n".join(rows)

    def imagine(self, inst: Instance, s: State, seat: int, rng: Stream) -> State:
        """Replace the other trader's values, and update its gains."""
        goods = inst.problem["goods"]
        drawn = tuple(_near(rng, PRICES[good], inst.problem["spread"]) for good in goods)
        moved = [s.stocks[1 - seat][i] - inst.problem["stocks"][1 - seat][i] for i in range(len(goods))]
        gain = sum(value * count for value, count in zip(drawn, moved, strict=True))
        values, gains = [s.values[0], s.values[1]], [s.gains[0], s.gains[1]]
        values[1 - seat], gains[1 - seat] = drawn, gain
        return s._replace(values=(values[0], values[1]), gains=(gains[0], gains[1]))

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """The lead."""
        return float(s.gains[seat] - s.gains[1 - seat])

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> Move:
        """Accept any gain.

        Else ask for the best offer for itself that looks fair at the known prices.
        """
        if s.standing and self._worth(inst, s, seat, s.standing) < 0:
            return ACCEPT
        fair = [
            offer
            for offer in self._offers(inst, s)
            if PRICES[offer[4]] * offer[3] <= PRICES[offer[2]] * offer[1] and self._worth(inst, s, seat, offer) > 0
        ]
        return max(fair, key=lambda offer: self._worth(inst, s, seat, offer), default=DENY)

    def reference_action(self, inst: Instance, state: Position, rng: Stream) -> str:
        """The offer with the greatest expected lead, or a better acceptance."""
        s, goods = state.s, inst.problem["goods"]
        seat = s.turn % 2
        spread = inst.problem["spread"]
        bounds = [_bounds(PRICES[good], spread) for good in goods]
        taken, refused, done = self._heard(inst, s, 1 - seat)
        others = trader.guesses(bounds, taken, refused, rng)
        target = float(inst.problem["target"])
        wanted = [target - s.gains[seat] + sum(deal.gain(values) for deal in done) for values in others]
        last = s.turn == 2 * inst.problem["rounds"] - 1
        stocks = (s.stocks[seat], s.stocks[1 - seat])
        found = None if last else trader.best_offer(s.values[seat], stocks, others, wanted)
        move = (
            DENY if found is None else ("offer", found[0].out, goods[found[0].give], found[0].into, goods[found[0].get])
        )
        if s.standing:
            deal = mirrored(s.standing, goods)
            leads = (deal.gain(s.values[seat]) + deal.gain(values) for values in others)
            worth = sum(min(lead, want) for lead, want in zip(leads, wanted, strict=True)) / len(others)
            if worth > (found[1] if found else 0):
                move = ACCEPT
        return self.answer.wrap(self.write_move(move))

    def _heard(self, inst: Instance, s: State, other: int) -> tuple[list[trader.Deal], ...]:
        """Trades that the other gains from, others, and trades already made."""
        goods, taken, refused, done = (
            inst.problem["goods"],
            list[trader.Deal](),
            list[trader.Deal](),
            list[trader.Deal](),
        )
        for at, move in enumerate(s.said):
            if len(move) != 5:
                continue
            theirs = at % 2 == other
            deal = (deal_of if theirs else mirrored)(move, goods)
            accepted = at + 1 < len(s.said) and s.said[at + 1] == ACCEPT
            if theirs or accepted:
                taken.append(deal)
            elif at + 1 < len(s.said):
                refused.append(deal)
            if accepted:
                done.append(deal)
        return taken, refused, done

    def best(self, inst: Instance, s: State) -> Move:
        """The best offer the other gains from; only the oracle knows."""
        seat = s.turn % 2
        taken = [offer for offer in self._offers(inst, s) if self._worth(inst, s, 1 - seat, offer) < 0]

        def lead(offer: Move) -> int:
            return self._worth(inst, s, seat, offer) + self._worth(inst, s, 1 - seat, offer)

        chosen = max(taken, key=lead, default=DENY)
        return chosen if chosen != DENY and lead(chosen) > 0 else DENY

    def random_move(self, inst: Instance, s: State, rng: Stream) -> Move:
        """A word or a random offer, by index.

        There may be 18,000, and a playout makes dozens of moves.
        """
        words = [ACCEPT, DENY] if s.standing else [DENY]
        pairs = list(self._pairs(inst, s))
        offers = sum(mine * theirs for _, mine, _, theirs in pairs)
        if not offers or not rng.below(3):
            return rng.choice(words)
        at = rng.below(offers)
        for give, mine, get, theirs in pairs:
            if at < mine * theirs:
                return "offer", 1 + at // theirs, give, 1 + at % theirs, get
            at -= mine * theirs
        raise AssertionError("unreachable: the offers are counted")

    def write_move(self, move: Move) -> str:
        """The move in its input format."""
        return f"offer {move[1]} {move[2]} for {move[3]} {move[4]}" if len(move) == 5 else str(move[0])

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """Both gains, now that the match is over."""
        needed = f" You needed a lead of {inst.problem['target']:g}." if inst.problem["opponent"] != "self" else ""
        lead = s.gains[seat] - s.gains[1 - seat]
        return f"You gained {s.gains[seat]}, the other trader {s.gains[1 - seat]}: a lead of {lead}.{needed}"

    def effort(self, inst: Instance) -> float:
        """Bits a random trader needs, per turn, to reach its target.

        The target is its share.
        """
        me, s = inst.problem["player"], self.start(inst)
        s = s if me == 0 else self.play(inst, s, DENY)
        turns = inst.problem["rounds"] - me or 1
        offers = list(self._offers(inst, s))
        worths = [(self._worth(inst, s, me, offer), self._worth(inst, s, 1 - me, offer)) for offer in offers]
        good = sum(theirs < 0 and (mine + theirs) * turns >= inst.problem["target"] for mine, theirs in worths)
        return float(turns * log2(len(offers) / max(good, 0.5)) + inst.problem["rounds"])


def _bounds(price: int, spread: int) -> tuple[int, int]:
    """The least and the greatest value of a good."""
    return -(-price * (100 - spread) // 100), price * (100 + spread) // 100


def _near(rng: Stream, price: int, spread: int) -> int:
    return rng.between(*_bounds(price, spread))


def _listed(goods: Sequence[str], counts: Sequence[int]) -> str:
    return ", ".join(f"{good} {count}" for good, count in zip(goods, counts, strict=True))
