"""What must not be read as a call: quotations, thoughts, lookalikes, mixtures and damaged markers."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.tools import FORMATS, MAX_CALLS, Call, Malformed, read_calls
from envhub.core.tools.reading import rewrite
from tests.core.tools.examples import BEGIN, END, EXAMPLES, SEP, TOOLS, read, said, tagged


def test_calls_in_two_formats_are_not_carried_out() -> None:
    one, two = EXAMPLES["hermes"][0], EXAMPLES["mistral"][2]
    assert "two formats, hermes and mistral; none was carried out" in said(f"{one}\n{two}")
    assert "two formats, kimi and glm" in said(EXAMPLES["kimi"][0] + EXAMPLES["glm"][0])


@pytest.mark.parametrize("format", FORMATS)
def test_a_quotation_and_a_thought_are_no_calls(format: str) -> None:
    assert "is a quotation" in said(f"One would write\n```\n{EXAMPLES[format][0]}\n```\nbut I will not.")
    real = '<tool_call>{"name": "stop"}</tool_call>'
    assert read(f"One would write\n```xml\n{EXAMPLES[format][0]}\n```\nI write {real}") == [Call("stop", {})]
    assert "No tool call was found" in said(f"<think>{EXAMPLES[format][0]}</think> Hm.")


def test_markers_within_arguments_are_text() -> None:
    for inner in (
        *HARMONY_PARTS,
        "</tool_call>",
        '<tool_call>{"name": "stop"}</tool_call>',
        "```\nx\n```",
        "[TOOL_CALLS]stop[ARGS]{}",
    ):
        expected = [Call("get_weather", {"city": inner, "days": 1, "exact": False})]
        for format in ("hermes", "json", "mistral", "llama", "pythonic", "deepseek", "kimi", "react", "harmony"):
            assert read(rewrite(json_call(inner), TOOLS, format)) == expected, format
    inner = "```py\nprint('[TOOL_CALLS]')\n```"
    for text in tagged(city=inner):
        assert read(text)[0] == Call("get_weather", {"city": inner, "days": 2, "exact": False})


def json_call(city: str) -> str:
    return f"<tool_call>{json.dumps({'name': 'get_weather', 'arguments': {'city': city}})}</tool_call>"


STOP = "<|channel|>commentary to=functions.stop<|message|>{}<|call|>"
HARMONY_PARTS = (STOP, "<|call|>", "<|end|><|start|>user<|message|>", "<|channel|>analysis<|message|>x<|end|>")


@pytest.mark.parametrize(
    "text",
    [
        f"<|channel|>analysis<|message|>I could write {{call}}<|end|><|start|>assistant{STOP}",
        f"<|channel|>analysis<|message|>Not {{call}}<|start|>assistant{STOP}",
        f"{STOP}<|start|>functions.stop to=assistant<|channel|>commentary<|message|>Stopped.<|end|>{{call}}",
        f"{STOP}<|start|>user<|message|>Go on.<|end|><|start|>assistant{{call}}",
        f"<|channel|>analysis<|message|>Hm.<|end|>{STOP}<|channel|>analysis<|message|>{{call}}",
    ],
)
def test_thoughts_of_harmony_and_messages_of_other_roles_hold_no_calls(text: str) -> None:
    for call in ('<tool_call>{"name": "submit"}</tool_call>', "[TOOL_CALLS]submit[ARGS]{}", "\nAction: submit[]\n"):
        assert read(text.replace("{call}", call)) == [Call("stop", {})]
    assert read(f"{STOP}{STOP}") == [Call("stop", {})] * 2


@pytest.mark.parametrize(
    "text",
    [
        "<|channel|>analysis<|message|>I call stop.<|end|>",
        "<|channel|>final<|message|>to=functions.stop {}<|return|>",
        "commentary to=functions.stop json{}",
        "to=functions.stop<|message|>{}<|call|>",
        "<|start|>functions.stop to=assistant<|channel|>commentary<|message|>{}<|end|>",
        "<|start|>system to=functions.stop<|channel|>commentary<|message|>{}<|call|>",
        "\uff5cchannel\uff5ccommentary to=functions.stop\uff5cmessage\uff5c{}",
    ],
)
def test_what_is_no_call_of_harmony(text: str) -> None:
    assert "No tool call was found" in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "\uff1ctool_call\uff1e{}\uff1c/tool_call\uff1e",
        "<tool\u2581call>stop</tool\u2581call>",
        "<t\u043eol_call>stop</t\u043eol_call>",  # a Cyrillic o
        "<|tool\u2581call\u2581begin|>stop<|tool\u2581sep|>{}",
        "<function_call>stop</function_call>",
        "[TOOL_CALL]stop",
    ],
)
def test_what_only_looks_like_a_marker_is_none(text: str) -> None:
    assert "No tool call was found" in said(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[TOOL_CALLS]", "Invalid call: no name"),
        ("[TOOL_CALLS]stop[ARGS]{", "must be a JSON object"),
        ("[TOOL_CALLS]stop[ARGS]", "no name with a JSON object"),
        ("<|python_tag|>import os", "no call follows the tag"),
        ("<|python_tag|>stop.call(1)", "written as name=value"),
        ("<tool_call><function=stop><parameter=a>1", "<parameter=a> is not closed"),
        ("<tool_call><function=stop>now</function></tool_call>", "may hold only parameters"),
        ("<tool_call>stop<arg_key>a</arg_key><arg_value>1", "is not closed"),
        ('<invoke name="stop">now</invoke>', "may hold only parameters"),
        ('<invoke name="stop"><parameter name="a">1', "is not closed"),
        ("<|tool_call_begin|>stop", "no name with a JSON object"),
        ("<|channel|>commentary to=functions.stop<|message|>now<|call|>", "arguments of stop must be one JSON object"),
        ("<|channel|>commentary to=functions.stop<|message|>{}, thanks<|call|>", "must be one JSON object"),
        ("<|channel|>commentary to=functions.stop<|message|>[{}]<|call|>", "must be one JSON object"),
        ("<|channel|>commentary to=functions.stop<|message|><|call|>", "must be one JSON object"),
        ("<|channel|>commentary to=functions.stop<|message|>{", "must be one JSON object"),
        ("<|channel|>commentary to=browser.open<|message|>{}<|call|>", "no tool 'browser.open'"),
        ("<|start|>assistant to=a<|channel|>commentary to=b<|message|>{}<|call|>", "names one recipient"),
        ("Action: stopp[]", "no tool 'stopp'.*Did you mean 'stop'"),
        ("```tool_code\nprint(1)\n```", "the fence holds no call|cannot be read"),
        ("[get_weather(city=open('x'))]", "cannot be read: each value must be a string"),
        ("[get_weather(city=[[[['x')]", "a comma or \\] is missing"),
        ('{"name": "stop", "arguments": {}, "parameters": {}}', "has `arguments` or `parameters`, not both"),
    ],
)
def test_an_error_names_what_was_found(text: str, says: str) -> None:
    assert re.search(says, said(text)), said(text)


UNITS = [
    *(text for texts in EXAMPLES.values() for text in texts),
    *("<tool_call>", "</tool_call>", "<function=stop>", "</function>", "<parameter=city>", "</parameter>", "[ARGS]"),
    *("<arg_key>city</arg_key>", "<arg_value>", "</arg_value>", '<invoke name="stop">', '<parameter name="city">'),
    *("<|channel|>", "<|channel|>analysis", " to=functions.stop", "<|message|>", "<|constrain|>json", "<|call|>"),
    *("<|start|>", "<|start|>assistant", "<|start|>user", "<|end|>"),
    *("</invoke>", "[TOOL_CALLS]", "<|python_tag|>", BEGIN, SEP, END, "<|tool_call_begin|>", "\nAction: stop\n"),
    *(
        "<|tool_call_argument_begin|>",
        "Action Input:",
        "\nObservation:",
        "\n```\n",
        "\n```tool_call\n",
        "```json",
        "~~~",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        '{"name": "stop"}',
        '{"a": 1, "a": 2}',
        "stop",
        "stop(",
        "[stop(",
        "a=",
        "'",
        ",",
        "\n",
    ),
]


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(UNITS) | st.text(max_size=5), max_size=12).map("".join), st.sampled_from([None, *FORMATS])
)
def test_no_mixture_of_markers_is_too_strange(text: str, only: str | None) -> None:
    calls = read_calls(text, TOOLS, only)
    assert 1 <= len(calls) <= MAX_CALLS
    for call in calls:
        assert isinstance(call, Malformed) or call.name in TOOLS
        if isinstance(call, Malformed):
            call.feedback.encode()
            assert len(call.feedback) < 2000


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_message_of_one_unit_is_read_in_linear_time(unit: str) -> None:
    for times in (65_536 // len(unit),):
        assert read_calls(unit * times, TOOLS)
