"""Evaluation: how well a model does on environments, and model comparison.

::

    config = EvaluationConfig.of(["sudoku-v0:1-5", "guess-number-v0:3"], tasks=20, attempts=4)
    run(config, EndpointPlayer(Endpoint("http://127.0.0.1:8000/v1", "my-model")), Path("results"))
    report = summarise(read(Path("results")))

Every attempt is written to a file as soon as it ends, so an interrupted run can be resumed. Failed requests and
unjudged attempts are reported separately and not scored.
"""

from envhub.core.statistics import interval, pass_at_k
from envhub.evaluation.compare import Comparison, compare
from envhub.evaluation.config import EvaluationConfig, Job
from envhub.evaluation.players import EndpointPlayer, Player
from envhub.evaluation.records import Record, read
from envhub.evaluation.running import arun, run
from envhub.evaluation.summary import Summary, summarise

__all__ = [
    "Comparison",
    "EndpointPlayer",
    "EvaluationConfig",
    "Job",
    "Player",
    "Record",
    "Summary",
    "arun",
    "compare",
    "interval",
    "pass_at_k",
    "read",
    "run",
    "summarise",
]
