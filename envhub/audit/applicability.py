"""Checks that apply to some environments only.

A check with a condition does nothing for other environments, and :func:`applies` says so to the report::

    @applies_if(lambda subject: isinstance(subject.environment, ToolEnv))
    def check_calls(subject: Subject) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from envhub.audit.subject import Subject

Check: TypeAlias = Callable[[Subject], None]
Condition: TypeAlias = Callable[[Subject], bool]


@dataclass(frozen=True)
class ConditionalCheck:
    """A check that applies to some environments only."""

    run: Check
    condition: Condition

    def __call__(self, subject: Subject) -> None:
        """Run the check if it applies."""
        if self.condition(subject):
            self.run(subject)


def applies_if(condition: Condition) -> Callable[[Check], ConditionalCheck]:
    """Decorator: restrict a check to the environments that meet a condition."""
    return lambda check: ConditionalCheck(check, condition)


def applies(check: Check, subject: Subject) -> bool:
    """Whether a check applies to an environment."""
    return not isinstance(check, ConditionalCheck) or check.condition(subject)
