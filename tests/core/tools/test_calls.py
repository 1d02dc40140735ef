"""Tools: their schemas, and every way in which a call may be written or miswritten."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st

from envhub.authoring import tool
from envhub.core.tools import MAX_CALLS, Call, Malformed, read_calls, tools_of, write_call


class Many:
    @tool
    def run(self, inst: Any, state: Any, code: str, times: int = 1) -> Any:
        """Run code;
        the session persists.

        Args:
            code: what to run
            times (int): how often
        """

    @tool
    def submit(self, inst: Any, state: Any, value: int) -> Any:
        """Give the answer."""

    @tool
    def place(self, inst: Any, state: Any, cells: list[int], how: Literal["a", "b"], x: float = 0.5) -> Any:
        """Place cells."""

    @tool
    def stop(self, inst: Any, state: Any) -> Any:
        """Stop."""

    def helper(self, inst: Any, state: Any, code: str) -> Any:
        """Not a tool."""


class One:
    @tool
    def run(self, inst: Any, state: Any, code: str) -> Any:
        """Run."""


MANY, ONE = tools_of(Many), tools_of(One)
RUN = {"name": "run", "arguments": {"code": "1+1"}}
CALLED = Call("run", {"code": "1+1", "times": 1})


def only(text: str, tools: Any = MANY) -> Any:
    (call,) = read_calls(text, tools)
    return call


def feedback(text: str, tools: Any = MANY) -> str:
    call = only(text, tools)
    assert isinstance(call, Malformed), call
    return call.feedback


def test_schemas_come_from_hints_and_docstrings() -> None:
    assert list(MANY) == ["run", "submit", "place", "stop"]
    assert MANY["run"].schema() == {
        "type": "function",
        "function": {
            "name": "run",
            "description": "Run code; the session persists.",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": ["code"],
                "properties": {
                    "code": {"type": "string", "description": "what to run"},
                    "times": {"type": "integer", "default": 1, "description": "how often"},
                },
            },
        },
    }
    assert MANY["stop"].schema()["function"]["parameters"]["properties"] == {}
    properties = MANY["place"].schema()["function"]["parameters"]["properties"]
    assert properties["cells"] == {"type": "array", "items": {"type": "integer"}}
    assert properties["how"]["enum"] == ["a", "b"]
    json.dumps([t.schema() for t in MANY.values()])


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"tool_calls": [{"id": "1", "type": "function", "function": RUN}]}),
        json.dumps({"tool_calls": [{"function": {"name": "run", "arguments": json.dumps(RUN["arguments"])}}]}),
        json.dumps({"role": "assistant", "content": None, "tool_calls": [RUN]}),
        json.dumps([RUN]),
        json.dumps([{"function": RUN}]),
        json.dumps(RUN),
        json.dumps({"type": "function", "function": RUN}),
        f"  {json.dumps(RUN)}\n",
        f"<tool_call>{json.dumps(RUN)}</tool_call>",
        f"I will run it. <tool_call>\n{json.dumps(RUN)}\n</tool_call> Done.",
        f"<tool_call>{json.dumps(RUN)}",  # cut by the sampler
        f"<tool_call> tags look so: <tool_call>{json.dumps(RUN)}</tool_call>",
        write_call("run", code="1+1"),
    ],
)
def test_every_form_of_a_call_is_read(text: str) -> None:
    assert only(text) == CALLED


def test_several_calls_are_read_in_order() -> None:
    text = write_call("run", code="a") + " then " + write_call("stop") + write_call("run", code="b", times=2)
    assert read_calls(text, MANY) == [
        Call("run", {"code": "a", "times": 1}),
        Call("stop", {}),
        Call("run", {"code": "b", "times": 2}),
    ]
    assert read_calls(json.dumps({"tool_calls": [RUN, RUN]}), MANY) == [CALLED, CALLED]


def test_arguments_may_be_left_out_where_none_are_needed() -> None:
    assert only('{"name": "stop"}') == Call("stop", {})
    assert only('{"name": "stop", "arguments": {}}') == Call("stop", {})
    assert only('{"name": "place", "arguments": {"cells": [1], "how": "a"}}') == Call(
        "place", {"cells": [1], "how": "a", "x": 0.5}
    )


def test_plain_text_is_a_call_where_one_tool_takes_one_text() -> None:
    for text in ("print(5)", "  indented\n", "[x for x in y]", "{not json", "<b>", "{}"):
        assert only(text, ONE) == Call("run", {"code": text})
    assert only(write_call("run", code="5"), ONE) == Call("run", {"code": "5"})
    assert "No tool call was found" in feedback("  \n ", ONE)
    assert "No tool call was found" in feedback("print(5)", MANY)


def test_up_to_a_limit_of_calls_are_read_and_beyond_it_none() -> None:
    assert len(read_calls(write_call("stop") * MAX_CALLS, MANY)) == MAX_CALLS
    assert (
        feedback(write_call("stop") * (MAX_CALLS + 1))
        == f"A message may hold at most {MAX_CALLS} calls, got 9; none was carried out."
    )
    assert f"got {100}" in feedback(json.dumps([RUN] * 100))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "No tool call was found.*one of: run, submit, place, stop"),
        ("hello", "No tool call was found"),
        ("[]", "No tool call was found"),
        ("[1, 2", "No tool call was found"),
        ('{"name": "run", "arguments": {"code": "x"}', "starts like JSON"),
        ("<toolcall>run</toolcall>", "'<toolcall>' is not a known marker"),
        ('{"tool_calls": []}', "No tool call was found"),
        ("{}", "No tool call was found"),
        ('{"tool_calls": 5}', "No tool call was found"),
        ("[5]", "a call is a JSON object"),
        ("[null]", "a call is a JSON object"),
        ('{"name": 5}', "a call is a JSON object"),
        ('{"function": "run"}', "a call is a JSON object"),
        ("<tool_call></tool_call>", "a call is a JSON object"),
        ("<tool_call>run()</tool_call>", "a call is a JSON object"),
        ('<tool_call>{"name": "run", "arguments": {"code": "x"}</tool_call>', "a call is a JSON object"),
        ('{"name": "rum", "arguments": {}}', "no tool 'rum'.*Did you mean 'run'"),
        ('{"name": "helper", "arguments": {"code": "x"}}', "no tool 'helper'"),
        ('{"name": "__init__", "arguments": {}}', "no tool '__init__'"),
        ('{"name": "run", "arguments": [1]}', "arguments.*must be a JSON object"),
        ('{"name": "run", "arguments": null}', "arguments.*must be a JSON object"),
        ('{"name": "run", "arguments": "code"}', "arguments.*must be a JSON object"),
        (
            '{"name": "run", "arguments": {}}',
            r"Invalid call to run: missing argument `code`\. "
            r"Expected: code \(string\), times \(integer, optional, default 1\)\.",
        ),
        ('{"name": "run", "arguments": {"code": 5}}', "argument `code` must be a string, got 5"),
        ('{"name": "run", "arguments": {"code": null}}', "`code` must be a string, got null"),
        ('{"name": "run", "arguments": {"code": "x", "cod": 1}}', r"unknown argument `cod` \(did you mean 'code'\?\)"),
        ('{"name": "run", "arguments": {"code": "x", "self": 1}}', "unknown argument `self`"),
        ('{"name": "run", "arguments": {"code": "x", "inst": 1}}', "unknown argument `inst`"),
        ('{"name": "submit", "arguments": {"value": "five"}}', "`value` must be an integer"),
        ('{"name": "submit", "arguments": {"value": 5.5}}', "`value` must be an integer"),
        ('{"name": "submit", "arguments": {"value": [5]}}', "`value` must be an integer"),
        ('{"name": "submit", "arguments": {"value": true}}', "`value` must be an integer"),
        ('{"name": "submit", "arguments": {"value": NaN}}', "`value` must be an integer"),
        ('{"name": "submit", "arguments": {"value": 1e999}}', "`value` must be an integer"),
        (
            '{"name": "place", "arguments": {"cells": [1, "x"], "how": "a"}}',
            r"`cells` must be a list of integers, got \[1, \"x\"\]",
        ),
        ('{"name": "place", "arguments": {"cells": [1], "how": "c"}}', '`how` must be one of "a", "b", got "c"'),
        ('{"name": "place", "arguments": {"cells": [], "how": "a", "x": 1e999}}', "`x` must be a number, got null"),
        ('{"name": "submit", "arguments": {"value": ' + "9" * 5000 + "}}", ""),
    ],
)
def test_a_malformed_call_is_answered_with_what_was_wrong(text: str, says: str) -> None:
    import re

    assert re.search(says, feedback(text)), feedback(text)


JUNK = st.lists(
    st.sampled_from(
        [
            "<tool_call>",
            "</tool_call>",
            '{"name":',
            '"run"',
            '"arguments":',
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "code",
            "5",
            "NaN",
            "null",
            "\\",
            "\\ud800",
            "\ud800",
            "\x00",
            "\n",
            " ",
            '{"tool_calls":',
            '"function":',
            "1e999",
            "Infinity",
            "-",
            "true",
        ]
    ),
    max_size=25,
).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(JUNK | st.text(st.characters()), st.sampled_from([MANY, ONE]))
def test_no_text_is_too_strange(text: str, tools: Any) -> None:
    calls = read_calls(text, tools)
    assert 1 <= len(calls) <= MAX_CALLS
    for call in calls:
        assert call.feedback if isinstance(call, Malformed) else call.name in tools
        if isinstance(call, Malformed):
            call.feedback.encode()


@given(st.sampled_from(["run", "submit", "place", "stop", "x"]), VALUES, st.booleans())
def test_no_arguments_are_too_strange(name: str, arguments: Any, quoted: bool) -> None:
    given_as = json.dumps(arguments) if quoted else arguments
    for text in (
        json.dumps({"name": name, "arguments": given_as}),
        f"<tool_call>{json.dumps({'name': name, 'arguments': given_as})}",
    ):
        (call,) = read_calls(text, MANY)
        assert isinstance(call, (Call, Malformed))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers())
def test_what_is_written_is_read_back(code: str, times: int) -> None:
    assert read_calls(write_call("run", code=code, times=times), MANY) == [Call("run", {"code": code, "times": times})]


def test_nesting_of_any_depth_is_answered() -> None:
    for depth in (*range(200, 1100), 100_000):
        for form in ("%s", '{"name": "run", "arguments": %s}', '{"name": "run", "arguments": {"code": %s}}'):
            assert feedback(form % ("[" * depth + "]" * depth))


def test_a_megabyte_of_tags_is_read_in_a_moment() -> None:
    for unit in ("<tool_call>", "</tool_call>", "<tool_call></tool_call>", "{", "[", '"', "\\", '{"a":'):
        assert feedback(unit * (1_000_000 // len(unit)))
