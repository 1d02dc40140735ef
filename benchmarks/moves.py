"""Scripts of moves for the workloads of games: 64 per game.

All sides play the same scripts. Moves are drawn in advance by Python's own generator, without knowledge of the secret, the
mines or the tiles. In two-player games one script plays both seats; scripts contain only moves that are always legal. Also
runs in the peers' interpreters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

SCRIPTS = 64
Script = list[tuple[int, ...] | str]
_WAYS = ("up", "left", "down", "right")


def scripts(game: str) -> list[Script]:
    """The scripts of a game: words, or tuples of 0-based numbers."""
    return [_script(game, random.Random(f"{game} {number}")) for number in range(SCRIPTS)]


def _script(game: str, rng: random.Random) -> Script:
    if game.startswith("guess-number"):
        high = {"guess-number-10": 10, "guess-number-20": 20, "guess-number-50": 50}[game]
        return [(number,) for number in rng.sample(range(high), high)]
    if game.startswith("mastermind"):
        pegs, colours = {"mastermind-2": (2, 6), "mastermind-4": (4, 6), "mastermind-8": (4, 8)}[game]
        found = {tuple(rng.sample(range(colours), pegs)) for _ in range(200)}
        return list(found)[:30]
    if game.startswith("minesweeper"):
        size = int(game.rpartition("-")[2])
        cells = [(row, column) for row in range(size) for column in range(size)]
        return list(rng.sample(cells, len(cells)))
    if game in ("2048", "sokoban"):
        return [rng.choice(_WAYS) for _ in range(400)]
    if game == "tic-tac-toe":
        return [(cell,) for cell in rng.sample(range(9), 9)]
    if game == "connect-four":
        return [(column,) for column in rng.sample([*range(7)] * 6, 42)]
    if game == "blotto":
        return [_troops(rng) for _ in range(40)]
    if game in ("kuhn-poker", "leduc-poker"):
        return ["check"] * 200
    raise ValueError(f"no script for {game}")


def _troops(rng: random.Random) -> tuple[int, ...]:
    one, other = sorted((rng.randint(0, 16), rng.randint(0, 16)))
    return one, other - one, 16 - other


def play(
    reset: Callable[[int], object], step: Callable[[str], bool], seeds: range, texts: Sequence[Sequence[str]]
) -> int:
    """Play one episode per seed and return the number of steps.

    An episode ends by itself or with its script.
    """
    steps = 0
    for seed in seeds:
        reset(seed)
        for text in texts[seed % SCRIPTS]:
            steps += 1
            if step(text):
                break
    return steps
