"""blotto-v0: Colonel Blotto: troops on fields, both players at once, for several rounds.

Action: the troops on each field, in order, as numbers: ``4 3 3``. Whoever has more troops on a field takes it, and whoever
takes more fields wins the round. The payoff is the rounds won less the rounds lost; solved is a lead of ``lead`` rounds at
least, which an opponent of fixed habits lets one have who sees through them. Score: 1 for that, less in proportion to what is
missing. Difficulty: a longer lead, in more rounds.

``greedy`` answers what the other side did last with anything that would have beaten it; who foresees that leads by 0.7 rounds
a round on average, and a player at random by none. What the opponent will do is hidden, so splits are by seed.

Every division can be beaten: some field has two troops or more (``troops > fields``), and who leaves it and adds one troop to
each of two others takes two fields for one. With two fields every round would be a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.game import Game, GameParams
from envhub.seeding import Stream
from envhub.types import JSON, Instance
from envhub.verifiers.answers import AnswerType, Unreadable

Troops = tuple[int, ...]
_LEVELS: Final = (
    (8, 6, 4),
    (8, 8, 5),
    (8, 9, 6),
    (9, 11, 7),
    (9, 12, 8),
    (10, 14, 9),
    (10, 16, 10),
    (11, 18, 11),
    (12, 19, 12),
    (12, 20, 13),
)


class Params(GameParams):
    """The opponent, the fields, and the match."""

    fields: int = Field(3, ge=3, le=5, description="how many fields")
    troops: int = Field(8, ge=4, le=16, description="troops of each player in each round; more than there are fields")
    rounds: int = Field(6, ge=1, le=20, description="how many rounds")
    lead: int = Field(1, ge=1, le=20, description="rounds by which the policy has to lead at the end")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.lead > self.rounds:
            raise ValueError("lead <= rounds must hold")
        if self.troops <= self.fields:
            raise ValueError("troops > fields must hold: one troop on each field could not be beaten")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        troops, rounds, lead = _LEVELS[difficulty - 1]
        return cls(opponent="greedy", troops=troops, rounds=rounds, lead=lead)


@dataclass(frozen=True)
class Allocation(AnswerType):
    """Whole numbers in a row: ``4 3 3``, ``4, 3, 3``, ``[4,3,3]``. Its value is a tuple of ``int``."""

    noun: ClassVar[str] = "the troops on each field as numbers in order"
    example: ClassVar[str] = "2 0 1"

    def parse(self, text: str) -> Troops:
        """The numbers of a span."""
        words = text.strip("[]()").replace(",", " ").split()
        if not 1 <= len(words) <= 16 or not all(w.isascii() and w.isdigit() and len(w) <= 4 for w in words):
            raise Unreadable("write one whole number for each field.")
        return tuple(map(int, words))

    def random(self, rng: Stream) -> str:
        """Three small numbers."""
        return " ".join(str(rng.below(6)) for _ in range(3))


class State(NamedTuple):
    """Rounds to play, who is asked first, its choice while it is not shown, rounds won by seat 0 less lost, what was shown."""

    left: int
    first: int
    chosen: Troops | None = None
    lead: int = 0
    past: tuple[tuple[Troops, Troops], ...] = ()


class Blotto(Game):
    """Troops on fields, both sides at once."""

    Params = Params
    answer: AnswerType = Allocation()
    hidden: ClassVar[bool] = True
    max_turns: ClassVar[int] = 48  # both seats may be the policy's

    def setup(self, rng: Stream, p: Any) -> Instance:
        """Fields, troops, rounds."""
        return Instance({"fields": p.fields, "troops": p.troops, "rounds": p.rounds, "target": float(p.lead)})

    def rules(self, problem: JSON) -> str:
        """The rules."""
        return (
            f"We play {problem['rounds']} rounds of Colonel Blotto. In each round both players divide {problem['troops']} "
            f"troops among {problem['fields']} fields, at the same time and without seeing the other's choice; every troop "
            "is placed, and a field may be left empty. Whoever has more troops on a field takes it; whoever takes more "
            "fields wins the round; otherwise the round is a draw. Both choices are shown after the round."
        )

    def goal(self, problem: JSON) -> str:
        """The lead."""
        return (
            f"You succeed if at the end you have won at least {problem['target']:g} more rounds than you have lost. The "
            "opponent may have habits."
        )

    def start(self, inst: Instance) -> State:
        """No round is played. The policy is asked last, without being shown anything, so that the oracle may look."""
        alone = inst.problem["opponent"] == "self"
        return State(inst.problem["rounds"], 0 if alone else 1 - inst.problem["player"])

    def to_move(self, s: State) -> int | None:
        """One after the other; neither is shown the other's choice before both have chosen."""
        return None if not s.left else s.first if s.chosen is None else 1 - s.first

    def moves(self, p: Any) -> Sequence[Troops]:
        """Every way to divide the troops."""
        return divisions(p.fields, p.troops)

    def legal(self, inst: Instance, s: State) -> Sequence[Troops]:
        """Every way to divide the troops."""
        return divisions(inst.problem["fields"], inst.problem["troops"])

    def fault(self, inst: Instance, s: State, value: Troops) -> str:
        """What is wrong with a division."""
        fields, troops = inst.problem["fields"], inst.problem["troops"]
        if len(value) != fields:
            return f"There are {fields} fields, and you gave {len(value)} numbers."
        return "" if sum(value) == troops else f"You have {troops} troops, and placed {sum(value)}."

    def play(self, inst: Instance, s: State, move: Troops) -> State:
        """A choice; the second one of a round reveals both."""
        if s.chosen is None:
            return s._replace(chosen=move)
        mine, other = (s.chosen, move) if s.first == 0 else (move, s.chosen)
        return State(s.left - 1, s.first, None, s.lead + beats(mine, other), (*s.past, (mine, other)))

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """Rounds won less rounds lost."""
        return s.lead, -s.lead

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """All rounds."""
        return -float(inst.problem["rounds"]), float(inst.problem["rounds"])

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The rounds played."""
        rows = []
        for number, pair in enumerate(s.past, 1):
            rows.append(f"Round {number}: {_told(pair[seat], pair[1 - seat])}")
        lead = s.lead if seat == 0 else -s.lead
        rows.append(f"Rounds won less rounds lost: {lead:+d}. Rounds left: {s.left}.")
        return "\n".join(rows)

    def imagine(self, inst: Instance, s: State, seat: int, rng: Stream) -> State:
        """Another choice of the other side, where it has chosen."""
        return s if s.chosen is None else s._replace(chosen=self.random_move(inst, s, rng))

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """The lead."""
        return float(s.lead if seat == 0 else -s.lead)

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> Troops:
        """Any of the best answers to what the other side did last."""
        moves = self.legal(inst, s)
        if not s.past:
            return rng.choice(moves)
        last = s.past[-1][1 - seat]
        return rng.choice([move for move in moves if beats(move, last) > 0] or moves)

    def best(self, inst: Instance, s: State) -> Troops:
        """A choice that beats what the other side has chosen; the oracle alone sees it."""
        against = s.chosen if s.chosen is not None else s.past[-1][1 - s.first] if s.past else self.legal(inst, s)[0]
        return max(self.legal(inst, s), key=lambda move: beats(move, against))

    def effort(self, inst: Instance) -> float:
        """Bits of luck that a player needs who wins 5 rounds of 12, as many as it loses."""
        return -log2(_lucky(inst.problem["rounds"], round(inst.problem["target"])))


@lru_cache(maxsize=32)
def divisions(fields: int, troops: int) -> tuple[Troops, ...]:
    """Every way to divide troops among fields."""
    if fields == 1:
        return ((troops,),)
    return tuple((own, *rest) for own in range(troops + 1) for rest in divisions(fields - 1, troops - own))


def beats(mine: Troops, other: Troops) -> int:
    """1 if a division wins against another, -1 if it loses, 0 in a draw."""
    fields = sum((a > b) - (a < b) for a, b in zip(mine, other, strict=True))
    return (fields > 0) - (fields < 0)


@lru_cache(maxsize=4096)
def _told(mine: Troops, other: Troops) -> str:
    """A round as one side is told of it."""
    won = ("You lost.", "Draw.", "You won.")[beats(mine, other) + 1]
    return f"you {' '.join(map(str, mine))}, opponent {' '.join(map(str, other))}. {won}"


@lru_cache(maxsize=512)
def _lucky(rounds: int, lead: int) -> float:
    if rounds == 0:
        return float(lead <= 0)
    return (5 * _lucky(rounds - 1, lead - 1) + 2 * _lucky(rounds - 1, lead) + 5 * _lucky(rounds - 1, lead + 1)) / 12
