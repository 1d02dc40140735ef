"""How each model family writes tool calls: the vendors' documented examples, and what must not be read as a call."""

from __future__ import annotations

# ruff: noqa: RUF001 (the markers are what they are)
import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.authoring import tool
from envhub.core.tools import FORMATS, MAX_CALLS, Call, Malformed, read_calls, tools_of, write_call
from envhub.core.tools.reading import rewrite


class Weather:
    @tool
    def get_weather(self, inst: Any, state: Any, city: str, days: int = 1, exact: bool = False) -> Any:
        """Report the weather.

        Args:
            city: where
            days: how many days
            exact: whether in tenths
        """

    @tool
    def submit(self, inst: Any, state: Any, values: dict[str, int], tags: list[str] | None = None) -> Any:
        """Submit values."""

    @tool
    def stop(self, inst: Any, state: Any) -> Any:
        """Stop."""


TOOLS = tools_of(Weather)
PARIS = Call("get_weather", {"city": "Paris", "days": 2, "exact": False})
ARGS = '{"city": "Paris", "days": 2}'
SEP, BEGIN, END = "<｜tool▁sep｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"
OUTER = ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")

EXAMPLES = {
    "hermes": [
        f'<tool_call>\n{{"name": "get_weather", "arguments": {ARGS}}}\n</tool_call>',
        f'I look it up.\n<tool_call>\n{{"arguments": {ARGS}, "name": "get_weather"}}\n</tool_call><|im_end|>',
    ],
    "json": [
        f'{{"name": "get_weather", "parameters": {ARGS}}}',  # Llama 3.1 without its tag
        f'```json\n{{"name": "get_weather", "arguments": {ARGS}}}\n```',
        f'I look it up.\n```tool_call\n{{"name": "get_weather", "arguments": {ARGS}}}\n```\nDone.',
        json.dumps({"tool_calls": [{"function": {"name": "get_weather", "arguments": ARGS}}]}),
        f'{{"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {ARGS}}}',
    ],
    "mistral": [
        f'[TOOL_CALLS][{{"name": "get_weather", "arguments": {ARGS}}}]</s>',
        f'[TOOL_CALLS] [{{"name": "get_weather", "arguments": {ARGS}, "id": "VvvODy9mT"}}]',
        f"[TOOL_CALLS]get_weather[ARGS]{ARGS}</s>",
        f"[TOOL_CALLS]get_weather[CALL_ID]VvvODy9mT[ARGS]{ARGS}",
        f"[THINK][TOOL_CALLS]stop[ARGS]{{}}[/THINK][TOOL_CALLS]get_weather{ARGS}",
    ],
    "llama": [
        f'<|python_tag|>{{"name": "get_weather", "parameters": {ARGS}}}<|eom_id|>',
        '<|python_tag|>get_weather.call(city="Paris", days=2)<|eom_id|>',
        f"<function=get_weather>{ARGS}</function>",
    ],
    "pythonic": [
        "[get_weather(city='Paris', days=2)]",
        '<|python_start|>[get_weather(city="Paris", days=2)]<|python_end|><|eot_id|>',
        '```tool_code\nget_weather(city="Paris", days=2)\n```',
    ],
    "qwen3-coder": [
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n"
        "</function>\n</tool_call>",
    ],
    "deepseek": [
        f"{OUTER[0]}{BEGIN}function{SEP}get_weather\n```json\n{ARGS}\n```{END}{OUTER[1]}<｜end▁of▁sentence｜>",
        f"{OUTER[0]}{BEGIN}get_weather{SEP}{ARGS}{END}{OUTER[1]}",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris'
        '</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
        "</｜DSML｜function_calls>",
    ],
    "glm": [
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n"
        "<arg_value>2</arg_value>\n</tool_call><|observation|>",
    ],
    "kimi": [
        f"<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{ARGS}"
        "<|tool_call_end|><|tool_calls_section_end|>",
    ],
    "harmony": [
        "<|channel|>analysis<|message|>I need get_weather.<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.get_weather <|constrain|>json<|message|>{ARGS}<|call|>",
        f" to=functions.get_weather<|channel|>commentary json<|message|>{ARGS}<|call|>",
        f"<|start|>assistant to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>{ARGS}",
        "<|channel|>commentary<|message|>I look it up.<|end|>"
        f"<|start|>assistant<|channel|>commentary to=functions.get_weather<|message|>\n{ARGS}\n<|call|>",
    ],
    "invoke": [
        '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n'
        '<parameter name="days">2</parameter>\n</invoke>\n</function_calls>',
        '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n'
        '<parameter name="days">2</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    "react": [
        f"Thought: I look it up.\nAction: get_weather\nAction Input: {ARGS}",
        f"Action: get_weather\nAction Input: {ARGS}\nObservation: sunny\nThought: done\nAction: stop\nAction Input: {{}}",
    ],
}


def read(text: str, only: str | None = None) -> list[Call | Malformed]:
    from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking

    return read_calls(drop_thinking(drop_end_tokens(text)), TOOLS, only)


def said(text: str, only: str | None = None) -> str:
    (found,) = read(text, only)
    assert isinstance(found, Malformed), found
    return found.feedback


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


def tagged(city: str = "Paris", days: str = "2", more: str = "") -> list[str]:
    """One call in each format that carries no types."""
    return [
        f"<tool_call>\n<function=get_weather>\n<parameter=city>\n{city}\n</parameter>\n<parameter=days>\n{days}\n"
        f"</parameter>\n{more}</function>\n</tool_call>",
        f"<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>{city}</arg_value>\n<arg_key>days</arg_key>\n"
        f"<arg_value>{days}</arg_value>\n</tool_call>",
        f'<invoke name="get_weather"><parameter name="city">{city}</parameter><parameter name="days">{days}</parameter>'
        "</invoke>",
    ]


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


def json_call(city: str) -> str:
    return f"<tool_call>{json.dumps({'name': 'get_weather', 'arguments': {'city': city}})}</tool_call>"


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
    import re

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
