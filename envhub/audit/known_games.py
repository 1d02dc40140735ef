"""Known results: the rules of a game agree with published ones.

A game lists such results as :class:`envhub.authoring.game.KnownGame`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, cast

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, require
from envhub.authoring.game import CHANCE, Game, game_value
from envhub.core.types import Instance

_EXACT: Final = 1e-6


def _names_results(subject: Subject) -> bool:
    environment = subject.environment
    return isinstance(environment, Game) and any(True for _ in environment.known())


@applies_if(_names_results)
def check_known_games(subject: Subject) -> None:
    """A game's rules agree with published results (`known`).

    Counts of games, final positions, illegal moves.
    """
    environment = cast(Game, subject.environment)
    for known in environment.known():
        inst, s, before = known.inst, environment.start(known.inst), ""
        what = f"{subject.id}: {inst.problem}"
        for text in known.moves.split():
            move = _next(environment, inst, s, text, f"{what}: {text} after{before or ' no move'}")
            s, before = environment.play(inst, s, move), f"{before} {text}"
        what = f"{what} after{before or ' no move'}"
        for seat in range(environment.seats):
            view = environment.observe(inst, s, seat)
            require(known.shown in view, f"{what} is shown as {view!r}, without {known.shown!r}.")
        over = environment.to_move(s) is None
        require(over is (known.paid is not None), f"{what} is {'over' if over else 'not over'}.")
        if known.paid is not None:
            paid = environment.paid(inst, s)
            require(paid == list(known.paid), f"{what} pays {paid}, not {known.paid}.")
            continue
        _check_spellings(environment, inst, s, what)
        for text in known.refused:
            require(_read(environment, inst, s, text) is None, f"{what}: {text} is not legal, and taken.")
        for plies, count in enumerate(known.counts, 1):
            games = _games(environment, inst, s, plies)
            require(games == count, f"{what}: {games} games of {plies} plies, not {count}.")
        if known.value is not None:
            value = game_value(environment, inst, s, partial(environment.strategy, inst))
            require(abs(value - known.value) < _EXACT, f"{what} is worth {value}, not {known.value}.")
        if known.information_sets is not None:
            views = len(set(_views(environment, inst, s)))
            require(views == known.information_sets, f"{what}: {views} information sets, not {known.information_sets}.")


def _next(environment: Game, inst: Instance, s: Any, text: str, what: str) -> Any:
    """The move or the outcome of chance that a text names."""
    mover = environment.to_move(s)
    if mover == CHANCE:
        outcomes = {str(outcome): outcome for outcome, _ in environment.chances(inst, s)}
        require(text in outcomes, f"{what} cannot happen.")
        return outcomes[text]
    require(mover in range(environment.seats), f"{what}: nobody is to move.")
    move = _read(environment, inst, s, text)
    require(move is not None, f"{what} is refused.")
    require(text in environment.spellings(inst, s, move), f"{what} is spelt otherwise.")
    return move


def _check_spellings(environment: Game, inst: Instance, s: Any, what: str) -> None:
    for move in environment.legal(inst, s) if environment.to_move(s) != CHANCE else ():
        for text in environment.spellings(inst, s, move):
            require(_read(environment, inst, s, text) == move, f"{what}: {text} is not read as {move}.")


def _read(environment: Game, inst: Instance, s: Any, text: str) -> Any:
    """The move of an answer; None if it is refused."""
    reading = environment.answer.read(environment.answer.wrap(text))
    if reading.reason is not None or environment.fault(inst, s, reading.value):
        return None
    return environment.read_move(inst, s, reading.value)


def _games(environment: Game, inst: Instance, s: Any, plies: int) -> int:
    following = _following(environment, inst, s)
    return len(following) if plies == 1 else sum(_games(environment, inst, after, plies - 1) for after in following)


def _following(environment: Game, inst: Instance, s: Any) -> list[Any]:
    """The positions after every move or outcome of chance."""
    mover = environment.to_move(s)
    if mover is None:
        return []
    moves = [move for move, _ in environment.chances(inst, s)] if mover == CHANCE else environment.legal(inst, s)
    return [environment.play(inst, s, move) for move in moves]


def _views(environment: Game, inst: Instance, s: Any) -> Iterator[tuple[int, str]]:
    """What each seat sees whenever it is to move."""
    mover = environment.to_move(s)
    if isinstance(mover, int):
        yield mover, environment.observe(inst, s, mover)
    for after in _following(environment, inst, s):
        yield from _views(environment, inst, after)
