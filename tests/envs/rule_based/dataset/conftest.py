"""Files of questions, and an environment that knows one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from envhub.audit import Subject
from envhub.core.seeding import Stream
from envhub.envs.rule_based.dataset import Dataset
from envhub.registry.registry import register, unregister
from tests.envs.rule_based.dataset.questions import ID, typed, write


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files have short names, the same in every run: a task depends on the name."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Some 3,000 questions; more of levels 1 and 6, where 200 and 60 seeds are asked to differ."""
    rows = typed(Stream(b"tests", "dataset"), {**dict.fromkeys(range(1, 11), 100), 1: 250, 6: 2_000})
    return write(tmp_path_factory.mktemp("questions") / "many.jsonl", rows)


@pytest.fixture
def many(written: str) -> str:
    Path("many.jsonl").symlink_to(written)
    return "many.jsonl"


@pytest.fixture
def registered(many: str) -> Iterator[Callable[[type[Dataset]], Subject]]:
    """A subject of the audit that knows its file."""

    def add(cls: type[Dataset]) -> Subject:
        register(ID, cls, params={"path": many})
        return Subject(ID)

    yield add
    unregister(ID)


@pytest.fixture
def few() -> str:
    """Forty sums whose golds are words that no question has."""
    rows = [{"prompt": f"What is {n} times 2?", "answer": str(2 * n + 1000)} for n in range(40)]
    return write(Path("few.jsonl"), rows)
