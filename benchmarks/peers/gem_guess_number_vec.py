"""Steps of 32 copies of GEM's GuessTheNumber behind its synchronous ``make_vec``.

Arguments: rounds, ``easy`` or ``hard``.
"""

import contextlib
import sys

import gem

from benchmarks.scan import play_many
from benchmarks.workload import measure

COPIES = 32

with contextlib.redirect_stdout(sys.stderr):  # it prints what it makes
    envs = gem.make_vec([f"game:GuessTheNumber-v0-{sys.argv[2]}"] * COPIES)
texts = [f"\\boxed{{{number}}}" for number in range(1, envs.envs[0].max_number + 1)]
measure(lambda rounds: play_many(envs, rounds, texts, COPIES))
