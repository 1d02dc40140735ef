"""Steps or resets of a TextArena game, without wrappers.

Requests the observation before every move, as TextArena requires. Arguments: episodes, game of :mod:`benchmarks.moves` or
``reset``, its id, settings as JSON.
"""

import json
import sys

import textarena

from benchmarks.moves import play, scripts
from benchmarks.workload import measure

GAME = sys.argv[2]
FIRST = 0 if GAME.startswith(("minesweeper", "tic-tac-toe", "connect-four", "blotto")) else 1

env = textarena.make(sys.argv[3], **json.loads(sys.argv[4]))
SEATS = 2 if GAME in ("tic-tac-toe", "connect-four", "blotto", "kuhn-poker", "leduc-poker") else 1


def reset(seed: int) -> object:
    env.reset(num_players=SEATS, seed=seed)
    return env.get_observation()


def step(text: str) -> bool:
    done, _ = env.step(text)
    if done:
        env.close()
        return True
    env.get_observation()
    return False


def written(move: object) -> str:
    if isinstance(move, tuple):
        if GAME == "blotto":
            move = " ".join(f"{field}{troops}" for field, troops in zip("ABC", move, strict=True))
        else:
            move = " ".join(str(number + FIRST) for number in move)
    return f"[{move}]"


texts = [] if GAME == "reset" else [[written(move) for move in script] for script in scripts(GAME)]
measure(lambda seeds: sum(1 for seed in seeds if reset(seed)) if GAME == "reset" else play(reset, step, seeds, texts))
