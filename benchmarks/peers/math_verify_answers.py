"""Comparisons of an answer with its gold by math-verify.

Arguments: pairs, file of pairs (JSON lines). The result also has the numbers of right and wrong answers that are accepted.
"""

import json
import sys
from pathlib import Path

from benchmarks.workload import judge
from envhub.verifiers.math.math_verify import same

judge(
    [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines()],
    lambda pair: same(pair["gold"], pair["answer"]),
)
