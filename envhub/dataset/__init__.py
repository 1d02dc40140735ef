"""Datasets of verifiable tasks: every row suffices to judge its responses.

::

    from envhub.dataset import DatasetConfig, generate, judge_file

    generate(DatasetConfig(("sudoku-v0",), {"train": 10_000, "test": 500}, levels=(1, 5)), Path("tasks.jsonl"))
    report = judge_file(Path("tasks.jsonl"), Path("responses.jsonl"))
"""

from envhub.dataset.config import DatasetConfig, Stratum
from envhub.dataset.exclusion import Exclusion
from envhub.dataset.files import OutputExists
from envhub.dataset.formats import FORMATS
from envhub.dataset.generation import Written, generate
from envhub.dataset.grading import Report, judge_file

__all__ = [
    "FORMATS",
    "DatasetConfig",
    "Exclusion",
    "OutputExists",
    "Report",
    "Stratum",
    "Written",
    "generate",
    "judge_file",
]
