"""Our reward manager and our agent loop in the workers of verl itself; nightly."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from PIL import Image

from envhub.dataset import generate
from envhub.evaluation.demo import serving
from tests.dataset.workshop import config, read
from tests.support.places import PEERS, ROOT

pytestmark = pytest.mark.nightly


def told(program: str, *arguments: str, folder: Path, place: str = "trl") -> Any:
    """What a program prints that runs under verl's interpreter, in one of the virtual environments."""
    python = ROOT / ".venvs" / place / "bin" / "python"
    if not python.exists():
        pytest.skip(f"verl is not installed in .venvs/{place}: see docs/trainers.md")
    env = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    command = [str(python), str(PEERS / program), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder)
    if "ModuleNotFoundError" in ran.stderr:
        pytest.skip(f"verl is not whole in .venvs/{place}: {ran.stderr.splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def file_of(folder: Path, id: str) -> str:
    """A file that `envhub generate --format verl` wrote, with the oracle's actions."""
    generate(config(id, rows=3, with_solutions=True), folder / f"{id}.jsonl", processes=1)
    return str(folder / f"{id}.jsonl")


@pytest.mark.parametrize("where", ["here", "there"])
def test_the_reward_manager_scores_a_generated_file(where: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(serving()) if where == "there" else "-"
        found = told("verl_manager.py", file_of(tmp_path, "countdown-v0"), url, folder=tmp_path)
    rewards = [each["reward_score"] for each in found["scored"]]
    assert rewards == [1.5] * 3 + [0.5] * 3 + [0.0] * 3  # right; wrong in the form asked for; nothing to grade
    for each in found["scored"]:
        assert each["reward_extra_info"].keys() == {"score", "acc", "format", "no_answer"}
        assert each["reward_extra_info"]["score"] == each["reward_score"]
    assert found["together"] == [9]  # the batch was one call
    assert found["altered"].startswith("InvalidParameters: ")
    assert "another problem" in found["altered"]
    assert found["foreign"].startswith("InvalidParameters: The row is of 'openai/gsm8k'")
    if where == "here":  # the server does not know the environment whose judge is away
        assert found["unjudged"] == "JudgementError: judge_lost: The judge is away."
    else:
        assert "scored" not in found["unjudged"]


@pytest.mark.parametrize("family", ["qwen2", "llama"])
def test_the_agent_loop_plays_a_generated_file(family: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, "guess-number-v0")
    found, rows = told("verl_play.py", path, family, folder=tmp_path), read(Path(path))
    for row, right, wrong, cut in zip(rows, found["right"], found["wrong"], found["cut"], strict=True):
        actions = ["<answer>4000000</answer>", *row["extra_info"]["solution"]]
        assert right["reward"] == right["all rewards"] == right["named"]["score"] == 1.5
        assert right["said"] == "".join(f"{action}<|im_end|>" for action in actions)
        assert (right["named"]["acc"], right["turns"]) == (1.0, 2 * len(actions))
        assert wrong["reward"] == wrong["all rewards"] == 0.5
        assert (wrong["named"]["acc"], wrong["named"]["no_answer"]) == (0.0, 0.0)
        assert (cut["reward"], cut["named"]["acc"]) == (0.0, 0.0)
        assert cut["length"] <= 60
        assert all(each["extended"] and each["log_probs"] for each in (right, wrong, cut))
        if family == "qwen2":  # verl knows what Qwen's template writes behind a message; for others it guesses
            assert right["text"] == conversation(row, right["text"])
    for what, says in {
        "aborted": "JudgementError: verl's engine gave the episode up",
        "unjudged": "JudgementError: judge_lost: The judge is away.",
        "altered": "InvalidParameters: The ground truth draws another problem",
        "prompt cut": "verl would cut it to 50",
    }.items():
        assert says in found[what]


def test_pictures_of_a_generated_file_reach_the_engine_and_the_update(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    asked = config("sokoban-v0", rows=3, with_solutions=True, levels=(1, 1), observation="image")
    generate(asked, path, processes=1)
    found = told("verl_seeing.py", str(path), folder=tmp_path, place="verl")
    assert found["kinds"] == [["text", "image"]] * 3  # verl put a picture in place of each placeholder
    assert {"raw_prompt", "reward_model", "extra_info", "data_source"} <= set(found["columns"])
    rows = pyarrow.parquet.read_table(path).to_pylist()
    pictures = [[Image.open(io.BytesIO(each["bytes"])).convert("RGB") for each in row["images"]] for row in rows]
    digests = [
        [hashlib.sha256(repr(one.size).encode() + one.tobytes()).hexdigest() for one in each] for each in pictures
    ]
    assert found["digests"] == digests
    assert len({each for row in digests for each in row}) == 3
    played = found["played"]
    actions = played["actions"]
    assert (played["reward"], played["solved"]) == (1.0, 1.0)
    assert played["pictures"] == played["placeholders"] == [*range(1, actions + 1)]  # one more after each action
    assert len(played["grids"]) == actions
    assert played["patches"][0] == sum(frames * high * wide for frames, high, wide in played["grids"])
    assert played["pads"] * 4 == played["patches"][0]  # four patches are one token


def conversation(row: Any, text: str) -> str:
    """The messages of a text written anew, as the chat template does; but the line break behind the last one."""
    messages = [part.partition("\n") for part in text.replace("<|im_end|>", "").split("<|im_start|>")[1:]]
    assert messages[1][2].strip() == row["prompt"][0]["content"]
    assert [role for role, _, _ in messages] == ["system", *(["user", "assistant"] * (len(messages) // 2))]
    return "\n".join(f"<|im_start|>{role}\n{said.removesuffix(chr(10))}<|im_end|>" for role, _, said in messages)
