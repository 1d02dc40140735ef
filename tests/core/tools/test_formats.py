"""Each model family's way to write tool calls is read, and written as it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.tools import FORMATS, Call, read_calls, write_call
from envhub.core.tools.reading import rewrite
from tests.core.tools.examples import ARGS, BEGIN, END, EXAMPLES, OUTER, PARIS, SEP, TOOLS, read, said, tagged


@pytest.mark.parametrize(("format", "text"), [(name, text) for name, texts in EXAMPLES.items() for text in texts])
def test_the_documented_form_of_each_family_is_read_and_can_be_pinned(format: str, text: str) -> None:
    assert read(text) == [PARIS]
    assert read(text, format) == [PARIS]
    other = "hermes" if format != "hermes" else "mistral"
    assert f"in the format {format}" in said(text, other)


def test_the_table_has_an_example_for_every_format() -> None:
    assert set(EXAMPLES) == set(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_written_as_it_is_read(format: str) -> None:
    calls = write_call("get_weather", city="Paris", days=2)
    assert read(rewrite(calls, TOOLS, format), format) == [PARIS]
    several = calls + write_call("submit", values={"a": 1}, tags=["x", "y"]) + write_call("stop")
    assert read(rewrite(several, TOOLS, format), format)[:1] == [PARIS]
    if format != "react":
        assert len(read(rewrite(several, TOOLS, format), format)) == 3


@pytest.mark.parametrize(
    "text",
    [
        f'<tool_call>\n{{"name": "get_weather", "arguments": {ARGS}}}\n{{"name": "stop", "arguments": {{}}}}\n</tool_call>',
        f'<tool_call>[{{"name": "get_weather", "arguments": {ARGS}}}, {{"name": "stop"}}]</tool_call>',
        f'<tool_call>{{"name": "get_weather", "arguments": {ARGS}}}<tool_call>{{"name": "stop"}}</tool_call>',
        f'{{"name": "get_weather", "parameters": {ARGS}}}; {{"name": "stop", "parameters": {{}}}}',
        f"[TOOL_CALLS]get_weather[ARGS]{ARGS}[TOOL_CALLS]stop[ARGS]{{}}",
        "[get_weather(city='Paris', days=2), stop()]",
        f"{OUTER[0]}{BEGIN}get_weather{SEP}{ARGS}{END}{BEGIN}stop{SEP}{{}}{END}{OUTER[1]}",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n"
        "<arg_value>2</arg_value>\n</tool_call>\n<tool_call>stop</tool_call>",
    ],
)
def test_several_calls_of_one_message_are_read_in_order(text: str) -> None:
    assert read(text) == [PARIS, Call("stop", {})]


def test_only_formats_without_types_are_typed_by_the_schema() -> None:
    for text in tagged(city="1944"):
        assert read(text) == [Call("get_weather", {"city": "1944", "days": 2, "exact": False})]
    for text in tagged(days="two"):
        assert '`days` must be an integer, got "two"' in said(text)
    for text in tagged(days="2.5") + tagged(days="true") + tagged(days='"2"'):
        assert "`days` must be an integer" in said(text)
    values = "<tool_call><function=submit><parameter=values>{}</parameter></function></tool_call>"
    assert read(values.format('{"a": 1}')) == [Call("submit", {"values": {"a": 1}, "tags": None})]
    assert "`values` must be an object" in said(values.format('{"a": 1, "a": 2}'))
    for texts in (
        f'<tool_call>{{"name": "get_weather", "arguments": {ARGS}}}</tool_call>',
        f"[TOOL_CALLS]get_weather[ARGS]{ARGS}",
        f"{BEGIN}get_weather{SEP}{ARGS}{END}",
        f"<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{ARGS}<|tool_call_end|>",
        f"Action: get_weather\nAction Input: {ARGS}",
    ):
        assert '`days` must be an integer, got "2"' in said(texts.replace(": 2}", ': "2"}'))
    assert '`days` must be an integer, got "2"' in said("[get_weather(city='Paris', days='2')]")


def test_a_react_input_may_be_the_text_of_the_only_argument_that_is_required() -> None:
    paris = Call("get_weather", {"city": "Paris", "days": 1, "exact": False})
    for text in ("Action: get_weather[Paris]", "Action: get_weather\nAction Input: Paris\nObservation: sunny"):
        assert read(text) == [paris]
    assert read("Action: stop\nAction Input:") == read("Action: stop[]") == [Call("stop", {})]
    assert "must be a JSON object" in said("Action: stop\nAction Input: now")


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome", "city": "Paris"}}</tool_call>',
        '{"name": "stop", "name": "get_weather", "arguments": {"city": "Paris"}}',
        json.dumps([{"name": "get_weather", "arguments": '{"city": "Rome", "city": "Paris"}'}]),
        '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome", "city": "Paris"}',
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Rome", "city": "Paris"}}',
        "[get_weather(city='Rome', city='Paris')]",
        '<function=get_weather>{"city": "Rome", "city": "Paris"}</function>',
        f'{BEGIN}get_weather{SEP}{{"city": "Rome", "city": "Paris"}}{END}',
        '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome", "city": "Paris"}',
        'Action: get_weather\nAction Input: {"city": "Rome", "city": "Paris"}',
        '<|channel|>commentary to=functions.get_weather<|message|>{"city": "Rome", "city": "Paris"}<|call|>',
        '<invoke name="get_weather"><parameter name="city">Rome</parameter><parameter name="city">Paris</parameter></invoke>',
        "<tool_call><function=get_weather><parameter=city>Rome</parameter><parameter=city>Paris</parameter></function>",
        "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_key>city</arg_key>"
        "<arg_value>Paris</arg_value></tool_call>",
        '```tool_call\n{"name": "get_weather", "arguments": {"city": "Rome", "city": "Paris"}}\n```',
    ],
)
def test_no_format_takes_an_argument_that_is_given_twice(text: str) -> None:
    assert "occurs more than once" in said(text)


ANY = st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.text(max_size=20), max_size=4)


@settings(max_examples=60)
@given(
    st.sampled_from(["hermes", "json", "mistral", "llama", "deepseek", "kimi", "react"]), ANY, st.integers(), st.text()
)
def test_what_is_written_as_json_is_read_back_in_every_format_that_has_types(
    format: str, values: Any, days: int, city: str
) -> None:
    city = city.encode("utf-8", "replace").decode()
    written = FORMATS[format].write("get_weather", {"city": city, "days": days})
    assert read_calls(written, TOOLS) == [Call("get_weather", {"city": city, "days": days, "exact": False})]
    FORMATS[format].write("submit", {"values": values})
