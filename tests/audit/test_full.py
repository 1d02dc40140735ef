"""The audit at full depth, every level of every environment: minutes each, so nightly."""

from __future__ import annotations

import pytest

from envhub.audit import CHECKS, FULL, Subject
from envhub.registry.registry import builtin_ids, self_contained

IDS = [id for id in builtin_ids() if self_contained(id)]  # what is about a file is audited in its own tests


@pytest.mark.nightly
@pytest.mark.parametrize("chosen", IDS)
def test_keeps_the_contract_at_full_depth(chosen: str) -> None:
    subject = Subject(chosen, FULL)
    for check in CHECKS.values():
        check(subject)
