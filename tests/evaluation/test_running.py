"""Whole evaluations against scripted models: rates that are known, endpoints that die, tools, errors of ours."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from envhub.client.hub import aconnect
from envhub.core.errors import InvalidParameters, RemoteError
from envhub.core.types import Rates
from envhub.envs.rule_based.arithmetic import Arithmetic
from envhub.evaluation import EvaluationConfig, compare, demo, read, run, summarise
from envhub.evaluation.html import page
from envhub.evaluation.records import NAME
from tests.dataset.workshop import Unjudged, known
from tests.evaluation.endpoint import WRONG, Message, Model, Script, knowing, player, serving

ALWAYS_WRONG: Script = lambda messages: {"role": "assistant", "content": WRONG}  # noqa: E731


def evaluated(config: EvaluationConfig, script: Script, folder: Path, name: str = "scripted", **how: Any) -> Any:
    with serving(Model(script)) as url:
        assert run(config, player(url, name), folder, **how) == 0
    return summarise(read(folder))


@pytest.mark.parametrize("right", [0.0, 0.3, 0.8, 1.0])
def test_a_known_rate_is_found(right: float, tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0:1-3"], tasks=25, attempts=4)
    found = evaluated(config, knowing(config, right), tmp_path, at_once=4).overall
    assert found.judged == found.attempts == 300
    assert found.solved.low - 1e-9 <= right <= found.solved.high + 1e-9
    assert found.passes[1] == found.solved
    assert set(found.passes) == {1, 2, 4}
    for k, estimate in found.passes.items():
        assert estimate.low - 0.02 <= 1 - (1 - right) ** k <= estimate.high + 0.02
    assert found.tokens == 300 * 7


def test_an_endpoint_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0:2", "countdown-v0:2"], tasks=15, attempts=2)
    undisturbed = evaluated(config, knowing(config, 0.5), tmp_path / "one", at_once=1)
    model = Model(knowing(config, 0.5))
    model.dies_after = 20
    with serving(model) as url:
        left = run(config, player(url), tmp_path / "two", at_once=1)
        cut = summarise(read(tmp_path / "two"))
        assert left == cut.missing == 40
        assert cut.overall.judged == 20
        assert cut.overall.endpoint == 16  # then it stopped asking
        assert cut.overall.solved.tasks == 20
        model.dies_after = None
        assert run(config, player(url), tmp_path / "two", at_once=1) == 0
        asked = model.asked
        assert run(config, player(url), tmp_path / "two", at_once=1) == 0
        assert model.asked == asked  # nothing was left to do
    healed = summarise(read(tmp_path / "two"))
    assert healed.overall.endpoint == 0
    assert healed.to_json() == undisturbed.to_json()


def test_an_endpoint_that_dies_in_the_middle_of_an_episode(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["guess-number-v0:3"], tasks=3, wording=0)
    model = Model(halving)
    model.dies_after = 2
    with serving(model) as url:
        assert run(config, player(url), tmp_path, at_once=1) == 3
        assert [record.outcome for record in read(tmp_path).records] == ["endpoint"] * 3
        assert [record.turns for record in read(tmp_path).records] == [2, 0, 0]
        model.dies_after = None
        assert run(config, player(url), tmp_path) == 0
    assert summarise(read(tmp_path)).overall.solved.mean == 1.0


@pytest.mark.slow
def test_a_server_that_is_lost_ends_the_run_and_no_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.evaluation.running.aconnect", partial(aconnect, retries=0))
    config = EvaluationConfig.of(["guess-number-v0:3"], tasks=3)
    with ExitStack() as server:
        url = server.enter_context(demo.serving())

        def halving_while_there_is_one(messages: list[Message]) -> Message:
            if len(messages) == 5:
                server.close()
            return halving(messages)

        with serving(Model(halving_while_there_is_one)) as endpoint:
            with pytest.raises(RemoteError):
                run(config, player(endpoint), tmp_path, at_once=1, url=url)
            (record,) = read(tmp_path).records
            assert (record.outcome, record.turns) == ("error", 2)
            assert run(config, player(endpoint), tmp_path) == 0
    assert summarise(read(tmp_path)).overall.judged == 3


def test_what_a_crash_cut_off_is_made_again(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0"], tasks=6)
    whole = evaluated(config, ALWAYS_WRONG, tmp_path)
    lines = (tmp_path / NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:4]) + lines[4][:30])
    model = Model(ALWAYS_WRONG)
    with serving(model) as url:
        assert run(config, player(url), tmp_path) == 0
    assert model.asked == 3
    assert summarise(read(tmp_path)).to_json() == whole.to_json()


def test_a_folder_has_one_configuration_and_one_player(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0"], tasks=2)
    evaluated(config, ALWAYS_WRONG, tmp_path)
    with serving(Model(ALWAYS_WRONG)) as url:
        with pytest.raises(InvalidParameters, match="attempts at other tasks"):
            run(EvaluationConfig.of(["arithmetic-v0"], tasks=3), player(url), tmp_path)
        with pytest.raises(InvalidParameters, match="attempts of 'scripted', not of 'another'"):
            run(config, player(url, "another"), tmp_path)
    with pytest.raises(InvalidParameters, match="There are no attempts"):
        read(tmp_path / "nowhere")
    (tmp_path / NAME).write_text("{}\n")
    with pytest.raises(InvalidParameters, match="no file of an evaluation"):
        read(tmp_path)


def test_what_we_could_not_judge_is_no_wrong_answer(tmp_path: Path) -> None:
    with known("toy-v0", Unjudged):
        config = EvaluationConfig.of(["toy-v0"], tasks=3)
        with serving(Model(lambda messages: {"role": "assistant", "content": "<answer>1</answer>"})) as url:
            assert run(config, player(url), tmp_path) == 3
        found = summarise(read(tmp_path)).overall
    assert found.errors == {"judge_lost": 3}
    assert (found.judged, found.solved, found.passes) == (0, None, {})


def halving(messages: list[Message]) -> Message:
    """Finds numbers."""
    low = high = guess = 0
    for message in messages:
        text = message["content"]
        if message["role"] == "assistant":
            guess = int(text.removeprefix("<answer>").removesuffix("</answer>"))
        elif stated := re.search(r"is from (\d+) to (\d+)", text) if not high else None:
            low, high = int(stated[1]), int(stated[2])
        elif "higher" in text:
            low = guess + 1
        elif "lower" in text:
            high = guess - 1
    return {"role": "assistant", "content": f"<answer>{(low + high) // 2}</answer>"}


@pytest.mark.parametrize("where", ["here", pytest.param("there", marks=pytest.mark.slow)])
def test_several_turns_here_and_on_a_server(where: str, tmp_path: Path) -> None:
    config = EvaluationConfig.of(["guess-number-v0:1-2"], tasks=3, wording=0, system="Guess well.")
    if where == "there":
        with demo.serving() as url:
            found = evaluated(config, halving, tmp_path, url=url)
    else:
        found = evaluated(config, halving, tmp_path)
    assert found.overall.solved.mean == 1.0
    assert found.overall.turns > 2
    for record in read(tmp_path).records:
        roles = [message["role"] for message in record.messages]
        assert roles == ["system", "user", *["assistant", "user"] * record.turns]


def searching(messages: list[Message]) -> Message:
    """Calls a tool twice in one message, then gives up."""
    if len(messages) > 2:
        return {"role": "assistant", "content": "<tool_call>{}</tool_call>", "finish": "length"}
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "search", "arguments": json.dumps({"query": "company"})},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "d"}]}


def test_tools_are_offered_and_their_calls_are_played(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["search-qa-v0:1"], tasks=1)
    model = Model(searching)
    with serving(model) as url:
        assert run(config, player(url), tmp_path) == 0
    assert "search" in {tool["function"]["name"] for tool in model.bodies[0]["tools"]}
    (record,) = read(tmp_path).records
    assert [message["role"] for message in record.messages[:4]] == ["user", "assistant", "tool", "tool"]
    assert [message["tool_call_id"] for message in record.messages[2:4]] == ["c", "d"]
    assert "no call" not in record.messages[3]["content"].lower()
    assert len(record.messages[3]["content"]) > 40
    assert record.cut == record.turns - 1
    assert not record.solved


def test_the_page_is_text_whatever_the_model_wrote(tmp_path: Path) -> None:
    evil = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\ud800 <answer>1</answer>"
    config = EvaluationConfig.of(["arithmetic-v0"], tasks=2)
    found = evaluated(config, lambda messages: {"role": "assistant", "content": evil}, tmp_path, name="<b>me</b>")
    shown = page(found, read(tmp_path))
    assert "&lt;script&gt;alert(1)" in shown
    assert "&lt;b&gt;me&lt;/b&gt;" in shown
    for bad in ("<script", "<img", "<b>", "http:", "https:", "src="):
        assert bad not in shown.replace("src=x onerror", "")
    shown.encode("utf-8")


def test_what_a_reference_policy_solves_stands_beside_a_models_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = Rates("<b>counts on fingers</b>", tuple(1 - level / 20 for level in range(10)), episodes=100)
    monkeypatch.setattr(Arithmetic, "reference", rates)
    config = EvaluationConfig.of(["arithmetic-v0:3", "countdown-v0:1"], tasks=2)
    found = evaluated(config, ALWAYS_WRONG, tmp_path)
    assert found.reference("arithmetic-v0", 3) == 0.9
    assert found.reference("countdown-v0", 1) is None
    assert {(line["env_id"], line["reference"]) for line in found.to_json()["levels"]} == {
        ("arithmetic-v0", 0.9),
        ("countdown-v0", None),
    }
    shown = page(found, read(tmp_path))
    assert shown.count("stroke-dasharray") == 1
    assert "&lt;b&gt;counts on fingers" in shown


@pytest.mark.slow
def test_two_models_task_by_task(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=20, attempts=2)
    evaluated(config, knowing(config, 0.3), tmp_path / "a", name="a")
    evaluated(config, knowing(config, 0.8), tmp_path / "b", name="b")
    found = compare(read(tmp_path / "a"), read(tmp_path / "b"))
    assert found.players == ("a", "b")
    assert found.overall.tasks == 40
    assert found.overall.p < 0.01
    assert 0 < found.overall.low < found.overall.second - found.overall.first < found.overall.high
    other_way = compare(read(tmp_path / "b"), read(tmp_path / "a")).overall
    assert (other_way.low, other_way.high) == (-found.overall.high, -found.overall.low)
    same = compare(read(tmp_path / "a"), read(tmp_path / "a")).overall
    assert (same.first - same.second, same.p, same.low, same.high) == (0.0, 1.0, 0.0, 0.0)
    other = EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=20, attempts=2, seed=7)
    evaluated(other, ALWAYS_WRONG, tmp_path / "c")
    with pytest.raises(InvalidParameters, match="different tasks"):
        compare(read(tmp_path / "a"), read(tmp_path / "c"))
