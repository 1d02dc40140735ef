"""Divisions of troops, and opponents that play a secret list.

A pattern plays its list in order, over and over (``order``), or stays with a division until it loses a round and then takes
the next one (``stay``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Troops = tuple[int, ...]
Rounds = Sequence[tuple[Troops, Troops]]
"""Divisions of the pattern's opponent and of the pattern, round by round."""
Kind = Literal["order", "stay"]
KINDS: Final[tuple[Kind, ...]] = ("order", "stay")


class Pattern(NamedTuple):
    """An opponent that plays a list of different divisions."""

    kind: Kind
    moves: tuple[Troops, ...]

    def move(self, past: Rounds) -> Troops:
        """The next division."""
        at = len(past) if self.kind == "order" else sum(beats(other, own) > 0 for other, own in past)
        return self.moves[at % len(self.moves)]


@lru_cache(maxsize=32)
def divisions(fields: int, troops: int) -> tuple[Troops, ...]:
    """Every way to divide troops among fields."""
    if fields == 1:
        return ((troops,),)
    return tuple((own, *rest) for own in range(troops + 1) for rest in divisions(fields - 1, troops - own))


@lru_cache(maxsize=1 << 16)
def beats(mine: Troops, other: Troops) -> int:
    """1 if a division beats another, -1 if not, 0 for draws."""
    fields = sum((a > b) - (a < b) for a, b in zip(mine, other, strict=True))
    return (fields > 0) - (fields < 0)


def lead(pattern: Pattern, rounds: int, player: Callable[[Rounds], Troops]) -> int:
    """Rounds won less rounds lost against a pattern."""
    past: list[tuple[Troops, Troops]] = []
    for _ in range(rounds):
        past.append((player(past), pattern.move(past)))
    return sum(beats(mine, own) for mine, own in past)


def best_constant(pattern: Pattern, rounds: int) -> int:
    """The greatest lead of a player who always plays the same division."""
    fields, troops = len(pattern.moves[0]), sum(pattern.moves[0])
    return max(_constant(pattern, rounds, move) for move in divisions(fields, troops))


def _constant(pattern: Pattern, rounds: int, move: Troops) -> int:
    results = [beats(move, own) for own in pattern.moves]
    if pattern.kind == "order":
        return sum(results[at % len(results)] for at in range(rounds))
    won = next((at for at, result in enumerate(results) if result <= 0), None)
    return rounds if won is None else won + results[won] * (rounds - won)
