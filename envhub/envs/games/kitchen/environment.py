"""kitchen-v0: cook and serve soups with a partner, in time.

Action: the next steps, up to ``steps`` of them: ``up up left wait``. A step towards floor walks; a step towards
anything else uses it: takes an ingredient or a plate, puts something down, fills a cooker, serves. Both seats plan a
round at the same time, without seeing the other's plan; then both plans are carried out together, step by step. Both
see everything else: the map, hands, cookers, orders, and the last round. They cannot talk.

The payoff, the same for both seats, is the number of soups served. All orders can be served in time with the partner
``greedy``, a competent rule-based cook: a planner has found a plan, and ``slack`` per cent of time are added, but never
enough for one cook alone. ``greedy`` does its share and counts on the policy to do the rest, unless the policy only
waited in the last round. Orders that it would serve if the policy did nothing earn nothing: the score is 1 for all
orders, else the served share of the others. A model as a partner can also serve alone, so the orders ``greedy`` would
have served are deducted there too; ``random`` and ``mcts`` serve nothing alone, and nothing is deducted. With a partner
other than ``greedy``, orders and time are the same but not proved to be feasible; with ``self`` the plan that was found
serves them. From level 4 on some kitchens have two rooms, with the boxes in one and the cookers in the other, and
everything passes over the counters between them.

The component ``progress`` looks only at the final state: orders served, and the progress of open ones, each counted
once. It is 1 only if all are served; filling and emptying, or taking and putting back, adds nothing. A reward may weigh
it.

Difficulty: longer plans (more orders, ingredients, larger kitchens), and less spare time. The map without cooks, orders
and times decides the split; rotations, reflections and which ingredient is which are folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import Staged
from envhub.authoring.game import Game, GameParams, KnownGame, Rulebook, read_opponent
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.kitchen import wording
from envhub.envs.games.kitchen.layouts import canonical, lay_out, menu, stand
from envhub.envs.games.kitchen.planning import alone, paired, partner_round, plan
from envhub.envs.games.kitchen.plans import LETTERS, Plan, Steps, every_plan, padded, read_plan
from envhub.envs.games.kitchen.rules import (
    STEPS,
    WAIT,
    Core,
    Kitchen,
    drawn,
    first,
    ground,
    named,
    narrated,
    place,
    progress,
    recipe,
    step,
)
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid, lettered
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # width, height, ingredients, cookers, islands, orders, size, cook, divided, slack; length of the plan
    (6, 5, 1, 1, 0, 2, 2, 3, 0, 40, 22, 34),
    (6, 5, 2, 1, 0, 2, 2, 5, 0, 36, 32, 42),
    (6, 5, 2, 1, 1, 2, 3, 6, 0, 32, 40, 52),
    (7, 5, 2, 1, 1, 3, 3, 6, 20, 28, 50, 66),
    (7, 5, 2, 2, 1, 4, 3, 6, 30, 25, 64, 80),
    (7, 6, 3, 2, 2, 4, 3, 6, 30, 22, 78, 94),
    (8, 6, 3, 2, 2, 5, 3, 6, 30, 16, 92, 110),
    (8, 6, 3, 2, 2, 5, 3, 8, 30, 11, 108, 128),
    (8, 6, 3, 2, 3, 6, 3, 8, 30, 7, 126, 148),
    (9, 6, 3, 2, 3, 6, 3, 8, 30, 4, 146, 184),
)
_MOST_ROUNDS: Final = 60


class Params(GameParams):
    """The partner, the kitchen, the orders, and the time."""

    width: int = Field(6, ge=5, le=10, description="cells of a row, the counters around the floor included")
    height: int = Field(5, ge=5, le=8, description="rows, the same way")
    ingredients: int = Field(1, ge=1, le=3, description="kinds of ingredients")
    cookers: int = Field(1, ge=1, le=3, description="how many soups can cook at once")
    islands: int = Field(0, ge=0, le=5, description="counters that stand on the floor")
    orders: int = Field(2, ge=1, le=8, description="soups to serve; in a kitchen with two rooms two thirds of them")
    size: int = Field(2, ge=1, le=4, description="ingredients of a soup")
    cook: int = Field(6, ge=0, le=20, description="steps that a full cooker takes")
    divided: int = Field(0, ge=0, le=100, description="of a hundred kitchens so many have two rooms")
    steps: int = Field(4, ge=1, le=4, description="steps in a message")
    slack: int = Field(25, ge=0, le=200, description="per cent of time beyond what the planner needs, at most")
    length: tuple[int, int] = Field((1, 241), description="steps of the planner's plan: at least, and less than")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.divided and self.width < 6:
            raise ValueError("two rooms need width >= 6")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        *sizes, least, most = _LEVELS[difficulty - 1]
        names = ("width", "height", "ingredients", "cookers", "islands", "orders", "size", "cook", "divided", "slack")
        return cls(opponent="greedy", length=(least, most), **dict(zip(names, sizes, strict=True)))


_SIGNS: Final = {
    "#": Tile(fill="dark"),
    ".": Tile(),
    "1": Tile("1", disc="tint0"),
    "2": Tile("2", disc="tint1"),
    **{sign: Tile(sign, "tint2") for sign in "OT"},
    **{sign: Tile(sign, "tint3") for sign in "PCWS"},
}


class State(NamedTuple):
    """The state at a round's start, and a plan not yet shown.

    Attributes:
        core: The kitchen.
        round: Number of finished rounds.
        first: The seat that plans first.
        chosen: Its plan, while the other seat has not planned.
        stirred: Cooks that did more than wait in the last round.
        told: Report of the last round, for each seat.
    """

    core: Core
    round: int
    first: int
    chosen: Plan | None = None
    stirred: tuple[bool, bool] = (True, True)
    told: tuple[str, str] = ("", "")


class TwoCooks(Game):
    """Two cooks, one kitchen."""

    Params = Params
    pictured: ClassVar[bool] = True
    answer: AnswerType = Steps()
    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    slow: ClassVar[bool] = True
    zero_sum: ClassVar[bool] = False
    hidden: ClassVar[bool] = True
    action: ClassVar[str] = "plan"
    max_turns: ClassVar[int] = 2 * _MOST_ROUNDS + 8  # both seats may be the policy's
    most_playouts: ClassVar[int] = 300
    components: ClassVar[frozenset[str]] = Game.components | {"progress"}

    def setup(self, rng: Stream, p: Any) -> Staged:
        """A map, then cooks, orders, a plan that serves them, and time."""
        divided = rng.below(100) < p.divided
        rows = lay_out(rng, p.width, p.height, p.ingredients, p.cookers, p.islands, divided)
        if rows is None:
            return None
        yield list(rows)
        kitchen = Kitchen(rows, p.size, p.cook)
        many = -(-2 * p.orders // 3) if divided else p.orders
        at, orders = stand(rng, rows), menu(rng, p.ingredients, p.size, many)
        player = rng.below(2) if p.seat is None else p.seat
        core = first(kitchen, at, orders)
        longest = min(p.length[1] - 1, _MOST_ROUNDS * p.steps)
        quick = paired(kitchen, core, player, p.steps, longest * 5 // 4)
        if quick is None or quick < p.length[0]:
            return None  # the search would not find a plan of the required length
        line = plan(kitchen, core, player, p.steps, longest)
        if line is None or not p.length[0] <= len(line):
            return None
        least, most = (-(-len(line) * share // (100 * p.steps)) for share in (100, 100 + p.slack))
        # one cook must not suffice: the time ends before it would have served all
        without = alone(kitchen, core, 1 - player, p.steps, min(most, _MOST_ROUNDS))
        rounds = sum(served < many for served in without)
        if rounds < least:
            return None
        problem = {"rows": list(rows), "at": list(at), "orders": list(orders), "size": p.size, "cook": p.cook}
        problem |= {"steps": p.steps, "rounds": rounds, "player": player, "target": float(many)}
        problem["alone"] = without[rounds - 1] if _serves(p.opponent) else 0
        return Instance(problem, {"plan": ["".join(LETTERS[pair[seat]] for pair in line) for seat in (0, 1)]})

    def canonical(self, content: JSON) -> JSON:
        """The map up to rotation, reflection, and renaming of ingredients."""
        return canonical(content)

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, and how the orders served are scored."""
        return wording.rulebook(problem)

    def start(self, inst: Instance) -> State:
        """Nothing is done.

        The policy is asked last, without being shown anything, so that the oracle may look.
        """
        problem = inst.problem
        core = first(_kitchen(problem), (problem["at"][0], problem["at"][1]), problem["orders"])
        return State(core, 0, 0 if problem["opponent"] == "self" else 1 - problem["player"])

    def to_move(self, s: State) -> int | None:
        """Seats plan in turn.

        It is over when the orders are served (or the time is up, see :meth:`play`).
        """
        if not s.core.orders or s.round < 0:
            return None
        return s.first if s.chosen is None else 1 - s.first

    def moves(self, p: Any) -> Sequence[Plan]:
        """Every plan of full length."""
        return every_plan(p.steps)

    def legal(self, inst: Instance, s: State) -> Sequence[Plan]:
        """Every plan of full length; a shorter one is padded with waits."""
        return every_plan(inst.problem["steps"])

    def fault(self, inst: Instance, s: State, value: Plan) -> str:
        """A plan may be too long."""
        most = inst.problem["steps"]
        return "" if len(value) <= most else f"A plan may have at most {most} steps; this one has {len(value)}."

    def read_move(self, inst: Instance, s: State, value: Plan) -> Plan:
        """The plan, with missing steps as waits."""
        return padded(value, inst.problem["steps"])

    def write_move(self, move: Plan) -> str:
        """The move in the format of :meth:`read_move`."""
        return " ".join(STEPS[action] for action in move)

    def spellings(self, inst: Instance, s: State, move: Plan) -> Sequence[str]:
        """In words, and by their first letters."""
        return [self.write_move(move), ",".join(LETTERS[action] for action in move)]

    def known(self) -> Iterator[KnownGame]:
        """A soup of eight steps is ready exactly after the eighth."""
        problem = {"rows": ["#T#C#", "P...W", "#...#", "#####"], "at": [6, 13], "orders": ["T"], "size": 1, "cook": 8}
        inst = Instance(
            {**problem, "steps": 4, "rounds": 4, "player": 1, "target": 1.0, "opponent": "greedy", "alone": 0}
        )
        early = "u,r,r,u w,w,w,w l,l,l,r w,w,w,w r,u,r,w w,w,w,w"
        yield KnownGame(inst, early)
        yield KnownGame(inst, f"{early} r,w,w,w w,w,w,w", paid=(0.0, 0.0))
        yield KnownGame(inst, f"{early} u,r,w,w w,w,w,w", paid=(1.0, 1.0))

    def play(self, inst: Instance, s: State, move: Plan) -> State:
        """Record a plan; the second one of a round moves both cooks."""
        if s.chosen is None:
            return s._replace(chosen=move)
        plans = (s.chosen, move) if s.first == 0 else (move, s.chosen)
        kitchen, core = _kitchen(inst.problem), s.core
        told: tuple[list[str], list[str]] = ([], [])
        for actions in zip(*plans, strict=True):
            before, core = core, step(kitchen, core, actions)
            for seat in (0, 1):
                told[seat].append(narrated(before, core, seat, actions[seat]))
            if not core.orders:
                break
        stirred = tuple(any(action != WAIT for action in made) for made in plans)
        after = s.round + 1
        over = after >= inst.problem["rounds"]
        return State(
            core, -1 if over else after, s.first, None, (stirred[0], stirred[1]), (_row(told[0]), _row(told[1]))
        )

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The soups served, for both."""
        return float(s.core.served), float(s.core.served)

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """From no orders to all orders."""
        return 0.0, float(len(inst.problem["orders"]))

    def score(self, inst: Instance, gain: float) -> float:
        """Share served of the orders that the partner alone would miss.

        For a model as partner, ``greedy`` plays in its place.
        """
        without = int(inst.problem["alone"])
        return (gain - without) / (len(inst.problem["orders"]) - without)

    def parts(self, inst: Instance, s: State) -> Mapping[str, float]:
        """The progress of the orders."""
        return {"progress": progress(_kitchen(inst.problem), s.core)}

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The kitchen and the last round, never a plan in preparation."""
        problem, core = inst.problem, s.core
        kitchen, other = _kitchen(problem), 1 - seat
        rows = []
        if s.told[0]:
            rows += [f"Last round you did: {s.told[seat]}.", f"Player {other + 1} did: {s.told[other]}."]
        if self.to_move(s) is not None:
            rows.append(f"Round {s.round + 1} of {problem['rounds']}")
        rows += [
            *drawn(kitchen, core),
            f"You (player {seat + 1}): {place(kitchen, core.at[seat])}, holding {named(core.held[seat])}",
            f"Player {other + 1}: {place(kitchen, core.at[other])}, holding {named(core.held[other])}",
            *_cookers(kitchen, core),
        ]
        rows += [f"Orders served: {core.served}", f"Open orders: {'; '.join(map(recipe, core.orders)) or 'none'}"]
        return "\n".join(rows)

    def picture(self, inst: Instance, s: State, seat: int) -> Scene:
        """The map, with numbered rows and columns.

        Numbers start at 0, and only the last digit is shown.
        """
        lines = [line[2:] for line in drawn(_kitchen(inst.problem), s.core)[1:]]
        columns = [str(at % 10) for at in range(len(lines[0]))]
        return grid(lettered(lines, _SIGNS), columns=columns, lines=[str(at % 10) for at in range(len(lines))])

    def imagine(self, inst: Instance, s: State, seat: int, rng: Stream) -> State:
        """Replace the other seat's plan, if it has made one."""
        return s if s.chosen is None or seat == s.first else s._replace(chosen=self.random_move(inst, s, rng))

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """The progress of the orders."""
        return progress(_kitchen(inst.problem), s.core) * len(inst.problem["orders"])

    def greedy(self, inst: Instance, s: State, seat: int, rng: Stream) -> Plan:
        """The deterministic rule-based cook.

        It counts on the other one unless that one only waited.
        """
        return partner_round(_kitchen(inst.problem), s.core, seat, inst.problem["steps"], s.stirred[1 - seat])

    def random_move(self, inst: Instance, s: State, rng: Stream) -> Plan:
        """Random steps."""
        return tuple(rng.below(len(STEPS)) for _ in range(inst.problem["steps"]))

    def best(self, inst: Instance, s: State) -> Plan:
        """The task's plan, or a new one if the kitchen deviates."""
        seat, steps = int(self.to_move(s) or 0), int(inst.problem["steps"])
        kitchen, plans = _kitchen(inst.problem), inst.key["plan"]
        if s.core == _foreseen(kitchen, self.start(inst).core, plans[0], plans[1], s.round * steps):
            return padded(read_plan(plans[seat][s.round * steps : (s.round + 1) * steps]), steps)
        left = (inst.problem["rounds"] - s.round) * steps
        line = plan(kitchen, s.core, seat, steps, left, s.stirred[seat])
        if line is None:
            return partner_round(kitchen, s.core, seat, steps, s.stirred[1 - seat])
        return padded(tuple(pair[seat] for pair in line[:steps]), steps)

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """Number of orders served."""
        return f"It is over. {s.core.served} of {len(inst.problem['orders'])} orders were served."

    def effort(self, inst: Instance) -> float:
        """The steps of the planner's plan."""
        return float(len(inst.key["plan"][0]))


def _kitchen(problem: JSON) -> Kitchen:
    return Kitchen(tuple(problem["rows"]), problem["size"], problem["cook"])


def _serves(opponent: str) -> bool:
    """Whether the partner serves by itself: the rule-based cook, or a model."""
    return read_opponent(opponent).kind in ("greedy", "url")


@lru_cache(maxsize=256)
def _foreseen(kitchen: Kitchen, core: Core, one: str, other: str, steps: int) -> Core | None:
    """The kitchen after some steps of a plan; None beyond its end."""
    if steps > len(one):
        return None
    for actions in zip(read_plan(one[:steps]), read_plan(other[:steps]), strict=True):
        core = step(kitchen, core, actions)
    return core


def _row(told: Sequence[str]) -> str:
    return ", ".join(told)


def _cookers(kitchen: Kitchen, core: Core) -> list[str]:
    """The contents of every cooker, in words."""
    rows = []
    for cell, (inside, left) in zip(ground(kitchen.rows).pots, core.pots, strict=True):
        more = kitchen.size - len(inside)
        if more:
            says = f"{recipe(inside)}, {more} more needed" if inside else "empty"
        else:
            says = f"{recipe(inside)}, {f'ready in {left} step' + 's' * (left > 1) if left else 'ready'}"
        rows.append(f"Cooker at {place(kitchen, cell)}: {says}")
    return rows
