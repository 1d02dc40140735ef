"""What is played: episodes whose actions are decided beforehand, with what an undisturbed run answers to each.

A :class:`Script` is one episode, and perhaps the fork of it that leaves at some turn and goes another way. The actions are
right, wrong, malformed, too long or anything else; which, is decided by a seed. ::

    for script in scripts(200, seed=7):
        script.line.turns[0].action, script.line.turns[0].answer
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import envhub
from envhub.authoring import write_call
from envhub.episodes.outcomes import Step
from tests.chaos.ledger import LEDGER

_SINGLE: Final = ("arithmetic-v0", "countdown-v0", "equation-v0", "knights-knaves-v0", "shortest-path-v0", "sudoku-v0")
_LONG: Final = ("guess-number-v0", "mastermind-v0", "maze-v0", LEDGER)
_LEAST_TURNS_TO_FORK: Final = 3
_MOST_TURNS: Final = 14


@dataclass(frozen=True, slots=True)
class Taken:
    """An action, and the five-tuple it was answered with."""

    action: str
    answer: str


@dataclass(frozen=True, slots=True)
class Line:
    """An episode: its beginning, and every turn of it to the end."""

    turn_seed: int
    opening: str
    turns: tuple[Taken, ...]
    messages: str


@dataclass(frozen=True, slots=True)
class Script:
    """What one player does.

    Attributes:
        env_id: What is played.
        seed: Which task.
        settings: How it was asked for.
        line: The episode.
        fork_at: After how many turns it is forked.
        branch: The fork: its own luck, and all its turns, those that it inherits included.
    """

    env_id: str
    seed: int
    settings: Mapping[str, Any]
    line: Line
    fork_at: int | None = None
    branch: Line | None = None


def told(value: Any) -> str:
    """A value as it can be compared: as JSON, in which NaN equals NaN."""
    return json.dumps(value, sort_keys=True)


def scripts(count: int, seed: int) -> list[Script]:
    """So many scripts, most of them of many turns."""
    return [_script(number, Random(f"{seed} {number}")) for number in range(count)]


def answers_in(schedule: Sequence[Script]) -> int:
    """How many answers there are when all of it has been played: of every line its opening, its turns, its conversation."""
    lines = [len(script.line.turns) + 2 for script in schedule]
    branches = [
        len(script.branch.turns) - script.fork_at + 2 for script in schedule if script.branch and script.fork_at
    ]
    return sum(lines) + sum(branches)


def _script(number: int, rng: Random) -> Script:
    # in step with nothing that others do by numbers, so that all is played in every way
    env_id = _SINGLE[number // 11 % len(_SINGLE)] if number % 11 == 0 else _LONG[number // 5 % len(_LONG)]
    settings: dict[str, Any] = {"reward": {"accuracy": rng.choice((1.0, 2.0, 0.5)), "format": rng.choice((0.0, 0.25))}}
    if env_id == LEDGER:
        settings = {"difficulty": None}
    else:
        settings["difficulty"] = rng.randint(1, 3) if env_id in _LONG else 1
    env = envhub.make(env_id, **settings)
    turn_seed = rng.choice((0, 0, rng.randrange(2**40)))
    seed = rng.randrange(2**62)
    begun = env.reset(seed=seed, options={"turn_seed": turn_seed})
    act = rng.choice((_right, _wrong, _mixed, _mixed))
    turns: list[Taken] = []
    fork_at, branch = None, None
    leave_at = _LEAST_TURNS_TO_FORK - 1 if number % 3 == 0 else None
    while not env.episode.over:
        turns.append(_take(env, act(env, len(turns), rng)))
        if len(turns) == leave_at and not env.episode.over:
            fork_at = leave_at
            other = rng.randrange(2**40)
            twin = env.fork(other)
            branch = _to_the_end(twin, other, told([twin.episode.turns[-1].observation]), list(turns), rng)
    line = Line(turn_seed, told(begun), tuple(turns), told(env.messages))
    return Script(env_id, seed, settings, line, fork_at, branch)


def _to_the_end(env: Any, turn_seed: int, opening: str, turns: list[Taken], rng: Random) -> Line:
    while not env.episode.over:
        turns.append(_take(env, _mixed(env, len(turns), rng)))
    return Line(turn_seed, opening, tuple(turns), told(env.messages))


def _take(env: Any, action: str) -> Taken:
    step: Step = env.step(action)
    return Taken(action, told(step))


# -- who plays ---------------------------------------------------------------------------------------------------------


def _right(env: Any, turn: int, rng: Random) -> str:
    return str(env.solve())


def _wrong(env: Any, turn: int, rng: Random) -> str:
    if turn >= _MOST_TURNS:
        return _right(env, turn, rng)
    return _GUESSES.get(env.task.env_id, _number)(rng)


def _mixed(env: Any, turn: int, rng: Random) -> str:
    act: Callable[[Any, int, Random], str] = rng.choices((_right, _wrong, _odd), (4, 5, 2))[0]
    return act(env, turn, rng)


def _odd(env: Any, turn: int, rng: Random) -> str:
    """What is no answer, or hard to carry."""
    if turn >= _MOST_TURNS:
        return _right(env, turn, rng)
    return rng.choice(("", "no idea", "<answer></answer>", 'ünï\u0000\u2028 "\\ 🎲', "<answer>1", "x" * 70_000))


def _number(rng: Random) -> str:
    return f"<answer>{rng.randint(1, 500)}</answer>"


def _code(rng: Random) -> str:
    return f"<answer>{rng.randint(111, 666)}</answer>"


def _way(rng: Random) -> str:
    return f"<answer>{rng.choice(('north', 'south', 'east', 'west'))}</answer>"


def _entry(rng: Random) -> str:
    return rng.choice(
        (
            write_call("add", amount=rng.randint(-3, 7)),
            write_call("twice", amount=rng.randint(1, 4)),
            write_call("look"),
            write_call("note", text=rng.choice(("a", "é" * 40))),
            write_call("no_such_tool"),
            write_call("submit", total=rng.randint(9, 11)),
            write_call("ask", payload="fail"),  # an effect that fails: a reward that cannot be given
        )
    )


_GUESSES: Final[Mapping[str, Callable[[Random], str]]] = {"mastermind-v0": _code, "maze-v0": _way, LEDGER: _entry}
