"""Known results: the rules of a game agree with what is published about it.

A game lists such results as :class:`envhub.authoring.game.KnownGame`.
"""

from __future__ import annotations

from typing import Any, cast

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, require
from envhub.authoring.game import Game
from envhub.core.types import Instance


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
            require(environment.to_move(s) in range(environment.seats), f"{what}: nobody is to move after{before}.")
            move = _read(environment, inst, s, text)
            require(move is not None, f"{what}: {text} is refused after{before}.")
            require(text in environment.spellings(inst, s, move), f"{what}: {text} is spelt otherwise after{before}.")
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


def _check_spellings(environment: Game, inst: Instance, s: Any, what: str) -> None:
    for move in environment.legal(inst, s):
        for text in environment.spellings(inst, s, move):
            require(_read(environment, inst, s, text) == move, f"{what}: {text} is not read as {move}.")


def _read(environment: Game, inst: Instance, s: Any, text: str) -> Any:
    """The move of an answer; None if it is refused."""
    reading = environment.answer.read(environment.answer.wrap(text))
    if reading.reason is not None or environment.fault(inst, s, reading.value):
        return None
    return environment.read_move(inst, s, reading.value)


def _games(environment: Game, inst: Instance, s: Any, plies: int) -> int:
    if environment.to_move(s) is None:
        return 0
    legal = environment.legal(inst, s)
    return (
        len(legal)
        if plies == 1
        else sum(_games(environment, inst, environment.play(inst, s, move), plies - 1) for move in legal)
    )
