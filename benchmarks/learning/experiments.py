"""All experiments, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from benchmarks.learning.catalogue import MIXTURE, TICTACTOE
from benchmarks.learning.experiment import Experiment
from benchmarks.learning.kuhn import KUHN
from benchmarks.learning.tool import TOOL
from benchmarks.learning.transfer import TRANSFER

EXPERIMENTS: Final[Mapping[str, Experiment]] = MappingProxyType(
    {experiment.name: experiment for experiment in (TRANSFER, KUHN, TOOL, TICTACTOE, MIXTURE)}
)
"""What ``python -m benchmarks.learning`` runs."""
