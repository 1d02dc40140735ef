"""code-tests-v0: episodes from a user's file of problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.audit import play
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import SPLITS
from tests.sandbox import jails
from tests.verifiers.code.problems import CALL, DOUBLE, LISTED, METHOD, RIGHT, block, public


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def sandbox() -> None:
    """Programs can be run here."""
    jails.backend()


def write(*rows: Any, name: str = "p.jsonl") -> str:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


@pytest.mark.usefixtures("sandbox")
def test_an_episode_from_a_file() -> None:
    rows = [
        {**DOUBLE, "prompt": f"Read an integer, print it plus {n}.", "difficulty": 1 + n % 2}
        | {
            "cases": [{"input": f"{k}", "output": f"{k + n}"} for k in (1009, 2003)],
            "solution": f"print(int(input()) + {n})",
        }
        for n in range(60)
    ]
    path = write(*rows)
    seen: dict[str, set[str]] = {}
    for split in SPLITS[:1]:
        env = envhub.make("code-tests-v0", path=path, split=split, difficulty=1)
        for seed in range(6):
            prompt, info = env.reset(seed=seed)
            seen.setdefault(split, set()).add(env.task.fingerprint)
            assert not {"1009", "2003"} & set(prompt.replace(".", " ").split())
            assert "cases" not in json.dumps([env.task.to_json(), info, env.snapshot()])
            wrong = play(env.fork(), iter([block("print(int(input()))" if "plus 0." not in prompt else "print(1)")]))
            assert wrong.score == 0.0
            assert env.step(env.solve())[1] == 1.0
    with pytest.raises(InvalidParameters, match="has the difficulty 3; there are 1, 2"):
        envhub.make("code-tests-v0", path=path, difficulty=3)
    lone = envhub.make("code-tests-v0", path=write(*[{**DOUBLE, "prompt": f"{n}"} for n in range(40)], name="q.jsonl"))
    lone.reset(seed=1)
    with pytest.raises(InvalidParameters, match="without a solution"):
        lone.solve()


@pytest.mark.usefixtures("sandbox")
def test_an_episode_of_a_public_row() -> None:
    env = envhub.make(
        "code-tests-v0", path=write(*[public([[6], [142]], id=str(n)) | {"prompt": f"{n}"} for n in range(40)])
    )
    prompt, _ = env.reset(seed=3)
    assert "the function double in Python, or a class Solution that has it as a method" in prompt
    for source, score in ((METHOD, 1.0), (RIGHT, 1.0), (LISTED, 1.0), (METHOD.replace("2 *", "3 *"), 0.0)):
        assert play(env.fork(), iter([block(source)])).score == score
    other = envhub.make("code-tests-v0", path=write(*[{**CALL, "prompt": f"{n}"} for n in range(40)], name="q.jsonl"))
    assert "Solution" not in other.reset(seed=3)[0]
