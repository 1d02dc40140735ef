"""bfcl/calls-v0 on a small copy of the data, written in its format: reading, verdicts and what a policy may try."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.bfcl import environments
from envhub.adapters.bfcl.questions import CATEGORIES, IRRELEVANT
from envhub.authoring import write_call
from envhub.core.errors import InvalidParameters, SplitExhausted
from envhub.core.seeding import SPLITS
from envhub.gymnasium.env import Env
from tests.adapters.bfcl import copies

NONE = "None of the functions does this."
Begin = Callable[..., Env]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    environments.register()
    return copies.write(tmp_path_factory.mktemp("bfcl") / "data")


@pytest.fixture
def begun(data: Path) -> Begin:
    """An episode, by default of the given category."""

    def begin(category: str = "simple_python", seed: int = 1, **given: Any) -> Env:
        env = envhub.make(environments.ID, path=str(data), category=category, **given)
        env.reset(seed=seed)
        return env

    return begin


def numbered(begun: Begin, number: int) -> Env:
    """The question of one Python function with a number, in whichever split it is."""
    for split in SPLITS:  # each run draws others, as the path is part of the key; 1,000 draws find all 40
        with suppress(SplitExhausted):
            env = begun("simple_python", 0, split=split)
            for seed in range(1_000):
                env.reset(seed=seed)
                if f"number {number}." in env.task.prompt:
                    return env
    raise AssertionError("there is no such question")


def verdict(env: Env, text: str) -> dict[str, Any]:
    found: dict[str, Any] = env.fork().step(text)[4]["verdict"]
    return found


@pytest.mark.parametrize("category", CATEGORIES)
def test_right_calls_solve_and_typical_mistakes_do_not(begun: Begin, category: str) -> None:
    for seed in range(3):
        env = begun(category, seed)
        assert verdict(env, env.solve())["solved"]
        for mistake in env.episode.environment.mistakes(env.episode.instance):
            assert verdict(env, mistake[0])["score"] == 0.0, mistake


def test_each_level_draws_and_no_call_gains_only_its_share(data: Path) -> None:
    for level in range(1, 11):
        env = envhub.make(environments.ID, path=str(data), difficulty=level)
        silent = 0
        for seed in range(20):
            env.reset(seed=seed)
            silent += verdict(env, NONE)["solved"]
            assert env.step(env.solve())[1] == 1.0
        assert silent <= {6: 15, 7: 13}.get(level, 0)  # about 5 and 4; the draws differ with the path of the data


RIGHT = {"item": "Red tea 7", "count": 7}
CALLS: tuple[tuple[dict[str, Any], bool], ...] = (
    (RIGHT, True),
    ({"item": "red-tea 7.", "count": 7}, True),
    ({**RIGHT, "price": 2.5}, True),
    ({**RIGHT, "gift": False}, True),
    ({**RIGHT, "gift": True}, False),
    ({**RIGHT, "gift": 0}, False),
    ({**RIGHT, "price": 3}, False),
    ({**RIGHT, "price": "2.5"}, False),
    ({**RIGHT, "price": 10**400}, False),
    ({**RIGHT, "note": ""}, False),
    ({"item": "Red tea 7"}, False),
    ({"count": 7}, False),
    ({"item": "Red tea 7", "count": "7"}, False),
    ({"item": "Red tea 7", "count": 7.0}, False),
    ({"item": "Red tea 7", "count": True}, False),
    ({"item": ["Red tea 7"], "count": 7}, False),
    ({"item": None, "count": 7}, False),
    ({"item": "", "count": 7}, False),
    ({"item": "Green tea 7", "count": 7}, False),
    ({}, False),
)


@pytest.mark.parametrize(("arguments", "right"), CALLS)
def test_arguments(begun: Begin, arguments: dict[str, Any], right: bool) -> None:
    env = numbered(begun, 7)
    assert verdict(env, write_call("shop_order", **arguments))["solved"] is right


@pytest.mark.parametrize(
    ("stops", "options", "right"),
    [
        (["Aix", "bonn 8"], None, True),
        (["Bonn", "Aix"], {"fast": True}, True),
        (["Bonn", "Aix"], {"fast": True, "unit": "KM"}, True),
        (["Bonn", "Aix"], {"unit": "km"}, False),
        (["Bonn", "Aix"], {"fast": True, "unit": "mi"}, False),
        (["Bonn", "Aix"], {"fast": True, "other": 1}, False),
        (["Aix", "Bonn"], None, False),
        (["Bonn 8", "Aix"], None, False),
        (["Aix"], None, False),
        ("Aix, Bonn 8", None, False),
        ([["Aix", "Bonn 8"]], None, False),
    ],
)
def test_lists_keep_their_order_and_objects_their_keys(begun: Begin, stops: Any, options: Any, right: bool) -> None:
    env = numbered(begun, 8)
    given = {"stops": stops} if options is None else {"stops": stops, "options": options}
    assert verdict(env, write_call("route", **given))["solved"] is right


def test_names_are_read_with_dots_and_with_underscores(begun: Begin) -> None:
    env, number = numbered(begun, 7), 7
    right = {"item": f"Red tea {number}", "count": number}
    assert verdict(env, write_call("shop.order", **right))["solved"]
    assert verdict(env, json.dumps([{"name": "shop_order", "arguments": right}]))["solved"]
    assert verdict(env, f'[shop_order(item="Red tea {number}", count={number})]')["solved"]
    assert verdict(env, write_call("order", **right))["status"] == "no_answer"
    assert "shop.order" not in env.task.prompt


def test_calls_of_a_message_may_have_any_order(begun: Begin) -> None:
    env = begun("parallel_multiple")
    calls = [write_call(name.replace(".", "_"), **made) for name, made in env.episode.instance.key["right"]]
    assert verdict(env, "".join(calls[::-1]))["solved"]
    assert not verdict(env, "".join([calls[0], calls[0]]))["solved"]
    assert not verdict(env, calls[0])["solved"]


@pytest.mark.parametrize("category", sorted(IRRELEVANT))
def test_only_words_without_a_call_are_right_where_no_function_fits(begun: Begin, category: str) -> None:
    env = begun(category)
    name = env.episode.instance.problem["functions"][0]["name"]
    assert verdict(env, NONE)["solved"]
    for sentence in (
        f"The function {name} does something else.",
        f"Neither {name}, nor any other function, does this.",
        f"I only have `{name}`, which does something else.",
        f"- `{name}`: does something else.",
        f"{name} (the only function) does something else.",
        f"The re{name}, as it is called, is not a function.",
    ):
        assert verdict(env, sentence)["solved"], sentence
    for attempt in (
        write_call(name),
        write_call("no_such_function"),
        "<tool_call>{broken</tool_call>",
        f"<tool_cal>{name}</tool_cal>",
        f"```json\n{write_call(name)}\n```",
        f'{name}(item="tea")',
        f'{name} (item="tea")',
        f'`{name}` {{"item": "tea"}}',
        f'"name": "{name}", "arguments": {{}}',
        f'"{name}": {{}}',
        '{"item": "tea"}',
        "",
        "  \n",
        "<think>None of the functions does this.</think>",
    ):
        assert verdict(env, attempt)["score"] == 0.0, attempt


def test_arguments_of_java_are_its_literals(begun: Begin) -> None:
    env = begun("simple_java")
    number = env.episode.instance.key["answers"][0]["Box.put"]["ids"][0][0]
    listed = f"new ArrayList<Long>(Arrays.asList({number}L, 7L))"
    for arguments, right in (
        ({"ids": listed, "deep": "true"}, True),
        ({"ids": listed, "deep": "true", "tags": 'new String[]{"a b", "c"}'}, True),
        ({"ids": listed, "deep": "true", "tags": 'new String[]{"c", "a b"}'}, False),
        ({"ids": listed, "deep": True}, False),
        ({"ids": listed, "deep": "false"}, False),
        ({"ids": [number, 7], "deep": "true"}, False),
        ({"ids": listed.replace("L", ""), "deep": "true"}, False),
    ):
        assert verdict(env, write_call("Box_put", **arguments))["solved"] is right, arguments


def test_a_key_stays_where_it_is(begun: Begin) -> None:
    env = begun("simple_java")
    seen = json.dumps([env.task.prompt, env.task.problem, env.episode.task.tools, env.snapshot()])
    assert "ground_truth" not in seen
    assert "Arrays.asList" not in seen
    assert "answers" not in seen


# -- the copy ---------------------------------------------------------------------------------------------------------------


def test_a_folder_around_the_data_and_an_archive_are_the_same_data(data: Path, tmp_path: Path) -> None:
    archive = tmp_path / "copy.whl"
    with zipfile.ZipFile(archive, "w") as whole:
        for path in sorted(data.rglob("*.json")):
            whole.write(path, f"bfcl_eval/data/{path.relative_to(data)}")
        whole.writestr("bfcl_eval/data/unused_datasets/question/BFCL_v4_parallel.json", "not read")
    digests = {environments.Params(path=str(path)).digest for path in (data, data.parent, archive)}
    assert len(digests) == 1
    env = envhub.make(environments.ID, path=str(archive))
    env.reset(seed=1)
    assert env.step(env.solve())[1] == 1.0


def test_other_data_is_refused_and_found_elsewhere(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = environments.Params(path=str(data)).digest
    moved = str(tmp_path / "away" / "data")
    with pytest.raises(InvalidParameters, match="ENVHUB_DATASETS"):
        envhub.make(environments.ID, path=moved, digest=digest)
    monkeypatch.setenv("ENVHUB_DATASETS", str(data.parent))
    assert environments.Params(path=moved, digest=digest).of("parallel")
    other = copies.write(tmp_path / "data", {"irrelevance": []})
    monkeypatch.setenv("ENVHUB_DATASETS", "")
    with pytest.raises(InvalidParameters, match="have changed since"):
        envhub.make(environments.ID, path=str(other), digest=digest)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "a"}, "a question of one turn"),
        ({"id": "a", "question": [[], []], "function": [copies.ORDER]}, "a question of one turn"),
        ({"id": "a", "question": [[{"role": "user"}]], "function": [copies.ORDER]}, "messages with a role"),
        ({"id": "a", "question": [[]], "function": [{"name": "f"}]}, "parameters with properties"),
        ({"id": "a", "question": [[]], "function": [copies.ORDER, copies.ORDER]}, "the same name"),
        ({"id": "a", "question": [[]], "function": [{**copies.ORDER, "name": "f; g"}]}, "a name of letters"),
        ({"id": "nowhere", "question": [[]], "function": [copies.ORDER]}, "possible answers"),
    ],
)
def test_a_row_of_another_form_is_refused_with_its_number(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    folder = copies.write(tmp_path / "data", {"parallel": [row]})
    with pytest.raises(InvalidParameters, match=f"row 1: .*{said}"):
        environments.Params(path=str(folder)).of("parallel")


def test_questions_that_no_call_answers_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked = [row for row, _ in copies.rows("simple_python")]
    asked[0]["function"] = [copies.JAVA]
    folder = copies.write(tmp_path / "data", {"simple_python": asked})
    kept = environments.Params(path=str(folder)).of("simple_python")
    assert len(kept) == copies.COUNT - 1
    assert "simple_python_1" in caplog.text


@pytest.mark.usefixtures("data")
def test_a_missing_copy_and_an_unknown_category_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="cannot be read"):
        envhub.make(environments.ID, path=str(tmp_path / "nothing"))
    with pytest.raises(InvalidParameters, match="None of the expected files"):
        envhub.make(environments.ID, path=str(tmp_path))
    folder = str(copies.write(tmp_path / "data"))
    with pytest.raises(InvalidParameters, match="Did you mean 'parallel'"):
        envhub.make(environments.ID, path=folder, category="paralel")
