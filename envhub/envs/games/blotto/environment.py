"""blotto-v0: find out and beat a secret list of troop divisions.

Action: the troops on each field, in order, as numbers: ``4 3 1``. The player with more troops on a field wins it, and
the player who wins more fields wins the round. Both choose at once. The payoff is the rounds won less the rounds lost.
Score 1 for a lead of at least ``lead`` rounds, else 0.

``greedy`` with a list (``secret``) plays different divisions in order, over and over, or stays with one until it loses
a round. A player who remembers the list wins every round once it is known, and so reaches the required lead whatever
happened before. Always playing the same division does not reach it. Without a list ``greedy`` plays any division that
beats the other side's last one. Difficulty: longer lists, more fields, and a list whose length and order are not
stated. The list is hidden, so splits are by seed.

Every division can be beaten: some field has two troops or more (``troops > fields``), and a player who leaves it and
adds one troop to each of two others wins two fields for one. With two fields, every round would be a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring.game import Game, GameParams, KnownGame, Position, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.blotto import wording
from envhub.envs.games.blotto.opponents import KINDS, Pattern, Troops, beats, best_constant, divisions
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final[
    tuple[tuple[int, int, int, Literal["order", "stay", "any"], bool, int], ...]
] = (  # fields, troops, length of the list, kinds, whether the list is described, rounds
    (3, 8, 2, "order", True, 14),
    (3, 9, 3, "order", True, 27),
    (3, 9, 3, "order", False, 27),
    (3, 10, 4, "any", False, 28),
    (3, 11, 4, "any", False, 29),
    (3, 12, 4, "any", False, 30),
    (4, 9, 4, "any", False, 26),
    (4, 10, 5, "any", False, 32),
    (4, 11, 5, "any", False, 34),
    (4, 11, 6, "any", False, 40),
)
_MOST_DRAWS: Final = 60
_MEMORY: Final = 5
"""Number of rounds remembered by the rule of thumb."""


class Params(GameParams):
    """The opponent, the fields, and the match."""

    fields: int = Field(3, ge=3, le=5, description="how many fields")
    troops: int = Field(8, ge=4, le=16, description="troops of each player in each round; more than there are fields")
    rounds: int = Field(6, ge=1, le=40, description="how many rounds")
    lead: int = Field(1, ge=1, le=40, description="rounds by which the policy has to lead at the end")
    secret: int = Field(
        0, ge=0, le=8, description="divisions on the list of `greedy`; 0: it answers what was done last"
    )
    kinds: Literal["order", "stay", "any"] = Field("any", description="how `greedy` goes through its list")
    described: bool = Field(False, description="whether the prompt states the length of the list and its kind")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.lead > self.rounds:
            raise ValueError("lead <= rounds must hold")
        if self.troops <= self.fields:
            raise ValueError("troops > fields must hold: one troop on each field could not be beaten")
        listed = self.secret and self.opponent == "greedy"
        if self.secret == 1 or (listed and self.lead > self.rounds - 2 * self.secret - 2):
            raise ValueError(
                "secret must be 0, or at least 2 with lead <= rounds - 2 * secret - 2: else chance decides"
            )
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        fields, troops, secret, kinds, described, rounds = _LEVELS[difficulty - 1]
        return cls(
            opponent="greedy",
            fields=fields,
            troops=troops,
            rounds=rounds,
            lead=rounds - 2 * secret - 2,
            secret=secret,
            kinds=kinds,
            described=described,
        )


@dataclass(frozen=True)
class Allocation(AnswerType):
    """Whole numbers in a row: ``4 3 3``, ``4, 3, 3``, ``[4,3,3]``.

    Its value is a tuple of ``int``.
    """

    noun: ClassVar[str] = "the number of troops on each field, in the order of the fields, separated by spaces,"
    example: ClassVar[str] = "2 0 1"

    def parse(self, text: str) -> Troops:
        """The numbers of a span."""
        words = text.strip("[]()").replace(",", " ").split()
        if not 1 <= len(words) <= 16 or not all(w.isascii() and w.isdigit() and len(w) <= 4 for w in words):
            raise Unreadable("write one whole number for each field, separated by spaces.")
        return tuple(map(int, words))

    def random(self, rng: Stream) -> str:
        """Three small numbers."""
        return " ".join(str(rng.below(6)) for _ in range(3))


class State(NamedTuple):
    """Rounds left, the hidden choice, the score, and what was shown.

    Also who chooses first; the score is seat 0's rounds won less lost.
    """

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
    action: ClassVar[str] = "distribution"
    guessable: ClassVar[
        Mapping[int, tuple[float, str]]
    ] = {  # a fixed cycle as long as the list must win each of its rounds
        1: ((21 / 45) ** 2, "the best division beats 21 of 45, and each of 2 on the list must be beaten"),
        2: ((27 / 55) ** 3, "the best division beats 27 of 55, and each of 3 on the list must be beaten"),
        3: ((27 / 55) ** 3, "the best division beats 27 of 55, and each of 3 on the list must be beaten"),
    }
    max_turns: ClassVar[int] = 88  # both seats may be the policy's

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """Draw fields, troops, rounds, and the opponent's list."""
        problem = {"fields": p.fields, "troops": p.troops, "rounds": p.rounds, "target": float(p.lead)}
        if p.opponent != "greedy" or not p.secret:
            return Instance({**problem, "pattern": None})
        kinds = KINDS if p.kinds == "any" else (p.kinds,)
        told = [p.secret, p.kinds] if p.described else [None, "any"]
        for _ in range(_MOST_DRAWS):
            pattern = Pattern(rng.choice(kinds), tuple(rng.sample(divisions(p.fields, p.troops), p.secret)))
            if best_constant(pattern, p.rounds) < p.lead:
                key = {"kind": pattern.kind, "plan": [list(move) for move in pattern.moves]}
                return Instance({**problem, "pattern": told}, key)
        return None

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, the required lead, and what is known of the opponent."""
        return wording.rulebook(problem)

    def example(self, problem: JSON) -> str:
        """Too few troops in all, which favours no distribution."""
        return " ".join("20100"[: problem["fields"]])

    def start(self, inst: Instance) -> State:
        """No round is played.

        The policy is asked last, without being shown anything, so that the oracle may look.
        """
        alone = inst.problem["opponent"] == "self"
        return State(inst.problem["rounds"], 0 if alone else 1 - inst.problem["player"])

    def to_move(self, s: State) -> int | None:
        """Seats choose one after another.

        Neither sees the other's choice before both have chosen.
        """
        return None if not s.left else s.first if s.chosen is None else 1 - s.first

    def moves(self, p: Any) -> Sequence[Troops]:
        """Every way to divide the troops."""
        return divisions(p.fields, p.troops)

    def legal(self, inst: Instance, s: State) -> Sequence[Troops]:
        """Every way to divide the troops."""
        return divisions(inst.problem["fields"], inst.problem["troops"])

    def fault(self, inst: Instance, s: State, value: Troops) -> str:
        """Why a division is invalid."""
        fields, troops = inst.problem["fields"], inst.problem["troops"]
        if len(value) != fields:
            return f"Expected {fields} numbers, one per field; got {len(value)}."
        return "" if sum(value) == troops else f"Expected {troops} troops in total; got {sum(value)}."

    def spellings(self, inst: Instance, s: State, move: Troops) -> Sequence[str]:
        """With spaces or commas."""
        return [self.write_move(move), ",".join(map(str, move))]

    def known(self) -> Iterator[KnownGame]:
        """Numbers of divisions, and the results of rounds.

        S troops have C(S + N - 1, N - 1) divisions among N fields.
        """
        for fields, troops, divided in ((3, 10, 66), (4, 9, 220)):
            problem = {"fields": fields, "troops": troops, "rounds": 1, "opponent": "self", "player": 0}
            yield KnownGame(Instance(problem), counts=(divided, divided**2), refused=("10", "4 4 3", "1 1 1 1 6"))
        problem = {"fields": 3, "troops": 10, "rounds": 1, "opponent": "self", "player": 0}
        yield KnownGame(Instance(problem), "4,4,2 3,3,4", paid=(1, -1))
        yield KnownGame(Instance(problem), "3,3,4 4,4,2", paid=(-1, 1))
        yield KnownGame(Instance(problem), "10,0,0 0,10,0", paid=(0, 0))

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
        """Replace the other side's hidden choice, if it has chosen."""
        return s if s.chosen is None else s._replace(chosen=self.random_move(inst, s, rng))

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """The lead."""
        return float(s.lead if seat == 0 else -s.lead)

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> Troops:
        """The next division of the opponent's list.

        Without a list, one that beats the other side's last division.
        """
        moves = self.legal(inst, s)
        if inst.problem["pattern"] and seat != inst.problem["player"]:
            return self._pattern(inst).move([(pair[1 - seat], pair[seat]) for pair in s.past])
        if not s.past:
            return rng.choice(moves)
        last = s.past[-1][1 - seat]
        return rng.choice([move for move in moves if beats(move, last) > 0] or moves)

    def best(self, inst: Instance, s: State) -> Troops:
        """A choice that beats the other side's choice.

        Only the oracle sees it.
        """
        against = s.chosen if s.chosen is not None else s.past[-1][1 - s.first] if s.past else self.legal(inst, s)[0]
        return max(self.legal(inst, s), key=lambda move: beats(move, against))

    def score(self, inst: Instance, gain: float) -> float:
        """1 for the required lead, else 0."""
        return 0.0

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """The lead, and the required lead."""
        needed = f" You needed {inst.problem['target']:+g}." if inst.problem["opponent"] != "self" else ""
        return f"The game is over. Rounds won less rounds lost: {paid[seat]:+g}.{needed}"

    def greedy_action(self, inst: Instance, state: Position, rng: Stream) -> str:
        """The division that beats the one expected by short memory.

        Expected is what last followed the opponent's last division, or else that one itself.
        """
        s, seat = state.s, int(self.to_move(state.s) or 0)
        shown = [pair[1 - seat] for pair in s.past[-_MEMORY:]]
        follows = [after for before, after in pairwise(shown) if before == shown[-1]]
        known = follows[-1] if follows else shown[-1] if shown else None
        moves = self.legal(inst, s)
        answers = [move for move in moves if known and beats(move, known) > 0]
        return self.answer.wrap(self.write_move(rng.choice(answers or moves)))

    @staticmethod
    def _pattern(inst: Instance) -> Pattern:
        return Pattern(inst.key["kind"], tuple(tuple(move) for move in inst.key["plan"]))

    def effort(self, inst: Instance) -> float:
        """Bits of the opponent's list.

        Twice as many if its length and kind are not stated.
        """
        problem = inst.problem
        if not problem["pattern"]:
            return float(problem["rounds"])
        width = log2(len(divisions(problem["fields"], problem["troops"])))
        order = problem["pattern"][0] is None
        return len(inst.key["plan"]) * width * (1 + order)


@lru_cache(maxsize=4096)
def _told(mine: Troops, other: Troops) -> str:
    """A round as described to one side."""
    won = ("You lost.", "Draw.", "You won.")[beats(mine, other) + 1]
    return f"you {' '.join(map(str, mine))}, opponent {' '.join(map(str, other))}. {won}"
