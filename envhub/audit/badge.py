"""The badge of an audit, for the README of a plug-in."""

from __future__ import annotations

from collections.abc import Sequence

import envhub
from envhub.audit.report import Report
from envhub.reports.badge import BAD, GOOD, badge


def audit_badge(reports: Sequence[Report]) -> str:
    """An SVG with version, depth, and the number of checks."""
    label = f"envhub {envhub.__version__} audit, {reports[0].depth}"
    applied = [check for report in reports for check in report.checks if check.result != "not_applicable"]
    failed = sum(check.result == "failed" for check in applied)
    if failed:
        return badge(label, f"{failed} of {len(applied)} checks failed", BAD)
    many = f"{len(reports)} environments, " if len(reports) > 1 else ""
    return badge(label, f"{many}{len(applied)} checks passed", GOOD)
