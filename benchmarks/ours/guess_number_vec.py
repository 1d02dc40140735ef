"""Steps of 32 copies of guess-number-v0 behind ``envhub.make_vec``.

Arguments: rounds, greatest number, guesses.
"""

import sys

import envhub
from benchmarks.scan import play_many
from benchmarks.workload import measure

COPIES = 32
HIGH, GUESSES = int(sys.argv[2]), int(sys.argv[3])

envs = envhub.make_vec("guess-number-v0", COPIES, low=1, high=HIGH, guesses=GUESSES)
texts = [f"<answer>{number}</answer>" for number in range(1, HIGH + 1)]
measure(lambda rounds: play_many(envs, rounds, texts, COPIES))
