"""StatePuzzle: states and moves, as a whole plan or move by move.

A member states its rules once::

    class Hanoi(StatePuzzle):
        def draw(self, rng, p): ...             # a problem; it decides the split
        def start(self, problem): ...           # the first state, a hashable value
        def moves(self, problem, state): ...    # the legal moves, each with the state after it
        def fault(self, problem, state, move): ...  # why a move is not legal, in a sentence
        def done(self, problem, state): ...     # whether the puzzle is solved
        def lines(self, problem, state): ...    # the state as text
        def look(self, problem, state): ...     # the state as a scene

From these follow the proof of the shortest solution, the limit of moves, the verdict by replaying every move, the oracle and
wrong answers for the audit. :class:`Steps` plays the same puzzle move by move::

    class HanoiSteps(Steps):
        puzzle = Hanoi()
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring import Staged, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import GAME_FRAMES, Phrase, Statement, counted
from envhub.core.difficulty import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.families.member import Member
from envhub.families.moves import Move, Moves
from envhub.generators.optimum import Optimum
from envhub.generators.state_space.search import shortest
from envhub.scenes import Scene

LIMIT: Final = Phrase(
    "Use at most {limit}. The puzzle must be solved after your last {move}.",
    "You have {limit} at most, and the puzzle must be solved after the last {move}.",
    "Your answer may have no more than {limit}. After your last {move}, the puzzle must be solved.",
    held_out="The sequence contains {limit} or fewer, and its last {move} ends in a solved state.",
)
ILLEGAL: Final = Phrase(
    "If any {move} is not possible, the whole answer is wrong.",
    "One {move} that is not possible makes the whole answer wrong.",
    "Every {move} must be possible when it is made, or the answer does not count.",
    held_out="A sequence with an impossible {move} is rejected as a whole.",
)
STEPWISE: Final = Phrase(
    "Send one {move} per message. The reply shows the new state.",
    "Each message makes one {move}, and you are shown the state after it.",
    "Make one {move} in each message. After each of them you see what has changed.",
    held_out="Exactly one {move} is made per message; the reply contains the resulting state.",
)
CHARGED: Final = Phrase(
    "You have {limit}. A message that is not a possible {move} changes nothing but uses up one of the {moves}.",
    "There are {limit} in all. A {move} that is not possible or cannot be read changes nothing, but it is one of the {moves}.",
    "You may make {limit}. If a {move} is not possible or cannot be read, nothing changes, but it is one of your {moves}.",
    held_out="The budget is {limit}. Messages without a legal {move} leave the state unchanged and are charged as {moves}.",
)
SUCCESS: Final = Phrase(
    "You succeed as soon as the puzzle is solved, and fail if the {moves} run out before that.",
    "The puzzle counts as solved in the moment the goal is reached. When no {moves} are left before that, it is lost.",
    "Reaching the goal ends the puzzle with success. Running out of {moves} ends it without.",
    held_out="The episode ends with success when the goal holds, and with failure when the {moves} are exhausted.",
)


class StatePuzzle(Member):
    """Give all moves that solve a puzzle.

    The parameters ``least`` and ``most``, if a member has them, bound the length of a shortest solution; ``spare`` is the
    number of moves that may be wasted.

    Attributes:
        budget: Maximum number of states that the proof visits.
    """

    answer: Moves
    slow: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    budget: ClassVar[int] = 20_000
    moves_rule: ClassVar[Phrase]
    """How one move is written."""

    # -- what a member defines ----------------------------------------------------------------------------------------

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> JSON:
        """A problem without its limit of moves; None to draw another one."""

    @abstractmethod
    def start(self, problem: JSON) -> Any:
        """The first state."""

    @abstractmethod
    def moves(self, problem: JSON, state: Any) -> Sequence[tuple[Move, Any]]:
        """All legal moves, each with the state after it."""

    @abstractmethod
    def fault(self, problem: JSON, state: Any, move: Move) -> str:
        """Why a move that is not among the legal ones is not."""

    @abstractmethod
    def done(self, problem: JSON, state: Any) -> bool:
        """Whether the puzzle is solved."""

    @abstractmethod
    def lines(self, problem: JSON, state: Any) -> str:
        """A state as text."""

    @abstractmethod
    def look(self, problem: JSON, state: Any) -> Scene:
        """A state as a picture."""

    @abstractmethod
    def write(self, move: Move) -> str:
        """A move as it should be written."""

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """A shortest solution from a state; None if the budget is exceeded."""
        return shortest(
            state,
            lambda at: self.moves(problem, at),
            lambda at: self.done(problem, at),
            self.budget,
            lambda at: self.bound(problem, at),
            lambda at: self.same(problem, at),
        )

    def bound(self, problem: JSON, state: Any) -> int:
        """A lower bound of the moves that are left.

        No move reduces it by more than 1.
        """
        return 0

    def same(self, problem: JSON, state: Any) -> Any:
        """Equal for states that differ only by a symmetry."""
        return state

    def after(self, problem: JSON, state: Any, move: Move) -> Any:
        """The state after a move; None if the move is not legal."""
        return next((to for legal, to in self.moves(problem, state) if legal == move), None)

    # -- what follows -------------------------------------------------------------------------------------------------

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem, then the proof of its shortest solution."""
        problem = self.draw(rng, p)
        if problem is None:
            return None
        yield problem
        found = self.best(problem, self.start(problem))
        if found is None or not getattr(p, "least", 1) <= found.value <= getattr(p, "most", 400):
            return None
        limited = {**problem, "limit": found.value + getattr(p, "spare", 0)}
        return Instance(limited, key={"moves": [list(move) for move in found.witness], "steps": found.steps})

    def canonical(self, content: JSON) -> JSON:
        """The problem without its limit."""
        return {name: value for name, value in content.items() if name != "limit"}

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The limit in words, and what moves are called."""
        one, many = self.answer.one, self.answer.many
        return {"limit": counted(problem["limit"], one, many), "move": one, "moves": many}

    def prompt(self, problem: JSON) -> Statement:
        """The task, the first state, the rules and the limit."""
        stated = super().prompt(problem)
        stated.rules = (*stated.rules, self.moves_rule, LIMIT, ILLEGAL)
        return stated

    def grade(self, inst: Instance, value: Sequence[Move]) -> Verdict:
        """Replay every move; the state after the last one decides."""
        problem = inst.problem
        if len(value) > problem["limit"]:
            most = counted(problem["limit"], self.answer.one, self.answer.many)
            return Verdict.exact(False, f"Expected at most {most}, got {len(value)}.")
        state = self.start(problem)
        for number, move in enumerate(value, 1):
            to = self.after(problem, state, move)
            if to is None:
                fault = self.fault(problem, state, move)
                return Verdict.exact(
                    False, f"{self.answer.one.capitalize()} {number}, {self.write(move)}, is not possible: {fault}"
                )
            state = to
        solved = self.done(problem, state)
        return Verdict.exact(solved, "" if solved else f"After the last {self.answer.one}, the puzzle is not solved.")

    def solve(self, inst: Instance) -> str:
        """The shortest solution that the proof found."""
        return ", ".join(self.write(tuple(move)) for move in inst.key["moves"])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The solution without its last or its first move."""
        moves = [tuple(move) for move in inst.key["moves"]]
        for some in (moves[:-1], moves[1:], [moves[-1]]):
            if some and some != moves and not self.grade(inst, some).solved:
                yield ", ".join(map(self.write, some))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The first state."""
        return self.look(inst.problem, self.start(inst.problem))

    def effort(self, inst: Instance) -> float:
        """Number of moves of a shortest solution."""
        return float(len(inst.key["moves"]))


class Progress(NamedTuple):
    """A state, and the moves that are left."""

    at: Any
    left: int


class Steps(World):
    """A state puzzle, one move per message.

    Attributes:
        puzzle: The puzzle, whose rules it shares. Whether drawing is slow is taken from it, too.
    """

    puzzle: ClassVar[StatePuzzle]
    answer: Moves
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        cls.Params = cls.puzzle.Params
        cls.answer = type(cls.puzzle.answer)(most=1)
        cls.family, cls.slow = cls.puzzle.family, cls.puzzle.slow

    Params: ClassVar[type[BaseParams]]

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem of the puzzle."""
        return self.puzzle.sample(rng, p)

    def searches(self, p: Any) -> bool:
        """Whether drawing is slow, as for the puzzle."""
        return self.puzzle.searches(p)

    def check(self, p: Any) -> None:
        """What the puzzle refuses."""
        self.puzzle.check(p)

    def canonical(self, content: JSON) -> JSON:
        """The canonical form of the puzzle."""
        return self.puzzle.canonical(content)

    def prompt(self, problem: JSON) -> Statement:
        """The rules of the puzzle, and how a message counts."""
        stated = Member.prompt(self.puzzle, problem)
        stated.rules = (*stated.rules, self.puzzle.moves_rule, STEPWISE, CHARGED)
        stated.note, stated.frames = SUCCESS, GAME_FRAMES
        return stated

    def messages(self, problem: JSON) -> int:
        """Each message is a move."""
        return int(problem["limit"])

    def begin(self, inst: Instance, rng: Stream) -> Progress:
        """The first state, with all moves."""
        return Progress(self.puzzle.start(inst.problem), inst.problem["limit"])

    def act(self, inst: Instance, state: Progress, value: Sequence[Move], rng: Stream) -> Turn:
        """Make a move, if it is possible."""
        [move], problem = value, inst.problem
        to = self.puzzle.after(problem, state.at, move)
        after = Progress(state.at if to is None else to, state.left - 1)
        if to is None:
            fault = self.puzzle.fault(problem, state.at, move)
            return rejected(self._next(after, f"This {self.answer.one} is not possible: {fault}"), "illegal")
        if self.puzzle.done(problem, to):
            return Turn.end(after, Verdict.exact(True, "The puzzle is solved."))
        return self._next(after, f"Done: {self.puzzle.write(move)}.", self.puzzle.lines(problem, to))

    def reject(self, inst: Instance, state: Progress, reason: str, feedback: str) -> Turn:
        """An unreadable message uses up a move."""
        return self._next(Progress(state.at, state.left - 1), feedback)

    def scene(self, inst: Instance, state: Progress) -> Scene:
        """The current state."""
        return self.puzzle.look(inst.problem, state.at)

    def solve(self, inst: Instance, state: Progress) -> str:
        """The first move of a shortest solution from the current state."""
        made = inst.problem["limit"] - state.left
        kept = [tuple(move) for move in inst.key["moves"]]
        at = self.puzzle.start(inst.problem)
        for move in kept[:made]:
            at = self.puzzle.after(inst.problem, at, move)
        if at == state.at and made < len(kept):
            return self.puzzle.write(kept[made])
        found = self.puzzle.best(inst.problem, state.at)
        legal = self.puzzle.moves(inst.problem, state.at)
        any_move = legal[0][0] if legal else kept[0]  # a position may have no legal move
        return self.puzzle.write(found.witness[0] if found and found.witness else any_move)

    def legal_answers(self, inst: Instance, state: Progress) -> list[str]:
        """All legal moves."""
        return [self.puzzle.write(move) for move, _ in self.puzzle.moves(inst.problem, state.at)]

    def effort(self, inst: Instance) -> float:
        """The effort of the puzzle."""
        return self.puzzle.effort(inst)

    def _next(self, state: Progress, said: str, shown: str = "") -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said} No {self.answer.many} are left."))
        board = f"\n\n{self.drawn(shown)}" if shown else ""
        return Turn(state, f"{said} {self.answer.many.capitalize()} left: {state.left}.{board}")
