"""Audits environments.

The report holds every check, and the measures of every level.

::

    report = audit("sudoku-v0", FULL)
    report.passed, report.breaches
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import envhub
from envhub.audit import (
    answers,
    blind,
    bounds,
    calls,
    contract,
    forms,
    known_games,
    leniency,
    rates,
    reading,
    spread,
    turns,
    wordings,
)
from envhub.audit.applicability import Check, applies, applies_if
from envhub.audit.measures import Level, measure
from envhub.audit.subject import FAST, FULL, Breach, Depth, Subject
from envhub.core.difficulty import LEVELS
from envhub.registry.registry import begin_worker, registered, spec
from envhub.workers import processes as workers

CHECKS: Final[dict[str, Check]] = {
    "gymnasium": contract.check_gymnasium,
    "oracle": contract.check_oracle,
    "formats": contract.check_formats,
    "wordings": wordings.check_wordings,
    "reading": reading.check_reading,
    "alternatives": answers.check_alternatives,
    "wrong_answers": answers.check_wrong_answers,
    "leniency": leniency.check_leniency,
    "calls": calls.check_calls,
    "messages": turns.check_messages,
    "legal_moves": turns.check_legal_moves,
    "payoffs": turns.check_payoffs,
    "known_games": known_games.check_known_games,
    "fuzz": answers.check_fuzz,
    "blind_policies": blind.check_blind_policies,
    "greedy_trend": rates.check_greedy_trend,
    "rates": rates.check_rates,
    "key_is_the_task": contract.check_key_is_the_task,
    "replay": contract.check_replay,
    "seeds_are_unrelated": spread.check_seeds_are_unrelated,
    "variety": spread.check_variety,
    "draws": spread.check_draws,
    "bounds": bounds.check_bounds,
    "forms": forms.check_forms,
    "splits": contract.check_splits,
    "nothing_leaks": contract.check_nothing_leaks,
    "difficulty": contract.check_difficulty,
}
BUDGET_S: Final = 3.0
"""CPU seconds for a fast audit of one environment, child processes included, unless the registry states a reason."""
_BUSY: Final = 2
"""Factor by which a busy machine may raise the CPU time of the same work."""
_HASH_SEEDS: Final = ("4242", "0")
_DIGEST: Final = "import json, sys; from envhub.audit import digests; print(json.dumps(digests(sys.argv[1])))"


@dataclass(frozen=True)
class Checked:
    """Result of one check.

    Attributes:
        name: Name of the check.
        breach: How the contract is broken; None if it is kept.
        cpu_s: Cost of the check in CPU seconds, including ended child processes.
        applies: Whether the check applies to the environment; if not, it has neither passed nor failed.
    """

    name: str
    breach: str | None
    cpu_s: float
    applies: bool = True

    @property
    def result(self) -> Literal["passed", "failed", "not_applicable"]:
        """What the check found."""
        if self.breach is not None:
            return "failed"
        return "passed" if self.applies else "not_applicable"

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {"name": self.name, "result": self.result, "breach": self.breach, "cpu_s": round(self.cpu_s, 3)}


@dataclass
class Report:
    """The audit of one environment.

    Attributes:
        id: Environment id.
        depth: ``fast`` or ``full``.
        checks: Result of every check.
        levels: Measures of every measured level.
        measures_s: Cost of the measures, in CPU seconds.
        audit_cost: Why it may exceed the budget, as the registry states; empty if it may not.
    """

    id: str
    depth: str
    checks: list[Checked] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    measures_s: float = 0.0
    audit_cost: str = ""

    @property
    def cpu_s(self) -> float:
        """Cost of the whole audit, in CPU seconds."""
        return self.measures_s + sum(check.cpu_s for check in self.checks)

    @property
    def over_budget(self) -> str | None:
        """The report on a fast audit over :data:`BUDGET_S`, else None."""
        if self.depth != FAST.name or self.cpu_s <= BUDGET_S:
            return None
        return f"over the budget of {BUDGET_S:g} CPU s: {self.audit_cost or 'the registry states no `audit_cost`'}"

    @property
    def unexplained(self) -> bool:
        """Whether it exceeds any machine's budget without a reason.

        The registry states the reasons.
        """
        return self.over_budget is not None and self.cpu_s > _BUSY * BUDGET_S and not self.audit_cost

    @property
    def breaches(self) -> list[Checked]:
        """The checks that failed."""
        return self.having("failed")

    def having(self, result: str) -> list[Checked]:
        """The checks with this result."""
        return [check for check in self.checks if check.result == result]

    @property
    def passed(self) -> bool:
        """Whether the contract is kept."""
        return not self.breaches

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "id": self.id,
            "version": envhub.__version__,
            "depth": self.depth,
            "passed": self.passed,
            "checks": [check.to_json() for check in self.checks],
            "levels": [level.to_json() for level in self.levels],
        }


def audit(id: str, depth: Depth = FAST) -> Report:
    """Run every check and measure on one environment.

    Args:
        id: Environment id.
        depth: :data:`FAST` measures levels 1, 5 and 10, :data:`FULL` all.

    Raises:
        UnknownEnvironment: The environment does not exist.
    """
    subject = Subject(id, depth)
    subject.environment  # noqa: B018 (what cannot be loaded is no breach)
    report = Report(id, depth.name, audit_cost=spec(id).audit_cost)
    checks: dict[str, Check] = {**CHECKS, "processes": check_processes}
    for name, check in checks.items():
        report.checks.append(_checked(name, check, subject))
    if report.passed:  # measures of an environment with a breach are of no use
        begun = _cpu_s()
        report.levels = [measure(subject, level) for level in (LEVELS if depth is FULL else (1, 5, 10))]
        report.measures_s = _cpu_s() - begun
    return report


def _cpu_s() -> float:
    """CPU seconds of this process and its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def audits(ids: Iterable[str], depth: Depth, processes: int = 1) -> Iterator[Report]:
    """Audits of several environments, in order."""
    if processes == 1:
        yield from (audit(id, depth) for id in ids)
        return
    with ProcessPoolExecutor(
        processes, mp_context=workers.context(), initializer=begin_worker, initargs=(registered(),)
    ) as executor:
        due = [executor.submit(_audit_named, id, depth.name) for id in ids]
        for future in due:
            yield future.result()


def _audit_named(id: str, depth: str) -> Report:
    return audit(id, FULL if depth == FULL.name else FAST)


def _checked(name: str, check: Check, subject: Subject) -> Checked:
    begun, breach, applied = _cpu_s(), None, True
    try:
        applied = applies(check, subject)
        check(subject)
    except Breach as error:
        breach = str(error)
    except Exception as error:  # an environment may raise anything, which is a breach
        breach = f"{type(error).__name__}: {error}"
    return Checked(name, breach, _cpu_s() - begun, applied)


@applies_if(lambda subject: subject.id not in {spec.id for spec in registered()})
def check_processes(subject: Subject) -> None:
    """Tasks of an installed environment do not depend on the hash seed.

    At full depth two other hash seeds are tried, else one.
    """
    here = contract.digests(subject.id)
    others = [seed for seed in _HASH_SEEDS if seed != os.environ.get("PYTHONHASHSEED")]
    for hash_seed in others if subject.depth.name == FULL.name else others[:1]:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "ENVHUB_CACHE": "off"}
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST, subject.id], env=environment, capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            raise Breach(f"{subject.id} cannot be made in another process: {run.stderr.strip()[-300:]}")
        if json.loads(run.stdout) != here:
            raise Breach(f"{subject.id} gives other tasks in another process: it draws from something but its stream.")
