"""Steps of guess-number-v0, with journal, verdict and Gymnasium's five-tuple.

Arguments: episodes, greatest number, guesses, ``seeded`` or ``unseeded``.
"""

import sys

import envhub
from benchmarks.scan import play
from benchmarks.workload import measure

HIGH, GUESSES = int(sys.argv[2]), int(sys.argv[3])
SEEDED = sys.argv[4] == "seeded"

env = envhub.make("guess-number-v0", low=1, high=HIGH, guesses=GUESSES)
env.reset(seed=0)
texts = [f"<answer>{number}</answer>" for number in range(1, HIGH + 1)]
measure(lambda seeds: play(env, seeds, texts, SEEDED))
