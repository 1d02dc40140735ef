"""Game: base class of environments with seats.

It handles seats, opponents, illegal moves and scoring.

A state is a value: ``play`` returns a new one and draws nothing. Chance is a seat of its own, ``CHANCE``, whose moves have
weights, so the same rules can be played, searched and solved. Simultaneous moves are made one after the other, and
``observe`` hides them until they are revealed (``hidden = True``).

An episode begins at the policy's first decision. Everything before it (deals, an opponent's first moves) is drawn with the
task; everything after it is drawn from the randomness of the turn. A message without a legal move is answered with the
reason. After ``retries`` such messages the next one loses the game, with the worst payoff.

Chance and opponents are our code on a legal state. If they raise, the turn is an ``error``, whatever the policy played. An
exception while reading or playing the policy's own move is investigated (:mod:`envhub.episodes.rerun`).
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple

from envhub.authoring.environment import Acting, Sampled, Staged, rejected
from envhub.authoring.game.mechanics import CHANCE
from envhub.authoring.game.model_opponent import RESOURCE, ModelOpponents, ask_for_move
from envhub.authoring.game.opponents import Opponent, check_opponent, choose, read_opponent, work
from envhub.authoring.game.rulebook import EVERY_SEAT, VIEWS, limit_of
from envhub.authoring.game.rules import GameParams, Rules
from envhub.authoring.observation import IN_PICTURE
from envhub.authoring.wording import PLAIN, Phrase, Statement
from envhub.core.difficulty import BaseParams
from envhub.core.effects import Effect, EffectFailed, Outcome, Resource, is_process
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Fault, Instance, Turn, Verdict
from envhub.scenes import Scene
from envhub.verifiers.answers.choices import Choice

_FEW: Final = 24
_EXACT: Final = 1e-9
_LONGEST: Final = 10_000
_log = logging.getLogger(__name__)
_read = lru_cache(maxsize=256)(read_opponent)


class Position(NamedTuple):
    """The game's state, the seat to move, and illegal messages counted."""

    s: Any
    mover: int
    faults: int = 0


class Game(Rules):
    """A game with one or more seats.

    The policy plays one, or all of them with the opponent ``self``.
    """

    Params: ClassVar[type[BaseParams]] = GameParams
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"format", "result", "illegal"})
    resources: ClassVar[Mapping[str, Resource]] = {RESOURCE: ModelOpponents()}

    # -- the task ----------------------------------------------------------------------------------------------------

    def check(self, p: Any) -> None:
        """Reject an opponent or a seat that this game does not have."""
        check_opponent(self, p.opponent)
        if self.observation == "image" and p.opponent == "self":
            raise InvalidParameters(
                "With the opponent 'self' each seat needs its view as text: `observation` must be 'both' or 'text'."
            )
        if p.seat is not None and p.seat >= self.seats:
            raise InvalidParameters(
                f"`seat` of {type(self).__name__} must be from 0 to {self.seats - 1}, got {p.seat}."
            )

    def sample(self, rng: Stream, p: Any) -> Sampled:
        """The author's setup, advanced to the policy's first decision.

        It includes the policy's seat.
        """
        made = self.setup(rng, p)
        if is_process(made):
            return self._staged(made, rng, p)  # type: ignore[arg-type]
        return None if made is None else self._seated(made, rng, p)  # type: ignore[arg-type]

    def _staged(self, made: Staged, rng: Stream, p: Any) -> Staged:
        inst = yield from made
        return None if inst is None else self._seated(inst, rng, p)

    def _seated(self, made: Instance, rng: Stream, p: Any) -> Instance | None:
        seat = made.problem.get("player", p.seat if p.seat is not None else rng.below(self.seats))
        problem = {**made.problem, "player": seat, "opponent": p.opponent, "slips": p.slips}
        problem.setdefault("target", self.stakes(made)[1])
        inst = Instance(problem, dict(made.key or {}))
        opening: list[Any] = []
        opponent = _read(p.opponent)
        s = self.start(inst)
        while (mover := self.to_move(s)) == CHANCE or not (mover == seat or opponent.kind == "self"):
            if mover is None or len(opening) > _LONGEST:
                return None  # the game is over before the policy decides anything
            # no model is called while a task is drawn: its first moves are random
            dealt = mover == CHANCE
            move = self.draw(inst, s, rng) if dealt else self._drawn(inst, s, int(mover), opponent, rng)
            opening.append(move)
            s = self.play(inst, s, move)
        if mover is None:
            return None
        problem = {**problem, "player": int(mover)}
        problem["view"] = self._view(Instance(problem, inst.key), s, int(mover))
        return Instance(problem, {**inst.key, "opening": opening})

    def prompt(self, problem: JSON) -> str | Statement:
        """Seat, rules, goal, illegal moves, and the first view."""
        limit, values = self.limit(problem)
        book, alone = self.rulebook(problem), problem["opponent"] == "self"
        if self.observation == "image":
            problem = {**problem, "view": self._captioned(problem["view"])}
            book = None if book is None else replace(book, view=VIEWS)
        if book is not None:
            names = [self.seat_name(problem, seat) for seat in range(self.seats)]
            if alone:
                return book.statement_for_all(problem, names, limit, values)
            return book.statement(problem, names[problem["player"]], limit, values)
        seat = f"You play {self.seat_name(problem, problem['player'])}. {self.goal(problem)}"
        role = PLAIN.pick(EVERY_SEAT) if alone else seat
        return f"{self.rules(problem)}\n\n{role}\n\n{PLAIN.pick(limit).format_map(values)}\n\n{problem['view']}"

    def limit(self, problem: JSON) -> tuple[Phrase, dict[str, str]]:
        """The rule on illegal moves, and the values of its fields."""
        limit, values = limit_of(self.retries)
        return limit, {**values, "action": self.action, "whole": self.whole(problem)}

    def begin(self, inst: Instance, rng: Stream) -> Position:
        """The state at the policy's first decision."""
        s = self.start(inst)
        for move in inst.key["opening"]:
            s = self.play(inst, s, move)
        return Position(s, inst.problem["player"])

    def act(self, inst: Instance, state: Position, value: Any, rng: Stream) -> Acting:
        """Play the policy's move, then continue until its next decision.

        It stops earlier if the game ends.
        """
        at, seat, _ = state
        why = self.fault(inst, at, value)
        if why:
            return rejected(self.reject(inst, state, "illegal", why), "illegal")
        move, opponent = self.read_move(inst, at, value), _read(inst.problem["opponent"])
        if opponent.kind == "url":
            return self._answered(inst, state, move, opponent, rng)
        told: list[str] = []
        s, mover = self._after(inst, at, seat, move, opponent, rng, told)
        return self._turn(inst, state, s, mover, told)

    def reject(self, inst: Instance, state: Position, reason: str, feedback: str) -> Turn:
        """Answer a message without a legal move.

        It loses the game if no retries are left.
        """
        seat = state.mover
        left = self.retries - state.faults
        state = Position(state.s, seat, state.faults + 1)
        legal = self.legal(inst, state.s)
        few = f" Legal moves: {', '.join(self.listed(inst, state.s))}." if len(legal) <= _FEW else ""
        if few and isinstance(self.answer, Choice) and reason != "illegal":  # it lists the words of every state
            feedback = "No move could be read from your message."
        if left <= 0:
            said = f"{feedback} You have used all your retries: you lost." if self.retries else f"{feedback} You lost."
            return self._end(inst, state, self.checked(self.forfeit(inst, state.s, seat)), said, said, forfeited=True)
        times = "once more" if left == 2 else f"{left - 1} more times"
        more = f"This can happen {times}." if left > 1 else "If it happens again, you lose."
        turn = Turn(state, f"{feedback}{few} {more}")
        turn.info["player"] = seat
        return turn

    def _answered(
        self, inst: Instance, state: Position, move: Any, opponent: Opponent, rng: Stream
    ) -> Generator[Effect, Outcome, Turn]:
        """Play the policy's move and those of a model that follow."""
        told: list[str] = []
        s, mover = self._after(inst, state.s, state.mover, move, opponent, rng, told)
        for _ in range(_LONGEST):
            if mover is None or mover == inst.problem["player"]:
                return self._turn(inst, state, s, mover, told)
            if self._slips(inst, rng):
                move = self._theirs(inst, s, mover, opponent, rng)
            else:
                move = yield from ask_for_move(self, inst, s, mover, opponent.url, rng)
            s, mover = self._after(inst, s, mover, move, opponent, rng, told)
        raise ValueError(f"{type(self).__name__} makes more than {_LONGEST} moves without a decision of the policy")

    def _after(
        self, inst: Instance, s: Any, at: int, move: Any, opponent: Opponent, rng: Stream, told: list[str]
    ) -> tuple[Any, int | None]:
        """The state after a move and all automatic moves that follow.

        With the seat to move. The first move is that of the seat ``at``. Automatic moves are those of chance and of
        built-in opponents.
        """
        problem, kind, hidden = inst.problem, opponent.kind, self.hidden
        seat, alone = problem["player"], kind == "self"
        for _ in range(_LONGEST):
            if not hidden:
                told.append(self._told(problem, at, move, alone or at != seat))
            s = self.play(inst, s, move)
            mover = self.to_move(s)
            if mover == CHANCE:
                for _ in range(_LONGEST):
                    s = self.play(inst, s, self._theirs(inst, s, CHANCE, opponent, rng))
                    mover = self.to_move(s)
                    if mover != CHANCE:
                        break
            if mover is None or alone or mover == seat or kind == "url":
                return s, mover  # type: ignore[return-value]
            at = int(mover)
            move = self._theirs(inst, s, at, opponent, rng)
        raise ValueError(f"{type(self).__name__} makes more than {_LONGEST} moves without a decision of the policy")

    def _turn(self, inst: Instance, state: Position, s: Any, mover: int | None, told: list[str]) -> Turn:
        """The turn at the policy's next decision, or at the end."""
        said = told[0] if len(told) == 1 else " ".join(told)
        if mover is not None:
            shown = self._view(inst, s, mover)
            if self.observation == "image":
                shown = self._captioned(shown)
            text = f"{said}\n\n{shown}" if said and shown else said or shown
            return Turn(Position(s, mover, state.faults), text, None, False, False, {"player": mover})
        paid, me = self.paid(inst, s), state.mover
        result = self.ending(inst, s, paid, me)
        shown = "\n\n".join(filter(None, [said, self.observe(inst, s, me), result]))
        return self._end(inst, Position(s, me, state.faults), paid, shown, result)

    def _told(self, problem: JSON, seat: int, move: Any, named: bool) -> str:
        """The sentence that reports a move.

        It names the seat if the reader may be another seat.
        """
        name = self.seat_name(problem, seat) if named else "You"
        if not name[:1].isupper():
            name = f"{name[:1].upper()}{name[1:]}"
        return f"{name} played {self.write_move(move)}."

    def _slips(self, inst: Instance, rng: Stream) -> bool:
        slips = inst.problem["slips"]
        return bool(slips) and rng.below(100) < slips

    def _drawn(self, inst: Instance, s: Any, seat: int, opponent: Opponent, rng: Stream) -> Any:
        """The move of a built-in opponent, or a random slip."""
        return choose(self, inst, s, seat, _SLIPPED if self._slips(inst, rng) else opponent, rng)

    def _theirs(self, inst: Instance, s: Any, mover: int | str, opponent: Opponent, rng: Stream) -> Any:
        """A move of chance or of an opponent in an episode.

        Raises:
            EffectFailed: Our code raised. The policy's answer is not blamed: with another answer the opponent might not
                have failed, and the policy would be punished for our bug.
        """
        try:
            if mover == CHANCE:
                return self.draw(inst, s, rng)
            return self._drawn(inst, s, int(mover), opponent, rng)
        except Exception as error:
            who, name = "luck" if mover == CHANCE else "opponent", type(error).__name__
            where = traceback.extract_tb(error.__traceback__)[-1]
            # not the message: it may hold what is hidden
            _log.error("%s: its %s raised %s at %s:%s", type(self).__name__, who, name, where.filename, where.lineno)
            raise EffectFailed(
                Fault("environment_failed", f"The {who} of {type(self).__name__} raised {name}.")
            ) from error

    def _captioned(self, view: str) -> str:
        """A view without what its picture shows."""
        return f"{self.beside(view)}\n{IN_PICTURE}".lstrip()

    def _view(self, inst: Instance, s: Any, seat: int) -> str:
        shown = self.observe(inst, s, seat)
        if inst.problem["opponent"] != "self":
            return shown
        return f"You are {self.seat_name(inst.problem, seat)}, and it is your turn.\n\n{shown}"

    def _end(
        self, inst: Instance, state: Position, paid: list[float], shown: str, result: str, forfeited: bool = False
    ) -> Turn:
        """The final turn: the policy's score, and the payoffs of all seats.

        The score is of seat 0 if the policy plays all.
        """
        alone = inst.problem["opponent"] == "self"
        seat = 0 if alone else inst.problem["player"]
        low, high = self.stakes(inst)
        gain, target = paid[seat], inst.problem["target"]
        share = min(1.0, max(0.0, (gain - low) / (high - low)))
        if alone:
            solved, score = gain >= high - _EXACT, share
        else:
            gain -= 0.0 if forfeited else self.par(inst, state.s, seat)
            solved = not forfeited and gain >= target - _EXACT
            score = 1.0 if solved else 0.0 if forfeited else min(0.99, max(0.0, self.score(inst, gain)))
        parts = {"result": share, "illegal": float(state.faults)}
        if not forfeited:
            parts |= self.parts(inst, state.s)
        verdict = Verdict(score, "graded", solved, parts, paid[seat], None, result)
        turn = Turn.end(state, verdict, shown)
        turn.info["payoffs"] = paid
        return turn

    def exhausted(self, inst: Instance, state: Position) -> Verdict:
        """Out of turns.

        As bad as the worst end, so that stalling gains nothing.
        """
        low = self.stakes(inst)[0]
        parts = {"result": 0.0, "illegal": float(state.faults)}
        said = "The turns are used up."
        return Verdict(0.0, "no_answer", False, parts, low, None, said, "turn_limit")

    def scene(self, inst: Instance, state: Position) -> Scene | None:
        """What the policy's seat sees.

        With the opponent ``self``, what the seat to move sees.
        """
        mover = self.to_move(state.s)
        alone = inst.problem["opponent"] == "self" and isinstance(mover, int)
        return self.picture(inst, state.s, int(mover) if alone else inst.problem["player"])  # type: ignore[arg-type]

    # -- baselines ---------------------------------------------------------------------------------------------------

    def solve(self, inst: Instance, state: Position) -> str:
        """The oracle's move."""
        return self.write_move(self.best(inst, state.s))

    def legal_answers(self, inst: Instance, state: Position) -> list[str]:
        """All legal moves, as the policy would write them."""
        return self.listed(inst, state.s)

    def listed(self, inst: Instance, s: Any) -> list[str]:
        """Every legal move as it is written, sorted.

        The order of :meth:`legal` may be that of a search, good moves first.
        """
        return sorted(map(self.write_move, self.legal(inst, s)), key=_by_name)

    def random_action(self, inst: Instance, state: Position, rng: Stream) -> str:
        """Any legal move."""
        return self.answer.wrap(self.write_move(self.random_move(inst, state.s, rng)))

    def greedy_action(self, inst: Instance, state: Position, rng: Stream) -> str | None:
        """The heuristic move, from what the seat knows."""
        return self.answer.wrap(self.write_move(choose(self, inst, state.s, state.mover, _GREEDY, rng)))

    def effort(self, inst: Instance) -> float:
        """Estimated number of positions to search to match the opponent.

        Its slips are included.
        """
        at = self.begin(inst, Stream(b"", "effort")).s
        seen = work(self, inst, at, _read(inst.problem["opponent"]))
        return 1 + seen * (100 - int(inst.problem["slips"])) / 100


def _by_name(text: str) -> list[tuple[int, str]]:
    """Sorts texts, numbers in them by their value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(text)]


_NUMBERS: Final = re.compile("([0-9]+)")
_SLIPPED: Final = Opponent("random")
_GREEDY: Final = Opponent("greedy")
