"""dataset-v0: a file of typed questions keeps the contract of every environment."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from envhub.audit import CHECKS, Breach, Subject, digests
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.envs.rule_based.dataset import Dataset
from tests.envs.rule_based.dataset.questions import ID


@pytest.mark.parametrize("name", CHECKS)
def test_a_file_keeps_the_contract(name: str, registered: Callable[[type[Dataset]], Subject]) -> None:
    CHECKS[name](registered(Dataset))


class AnyAnswer(Dataset):
    def grade(self, inst: Instance, value: str) -> Verdict:
        return Verdict.exact(True)

    def accepts(self, inst: Instance) -> bool:
        return True


class Leaks(Dataset):
    def sample(self, rng: Stream, p: Any) -> Any:
        inst = yield from super().sample(rng, p)
        return inst and Instance({**inst.problem, "note": str(inst.key)}, inst.key)


class OneCanonical(Dataset):
    def canonical(self, content: Any) -> Any:
        return sum(map(ord, str(content))) % 7


@pytest.mark.parametrize(
    ("cls", "check"), [(AnyAnswer, "wrong_answers"), (Leaks, "nothing_leaks"), (OneCanonical, "variety")]
)
def test_one_that_is_broken_does_not(
    cls: type[Dataset], check: str, registered: Callable[[type[Dataset]], Subject]
) -> None:
    with pytest.raises(Breach):
        CHECKS[check](registered(cls))


@pytest.mark.slow
def test_the_same_tasks_in_every_process(registered: Callable[[type[Dataset]], Subject], many: str) -> None:
    registered(Dataset)
    here = digests(ID)
    program = (
        "import json, sys; from envhub.audit import digests; from envhub.registry.registry import register;"
        f"register('{ID}', 'envhub.envs.rule_based.dataset:Dataset', params={{'path': sys.argv[1]}});"
        f"print(json.dumps(digests('{ID}')))"
    )
    run = subprocess.run([sys.executable, "-c", program, many], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == here
