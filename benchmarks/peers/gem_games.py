"""Steps or resets of a GEM game, without wrappers.

Arguments: episodes, game of :mod:`benchmarks.moves` or ``reset``, its id.
"""

import sys

import gem

from benchmarks.moves import play, scripts
from benchmarks.workload import measure

GAME = sys.argv[2]
FIRST = 0 if GAME.startswith("minesweeper") else 1

env = gem.make(sys.argv[3])


def reset(seed: int) -> object:
    return env.reset(seed=seed)


def step(text: str) -> bool:
    _, _, terminated, truncated, _ = env.step(text)
    return bool(terminated or truncated)


def written(move: object) -> str:
    if isinstance(move, tuple):
        move = " ".join(str(number + FIRST) for number in move)
        move = f"reveal {move}" if GAME.startswith("minesweeper") else move
    return f"\\boxed{{{move}}}"


texts = [] if GAME == "reset" else [[written(move) for move in script] for script in scripts(GAME)]
measure(lambda seeds: sum(1 for seed in seeds if reset(seed)) if GAME == "reset" else play(reset, step, seeds, texts))
