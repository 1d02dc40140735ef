"""A check that does not apply to an environment counts as neither passed nor failed."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.audit import CHECKS, Breach, Checked, Report, Subject
from envhub.audit.applicability import applies, applies_if


@pytest.mark.parametrize(
    ("name", "inapplicable"),
    [
        (
            "arithmetic-v0",
            {"calls", "messages", "legal_moves", "payoffs", "known_games", "greedy_trend", "rates", "forms"},
        ),
        ("connect-four-v0", {"alternatives", "leniency", "calls", "rates", "forms"}),
        ("negotiation-v0", {"alternatives", "leniency", "calls", "known_games", "forms"}),
        ("browse-v0", {"alternatives", "reading", "legal_moves", "payoffs", "known_games", "greedy_trend", "rates"}),
    ],
)
def test_a_check_applies_only_where_there_is_something_to_check(name: str, inapplicable: set[str]) -> None:
    subject = Subject(name)
    found = {each for each, check in CHECKS.items() if not applies(check, subject)}
    assert found >= inapplicable
    assert not found & {"oracle", "wrong_answers", "fuzz", "blind_policies", "replay", "nothing_leaks", "difficulty"}


def test_a_check_that_does_not_apply_is_not_run() -> None:
    def fail(subject: Subject) -> None:
        raise Breach("It was run.")

    subject: Any = None
    applies_if(lambda subject: False)(fail)(subject)
    with pytest.raises(Breach):
        applies_if(lambda subject: True)(fail)(subject)


def test_the_report_counts_it_as_neither_passed_nor_failed() -> None:
    skipped = Checked("forms", None, 0.0, applies=False)
    report = Report("a-v0", "fast", [Checked("oracle", None, 0.1), skipped])
    assert report.passed
    assert [check.name for check in report.having("passed")] == ["oracle"]
    assert report.having("not_applicable") == [skipped]
    results = [(check["name"], check["result"]) for check in report.to_json()["checks"]]
    assert results == [("oracle", "passed"), ("forms", "not_applicable")]
    assert Report("a-v0", "fast", [Checked("oracle", "wrong", 0.1)]).to_json()["checks"][0]["result"] == "failed"
