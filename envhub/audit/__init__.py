"""The reward contract, as checks for any environment.

Each check takes a :class:`Subject` and raises :class:`Breach` with its finding. The registry suite runs all checks on
every environment, plug-ins included; ``envhub audit`` reports them with measures. No check depends on a particular
environment::

    for name, check in CHECKS.items():
        check(Subject("sudoku-v0"))
    report = audit("sudoku-v0", FULL)
"""

from envhub.audit.contract import GOLDEN_SEEDS, digests
from envhub.audit.judgements import judgements
from envhub.audit.measures import Level
from envhub.audit.report import CHECKS, Checked, Report, audit, audits
from envhub.audit.subject import FAST, FULL, Breach, Depth, Subject, oracle_actions, play

__all__ = [
    "CHECKS",
    "FAST",
    "FULL",
    "GOLDEN_SEEDS",
    "Breach",
    "Checked",
    "Depth",
    "Level",
    "Report",
    "Subject",
    "audit",
    "audits",
    "digests",
    "judgements",
    "oracle_actions",
    "play",
]
