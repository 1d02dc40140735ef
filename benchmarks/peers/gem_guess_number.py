"""Steps of GEM's GuessTheNumber.

Arguments: episodes, ``easy`` or ``hard``, ``seeded`` or ``unseeded``.
"""

import sys

import gem

from benchmarks.scan import play
from benchmarks.workload import measure

SEEDED = sys.argv[3] == "seeded"

env = gem.make(f"game:GuessTheNumber-v0-{sys.argv[2]}")
env.reset(seed=0)
texts = [f"\\boxed{{{number}}}" for number in range(1, env.max_number + 1)]
measure(lambda seeds: play(env, seeds, texts, SEEDED))
