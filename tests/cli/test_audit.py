"""envhub audit, and the page it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from envhub.audit import Checked, Level, Report, audit
from envhub.audit.badge import audit_badge
from envhub.audit.html import page
from envhub.cli import app
from envhub.registry.registry import register, unregister
from tests.audit.broken_answers import AcceptsAnything


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["audit", *arguments])


@pytest.mark.slow
def test_a_sound_environment_is_kept_and_measured() -> None:
    found = run("arithmetic-v0", "--json")
    assert found.exit_code == 0
    [report] = json.loads(found.stdout)
    assert report["passed"]
    assert report["depth"] == "fast"
    assert [level["difficulty"] for level in report["levels"]] == [1, 5, 10]
    assert {"oracle", "wrong_answers", "leniency", "processes"} <= {check["name"] for check in report["checks"]}
    for level in report["levels"]:
        assert level["agents"]["oracle"] == 1.0
        assert level["agents"]["random"] < level["agents"]["noisy oracle"] < 1.0
        assert level["distinct"] > 0.9 * level["drawn"]
        assert 0 < level["verify_ms_p50"] <= level["verify_ms_p99"]


@pytest.mark.slow
def test_a_broken_environment_is_told_and_fails(tmp_path: Path) -> None:
    register("broken-v0", AcceptsAnything)
    try:
        found = run("broken-v0", "--html", str(tmp_path / "a.html"), "--badge", str(tmp_path / "a.svg"))
    finally:
        unregister("broken-v0")
    assert found.exit_code == 1
    assert "broken-v0: BROKEN" in found.stdout
    assert "wrong_answers: " in found.stdout
    assert "passes as solved" in (tmp_path / "a.html").read_text()
    assert re.search(r"[1-9]\d* of \d+ checks failed", (tmp_path / "a.svg").read_text())


def test_a_badge_counts_only_checks_that_apply() -> None:
    sound = [Checked("oracle", None, 0.1), Checked("payoffs", None, 0.0, applies=False), Checked("fuzz", None, 0.1)]
    kept = Report("a-v0", "full", sound)
    assert "audit, full: 2 checks passed" in audit_badge([kept])
    assert "2 environments, 4 checks passed" in audit_badge([kept, kept])
    broken = Report("b-v0", "full", [*sound, Checked("rates", "falls", 0.1)])
    assert "1 of 5 checks failed" in audit_badge([kept, broken])
    assert "passed" not in audit_badge([kept, broken])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "--all"), (["arithmetic-v0", "--all"], "--all"), (["arithmetik-v0"], "Did you mean 'arithmetic-v0'?")],
)
def test_bad_usage_is_told(arguments: list[str], said: str) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert said in found.stderr


def test_what_needs_a_file_is_left_out_of_all_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.registry.registry.list_envs", lambda: ["dataset-v0", "arithmetic-v0"])
    asked: list[str] = []
    monkeypatch.setattr("envhub.audit.audits", lambda ids, *rest: asked.extend(ids) or [])
    found = run("--all", "--json")
    assert found.exit_code == 0
    assert asked == ["arithmetic-v0"]
    assert json.loads(found.stdout) == []
    assert "dataset-v0 is left out: " in found.stderr
    assert 'path="questions.jsonl"' in found.stderr
    found = run("dataset-v0")
    assert found.exit_code == 2
    assert 'path="questions.jsonl"' in found.stderr


@pytest.mark.parametrize(
    ("cpu_s", "depth", "reason", "flags", "said"),
    [
        (2.9, "fast", "", ["--timing"], ""),
        (3.1, "fast", "", [], ""),  # may be a busy machine
        (3.1, "fast", "", ["--timing"], "over the budget of 3 CPU s: the registry states no `audit_cost`"),
        (6.1, "fast", "", [], "over the budget of 3 CPU s: the registry states no `audit_cost`"),
        (6.1, "fast", "Its opponents search.", [], ""),
        (6.1, "fast", "Its opponents search.", ["--timing"], "over the budget of 3 CPU s: Its opponents search."),
        (60.0, "full", "", ["--timing"], ""),
    ],
)
def test_an_audit_over_its_budget_is_reported_and_passes(
    cpu_s: float, depth: str, reason: str, flags: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report("arithmetic-v0", depth, [Checked("oracle", None, cpu_s)], audit_cost=reason)
    monkeypatch.setattr("envhub.audit.audits", lambda *_: [report])
    found = run("arithmetic-v0", *flags)
    assert found.exit_code == 0
    assert [line.strip() for line in found.stdout.splitlines() if "budget" in line] == ([said] if said else [])


def test_a_report_has_the_reason_that_the_registry_states() -> None:
    register("costly-v0", AcceptsAnything, audit_cost="Its opponents search.")
    try:
        assert audit("costly-v0").audit_cost == "Its opponents search."
    finally:
        unregister("costly-v0")


def level(difficulty: int, answer: str = "7") -> Level:
    return Level(
        difficulty,
        190,
        200,
        0.02,
        answer,
        0.05,
        10.0 * difficulty,
        1000.0,
        0.1,
        0.2,
        {"random": 0.0, "noisy oracle": 0.9},
    )


def test_the_page_shows_everything_escaped_and_loads_nothing() -> None:
    evil = "<script>alert(1)</script>"
    checks = [Checked("oracle", evil, 0.1), Checked("fuzz", None, 0.1), Checked("forms", None, 0.0, applies=False)]
    text = page([Report("evil-v0", "fast", checks, [level(1), level(5)])])
    assert "fuzz<br>not applicable: forms<" in text
    assert evil not in text
    assert "&lt;script&gt;" in text
    assert "0 of 1 environments" in text
    assert not any(word in text for word in ("http:", "https:", "src="))
    assert text.count("<svg") >= 5


def test_a_failure_of_the_environment_itself_is_a_breach() -> None:
    class Fails(AcceptsAnything):
        def sample(self, rng: Any, p: Any) -> Any:
            raise RuntimeError("broken inside")

    register("fails-v0", Fails)
    try:
        report = audit("fails-v0")
    finally:
        unregister("fails-v0")
    assert not report.passed
    assert all("broken inside" in (check.breach or "") for check in report.breaches)
    assert report.levels == []
