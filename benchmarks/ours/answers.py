"""Comparisons of an answer with its gold.

Arguments: pairs, file of pairs (JSON lines). The result also has the numbers of right and wrong answers that are accepted.
"""

import json
import sys
from pathlib import Path

from benchmarks.workload import judge
from envhub.verifiers.math import compare

judge(
    [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines()],
    lambda pair: bool(compare(pair["gold"], pair["answer"], pair["kind"], **pair["options"]).same),
)
