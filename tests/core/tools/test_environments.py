"""What every environment with tools shares: documented arguments, limits, a counter, errors in plain words, formats."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import ToolEnv, write_call
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.core.tools import FORMATS, MAX_CALLS, read_calls
from envhub.registry.registry import list_envs, load, self_contained, spec

WITH_TOOLS = [id for id in list_envs() if self_contained(id) and issubclass(load(spec(id)), ToolEnv)]
SHARED = [cast("type[ToolEnv]", load(spec(id))) for id in WITH_TOOLS]


def begun(id: str, level: int = 2, **settings: Any) -> envhub.Env:
    env = envhub.make(id, difficulty=level, **settings)
    env.reset(seed=1)
    return env


def test_there_are_environments_to_check() -> None:
    assert {"apps-v0", "browse-v0", "function-call-v0", "search-qa-v0", "python-tool-v0", "shell-v0"} <= set(WITH_TOOLS)


@pytest.mark.parametrize("cls", SHARED, ids=WITH_TOOLS)
def test_every_argument_of_a_tool_is_typed_and_documented(cls: type[ToolEnv]) -> None:
    for tool in cls.tools.values():
        assert tool.description.endswith("."), tool.name
        for name, about in tool.parameters["properties"].items():
            assert about.get("description"), f"{tool.name}: {name}"
            assert {"type", "anyOf", "enum", "$ref"} & about.keys(), f"{tool.name}: {name}"


@pytest.mark.parametrize("id", WITH_TOOLS)
def test_the_prompt_and_every_reply_say_how_many_messages_and_calls_are_left(id: str) -> None:
    env = begun(id)
    if id != "preference-v0":  # one call a message
        assert f"messages with at most {MAX_CALLS} tool calls each" in env.task.prompt
    count = env.environment.messages(env.task.problem)
    assert f"{count} messages" in env.task.prompt
    for taken in (1, 2):
        shown = env.step("hello")[0]
        assert shown.count("Messages left") == 1
        assert shown.endswith(f"Messages left: {count - taken}.")


def test_the_counter_survives_a_fork_and_a_replay_and_ends_with_the_episode() -> None:
    env = begun("browse-v0")
    env.step(write_call("back"))
    twin = env.fork()
    assert twin.step(write_call("back"))[0].endswith("Messages left: 94.")
    again = envhub.restore(json.loads(json.dumps(env.snapshot())))
    assert again.step(write_call("back"))[0].endswith("Messages left: 94.")
    while not env.episode.over:
        last = env.step(env.solve())[0]
    assert "Messages left" not in last


JARGON = re.compile(
    r"Extra inputs|Field required|Input should|validation|pydantic|_type=|For further|NoneType|Traceback"
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99999) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=120)
@given(st.sampled_from(SHARED), st.data())
def test_no_error_speaks_of_a_schema_library(cls: type[ToolEnv], data: Any) -> None:
    if not cls.tools:
        return
    tool = data.draw(st.sampled_from(sorted(cls.tools)))
    names = st.sampled_from([*cls.tools[tool].parameters["properties"], "other"])
    arguments = data.draw(st.dictionaries(names, VALUES, max_size=3))
    (call,) = read_calls(write_call(tool, **arguments), cls.tools)
    said = getattr(call, "feedback", "")
    assert not JARGON.search(said), said
    if said:
        assert said.startswith(f"Invalid call to {tool}: ")
        assert " Expected: " in said
        assert len(said) < 2000


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_can_be_pinned(format: str) -> None:
    env = begun("browse-v0", tool_format=format)
    assert env.environment.answer_format == format
    assert "Call a tool by writing: " in env.task.prompt
    refused = "mistral" if format != "mistral" else "kimi"
    assert f"in the format {refused}" in env.step(FORMATS[refused].write("back", {}))[0]
    again = envhub.restore(json.loads(json.dumps(env.snapshot())))
    reward = 0.0
    while not again.episode.over:
        reward = again.step(again.solve())[1]
    assert reward == 1.0
    assert len(again.episode.turns) == 1 + env.environment.effort(env.episode.instance) + 1
    with pytest.raises(SnapshotMismatch):
        begun("browse-v0").restore(env.snapshot())
    assert envhub.begin(env.task, tool_format=format).task.prompt == env.task.prompt


def test_a_format_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidParameters, match=r"tool_format must be one of .*Did you mean 'hermes'"):
        envhub.make("browse-v0", tool_format="hermse")
    with pytest.raises(InvalidParameters, match="has no tools"):
        envhub.make("arithmetic-v0", tool_format="hermes")
    with pytest.raises(InvalidParameters, match="takes no answer_format"):
        envhub.make("browse-v0", answer_format="boxed")
    with pytest.raises(InvalidParameters, match="not both"):
        envhub.make("browse-v0", answer_format="tag", tool_format="hermes")
