"""Comparisons of an answer with its gold by math-verify.

Arguments: pairs, file of pairs (JSON lines). The result also has the numbers of right and wrong answers that are accepted.
"""

import json
import sys
from pathlib import Path

from math_verify import parse, verify

from benchmarks.workload import judge


def math(text: str) -> str:
    """The text in dollars, as the documentation of math-verify requires."""
    return text if "$" in text or "\\boxed" in text else f"${text}$"


judge(
    [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines()],
    lambda pair: bool(verify(parse(math(pair["gold"])), parse(math(pair["answer"])))),
)
