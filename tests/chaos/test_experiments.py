"""Experiments go on after all workers were killed in the middle, with the names and files of their sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from envhub.core.tools import write_call
from tests.chaos.test_worlds import replays_after_a_kill
from tests.support.kernels import needed

START = """
import csv
rows, asked = list(csv.reader(open("train.csv")))[1:], list(csv.reader(open("test.csv")))[1:]
targets = [row[-1] for row in rows]
step = {number}
def write(shift):
    with open("submission.csv", "w") as file:
        file.write("id,prediction\\n")
        file.writelines(f"{{row[0]}},{{targets[(at * step + shift) % len(targets)]}}\\n" for at, row in enumerate(asked))
write(0)
len(targets), step
"""


def script(env_id: str, number: int) -> list[str]:
    """An episode whose second half needs the names and the file of the first."""
    code = START.format(number=2 * number + 1)
    first = [write_call("python", code=code), write_call("submit"), "no call", write_call("python", code="step += 1")]
    then = [write_call("submit"), write_call("python", code="write(step)\nprint(step)"), write_call("submit")]
    return [*first, *then, write_call("finish")]


def test_a_few_experiments_go_on(tmp_path: Path) -> None:
    needed("ml-experiment-v0")
    replays_after_a_kill("ml-experiment-v0", 3, tmp_path, script)


@pytest.mark.nightly
def test_twenty_experiments_go_on(tmp_path: Path) -> None:
    needed("ml-experiment-v0")
    replays_after_a_kill("ml-experiment-v0", 20, tmp_path, script)
