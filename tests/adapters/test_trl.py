"""TRL's adapter: rewards for rows of one turn, environments for the others; nightly, twenty steps of TRL itself."""

from __future__ import annotations

import inspect
import io
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from PIL import Image

from envhub.adapters.shared.episodes import OVER
from envhub.adapters.trl import environment, reward_func
from envhub.core.errors import InvalidParameters
from envhub.core.types import OUR_FAILURE
from envhub.dataset import generate, truth
from envhub.evaluation.demo import serving
from envhub.making import begin
from tests.dataset.workshop import Unjudged, config, known, read
from tests.support.places import PEERS, ROOT

pytestmark = pytest.mark.slow

IDS = ("arithmetic-v0", "countdown-v0")
WRONG = "<answer>4000000</answer>"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def rows_of(folder: Path, *ids: str, rows: int = 6, **fields: Any) -> list[dict[str, Any]]:
    """Rows in TRL's columns, each with the oracle's actions."""
    of = config(*ids, rows=rows, format="trl", with_solutions=True, **fields)
    generate(of, folder / "rows.jsonl", processes=1)
    return read(folder / "rows.jsonl")


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """As TRL hands rows to a reward function."""
    return {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}


@pytest.mark.parametrize("where", ["here", "there"])
def test_a_reward_for_every_completion(where: str, tmp_path: Path, url: str) -> None:
    rows = rows_of(tmp_path, *IDS)
    reward = reward_func(url=url if where == "there" else None)
    prompts, facts = [row["prompt"] for row in rows], columns(rows)
    right = [row["solution"][0] for row in rows]
    assert reward(prompts, right, **facts, trainer_state=None) == [1.0] * len(rows)
    assert reward(prompts, [WRONG] * len(rows), **facts) == [0.0] * len(rows)
    said = [[{"role": "assistant", "content": text}] for text in right]
    assert reward(prompts, said, **facts) == [1.0] * len(rows)
    assert reward(prompts, [[]] * len(rows), **facts) == [0.0] * len(rows)
    bare = {"ground_truth": facts["ground_truth"]}
    assert reward(prompts, [*right[1:], right[0]], **bare) == [0.0] * len(rows)


def test_weights(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "arithmetic-v0", rows=1)
    reward = reward_func(reward={"accuracy": 1.0, "format": 0.25})
    answers = [row["solution"][0], WRONG]
    assert reward([row["prompt"]] * 2, answers, ground_truth=[row["ground_truth"]] * 2) == [1.25, 0.25]


def test_what_could_not_be_judged_is_none(tmp_path: Path) -> None:
    truth.judge.cache_clear()
    with known("toy-v0", Unjudged):
        generate(config("toy-v0", rows=1, format="trl"), tmp_path / "t.jsonl", processes=1)
        (row,) = read(tmp_path / "t.jsonl")
        given = {"ground_truth": [row["ground_truth"]] * 2}
        assert reward_func()([row["prompt"]] * 2, ["<answer>1</answer>", "nothing"], **given) == [None, 0.0]
        played = environment("toy-v0")()
        played.reset(**row)
        assert played.act(answer="<answer>1</answer>") == OUR_FAILURE  # type: ignore[attr-defined]
        assert played.get_reward() is None
    truth.judge.cache_clear()


def test_rows_of_several_turns_need_an_environment(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "guess-number-v0", rows=1)
    with pytest.raises(InvalidParameters, match=r"guess-number-v0 is an episode of up to .* turns"):
        reward_func()([row["prompt"]], ["<answer>5</answer>"], ground_truth=[row["ground_truth"]])


@pytest.mark.parametrize("where", ["here", "there"])
def test_an_episode(where: str, tmp_path: Path, url: str) -> None:
    rows = rows_of(tmp_path, "guess-number-v0", rows=2)
    played = environment("guess-number-v0", url=url if where == "there" else None)()
    for row in rows:  # TRL uses an instance again
        assert played.reset(**row) is None  # the prompt of the row is the opening
        assert played.get_reward() == 0.0
        for action in row["solution"]:
            said = played.act(answer=action)  # type: ignore[attr-defined]
        assert said
        assert played.get_reward() == 1.0
        assert played.act(answer=WRONG) == OVER  # type: ignore[attr-defined]
        assert played.get_reward() == 1.0
    played.reset(**rows[0])
    played.act(answer=WRONG)  # type: ignore[attr-defined]
    assert played.get_reward() == 0.0  # left unfinished


def test_an_empty_prompt_is_opened_by_the_environment(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "guess-number-v0", rows=1)
    opening = environment("guess-number-v0")().reset(**{**row, "prompt": [{"role": "user", "content": ""}]})
    assert opening == row["prompt"][-1]["content"]


def test_every_tool_is_a_method(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "search-qa-v0", rows=1)
    Played = environment("search-qa-v0")
    names = {name for name, _ in inspect.getmembers(Played, inspect.isfunction) if not name.startswith("_")}
    assert names == {"reset", "get_reward", "search", "open", "find", "submit"}
    search = Played.search  # type: ignore[attr-defined]
    assert get_type_hints(search) == {"query": str, "k": int, "return": str}
    assert list(inspect.signature(search).parameters) == ["self", "query", "k"]
    assert inspect.signature(search).parameters["k"].default > 0
    assert "query: words to look for" in search.__doc__
    played = Played()
    played.reset(**row)
    assert "query" in search(played)  # the environment says what was missing
    env = begin(truth.read(row["ground_truth"]))
    beside = env.step('<tool_call>{"name": "search", "arguments": {"query": "the"}}</tool_call>')[0]
    other = Played()
    other.reset(**row)
    assert search(other, query="the") == beside


def test_a_row_without_a_task_is_refused() -> None:
    with pytest.raises(
        InvalidParameters, match=r"names its task in the column 'ground_truth'.*got the columns answer, q"
    ):
        environment("guess-number-v0")().reset(q=1, answer=2)


def test_a_ground_truth_of_another_problem_is_refused(tmp_path: Path) -> None:
    one, other = rows_of(tmp_path, "guess-number-v0", rows=2)
    with pytest.raises(InvalidParameters, match="another problem"):
        environment("guess-number-v0")().reset(**{**one, "ground_truth": other["ground_truth"]})


def test_a_server_that_goes_away_is_no_reward(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "guess-number-v0", rows=1)
    with serving() as address:
        played = environment("guess-number-v0", url=address)()
        played.reset(**row)
    played._episodes._hub._sleep = lambda _: None  # type: ignore[union-attr]
    assert played.act(answer=WRONG) == OUR_FAILURE  # type: ignore[attr-defined]
    assert played.get_reward() is None


@pytest.mark.parametrize("where", ["here", "there"])
def test_a_tool_answers_with_parts_where_an_observation_has_a_picture(where: str, tmp_path: Path, url: str) -> None:
    (row,) = rows_of(tmp_path, "sokoban-v0", rows=1, levels=(1, 1), observation="image")
    played = environment("sokoban-v0", url=url if where == "there" else None, observation="image")()
    assert played.reset(**row) is None
    beside = begin(truth.read(row["ground_truth"]), observation="image")
    for action in row["solution"][:-1]:
        said, _, _, _, info = beside.step(action)
        text, seen = played.act(answer=action)  # type: ignore[attr-defined]
        assert text == {"type": "text", "text": said}
        assert seen["type"] == "image"
        assert seen["image"].tobytes() == pixels(info["images"][0].png())
    assert isinstance(played.act(answer=row["solution"][-1]), str)  # type: ignore[attr-defined]  # the end has no picture
    assert played.get_reward() == 1.0
    opening, seen = environment("sokoban-v0", observation="image")().reset(**{**row, "prompt": "other"})
    assert (opening["text"], seen["type"]) == (row["prompt"][-1]["content"], "image")


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).convert("RGB").tobytes()


@pytest.mark.nightly
def test_the_trainer_itself_gives_a_model_the_pictures_of_a_generated_file(tmp_path: Path) -> None:
    python = ROOT / ".venvs" / "trl" / "bin" / "python"
    if not python.exists():
        pytest.skip("TRL is not installed in .venvs/trl: see docs/trainers.md")
    generate(config("mines-v0", rows=8, format="trl", observation="image"), tmp_path / "rows.parquet", processes=1)
    command = [str(python), str(PEERS / "trl_seeing.py"), str(tmp_path / "rows.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["steps"] == 2
    assert all(shape == [2, 3, 28, 28] for shape in told["shapes"])
    assert len(told["shapes"]) >= 4  # sampling and update, in each step
    for each in told["rewards"]:
        assert each["images"] == [1, 1]
        assert {"ground_truth", "answer_format", "images"} <= set(each["columns"])


@pytest.mark.nightly
@pytest.mark.parametrize("where", ["here", "there"])
def test_twenty_steps_of_the_trainer_itself(where: str, tmp_path: Path, url: str) -> None:
    python = ROOT / ".venvs" / "trl" / "bin" / "python"
    if not python.exists():
        pytest.skip("TRL is not installed in .venvs/trl: see docs/trainers.md")
    of = config("guess-number-v0", rows=30, format="trl", levels=(1, 1), params={"high": 20, "guesses": 4})
    generate(of, tmp_path / "rows.jsonl", processes=1)
    program = PEERS / "trl_training.py"
    command = [str(python), str(program), "guess-number-v0", str(tmp_path / "rows.jsonl")]
    command += [url] if where == "there" else []
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(Path.cwd())})
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["steps"] == 20
    logged = [entry for entry in told["log"] if "rewards/GuessNumberV0/mean" in entry]
    assert len(logged) == 20
    assert max(entry["tools/call_frequency"] for entry in logged) > 0.5
    assert max(entry["rewards/GuessNumberV0/mean"] for entry in logged) > 0
