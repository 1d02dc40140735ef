"""Steps or resets of our games, with journal, verdict and Gymnasium's five-tuple.

Arguments: episodes, game of :mod:`benchmarks.moves` or ``reset``, environment, its parameters as JSON.
"""

import json
import sys

import envhub
from benchmarks.moves import play, scripts
from benchmarks.workload import measure

GAME = sys.argv[2]
FIRST = 0 if GAME == "blotto" else 1  # troop counts have no offset

env = envhub.make(sys.argv[3], **json.loads(sys.argv[4]))


def reset(seed: int) -> object:
    return env.reset(seed=seed)


def step(text: str) -> bool:
    _, _, terminated, truncated, _ = env.step(text)
    return bool(terminated or truncated)


def written(move: object) -> str:
    if isinstance(move, tuple):
        move = ("" if GAME.startswith("mastermind") else " ").join(str(number + FIRST) for number in move)
    return f"<answer>{move}</answer>"


texts = [] if GAME == "reset" else [[written(move) for move in script] for script in scripts(GAME)]
measure(lambda seeds: sum(1 for seed in seeds if reset(seed)) if GAME == "reset" else play(reset, step, seeds, texts))
