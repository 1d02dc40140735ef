"""The adapters of SkyRL, OpenRLHF and verl: nightly under the packages themselves, and what they share without them."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from envhub.adapters.openrlhf import CHATML, agent_instance, reward_func
from envhub.adapters.shared.episodes import Episodes
from envhub.adapters.shared.scoring import RowResponse, Scorer
from envhub.core.errors import InvalidParameters, JudgementError
from envhub.dataset import generate, truth
from envhub.evaluation.demo import serving
from tests.dataset.workshop import Unjudged, config, known, read
from tests.support.places import PEERS, ROOT

WRONG = "<answer>4000000</answer>"


def file_of(folder: Path, id: str, form: str, rows: int = 3) -> str:
    """A file of rows with the oracle's actions."""
    path = folder / f"{id}-{form}.jsonl"
    generate(config(id, rows=rows, format=form, with_solutions=True), path, processes=1)
    return str(path)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("trainer", "form", "ids"),
    [
        ("skyrl", "verl", ["guess-number-v0"]),
        ("openrlhf", "openrlhf", ["arithmetic-v0", "guess-number-v0"]),
        ("verl", "verl", ["countdown-v0"]),
    ],
)
def test_under_the_package_itself(trainer: str, form: str, ids: list[str], tmp_path: Path) -> None:
    python = ROOT / ".venvs" / "trl" / "bin" / "python"
    if not python.exists():
        pytest.skip("the trainers are not installed in .venvs/trl: see docs/trainers.md")
    program = str(PEERS / "contracts.py")
    files = [file_of(tmp_path, id, form) for id in ids]
    env = {"PYTHONPATH": str(Path.cwd()), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run([str(python), program, trainer, *files], capture_output=True, text=True, env=env, cwd=tmp_path)
    if "ModuleNotFoundError" in ran.stderr:
        pytest.skip(f"{trainer} is not installed in .venvs/trl: {ran.stderr.splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert set(told["right"]) == {1.0}
    assert set(told["wrong"]) == {0.0}
    assert len(told["right"]) == len(told["wrong"]) == 3 * len(ids)


# -- OpenRLHF ----------------------------------------------------------------------------------------------------------


def test_the_reward_function_takes_what_is_behind_the_prompt(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="OpenRLHF's rewards are tensors: pip install 'envhub[train]'")
    rows = read(Path(file_of(tmp_path, "arithmetic-v0", "openrlhf")))
    prompts, labels = [row["input"][0]["content"] for row in rows], [row["label"] for row in rows]
    right = [prompt + row["solution"][0] for prompt, row in zip(prompts, rows, strict=True)]
    found = reward_func(right, prompts, labels)
    assert found["rewards"].dtype == torch.float32
    assert found["rewards"].tolist() == found["scores"].tolist() == [1.0] * 3
    assert found["extra_logs"]["solved"].tolist() == [1.0] * 3
    assert reward_func([prompt + WRONG for prompt in prompts], prompts, labels)["rewards"].tolist() == [0.0] * 3
    with pytest.raises(InvalidParameters, match="begins otherwise"):
        reward_func(right, ["another prompt"] * 3, labels)


def test_the_agent_writes_what_stands_between_turns(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="OpenRLHF's rewards are tensors: pip install 'envhub[train]'")
    (row,) = read(Path(file_of(tmp_path, "guess-number-v0", "openrlhf", rows=1)))

    async def played(actions: list[str]) -> list[dict[str, Any]]:
        agent = agent_instance(object, CHATML, Episodes())()
        assert await agent.reset({"observation": "rendered", "label": row["label"]}) == {"observation": "rendered"}
        return [await agent.step({"action_text": action, "sampling_params": 7}) for action in actions]

    steps = asyncio.run(played([WRONG, *row["solution"]]))
    assert [step["done"] for step in steps] == [False] * (len(steps) - 1) + [True]
    assert sum(float(step["rewards"]) for step in steps) == 1.0
    for step in steps[:-1]:
        assert step["environment_feedback"].startswith("<|im_end|>\n<|im_start|>user\n")
        assert step["environment_feedback"].endswith("<|im_end|>\n<|im_start|>assistant\n")
    assert steps[-1]["environment_feedback"] == ""


# -- what could not be judged ------------------------------------------------------------------------------------------


def test_a_missing_reward_is_never_a_number(tmp_path: Path) -> None:
    truth.judge.cache_clear()
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1, format="openrlhf"), tmp_path / "t.jsonl", processes=1)
        (row,) = read(tmp_path / "t.jsonl")
        (scored,) = Scorer()([RowResponse(row["label"], "<answer>1</answer>")])
        assert scored.reward is None
        with pytest.raises(JudgementError, match="judge_lost: The judge is away"):
            scored.require_reward()
        episode = Episodes().begin(row["label"])
        episode.step("<answer>1</answer>")
        assert episode.over
        assert episode.reward is None
        with pytest.raises(JudgementError, match="judge_lost: The judge is away"):
            episode.require_reward()
    truth.judge.cache_clear()


# -- here and by a server ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_scores_as_this_process_does_and_refuses_the_same(tmp_path: Path) -> None:
    rows = read(Path(file_of(tmp_path, "arithmetic-v0", "openrlhf")))
    first, second = rows[0], rows[1]
    tagged, boxed = first["solution"][0], first["solution"][0].replace("<answer>", "\\boxed{").replace("</answer>", "}")
    answered = [
        RowResponse(first["label"], tagged, None, first["fingerprint"]),
        RowResponse(second["label"], WRONG, None, second["fingerprint"]),
        RowResponse(first["label"], "hm", None, first["fingerprint"]),
        RowResponse(first["label"], boxed, "boxed", first["fingerprint"]),
        RowResponse(first["label"], boxed, None),
    ]
    altered = [answered[0], answered[1]._replace(fingerprint=first["fingerprint"])]
    weights = {"accuracy": 1.0, "format": 0.5}
    with serving() as url:
        for score in (Scorer(weights), Scorer(weights, url=url)):
            found = score(answered)
            assert [each.reward for each in found] == [1.5, 0.5, 0.0, 1.5, 1.0]
            assert [each.no_answer for each in found] == [False, False, True, False, False]
            assert score([]) == []
            with pytest.raises(InvalidParameters, match="another problem than"):
                score(altered)
        for episodes in (Episodes(), Episodes(url)):
            assert not episodes.begin(first["label"], None, first["fingerprint"]).over
            with pytest.raises(InvalidParameters, match="another problem than"):
                episodes.begin(second["label"], None, first["fingerprint"])
