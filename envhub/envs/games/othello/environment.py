"""othello-v0: play matches of Othello endgames whose result can be forced.

Action: a square, such as ``c4``. A match has one or more boards, played one after another. Each starts from a random
game with few empty squares and the policy to move, and must end as many discs ahead (or no more behind) as perfect play
would. Score: 1 if every board ends so, else 0; the match ends at the first that does not. The payoff of a single board
is the discs ahead.

Difficulty: boards on which a rule of thumb (leave the other side the fewest moves) fails (``rule``, exact), more empty
squares, more moves to choose from, more boards. At every level a random player is very unlikely to succeed on any board
(``luck``, exact, in bits). The boards of a match come from one midgame; a midgame is the same content up to symmetry
and exchanged colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log2, prod
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.game import GameParams, KnownGame, Rulebook
from envhub.authoring.game.endgame import Endgame
from envhub.authoring.game.exact import optimal_moves
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.othello import wording
from envhub.generators.boards.squares import (
    LETTERS,
    beside,
    board_of,
    cell_of,
    cells_of,
    diagram,
    enclosed,
    least,
    name_of,
    rows,
)
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid, lettered
from envhub.verifiers.answers.choices import Square

_TRIES, _MIDDLE = 120, 14
_LEVELS: Final = (  # boards, empty squares, moves to choose from at first, share of matches that the rule of thumb wins
    *((3, 4, 3, 0.99, 1.01), (3, 4, 3, 0.5, 0.99), (3, 4, 3, 0.2, 0.5), (3, 5, 3, 0.08, 0.2), (3, 5, 4, 0.02, 0.08)),
    *((3, 5, 4, 0.0, 0.02), (3, 6, 4, 0.0, 0.02), (3, 6, 5, 0.0, 0.01), (4, 6, 5, 0.0, 0.005), (4, 6, 6, 0.0, 0.005)),
)
_LUCK: Final = 2.0
_ANY: Final = Instance({})


class Params(GameParams):
    """The opponent, and the positions."""

    boards: int = Field(1, ge=1, le=6, description="boards of a match")
    empty: int = Field(4, ge=2, le=8, description="empty squares")
    choice: int = Field(2, ge=1, le=8, description="moves to choose from at first, at least")
    luck: float = Field(0.0, ge=0, le=20, description="bits of luck a random mover needs on a board, at least")
    rule: tuple[float, float] = Field(
        (0.0, 1.01),
        description="share of matches that the rule of thumb wins against perfect play: at least, and less than",
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        boards, empty, choice, *rule = _LEVELS[difficulty - 1]
        low, high = rule
        return cls(opponent="optimal", boards=boards, empty=empty, choice=choice, luck=_LUCK, rule=(low, high))


class State(NamedTuple):
    """Discs as bits, the seat to move, and the board number.

    Discs of X (seat 0) and of O; the seat is None if neither can move.
    """

    discs: tuple[int, int]
    mover: int | None = 0
    at: int = 0


class Othello(Endgame):
    """Othello on a board of eight by eight."""

    Params, answer, max_turns = Params, Square(size=8), 60
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    unit, most, symbols = "disc", 64, "XO"
    slow: ClassVar[bool] = True

    def setup(self, rng: Stream, p: Any) -> Staged:
        """Random play until few squares are empty.

        Repeated from one midgame until the boards qualify.
        """
        middle = self.play_randomly(State((1 << 28 | 1 << 35, 1 << 27 | 1 << 36)), rng, 60 - _MIDDLE)
        seat = rng.below(2) if p.seat is None else p.seat
        if middle.mover is None:
            return None
        yield {"board": board_of(*middle.discs), "player": middle.mover}
        boards: list[str] = []
        targets: list[float] = []
        share = 1.0
        for left in reversed(range(p.boards)):
            for _ in range(_TRIES):
                s = self.play_randomly(middle, rng, _MIDDLE - p.empty)
                board = board_of(*(s.discs if s.mover == seat else s.discs[::-1]))
                if s.mover is None or len(self.legal(_ANY, s)) < p.choice or board in boards:
                    continue
                searched = p.luck or p.rule != (0.0, 1.01)
                value = self.values() if searched else None
                found = self.instance_of({"board": board, "player": seat}, value)
                if found is None:
                    continue
                by_luck, by_rule = self.odds(self.start(found), value) if searched else (0.0, 1.0)
                if by_luck > 2**-p.luck or by_rule * share < p.rule[0] or (not left and by_rule * share >= p.rule[1]):
                    continue
                boards.append(board)
                targets.append(found.problem["target"])
                share *= by_rule
                break
            else:
                return None
        if p.boards == 1:
            return Instance({"board": boards[0], "player": seat, "target": targets[0]})
        return Instance({"boards": boards, "targets": targets, "player": seat, "side": seat, "target": 1.0})

    def canonical(self, content: JSON) -> JSON:
        """The discs of both sides, up to symmetry.

        The side to move comes first.
        """
        discs, seat = self.start(Instance(content)).discs, content["player"]
        return least(board_of(discs[seat], discs[1 - seat]))

    def searches(self, p: Any) -> bool:
        """Only the odds of a match take long."""
        return bool(p.boards > 1 or p.luck)

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, and the required result of each board."""
        targets = problem.get("targets") or [problem["target"]]
        return wording.rulebook(problem, self.symbols, list(map(self._need, targets)))

    def start(self, inst: Instance) -> State:
        """The first position; the policy is to move."""
        problem = inst.problem
        return self._position(problem["boards"][0] if "boards" in problem else problem["board"], problem["player"], 0)

    def _position(self, board: str, mover: int, at: int) -> State:
        return State((cells_of(board, "X"), cells_of(board, "O")), mover, at)

    def legal(self, inst: Instance, s: State) -> Sequence[str]:
        """The squares where a disc would turn others over."""
        return [name_of(square) for square in _open(s.discs, s.mover or 0)]

    def play(self, inst: Instance, s: State, move: str) -> State:
        """Place a disc, turn others over, and find the next side."""
        discs, mover = _placed(s.discs, s.mover or 0, cell_of(move))
        then = State(discs, mover, s.at)
        if mover is None:
            boards = inst.problem.get("boards", ())
            if s.at + 1 < len(boards) and self._held(inst, then):
                return self._position(boards[s.at + 1], inst.problem["side"], s.at + 1)
        return then

    def _held(self, inst: Instance, s: State) -> bool:
        """Whether a finished board of a match ended as required."""
        ahead = -self.ahead(s) if inst.problem["side"] else self.ahead(s)
        return bool(ahead >= inst.problem["targets"][s.at])

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The disc lead.

        For a match, 1 to the side with the required results, if it has them.
        """
        if "boards" not in inst.problem:
            return super().payoffs(inst, s)
        won = 1.0 if self._held(inst, s) else -1.0
        return (-won, won) if inst.problem["side"] else (won, -won)

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """All discs; for a match, lost or won."""
        return (-1.0, 1.0) if "boards" in inst.problem else super().stakes(inst)

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """The current disc lead, on the scale of the payoffs."""
        return super().heuristic(inst, s, seat) / (65 if "boards" in inst.problem else 1)

    def known(self) -> Iterator[KnownGame]:
        """Published game counts (https://www.aartbik.com/strategy.php), and the shortest wipeout of O."""
        board = board_of(1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
        first = Instance({"board": board, "player": 0, "target": 0.0})
        yield KnownGame(first, counts=(4, 12, 56, 244, 1_396), refused=("a1", "d4", "c3"))
        yield KnownGame(first, "e6 f4 e3 f6 g5 d6 e7 f5 c5", paid=(13.0, -13.0))

    def strategy(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """Every move that loses nothing on its board, equally likely."""
        return [(move, 1) for move in optimal_moves(self, _ANY, s)]

    def rule(self, s: State) -> Sequence[str]:
        """The moves that leave the other side the fewest replies."""
        other = 1 - (s.mover or 0)
        left = {move: len(_open(self.play(_ANY, s, move).discs, other)) for move in self.legal(_ANY, s)}
        return [move for move, count in left.items() if count == min(left.values())]

    def whole(self, problem: JSON) -> str:
        """A match where there are several boards."""
        return "match" if "boards" in problem else "game"

    def ending(self, inst: Instance, s: State, paid: Sequence[float], seat: int) -> str:
        """The result of the match."""
        if "boards" not in inst.problem:
            return super().ending(inst, s, paid, seat)
        return (
            "You won the match."
            if paid[seat] > 0
            else f"Board {s.at + 1} did not end as it had to. You lost the match."
        )

    def effort(self, inst: Instance) -> float:
        """Bits of ``luck`` of a random player and the rule of thumb.

        The latter ten at most.
        """
        problem = inst.problem
        boards = problem.get("boards") or [problem["board"]]
        odds = [self.odds(self._position(board, problem["player"], 0)) for board in boards]
        share = prod(by_rule for _, by_rule in odds)
        return -sum(log2(by_luck) for by_luck, _ in odds) - log2(max(share, 2.0**-10))

    def ahead(self, s: State) -> int:
        """Disc lead of X over O."""
        return s.discs[0].bit_count() - s.discs[1].bit_count()

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The board; with several, its number and required result."""
        shown = diagram(board_of(*s.discs))
        if "boards" not in inst.problem:
            return shown
        count, side = len(inst.problem["boards"]), self.symbols[inst.problem["side"]]
        return f"Board {s.at + 1} of {count}; {side} must end {self._need(inst.problem['targets'][s.at])}:\n{shown}"

    def beside(self, view: str) -> str:
        """The heading of the board; empty if there is only one."""
        return "\n".join(view.split("\n")[:-9])

    def picture(self, inst: Instance, s: State, seat: int) -> Scene:
        """The discs of X, which are dark, and of O."""
        return grid(lettered(rows(board_of(*s.discs)), _DISCS), columns=LETTERS[:8], lines=counted(8))


_DISCS: Final = {".": Tile(), "X": Tile("X", ink="light", disc="deep"), "O": Tile("O", disc="light")}


@lru_cache(maxsize=1 << 14)
def _moves(mine: int, other: int) -> dict[int, int]:
    """The moves in order, each with the discs that it turns."""
    found = {}
    near = beside(other) & ~(mine | other)
    while near:
        square = near & -near
        near ^= square
        if turned := enclosed(square, mine, other):
            found[square] = turned
    return found


def _open(discs: tuple[int, int], seat: int) -> dict[int, int]:
    """The moves of a seat, with the discs that they turn over."""
    return _moves(discs[seat], discs[1 - seat])


def _placed(discs: tuple[int, int], seat: int, at: int) -> tuple[tuple[int, int], int | None]:
    """The discs after a seat's move, and the next seat."""
    mine, other = discs[seat], discs[1 - seat]
    turned = _moves(mine, other).get(at, 0)
    mine, other = mine | turned | at, other & ~turned
    mover = 1 - seat if _moves(other, mine) else seat if _moves(mine, other) else None
    return (other, mine) if seat else (mine, other), mover
