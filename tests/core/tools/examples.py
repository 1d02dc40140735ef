"""The vendors' documented examples of a tool call, all of one call, and how the tests read them."""

from __future__ import annotations

# ruff: noqa: RUF001 (the markers are what they are)
import json
from typing import Any

from envhub.authoring import tool
from envhub.core.tools import Call, Malformed, read_calls, tools_of
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking


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
    """The calls of a message as a policy writes it."""
    return read_calls(drop_thinking(drop_end_tokens(text)), TOOLS, only)


def said(text: str, only: str | None = None) -> str:
    """The feedback on a message whose only call is malformed."""
    (found,) = read(text, only)
    assert isinstance(found, Malformed), found
    return found.feedback


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
